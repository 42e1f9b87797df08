"""Earlier exchanges, folded below the newest one; choosing one shows it large."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from curtain.qt import icons
from curtain.qt.style import TIGHT, Look, set_size
from curtain.qt.widgets import column, named, row
from subject_app.pages.widgets import LOW, button
from subject_app.session.screen_state import Exchange
from subject_app.session.texts import Texts, fill

ROWS = 4
ROW = 32
LOW_ROWS = 2


class HistoryPanel(QWidget):
    """`chosen(Exchange)`: the subject wants to see this one large."""

    chosen = Signal(object)

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._exchanges: tuple[Exchange, ...] = ()
        self._look = look
        self._toggle = button(look, "earlier", quiet=True)
        self._toggle.setIconSize(QSize(16, 16))
        self._list = named(QListWidget(), "history")
        set_size(self._list, self._look.read_pt)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.hide()
        self.setLayout(column(row(self._toggle, 1), self._list, spacing=TIGHT))
        self._toggle.clicked.connect(self._on_toggled)
        self._list.itemActivated.connect(self._on_activated)
        self._list.itemClicked.connect(self._on_activated)

    def show_exchanges(self, exchanges: tuple[Exchange, ...]) -> None:
        """The latest first."""
        # Most messages change no earlier exchange.
        if exchanges != self._exchanges:
            before, self._exchanges = self._exchanges, exchanges
            # One more at the top is all that a new question brings; to list the others anew took longer each time.
            if before and exchanges[1:] == before:
                self._insert(0, exchanges[0])
            else:
                self._list.clear()
                for row, each in enumerate(exchanges):
                    self._insert(row, each)
            self._refresh()

    def refresh(self) -> None:
        """Take another text size and other colours."""
        self._refresh()

    def fold(self) -> None:
        """Hide the list; its heading stays."""
        self._list.hide()
        self._refresh()

    def _insert(self, row: int, exchange: Exchange) -> None:
        item = QListWidgetItem(" ".join(exchange.query.split()) or self._texts.not_heard)
        self._list.insertItem(row, item)

    def _refresh(self) -> None:
        count = len(self._exchanges)
        self._toggle.setText(fill(self._texts.earlier, count=count))
        self._toggle.setIcon(icons.icon("fold" if self._opened else "unfold"))
        self._list.setAccessibleName(fill(self._texts.earlier, count=count))
        row = self._look.px(ROW)
        for each in range(count):
            self._list.item(each).setSizeHint(QSize(0, row))
        # In a low window the answer keeps its room.
        rows = ROWS if self.window().height() > self._look.px(LOW) else LOW_ROWS
        self._list.setFixedHeight(min(rows, max(1, count)) * row + 4)
        self.setVisible(count > 0)

    @property
    def _opened(self) -> bool:
        return not self._list.isHidden()

    def _on_toggled(self) -> None:
        self._list.setVisible(not self._opened)
        if self._opened:
            self._list.setCurrentRow(0)
            self._list.setFocus()
        self._refresh()

    def _on_activated(self) -> None:
        row = self._list.currentRow()
        if 0 <= row < len(self._exchanges):
            self.chosen.emit(self._exchanges[row])
