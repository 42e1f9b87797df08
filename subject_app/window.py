"""The subject's window. It begins with the waiting page alone; the others come after the first paint."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QMessageBox, QStackedWidget, QWidget

from curtain.qt.style import Look
from curtain.qt.widgets import column, direction_of, named
from curtain.qt.windows.keyed_window import KeyedWindow
from subject_app.pages.plain_pages import MessagePage
from subject_app.pages.widgets import QuietBand
from subject_app.session.texts import Texts

SMALLEST = (720, 440)
FIRST, TITLE_BAR = QSize(1280, 720), 40
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Window(KeyedWindow):
    """A stack of named pages. Its properties `state`, `turn`, `shown_turn`, `shown_scenario` and `link` say what
    stands on it.

    While a session is under way, closing it asks once; `closed` is emitted when it really closes.
    """

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle(texts.window_title)
        self.resize(_first_size(self.screen().availableSize()))
        # 1920x1080 at twice the size is 960x540, less the title bar and what the desktop keeps for itself.
        self.setMinimumSize(*SMALLEST)
        self._pages = QStackedWidget()
        self._by_name: dict[str, QWidget] = {}
        self._trial = QuietBand("trial", look)
        self._trial.hide()
        self.use_texts(texts)
        self._asks = False
        self._next, self._cover = "waiting", ""
        # A page that changes under a hold would take the button away that is being pressed.
        self.is_held: Callable[[], bool] = lambda: False
        self._question: QMessageBox | None = None
        self.setLayout(column(self._trial, self._pages, spacing=0))
        self.add_page("waiting", MessagePage("waiting", look, texts))
        for name, value in (
            ("state", "waiting"),
            ("turn", 0),
            ("shown_turn", 0),
            ("shown_scenario", ""),
            ("link", "down"),
        ):
            self.setProperty(name, value)

    def add_page(self, name: str, page: QWidget) -> None:
        """Put a page into the window under this name, in place of the one that bore it; `show_page` shows it."""
        before, self._by_name[name] = self._by_name.get(name), page
        self._pages.addWidget(page)
        if before is not None:
            # At once: nothing else may be seen between the two.
            if self._pages.currentWidget() is before:
                self._pages.setCurrentWidget(page)
            before.setParent(None)
            before.deleteLater()

    def show_page(self, name: str) -> None:
        """Show the page of this name and give it the focus, if it is not there already; during a hold, behind it."""
        self._next = name
        if not self.is_held():
            self.turn_page()

    def cover_with(self, name: str) -> None:
        """Show this page over all others, whatever `show_page` asks for meanwhile; "" takes it away."""
        self._cover = name
        if not self.is_held():
            self.turn_page()

    @Slot()
    def turn_page(self) -> None:
        """Nothing is held any more: show the page that was to be shown last."""
        page = self._by_name[self._cover or self._next]
        if self._pages.currentWidget() is not page:
            self._pages.setCurrentWidget(page)
            page.setFocus()

    def use_texts(self, texts: Texts) -> None:
        """The words of the window itself, from now on."""
        self._texts = texts
        # The page runs as its sentences do, whatever the file of texts is called.
        QGuiApplication.setLayoutDirection(direction_of(texts.waiting))
        self._trial.setText(texts.trial)

    def show_trial(self, trial: bool) -> None:
        """The mark of a session that does not count, on every page."""
        self._trial.setVisible(trial)

    def ask_before_leaving(self, asks: bool) -> None:
        """Whether closing the window would break something off."""
        self._asks = asks

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter belongs to the page that is shown, once for each press."""
        if event.key() in ENTER and not event.isAutoRepeat():
            self._pages.currentWidget().enter()  # type: ignore[union-attr]  # as every page of this window has
        else:
            super().keyPressEvent(event)

    def _ask(self) -> None:
        if self._question is not None:
            return
        question = named(
            QMessageBox(QMessageBox.Icon.Question, self.windowTitle(), self._texts.leave, parent=self), "leave"
        )
        stay = question.addButton(self._texts.leave_stay, QMessageBox.ButtonRole.RejectRole)
        leave = question.addButton(self._texts.leave_go, QMessageBox.ButtonRole.AcceptRole)
        stay.setObjectName("leave_stay")
        leave.setObjectName("leave_go")
        question.setDefaultButton(stay)
        question.setEscapeButton(stay)
        question.finished.connect(lambda: self._on_answered(question.clickedButton() is leave))
        self._question = question
        question.open()

    def _on_answered(self, leaves: bool) -> None:
        question, self._question = self._question, None
        if question is not None:
            question.deleteLater()
        if leaves:
            self._asks = False
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """In a session the subject is asked first; `closed` comes only when it really closes."""
        if self._asks:
            event.ignore()
            self._ask()
            return
        super().closeEvent(event)


def _first_size(screen: QSize) -> QSize:
    """As large as wanted, and with its title bar no larger than the screen."""
    return FIRST.boundedTo(screen - QSize(0, TITLE_BAR))
