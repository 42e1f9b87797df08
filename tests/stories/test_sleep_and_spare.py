"""A computer that sleeps and wakes, and one that is replaced: the session in two rooms goes on where it was."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from curtain.rehearsal.player import begin_session, end_session, run_statements, send_query, speak
from curtain.rehearsal.stage import Stage, StepSound, replay_into, wait_s
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import Turn, read_turns
from tests.stories.kills import write_noise
from tests.stories.test_two_rooms import booth_again, pair, started_again, two_rooms

pytestmark = [pytest.mark.stations, pytest.mark.soak]

SPOKEN_S = 0.6


def on_stage(folder: Path, wizard: RunningStation, subject: RunningStation, turns: int = 3) -> Stage:
    sounds = {number: write_noise(folder / f"{number}.wav", SPOKEN_S, number) for number in range(turns + 1)}
    said = {number: StepSound(wav, SPOKEN_S) for number, wav in sounds.items()}
    return Stage(wizard, subject, replay_into(subject), sounds=said)


def ask_and_answer(stage: Stage, number: int) -> None:
    speak(stage, stage.sounds[number])
    answer(stage, number)


def answer(stage: Stage, number: int) -> None:
    stage.wizard.wait("window", turn=number, state="transcribe")
    send_query(stage.wizard, f"question number {number}")
    run_statements(stage.wizard, ["SELECT count(*) FROM employee"])
    stage.wizard.keys("Ctrl+Shift+Return")
    stage.subject.wait("window", shown_turn=number)


def speak_alone(stage: Stage, number: int) -> None:
    """Without a look at the wizard's station."""
    stage.subject.ask("press", key="Space")
    stage.subject.wait("window", state="listening")
    stage.voice(stage.sounds[number])
    stage.subject.ask("release", key="Space")


@contextmanager
def asleep(*stations: RunningStation) -> Iterator[None]:
    """The whole computer stops, with whatever the station has started."""
    family = [psutil.Process(station.process.pid) for station in stations]
    everyone = [member for parent in family for member in (parent, *parent.children(recursive=True))]
    for member in everyone:
        os.kill(member.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for member in everyone:
            with suppress(ProcessLookupError):
                os.kill(member.pid, signal.SIGCONT)


def assert_whole(folder: Path, turns: int) -> list[Turn]:
    """Every turn is there once, in order, with its audio and the painted answer."""
    bundle = Bundle(folder)
    assert bundle.verify() == []
    kept = read_turns(bundle)
    shown = [turn.as_json() for turn in kept]
    assert [turn["turn"] for turn in shown] == list(range(1, turns + 1))
    assert all(turn["times"]["painted"] is not None for turn in shown)
    return kept


@pytest.mark.parametrize("seconds", [3.0, 120.0])
@pytest.mark.parametrize("who", ["subject", "wizard", "both"])
def test_after_a_sleep_the_session_goes_on(tmp_path: Path, who: str, seconds: float) -> None:
    with two_rooms(tmp_path) as (wizard, subject, _):
        pair(wizard, subject)
        stage = on_stage(tmp_path, wizard, subject)
        begin_session(stage, "s00")
        ask_and_answer(stage, 1)
        sleepers = {"subject": [subject], "wizard": [wizard], "both": [wizard, subject]}[who]
        with asleep(*sleepers):
            if who == "wizard":
                # Recorded while nobody hears it.
                speak_alone(stage, 2)
            wait_s(seconds)
        if who == "wizard":
            answer(stage, 2)
        else:
            ask_and_answer(stage, 2)
        ask_and_answer(stage, 3)
        assert_whole(end_session(stage), 3)


@pytest.mark.parametrize("same_address", [True, False])
def test_another_computer_goes_on_in_the_wizards_place_with_one_command_and_the_code(
    tmp_path: Path, same_address: bool
) -> None:
    with two_rooms(tmp_path) as (wizard, subject, proxy), ExitStack() as stack:
        pair(wizard, subject)
        stage = on_stage(tmp_path, wizard, subject)
        begin_session(stage, "s00")
        ask_and_answer(stage, 1)
        wizard.kill()
        # The subject goes on while nobody is there.
        speak_alone(stage, 2)
        shutil.copytree(tmp_path / "study", tmp_path / "copy")
        (tmp_path / "spare-run").mkdir(mode=0o700)
        options = ["--study", str(tmp_path / "copy"), "--listen", "127.0.0.1:0", "--resume"]
        spare = stack.enter_context(started_again("wizard", tmp_path, options, "spare"))
        spare.wait("window", session="s00-01")
        spare.wait("missing_line", text={"contains": "Code "})
        line = spare.text_of("missing_line")
        code, address = line[-7:], line.partition("--connect ")[2].split(". ")[0]
        if same_address:
            proxy.lead_to(int(address.rpartition(":")[2]))
            there = subject
        else:
            subject.quit()
            there = stack.enter_context(booth_again(tmp_path, address))
        there.wait("room_problem", text={"contains": "paired"})
        there.wait("room_code", focus=True)
        there.type(code)
        there.keys("Return")
        spare.wait("window", link="up")
        spare.wait("missing_line", visible=False)
        resumed = on_stage(tmp_path / "copy", spare, there)
        answer(resumed, 2)
        ask_and_answer(resumed, 3)
        folder = end_session(resumed)
        assert folder.is_relative_to(tmp_path / "copy")
        assert_whole(folder, 3)
