"""The keys of the tabs that stand behind another one: the task, the rules and the maximum, there and back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from wizard_app.presenters.cursor import Cursor
from wizard_app.window.pages.work_page import WorkPage


class TabKeys(QObject):
    """Brings a tab to the front with the cursor in it; the same key, or Escape, goes back to the turn."""

    def __init__(self, page: WorkPage, cursor: Cursor, tell: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._cursor = cursor
        self._tell = tell

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of these tabs do, by the names of the key table."""
        return {"task": self._task, "rules": self._rules, "maximum": self._maximum}

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
            self._tell(self.tr("This database has no principles of interpretation."))
        else:
            self._cursor.go_to(rules)

    def _maximum(self) -> None:
        if self._page.result.answers.in_maximum:
            self.leave()
        else:
            self._page.result.unfold_answers()
            self._cursor.go_to(self._page.result.answers.open_maximum())
