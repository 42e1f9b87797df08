"""Where the cursor goes by itself, and when it stays where it is."""

from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QWidget

from wizard_app.desk.turn.control import TurnControl
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

_TYPING_NS = 2_000_000_000


class Cursor:
    """Moves the focus along the path of a turn, never out of a field in which the wizard types."""

    def __init__(self, window: WizardWindow, page: WorkPage, turns: TurnControl, now_ns: Callable[[], int]) -> None:
        self._window = window
        self._page = page
        self._turns = turns
        self._now_ns = now_ns
        # None: nothing has been typed that has not left.
        self._typed_ns: int | None = None

    @property
    def at_work(self) -> bool:
        """The page of the session is shown, and no question stands over it."""
        return self._window.page is self._page and QApplication.activeModalWidget() is None

    @property
    def typing_elsewhere(self) -> bool:
        """Whether a jump of the cursor would take words from under the wizard's fingers."""
        if self._page.messages.picking or QApplication.activeModalWidget() is not None:
            return True
        if self._typed_ns is None or self._now_ns() - self._typed_ns >= _TYPING_NS:
            return False
        focus = QApplication.focusWidget()
        return any(
            focus is field and not field.isReadOnly() for field in (self._page.query.field, self._page.sql.editor)
        )

    def typed(self) -> None:
        """A hand has just typed on the path."""
        self._typed_ns = self._now_ns()

    def typed_nothing(self) -> None:
        """What was typed has left: the cursor is free to go on."""
        self._typed_ns = None

    def go_to(self, widget: QWidget) -> None:
        """Move the cursor there, unless another page or a question is in front; an open list of messages closes."""
        if self.at_work:
            if widget is not self._page.messages.filter:
                self._page.messages.close_picker()
            self._page.bring(widget)
            widget.setFocus()

    def go_on(self) -> None:
        """To the field that the turn at work needs next."""
        turn = self._turns.turn
        heard = turn is not None and (turn.query is not None or self._turns.correcting)
        self.go_to(self._page.sql.editor if heard else self._page.query.field)
