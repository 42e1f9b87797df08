"""Drafts in the whole station: taken by keys, run, journaled, learnt from; the subject sees none of it."""

import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.link.messages import AnswerShown, QueryShown
from curtain.session.events.subject_events import HistoryCleared
from curtain.session.events.wizard_events import DraftShown, DraftTaken, WizardFact
from curtain.session.study.study import Study
from curtain.session.turns.turns import read_turns
from curtain_drafts.desk.start import KeptInStudy
from curtain_drafts.drafting.values import Asked, Draft, Example, Request
from curtain_drafts.tool.service import Standing
from curtain_drafts.tool.store import read_withdrawn
from tests.wizard_app.draft_stand_in import MEN, WOMEN, Drafting, DraftStandIn, More, city
from tests.wizard_app.room import CONTROL, PLAN, SHIFT, Opening, Room
from tests.wizard_app.stand_in import StandIn

ALT = Qt.KeyboardModifier.AltModifier
QUESTION = "how many women work here"
STALL_S = 0.1
EXAMPLE = Example("how many ladies", WOMEN, (), "pack:3", "pack")


@pytest.fixture
def in_study(drafting: Drafting) -> None:
    """What is withdrawn is kept as a real station keeps it."""
    drafting.keep = KeptInStudy


@pytest.fixture
def begun(room: Room, tool: DraftStandIn) -> Room:
    tool.drafts = (Draft(WOMEN, 0.9, rests_on=((9, 14),), because="as “how many ladies”"), Draft(MEN, 0.2))
    room.begin()
    room.speak()
    return room


def named(room: Room, name: str) -> QWidget:
    found = room.window.findChild(QWidget, name)
    assert found is not None
    return found


def calm(room: Room) -> str:
    """The line that stands in for drafts."""
    return str(named(room, "drafts_calm").property("text"))


def wait_for_drafts(room: Room, count: int = 2) -> None:
    room.qtbot.waitUntil(lambda: room.window.property("drafts") == count)


def wait_until_asked(room: Room, tool: DraftStandIn, question: str) -> None:
    room.qtbot.waitUntil(lambda: [one.question for one in tool.asked[-1:]] == [question])


def facts(room: Room, kind: type[WizardFact]) -> list[Any]:
    session = room.app.station.controllers.session.session
    return [fact for _, _, fact in session.facts_after(0) if isinstance(fact, kind)] if session is not None else []


def take(room: Room, key: Qt.Key = Qt.Key.Key_1) -> None:
    wait_for_drafts(room)
    room.key(key, ALT)
    room.wait(sql_state="done")


def test_a_turn_is_answered_with_the_query_and_two_keys(begun: Room) -> None:
    begun.type(QUESTION)
    take(begun)
    assert begun.field("sql").toPlainText() == WOMEN
    assert QApplication.focusWidget() is begun.field("sql")
    assert str(named(begun, "key_strip").property("text")).startswith("Ctrl+Shift+Enter send query and answer")
    begun.send_answer(1)
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(AnswerShown)))
    (shown,), (taken,) = facts(begun, DraftShown), facts(begun, DraftTaken)
    assert (shown.drafts, shown.confidences, shown.question) == ([WOMEN, MEN], [0.9, 0.2], QUESTION)
    assert (taken.sql, taken.place, taken.confidence) == (WOMEN, 1, 0.9)
    (turn,) = read_turns(begun.close_session())
    assert turn.drafts.way == "unaided"
    assert [attempt.sql for attempt in turn.attempts] == [WOMEN]
    reported = named(begun, "closing_message").property("text")
    assert "Answered by a draft as it stood: 1 (100 %)" in reported


def test_how_sure_a_draft_is_stands_as_a_word_of_one_scale_and_the_figure_at_its_side(
    begun: Room, tool: DraftStandIn
) -> None:
    shares = {0.93: "sure", 0.6: "likely", 0.28: "maybe", 0.11: "guess", 0.04: "not shown"}
    tool.drafts = tuple(Draft(f"SELECT {number}", share) for number, share in enumerate(shares))
    begun.type(QUESTION)
    wait_for_drafts(begun, 4)
    rows = named(begun, "drafts").property("rows")
    assert [row.split()[2] for row in rows] == list(shares.values())[:4]
    assert "confidence 0.93" in str(named(begun, "draft_details").property("text"))
    # Words that a draft passes over are named and struck out.
    begun.field("query").clear()
    begun.wait(draft_state="empty")
    question = "women with a masters degree"
    tool.drafts = (Draft(WOMEN, 0.6, rests_on=((0, 5),), ignored=((13, 27),)),)
    begun.type(question)
    wait_for_drafts(begun, 1)
    details = named(begun, "draft_details")
    begun.qtbot.waitUntil(lambda: str(details.property("text")).startswith("ignored: masters degree"))
    (mark,) = begun.field("query").extraSelections()
    cursor = mark.cursor  # type: ignore[attr-defined]
    assert cursor.selectedText() == "masters degree"
    assert mark.format.fontStrikeOut()  # type: ignore[attr-defined]
    begun.type(" and")
    begun.qtbot.waitUntil(lambda: begun.window.property("draft_state") == "here")
    assert begun.field("query").toPlainText() == question + " and"


def test_the_strip_names_the_drafts_and_what_stood_in_the_editor_comes_back_with_undo(begun: Room) -> None:
    begun.type(QUESTION)
    wait_for_drafts(begun)
    assert "Alt+1..2 take a draft" in str(named(begun, "key_strip").property("text"))
    begun.key(Qt.Key.Key_Return, CONTROL)
    begun.wait(state="answer")
    assert str(named(begun, "key_strip").property("text")).startswith("Alt+1..2 take a draft")
    begun.type("SELECT 4711")
    take(begun)
    begun.key(Qt.Key.Key_Z, CONTROL)
    assert begun.field("sql").toPlainText() == "SELECT 4711"


def test_each_turn_says_what_became_of_its_drafts(begun: Room) -> None:
    begun.type(QUESTION)
    take(begun)
    begun.type(" AND salary > 0")
    begun.wait(sql_state="stale")
    begun.key(Qt.Key.Key_F5)
    begun.wait(sql_state="done")
    begun.send_answer(1)
    # By hand, with the drafts on record.
    begun.speak()
    begun.send_query(QUESTION)
    wait_for_drafts(begun)
    begun.run("SELECT count(*) FROM employee WHERE sex <> 'M'")
    begun.send_answer(2)
    # A draft that is taken while a statement runs stops that one.
    begun.speak()
    begun.send_query(QUESTION)
    wait_for_drafts(begun)
    slow = "SELECT count(*) FROM employee a, employee b, employee c WHERE a.salary + b.salary > c.salary"
    begun.field("sql").setPlainText(slow)
    begun.key(Qt.Key.Key_F5)
    begun.wait(sql_state="running")
    begun.key(Qt.Key.Key_1, ALT)
    begun.wait(sql_state="done")
    begun.send_answer(3)
    edited, by_hand, stopped = read_turns(begun.close_session())
    assert (edited.drafts.way, edited.drafts.lists, len(edited.attempts)) == ("revised", 1, 2)
    assert (by_hand.drafts.way, len(by_hand.drafts.shown)) == ("by_hand", 2)
    assert [attempt.sql for attempt in stopped.attempts] == [slow, WOMEN]
    assert stopped.reply is not None and stopped.reply.sql_min == WOMEN


def test_drafts_are_looked_at_and_taken_by_keys_alone(begun: Room, tool: DraftStandIn) -> None:
    tool.drafts = (tool.drafts[0], Draft(MEN, 0.2, chips=(city(0, 3, "boston", "BOSTON"),)))
    begun.type(QUESTION)
    wait_for_drafts(begun)
    begun.key(Qt.Key.Key_D, CONTROL)
    assert named(begun, "drafts").hasFocus()
    marks = begun.app.window.findChild(QWidget, "query").extraSelections()  # type: ignore[union-attr]
    assert [mark.cursor.selectedText() for mark in marks] == ["women"]
    assert "how many ladies" in str(named(begun, "draft_details").property("text"))
    begun.key(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is begun.field("query")
    # Whoever types among the drafts writes in the editor.
    begun.key(Qt.Key.Key_D, CONTROL)
    begun.type("SEL")
    assert QApplication.focusWidget() is begun.field("sql")
    assert begun.field("sql").toPlainText() == "SEL"
    begun.key(Qt.Key.Key_D, CONTROL)
    begun.key(Qt.Key.Key_Down)
    # A late list of a model, without the row that is pointed at, whose chips have the cursor.
    begun.key(Qt.Key.Key_K, CONTROL)
    tool.more[-1](tuple(Draft(f"SELECT {number}", 0.9) for number in range(5)))
    wait_for_drafts(begun, 5)
    assert named(begun, "chips").property("chips") == ["city Boston"]
    begun.key(Qt.Key.Key_D, CONTROL)
    begun.key(Qt.Key.Key_Return)
    begun.wait(sql_state="done")
    assert begun.field("sql").toPlainText() == MEN


def test_a_value_swapped_by_keys_is_asked_for_and_journaled(begun: Room, tool: DraftStandIn) -> None:
    chip = city(11, 17, "boston", "BOSTON", "DALLAS", "DENVER")
    tool.drafts = (Draft(WOMEN, 0.9, chips=(chip,)), Draft(MEN, 0.2))
    begun.type("women from boston")
    wait_for_drafts(begun)
    begun.key(Qt.Key.Key_K, CONTROL)
    assert named(begun, "chips").hasFocus()
    assert str(named(begun, "key_strip").property("text")).startswith("Enter other values")
    begun.key(Qt.Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    begun.qtbot.keyClick(menu, Qt.Key.Key_Return)
    begun.qtbot.waitUntil(lambda: bool(tool.asked[-1].choices))
    assert tool.asked[-1].choices[0].value == chip.others[0]
    take(begun)
    begun.qtbot.waitUntil(lambda: bool(facts(begun, DraftTaken)))
    (changed,) = facts(begun, DraftTaken)[0].chips
    assert (changed.kind, changed.said, changed.was, changed.to) == ("city", "boston", "BOSTON", "DALLAS")


def test_without_drafts_the_place_says_why_and_their_keys_leave_the_cursor_where_it_is(
    begun: Room, drafting: Drafting, tool: DraftStandIn
) -> None:
    tool.drafts = ()
    begun.type(QUESTION)
    begun.wait(draft_state="none")
    drafting.on_standing(Standing(problem="The NL tool could not be started: no room."))
    reported = "No drafts: The NL tool could not be started: no room."
    begun.qtbot.waitUntil(lambda: calm(begun) == reported)
    drafting.on_standing(Standing(ready=True))
    begun.qtbot.waitUntil(lambda: calm(begun).startswith("No draft fits"))
    for key in (Qt.Key.Key_D, Qt.Key.Key_K):
        begun.key(key, CONTROL)
        assert QApplication.focusWidget() is begun.field("query")
    begun.key(Qt.Key.Key_1, ALT)
    assert begun.app.window.notice.text == "There is no draft 1."
    assert begun.field("sql").toPlainText() == ""
    begun.key(Qt.Key.Key_Return, CONTROL)
    begun.wait(state="answer")
    begun.run(WOMEN)
    begun.key(Qt.Key.Key_1, ALT)
    begun.send_answer(1)
    assert begun.app.window.notice.text == ""


def test_other_words_go_to_the_tool_and_never_to_the_subject(begun: Room, tool: DraftStandIn) -> None:
    begun.send_query("um well those")
    begun.key(Qt.Key.Key_R, CONTROL)
    begun.type(" please")
    begun.key(Qt.Key.Key_Escape)
    assert not named(begun, "reword").isVisible()
    wait_until_asked(begun, tool, "um well those")
    begun.key(Qt.Key.Key_R, CONTROL)
    assert named(begun, "reword").hasFocus()
    begun.key(Qt.Key.Key_A, CONTROL)
    begun.type(QUESTION)
    begun.key(Qt.Key.Key_Return)
    assert QApplication.focusWidget() is begun.field("sql")
    wait_until_asked(begun, tool, QUESTION)
    take(begun)
    begun.send_answer(1)
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(AnswerShown)))
    queries = [one.text for one in begun.subject.shown_of(QueryShown)]  # type: ignore[attr-defined]
    assert queries == ["um well those"]
    (turn,) = read_turns(begun.close_session())
    assert (turn.query, turn.drafts.question, turn.drafts.reworded) == ("um well those", QUESTION, True)


def test_a_follow_up_brings_the_answered_turns_and_starting_over_leaves_them_behind(
    begun: Room, tool: DraftStandIn
) -> None:
    begun.type(QUESTION)
    take(begun)
    assert QApplication.focusWidget() is begun.field("sql")
    begun.send_answer(1)
    assert QApplication.activeModalWidget() is None
    begun.speak()
    assert QApplication.focusWidget() is begun.field("query")
    begun.type("and men")
    wait_for_drafts(begun)
    assert tool.asked[-1].previous == (Asked(QUESTION, WOMEN),)
    # Drafts of a turn that is left for a correction are there again afterwards.
    begun.key(Qt.Key.Key_F8)
    begun.wait(state="correct", turn=1)
    wait_until_asked(begun, tool, QUESTION)
    begun.key(Qt.Key.Key_Escape)
    begun.wait(turn=2)
    wait_until_asked(begun, tool, "and men")
    take(begun)
    begun.send_answer(2)
    begun.subject.fact(HistoryCleared())
    begun.speak()
    begun.type("who is the oldest")
    wait_for_drafts(begun)
    assert tool.asked[-1].previous == ()


def test_an_answer_is_learnt_but_while_it_is_corrected_and_its_correction_takes_its_place(
    begun: Room, tool: DraftStandIn
) -> None:
    begun.type(QUESTION)
    take(begun)
    begun.send_answer(1)
    begun.qtbot.waitUntil(lambda: len(tool.learnt) == 1)
    asked = len(tool.asked)
    withdrawn_when_asked: list[list[str]] = []
    begin = tool.draft

    def draft(request: Request, on_more: More | None = None) -> Future[tuple[Draft, ...]]:
        withdrawn_when_asked.append(list(tool.withdrawn))
        return begin(request, on_more)

    tool.draft = draft  # type: ignore[method-assign]
    begun.key(Qt.Key.Key_F8)
    begun.wait(state="correct")
    begun.qtbot.waitUntil(lambda: len(tool.asked) > asked)
    assert withdrawn_when_asked[0] == tool.withdrawn == ["e00-01-001"]
    begun.key(Qt.Key.Key_Escape)
    begun.wait(state="idle")
    assert [one.id for one in tool.learnt] == ["e00-01-001", "e00-01-001"]
    assert tool.learnt[0] == tool.learnt[1]
    begun.key(Qt.Key.Key_F8)
    begun.wait(state="correct")
    take(begun, Qt.Key.Key_2)
    begun.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    begun.qtbot.waitUntil(lambda: len(tool.learnt) == 3)
    assert [(one.id, one.question, one.sql) for one in tool.learnt[1:]] == [
        ("e00-01-001", QUESTION, WOMEN),
        ("e00-01-001", QUESTION, MEN),
    ]


def test_a_study_that_must_not_learn_does_not(room_of: Callable[..., Room], tool: DraftStandIn) -> None:
    tool.drafts = (Draft(WOMEN, 0.9), Draft(MEN, 0.2))
    room = room_of(learn=False)
    room.begin()
    room.speak()
    room.type(QUESTION)
    take(room)
    room.send_answer(1)
    assert room.close_session().verify() == []
    assert tool.learnt == []


def test_a_bad_example_is_withdrawn_with_one_key_and_brought_back_with_another(
    begun: Room, tool: DraftStandIn, drafting: Drafting
) -> None:
    tool.drafts = (Draft(WOMEN, 0.9, example=EXAMPLE), Draft(MEN, 0.2))
    begun.type(QUESTION)
    wait_for_drafts(begun)
    asked = len(tool.asked)
    begun.key(Qt.Key.Key_D, CONTROL)
    begun.key(Qt.Key.Key_Delete)
    assert tool.withdrawn == ["pack:3"]
    assert "how many ladies" in begun.app.window.notice.text
    assert len(tool.asked) == asked + 1
    begun.qtbot.waitUntil(lambda: drafting.kept.ids == ["pack:3"])
    begun.key(Qt.Key.Key_Z, CONTROL)
    assert tool.learnt == [EXAMPLE]
    begun.qtbot.waitUntil(lambda: drafting.kept.ids == [])


def test_what_was_withdrawn_stays_so_when_the_session_is_resumed_by_another_station(
    qtbot: QtBot, in_study: None, begun: Room, opening: Opening, tool: DraftStandIn
) -> None:
    begun.type(QUESTION)
    take(begun)
    begun.send_answer(1)
    begun.qtbot.waitUntil(lambda: len(tool.learnt) == 1)
    tool.drafts = (Draft(WOMEN, 0.9, example=tool.learnt[0]), Draft(MEN, 0.2))
    begun.speak()
    begun.type("and men")
    wait_for_drafts(begun)
    begun.key(Qt.Key.Key_D, CONTROL)
    begun.key(Qt.Key.Key_Delete)
    begun.qtbot.waitUntil(lambda: "e00-01-001" in kept_by(begun))
    close_over_open_turn(begun)
    tool.learnt.clear()
    again = Room(qtbot, opening(resume=True), begun.subject, begun.link_name)
    again.wait(turn=2, session="e00-01", link="up")
    take(again, Qt.Key.Key_2)
    again.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    again.qtbot.waitUntil(lambda: bool(tool.learnt))
    assert [one.id for one in tool.learnt] == ["e00-01-002"]


def test_what_a_subject_took_back_since_is_forgotten_when_the_next_session_begins(
    qtbot: QtBot, in_study: None, begun: Room, study: Study, stand_in: Callable[[], StandIn], tool: DraftStandIn
) -> None:
    begun.type(QUESTION)
    take(begun)
    begun.send_answer(1)
    qtbot.waitUntil(lambda: [one.id for one in tool.learnt] == ["e00-01-001"])
    begun.close_session()
    note_consents(study.folder, [NotedConsent(session_id="e00-01", scopes=[])])
    begun.subject.close()
    begun.subject = stand_in()
    begun.subject.dial(begun.link_name)
    begun.begin(replace(PLAN, speaker_id="e01"))
    qtbot.waitUntil(lambda: tool.withdrawn == ["e00-01-001"])


def kept_by(room: Room) -> frozenset[str]:
    """What the study has as withdrawn, on disk."""
    session = room.app.station.controllers.session.session
    return read_withdrawn(session.bundle.path.parent.parent)[0]


def close_over_open_turn(room: Room) -> None:
    room.window.close()
    with room.qtbot.waitSignal(room.app.window.closed):
        room.press_in_dialog("close_confirmed")
    room.leave()


def test_while_the_tool_learns_each_page_tells_how_far_it_is_and_nothing_else_waits(
    room_of: Callable[..., Room], drafting: Drafting
) -> None:
    drafting.slow = True
    drafting.tool.drafts = (Draft(WOMEN, 0.9), Draft(MEN, 0.2))
    room = room_of()
    reported = named(room, "start_drafts")

    def starts_to_learn() -> bool:
        drafting.on_standing(Standing(4347, 0.404))
        return str(reported.property("text")).startswith("Learning 4,347 examples, 40 %.")

    room.qtbot.waitUntil(starts_to_learn)
    assert reported.isVisible()
    room.begin()
    room.speak()
    room.qtbot.waitUntil(lambda: calm(room) == "Drafts: learning 4,347 examples, 40 %")
    assert room.app.window.problem.text == ""
    room.send_query(QUESTION)
    room.run(WOMEN)
    drafting.on_standing(Standing(ready=True))
    wait_for_drafts(room)
    assert not named(room, "drafts_calm").isVisible() and not reported.isVisibleTo(room.app.window.start)


class Heartbeat:
    """Beats on the event loop and remembers between which two beats the window's thread was busiest, in seconds."""

    def __init__(self) -> None:
        self.busiest = 0.0
        self._before = time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        now = time.thread_time()
        self.busiest = max(self.busiest, now - self._before)
        self._before = now

    def stop(self) -> None:
        self._timer.stop()


ODD_TEXTS = (
    "boston to denver and " * 500,
    "x" * 10_000,
    "ποιες πτήσεις πάνε στο Denver; Россия 日本の便 \u202eright to left\u202c \U0001f600 " * 40,
    "'; DROP TABLE employee; -- SELECT * FROM employee WHERE (((((" * 30,
    "\x00\x07\ufffd\ud7ff\n\n\t" * 20,
)


def test_odd_text_in_the_query_stalls_nothing_and_puts_no_error_on_the_screen(begun: Room) -> None:
    for odd in ODD_TEXTS:
        # Twice: what stalls does so each time, what a busy machine delays does not.
        assert min(busiest_while_written(begun, odd), busiest_while_written(begun, odd)) < STALL_S
        assert begun.app.window.problem.text == ""


def busiest_while_written(room: Room, text: str) -> float:
    """Seconds; from an empty query until the drafts are there."""
    room.field("query").clear()
    room.wait(draft_state="empty")
    heart = Heartbeat()
    room.field("query").insertPlainText(text)
    room.wait(draft_state="here")
    heart.stop()
    return heart.busiest


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="the scan codes are those of X11 and Wayland")
def test_on_azerty_alt_and_the_key_of_a_digit_takes_a_draft(begun: Room) -> None:
    begun.type(QUESTION)
    wait_for_drafts(begun)
    begun.key(Qt.Key.Key_L, CONTROL)
    assert begun.target() is begun.field("sql")
    # AZERTY prints “é” on the key of 2.
    pressed = QKeyEvent(QEvent.Type.KeyPress, ord("É"), ALT, 11, 0, 0, "é")
    QApplication.sendEvent(begun.field("sql"), pressed)
    begun.wait(sql_state="done")
    assert begun.field("sql").toPlainText() == MEN
