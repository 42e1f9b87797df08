"""The SQL editor with what the last run said: time and rows, or the error in plain words."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox

from curtain.qt.sql_editor import SqlEditor
from curtain.qt.style import TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import LowButton, WrappingPanel, column, heading, label, named, row
from wizard_app.desk.turn.statements import SqlState

_WARNING_LINES = 3


class SqlPanel(WrappingPanel):
    """Asks for a run; shows how the run went."""

    run_requested = Signal()
    stop_requested = Signal()
    text_edited = Signal()
    yes_no_chosen = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.editor = SqlEditor(look)
        self.follow_room(3)
        self._run = LowButton(self.tr("Run  F5"), "run", look)
        self._status = label(" ", look, small=True, name="sql_status", within=True)
        self._warned = label("", look, small=True, name="rule_warning", within=True, colour=look.warning)
        self._warned.hide()
        self._yes_no = named(QCheckBox(self.tr("Yes/no question  F6")), "yes_no")
        self._yes_no.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F6; Tab and Space would mark it by accident
        set_size(self._yes_no, look.small_pt)
        title = row(heading(self.tr("SQL"), look), self._yes_no, self._run)
        self.setLayout(column(title, (self.editor, 1), self._warned, self._status, spacing=TIGHT))
        self.editor.textChanged.connect(self.text_edited)
        self._running = False
        self._run.clicked.connect(self._on_button)
        # Only a hand sends `clicked`; what is shown does not.
        self._yes_no.clicked.connect(self.yes_no_chosen)

    @property
    def text(self) -> str:
        """The statement without outer white space."""
        return self.editor.toPlainText().strip()

    def follow_room(self, lines: int) -> None:
        """At least so many lines of the statement are in sight."""
        self.editor.setMinimumHeight(lines * self.editor.fontMetrics().lineSpacing() + 10)

    def show_turn(self, sql: str, editable: bool) -> None:
        """Put the statement of another turn here."""
        self.editor.begin_text(sql)
        self.editor.setReadOnly(not editable)
        self._run.setEnabled(editable)
        self._yes_no.setEnabled(editable)

    def show_yes_no(self, marked: bool) -> None:
        """Whether the query counts as a yes/no question."""
        self._yes_no.setChecked(marked)

    def toggle_yes_no(self) -> None:
        """As a hand would."""
        self._yes_no.click()

    def show_warnings(self, sentences: Sequence[str]) -> None:
        """What the statement does against the rules; it can be run and sent all the same."""
        shown = list(sentences)
        if len(shown) > _WARNING_LINES:
            more = self.tr("{0} more in Rules").format(len(shown) - _WARNING_LINES + 1)
            shown[_WARNING_LINES - 1 :] = [more]
        self._warned.setText("\n".join(shown))
        self._warned.setVisible(bool(sentences))

    def show_run(self, state: SqlState, text: str) -> None:
        """What the last run said; while a statement runs, the button stops it."""
        colours = {SqlState.FAILED: self._look.bad, SqlState.STALE: self._look.warning}
        # Its line is there also while it says nothing, so that the result does not move.
        self._status.setText(text or " ")
        set_text_colour(self._status, colours.get(state, self._look.quiet))
        self._running = state is SqlState.RUNNING
        self._run.setText(self.tr("Stop  F5") if self._running else self.tr("Run  F5"))

    def show_problem(self, place: tuple[int, int] | None) -> None:
        """Underline where the statement went wrong, as (start, length) in characters."""
        if place is not None:
            lead = len(self.editor.toPlainText()) - len(self.editor.toPlainText().lstrip())
            self.editor.show_problem(place[0] + lead, place[1])

    def _on_button(self) -> None:
        self.editor.hide_list()
        (self.stop_requested if self._running else self.run_requested).emit()
