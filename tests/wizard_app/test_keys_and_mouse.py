"""A session by keys and by mouse alone: tasks are read and left, a reply is taken back, the end says who answered."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import UNSET, structs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.commands.people.consent import list_consents
from curtain.link.messages import AnswerShown, MessageShown, QueryShown, SessionOver
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.subject_events import DISCLOSURE, FormFilled
from curtain.session.events.wizard_events import StatementRun
from curtain.session.study.study import Study
from tests.wizard_app.room import CONTROL, PLAN, SHIFT, Opening, Room
from wizard_app.window.panels.turn_list import TurnList


class Mouse:
    """A hand that only clicks; words reach the query as from a keyboard."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def click(self, name: str) -> None:
        found = self.room.window.findChild(QAbstractButton, name)
        self.room.qtbot.waitUntil(lambda: found.isVisible() and found.isEnabled())
        self.room.qtbot.mouseClick(found, Qt.MouseButton.LeftButton)

    def click_key(self, does: str) -> None:
        def found() -> QWidget | None:
            buttons = self.room.window.findChild(QWidget, "key_strip").findChildren(QAbstractButton)
            return next((one for one in buttons if one.isVisible() and one.accessibleName().startswith(does)), None)

        self.room.qtbot.waitUntil(lambda: found() is not None)
        assert found().focusPolicy() is Qt.FocusPolicy.NoFocus
        self.room.qtbot.mouseClick(found(), Qt.MouseButton.LeftButton)

    def click_row(self, name: str, at: int) -> None:
        rows = self.room.window.findChild(QListView, name)
        place = rows.visualRect(rows.model().index(at, 0)).center() if at >= 0 else QPoint()
        self.room.qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def text(self, name: str) -> str:
        return self.room.window.findChild(QAbstractButton, name).text()


def test_a_session_by_mouse_alone(room_of: Callable[..., Room]) -> None:
    room = room_of(take_back_s=10.0)
    room.window.resize(1280, 720)
    mouse = Mouse(room)
    room.begin()
    # A message, by a click on its row and on what says that it sends it.
    first = room.speak()
    mouse.click_row("messages", 2)
    assert mouse.text("send_message").startswith("Send message 3: ")
    mouse.click("send_message")
    room.wait(state="idle", take_back=first)
    # The next reply lets it go; the query goes by a button, the statement and the answer, too.
    second = room.speak()
    room.field("query").insertPlainText("how many departments are there")
    assert QApplication.focusWidget() is room.field("query")
    mouse.click("send_query")
    room.wait(state="answer")
    room.field("sql").setPlainText("SELECT count(*) FROM department")
    mouse.click("run")
    room.wait(sql_state="done")
    assert mouse.text("send_answer").startswith("Send “")
    mouse.click("send_answer")
    room.wait(state="idle", answered_turn=first, take_back=second)
    # Taken back: it was on no screen, and everything is as it was.
    mouse.click("send_answer")
    room.wait(state="answer", turn=second, sql_state="done", take_back=0)
    assert not room.subject.shown_of(AnswerShown)
    mouse.click_key("send answer")
    room.wait(state="idle", take_back=second)
    # The end of the session lets it go, too.
    mouse.click_key("end the scenario")
    room.press_in_dialog("end_and_begin_next")
    room.wait(scenario="fair", take_back=0, answered_turn=second)
    mouse.click_key("end the scenario")
    room.press_in_dialog("end_scenario_confirmed")
    room.wait(scenario="")
    mouse.click_key("end the session")
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closed")
    assert [len(room.subject.shown_of(kind)) for kind in (MessageShown, QueryShown, AnswerShown)] == [1, 1, 1]
    lines = Bundle(Path(room.window.property("bundle"))).read_wizard_journal().entries
    kinds = [line.type for line in lines if line.type in ("answer_sent", "message_sent", "reply_taken_back")]
    assert kinds == ["message_sent", "reply_taken_back", "answer_sent"]


def test_an_earlier_turn_is_found_looked_at_and_its_statement_runs_again(qtbot: QtBot, room: Room) -> None:
    room.begin()
    statement = "SELECT count(*) FROM department"
    first = room.speak()
    room.send_query("how many departments are there")
    room.run(statement)
    room.send_answer(first)
    second = room.speak()
    room.field("query").insertPlainText("how many are there")
    turns, search = room.window.findChild(TurnList, "turn_list"), room.window.findChild(QLineEdit, "turn_search")
    for words, found in (("DEPARTMENTS many", [first]), ("count(*)", [first]), ("salary", []), ("", [first, second])):
        search.setText(words)
        assert [row.number for row in turns.rows] == found
        assert (turns.findChild(QLabel, "turn_list_empty").text() == "") == bool(found)
    # From the words to what they found; who looks at it sees all turns again.
    search.setText("DEPARTMENTS")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert (turns.selected, QApplication.focusWidget()) == (first, turns)
    # Looked at while the next turn is open; its table is copied, and its statement runs for that turn.
    turns.look_requested.emit(first)
    room.wait(state="archive")
    assert search.text() == ""
    assert room.window.findChild(QLabel, "archive_query").text() == "how many departments are there"
    assert statement in room.window.findChild(QPlainTextEdit, "archive_sql").toPlainText()
    table = next(one for one in room.window.findChildren(QTableView, "answer_rows") if one.isVisible())
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().split("\n")[-1].isdigit()
    Mouse(room).click("archive_again")
    room.wait(state="transcribe", turn=second, sql_state="done")
    assert room.field("query").toPlainText() == "how many are there"
    session = room.app.station.controllers.session.session

    def again() -> list[tuple[int | None, object]]:
        runs = [(turn, fact) for _, turn, fact in session.facts_after(0) if isinstance(fact, StatementRun)]
        return [(turn, fact.again_of) for turn, fact in runs]

    # The line is in the journal a moment after the result is on the screen.
    qtbot.waitUntil(lambda: again() == [(first, UNSET), (second, first)])
    # Esc only goes back.
    turns.look_requested.emit(first)
    room.wait(state="archive")
    room.key(Qt.Key.Key_Escape)
    room.wait(state="transcribe", turn=second)


def texts_of_dialog() -> str:
    dialog = QApplication.activeModalWidget()
    return "\n".join(label.text() for label in dialog.findChildren(QLabel)) if dialog is not None else ""


def wait_for_dialog(room: Room, text: str) -> None:
    room.qtbot.waitUntil(lambda: text in texts_of_dialog())


def test_the_task_is_read_with_a_key_and_left_with_the_same_or_escape(room: Room) -> None:
    room.begin()
    room.wait(scenario="anniversary")
    room.speak()
    task = room.window.findChild(QTextBrowser, "task")
    for leave in ((Qt.Key.Key_T, CONTROL | SHIFT), (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)):
        room.key(Qt.Key.Key_T, CONTROL | SHIFT)
        assert QApplication.focusWidget() is task
        room.key(*leave)
        assert QApplication.focusWidget() is room.field("query")
    shown = room.subject.welcome
    assert shown is not None
    assert "Scenario 1 of 2" in task.toPlainText()
    assert len(task.toPlainText()) > 100


def test_the_end_of_a_scenario_and_of_the_session_name_the_tasks_that_remain(room: Room) -> None:
    room.begin()
    room.wait(scenario="anniversary")
    room.key(Qt.Key.Key_E, CONTROL)
    wait_for_dialog(room, "One scenario remains: ")
    assert "No scenario remains" not in texts_of_dialog()
    room.key(Qt.Key.Key_Escape)
    room.key(Qt.Key.Key_E, CONTROL | SHIFT)
    wait_for_dialog(room, "One scenario remains: ")
    room.key(Qt.Key.Key_Escape)
    room.key(Qt.Key.Key_E, CONTROL)
    room.key(Qt.Key.Key_Return)
    room.wait(scenario="fair")
    assert room.app.station is not None
    assert room.app.station.controllers.session.progress.ended_ids == {"anniversary"}
    room.key(Qt.Key.Key_E, CONTROL)
    wait_for_dialog(room, "No scenario remains after this one.")
    room.key(Qt.Key.Key_E, CONTROL)
    room.wait(scenario="")


@pytest.mark.parametrize("ends", ["read", "as it is", "resumed"])
@pytest.mark.parametrize("practice", ["practice", None])
def test_a_session_discloses_who_answered_or_says_that_it_has_not(
    qtbot: QtBot,
    opening: Opening,
    room_of: Callable[..., Room],
    study: Study,
    capsys: pytest.CaptureFixture[str],
    practice: str | None,
    ends: str,
) -> None:
    settings = study.folder / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace("disclose = false", "disclose = true"), "utf-8")
    disclosing = structs.replace(study, disclose=True)
    room = room_of(disclosing)
    room.begin(replace(PLAN, practice_id=practice))
    room.key(Qt.Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closing")
    qtbot.waitUntil(lambda: bool(room.subject.shown_of(SessionOver)))
    (over,) = room.subject.shown_of(SessionOver)
    assert [one.name for one in over.forms] == [DISCLOSURE]
    if ends == "resumed":
        room.leave()
        room = Room(qtbot, opening(disclosing, resume=True), room.subject, room.link_name)
        room.wait(state="closing", link="up")
    if ends == "as it is":
        room.window.findChild(QPushButton, "close_as_it_is").click()
        room.press_in_dialog("close_as_it_is_confirmed")
    else:
        room.subject.fact(FormFilled(form=DISCLOSURE, values={"data": "keep"}))
    room.wait(state="closed")
    shown = room.window.findChild(QLabel, "closing_message").text()
    list_consents(study.folder)
    listed = capsys.readouterr().out
    assert "curtain consent STUDY e00-01 --disclosed DAY" in shown if ends == "as it is" else "STUDY" not in shown
    assert ("not disclosed who answered" in listed) is (ends == "as it is")
    assert Path(room.window.property("bundle")).is_dir()
