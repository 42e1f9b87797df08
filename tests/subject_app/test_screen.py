"""What the window says is shown has been painted before."""

import random
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QTableView, QWidget

from curtain.base.table import Table
from curtain.link.messages import AnswerShown, MessageShown, PauseShown, QueryShown, ScenarioOver
from curtain.qt.answer_table import AnswerTable
from curtain.qt.style import LIGHT
from subject_app.pages.main_page import MainPage
from subject_app.pages.mic_page import MicPage
from subject_app.screen import Screen
from subject_app.session.texts import texts_in
from subject_app.sitting.view import Page, View
from subject_app.talk.talk_key import TalkKey
from subject_app.window import Window
from tests.subject_app.conftest import RATE


@pytest.fixture
def room(make_room):
    """One that notices at once that the link is gone, and looks often for its microphone."""
    return make_room(apart_ms=0, microphone_again_ms=5)


@pytest.fixture
def window(put_up, room):
    made = Window(LIGHT, texts_in("en"))
    key = TalkKey(room.stamp, made)
    QApplication.instance().installEventFilter(key)
    Screen(made, room.station, key, LIGHT, texts_in("en"))
    put_up(made)
    room.settle_in()
    yield made
    made.ask_before_leaving(False)


def test_a_scenario_counts_as_shown_once_it_is_painted(qtbot, room, window):
    window.setUpdatesEnabled(False)  # a machine that is too busy to paint
    room.scenario(1, scenario_id="practice")
    QApplication.processEvents()
    assert window.property("shown_scenario") == ""
    assert "painted" not in room.types()
    window.setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "practice" and "painted" in room.types())
    assert room.types().count("painted") == 1


def test_a_scenario_is_no_longer_shown_when_another_one_has_come_or_it_is_over(qtbot, room, window):
    room.scenario(1, scenario_id="practice")
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "practice")
    window.setUpdatesEnabled(False)
    room.scenario(2, scenario_id="s1")
    assert window.property("shown_scenario") == ""
    window.setUpdatesEnabled(True)
    qtbot.waitUntil(lambda: window.property("shown_scenario") == "s1")
    room.tell(ScenarioOver, seq=3, scenario_id="s1")
    assert window.property("shown_scenario") == ""


@pytest.mark.parametrize("by", ["key", "button"])
@pytest.mark.parametrize("page", get_args(Page))
def test_no_change_of_page_ends_a_hold_and_the_page_comes_behind_it(qtbot, room, window, page, by):
    room.scenario(1)
    talk, here = window.findChild(QWidget, "talk"), window.findChild(MainPage)
    if by == "key":
        QTest.keyPress(window, Qt.Key.Key_Space)
    else:
        QTest.mousePress(talk, Qt.MouseButton.LeftButton)
    room.hear(0.8)
    room.station.view_changed.emit(View(page=page))
    room.hear(1.3)
    assert room.station.recording() and here.isVisible()
    if by == "key":
        QTest.keyRelease(window, Qt.Key.Key_Space)
    else:
        QTest.mouseRelease(talk, Qt.MouseButton.LeftButton)
    room.hear(0.5)
    qtbot.waitUntil(lambda: not room.station.recording())
    assert room.journaled("key_up", 1).data["ended_by"] == "key"
    assert room.journaled("take_saved", 1).data["frames"] >= 2.1 * RATE


def test_the_page_of_the_code_waits_for_the_end_of_a_hold_and_then_stays(qtbot, room, window):
    room.scenario(1)
    window.add_page("room", QWidget())
    QTest.keyPress(window, Qt.Key.Key_Space)
    window.cover_with("room")
    assert window.findChild(MainPage).isVisible()
    QTest.keyRelease(window, Qt.Key.Key_Space)
    room.hear(0.5)
    qtbot.waitUntil(lambda: not window.findChild(MainPage).isVisible())
    # A pause meanwhile does not take the field for the code away.
    room.tell(PauseShown, seq=2, paused=True)
    room.tell(PauseShown, seq=3, paused=False)
    assert not window.findChild(MainPage).isVisible()
    window.cover_with("")
    assert window.findChild(MainPage).isVisible()


class Session:
    """A session at random, and what must be in sight after each step: the turn that changed last, with its reply."""

    def __init__(self, room, seed: int) -> None:
        self.room = room
        self.random = random.Random(seed)
        self.seq = self.task = self.newest = 0
        self.replies: dict[int, tuple[str, int]] = {}
        self.next_task()

    def step(self) -> str:
        station, sound = self.room.station, self.room.sound
        steps = {
            "press": self.room.press,
            "speech": lambda: self.room.hear(0.4),
            "release": self.room.release,
            "cancel": station.acts.cancel,
            "answer": self.answer,
            "correction": self.correct,
            "message": self.message,
            "link lost": station.on_link_lost,
            "link back": lambda: self.room.welcome(microphone="desk"),
            "microphone lost": lambda: (sound.connected.clear(), sound.source.vanish()),
            "microphone back": lambda: sound.connected.append("desk"),
            "query": self.query,
            "task": self.next_task,
        }
        weights = [3 if name in ("press", "speech", "release", "answer") else 1 for name in steps]
        name = self.random.choices([*steps], weights)[0]
        steps[name]()
        return name

    def next_task(self) -> None:
        self.task += 1
        self.newest, self.replies = 0, {}
        self.room.scenario(self._seq(), scenario_id=f"s{self.task}")

    def query(self) -> None:
        self.newest = self._some_turn()
        self.room.tell(QueryShown, seq=self._seq(), turn=self.newest, text=f"query {self.seq}")

    def answer(self, turn: int = 0, corrects: bool = False) -> None:
        self.newest, seq = turn or self._some_turn(), self._seq()
        self.replies[self.newest] = ("answer", seq)
        table = Table(headings=["A"], rows=[[f"row {seq}"]], numeric=[False], total=1)
        self.room.tell(AnswerShown, seq=seq, turn=self.newest, table=table, corrects=corrects)

    def correct(self) -> None:
        self.answer(min(self.replies, default=1), corrects=True)

    def message(self) -> None:
        self.newest, seq = self._some_turn(), self._seq()
        self.replies[self.newest] = ("message", seq)
        self.room.tell(MessageShown, seq=seq, turn=self.newest, text=f"message {seq}")

    def _some_turn(self) -> int:
        return self.random.randint(1, max(1, self.room.view.turn))

    def _seq(self) -> int:
        self.seq += 1
        return self.seq


@pytest.mark.parametrize("seed", range(6))
def test_the_newest_reply_stays_in_sight_and_is_journaled_whatever_key_link_or_sound_do(qtbot, room, window, seed):
    session = Session(room, seed)
    for _ in range(40):
        session.step()
        reply = session.replies.get(session.newest)
        qtbot.waitUntil(lambda: _replies_in_sight(window) == ([reply] if reply else []))  # noqa: B023
        if reply:
            room.until(lambda: reply in _painted(room))  # noqa: B023


def _replies_in_sight(window) -> list[tuple[str, int]]:
    label = window.findChild(QLabel, "message")
    model = window.findChild(QTableView, "answer_rows").model()
    shown = [("message", label.text())] if label.isVisible() else []
    if window.findChild(AnswerTable, "answer").isVisible():
        shown.append(("answer", model.data(model.index(0, 0))))
    return [(what, int(text.split()[1])) for what, text in shown]


def _painted(room) -> set[tuple[str, int]]:
    return {(entry.data["what"], entry.data["id"]) for entry in room.entries if entry.type == "painted"}


def test_the_answer_to_the_question_before_is_called_an_earlier_one(qtbot, room, window):
    caption = window.findChild(QLabel, "caption")
    room.scenario(1)
    room.ask()
    room.answer(2, 1)
    room.query(3, 1)
    room.ask()
    qtbot.waitUntil(lambda: caption.isVisible() and caption.text() == texts_in("en").earlier_one)
    room.answer(4, 2)
    room.query(5, 2)
    qtbot.waitUntil(lambda: caption.text() == texts_in("en").you_said)


def test_between_two_tasks_the_talk_key_is_off_and_what_is_being_said_is_heard_to_its_end(qtbot, room, window):
    talk = window.findChild(QWidget, "talk")
    room.scenario(1)
    qtbot.keyPress(window, Qt.Key.Key_Space)
    room.hear(0.5)
    room.tell(ScenarioOver, seq=2, scenario_id="s1")
    qtbot.keyRelease(window, Qt.Key.Key_Space)
    room.until(lambda: (room.hear(0.1), not room.station.recording())[1])
    assert room.journaled("key_up", 1).data["ended_by"] == "key"
    assert talk.property("state") == "one_moment"
    qtbot.keyPress(window, Qt.Key.Key_Space)
    qtbot.keyRelease(window, Qt.Key.Key_Space)
    room.scenario(3, scenario_id="s2")
    room.state("idle")
    qtbot.keyPress(window, Qt.Key.Key_Space)
    assert room.journaled("key_down", 2) and room.types().count("key_down") == 2


def test_a_screen_reader_hears_of_the_task_of_one_moment_and_of_the_answer(qtbot, room, window):
    room.scenario(1)
    assert window.property("announced") == "Find Ada."
    room.ask()
    assert window.property("announced") == "One moment"
    room.tell(AnswerShown, seq=2, turn=1, table=Table(headings=["Name"], rows=[["ADA"]], numeric=[False], total=1))
    qtbot.waitUntil(lambda: window.property("announced") == "Answer: ADA")
    room.tell(ScenarioOver, seq=3, scenario_id="s1")
    assert "finished" in window.property("announced")


def test_the_next_session_has_words_and_key_of_its_own_on_every_page(qtbot, room, window):
    pages, german = window.findChild(QStackedWidget).count(), texts_in("de")
    room.over(1)
    room.station.on_acked(room.entries[-1].seq)
    room.until(lambda: room.station.hello().session_id == "")
    room.welcome(session_id="e01-01", identity="3" * 32, microphone="desk", texts=vars(german), talk_key="F9")
    room.page("mic_test")
    words = {label.text() for label in window.findChildren(QLabel)}
    assert {german.mic_title, german.paused, german.waiting} <= words
    assert not {texts_in("en").mic_title, texts_in("en").paused} & words
    assert any("F9" in text for text in words) and not any("{key}" in text for text in words)
    assert window.findChild(MicPage).isVisible() and window.findChild(QStackedWidget).count() == pages
