"""The whole way with the virtual microphone: what was played is in the take, bit for bit."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain.base.input_file import read_sound
from curtain.rehearsal.player import begin_session, end_session
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations, wait_s
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import read_turns
from tests.stories.conftest import SCRIPT, run_curtain
from tests.stories.kills import write_noise
from tests.stories.test_sleep_and_spare import answer, ask_and_answer
from tests.support.studies import short_study
from tests.support.virtual_microphone import MICROPHONE, SERVER_PID, missing_programs, virtual_microphone

pytestmark = [pytest.mark.stations, pytest.mark.skipif(bool(missing_programs()), reason="PulseAudio is not installed")]

RATE = 16000
NOISE = np.random.default_rng(7).integers(-9000, 9000, RATE, dtype=np.int16)


TRIES = 3


def quiet_study(folder: Path) -> Path:
    """The microphone hears the wizard's loudspeaker here: what is heard live would be recorded a second time."""
    return short_study(folder / "study", listen_live="false")


def rehearsed(folder: Path) -> list[np.ndarray]:
    """The takes of a session in which the noise was said twice."""
    soundfile.write(folder / "noise.wav", NOISE, RATE)
    study = quiet_study(folder)
    step = {"audio": "noise.wav", "query": "noise", "sql": ["SELECT count(*) FROM employee"]}
    (folder / "script.jsonl").write_text("\n".join([json.dumps(step)] * 2), "utf-8")
    with virtual_microphone() as environment:
        done = run_curtain(
            "rehearse", str(folder / "script.jsonl"), "--out", str(study), "--headless", "--mic", "default",
            **(os.environ | environment),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    bundle = Bundle(Path(done.stdout.strip().splitlines()[-1]))
    return takes_of(bundle)


def takes_of(bundle: Bundle) -> list[np.ndarray]:
    return [read_sound(bundle.path / str(turn.as_json()["audio"]))[0][:, 0] for turn in read_turns(bundle)]


def is_whole(take: np.ndarray) -> bool:
    at = take.tobytes().find(NOISE[:200].tobytes()) // 2
    return at > 0 and np.array_equal(take[at : at + len(NOISE)], NOISE)


@pytest.mark.soak
def test_both_turns_hold_what_was_played_sample_for_sample(tmp_path_factory: pytest.TempPathFactory) -> None:
    # On a starved machine the sound server itself may drop samples before anybody can record them: then play again.
    for _ in range(TRIES):
        takes = rehearsed(tmp_path_factory.mktemp("virtual"))
        assert len(takes) == 2
        if all(map(is_whole, takes)):
            return
    pytest.fail(f"in none of {TRIES} sessions do both takes hold the noise whole")


STALL_S = 4.0  # longer than a microphone may be silent before it counts as gone
SPOKEN_S = 0.6


@pytest.fixture
def sound_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The process id of a sound server whose microphone the stations that this test starts hear."""
    with virtual_microphone() as environment:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield int(environment[SERVER_PID])


@pytest.fixture
def stage(tmp_path: Path, sound_server: int) -> Iterator[Stage]:
    """A session that has begun, with the real microphone."""
    wavs = [write_noise(tmp_path / f"{number}.wav", SPOKEN_S, number) for number in range(4)]
    sounds = {number: StepSound(wav, SPOKEN_S) for number, wav in enumerate(wavs)}
    plan = RehearsalPlan(SCRIPT, "personnel", tmp_path, headless=True, microphone="default")
    with two_stations(plan, quiet_study(tmp_path), tmp_path) as both:
        stage = Stage(both.wizard, both.subject, lambda sound: play(sound.wav), sounds=sounds)
        begin_session(stage, "s00")
        yield stage


def play(wav: Path) -> None:
    subprocess.run(["paplay", str(wav)], check=True, timeout=30)


def suspend() -> None:
    subprocess.run(["pactl", "suspend-source", MICROPHONE, "1"], check=True, timeout=30)


def resume() -> None:
    subprocess.run(["pactl", "suspend-source", MICROPHONE, "0"], check=True, timeout=30)


@pytest.mark.soak
@pytest.mark.parametrize("stalled", ["source", "server"])
def test_a_microphone_that_stalls_for_long_comes_back_by_itself(stage: Stage, sound_server: int, stalled: str) -> None:
    ask_and_answer(stage, 1)
    subject = stage.subject
    # In a take: what was said until then is a turn.
    subject.ask("press", key="Space")
    subject.wait("window", state="listening")
    play(stage.sounds[2].wav)
    suspend() if stalled == "source" else os.kill(sound_server, signal.SIGSTOP)
    subject.wait("window", microphone="lost")
    wait_s(STALL_S)
    subject.ask("release", key="Space")
    resume() if stalled == "source" else os.kill(sound_server, signal.SIGCONT)
    subject.wait("window", microphone="ready")
    answer(stage, 2)
    ask_and_answer(stage, 3)
    takes = takes_of(Bundle(end_session(stage)))
    assert len(takes) == 3
    assert all(len(take) > SPOKEN_S * RATE for take in takes)
    assert (subject.quit(), stage.wizard.quit()) == (0, 0)


@pytest.mark.soak
@pytest.mark.parametrize("who", ["subject", "wizard"])
def test_a_station_whose_sound_stalls_ends_when_it_is_asked_to(stage: Stage, who: str) -> None:
    suspend()
    subprocess.run(["pactl", "suspend-sink", "@DEFAULT_SINK@", "1"], check=True, timeout=30)
    stage.subject.wait("window", microphone="lost")
    wait_s(STALL_S)
    station = {"subject": stage.subject, "wizard": stage.wizard}[who]
    station.process.send_signal(signal.SIGTERM)
    assert station.process.wait(15) == 0
