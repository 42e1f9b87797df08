"""The subject's window and the page in Chromium beside each other, at the same virtual microphone, in whole sessions.

    python bench/browser_station.py

Needs Chromium and PulseAudio. All times in milliseconds, the median of all questions and the largest. A click is dated
by the key's time and the key's frame in the take, and compared with the moment at which PulseAudio had taken it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile
from size import sized

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companions.browser.tests.browsers import Chromium
from companions.browser.tests.page_subject import browser_session
from curtain.audio.wav import read_wav
from curtain.base.clock import steady_ns
from curtain.rehearsal.player import begin_session, end_session, speak
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations, wait_s
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.subject_events import KeyDown, KeyUp, Painted, TakeSaved, subject_fact
from curtain.session.events.wizard_events import AnswerSent, QuerySent, wizard_fact
from tests.stories.test_sleep_and_spare import answer
from tests.support.studies import short_study
from tests.support.virtual_microphone import RATE, missing_programs, virtual_microphone

TURNS = sized(12, 1)
HELD_S, BEFORE_S, CLICK_S = 0.8, 0.3, 0.05
ROWS = (
    "key let go → “One moment” is on the screen", "key let go → the wizard can write", "query sent → on the screen",
    "answer sent → on the screen", "a click is dated later than it was made",
)  # fmt: skip


def main() -> None:
    """Measure both, and print the table."""
    if missing_programs() or shutil.which("chromium") is None:
        print("Chromium or PulseAudio is missing; nothing is measured.")
        return
    found = {}
    with tempfile.TemporaryDirectory() as folder, virtual_microphone() as environment:
        os.environ.update(environment)
        for name, session in (("window", window_session), ("page", page_session)):
            (Path(folder) / name).mkdir()
            found[name] = measured(Path(folder) / name, session)
    print(f"| median of {TURNS} (largest), ms | window | page in Chromium |\n|---|---|---|")
    for row, name in enumerate(ROWS):
        print(f"| {name} | {shown(found['window'][row])} | {shown(found['page'][row])} |")


def shown(values: list[float]) -> str:
    """Median and largest."""
    return f"{statistics.median(values):.0f} ({max(values):.0f})"


@contextmanager
def window_session(folder: Path) -> Iterator[Stage]:
    """Both windows, with PulseAudio's microphone."""
    study = short_study(folder / "study", listen_live="false")
    plan = RehearsalPlan(Path(), "personnel", study, headless=True, microphone="default")
    with two_stations(plan, study, folder) as stage:
        yield stage


@contextmanager
def page_session(folder: Path) -> Iterator[Stage]:
    """The wizard's window and the page, with the same microphone."""
    with browser_session(folder, lambda at, _noise: Chromium(at), listen_live="false") as (stage, _, _):
        yield stage


def measured(folder: Path, session: Callable[[Path], object]) -> list[list[float]]:
    """The values of each row, a question each."""
    samples = np.random.default_rng(3).integers(-12000, 12000, round(CLICK_S * RATE), np.int16)
    soundfile.write(folder / "click.wav", samples, RATE)
    subprocess.run(["pactl", "upload-sample", str(folder / "click.wav"), "click"], check=True)
    sound, clicks, heard = StepSound(folder / "click.wav", HELD_S), [], []

    def click(sound: StepSound) -> None:
        wait_s(BEFORE_S)
        subprocess.run(["pactl", "play-sample", "click"], check=True)
        clicks.append(steady_ns())
        wait_s(sound.seconds - BEFORE_S)

    with session(folder) as stage:
        stage.voice, stage.sounds = click, dict.fromkeys(range(TURNS + 1), sound)
        begin_session(stage, "b00")
        # The first was the microphone test.
        clicks.clear()
        for turn in range(1, TURNS + 1):
            speak(stage, sound)
            stage.wizard.wait("window", turn=turn, state="transcribe")
            heard.append(steady_ns())
            answer(stage, turn)
        bundle = Bundle(end_session(stage))
    return [list(row) for row in zip(*rows_of(bundle, clicks, heard), strict=True)]


def rows_of(bundle: Bundle, clicks: list[int], heard: list[int]) -> Iterator[tuple[float, ...]]:
    """One for each question. Both stations and this program read one clock."""
    painted, sent, keys, takes = {}, {}, {}, {}
    for entry in bundle.read_subject_journal().entries:
        fact, turn = subject_fact(entry), entry.turn
        if isinstance(fact, Painted):
            painted[turn, fact.what] = fact.at_ns or entry.t_ns
        elif isinstance(fact, KeyDown | KeyUp):
            keys[turn, type(fact)] = fact
        elif isinstance(fact, TakeSaved):
            takes[turn] = fact
    for entry in bundle.read_wizard_journal().entries:
        if isinstance(wizard_fact(entry), QuerySent | AnswerSent):
            sent[entry.turn, entry.type] = entry.t_ns
    for turn, (click_ns, heard_ns) in enumerate(zip(clicks, heard, strict=True), 1):
        take, released = takes[turn], keys[turn, KeyUp].released_ns
        samples = read_wav(bundle.path / "audio" / f"{take.utterance_id}.wav").samples[:, 0]
        frame = int(np.argmax(np.abs(samples.astype(int)) > 2000))
        dated = keys[turn, KeyDown].pressed_ns + (frame - take.key_down_frame) * 1e9 / take.sample_rate
        spans = (
            painted[turn, "one_moment"] - released, heard_ns - released,
            painted[turn, "query"] - sent[turn, "query_sent"], painted[turn, "answer"] - sent[turn, "answer_sent"],
            dated - click_ns,
        )  # fmt: skip
        yield tuple(span / 1e6 for span in spans)


if __name__ == "__main__":
    main()
