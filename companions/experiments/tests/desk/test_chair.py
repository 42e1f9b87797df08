"""The system in the wizard's chair: what it says reaches the subject as a wizard's answer would, or not at all."""

import json
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from companions.experiments.tests.desk.conftest import MakeStudy, plan_under
from curtain.link.messages import AnswerShown, MessageShown, QueryShown
from curtain.session.events.subject_events import TurnTyped
from curtain.session.study.study import Study
from curtain.session.turns.turns import Turn, read_turns
from tests.wizard_app.room import CONTROL, SHIFT, Room

SYSTEM = '[[conditions]]\nid = "alone"\nwho = "system"\nsystem = "mine"\n'
TYPIST = '[[conditions]]\nid = "typed"\nwho = "typist"\nsystem = "mine"\n'
UNABLE = "Sorry, the system is unable to answer your query."
NOT_UNDERSTOOD = "Sorry, your query was not understood. Please say it again in other words."

Enter = Callable[[Study], Room]


def answered(room: Room, turn: int) -> None:
    room.wait(answered_turn=turn)
    kinds = (AnswerShown, MessageShown)
    room.qtbot.waitUntil(lambda: any(shown.turn == turn for kind in kinds for shown in room.subject.shown_of(kind)))


def turns_of(room: Room) -> list[Turn]:
    return read_turns(room.close_session())


def test_nobody_types_and_the_subject_sees_query_and_table(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(SYSTEM, ("how many employees are there",)))
    room.begin(plan_under("alone"))
    room.subject.speak()
    answered(room, 1)
    assert [one.text for one in room.subject.shown_of(QueryShown)] == ["how many employees are there"]
    assert room.subject.shown_of(AnswerShown)[0].table.rows == [["423"]]
    turn = turns_of(room)[0]
    reported = json.loads(json.dumps(turn.as_json()))
    assert turn.outcome == "answer"
    assert turn.reply.cas_min == "((423))"
    assert (reported["condition_id"], reported["answered_by"], reported["query_by"]) == ("alone", "mine", "asr")
    assert reported["hypothesis"] == "how many employees are there"
    assert reported["system_reply"]["partial"] is True
    assert reported["condition"]["system"] == "mine"
    assert reported["plan_number"] == 1


WRONG = [
    ("crashes now", "crash", UNABLE), ("babbles now", "rubbish", UNABLE), ("writes now", "sql", UNABLE),
    ("crash", "ears", UNABLE), ("refuses now", None, NOT_UNDERSTOOD),
]  # fmt: skip


def test_whatever_goes_wrong_is_a_canned_message_and_one_fact(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(SYSTEM, tuple(words for wrong, _, _ in WRONG for words in (wrong, "how many"))))
    room.begin(plan_under("alone"))
    for turn in range(1, 2 * len(WRONG) + 1):
        room.subject.speak()
        answered(room, turn)
    crossed = repr([room.subject.welcome, *room.subject.shown])
    turns = turns_of(room)
    assert [one.text for one in room.subject.shown_of(MessageShown)] == [shown for _, _, shown in WRONG]
    for turn, (words, how, _) in zip(turns[::2], WRONG, strict=True):
        assert turn.reply.counts_as == "no_answer"
        assert (turn.system_fault.how if turn.system_fault else None) == how, words
        assert ("system-fault" in turn.tags) == (how is not None)
    # The next turn is answered: a problem costs one turn.
    assert {turn.outcome for turn in turns[1::2]} == {"answer"}
    # The subject is shown nothing of conditions and systems.
    assert not [word for word in ("alone", "mine", "condition", "exit code", "asr") if word in crossed]


def test_the_person_takes_over_one_turn_and_it_is_marked(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(SYSTEM, ("hangs", "how many")))
    room.begin(plan_under("alone"))
    room.subject.speak()
    room.wait(turn=1)
    panel = room.window.findChild(QLabel, "operator_doing")
    room.qtbot.waitUntil(lambda: panel.text() == "Works on turn 1")
    # Before the takeover the desk's own keys are refused.
    room.run("SELECT count(*) FROM employee WHERE department = 45")
    room.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    assert room.subject.shown_of(AnswerShown) == []
    # By its button, which does what the key does and takes no focus.
    button = room.window.findChild(QPushButton, "take_over")
    assert button.isVisible() and button.focusPolicy() is Qt.FocusPolicy.NoFocus
    button.click()
    station = room.app.station
    room.qtbot.waitUntil(
        lambda: station.controllers.session.progress.turns[1].taken_over
    )  # fmt: skip
    room.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    answered(room, 1)
    room.subject.speak()
    answered(room, 2)
    first, second = turns_of(room)
    assert first.taken_over
    assert first.answered_by == "wizard"
    assert "taken-over" in first.tags
    assert first.reply.cas_min == "((48))"
    assert second.answered_by == "mine"


def test_a_stopped_system_answers_nothing_until_it_may_go_on(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(SYSTEM, ("how many", "how many")))
    room.begin(plan_under("alone"))
    station = room.app.station
    room.wait(scenario="anniversary")
    room.key(Qt.Key.Key_S, CONTROL | SHIFT)
    room.qtbot.waitUntil(lambda: station.operator.chair.stopped)
    room.subject.speak()
    room.wait(turn=1, state="transcribe")
    room.send_query("how many clerks are there")
    room.run("SELECT count(*) FROM employee WHERE department = 45")
    room.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    answered(room, 1)
    room.key(Qt.Key.Key_S, CONTROL | SHIFT)
    room.subject.speak()
    answered(room, 2)
    first, second = turns_of(room)
    assert (first.answered_by, second.answered_by) == ("wizard", "mine")


def test_a_typist_only_transcribes(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(TYPIST))
    room.begin(plan_under("typed"))
    room.speak()
    room.type("how many employees")
    room.key(Qt.Key.Key_Return, CONTROL)
    answered(room, 1)
    turn = turns_of(room)[0]
    assert (turn.query, turn.query_by, turn.answered_by) == (
        "how many employees", "wizard", "mine",
    )  # fmt: skip
    assert turn.hypothesis is None


def test_what_the_subject_typed_stays_the_query_beside_a_system_that_hears(make_study: MakeStudy, enter: Enter) -> None:
    room = enter(make_study(SYSTEM + 'ears = "system"\ninput = "both"\n'))
    room.begin(plan_under("alone"))
    typed = "answers how many employees are there"
    room.subject.fact(TurnTyped(text=typed, began_ns=1, entered_ns=2), 1)
    answered(room, 1)
    turn = turns_of(room)[0]
    assert (turn.query, turn.query_by, turn.modality, turn.hypothesis) == (typed, "subject", "text", None)
