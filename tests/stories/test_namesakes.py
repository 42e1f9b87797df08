"""Sessions of three studies whose speakers bear the same ids share one subject's station, and stations are killed.

No file of one session is ever in another, and nobody waits for ever. `CURTAIN_NAMESAKES` sets how many sessions the
long story has, `CURTAIN_KILLS_SEED` when the kills fall.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from curtain.base.input_file import digest_of
from curtain.rehearsal.stations import RunningStation
from curtain.session.journal.lines import read_journal
from tests.stories.blows import Blow, Name
from tests.stories.kills import SPOKEN_S, Place, Story, write_noise
from tests.stories.test_kills import samples_of, seed

pytestmark = [pytest.mark.stations, pytest.mark.soak]

FEW = 4
MANY = int(os.environ.get("CURTAIN_NAMESAKES", "20"))
STUDIES = ("north", "south", "west")
VICTIMS: tuple[tuple[Name, ...], ...] = (("subject",), ("wizard",), ("subject", "wizard"))
HEARD_AT_LEAST = 1000


@dataclass
class House:
    """Three studies, one subject's station. `left` are sessions that were left open, by study."""

    places: dict[str, Place]
    chance: random.Random
    subject: RunningStation | None = None
    stories: list[Story] = field(default_factory=list)
    left: dict[str, Story] = field(default_factory=dict)
    kills: int = 0
    seconds: list[float] = field(default_factory=list)

    @classmethod
    def make(cls, folder: Path, chosen: int) -> "House":
        return cls({name: Place.make(folder, name, drafts=False) for name in STUDIES}, random.Random(chosen))

    def play(self, number: int) -> None:
        """One more session; its speaker's id is taken in every study."""
        began = time.monotonic()
        study = STUDIES[number % 3]
        if study in self.left:
            self.finish(study)
        story = Story(self.places[study], voice=1000 * (number + 1))
        self.stories.append(story)
        self._seat(story)
        story.begin(f"e0{number // 3 % 2}")
        story.warm_up()
        (self._end, self._leave, self._kill_and_end, self._leave_running)[number % 4](story)
        self.seconds.append(round(time.monotonic() - began, 1))

    def finish(self, study: str) -> None:
        """Go on with the session that was left open in this study, and end it."""
        story = self.left.pop(study)
        if self.subject is not None:
            self._kill(self.subject)
        story.go_on(story.disks.session_id)
        story.play_turn()
        self._end(story)

    def quit(self) -> None:
        for story in self.stories:
            story.quit()

    # -- how a session may go --

    def _end(self, story: Story) -> None:
        """The subject's station stays as it is; the next session begins at it."""
        story.end()
        story.stations["wizard"].quit()
        self.subject = story.stations["subject"]

    def _kill_and_end(self, story: Story) -> None:
        story.live_through(Blow(self.chance.choice(VICTIMS), self.chance.random()))
        self.kills += 1
        self._end(story)

    def _leave(self, story: Story) -> None:
        """Everybody is killed, and somebody begins another session first."""
        for station in story.stations.values():
            self._kill(station)
        self._put_by(story)

    def _leave_running(self, story: Story) -> None:
        """Only the wizard's station is gone; the subject's is still in the session."""
        self._kill(story.stations["wizard"])
        self._put_by(story)
        self.subject = story.stations["subject"]

    def _put_by(self, story: Story) -> None:
        self.left[story.place.name] = story
        self.subject = None

    def _kill(self, station: RunningStation) -> None:
        station.kill()
        self.kills += 1
        if self.subject is station:
            self.subject = None

    def _seat(self, story: Story) -> None:
        """The station that is there, or, if it is still in a session that was left, a new start of it."""
        if self.subject is not None and self.subject.look()["widgets"]["window"]["state"] != "closing":
            self._kill(self.subject)
        if self.subject is not None:
            story.stations["subject"] = self.subject


@pytest.fixture(scope="module", params=[FEW, MANY])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    chosen = seed()
    print(f"CURTAIN_KILLS_SEED={chosen}")
    house = House.make(tmp_path_factory.mktemp("namesakes"), chosen)
    try:
        for number in range(request.param):
            house.play(number)
        for study in list(house.left):
            house.finish(study)
    finally:
        house.quit()
        print(f"{len(house.stories)} sessions, {house.kills} kills, seconds a session: {house.seconds}")
    yield house


def test_the_ids_clash_and_every_session_was_closed(house: House) -> None:
    ids = Counter(story.disks.session_id for story in house.stories)
    assert ids["e00-01"] == len(STUDIES)
    for story in house.stories:
        assert story.disks.bundle.state == "closed"
        assert [str(problem) for problem in story.disks.bundle.verify()] == []


def test_every_recording_holds_what_was_said_in_its_session(house: House, tmp_path: Path) -> None:
    heard_s = 0.0
    for story in house.stories:
        for turn in story.disks.turns():
            assert turn.audio is not None
            heard = np.trim_zeros(samples_of(story.disks.bundle.path / turn.audio), "f")
            said = samples_of(write_noise(tmp_path / "said.wav", SPOKEN_S, story.voice + turn.turn))
            assert np.array_equal(heard[: len(said)], said[: len(heard)])
            heard_s += len(heard)
    assert heard_s >= HEARD_AT_LEAST * len(house.stories)


def test_no_recording_is_in_two_sessions(house: House) -> None:
    sums = [digest_of(wav) for story in house.stories for wav in story.disks.bundle.audio.glob("*.wav")]
    assert len(sums) == len(set(sums)) >= len(house.stories)


def test_every_file_names_the_session_it_lies_in(house: House) -> None:
    identities = set()
    for story in house.stories:
        bundle = story.disks.bundle
        identity = bundle.read_session_json()["identity"]
        identities.add(identity)
        spooled = story.disks.spooled / "subject.events.jsonl"
        for journal in (bundle.wizard_journal, bundle.subject_journal, spooled):
            starts = [entry for entry in read_journal(journal).entries if entry.type == "epoch"]
            assert {entry.data["identity"] for entry in starts} == {identity}
    assert len(identities) == len(house.stories)


def test_both_sides_hold_the_same(house: House) -> None:
    for story in house.stories:
        disks = story.disks
        assert (disks.spooled / "subject.events.jsonl").read_bytes() == disks.bundle.subject_journal.read_bytes()
        for wav in disks.bundle.audio.glob("*.wav"):
            assert digest_of(disks.spooled / "audio" / wav.name) == digest_of(wav)
