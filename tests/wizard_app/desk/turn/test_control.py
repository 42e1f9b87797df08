import hashlib
from concurrent.futures import Future
from dataclasses import replace

import pytest
from msgspec import UNSET, structs
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import load_message_set
from curtain.session.turns.turn_progress import AnswerOutline, Sent, TurnProgress
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.unsent import UnsentTurn
from wizard_app.desk.turn.control import TurnControl, read_end_statement
from wizard_app.desk.turn.sql_control import RunRequest, SqlControl, as_attempt, problem_place
from wizard_app.desk.turn.statements import SqlState

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)


class HandWorker:
    """Ends a statement when it is told to."""

    def __init__(self) -> None:
        self.running: dict[str, Future[Result]] = {}
        self.asked: list[tuple[str, bool, str]] = []
        self.interrupted = 0
        self.minimum: Future[Result] | None = None

    def run(
        self, sql: str, yes_no: bool = False, sql_max: str = "", *, minimum: Future[Result] | None = None
    ) -> Future[Result]:
        self.asked.append((sql, yes_no, sql_max))
        self.minimum = minimum
        self.running[sql] = Future()
        return self.running[sql]

    def interrupt(self) -> None:
        self.interrupted += 1

    def end(self, sql: str, **what: object) -> None:
        self.running.pop(sql).set_result(Result(sql=sql, **what))  # type: ignore[arg-type]


class Desk:
    """A turn control over turns that wait, and what it journaled."""

    def __init__(self, qtbot: QtBot, background: Background) -> None:
        self.qtbot = qtbot
        self.worker = HandWorker()
        self.sql = SqlControl(background)
        self.sql.set_worker(self.worker)
        self.written: list[list[tuple[wizard.WizardFact, int | None]]] = []
        self.turns = TurnControl(self.written.append, self.sql)
        self.notices: list[str] = []
        self.turns.notice.connect(self.notices.append)
        self.progress = SessionProgress(turns={n: TurnProgress(n, take=TAKE) for n in (1, 2)})
        self.turns.begin_session(load_message_set("base"), {})
        self.turns.show_progress(self.progress)

    def ran(self, sql: str, **what: object) -> None:
        self.begin(sql)
        with self.qtbot.waitSignal(self.sql.attempt_made):
            self.worker.end(sql, **what)

    def begin(self, sql: str) -> None:
        self.turns.set_sql(sql)
        self.sql.run()

    def minimum(self, result: Result) -> None:
        with self.qtbot.waitSignal(self.sql.changed):
            self.worker.minimum.set_result(result)

    def show(self, number: int, **change: object) -> None:
        turns = {**self.progress.turns, number: structs.replace(self.progress.turns[number], **change)}  # type: ignore[arg-type]
        self.progress = replace(self.progress, turns=turns)
        self.turns.show_progress(self.progress)

    @property
    def current(self) -> int | None:
        return self.turns.turn.number if self.turns.turn else None

    @property
    def last(self) -> list[tuple[wizard.WizardFact, int | None]]:
        return self.written[-1]


@pytest.fixture
def desk(qtbot: QtBot, background: Background) -> Desk:
    return Desk(qtbot, background)


def test_the_oldest_open_turn_is_worked_on_and_sending_moves_to_the_next(desk: Desk) -> None:
    assert desk.current == 1
    assert desk.turns.send_message("unable", {})
    fact, turn = desk.last[0]
    assert isinstance(fact, wizard.MessageSent)
    assert (fact.text, fact.counts_as, turn) == ("Sorry, the system is unable to answer your query.", "no_answer", 1)
    assert desk.current == 2


def test_a_wish_that_could_not_be_journaled_opens_its_turn_again(desk: Desk) -> None:
    desk.turns.send_message("unable", {})
    desk.turns.recall(1)
    assert desk.current == 1


@pytest.mark.parametrize(
    ("task", "number", "opened"), [("fair", 1, 1), ("fair", 0, 2), ("move", 1, None)], ids=["any", "last", "other task"]
)
def test_any_answered_turn_of_the_task_is_opened_again(desk: Desk, task: str, number: int, opened: int | None) -> None:
    for turn in (1, 2):
        sent = (Sent(7 + turn, 0, AnswerOutline(f"SELECT {turn}", False, 1)),)
        desk.show(turn, query="how many", sent=sent, scenario_id="fair")
    desk.progress = replace(desk.progress, scenario=wizard.ScenarioStarted(scenario_id=task, number=1, of=1))
    desk.turns.show_progress(desk.progress)
    desk.turns.correct(number)
    assert desk.current == opened
    if opened is None:
        assert "earlier scenario" in desk.notices[-1]
    else:
        desk.ran("SELECT 9", cas_min="((9))")
        desk.turns.send_answer()
        assert (wizard.Corrected(of_seq=7 + opened), opened) in desk.last


def test_an_empty_answer_leaves_as_a_presupposition_failure_if_it_is_marked_and_the_statement_is_the_same(
    desk: Desk,
) -> None:
    """papers/000, 3.3."""
    empty = {"cas_min": "()", "cas_max": "()", "failure": "contingent-failure"}
    for marked, statements, expected in ((True, "1", "contingent-failure"), (False, "3", "()"), (True, "45", "()")):
        for number in statements:
            desk.ran(f"SELECT {number}", **empty)
            if number == statements[0]:
                desk.turns.mark_failure(marked)
        desk.turns.send_answer()
        [answer] = [fact for fact, _ in desk.last if isinstance(fact, wizard.AnswerSent)]
        assert (answer.cas_min, answer.cas_max, answer.table.total) == (expected, expected, 0)
        desk.turns.recall(1)


@pytest.mark.parametrize("corrects", [False, True])
def test_a_reply_that_was_taken_back_finds_its_turn_as_it_was(desk: Desk, corrects: bool) -> None:
    if corrects:
        desk.show(1, query="how many", sent=(Sent(7, 0, AnswerOutline("SELECT 0", False, 1)),))
        desk.turns.correct(0)
    desk.turns.set_query("how many")
    desk.ran("SELECT 1", cas_min="((1))")
    desk.turns.send_answer()
    assert desk.current == 2
    desk.turns.reopen(1)
    assert (desk.current, desk.turns.correcting) == (1, corrects)
    assert desk.turns.fields.sql == "SELECT 1" and desk.sql.state is SqlState.DONE
    desk.turns.send_answer()
    assert [type(fact) for fact, _ in desk.written[-1]] == [type(fact) for fact, _ in desk.written[-2]]


def test_the_query_is_sent_in_one_line_and_again_only_if_changed(desk: Desk) -> None:
    desk.turns.set_query("  how many\nare there ")
    desk.turns.send_query()
    assert desk.last == [(wizard.QuerySent(text="how many are there"), 1)]
    desk.show(1, query="how many are there")
    desk.turns.send_query()
    assert len(desk.written) == 1
    desk.turns.set_query("how many were there")
    desk.turns.send_query()
    assert desk.last == [(wizard.QuerySent(text="how many were there"), 1)]


def test_a_query_goes_with_what_was_taken_back_before_it_was_sent(desk: Desk) -> None:
    for text in ("how many flits", "how many", "how many flights"):
        desk.turns.set_query(text)
    desk.turns.send_query()
    assert desk.last == [(wizard.QuerySent(text="how many flights", earlier_texts=["how many flits"]), 1)]


def test_an_attempt_keeps_the_first_rows_and_a_checksum_of_the_whole_answer() -> None:
    rows = [[str(number), "x" * 300] for number in range(50)]
    answer = "((1) (2))"
    kept = as_attempt("SELECT n, t", Result(sql="", rows=rows, headings=["N", "T"], total=5000, ms=4, cas_min=answer))
    assert (kept.rows, kept.headings) == (5000, ["N", "T"])
    assert kept.first_rows == [[str(number), "x" * 200] for number in range(10)]
    assert kept.answer_sha256 == hashlib.sha256(answer.encode()).hexdigest()
    failed = as_attempt("SELECT", Result(sql="", error="No."))
    assert (failed.rows, failed.first_rows, failed.answer_sha256) == (None, [], None)


def test_an_empty_query_is_not_sent_and_the_wizard_is_told_why(desk: Desk) -> None:
    desk.turns.send_query()
    assert desk.written == []
    assert "empty" in desk.notices[0]


def test_the_answer_of_the_last_run_is_sent_with_what_the_journal_keeps(desk: Desk) -> None:
    desk.ran("SELECT 5", rows=[["5"]], headings=["N"], numeric=[True], total=1, ms=2, cas_min="5")
    desk.turns.send_answer()
    table = Table(headings=["N"], rows=[["5"]], numeric=[True], total=1)
    assert desk.last == [(wizard.AnswerSent(sql="SELECT 5", table=table, cas_min="5"), 1)]


def test_rows_and_minimum_are_there_while_the_maximum_is_worked_out_and_are_sent_with_it(desk: Desk) -> None:
    desk.begin("SELECT 5")
    desk.minimum(Result(sql="SELECT 5", total=1, cas_min="5"))
    assert (desk.sql.good.cas_min, desk.sql.state, desk.sql.completing, desk.sql.fresh) == (
        "5", SqlState.RUNNING, True, True,
    )  # fmt: skip
    desk.turns.send_answer()
    assert desk.written == []
    with desk.qtbot.waitSignal(desk.sql.attempt_made):
        desk.worker.end("SELECT 5", total=1, cas_min="5", cas_max="6")
    assert (desk.current, desk.sql.completing, len(desk.written)) == (2, False, 1)
    assert [fact.cas_max for fact, _ in desk.last if isinstance(fact, wizard.AnswerSent)] == ["6"]


def test_a_minimum_of_a_statement_that_was_changed_meanwhile_is_stale(desk: Desk) -> None:
    desk.begin("SELECT 5")
    desk.turns.set_sql("SELECT 6")
    desk.minimum(Result(sql="SELECT 5", total=1, cas_min="5"))
    assert (desk.sql.completing, desk.sql.fresh) == (False, False)


def test_what_was_changed_after_the_wish_to_send_it_is_not_sent(desk: Desk) -> None:
    desk.begin("SELECT 5")
    desk.minimum(Result(sql="SELECT 5", total=1, cas_min="5"))
    desk.turns.send_answer()
    desk.turns.set_sql("SELECT 6")
    with desk.qtbot.waitSignal(desk.sql.attempt_made):
        desk.worker.end("SELECT 5", total=1, cas_min="5", cas_max="6")
    assert desk.written == []
    assert "Nothing was sent" in desk.notices[-1]


def test_a_statement_run_before_the_database_is_open_runs_when_it_is(qtbot: QtBot, background: Background) -> None:
    sql, worker = SqlControl(background), HandWorker()
    sql.begin_turn(1, RunRequest("SELECT 5"))
    sql.run()
    assert sql.state is SqlState.RUNNING
    sql.set_worker(worker)
    with qtbot.waitSignal(sql.attempt_made):
        worker.end("SELECT 5", total=1)
    assert sql.state is SqlState.DONE


def test_a_statement_that_waits_for_the_database_can_be_taken_back(background: Background) -> None:
    sql, worker = SqlControl(background), HandWorker()
    sql.begin_turn(1, RunRequest("SELECT 5"))
    sql.run()
    sql.run()
    sql.set_worker(worker)
    assert (sql.state, worker.running) == (SqlState.NONE, {})


def test_a_changed_statement_is_run_first_and_not_sent(desk: Desk) -> None:
    desk.ran("SELECT 5", total=1, cas_min="5")
    desk.turns.set_sql("SELECT 6")
    assert desk.sql.state is SqlState.STALE
    desk.turns.send_answer()
    assert desk.written == []
    assert "SELECT 6" in desk.worker.running
    assert "send again" in desk.notices[-1]


def test_a_failed_run_sends_nothing_and_leaves_the_last_good_result(desk: Desk) -> None:
    desk.ran("SELECT 5", total=1, cas_min="5")
    desk.ran("SELECT x", error="There is no column “x”.", error_at=(1, 8))
    desk.turns.send_answer()
    assert desk.written == []
    assert desk.sql.state is SqlState.FAILED
    assert desk.sql.good.sql == "SELECT 5"


def test_attempts_are_reported_as_the_journal_keeps_them(desk: Desk) -> None:
    made: list[object] = []
    desk.sql.attempt_made.connect(lambda turn, attempt: made.append((turn, attempt)))
    desk.ran("SELECT 5", total=7, ms=3)
    desk.ran("SELECT x", error="No.")
    assert made == [
        (1, wizard.StatementRun(sql="SELECT 5", rows=7, ms=3)),
        (1, wizard.StatementRun(sql="SELECT x", rows=None, ms=0, error="No.")),
    ]


def test_running_while_a_statement_runs_stops_that_one(desk: Desk) -> None:
    desk.begin("SELECT 5")
    desk.sql.run()
    assert desk.worker.interrupted == 1
    desk.turns.send_answer()
    assert "still running" in desk.notices[-1]


def test_a_result_that_comes_after_its_turn_was_left_shows_nowhere(desk: Desk) -> None:
    desk.begin("SELECT 5")
    desk.turns.send_message("unable", {})
    with desk.qtbot.waitSignal(desk.sql.attempt_made):
        desk.worker.end("SELECT 5", total=1)
    assert desk.sql.state is SqlState.NONE


def test_a_correction_begins_as_the_reply_that_it_names_and_returns_to_the_open_turn(desk: Desk) -> None:
    sent = Sent(40, 0, AnswerOutline("SELECT 5", yes_no=True, total=1))
    desk.turns.set_query("half")
    desk.show(1, sent=(sent,), query="how many")
    desk.turns.set_query("the next one")
    desk.turns.correct(0)
    assert (desk.current, desk.turns.correcting) == (1, True)
    fields = desk.turns.fields
    assert (fields.query, fields.sql, fields.yes_no) == ("how many", "SELECT 5", True)
    desk.turns.send_message("unable", {})
    assert [type(fact).__name__ for fact, _ in desk.last] == ["Corrected", "MessageSent"]
    assert desk.last[0] == (wizard.Corrected(of_seq=40), 1)
    assert (desk.current, desk.turns.fields.query) == (2, "the next one")


def test_leaving_a_correction_changes_nothing(desk: Desk) -> None:
    desk.show(1, sent=(Sent(40, 0, AnswerOutline("SELECT 5", yes_no=False, total=1)),))
    desk.turns.correct(0)
    desk.turns.leave_correcting()
    assert desk.current == 2
    assert desk.written == []


def test_without_anything_sent_there_is_nothing_to_correct(desk: Desk) -> None:
    desk.turns.correct(0)
    assert not desk.turns.correcting
    assert desk.notices


def test_what_was_typed_before_a_restart_stands_in_its_turn_again(desk: Desk) -> None:
    kept = UnsentTurn(query="typed", sql="SELECT 2", sent="sent before")
    desk.turns.begin_session(load_message_set("base"), {2: kept})
    desk.turns.show_progress(SessionProgress(turns={2: TurnProgress(2, take=TAKE, query="sent before")}))
    assert (desk.turns.fields.query, desk.turns.fields.sql) == ("typed", "SELECT 2")


@pytest.mark.parametrize(
    ("typed", "tried", "again_of"),
    [
        ("SELECT 2", "SELECT 2", 1),
        ("SELECT 2", " SELECT 2\n", 1),
        ("SELECT 3", "SELECT 2", UNSET),
        ("SELECT 2", "", UNSET),
    ],
)
def test_the_statement_of_a_lost_result_is_run_again_and_no_try_of_its_own(
    desk: Desk, typed: str, tried: str, again_of: object
) -> None:
    attempts = (wizard.StatementRun(sql=tried, rows=1, ms=1),) if tried else ()
    desk.turns.show_progress(SessionProgress(turns={2: TurnProgress(2, take=TAKE)}))
    desk.turns.show_progress(SessionProgress(turns={1: TurnProgress(1, take=TAKE, query="who", attempts=attempts)}))
    made: list[object] = []
    desk.sql.attempt_made.connect(lambda _turn, attempt: made.append(attempt.again_of))
    desk.ran(typed, total=1, cas_min="5")
    desk.ran(typed, total=1, cas_min="5")
    # The second is a try: its result was at hand.
    assert made == [again_of, UNSET]


def test_a_mark_and_a_maximum_by_hand_outlast_a_restart(desk: Desk) -> None:
    desk.turns.set_query("which clerks are there")
    desk.turns.set_sql("SELECT salary FROM employee")
    desk.turns.set_sql_max("SELECT salary, level FROM employee")
    desk.turns.mark_yes_no(True)
    desk.turns.mark_failure(True)
    desk.turns.put_away(3)
    fields, kept = desk.turns.fields, desk.turns.unsent
    desk.turns.begin_session(load_message_set("base"), kept)
    desk.turns.show_progress(desk.progress)
    assert (desk.turns.fields, fields.marked, fields.failed) == (fields, True, "SELECT salary FROM employee")
    assert (fields.sql_max, fields.past) == ("SELECT salary, level FROM employee", 3)


def test_a_mark_alone_is_kept_too(desk: Desk) -> None:
    desk.turns.mark_yes_no(False)
    assert desk.turns.unsent == {1: UnsentTurn(marked=False)}


@pytest.mark.parametrize(("ran", "sql_max"), [("SELECT a ", "SELECT a, b"), ("SELECT c", "")])
def test_a_kept_maximum_stays_with_the_statement_it_was_written_for(desk: Desk, ran: str, sql_max: str) -> None:
    desk.turns.begin_session(load_message_set("base"), {2: UnsentTurn(sql="SELECT a", sql_max="SELECT a, b")})
    turn = TurnProgress(2, take=TAKE, attempts=(wizard.StatementRun(sql=ran, rows=1, ms=1),))
    desk.turns.show_progress(SessionProgress(turns={2: turn}))
    assert (desk.turns.fields.sql, desk.turns.fields.sql_max) == (ran, sql_max)


def test_what_was_sent_or_run_after_a_text_was_kept_stands_in_its_place(desk: Desk) -> None:
    kept = UnsentTurn(query="how ma", sql="SELECT c")
    desk.turns.begin_session(load_message_set("base"), {2: kept})
    ran = wizard.StatementRun(sql="SELECT count(*) FROM employee", rows=1, ms=1)
    turn = TurnProgress(2, take=TAKE, query="how many work here", attempts=(ran,))
    desk.turns.show_progress(SessionProgress(turns={2: turn}))
    assert (desk.turns.fields.query, desk.turns.fields.sql) == ("how many work here", ran.sql)
    desk.turns.send_message("unable", {})
    assert [type(fact) for fact, _ in desk.last] == [wizard.MessageSent]


def test_a_text_of_a_turn_that_waits_behind_another_is_kept_as_it_was(desk: Desk) -> None:
    kept = UnsentTurn(query="later", sent="earlier", tried=1)
    desk.turns.begin_session(load_message_set("base"), {2: kept})
    desk.turns.show_progress(desk.progress)
    assert desk.current == 1
    assert desk.turns.unsent == {2: kept}


def test_only_turns_that_wait_keep_what_was_typed(desk: Desk) -> None:
    desk.turns.set_query("one")
    assert desk.turns.unsent == {1: UnsentTurn(query="one")}
    desk.show(1, sent=(Sent(4, 0, AnswerOutline("", yes_no=False, total=1)),))
    assert desk.turns.unsent == {}


@pytest.mark.parametrize(
    ("at", "place"), [((1, 8), (7, 3)), ((2, 6), (16, 1)), ((2, 99), (109, 1)), ((9, 1), None), (None, None)]
)
def test_a_problem_is_underlined_at_its_word(at: tuple[int, int] | None, place: tuple[int, int] | None) -> None:
    assert problem_place(Result(sql="", error="No.", error_at=at), "SELECT abc\nFROM t") == place


def test_the_words_of_the_query_mark_a_yes_no_question_until_the_wizard_says_otherwise(desk: Desk) -> None:
    desk.turns.set_query("are there any clerks")
    assert desk.turns.fields.yes_no
    desk.turns.mark_yes_no(False)
    desk.turns.set_query("are there any clerks in department 10")
    assert not desk.turns.fields.yes_no


def test_a_mark_that_changes_after_the_run_asks_for_another_run(desk: Desk) -> None:
    desk.ran("SELECT 5", total=1, cas_min="5")
    desk.turns.mark_yes_no(True)
    assert desk.sql.state is SqlState.STALE
    desk.turns.mark_yes_no(False)
    assert desk.sql.state is SqlState.DONE


def test_a_maximum_by_hand_is_run_with_the_statement(desk: Desk) -> None:
    desk.ran("SELECT 5", total=1, cas_min="5")
    desk.turns.set_sql_max("SELECT 5, 6")
    assert desk.sql.state is SqlState.STALE
    desk.sql.run()
    assert desk.worker.asked[-1] == ("SELECT 5", False, "SELECT 5, 6")


def test_the_journal_keeps_the_mark_and_why_there_is_no_maximum(desk: Desk) -> None:
    desk.turns.set_query("are there any")
    desk.ran("SELECT 5", total=1, cas_min="TRUE", yes_no=True, max_error="It cannot be followed.")
    desk.turns.send_answer()
    fact, _ = desk.last[-1]
    assert isinstance(fact, wizard.AnswerSent)
    assert (fact.yes_no, fact.cas_max, fact.max_error) == (True, None, "It cannot be followed.")


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("End scenario. The answer is flight 1203.", "flight 1203"),
        ("end scenario the answer is Mary Graham", "Mary Graham"),
        ("End of the scenario, my answer is: 4,900", "4,900"),
        ("END SCENARIO", ""),
        ("End task. The solution is BOS", "BOS"),
        ("end scenario and the answer is U.S. Air", "U.S. Air"),
        ("End scenario. The answer is\nKühn, department 45.", "Kühn, department 45"),
    ],
)
def test_the_closing_formula_gives_the_answer(query: str, answer: str) -> None:
    found = read_end_statement(query)
    assert found.answer == answer


@pytest.mark.parametrize(
    "query",
    ["", "the answer is 5", "when does the scenario end", "who is at the end of the scenario hall", "weekend flights"],
)
def test_a_question_is_no_end_statement(query: str) -> None:
    assert read_end_statement(query) is None
