"""Words made out of the recording are offered greyed, taken by Tab, typed over, never sent by themselves."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from curtain.link.messages import QueryShown
from curtain.qt.sql_text import EditorSchema
from tests.wizard_app.room import CONTROL, PATIENCE_MS, Room
from wizard_app.desk.turn.first_words import like_questions

WORDS = "how many women work here"


class Listener:
    """Makes out the same words in every take, when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Path] = []
        self.coming: list[Future[str]] = []
        self.closed = False

    def transcribe(self, wav: Path) -> Future[str]:
        self.asked.append(wav)
        self.coming.append(Future())
        return self.coming[-1]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def listener(room: Room) -> Listener:
    made = Listener()
    room.begin()
    assert room.app.station is not None
    room.app.station.first_words.set_transcriber(made)
    room.speak()
    room.qtbot.waitUntil(lambda: len(made.coming) == 1, timeout=PATIENCE_MS)
    return made


def offered(room: Room) -> str:
    return room.field("query").placeholderText() if not room.field("query").toPlainText() else ""


def strip(room: Room) -> str:
    found = room.window.findChild(QWidget, "key_strip")
    assert found is not None
    return str(found.property("text"))


def test_the_words_stand_greyed_and_tab_takes_them(room: Room, listener: Listener) -> None:
    listener.coming[0].set_result(WORDS)
    room.qtbot.waitUntil(lambda: offered(room) == WORDS, timeout=PATIENCE_MS)
    assert strip(room).startswith("Tab take the words")
    room.key(Qt.Key.Key_Tab)
    assert room.field("query").toPlainText() == WORDS
    assert QApplication.focusWidget() is room.field("query")
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(state="answer")
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(QueryShown)), timeout=PATIENCE_MS)


def test_they_are_not_sent_unless_they_were_taken(room: Room, listener: Listener) -> None:
    listener.coming[0].set_result(WORDS)
    room.qtbot.waitUntil(lambda: offered(room) == WORDS, timeout=PATIENCE_MS)
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(state="transcribe")
    assert "query is empty" in room.app.window.notice.text
    assert room.subject.shown_of(QueryShown) == []


def test_what_is_typed_takes_their_place_and_words_that_come_late_disturb_nobody(
    room: Room, listener: Listener
) -> None:
    room.type("how")
    listener.coming[0].set_result(WORDS)
    room.qtbot.waitUntil(lambda: room.field("query").placeholderText() == WORDS, timeout=PATIENCE_MS)
    assert room.field("query").toPlainText() == "how"
    room.key(Qt.Key.Key_Tab)
    assert room.field("query").toPlainText() == "how"
    assert QApplication.focusWidget() is not room.field("query")


def test_words_stay_with_their_turn(room: Room, listener: Listener) -> None:
    listener.coming[0].set_result(WORDS)
    room.qtbot.waitUntil(lambda: offered(room) == WORDS, timeout=PATIENCE_MS)
    room.key(Qt.Key.Key_M, CONTROL)
    room.type("3")
    room.key(Qt.Key.Key_Return)
    room.wait(state="idle", answered_turn=1)
    assert offered(room) != WORDS
    room.speak()
    assert offered(room) != WORDS
    room.qtbot.waitUntil(lambda: len(listener.asked) == 2, timeout=PATIENCE_MS)
    assert len(set(listener.asked)) == 2


def test_it_is_reported_which_names_stand_for_one_another() -> None:
    values = {("city", "city_name"): ("BOSTON", "DENVER"), ("t", "only"): ("ONE",)}
    assert like_questions(["from boston"], EditorSchema({}, values)) == (["from boston"], [["boston", "denver"]])
