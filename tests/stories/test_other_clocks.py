"""The subject's computer has another time of day and another clock: the times of a turn are right all the same."""

import shutil
import subprocess
from pathlib import Path

import pytest

from companions.rooms.tests.network.fault_proxy import Faults
from curtain.base.clock import steady_ns
from curtain.rehearsal.player import begin_session, end_session
from curtain.rehearsal.stage import Stage
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import read_turns
from tests.stories.test_sleep_and_spare import answer, on_stage
from tests.stories.test_two_rooms import pair, two_rooms

# Debian's package `faketime` moves the time of day, and the kernel's time namespaces the clock that only counts.
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
MS = 1_000_000


def moved(seconds: int) -> list[str]:
    """What starts a program whose clock is so far from ours."""
    return ["unshare", "--user", "--map-root-user", "--time", f"--monotonic={seconds}", f"--boottime={seconds}"]


def may_move() -> bool:
    """Whether this machine lets us."""
    if FAKETIME is None or shutil.which("unshare") is None:
        return False
    return subprocess.run([*moved(1), "true"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.stations,
    pytest.mark.soak,
    pytest.mark.skipif(not may_move(), reason="needs faketime, and time namespaces that a user may make"),
]


@pytest.mark.parametrize("delay_ms", [0, 20])
@pytest.mark.parametrize("seconds", [-300, 300])
def test_times_are_right_within_the_stated_bound(tmp_path: Path, seconds: int, delay_ms: int) -> None:
    booth = {"LD_PRELOAD": str(FAKETIME), "FAKETIME": f"{-seconds:+d}s", "DONT_FAKE_MONOTONIC": "1"}
    with two_rooms(tmp_path, booth, moved(seconds)) as (wizard, subject, proxy):
        pair(wizard, subject)
        proxy.problems = Faults(delay_s=delay_ms / 1000)
        stage = on_stage(tmp_path, wizard, subject)
        begin_session(stage, "s00")
        asked = [press(stage, number) for number in (1, 2)]
        bundle = Bundle(end_session(stage))
    entries = bundle.read_wizard_journal().entries
    began = next(entry.t_ns for entry in entries if entry.type == "session_opened")
    turns = read_turns(bundle)
    assert len(turns) == len(asked)
    for turn, (before, after) in zip(turns, asked, strict=True):
        down, bound = turn.times["key_down"], turn.clock_bound_ms
        assert down is not None and bound is not None
        first, last = (before - began) / MS, (after - began) / MS
        print(f"{seconds:+d} s, {delay_ms} ms: pressed at {first:.0f} to {last:.0f}, says {down} give or take {bound}")
        assert first - bound - 1 <= down <= last + bound + 1
        # A bound that said nothing would hold, too; what is on a busy machine stays far below this.
        assert bound <= 3 * delay_ms + 60


def press(stage: Stage, number: int) -> tuple[int, int]:
    """Ask and be answered; between which two moments of this computer's clock the key went down, in ns."""
    stage.subject.wait("window", state="idle")
    before = steady_ns()
    stage.subject.ask("press", key="Space")
    after = steady_ns()
    stage.subject.wait("window", state="listening")
    stage.voice(stage.sounds[number])
    stage.subject.ask("release", key="Space")
    answer(stage, number)
    return before, after
