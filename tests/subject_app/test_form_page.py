"""Questionnaires on the subject's screen: by keyboard and mouse, kept answer by answer, and again after a kill."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QRadioButton

from curtain.link.messages import Form, FormItem, ScenarioOver, SessionOver
from curtain.qt.forms.form_sheet import FormSheet
from curtain.qt.style import LIGHT
from subject_app.screen import Screen
from subject_app.session.texts import texts_in
from subject_app.talk.talk_key import TalkKey
from subject_app.window import Window

STEPS = ["1", "2", "3", "4", "5"]
FORM = Form(
    name="mine",
    title="How it went",
    items=[
        FormItem(id="read", kind="text", text="Think of the whole session."),
        FormItem(id="easy", kind="scale", text="It was easy.", values=STEPS, labels=STEPS, low="No", high="Yes"),
        FormItem(id="best", kind="choice", text="Which part?", values=["first", "none"], labels=["First", "Neither"]),
        FormItem(id="note", kind="free", text="Anything else?"),
    ],
)


@pytest.fixture
def show(put_up):
    """A window over a room."""
    windows = []

    def made(room) -> Window:
        window = Window(LIGHT, texts_in("en"))
        Screen(window, room.station, TalkKey(room.stamp, window), LIGHT, texts_in("en"))
        put_up(window)
        windows.append(window)
        return window

    yield made
    for window in windows:
        window.ask_before_leaving(False)


@pytest.fixture
def window(room, show) -> Window:
    """On the main page."""
    made = show(room)
    room.settle_in()
    return made


@pytest.fixture
def form(window, room) -> Window:
    """On the page of the form."""
    _finish_scenario(room)
    return window


def _finish_scenario(room) -> None:
    room.scenario(1)
    room.tell(ScenarioOver, seq=2, scenario_id="s1", forms=[FORM])
    room.page("form")


def _radio(window: Window, name: str) -> QRadioButton:
    return window.findChild(QRadioButton, f"form_{name}")


def _choose(radio: QRadioButton) -> None:
    """A click on the circle: a wide button takes none beside its words."""
    QTest.mouseClick(radio, Qt.MouseButton.LeftButton, pos=QPoint(8, radio.height() // 2))


def _filled(room) -> list[tuple[dict[str, str], bool]]:
    lines = [one.data for one in room.entries if one.type == "form_filled" and one.data["form"] == "mine"]
    return [(line["values"], line.get("complete", True)) for line in lines]


def test_a_form_comes_when_the_scenario_is_over_and_each_answer_is_kept(room, form):
    _choose(_radio(form, "best_none"))
    # A digit chooses, whichever circle has the cursor.
    QTest.keyClick(_radio(form, "easy_1"), "4")
    room.until(lambda: _filled(room) == [({"best": "none"}, False), ({"easy": "4"}, False)])
    QTest.mouseClick(form.findChild(QPushButton, "form_go_on"), Qt.MouseButton.LeftButton)
    room.page("main")
    room.until(lambda: _filled(room)[-1] == ({}, True))


def test_the_keyboard_alone_fills_a_form(room, form):
    _radio(form, "easy_1").setFocus()
    QTest.keyClick(_radio(form, "easy_1"), Qt.Key.Key_Right)
    QTest.keyClick(_radio(form, "best_first"), Qt.Key.Key_Space)
    note = form.findChild(QLineEdit, "form_note")
    note.setFocus()
    QTest.keyClicks(note, "fine")
    QTest.keyClick(note, Qt.Key.Key_Return)
    room.page("main")
    room.until(lambda: len(_filled(room)) == 4)
    given = {name: value for values, _ in _filled(room) for name, value in values.items()}
    assert given == {"easy": "2", "best": "first", "note": "fine"}


def test_who_goes_on_too_early_is_led_to_the_missing_answer_once(room, form):
    go_on, notice = form.findChild(QPushButton, "form_go_on"), form.findChild(QLabel, "form_missing")
    assert not notice.isVisible()
    QTest.mouseClick(go_on, Qt.MouseButton.LeftButton)
    assert room.view.page == "form" and notice.isVisible() and "2 of 2" in notice.text()
    _choose(_radio(form, "best_none"))
    assert "1 of 2" in notice.text()
    QTest.mouseClick(go_on, Qt.MouseButton.LeftButton)
    room.page("main")
    room.until(lambda: _filled(room)[-1:] == [({"easy": ""}, True)])


def test_nobody_goes_on_without_an_explicit_choice_where_one_is_required(room, window):
    """The page that asks whether the recordings may be kept, and a lab's own consent."""
    required = [replace(one, required=one.id == "best") for one in FORM.items]
    room.scenario(1)
    room.tell(ScenarioOver, seq=2, scenario_id="s1", forms=[replace(FORM, items=required)])
    room.page("form")
    go_on, notice = window.findChild(QPushButton, "form_go_on"), window.findChild(QLabel, "form_missing")
    for _ in range(5):
        QTest.mouseClick(go_on, Qt.MouseButton.LeftButton)
        assert room.view.page == "form" and notice.text() == texts_in("en").form_required
    assert _radio(window, "best_first").hasFocus() and not _radio(window, "best_first").isChecked()
    _choose(_radio(window, "best_none"))
    assert "1 of 2" in notice.text()
    for _ in range(2):
        QTest.mouseClick(go_on, Qt.MouseButton.LeftButton)
    room.page("main")
    room.until(lambda: _filled(room) == [({"best": "none"}, False), ({"easy": ""}, True)])


def test_a_station_that_comes_back_shows_the_answers_given_before(qtbot, make_room, tmp_path, show):
    first = make_room(tmp_path / "spool")
    window = show(first)
    first.settle_in()
    _finish_scenario(first)
    _choose(_radio(window, "easy_5"))
    first.until(lambda: len(_filled(first)) == 1)
    window.ask_before_leaving(False)
    first.close()
    second = make_room(tmp_path / "spool")
    again = show(second)
    second.welcome(microphone="desk")
    second.page("main")
    _finish_scenario(second)
    assert _radio(again, "easy_5").isChecked()
    assert not _radio(again, "best_none").isChecked()


def test_the_next_subject_finds_nothing_of_the_one_before(qtbot, room, show):
    """Neither the test of the microphone, which would let them go on untested, nor the answers to a form."""
    window = show(room)
    room.welcome(microphone="desk")
    room.page("mic_test")
    room.ready()
    room.ask()
    room.until(lambda: window.findChild(QPushButton, "mic_continue").isEnabled())
    assert window.findChild(QLabel, "mic_result").text()
    room.settle_in()
    _finish_scenario(room)
    _choose(_radio(window, "easy_5"))
    room.until(lambda: len(_filled(room)) == 1)
    room.over(3)
    room.station.acts.finish_form(FORM.name)
    room.until(lambda: _filled(room)[-1][1])
    room.station.on_acked(room.entries[-1].seq)
    room.until(lambda: room.station.hello().session_id == "")
    room.welcome(session_id="e01-01", identity="3" * 32, microphone="desk")
    room.page("mic_test")
    room.ready()
    assert not window.findChild(QPushButton, "mic_continue").isEnabled()
    assert not window.findChild(QLabel, "mic_result").text()
    room.station.acts.finish_mic_test()
    room.station.acts.finish_briefing()
    _finish_scenario(room)
    assert not _radio(window, "easy_5").isChecked()


def test_a_session_that_ends_early_shows_its_forms_before_the_closing_page(room, window):
    room.scenario(1)
    room.tell(SessionOver, seq=2, text="Goodbye.", forms=[FORM])
    room.page("form")
    for _ in range(2):
        QTest.mouseClick(window.findChild(QPushButton, "form_go_on"), Qt.MouseButton.LeftButton)
    room.page("closing")


def test_the_way_back_keeps_the_answers_and_leads_through_the_pages_again(room, window):
    room.scenario(1)
    second = replace(FORM, name="second", title="About the sound")
    room.tell(ScenarioOver, seq=2, scenario_id="s1", forms=[FORM, second])
    room.page("form")
    place, back = window.findChild(QLabel, "form_place"), window.findChild(QPushButton, "form_back")
    assert (place.text(), back.isVisible()) == ("Page 1 of 2", False)
    _choose(_radio(window, "best_none"))
    _choose(_radio(window, "easy_4"))
    room.station.acts.finish_form("mine")
    assert (place.text(), back.isVisible()) == ("Page 2 of 2", True)
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert place.text() == "Page 1 of 2"
    assert _radio(window, "easy_4").isChecked()
    _choose(_radio(window, "easy_2"))
    QTest.keyClick(window, Qt.Key.Key_Return)
    assert place.text() == "Page 2 of 2"
    room.until(lambda: ({"easy": "2"}, False) in _filled(room))


def test_nobody_goes_back_from_the_page_that_says_who_answered(room):
    room.settle_in()
    room.scenario(1)
    last = replace(FORM, name="disclosure")
    room.tell(SessionOver, seq=2, text="Goodbye.", forms=[FORM, last])
    room.station.acts.finish_form("mine")
    assert (room.view.form.name, room.view.form_place, room.view.may_go_back) == ("disclosure", (2, 2), False)
    room.station.acts.go_back_to_form()
    assert room.view.form.name == "disclosure"


def test_whoever_has_read_who_answered_is_asked_to_wait_for_nothing(room):
    room.settle_in()
    room.scenario(1)
    room.tell(ScenarioOver, seq=2, scenario_id="s1", forms=[replace(FORM, name="disclosure")])
    room.page("form")
    room.station.acts.finish_form("disclosure")
    room.page("closing")
    room.scenario(3)
    room.page("main")


def test_a_question_without_an_answer_says_so_in_words(room, form):
    QTest.keyClick(form, Qt.Key.Key_Return)
    said = [one for one in form.findChildren(QLabel, "form_unanswered") if one.isVisible()]
    assert [one.text() for one in said] == ["Not answered"] * 2
    assert "2 of 2" in form.findChild(FormSheet).property("announced")
    _choose(_radio(form, "easy_4"))
    assert sum(one.isVisible() for one in said) == 1
