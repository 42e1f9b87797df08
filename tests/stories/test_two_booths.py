"""Two booths and one wizard's station: the second one is called to the place by a key, its call for help is read."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from curtain.rehearsal.stations import RunningStation
from tests.stories.pairing import own_home, pair
from tests.stories.test_two_rooms import two_rooms

# The short forms are tests/link/network/test_booths.py and tests/wizard_app/rooms.
pytestmark = [pytest.mark.stations, pytest.mark.soak]

MOST_FIELDS = 60


def list_holds(wizard: RunningStation, words: str) -> None:
    wizard.wait("booths", states={"contains": words})


def test_a_waiting_booth_calls_for_help_and_gets_the_next_session(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, first, proxy), ExitStack() as stack:
        pair(wizard, first)
        wizard.wait("window", link="up")
        options = ["--connect", f"127.0.0.1:{proxy.port}", "--mic-file", str(tmp_path / "silence.wav")]
        env = {"QT_QPA_PLATFORM": "offscreen"} | own_home(tmp_path, "booth2")
        other = RunningStation(
            "subject", [*options, "--spool", str(tmp_path / "spool2")], tmp_path / "subject2.txt", env
        )
        second = stack.enter_context(other)
        pair(wizard, second)
        list_holds(wizard, "   connected, ready; ")
        list_holds(wizard, " 2   waits")

        second.keys("Tab")
        second.keys("Return")
        list_holds(wizard, " 2   ASKS FOR HELP")
        wizard.keys("Ctrl+Shift+A")
        list_holds(wizard, " 2   waits")

        for _ in range(MOST_FIELDS):
            if wizard.has("booths", focus=True):
                break
            wizard.keys("Tab")
        wizard.keys("End")
        wizard.keys("Space")
        list_holds(wizard, " 2   connected, ready")
        list_holds(wizard, "   waits: another booth is connected; ")
        first.wait("window", state="waiting")
