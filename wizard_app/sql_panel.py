"""The SQL editor with what the last run said: time and rows, or the error in plain words."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.desk.style import Look, set_text_colour
from wizard_app.parts import button, column, heading, label, row
from wizard_app.situation import SqlState
from wizard_app.sql_editor import SqlEditor


class SqlPanel(QWidget):
    """Asks for a run; shows how the run went."""

    run_requested = Signal()
    stop_requested = Signal()
    text_edited = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.editor = SqlEditor(look)
        self.editor.setMinimumHeight(5 * self.editor.fontMetrics().lineSpacing())
        self._run = button(self.tr("Run  F5"), "run")
        self._told = label("", look, small=True)
        self._told.setObjectName("sql_told")
        self._told.setWordWrap(True)
        self._told.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        title = row(heading(self.tr("SQL"), look))
        foot = row(self._told, self._run)
        self.setLayout(column(title, self.editor, foot, spacing=3))
        self.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.editor.textChanged.connect(self.text_edited)
        self._running = False
        self._run.clicked.connect(self._on_button)

    @property
    def text(self) -> str:
        return self.editor.toPlainText().strip()

    def show_turn(self, sql: str, editable: bool) -> None:
        """Put the statement of another turn here."""
        if self.editor.toPlainText() != sql:
            self.editor.replace_text(sql)
        self.editor.setReadOnly(not editable)
        self._run.setEnabled(editable)

    def show_run(self, state: SqlState, told: str) -> None:
        colours = {SqlState.FAILED: self._look.bad, SqlState.STALE: self._look.warning}
        self._told.setText(told)
        set_text_colour(self._told, colours.get(state, self._look.quiet))
        self._running = state is SqlState.RUNNING
        self._run.setText(self.tr("Stop  F5") if self._running else self.tr("Run  F5"))

    def show_fault(self, place: tuple[int, int] | None) -> None:
        """Underline where the statement went wrong, as (start, length) in characters."""
        if place is not None:
            lead = len(self.editor.toPlainText()) - len(self.editor.toPlainText().lstrip())
            self.editor.show_fault(place[0] + lead, place[1])

    def _on_button(self) -> None:
        (self.stop_requested if self._running else self.run_requested).emit()
