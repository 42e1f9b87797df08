"""Words that were heard stand grey in the query field, and are the subject's only when the wizard sends them."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from curtain.base.errors import CurtainError
from curtain.base.hearing import Hearing
from curtain.link.messages import LiveSound, QueryShown
from curtain.session.events import wizard_events as wizard
from curtain.session.study.study import Study, new_study
from tests.wizard_app.desk.turn.test_offered_text import hearing_of
from tests.wizard_app.room import CONTROL, Opening, Room
from wizard_app.desk import preparation
from wizard_app.desk.turn import first_words
from wizard_app.window.panels.query_field import OfferField

HEARD = hearing_of("how many canaries? work here")
WORDS = "how many canaries work here"


class Listener:
    """Makes out what it is told to."""

    def __init__(self) -> None:
        self.asked: list[Path] = []
        self.coming: list[Future[Hearing]] = []
        self.closed = False
        self.problem = ""
        self.on_growing: Callable[[int, Hearing], None] | None = None
        self.begun: list[int] = []
        self.samples: dict[int, int] = {}
        self.expected: list[tuple[str, list[str]]] = []

    def expect(self, scenario_id: str, recent: Sequence[str]) -> None:
        self.expected.append((scenario_id, list(recent)))

    def begin(self, key: int) -> None:
        self.begun.append(key)
        self.samples[key] = 0

    def more(self, key: int, samples: bytes, rate: int) -> None:
        self.samples[key] += len(samples) // 2

    def finish(self, key: int, wav: Path) -> Future[Hearing]:
        self.asked.append(wav)
        self.coming.append(Future())
        return self.coming[-1]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = new_study(
        tmp_path / "study", "personnel", scenarios=["anniversary", "fair"], practice="practice", take_back_s=0
    )
    return replace(made, transcribe=True)


@pytest.fixture
def hearing(monkeypatch: pytest.MonkeyPatch) -> Listener:
    """The recogniser of the station; it must be there before the station is."""
    made = Listener()
    monkeypatch.setattr(preparation, "transcriber", lambda *_: made)
    return made


@pytest.fixture
def heard(hearing: Listener, request: pytest.FixtureRequest) -> Iterator[Room]:
    room: Room = request.getfixturevalue("room")
    room.begin()
    room.speak()
    room.qtbot.waitUntil(lambda: len(hearing.coming) == 1)
    yield room
    sent = repr(room.subject.shown_of(QueryShown))
    assert "canaries" in sent or "canaries" not in repr(room.subject.shown)


def field(room: Room) -> OfferField:
    found = room.window.findChild(OfferField, "query")
    assert found is not None
    return found


def grey(room: Room) -> str:
    return field(room).offer.rest


def show(room: Room, hearing: Listener, heard: Hearing = HEARD) -> None:
    hearing.coming[-1].set_result(heard)
    room.qtbot.waitUntil(lambda: grey(room) == heard.text)
    field(room).repaint()


def strip(room: Room) -> str:
    found = room.window.findChild(QWidget, "key_strip")
    return str(found.property("text"))


def hearings(room: Room) -> list[wizard.WordsHeard | wizard.NotHeard]:
    entries = room.close_session().read_wizard_journal().entries
    facts = [wizard.read(entry) for entry in entries]
    return [fact for fact in facts if isinstance(fact, wizard.WordsHeard | wizard.NotHeard)]


def words_heard(room: Room) -> list[wizard.WordsHeard]:
    return [fact for fact in hearings(room) if isinstance(fact, wizard.WordsHeard)]


def test_a_question_that_was_heard_right_costs_one_chord(heard: Room, hearing: Listener) -> None:
    show(heard, hearing)
    assert strip(heard).startswith("Ctrl+Enter send it with the grey words")
    heard.key(Qt.Key.Key_Return, CONTROL)
    heard.wait(state="answer")
    heard.qtbot.waitUntil(lambda: bool(heard.subject.shown_of(QueryShown)))
    (sent,) = heard.subject.shown_of(QueryShown)
    assert isinstance(sent, QueryShown) and sent.text == WORDS
    (fact,) = words_heard(heard)
    assert fact.shown and (fact.words, fact.model, fact.version) == (HEARD.words, HEARD.model, HEARD.version)


def test_tab_or_a_click_takes_them_and_a_doubtful_word_is_played_and_replaced(heard: Room, hearing: Listener) -> None:
    show(heard, hearing)
    heard.key(Qt.Key.Key_Tab)
    assert field(heard).toPlainText() == WORDS and not grey(heard)
    assert QApplication.focusWidget() is field(heard)
    heard.key(Qt.Key.Key_Z, CONTROL)
    assert field(heard).toPlainText() == "" and grey(heard) == WORDS
    QApplication.sendEvent(field(heard), QInputMethodEvent("who", []))
    heard.key(Qt.Key.Key_Tab)
    assert field(heard).toPlainText() == "" and QApplication.focusWidget() is field(heard)
    composed = QInputMethodEvent("", [])
    composed.setCommitString("who")
    QApplication.sendEvent(field(heard), composed)
    heard.key(Qt.Key.Key_Delete)
    assert grey(heard) == " canaries work here"
    heard.key(Qt.Key.Key_Escape)
    assert field(heard).toPlainText() == "" and grey(heard) == WORDS
    button = heard.window.findChild(QPushButton, "next_doubt")
    assert button is not None and button.isVisibleTo(heard.window) and button.text() == "Doubtful: 1  F12"
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(button, left)
    assert field(heard).textCursor().selectedText() == "canaries" and grey(heard) == " work here"
    middle = QPoint(field(heard).viewport().width() // 2, field(heard).fontMetrics().lineSpacing() // 2 + 4)
    QTest.mouseClick(field(heard).viewport(), left, pos=QPoint(middle.x() * 2 - 4, middle.y()))
    assert grey(heard) == " work here"
    end = field(heard).cursorRect().right()
    QTest.mouseClick(field(heard).viewport(), left, pos=QPoint(end + 30, middle.y()))
    assert field(heard).toPlainText() == WORDS and not grey(heard)
    heard.key(Qt.Key.Key_Z, CONTROL)
    assert grey(heard) == WORDS
    listen = heard.app.station.controllers.listen
    listen.stop()
    heard.key(Qt.Key.Key_F12)
    assert listen.playing
    assert field(heard).textCursor().selectedText() == "canaries"
    heard.type("women")
    assert (field(heard).toPlainText(), grey(heard)) == ("how many women", " work here")
    heard.key(Qt.Key.Key_Return, CONTROL)
    heard.wait(state="answer")
    heard.qtbot.waitUntil(lambda: bool(heard.subject.shown_of(QueryShown)))
    (sent,) = heard.subject.shown_of(QueryShown)
    assert isinstance(sent, QueryShown) and sent.text == "how many women work here"


def test_nothing_that_was_heard_reaches_the_subject_before_it_is_sent(heard: Room, hearing: Listener) -> None:
    show(heard, hearing)
    heard.type("how")
    heard.key(Qt.Key.Key_M, CONTROL)
    heard.type("3")
    heard.key(Qt.Key.Key_Return)
    heard.wait(state="idle", answered_turn=1)
    assert grey(heard) == ""
    heard.speak()
    heard.qtbot.waitUntil(lambda: len(hearing.asked) == 2)
    assert len(set(hearing.asked)) == 2 and grey(heard) == ""
    assert [fact.shown for fact in words_heard(heard)] == [True]


def test_words_that_were_replaced_come_back_with_no_turn_and_are_not_sent(heard: Room, hearing: Listener) -> None:
    heard.send_message(1)
    heard.speak()
    heard.qtbot.waitUntil(lambda: len(hearing.coming) == 2)
    show(heard, hearing)
    heard.type("how many ")
    heard.key(Qt.Key.Key_A, CONTROL)
    heard.type("who is new")
    assert grey(heard) == ""
    heard.key(Qt.Key.Key_F8)
    heard.wait(state="correct", turn=1)
    heard.key(Qt.Key.Key_Escape)
    heard.wait(state="transcribe", turn=2)
    assert (field(heard).toPlainText(), grey(heard)) == ("who is new", "")
    heard.key(Qt.Key.Key_Return, CONTROL)
    heard.wait(state="answer")
    heard.qtbot.waitUntil(lambda: bool(heard.subject.shown_of(QueryShown)))
    assert [one.text for one in heard.subject.shown_of(QueryShown) if isinstance(one, QueryShown)] == ["who is new"]


def test_words_that_come_late_are_kept_as_not_shown(heard: Room, hearing: Listener) -> None:
    """Behind the query, behind a reply when the next question was first, between a reply and its line."""
    heard.send_query(WORDS)
    hearing.coming[0].set_result(HEARD)
    with heard.qtbot.waitSignal(heard.app.station.controllers.session.progress_changed):
        pass
    heard.send_message(1)
    for turn in (2, 3):
        heard.speak()
        heard.qtbot.waitUntil(lambda so_far=turn: len(hearing.coming) == so_far)
        heard.send_message(turn)
    for coming in hearing.coming[1:]:
        coming.set_result(HEARD)
    heard.speak()
    heard.qtbot.waitUntil(lambda: len(hearing.coming) == 4)
    heard.app.station.controllers.turns.reply_left.connect(lambda _: hearing.coming[3].set_result(HEARD))
    heard.send_message(4)
    assert [(fact.words, fact.shown) for fact in words_heard(heard)] == [(HEARD.words, False)] * 4


def test_what_was_replied_to_before_a_crash_is_heard_behind_it(
    heard: Room, hearing: Listener, opening: Opening
) -> None:
    heard.send_message(1)
    heard.app.close()
    again = Room(heard.qtbot, opening(resume=True), heard.subject, heard.link_name)
    again.wait(session="e00-01", link="up")
    again.qtbot.waitUntil(lambda: len(hearing.coming) == 2)
    hearing.coming[1].set_result(HEARD)
    assert [fact.shown for fact in words_heard(again)] == [False]


def test_a_session_that_ends_waits_for_words_that_are_being_heard(heard: Room, hearing: Listener) -> None:
    heard.send_message(1)
    session = heard.app.station.controllers.session

    def come() -> None:
        if session.closing and not hearing.coming[0].done():
            assert "the recogniser" in session.ending.still_awaited()
            hearing.coming[0].set_result(HEARD)

    session.progress_changed.connect(come)
    assert [fact.words for fact in words_heard(heard)] == [HEARD.words]


def test_what_was_not_heard_before_the_end_has_a_reason(heard: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_words, "PATIENCE_MS", 1)
    heard.send_message(1)
    assert hearings(heard) == [wizard.NotHeard(reason="The session ended before it was heard.")]


def test_without_a_recogniser_each_turn_says_so(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    def missing(*_: object) -> NoReturn:
        raise CurtainError("There is none.")

    monkeypatch.setattr(preparation, "transcriber", missing)
    room: Room = request.getfixturevalue("room")
    room.begin()
    room.speak()
    room.send_message(1)
    assert hearings(room) == [wizard.NotHeard(reason="The recogniser was not ready.")]


def test_a_recogniser_that_fails_says_why_and_leaves_the_reason(heard: Room, hearing: Listener) -> None:
    hearing.problem = "The model is broken."
    hearing.coming[0].set_result(Hearing())
    heard.qtbot.waitUntil(lambda: heard.app.window.problem.text == hearing.problem)
    heard.send_query(WORDS)
    assert hearings(heard) == [wizard.NotHeard(reason=hearing.problem)]


def test_what_is_typed_while_the_subject_speaks_goes_into_that_query(room: Room) -> None:
    room.begin()
    assert field(room).isReadOnly()
    room.subject.press()
    room.qtbot.waitUntil(lambda: not field(room).isReadOnly())
    room.type("how many ")
    room.key(Qt.Key.Key_Return, CONTROL)
    assert "not over yet" in room.app.window.notice.text
    room.subject.release()
    room.wait(turn=1, state="transcribe")
    room.type("women")
    assert field(room).toPlainText() == "how many women"
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(state="answer")


def test_words_grow_while_the_subject_speaks_and_cannot_be_taken_yet(hearing: Listener, room: Room) -> None:
    room.begin()
    turn = room.subject.press()
    room.qtbot.waitUntil(lambda: not field(room).isReadOnly())
    for text in ("how many", "how many canaries"):
        room.app.station.first_words.growing.emit(turn, hearing_of(text))
        assert grey(room) == text
    room.type("how many w")
    assert grey(room) == ""
    room.key(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field(room)
    room.app.station.first_words.growing.emit(turn, hearing_of("how many women work here"))
    assert grey(room) == "omen work here"
    room.key(Qt.Key.Key_Tab)
    assert field(room).toPlainText() == "how many w"
    room.subject.release()
    room.wait(turn=1, state="transcribe")
    assert grey(room) == "omen work here"


def test_what_is_spoken_is_heard_as_it_grows_up_to_the_first_gap(
    hearing: Listener, request: pytest.FixtureRequest
) -> None:
    room: Room = request.getfixturevalue("room")
    room.begin()
    room.qtbot.waitUntil(lambda: hearing.on_growing is not None)
    turn = room.subject.press()
    for frame in (0, 160, 480, 640):
        room.subject.link.send(LiveSound(turn=turn, frame=frame, rate=16_000, data=bytes(320)))
    room.qtbot.waitUntil(lambda: hearing.samples.get(turn) == 320)
    room.qtbot.waitUntil(lambda: not field(room).isReadOnly())
    # The recogniser speaks on a thread of its own.
    thread = threading.Thread(target=hearing.on_growing, args=(turn, HEARD))
    thread.start()
    thread.join()
    room.qtbot.waitUntil(lambda: field(room).offer.hearing == HEARD)
    room.subject.release()
    room.qtbot.waitUntil(lambda: len(hearing.coming) == 1)
    assert (hearing.begun, hearing.samples) == ([turn], {turn: 320})
    assert hearing.expected[0] == ("anniversary", [])
