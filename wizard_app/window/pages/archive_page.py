"""Turns to look at, of an old session or of the running one: nothing here changes them."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSplitter, QWidget

from curtain.base.table import Table
from curtain.qt.answer_table import AnswerTable
from curtain.qt.languages.translation import number_here, rows_here
from curtain.qt.style import GAP, LOOSE, PAGE, TIGHT, Look, SubjectFrame, set_text_colour
from curtain.qt.widgets import box, column, heading, label, named, row, text_to_read
from curtain.session.events.wizard_events import AnswerSent, DraftShown, MessageSent, WizardFact
from curtain.session.turns.turn_progress import TurnProgress
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.control import mark_of, statement_of
from wizard_app.desk.turn.turn_rows import TurnRows, by_task
from wizard_app.window.panels.listen_panel import ListenPanel
from wizard_app.window.panels.turn_list import TurnList

FactAt = Callable[[int], WizardFact | None]


class ArchivePage(QWidget):
    """Turns on the left; of the chosen one the sound, the query, the statements, the answer and its minimum."""

    turn_chosen = Signal(int)
    leave_requested = Signal()
    again_requested = Signal(str, object, int)
    """The statement of the chosen turn, its mark of a yes/no question, and its number, for the turn at work."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._progress = SessionProgress()
        self._fact_at: FactAt = lambda seq: None
        self._titles: Mapping[str, str] = {}
        self._title = label("", look, bold=True, name="archive_title")
        self._leave = named(QPushButton(self.tr("Back  (Esc)")), "archive_leave")
        self._again = named(QPushButton(self.tr("Run its SQL again  (Enter)")), "archive_again")
        self._again.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._running = False
        self.turns = named(TurnList(look), "archive_turns")
        self.listen = ListenPanel(look)
        self._query = label("", look, name="archive_query", wraps=True)
        self._reply = label("", look, name="archive_reply", wraps=True)
        self._reply.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._notes = label("", look, small=True, name="archive_notes", wraps=True)
        self._table = AnswerTable()
        self._table.set_name(self.tr("Answer"))
        self._table.let_copy()
        self._sql = text_to_read("archive_sql", self.tr("Statements"), look)
        self._cas = text_to_read("archive_cas", self.tr("Minimum answer"), look)
        self._query_seen, self._reply_seen = (label("", look, small=True) for _ in range(2))
        for each in (self._query_seen, self._reply_seen):
            set_text_colour(each, look.subject)
        self._lay_out()
        self.turns.turn_selected.connect(self._on_selected)
        self._leave.clicked.connect(self.leave_requested)
        self._again.clicked.connect(self._on_again)
        self.turns.look_requested.connect(self._on_again)

    def set_titles(self, titles: Mapping[str, str]) -> None:
        """The titles of the scenarios, by id."""
        self._titles = titles

    def show_session(
        self, session_id: str, progress: SessionProgress, fact_at: FactAt, running: int | None = None
    ) -> None:
        """Show this session; `fact_at` gives the fact of a journal line, None if it cannot be read.

        `running` is the turn to begin with in a session that is going on: its statements can be run again there.
        """
        self._progress, self._fact_at, self._running = progress, fact_at, running is not None
        self._again.setVisible(self._running)
        self._title.setText(
            self.tr("Turns so far. Nothing here changes them.")
            if self._running
            else self.tr("Session {0}, to look at only").format(session_id)
        )
        self.turns.show_rows([*by_task(TurnRows().rows(progress, None, False, {}), progress, self._titles)])
        first = progress.turns.get(running) if running is not None else next(iter(progress.in_order), None)
        if first is not None:
            self.turns.select(first.number)
            self._on_selected(first.number)
        self.turns.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_selected(self, number: int) -> None:
        turn = self._progress.turns.get(number)
        if turn is None:
            return
        self._again.setEnabled(bool(statement_of(turn)))
        self._query_seen.setText(self._seen_text(turn.query_painted) if turn.query else "")
        self._query.setText(turn.query or self.tr("No query was sent."))
        self._sql.setPlainText("\n\n".join([*_attempt_lines(turn), *self._draft_lines(turn)]))
        self._notes.setText("\n".join(self.tr("Note: {0}").format(note) for note in turn.notes))
        self._notes.setVisible(bool(turn.notes))
        self._show_reply(turn)
        self.turn_chosen.emit(number)

    def _on_again(self) -> None:
        turn = self._progress.turns.get(self.turns.selected or 0)
        if self._running and turn is not None and statement_of(turn):
            self.again_requested.emit(statement_of(turn), mark_of(turn), turn.number)

    def _draft_lines(self, turn: TurnProgress) -> list[str]:
        """The drafts as they were shown last, best first."""
        fact = self._fact_at(turn.drafts_seq) if turn.drafts_seq else None
        if not isinstance(fact, DraftShown) or not fact.drafts:
            return []
        sure = (f" ({number_here(one, 2)})" for one in fact.confidences)
        drafts = (f"{n}.{next(sure, '')} {sql}" for n, sql in enumerate(fact.drafts, 1))
        return [f"-- {self.tr('Drafts')}:", *drafts]

    def _show_reply(self, turn: TurnProgress) -> None:
        # The table of one turn at a time: those of a long session would fill the memory.
        fact = self._fact_at(turn.sent[-1].seq) if turn.answer is not None else None
        answer = fact if isinstance(fact, AnswerSent) else None
        self._table.setVisible(answer is not None)
        self._reply.setVisible(answer is None)
        self._cas.clear()
        self._reply_seen.setText(self._seen_text(turn.reply_painted) if turn.sent else "")
        if answer is not None:
            self._table.show_table(answer.table)
            self._cas.setPlainText(answer.cas_min or answer.cas_error or "")
        else:
            self._reply.setText(self._reply_text(turn))
            self._table.show_table(Table(headings=[], rows=[], numeric=[], total=0))

    def _seen_text(self, painted: bool) -> str:
        return self.tr("the subject saw this") if painted else self.tr("nothing shows that the subject saw this")

    def _reply_text(self, turn: TurnProgress) -> str:
        last = turn.sent[-1].fact if turn.sent else None
        if last is None:
            return self.tr("Nothing was sent.")
        if isinstance(last, MessageSent):
            return last.text
        return self.tr("The answer cannot be read from the journal. “curtain verify” says what is wrong with it.")

    def _lay_out(self) -> None:
        answer = box(column(self._reply, self._table))
        tables = QSplitter(Qt.Orientation.Vertical)
        sql = column(heading(self.tr("Statements"), self._look), self._sql, spacing=TIGHT)
        seen = row(heading(self.tr("Answer"), self._look), self._reply_seen, 1)
        shown = column(seen, SubjectFrame(answer, self._look), spacing=TIGHT)
        cas = column(heading(self.tr("Minimum answer"), self._look), self._cas, spacing=TIGHT)
        for part, stretch in ((sql, 2), (shown, 4), (cas, 1)):
            tables.addWidget(box(part))
            tables.setStretchFactor(tables.count() - 1, stretch)
        field = row(heading(self.tr("Query"), self._look), self._query_seen, 1)
        right = column(self.listen, field, SubjectFrame(self._query, self._look), self._notes, (tables, 1), spacing=GAP)
        self.turns.setFixedWidth(240)
        body = row(self.turns, (right, 1), spacing=LOOSE)
        self.setLayout(column(row(self._title, 1, self._again, self._leave), body, margins=PAGE, spacing=LOOSE))


def _attempt_lines(turn: TurnProgress) -> list[str]:
    became = [attempt.error or f"{rows_here(attempt.rows or 0)}, {attempt.ms} ms" for attempt in turn.attempts]
    return [f"{attempt.sql}\n-- {outcome}" for attempt, outcome in zip(turn.attempts, became, strict=True)]
