"""From an empty folder to a verified session in the home window, by keys, without a terminal."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companions.home.tests.conftest import Hands
from curtain.qt import style
from curtain.rehearsal import player
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, prepare_sounds, replay_into
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from curtain.session.turns.turns import read_turns
from curtain_home.control.memory import HomeMemory
from curtain_home.program import HomeApp
from tests.support.driven_station import silent_wav
from tests.support.studies import without_drafts

pytestmark = [pytest.mark.stations]

COUNT = ScriptStep(say="How many employees are there?", query="how many employees are there",
                   sql=["SELECT count(*) FROM employee"])  # fmt: skip


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty folder 研究"
    folder.mkdir()
    return folder


def test_a_session_with_both_stations_is_verified_and_then_waits_for_an_annotator(
    qapp: QApplication, qtbot: QtBot, empty: Path, tmp_path: Path
) -> None:
    stations: dict[str, RunningStation] = {}
    # Two such stories beside each other must not meet.
    meeting = f"curtain-home-{os.getpid()}"

    def start(arguments: Sequence[str], log: Path) -> object:
        kind, *options = arguments
        mine = ["--listen", meeting]
        if kind == "subject":
            sound = silent_wav(tmp_path / "silence.wav")
            mine = ["--connect", meeting, "--mic-file", str(sound), "--spool", str(tmp_path / "spool")]
        environment = {"QT_QPA_PLATFORM": "offscreen"}
        stations[kind] = RunningStation(kind, [*options, *mine], log, environment)  # type: ignore[arg-type]
        return stations[kind].process

    memory = HomeMemory(tmp_path / "home.json")
    home = HomeApp(style.apply(qapp, "light"), memory, tmp_path / "logs", start=start)  # type: ignore[arg-type]
    home.begin()
    hands = Hands(qtbot, home)
    try:
        hands.until(state="empty")
        hands.keys("Ctrl+Shift+N")
        hands.until("study_name", focus=True)
        hands.type("two rooms")
        hands.keys("Tab", "Ctrl+A")
        hands.type(str(empty))
        hands.keys("Return")
        hands.until(state="study", study="two rooms", running="")
        without_drafts(empty / "two rooms")
        hands.keys("Ctrl+Shift+B")
        hands.until(stations="wizard subject")
        play(stations, tmp_path)
        hands.until(stations="", state="study", sessions=1, next="verify")
        hands.keys("Ctrl+Return")
        hands.until(done="verify", end="good", running="", state="study", next="annotate")
        assert hands.text("next_step") == "Still to annotate: 1 turn of 1."
    finally:
        for station in stations.values():
            station.quit()
        home.window.hide()
        home.close()

    [session] = load_study(empty / "two rooms").sessions()
    assert Bundle(session.path).verify() == []
    [turn] = [one.as_json() for one in read_turns(Bundle(session.path))]
    assert (turn["query"], turn["outcome"]) == ("how many employees are there", "answer")


def play(stations: dict[str, RunningStation], scratch: Path) -> None:
    """One question and its answer, by the keys of both stations."""
    stage = Stage(stations["wizard"], stations["subject"], replay_into(stations["subject"]))
    stage.sounds = prepare_sounds([COUNT], scratch / "script", scratch, lambda _: None)
    player.begin_session(stage, "e00")
    # A session begins with practice, whose turns wait for no annotator.
    player.play_step(stage, 0, ScriptStep(do="scenario", id="anniversary"))
    player.play_step(stage, 1, COUNT)
    player.end_session(stage)
    for station in stations.values():
        station.quit()


@pytest.mark.soak
def test_the_sample_session_is_played_verified_and_exported(empty: Path, tmp_path: Path) -> None:
    state = {"XDG_DATA_HOME": str(tmp_path / "state"), "QT_QPA_PLATFORM": "offscreen"}
    with RunningStation("home", [], tmp_path / "home.log", state) as home:
        home.wait("window", state="empty", next="new_study")
        home.keys("Ctrl+Return")
        home.wait("study_name", focus=True)
        home.type("my-study")
        home.keys("Tab")
        home.keys("Ctrl+A")
        home.type(str(empty))
        home.keys("Return")
        home.wait("window", state="study", study="my-study", sessions=0, running="")
        # As this computer has a microphone or not.
        assert home.text_of("do_next") in ("Run a trial session", "Let subjects type …")

        home.keys("Ctrl+Shift+P")
        home.wait("window", running="sample_session")
        home.wait("window", done="sample_session", end="good", running="", sessions=1, state="study")
        assert home.text_of("activity_text").endswith("was played. It is marked as a trial.")
        home.keys("Ctrl+Shift+V")
        home.wait("window", done="verify", end="good", running="", state="study")
        assert home.text_of("next_step").startswith("There are only trial sessions so far.")

        home.keys("Ctrl+Shift+E")
        home.wait("formats", focus=True)
        for box in ("A", "T"):
            home.keys(f"Alt+{box}")
        home.wait("with_live", checked=True)
        home.wait("with_trials", checked=True)
        home.keys("Return")
        home.wait("window", done="export", end="good", running="")

    study = load_study(empty / "my-study")
    [session] = study.sessions()
    assert session.state == "closed" and Bundle(session.path).verify() == []
    assert Bundle(session.path).read_session_json()["pilot"] is True
    assert len(read_turns(Bundle(session.path))) > 5
    assert list((empty / "my-study-exports" / "parquet").rglob("*.parquet"))
