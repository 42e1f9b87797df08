"""The right column: choosing a canned message, and the tabs that stand behind another one, there and back."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from wizard_app.desk.desk_view import DeskView
from wizard_app.desk.turn.control import TurnControl
from wizard_app.presenters.cursor import Cursor
from wizard_app.presenters.desk_screen import DeskScreen
from wizard_app.window.pages.work_page import WorkPage


class RightColumn(QObject):
    """Opens messages and tabs with the cursor in them; the same key of a tab, or Escape, goes back to the turn.

    `changed`: the next key may be another one. `notice` is a sentence for the wizard.
    """

    changed = Signal()
    notice = Signal(str)

    def __init__(self, page: WorkPage, screen: DeskScreen, turns: TurnControl, cursor: Cursor, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._view = DeskView()
        self._turns = turns
        self._cursor = cursor
        page.messages.send_requested.connect(self._on_message_chosen)
        page.messages.picking_began.connect(self._on_picking_began)
        page.messages.picking_ended.connect(self._on_picking_ended)
        page.messages.choice_changed.connect(self.changed)
        screen.shown.connect(self._on_shown)

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of messages and tabs do, by the names of the key table."""
        page = self._page
        pages = {"task": page.task, "schema": page.schema, "maximum": page.answers}
        to_pages = {name: partial(self._go_to, each) for name, each in pages.items()}
        return {"message": self._pick, "rules": self._rules, **to_pages}

    def leave(self) -> bool:
        """Back to the turn at work, if the cursor is in one of these tabs."""
        page = self._page
        if page.messages.picking or not page.side.has_cursor:
            return False
        # First the cursor: Qt would pass it to the page that comes.
        self._cursor.go_on()
        page.side.back()
        page.fold_again()
        return True

    def _go_to(self, page: QWidget) -> None:
        """With the cursor on the page; from there, back."""
        if self._page.side.page is not page or not self.leave():
            self._page.messages.close_picker()
            self._page.unfold()
            self._page.side.open(page)
            self._cursor.go_to(page)

    def _rules(self) -> None:
        if self._page.rules.book.rules:
            self._go_to(self._page.rules)
        else:
            self.notice.emit(self.tr("This database has no principles of interpretation."))

    def _pick(self) -> None:
        """Open the list, with the likely message chosen once time is over or where the recording was cut short."""
        view = self._view
        self._page.unfold()
        self._page.messages.pick(view.likely if view.asks_again else view.offered or None)

    def _on_picking_began(self) -> None:
        self._page.side.open(self._page.messages)
        self.changed.emit()

    def _on_picking_ended(self) -> None:
        self._point_at(self._view.offered)
        self._cursor.go_on()
        self._page.side.back()
        self._page.fold_again()
        self.changed.emit()

    def _on_message_chosen(self, message_id: str, blanks: dict[str, str]) -> None:
        if self._turns.send_message(message_id, blanks):
            self._page.messages.close_picker()

    def _on_shown(self, view: DeskView) -> None:
        """Time is over: the likely message is pointed at, and the cursor stays where the wizard works."""
        before, self._view = self._view, view
        if view.overtime and (view.oldest, view.overtime) != (before.oldest, before.overtime):
            self._page.unfold()
            if not self._page.side.has_cursor:
                self._page.side.show_page(self._page.messages)
            self._point_at(view.offered)
        elif view.offered != before.offered:
            self._point_at(view.offered)

    def _point_at(self, message_id: str) -> None:
        """The list names the message that the strip names; what a hand has chosen stays."""
        if not self._page.messages.picking:
            self._page.messages.preselect(message_id)
