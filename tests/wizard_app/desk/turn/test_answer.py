"""What leaves as an answer: the table that the study wants or the minimum, and the journal says which."""

import pytest
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events import wizard_events as wizard
from tests.wizard_app.desk.turn.test_control import Desk
from wizard_app.desk.turn.answer import answer_of, awaits_table, table_of

NAMES = Table(headings=["Name"], rows=[["ΟΔΥΣΣΕΥΣ"]], numeric=[False], total=1)
MINIMUM = Result(
    sql="SELECT 5", headings=["N"], rows=[["5"]], numeric=[True], total=1, cas_min="((5))", show="readable"
)


@pytest.fixture
def desk(qtbot: QtBot, background: Background) -> Desk:
    return Desk(qtbot, background)


def the_minimum_is_there(desk: Desk, result: Result = MINIMUM) -> None:
    desk.begin("SELECT 5")
    desk.minimum(result)


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
