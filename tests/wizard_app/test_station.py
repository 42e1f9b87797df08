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


def test_a_wrong_answer_is_corrected_with_two_keys_and_both_stay(begun: Room) -> None:
    begun.speak()
    # A query that was typed and not sent leaves with the answer.
    begun.type("how many departments are there")
    begun.key(Qt.Key.Key_L, CONTROL)
    begun.run("SELECT count(*) FROM employee")
    begun.send_answer(1)
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(AnswerShown)))
    shown = [type(one).__name__ for one in begun.subject.shown if isinstance(one, QueryShown | AnswerShown)]
    assert shown == ["QueryShown", "AnswerShown"]
    begun.key(Qt.Key.Key_F8)
    begun.wait(state="correct", turn=1)
    assert begun.field("sql").toPlainText() == "SELECT count(*) FROM employee"
    begun.run("SELECT count(*) FROM department")
    begun.key(Qt.Key.Key_Escape)
    begun.qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), AskDialog))
    begun.key(Qt.Key.Key_Escape)
    begun.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    assert begun.field("sql").toPlainText() == "SELECT count(*) FROM department"
    begun.key(Qt.Key.Key_Return, CONTROL | SHIFT)
    begun.wait(state="idle")
    begun.qtbot.waitUntil(lambda: len(begun.subject.shown_of(AnswerShown)) == 2)
    assert [one.corrects for one in begun.subject.shown_of(AnswerShown)] == [False, True]
    (turn,) = read_turns(begun.close_session())
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


def test_takes_queue_and_the_oldest_is_worked_on_while_the_cursor_stays(begun: Room) -> None:
    begun.qtbot.waitUntil(lambda: begun.field("query").placeholderText().startswith("Nothing"))
    painted = _Paints(begun.field("query").viewport())
    begun.speak()
    assert begun.field("query").placeholderText().startswith("Type what you hear")
    begun.qtbot.waitUntil(lambda: painted.placeholder.startswith("Type what you hear"))
    begun.type("first")
    begun.subject.speak()
    begun.subject.speak()
    begun.wait(open_turns=3, turn=1)
    assert QApplication.focusWidget() is begun.field("query")
    assert begun.field("query").toPlainText() == "first"
    begun.key(Qt.Key.Key_Return, CONTROL)
    begun.wait(state="answer")
    assert QApplication.focusWidget() is begun.field("sql")
    begun.key(Qt.Key.Key_M, CONTROL)
    begun.type("8")
    begun.key(Qt.Key.Key_Return)
    begun.wait(turn=2, state="transcribe")
    assert QApplication.focusWidget() is begun.field("query")
    assert begun.field("query").toPlainText() == ""


def test_a_scenario_ends_with_the_answer_that_was_typed_or_spoken(begun: Room) -> None:
    begun.subject.fact(SolutionReported(scenario_id="anniversary", value="Tokyo", how="typed"))
    begun.wait(solution="Tokyo")
    begun.key(Qt.Key.Key_N, CONTROL)
    begun.key(Qt.Key.Key_Return)
    begun.wait(scenario="fair")
    (ended,) = begun.app.station.controllers.session.progress.scenarios_ended
    assert ended == ScenarioEnded(scenario_id="anniversary", reason="answered", answer="Tokyo", how="typed")
    begun.speak()
    begun.send_query("End scenario. The answer is Kyoto")
    begun.key(Qt.Key.Key_E, CONTROL)
    dialog = QApplication.activeModalWidget()
    answer = dialog.findChild(QLineEdit, "end_answer")
    assert answer.text() == "Kyoto"
    begun.key(Qt.Key.Key_E, CONTROL)
    begun.wait(state="idle", scenario="")
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(ScenarioOver)))
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(MessageShown)))
    (thanks,) = begun.subject.shown_of(MessageShown)
    assert "noted" in thanks.text  # type: ignore[attr-defined]
    _, ended = begun.app.station.controllers.session.progress.scenarios_ended
    assert ended == ScenarioEnded(scenario_id="fair", reason="answered", answer="Kyoto", how="spoken")


def test_pause_note_and_lost_link_are_journaled(begun: Room) -> None:
    begun.speak()
    begun.key(Qt.Key.Key_F9)
    begun.type("the door slammed")
    begun.key(Qt.Key.Key_Return)
    begun.key(Qt.Key.Key_P, CONTROL)
    begun.wait(state="paused")
    begun.key(Qt.Key.Key_P, CONTROL)
    begun.wait(state="transcribe")
    begun.subject.link.close()
    begun.wait(link="down")
    # What is sent now arrives once the link is up.
    begun.type("who is the oldest")
    begun.key(Qt.Key.Key_Return, CONTROL)
    begun.key(Qt.Key.Key_M, CONTROL)
    begun.type("3")
    begun.key(Qt.Key.Key_Return)
    begun.wait(answered_turn=1)
    begun.subject.dial(begun.link_name)
    begun.wait(link="up")
    session = begun.app.station.controllers.session
    begun.qtbot.waitUntil(lambda: session.progress.turns[1].notes == ("the door slammed",))
    wanted = {"Note", "Paused", "Resumed", "LinkLost", "LinkRestored"}

    def all_journaled() -> bool:
        return wanted <= {type(fact).__name__ for _, _, fact in session.session.facts_after(0)}

    begun.qtbot.waitUntil(all_journaled)
    begun.qtbot.waitUntil(lambda: len(begun.subject.shown_of(PauseShown)) == 2)
    assert [one.paused for one in begun.subject.shown_of(PauseShown)] == [True, False]  # type: ignore[attr-defined]
    begun.qtbot.waitUntil(lambda: len(begun.subject.shown_of(MessageShown)) == 1)
    assert len(begun.subject.shown_of(QueryShown)) == 1


def test_closing_over_an_open_turn_asks_once_and_the_session_can_be_resumed(
    qtbot: QtBot, begun: Room, opening: Opening
) -> None:
    begun.speak()
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(AudioSafe)))
    begun.send_query("how many women work here")
    begun.type("SELECT 4")
    begun.window.close()
    begun.window.close()
    assert begun.window.isVisible()
    (dialog,) = begun.window.findChildren(AskDialog)
    assert "The subject is asked to wait" in " ".join(part.text() for part in dialog.findChildren(QLabel))
    begun.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    begun.window.close()
    with qtbot.waitSignal(begun.app.window.closed):
        begun.press_in_dialog("close_confirmed")
    begun.leave()
    again = Room(qtbot, opening(resume=True), begun.subject, begun.link_name)
    again.wait(state="answer", turn=1, session="e00-01", link="up")
    assert again.field("query").toPlainText() == "how many women work here"
    assert again.field("sql").toPlainText() == "SELECT 4"
    again.run("SELECT count(*) FROM employee WHERE sex = 'F'")
    again.send_answer(1)
    welcome = begun.subject.welcome
    assert list(welcome.audio_have) == ["e00-01-001"]
    assert again.close_session().verify() == []


def test_the_wizard_reads_where_the_subject_is_and_what_its_station_reports(begun: Room) -> None:
    subject, problem = begun.subject, begun.app.window.problem

    def says(label: str, words: str) -> None:
        shown = begun.window.findChild(QLabel, label)
        begun.qtbot.waitUntil(lambda: words in shown.text())

    says("scenario_line", "at the microphone test")
    subject.report_status(recording=False, test="quiet")
    says("microphone_lamp", "mic test: too quiet")
    says("scenario_line", "microphone test with “Headset”: too quiet")
    subject.report_status(recording=False, test="good")
    says("microphone_lamp", "mic test: good")
    subject.report_status(recording=False)
    begun.qtbot.waitUntil(lambda: begun.window.findChild(QLabel, "microphone_lamp").text() == "mic")
    subject.fact(FormFilled(form="microphone_test"))
    says("scenario_line", "reading the briefing")
    subject.fact(FormFilled(form="briefing"))
    scenario = begun.window.findChild(QLabel, "scenario_line")
    begun.qtbot.waitUntil(lambda: "subject" not in scenario.text().lower())
    subject.fact(HistoryCleared())
    says("scenario_line", "started over")

    subject.fact(DeviceLost(name="Headset"))
    begun.qtbot.waitUntil(lambda: "Headset" in problem.text)
    subject.fact(DeviceFound(name="Headset", sample_rate=16000))
    begun.qtbot.waitUntil(lambda: problem.text == "")
    subject.report_status(disk_hours=0.0)
    says("problem_text", "disk is full")
    subject.report_status(disk_hours=41.0)
    begun.qtbot.waitUntil(lambda: "disk" not in problem.text)
    subject.report_status(absent=["voice", "second_microphone"])
    says("problem_text", "Answers are not said aloud")
    says("problem_text", "The second microphone does not record")
    subject.report_status()
    begun.qtbot.waitUntil(lambda: problem.text == "")
    subject.press()
    for _ in range(2):
        subject.report_status(level_dbfs=-120.0)
    says("problem_text", "no sound comes")
    subject.report_status(recording=False, level_dbfs=-120.0)
    subject.release(peak_dbfs=-120.0)
    says("problem_text", "Turn 1 holds no sound")
    subject.speak()
    begun.qtbot.waitUntil(lambda: problem.text == "")
    assert "started over" not in scenario.text()


def test_every_recording_of_a_turn_comes_over_and_is_checked(begun: Room) -> None:
    turn = begun.speak()
    beside = {f"audio/{name}/e00-01-001.wav": begun.subject.record_beside(name) for name in ("wide", "second")}
    begun.send_query("how many employees are there")
    begun.send_message(turn)
    bundle = begun.close_session()
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


def test_a_yes_no_question_is_marked_and_unmarked_and_the_maximum_travels_with_the_answer(begun: Room) -> None:
    begun.speak()
    begun.send_query("are there any clerks who make over 50000 dollars")
    begun.run("SELECT employee_id FROM employee WHERE job_title LIKE '%CLERK%' AND salary > 50000")
    assert begun.field("cas_min").toPlainText() == "FALSE"
    begun.key(Qt.Key.Key_F6)
    begun.wait(sql_state="stale")
    begun.key(Qt.Key.Key_F5)
    begun.wait(sql_state="done")
    assert begun.field("cas_min").toPlainText() == "()"
    begun.key(Qt.Key.Key_F6)
    begun.key(Qt.Key.Key_F5)
    begun.qtbot.waitUntil(lambda: begun.field("cas_min").toPlainText() == "FALSE")
    begun.send_answer(1)
    begun.speak()
    begun.send_query("which employees work in department 10")
    begun.run("SELECT last_name FROM employee WHERE department = 10")
    warned = begun.window.findChild(QLabel, "rule_warning")
    begun.qtbot.waitUntil(lambda: warned.text().startswith("T1.employees"))
    begun.send_answer(2)
    begun.qtbot.waitUntil(lambda: warned.isHidden())
    first, second = [one.as_json() for one in read_turns(begun.close_session())]
    assert (first["yes_no"], first["cas_min"], first["cas_max"]) == (True, "FALSE", "FALSE")
    assert '("LEASE" 1028 "SHARON"' in second["cas_max"]
    assert second["sql_max"].startswith("SELECT minimum.last_name, minimum.employee_id")


def test_the_list_of_turns_is_used_by_keys_to_listen_and_to_note_and_an_old_session_is_not_changed(begun: Room) -> None:
    for number in (1, 2):
        begun.speak()
        begun.send_query("who is there")
        begun.send_message(number)
    begun.qtbot.waitUntil(lambda: len(begun.subject.shown_of(AudioSafe)) == 2)
    begun.key(Qt.Key.Key_F7)
    turns = begun.window.findChild(QWidget, "turn_list")
    assert turns.hasFocus()
    begun.key(Qt.Key.Key_Up)
    begun.key(Qt.Key.Key_F2)
    assert begun.app.station.controllers.listen.turn == 1
    begun.key(Qt.Key.Key_F9)
    begun.type("the door slammed")
    begun.key(Qt.Key.Key_Return)
    progress = begun.app.station.controllers.session
    begun.qtbot.waitUntil(lambda: progress.progress.turns[1].notes == ("the door slammed",))
    details = begun.window.findChild(QLabel, "turn_details")
    assert "Note: the door slammed" in details.text()
    begun.key(Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is begun.field("query")
    begun.key(Qt.Key.Key_F7)
    begun.key(Qt.Key.Key_F7)
    assert QApplication.focusWidget() is begun.field("query")
    bundle = begun.close_session()
    before = {path: path.read_bytes() for path in bundle.path.rglob("*") if path.is_file()}
    begun.key(Qt.Key.Key_Escape)
    begun.wait(state="start")
    begun.app.window.start.look_requested.emit("e00-01")
    begun.wait(state="archive")
    assert begun.window.findChild(QWidget, "archive_query").property("text") == "who is there"
    assert {path: path.read_bytes() for path in bundle.path.rglob("*") if path.is_file()} == before


def test_the_query_tells_of_a_recording_that_was_cut_short_and_how_to_ask_again(begun: Room) -> None:
    reported = begun.window.findChild(QLabel, "cut_short_text")
    assert reported is not None and not reported.isVisible()
    begun.subject.press()
    begun.subject.release(ended_by="focus_lost")
    begun.wait(state="transcribe")
    begun.qtbot.waitUntil(reported.isVisible)
    assert reported.text() == "Recording cut short: another window came to the front. Ctrl+M, Enter asks again."
    begun.type("how many")
    begun.key(Qt.Key.Key_M, CONTROL)
    begun.key(Qt.Key.Key_Return)
    begun.wait(state="idle", answered_turn=1)
    assert not reported.isVisible()
    begun.qtbot.waitUntil(lambda: bool(begun.subject.shown_of(MessageShown)))
    (shown,) = begun.subject.shown_of(MessageShown)
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
