"""The whole wizard's station in this process: real window, link, journals, database; the subject is a stand-in."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from curtain.commands.sessions import study_reader
from curtain.corpus.model.reader import read_session
from curtain.link.messages import (
    AnswerShown,
    AudioSafe,
    MessageShown,
    PauseShown,
    QueryShown,
    ScenarioOver,
    ScenarioShown,
    SessionOver,
    Waiting,
)
from curtain.ports import discovery
from curtain.qt.windows.dialog import AskDialog
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.events.subject_events import DeviceFound, DeviceLost, FormFilled, HistoryCleared, SolutionReported
from curtain.session.events.wizard_events import ScenarioEnded, SpeakerDescribed, wizard_fact
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import Study
from curtain.session.turns.turns import read_turns
from tests.looks.test_names import nameless
from tests.wizard_app.room import CONTROL, PATIENCE_MS, PLAN, SHIFT, Opening, Room
from tests.wizard_app.stand_in import StandIn
from wizard_app.desk.session import ending
from wizard_app.desk.session.ending import close_files


@pytest.fixture(params=[True, False])
def companions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.setattr(discovery, "installed", lambda: discovery.Installed(()))


def test_a_session_from_the_first_page_to_the_manifest(companions: None, room: Room) -> None:
    room.wait(link="up", state="start")
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(Waiting)))
    room.begin()
    turn = room.speak()
    messages = room.app.station.pages.work.messages
    messages.set_messages(load_message_set("base"), {})
    messages.pick("no_information")
    # Also what comes with the turn and with a message has a name for a screen reader.
    assert list(nameless(room.window)) == []
    room.key(Qt.Key.Key_Escape)
    room.field("query").setFocus()
    room.send_query("how many employees are there")
    room.run("SELECT count(*) FROM employees")
    assert room.window.property("sql_state") == "failed"
    room.run("SELECT count(*) FROM employee")
    room.send_answer(turn)
    room.speak()
    room.send_message(2)
    room.qtbot.waitUntil(lambda: len(room.subject.shown_of(AudioSafe)) == 2)
    bundle = room.close_session()
    assert bundle.verify() == []
    first, second = read_turns(bundle)
    assert (first.query, first.outcome, len(first.attempts)) == ("how many employees are there", "answer", 2)
    assert first.attempts[0].error is not None
    assert first.reply.cas_min is not None
    assert "423" in first.reply.cas_min
    assert (second.outcome, second.reply.message_id if second.reply else None) == ("message", "unable")
    assert len(room.subject.shown_of(SessionOver)) == 1
    assert [type(one) for one in room.subject.shown_of(QueryShown)] == [QueryShown]


def test_the_consent_and_the_speaker_are_on_the_disk_first_and_the_secret_is_outside_the_bundle(
    room: Room, study: Study
) -> None:
    stated = SpeakerDescription(age="20-29", native_english=True)
    room.begin(replace(PLAN, speaker=stated))
    bundle = room.app.station.controllers.session.session.bundle
    entries = bundle.read_wizard_journal().entries
    assert [entry.type for entry in entries[:3]] == ["epoch", "session_opened", "consent_confirmed"]
    assert next(type(one) for one in room.subject.shown if not isinstance(one, ScenarioShown)) is Waiting
    facts = map(wizard_fact, entries)
    assert [fact.speaker for fact in facts if isinstance(fact, SpeakerDescribed)] == [stated]
    assert read_session(bundle.path).speaker == stated
    kept = study.folder / "state" / "e00-01.seat"
    assert kept.stat().st_mode & 0o077 == 0
    assert kept.read_text().strip() == room.subject.welcome.secret
    everything = b"".join(path.read_bytes() for path in (study.folder / "sessions").rglob("*") if path.is_file())
    assert kept.read_text().strip().encode() not in everything
    assert room.subject.welcome.identity.encode() in everything


def test_a_wrong_answer_is_corrected_with_two_keys_and_both_stay(room: Room) -> None:
    room.begin()
    room.speak()
    # A query that was typed and not sent leaves with the answer.
    room.type("how many departments are there")
    room.key(Qt.Key.Key_L, CONTROL)
    room.run("SELECT count(*) FROM employee")
    room.send_answer(1)
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(AnswerShown)))
    shown = [type(one).__name__ for one in room.subject.shown if isinstance(one, QueryShown | AnswerShown)]
    assert shown == ["QueryShown", "AnswerShown"]
    room.key(Qt.Key.Key_F8)
    room.wait(state="correct", turn=1)
    assert room.field("sql").toPlainText() == "SELECT count(*) FROM employee"
    room.run("SELECT count(*) FROM department")
    room.key(Qt.Key.Key_Escape)
    room.qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), AskDialog))
    room.key(Qt.Key.Key_Escape)
    room.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert room.field("sql").toPlainText() == "SELECT count(*) FROM department"
    room.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    room.wait(state="idle")
    room.qtbot.waitUntil(lambda: len(room.subject.shown_of(AnswerShown)) == 2)
    assert [one.corrects for one in room.subject.shown_of(AnswerShown)] == [False, True]
    (turn,) = read_turns(room.close_session())
    assert (turn.query, turn.outcome, len(turn.corrections)) == ("how many departments are there", "answer", 1)
    assert "wizard-error" in turn.tags


def test_practice_counts_at_the_end_as_in_the_list_of_sessions(room: Room, study: Study) -> None:
    room.begin(replace(PLAN, practice_id="balance"))
    room.speak()
    room.send_query("who is there")
    room.send_message(1)
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(AudioSafe)))
    room.close_session()
    shown = room.window.findChild(QLabel, "closing_message").text()
    assert "Turns: 0; with a reply: 0. Practice turns, not counted: 1." in shown
    (listed,) = study_reader.begin_study(study.folder, {}, date(2026, 1, 1)).sessions
    assert study_reader.read_session(listed).turns == 0


def test_takes_queue_and_the_oldest_is_worked_on_while_the_cursor_stays(room: Room) -> None:
    room.begin()
    room.qtbot.waitUntil(lambda: room.field("query").placeholderText().startswith("Nothing"))
    painted = _Paints(room.field("query").viewport())
    room.speak()
    assert room.field("query").placeholderText().startswith("Type what you hear")
    room.qtbot.waitUntil(lambda: painted.placeholder.startswith("Type what you hear"))
    room.type("first")
    room.subject.speak()
    room.subject.speak()
    room.wait(open_turns=3, turn=1)
    assert QApplication.focusWidget() is room.field("query")
    assert room.field("query").toPlainText() == "first"
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(state="answer")
    assert QApplication.focusWidget() is room.field("sql")
    room.key(Qt.Key.Key_M, CONTROL)
    room.type("8")
    room.key(Qt.Key.Key_Return)
    room.wait(turn=2, state="transcribe")
    assert QApplication.focusWidget() is room.field("query")
    assert room.field("query").toPlainText() == ""


def test_a_scenario_ends_with_the_answer_that_was_typed_or_spoken(room: Room) -> None:
    room.begin()
    room.subject.fact(SolutionReported(scenario_id="anniversary", value="Tokyo", how="typed"))
    room.wait(solution="Tokyo")
    room.key(Qt.Key.Key_N, CONTROL)
    room.key(Qt.Key.Key_Return)
    room.wait(scenario="fair")
    (ended,) = room.app.station.controllers.session.progress.scenarios_ended
    assert ended == ScenarioEnded(scenario_id="anniversary", reason="answered", answer="Tokyo", how="typed")
    room.speak()
    room.send_query("End scenario. The answer is Kyoto")
    room.key(Qt.Key.Key_E, CONTROL)
    dialog = QApplication.activeModalWidget()
    answer = dialog.findChild(QLineEdit, "end_answer")
    assert answer.text() == "Kyoto"
    room.key(Qt.Key.Key_E, CONTROL)
    room.wait(state="idle", scenario="")
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(ScenarioOver)))
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(MessageShown)))
    (thanks,) = room.subject.shown_of(MessageShown)
    assert "noted" in thanks.text  # type: ignore[attr-defined]
    _, ended = room.app.station.controllers.session.progress.scenarios_ended
    assert ended == ScenarioEnded(scenario_id="fair", reason="answered", answer="Kyoto", how="spoken")


def test_pause_note_and_lost_link_are_journaled(room: Room) -> None:
    room.begin()
    room.speak()
    room.key(Qt.Key.Key_F9)
    room.type("the door slammed")
    room.key(Qt.Key.Key_Return)
    room.key(Qt.Key.Key_P, CONTROL)
    room.wait(state="paused")
    room.key(Qt.Key.Key_P, CONTROL)
    room.wait(state="transcribe")
    room.subject.link.close()
    room.wait(link="down")
    # What is sent now arrives once the link is up.
    room.type("who is the oldest")
    room.key(Qt.Key.Key_Return, CONTROL)
    room.key(Qt.Key.Key_M, CONTROL)
    room.type("3")
    room.key(Qt.Key.Key_Return)
    room.wait(answered_turn=1)
    room.subject.dial(room.link_name)
    room.wait(link="up")
    session = room.app.station.controllers.session
    room.qtbot.waitUntil(lambda: session.progress.turns[1].notes == ("the door slammed",))
    wanted = {"Note", "Paused", "Resumed", "LinkLost", "LinkRestored"}

    def all_journaled() -> bool:
        return wanted <= {type(fact).__name__ for _, _, fact in session.session.facts_after(0)}

    room.qtbot.waitUntil(all_journaled)
    room.qtbot.waitUntil(lambda: len(room.subject.shown_of(PauseShown)) == 2)
    assert [one.paused for one in room.subject.shown_of(PauseShown)] == [True, False]  # type: ignore[attr-defined]
    room.qtbot.waitUntil(lambda: len(room.subject.shown_of(MessageShown)) == 1)
    assert len(room.subject.shown_of(QueryShown)) == 1


def test_closing_over_an_open_turn_asks_once_and_the_session_can_be_resumed(
    qtbot: QtBot, room: Room, opening: Opening
) -> None:
    room.begin()
    room.speak()
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(AudioSafe)))
    room.send_query("how many women work here")
    room.type("SELECT 4")
    room.window.close()
    room.window.close()
    assert room.window.isVisible()
    (dialog,) = room.window.findChildren(AskDialog)
    assert "The subject is asked to wait" in " ".join(part.text() for part in dialog.findChildren(QLabel))
    room.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    room.window.close()
    with qtbot.waitSignal(room.app.window.closed):
        room.press_in_dialog("close_confirmed")
    room.leave()
    again = Room(qtbot, opening(resume=True), room.subject, room.link_name)
    again.wait(state="answer", turn=1, session="e00-01", link="up")
    assert again.field("query").toPlainText() == "how many women work here"
    assert again.field("sql").toPlainText() == "SELECT 4"
    again.run("SELECT count(*) FROM employee WHERE sex = 'F'")
    again.send_answer(1)
    welcome = room.subject.welcome
    assert list(welcome.audio_have) == ["e00-01-001"]
    assert again.close_session().verify() == []


def test_the_wizard_reads_where_the_subject_is_and_what_its_station_reports(room: Room) -> None:
    room.begin()
    subject, problem = room.subject, room.app.window.problem

    def says(label: str, words: str) -> None:
        shown = room.window.findChild(QLabel, label)
        room.qtbot.waitUntil(lambda: words in shown.text())

    says("scenario_line", "at the microphone test")
    subject.report_status(recording=False, test="quiet")
    says("microphone_lamp", "mic test: too quiet")
    says("scenario_line", "microphone test with “Headset”: too quiet")
    subject.report_status(recording=False, test="good")
    says("microphone_lamp", "mic test: good")
    subject.report_status(recording=False)
    room.qtbot.waitUntil(lambda: room.window.findChild(QLabel, "microphone_lamp").text() == "mic")
    subject.fact(FormFilled(form="microphone_test"))
    says("scenario_line", "reading the briefing")
    subject.fact(FormFilled(form="briefing"))
    scenario = room.window.findChild(QLabel, "scenario_line")
    room.qtbot.waitUntil(lambda: "subject" not in scenario.text().lower())
    subject.fact(HistoryCleared())
    says("scenario_line", "started over")

    subject.fact(DeviceLost(name="Headset"))
    room.qtbot.waitUntil(lambda: "Headset" in problem.text)
    subject.fact(DeviceFound(name="Headset", sample_rate=16000))
    room.qtbot.waitUntil(lambda: problem.text == "")
    subject.report_status(disk_hours=0.0)
    says("problem_text", "disk is full")
    subject.report_status(disk_hours=41.0)
    room.qtbot.waitUntil(lambda: "disk" not in problem.text)
    subject.report_status(absent=["voice", "second_microphone"])
    says("problem_text", "Answers are not said aloud")
    says("problem_text", "The second microphone does not record")
    subject.report_status()
    room.qtbot.waitUntil(lambda: problem.text == "")
    subject.press()
    for _ in range(2):
        subject.report_status(level_dbfs=-120.0)
    says("problem_text", "no sound comes")
    subject.report_status(recording=False, level_dbfs=-120.0)
    subject.release(peak_dbfs=-120.0)
    says("problem_text", "Turn 1 holds no sound")
    subject.speak()
    room.qtbot.waitUntil(lambda: problem.text == "")
    assert "started over" not in scenario.text()


def test_every_recording_of_a_turn_comes_over_and_is_checked(room: Room) -> None:
    room.begin()
    turn = room.speak()
    beside = {f"audio/{name}/e00-01-001.wav": room.subject.record_beside(name) for name in ("wide", "second")}
    room.send_query("how many employees are there")
    room.send_message(turn)
    bundle = room.close_session()
    assert bundle.verify() == []
    for name, wav in beside.items():
        assert (bundle.path / name).read_bytes() == wav.read_bytes()
        assert name in bundle.manifest.read_text("utf-8")
    assert {"microphone": "Room", "sample_rate": 48000} in bundle.read_session_json()["audio"]
    assert [turn.audio for turn in read_turns(bundle)] == ["audio/e00-01-001.wav"]
    bundle.manifest.unlink()
    first, second = (bundle.path / name for name in beside)
    first.write_bytes(first.read_bytes()[:-2] + b"xx")
    second.unlink()
    problems = {problem.file: problem.what for problem in bundle.verify()}
    assert problems["audio/wide/e00-01-001.wav"] == "The recording is not the one that was saved."
    assert problems["audio/second/e00-01-001.wav"] == "The recording has not arrived yet."


@pytest.fixture
def killed_closing(qtbot: QtBot, room: Room, opening: Opening) -> Room:
    """A wizard's station that resumes a session which was ended while its subject was away."""
    room.begin()
    room.speak()
    room.send_message(1)
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(AudioSafe)))
    room.subject.link.close()
    room.wait(link="down")
    room.key(Qt.Key.Key_E, CONTROL | SHIFT)
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closing")
    room.leave()
    again = Room(qtbot, opening(resume=True), room.subject, room.link_name)
    again.wait(state="closing", session="e00-01")
    return again


def test_a_session_killed_while_it_closes_is_completed_with_what_was_said_meanwhile(killed_closing: Room) -> None:
    assert killed_closing.subject.speak() == 2
    killed_closing.subject.dial(killed_closing.link_name)
    killed_closing.wait(state="closed")
    bundle = Bundle(Path(killed_closing.window.property("bundle")))
    assert bundle.verify() == []
    assert [turn.audio for turn in read_turns(bundle)] == ["audio/e00-01-001.wav", "audio/e00-01-002.wav"]


def test_a_subject_that_has_nothing_of_an_ended_session_lets_it_be_completed(
    killed_closing: Room, stand_in: Callable[[], StandIn]
) -> None:
    stranger = stand_in()
    stranger.dial(killed_closing.link_name)
    killed_closing.wait(state="closed")
    assert stranger.welcome is None
    assert Bundle(Path(killed_closing.window.property("bundle"))).verify() == []


def test_what_comes_to_be_known_while_files_are_let_go_is_not_written_behind_the_manifest(
    killed_closing: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    letting_go, reported = threading.Event(), threading.Event()

    def slowly(*of: Any) -> None:
        letting_go.set()
        assert reported.wait(PATIENCE_MS / 1000)
        close_files(*of)

    monkeypatch.setattr(ending, "close_files", slowly)
    killed_closing.subject.dial(killed_closing.link_name)
    killed_closing.qtbot.waitUntil(letting_go.is_set)
    station = killed_closing.app.station
    station.controllers.session.describe({"principles": 1991}, lambda future: future.result())
    reported.set()
    killed_closing.wait(state="closed")
    station.backgrounds.files.run(lambda: None).result(
        PATIENCE_MS / 1000
    )  # one thing after the other: nothing is still to come
    assert Bundle(Path(killed_closing.window.property("bundle"))).verify() == []


def test_a_yes_no_question_is_marked_and_unmarked_and_the_maximum_travels_with_the_answer(room: Room) -> None:
    room.begin()
    room.speak()
    room.send_query("are there any clerks who make over 50000 dollars")
    room.run("SELECT employee_id FROM employee WHERE job_title LIKE '%CLERK%' AND salary > 50000")
    assert room.field("cas_min").toPlainText() == "FALSE"
    room.key(Qt.Key.Key_F6)
    room.wait(sql_state="stale")
    room.key(Qt.Key.Key_F5)
    room.wait(sql_state="done")
    assert room.field("cas_min").toPlainText() == "()"
    room.key(Qt.Key.Key_F6)
    room.key(Qt.Key.Key_F5)
    room.qtbot.waitUntil(lambda: room.field("cas_min").toPlainText() == "FALSE")
    room.send_answer(1)
    room.speak()
    room.send_query("which employees work in department 10")
    room.run("SELECT last_name FROM employee WHERE department = 10")
    warned = room.window.findChild(QLabel, "rule_warning")
    room.qtbot.waitUntil(lambda: warned.text().startswith("T1.employees"))
    room.send_answer(2)
    room.qtbot.waitUntil(lambda: warned.isHidden())
    first, second = [one.as_json() for one in read_turns(room.close_session())]
    assert (first["yes_no"], first["cas_min"], first["cas_max"]) == (True, "FALSE", "FALSE")
    assert '("LEASE" 1028 "SHARON"' in second["cas_max"]
    assert second["sql_max"].startswith("SELECT minimum.last_name, minimum.employee_id")


def test_the_list_of_turns_is_used_by_keys_to_listen_and_to_note_and_an_old_session_is_not_changed(room: Room) -> None:
    room.begin()
    for number in (1, 2):
        room.speak()
        room.send_query("who is there")
        room.send_message(number)
    room.qtbot.waitUntil(lambda: len(room.subject.shown_of(AudioSafe)) == 2)
    room.key(Qt.Key.Key_F7)
    turns = room.window.findChild(QWidget, "turn_list")
    assert turns.hasFocus()
    room.key(Qt.Key.Key_Up)
    room.key(Qt.Key.Key_F2)
    assert room.app.station.controllers.listen.turn == 1
    room.key(Qt.Key.Key_F9)
    room.type("the door slammed")
    room.key(Qt.Key.Key_Return)
    progress = room.app.station.controllers.session
    room.qtbot.waitUntil(lambda: progress.progress.turns[1].notes == ("the door slammed",))
    details = room.window.findChild(QLabel, "turn_details")
    assert "Note: the door slammed" in details.text()
    room.key(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is room.field("query")
    room.key(Qt.Key.Key_F7)
    room.key(Qt.Key.Key_F7)
    assert QApplication.focusWidget() is room.field("query")
    bundle = room.close_session()
    before = {path: path.read_bytes() for path in bundle.path.rglob("*") if path.is_file()}
    room.key(Qt.Key.Key_Escape)
    room.wait(state="start")
    room.app.window.start.look_requested.emit("e00-01")
    room.wait(state="archive")
    assert room.window.findChild(QWidget, "archive_query").property("text") == "who is there"
    assert {path: path.read_bytes() for path in bundle.path.rglob("*") if path.is_file()} == before


def test_the_query_tells_of_a_recording_that_was_cut_short_and_how_to_ask_again(room: Room) -> None:
    room.begin()
    reported = room.window.findChild(QLabel, "cut_short_text")
    assert reported is not None and not reported.isVisible()
    room.subject.press()
    room.subject.release(ended_by="focus_lost")
    room.wait(state="transcribe")
    room.qtbot.waitUntil(reported.isVisible)
    assert reported.text() == "Recording cut short: another window came to the front. Ctrl+M, Enter asks again."
    room.type("how many")
    room.key(Qt.Key.Key_M, CONTROL)
    room.key(Qt.Key.Key_Return)
    room.wait(state="idle", answered_turn=1)
    assert not reported.isVisible()
    room.qtbot.waitUntil(lambda: bool(room.subject.shown_of(MessageShown)))
    (shown,) = room.subject.shown_of(MessageShown)
    assert isinstance(shown, MessageShown) and shown.text.startswith(
        "The beginning or the end of your query is missing"
    )


def test_time_over_points_at_the_message_that_the_strip_names_and_leaves_the_cursor(
    qtbot: QtBot, room_of: Callable[..., Room]
) -> None:
    room = room_of(deadline_s=0.2)
    room.begin()
    room.speak()
    messages, strip = room.window.findChild(QListWidget, "messages"), room.window.findChild(QWidget, "key_strip")

    def both_name(words: str) -> None:
        item = messages.currentItem()
        assert item is not None and words in item.text()
        assert words in strip.property("text")

    qtbot.waitUntil(lambda: both_name("was not understood"))
    room.type("who")
    room.wait(urgency="over", picking=False)
    assert QApplication.focusWidget() is room.field("query")
    qtbot.waitUntil(lambda: both_name("is unable to answer"))
    room.key(Qt.Key.Key_M, CONTROL)
    room.key(Qt.Key.Key_Down)
    room.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: both_name("is unable to answer"))
    room.key(Qt.Key.Key_M, CONTROL)
    room.key(Qt.Key.Key_Return)
    room.wait(state="idle", answered_turn=1)
    qtbot.waitUntil(lambda: messages.currentItem() is None)
    qtbot.waitUntil(lambda: bool(room.subject.shown_of(MessageShown)))
    (message,) = room.subject.shown_of(MessageShown)
    assert "unable" in message.text


class _Paints(QObject):
    """What the placeholder was when the field was painted last."""

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self.placeholder = ""
        viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        field = watched.parent()
        if event.type() == QEvent.Type.Paint and isinstance(field, QPlainTextEdit):
            self.placeholder = field.placeholderText()
        return False


def test_a_station_that_was_to_resume_says_that_no_session_waits(qtbot: QtBot, opening: Opening) -> None:
    window = opening(resume=True).window
    qtbot.waitUntil(lambda: window.notice.text == "No session waits to be resumed. Start a new one.")
