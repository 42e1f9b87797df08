"""Two booths and one wizard's station: the second one is called to the place by a key, its call for help is read."""

from pathlib import Path

import numpy as np
import pytest

from curtain.rehearsal.player import begin_session, end_session
from curtain.rehearsal.stage import StepSound
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from tests.stories.kills import RATE, write_noise
from tests.stories.test_kills import samples_of
from tests.stories.test_sleep_and_spare import SPOKEN_S, ask_and_answer, assert_whole, on_stage
from tests.stories.test_two_rooms import booth_again, pair, two_rooms

# The short forms are tests/link/test_booths.py and companions/rooms/tests/booths.
pytestmark = [pytest.mark.stations, pytest.mark.soak]

MOST_FIELDS = 60
SPEAKERS = ("one", "two")


def list_holds(wizard: RunningStation, words: str) -> None:
    wizard.wait("booths", states={"contains": words})


def call_last_booth(wizard: RunningStation) -> None:
    """Give the last one of the list the next session, by keys alone."""
    for _ in range(MOST_FIELDS):
        if wizard.has("booths", focus=True):
            break
        wizard.keys("Tab")
    wizard.keys("End")
    wizard.keys("Space")


def test_a_waiting_booth_calls_for_help_and_gets_the_next_session(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, first, proxy), booth_again(tmp_path, f"127.0.0.1:{proxy.port}", "2") as second:
        pair(wizard, first)
        wizard.wait("window", link="up")
        pair(wizard, second)
        list_holds(wizard, "   connected, ready; ")
        list_holds(wizard, " 2   waits")

        second.keys("Tab")
        second.keys("Return")
        list_holds(wizard, " 2   asks for help")
        wizard.keys("Ctrl+Shift+A")
        list_holds(wizard, " 2   waits")

        call_last_booth(wizard)
        list_holds(wizard, " 2   connected, ready")
        list_holds(wizard, "   waits: another booth is connected; ")
        first.wait("window", state="waiting")


def test_two_booths_have_a_session_each_one_after_the_other_and_nothing_is_mixed(tmp_path: Path) -> None:
    with two_rooms(tmp_path) as (wizard, first, proxy), booth_again(tmp_path, f"127.0.0.1:{proxy.port}", "2") as second:
        pair(wizard, first)
        wizard.wait("window", link="up")
        pair(wizard, second)
        list_holds(wizard, " 2   waits")
        folders = []
        for number, (booth, speaker) in enumerate(zip((first, second), SPEAKERS, strict=True)):
            if number:
                wizard.keys("Escape")
                wizard.wait("window", state="start")
                call_last_booth(wizard)
                list_holds(wizard, " 2   connected, ready")
            stage = on_stage(tmp_path, wizard, booth)
            # Each speaks in a voice of their own, twice; the other booth waits and hears of nothing.
            stage.sounds = {turn: spoken(tmp_path, speaker, turn) for turn in (0, 1, 2)}
            begin_session(stage, speaker)
            ask_and_answer(stage, 1)
            ask_and_answer(stage, 2)
            if not number:
                assert second.has("window", state="waiting")
            folders.append(end_session(stage))
        assert [folder.name for folder in folders] == [f"{speaker}-01" for speaker in SPEAKERS]
        for folder, speaker, spool in zip(folders, SPEAKERS, ("spool", "spool2"), strict=True):
            assert_whole(folder, 2)
            recordings = sorted(path.name for path in (folder / "audio").iterdir())
            assert recordings == [f"{speaker}-01-00{turn}.wav" for turn in (1, 2)]
            for turn in (1, 2):
                heard = samples_of(folder / "audio" / f"{speaker}-01-00{turn}.wav")
                original = samples_of(tmp_path / f"{speaker}-{turn}.wav")
                heard = np.trim_zeros(heard)
                assert np.array_equal(heard, np.trim_zeros(original)[: len(heard)]) and len(heard) > RATE // 4
            # What a booth has kept is of its own speaker alone.
            others = [name for name in SPEAKERS if name != speaker]
            assert not [path for path in (tmp_path / spool).rglob("*") if path.name.startswith(tuple(others))]
        identities = {Bundle(folder).read_session_json()["identity"] for folder in folders}
        assert len(identities) == 2


def spoken(folder: Path, speaker: str, turn: int) -> StepSound:
    seed = 10 * SPEAKERS.index(speaker) + turn
    return StepSound(write_noise(folder / f"{speaker}-{turn}.wav", SPOKEN_S, seed), SPOKEN_S)
