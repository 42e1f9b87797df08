"""A whole session of a subject in headless Firefox, at a virtual microphone of 48 kHz."""

import shutil
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain.rehearsal.player import begin_session, end_session
from curtain.rehearsal.stage import StepSound, wait_s
from tests.stories.test_sleep_and_spare import ask_and_answer, assert_whole
from tests.support.virtual_microphone import missing_programs, virtual_microphone

from .browsers import Firefox
from .page_subject import NOISE, browser_session, lost_in, takes_of

MISSING = [*missing_programs(), *(["firefox-esr"] if shutil.which("firefox-esr") is None else [])]
pytestmark = [
    pytest.mark.stations,
    pytest.mark.soak,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}: tools/prepare.sh browser firefox-esr"),
]
RATE, TURNS, BLOCK = 48_000, 6, 1024


def test_takes_of_firefox_hold_what_was_played(tmp_path: Path) -> None:
    # PulseAudio gives the beginning of what it plays twice at times.
    soundfile.write(tmp_path / "said.wav", np.concatenate([np.zeros(RATE // 2, np.int16), NOISE[:RATE]]), RATE)
    with virtual_microphone(RATE) as sound:
        pactl = partial(subprocess.run, env=sound, check=True, timeout=60)
        pactl(["pactl", "upload-sample", tmp_path / "said.wav", "said"])

        def say(_: StepSound) -> None:
            pactl(["pactl", "play-sample", "said"])
            wait_s(1.5)

        with browser_session(tmp_path, lambda at, _noise: Firefox(at, **sound)) as (stage, _, _):
            stage.voice = say
            begin_session(stage, "f00")
            for turn in range(1, TURNS + 1):
                ask_and_answer(stage, turn)
            folder = end_session(stage)
    assert_whole(folder, TURNS)
    takes = [np.trim_zeros(take) for take in takes_of(folder)]
    lost = [lost_in(take) for take in takes]
    assert all(len(take) > 0.9 * RATE for take in takes)
    # What we lose are whole blocks of the page, and we put in no silence that is not listed.
    assert not [frames for one in lost for frames in one.skipped if frames % BLOCK == 0]
    if starved := [one for one in lost if one != ([], [])]:
        pytest.skip(f"The sound server was starved: {len(starved)} of {TURNS} takes are not whole.")
