"""A recording process that is killed loses next to nothing, and what it leaves any player can play."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile

from curtain.audio.takes import recover_takes
from curtain.base.input_file import read_sound

RATE = 16000
NOISE = np.random.default_rng(11).integers(1, 30000, 60 * RATE, dtype=np.int16)
ROOT = Path(__file__).parents[2]


def start(wav: Path, take: Path) -> subprocess.Popen[str]:
    script = Path(__file__).with_name("record_until_killed.py")
    return subprocess.Popen(
        [sys.executable, str(script), str(wav), str(take)], stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def kill_after(process: subprocess.Popen[str], blocks: int) -> dict[str, float]:
    """The last of what it told under each word, by the time it died."""
    reported: dict[str, float] = {}
    for line in process.stdout:
        word, time = line.split()
        reported[word] = float(time)
        if "first" in reported:
            blocks -= 1
        if blocks == 0:
            process.kill()
    process.wait()
    process.stdout.close()
    return reported


def test_a_killed_recording_loses_at_most_100_ms_and_stays_playable(tmp_path):
    chance = random.Random(1)
    soundfile.write(tmp_path / "noise.wav", NOISE, RATE)
    takes = [tmp_path / f"e00-01-00{number}.wav" for number in range(5)]
    running = [start(tmp_path / "noise.wav", take) for take in takes]
    shown = [kill_after(process, chance.randint(5, 60)) for process in running]
    kept = [read_sound(take.with_suffix(".wav.part"))[0][:, 0] for take in takes]
    lost = [each["heard"] - each["first"] - len(part) / RATE for each, part in zip(shown, kept, strict=True)]
    assert max(lost) <= 0.1, lost
    repaired = recover_takes(tmp_path)
    assert [each.path for each in repaired] == takes
    for each, part in zip(repaired, kept, strict=True):
        at = NOISE.tobytes().find(part[:4].tobytes()) // 2
        assert np.array_equal(read_sound(each.path)[0][:, 0], NOISE[at : at + each.frames])
        assert 0 <= each.frames - len(part) <= 320  # killed between a block and its header
