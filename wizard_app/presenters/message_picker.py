"""Choosing a canned message: when the list opens, what it points at, where the cursor goes afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from wizard_app.desk.desk_view import DeskView
from wizard_app.desk.turn.control import TurnControl
from wizard_app.presenters.cursor import Cursor
from wizard_app.presenters.desk_screen import DeskScreen
from wizard_app.window.pages.work_page import WorkPage


class Picking(QObject):
    """Wires the panel of messages; `changed` tells that the next key is another one now."""

    changed = Signal()

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

    def pick(self) -> None:
        """Open the list, with the likely message chosen once time is over or where the recording was cut short."""
        view = self._view
        self._page.unfold_for_messages()
        self._page.messages.pick(view.likely if view.asks_again else view.offered or None)

    def _on_picking_began(self) -> None:
        self._page.schema.hide()
        self._page.widen_for_messages()
        self.changed.emit()

    def _on_picking_ended(self) -> None:
        self._page.schema.show()
        self._page.fold_again()
        self._point_at(self._view.offered)
        self._cursor.go_on()
        self.changed.emit()

    def _on_message_chosen(self, message_id: str, blanks: dict[str, str]) -> None:
        if self._turns.send_message(message_id, blanks):
            self._page.messages.close_picker()

    def _on_shown(self, view: DeskView) -> None:
        """Time is over: the likely message is pointed at, and the cursor stays where the wizard works."""
        before, self._view = self._view, view
        if view.overtime and (view.oldest, view.overtime) != (before.oldest, before.overtime):
            self._page.unfold_for_messages()
            self._point_at(view.offered)
        elif view.offered != before.offered:
            self._point_at(view.offered)

    def _point_at(self, message_id: str) -> None:
        """The list names the message that the strip names; what a hand has chosen stays."""
        if not self._page.messages.picking:
            self._page.messages.preselect(message_id)
