"""The right column: choosing a canned message, and the tabs that stand behind another one, there and back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

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
        return {"message": self._pick, "task": self._task, "rules": self._rules, "maximum": self._maximum}

    def leave(self) -> bool:
        """Back to the turn at work, if the cursor is in one of these tabs."""
        if self._page.schema.in_rules or self._page.schema.in_task:
            self._page.schema.close_tab()
            self._page.fold_again()
        elif self._page.result.answers.in_maximum:
            self._page.result.answers.close_maximum()
        else:
            return False
        self._cursor.go_on()
        return True

    def _task(self) -> None:
        if self._page.schema.in_task:
            self.leave()
            return
        self._page.messages.close_picker()
        self._page.unfold_for_messages()
        self._cursor.go_to(self._page.schema.open_task())

    def _rules(self) -> None:
        if self._page.schema.in_rules:
            self.leave()
            return
        self._page.messages.close_picker()
        self._page.unfold_for_messages()
        rules = self._page.schema.open_rules()
        if rules is None:
            self._page.fold_again()
            self.notice.emit(self.tr("This database has no principles of interpretation."))
        else:
            self._cursor.go_to(rules)

    def _maximum(self) -> None:
        if self._page.result.answers.in_maximum:
            self.leave()
        else:
            self._page.result.unfold_answers()
            self._cursor.go_to(self._page.result.answers.open_maximum())

    def _pick(self) -> None:
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
