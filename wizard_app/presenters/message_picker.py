"""Choosing a canned message: when the list opens, what it points at, where the cursor goes afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from wizard_app.desk.turn.control import TurnControl
from wizard_app.desk.turn.deadline import Urgency
from wizard_app.presenters.cursor import Cursor
from wizard_app.presenters.work_presenter import WorkPresenter
from wizard_app.window.pages.work_page import WorkPage


class Picking(QObject):
    """Wires the panel of messages; `changed` tells that the next key is another one now."""

    changed = Signal()

    def __init__(
        self, page: WorkPage, presenter: WorkPresenter, turns: TurnControl, cursor: Cursor,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._page = page
        self._presenter = presenter
        self._turns = turns
        self._cursor = cursor
        page.messages.send_requested.connect(self._on_message_chosen)
        page.messages.picking_began.connect(self._on_picking_began)
        page.messages.picking_ended.connect(self._on_picking_ended)
        page.messages.choice_changed.connect(self.changed)
        presenter.overtime_began.connect(self._on_overtime)
        presenter.likely_changed.connect(self._point_at)

    def pick(self) -> None:
        """Open the list, with the likely message chosen once time is over or where the recording was cut short."""
        over = self._presenter.deadline.urgency is Urgency.OVER
        pointed = self._presenter.asking_again or (self._presenter.likely_message if over else None)
        self._page.unfold_for_messages()
        self._page.messages.pick(pointed)

    def _on_picking_began(self) -> None:
        self._page.schema.hide()
        self._page.widen_for_messages()
        self.changed.emit()

    def _on_picking_ended(self) -> None:
        self._page.schema.show()
        self._page.fold_again()
        self._point_at(self._presenter.offered)
        self._cursor.go_on()
        self.changed.emit()

    def _on_message_chosen(self, message_id: str, blanks: dict[str, str]) -> None:
        if self._turns.send_message(message_id, blanks):
            self._page.messages.close_picker()

    def _on_overtime(self, message_id: str) -> None:
        """Time is over: the likely message is pointed at, and the cursor stays where the wizard works."""
        self._page.unfold_for_messages()
        self._point_at(message_id)

    def _point_at(self, message_id: str) -> None:
        """The list names the message that the strip names; what a hand has chosen stays."""
        if not self._page.messages.picking:
            self._page.messages.preselect(message_id)
