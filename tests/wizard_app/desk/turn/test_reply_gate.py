"""Replies that wait, for a constant latency or so that they can be taken back, by a clock that the test turns."""

import pytest
from msgspec import structs
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.study.design import PlannedRun, SubjectPlan
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.turn.reply_gate import ReplyGate

MS = 1_000_000
TABLE = Table(headings=["n"], rows=[["1"]], numeric=[True], total=1)
ANSWER = wizard.AnswerSent(sql="SELECT 1", table=TABLE, cas_min="((1))")
MESSAGE = wizard.MessageSent(message_id="unable", blanks={}, text="Sorry.", counts_as="no_answer")
CONDITION = {"id": "slow", "who": "wizard", "latency": 8.0}


def released(turns: dict[int, int]) -> SessionProgress:
    """A session under the condition, whose talk key came up at these times (ms of the wizard's clock) by turn."""
    opened = wizard.SessionOpened(
        session_id="e00-01", speaker_id="e00", wizard_ids=["w"], scenario_ids=["fair"],
        plan=SubjectPlan(number=1, runs=(PlannedRun("fair", "slow"),)), conditions=[CONDITION],
    )  # fmt: skip
    progress = with_wizard_fact(SessionProgress(), opened, None, 0, 1)
    progress = with_wizard_fact(progress, wizard.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=0), None, 0, 2)
    started = wizard.ScenarioStarted(scenario_id="fair", number=1, of=1, condition_id="slow")
    progress = with_wizard_fact(progress, started, None, 0, 3)
    for turn, ms in turns.items():
        progress = with_subject_fact(progress, subject.KeyDown(source="key", pressed_ns=0), turn, 0)
        progress = with_subject_fact(progress, subject.KeyUp(released_ns=ms * MS, held_ms=ms), turn, 0)
    return progress


class Desk:
    def __init__(self, progress: SessionProgress, parent: QObject, take_back_s: float = 2.0) -> None:
        self.now_ms = 0
        self.written: list[tuple[int, wizard.WizardFact]] = []
        self.gate = ReplyGate(self._write, lambda: progress, lambda: self.now_ms * MS, parent, take_back_s)

    def _write(self, facts: list[tuple[wizard.WizardFact, int | None]]) -> None:
        self.written += [(self.now_ms, fact) for fact, _ in facts]

    def at(self, ms: int) -> None:
        self.now_ms = ms
        self.gate.release_due()


@pytest.fixture
def owner(qtbot: QtBot) -> QObject:
    return QObject()


def test_an_answer_waits_for_its_moment_and_the_query_does_not(owner: QObject) -> None:
    desk = Desk(released({1: 1000}), owner)
    desk.at(3000)
    desk.gate.write([(wizard.QuerySent(text="how many"), 1), (ANSWER, 1)])
    assert [type(fact) for _, fact in desk.written] == [wizard.QuerySent]
    desk.at(8999)
    assert len(desk.written) == 1
    desk.at(9000)
    at, fact = desk.written[1]
    assert isinstance(fact, wizard.AnswerSent)
    assert (at, fact.held_ms, fact.late_ms) == (9000, 6000, None)


@pytest.mark.parametrize("reply", [ANSWER, MESSAGE])
def test_what_is_late_goes_at_once_and_says_by_how_much(owner: QObject, reply: wizard.WizardFact) -> None:
    desk = Desk(released({1: 1000}), owner)
    desk.at(9250)
    desk.gate.write([(reply, 1)])
    at, fact = desk.written[0]
    assert isinstance(fact, wizard.AnswerSent | wizard.MessageSent)
    assert (at, fact.held_ms, fact.late_ms) == (9250, None, 250)


def test_a_reply_can_be_taken_back_until_it_leaves(owner: QObject) -> None:
    desk = Desk(released({1: 1000, 2: 2000}), owner)
    desk.at(3000)
    desk.gate.write([(ANSWER, 1)])
    desk.gate.write([(MESSAGE, 2)])
    taken: list[int] = []
    desk.gate.taken_back.connect(taken.append)
    assert desk.gate.take_back(1)
    desk.at(20_000)
    assert taken == [1]
    assert desk.written[0][1] == wizard.ReplyTakenBack(kind="answer")
    assert [type(fact) for _, fact in desk.written] == [wizard.ReplyTakenBack, wizard.MessageSent]
    assert not desk.gate.take_back(2)


def test_a_correction_neither_waits_nor_is_late(owner: QObject) -> None:
    desk = Desk(released({1: 1000}), owner)
    desk.at(20_000)
    desk.gate.write([(wizard.Corrected(of_seq=4), 1), (ANSWER, 1)])
    fact = desk.written[-1][1]
    assert isinstance(fact, wizard.AnswerSent)
    assert (fact.held_ms, fact.late_ms) == (None, None)


def test_what_waits_leaves_before_the_scenario_ends(owner: QObject) -> None:
    desk = Desk(released({1: 1000}), owner)
    desk.at(3000)
    desk.gate.write([(ANSWER, 1)])
    desk.gate.flush()
    assert [at for at, _ in desk.written] == [3000]
    assert not desk.gate.held


PLAIN = SessionProgress()


def test_what_a_person_sends_waits_with_its_query_and_can_be_taken_back(owner: QObject) -> None:
    desk = Desk(PLAIN, owner)
    desk.gate.write([(wizard.QuerySent(text="how many"), 1), (ANSWER, 1)])
    desk.at(1999)
    assert desk.written == [] and desk.gate.latest == (1, 0.001)
    assert desk.gate.take_back(1)
    desk.gate.write([(wizard.Corrected(of_seq=3), 1), (MESSAGE, 1)])
    desk.at(3999)
    assert [fact for _, fact in desk.written] == [
        wizard.ReplyTakenBack(kind="answer"), wizard.Corrected(of_seq=3), structs.replace(MESSAGE, held_ms=2000),
    ]  # fmt: skip
    assert desk.gate.latest is None


@pytest.mark.parametrize("how", ["next reply", "let go", "flush"])
def test_what_can_be_taken_back_leaves_before_what_comes_next(owner: QObject, how: str) -> None:
    desk = Desk(PLAIN, owner)
    desk.gate.write([(ANSWER, 1)])
    desk.at(500)
    ways = {"next reply": lambda: desk.gate.write([(MESSAGE, 2)]), "let go": desk.gate.let_go, "flush": desk.gate.flush}
    ways[how]()
    assert [(at, fact) for at, fact in desk.written] == [(500, structs.replace(ANSWER, held_ms=500))]


@pytest.mark.parametrize(
    ("progress", "reply", "take_back_s"),
    [(PLAIN, ANSWER, 0.0), (PLAIN, structs.replace(ANSWER, system="robust"), 2.0), (released({1: 1000}), ANSWER, 2.0)],
    ids=["a study without it", "of a system", "a latency that is over"],
)
def test_what_nobody_takes_back_leaves_at_once(
    owner: QObject, progress: SessionProgress, reply: wizard.AnswerSent, take_back_s: float
) -> None:
    desk = Desk(progress, owner, take_back_s)
    desk.now_ms = 20_000
    desk.gate.write([(reply, 1)])
    assert len(desk.written) == 1 and desk.gate.latest is None


def test_a_message_sees_to_the_calls_for_help_that_came_before_it_was_chosen(owner: QObject) -> None:
    called = with_subject_fact(SessionProgress(), subject.HelpCalled(), None, 0)
    desk = Desk(called, owner)
    desk.gate.write([(MESSAGE, 1)])
    desk.gate.take_back(1)
    desk.gate.write([(MESSAGE, 1)])
    assert [type(fact) for _, fact in desk.written] == [wizard.ReplyTakenBack]
    desk.at(2000)
    assert desk.written[-1][1] == wizard.CallAnswered(calls=1)
