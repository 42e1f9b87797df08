"""The right column: one place for what may help, with a tab for each page."""

from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication, QPushButton, QStackedLayout, QWidget

from curtain.qt import icons
from curtain.qt.style import GAP, PANEL, Look, set_size
from curtain.qt.widgets import button, column, plain_tip
from curtain.qt.wrapping_row import WrappingRow


class SidePanel(QWidget):
    """One page in front, chosen by its tab or its key. The tabs go on in a second line where the column is narrow."""

    def __init__(self, look: Look) -> None:
        super().__init__(autoFillBackground=True)
        self._look = look
        self._row, self._pages = WrappingRow(), QStackedLayout()
        self._tabs: dict[QWidget, QPushButton] = {}
        self._before: QWidget | None = None
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setLayout(column(self._row, (self._pages, 1), margins=PANEL, spacing=GAP))

    def add(self, page: QWidget, name: str, words: str) -> None:
        """One more page behind a tab of these words."""
        tab = button(words, f"tab_{name}")
        tab.setProperty("tab", True)
        tab.setCheckable(True)
        tab.setAutoExclusive(True)
        set_size(tab, self._look.small_pt)
        tab.clicked.connect(lambda: self.show_page(page))
        tab.setChecked(not self._tabs)
        self._tabs[page] = tab
        self._row.addWidget(tab)
        self._pages.addWidget(page)

    def offer(self, page: QWidget, words: str, offered: bool = True) -> None:
        """The words of its tab; without an offer the page has none."""
        self._tabs[page].setText(words)
        self._tabs[page].setVisible(offered)

    def mark(self, page: QWidget, warning: str) -> None:
        """Something on this page wants to be looked at: its tab says what; empty where nothing does."""
        self._tabs[page].setIcon(icons.icon("warning") if warning else QIcon())
        self._tabs[page].setToolTip(plain_tip(warning))

    @property
    def page(self) -> QWidget:
        """The page in front."""
        page = self._pages.currentWidget()
        assert page is not None
        return page

    @property
    def has_cursor(self) -> bool:
        """Whether the cursor is on the page in front."""
        now = QApplication.focusWidget()
        return now is not None and (now is self.page or self.page.isAncestorOf(now))

    @property
    def place(self) -> int:
        """The page in front, by its number, to be kept."""
        return self._pages.currentIndex()

    def show_place(self, place: int) -> None:
        """The page of this number, as it was kept, if there is one and it is offered."""
        page = self._pages.widget(place)
        if page is not None and not self._tabs[page].isHidden():
            self.show_page(page)

    def show_page(self, page: QWidget) -> None:
        """Bring a page to the front, to stay there."""
        self._before = None
        self._tabs[page].setChecked(True)
        self._pages.setCurrentWidget(page)

    def open(self, page: QWidget) -> None:
        """Bring a page to the front until `back`."""
        before = self._before or self.page
        self.show_page(page)
        self._before = before if before is not page else None

    def back(self) -> None:
        """The page that was in front before the last one was opened."""
        self.show_page(self._before or self.page)
