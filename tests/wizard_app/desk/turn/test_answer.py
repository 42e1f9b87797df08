"""What leaves as an answer: the table that the study wants or the minimum, and the journal says which."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events import wizard_events as wizard
from tests.wizard_app.desk.turn.test_control import Desk
from wizard_app.desk.session.unsent import Unsent, UnsentTurn, read_unsent, write_unsent
from wizard_app.desk.turn.answer import answer_of, awaits_table, table_of
from wizard_app.desk.turn.control import QueryEdits
from wizard_app.desk.turn.deadline import Deadline, Urgency
from wizard_app.desk.turn.statements import PastStatements

NAMES = Table(headings=["Name"], rows=[["ΟΔΥΣΣΕΥΣ"]], numeric=[False], total=1)
MINIMUM = Result(
    sql="SELECT 5", headings=["N"], rows=[["5"]], numeric=[True], total=1, cas_min="((5))", show="readable"
)


@pytest.fixture
def desk(qtbot: QtBot, background: Background) -> Desk:
    return Desk(qtbot, background)


def the_minimum_is_there(desk: Desk, result: Result = MINIMUM) -> None:
    desk.turns.set_sql("SELECT 5")
    desk.sql.run()
    assert desk.worker.minimum is not None
    with desk.qtbot.waitSignal(desk.sql.changed):
        desk.worker.minimum.set_result(result)


def the_maximum_is_there(desk: Desk, **what: object) -> None:
    with desk.qtbot.waitSignal(desk.sql.attempt_made):
        desk.worker.end("SELECT 5", headings=["N"], rows=[["5"]], numeric=[True], total=1, show="readable", **what)


def sent(desk: Desk) -> wizard.AnswerSent:
    [fact] = [fact for fact, _ in desk.last if isinstance(fact, wizard.AnswerSent)]
    return fact


def test_an_answer_keeps_what_was_shown_beside_the_minimum() -> None:
    fact = answer_of(Result(sql="", cas_min="((5))", show="readable", shown=NAMES))
    assert (fact.cas_min, fact.show, fact.shown, fact.unseen) == ("((5))", "readable", "readable", False)
    assert (fact.table.headings, fact.table.rows) == (["Name"], [["ΟΔΥΣΣΕΥΣ"]])


def test_without_a_table_to_show_the_minimum_leaves_and_the_journal_says_why() -> None:
    result = Result(sql="", headings=["N"], rows=[["5"]], show="readable", show_fault="This statement was stopped.")
    fact = answer_of(result, unseen=True)
    assert awaits_table(result) and table_of(result).rows == [["5"]]
    assert (fact.shown, fact.show_fault, fact.unseen) == ("minimum", "This statement was stopped.", False)


def test_an_answer_sent_early_waits_for_its_table_and_the_journal_says_that_nobody_saw_it(desk: Desk) -> None:
    the_minimum_is_there(desk)
    desk.turns.send_answer()
    assert desk.written == [] and "the table to show" in desk.notices[-1]
    the_maximum_is_there(desk, shown=NAMES)
    assert (sent(desk).shown, sent(desk).unseen) == ("readable", True)
    assert sent(desk).table.rows == [["ΟΔΥΣΣΕΥΣ"]]


def test_an_answer_sent_from_the_screen_was_seen(desk: Desk) -> None:
    the_minimum_is_there(desk)
    the_maximum_is_there(desk, shown=NAMES)
    desk.turns.send_answer()
    assert (sent(desk).shown, sent(desk).unseen) == ("readable", False)


def test_a_yes_is_there_from_the_beginning_and_so_was_seen(desk: Desk) -> None:
    yes = Table(headings=[""], rows=[["Yes"]], numeric=[False], total=1)
    the_minimum_is_there(desk, Result(sql="SELECT 5", show="readable", shown=yes, cas_min="TRUE", yes_no=True))
    desk.turns.send_answer()
    the_maximum_is_there(desk, shown=yes)
    assert (sent(desk).table.rows, sent(desk).unseen) == ([["Yes"]], False)


def test_a_stopped_maximum_sends_the_minimum(desk: Desk) -> None:
    the_minimum_is_there(desk)
    desk.turns.send_answer()
    desk.sql.run()
    assert desk.worker.interrupted == 1
    the_maximum_is_there(desk, max_error="This statement was stopped.", show_fault="This statement was stopped.")
    assert (sent(desk).table.rows, sent(desk).shown, sent(desk).unseen) == ([["5"]], "minimum", False)


def test_a_journal_of_before_shows_the_minimum() -> None:
    fact = wizard.AnswerSent(sql="", table=table_of(MINIMUM), cas_min="((5))")
    assert (fact.show, fact.shown, fact.show_fault, fact.unseen) == ("minimum", "minimum", None, False)


def test_walking_back_and_forth_comes_back_to_the_own_text() -> None:
    past = PastStatements(["SELECT 1", "SELECT 2"])
    assert past.earlier("half a statement") == "SELECT 2"
    assert past.earlier("SELECT 2") == "SELECT 1"
    assert past.earlier("SELECT 1") is None
    assert [past.later(), past.later(), past.later()] == ["SELECT 2", "half a statement", None]


def test_a_statement_that_was_run_again_counts_as_the_newest() -> None:
    past = PastStatements(["SELECT 1", "SELECT 2", " SELECT 1 ", ""])
    assert [past.earlier(""), past.earlier(""), past.earlier("")] == ["SELECT 1", "SELECT 2", None]


def test_without_past_statements_the_own_text_stays() -> None:
    past = PastStatements()
    assert past.earlier("mine") is None and past.later() is None


TYPED = Unsent(
    turns={7: UnsentTurn(query="où est l’employé", sql="SELECT 1", marked=False, sql_max="SELECT 1, 2")},
    blanks={"topic": "the weather"},
)


def test_what_was_typed_is_read_back(tmp_path: Path) -> None:
    write_unsent(tmp_path / "state" / "e00-01.json", TYPED)
    assert read_unsent(tmp_path / "state" / "e00-01.json") == TYPED


def test_a_missing_or_broken_file_costs_only_what_was_in_it(tmp_path: Path) -> None:
    path = tmp_path / "e00-01.json"
    assert read_unsent(path) == Unsent()
    path.write_bytes(b'{"turns": [1, ')
    assert read_unsent(path) == Unsent()


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "e00-01.json"
    path.write_bytes(b'{"turns": {"7": {"query": "q", "sql": "s", "sent": null, "tried": 1}}, "blanks": {}}')
    assert read_unsent(path) == Unsent(turns={7: UnsentTurn(query="q", sql="s", tried=1)})


@pytest.mark.parametrize(
    ("elapsed", "urgency", "text"),
    [
        (None, Urgency.NONE, ""),
        (-0.2, Urgency.CALM, "1:00"),
        (0.0, Urgency.CALM, "1:00"),
        (44.9, Urgency.CALM, "0:15"),
        (45.0, Urgency.SOON, "0:15"),
        (59.9, Urgency.SOON, "0:00"),
        (60.0, Urgency.OVER, "0:00"),
        (72.0, Urgency.OVER, "+0:12"),
    ],
)
def test_the_bar_changes_at_three_quarters_and_at_the_end(elapsed: float | None, urgency: Urgency, text: str) -> None:
    deadline = Deadline(60.0, elapsed)
    assert (deadline.urgency, deadline.text) == (urgency, text)


def test_the_bar_is_full_at_the_end_and_stays_full() -> None:
    assert Deadline(60.0, 30.0).fraction == 0.5
    assert Deadline(60.0, 90.0).fraction == 1.0


# What a transcription was before something of it was taken back.


def typed(*states: str) -> QueryEdits:
    edits = QueryEdits()
    for state in states:
        edits.show(state)
    return edits


@pytest.mark.parametrize(
    ("states", "kept"),
    [
        (["s", "sh", "show", "show me"], []),
        (["show flits", "show flit", "show fli", "show flights"], ["show flits"]),
        (["show flights", "show me flights", "show me the flights"], ["show flights"]),
        (["a b", "a", "a c", "a", "a d"], ["a b", "a c"]),
        (["show ", "show flights", ""], ["show flights"]),
        (["one", "two"], ["one"]),
        (["one", "one", ""], ["one"]),
    ],
)
def test_a_text_is_kept_when_something_of_it_is_taken_back(states: list[str], kept: list[str]) -> None:
    assert typed(*states).take("something else") == kept


def test_the_text_that_is_sent_is_no_earlier_one_and_nothing_is_told_twice() -> None:
    edits = typed("show flights", "show", "show flights")
    assert edits.take("show flights") == []
    edits.show("show")
    assert edits.take("show") == []
    edits.show("show fares")
    edits.show("show")
    assert edits.take("show") == ["show fares"]
