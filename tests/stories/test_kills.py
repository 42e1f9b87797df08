"""A session that is killed again and again loses nothing that was acknowledged.

`CURTAIN_KILLS` sets how many kills the long story has, `CURTAIN_KILLS_SEED` who is killed when.
"""

import os
import random
import shutil
import wave
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from curtain.base.input_file import digest_of
from curtain.session.bundle.checks import BundleProblem
from curtain.session.events.subject_events import Painted, TakeCancelled, TakeRecovered, TakeSaved, subject_fact
from curtain.session.events.wizard_events import AnswerSent, MessageSent, wizard_fact
from curtain.session.study.ids import utterance_id
from curtain.session.turns.turns import Turn
from tests.stories.blows import Blow, Name, plan
from tests.stories.kept import Lines, entries_of, shown_lines
from tests.stories.kills import SPOKEN_S, Place, Story, query_of, statement_of, write_noise

FEW_KILLS = 10
pytestmark = [pytest.mark.stations]

SESSION = "k00-01"
FEW = 4
FEW_IN_TWO_ROOMS = 2
MANY = int(os.environ.get("CURTAIN_KILLS", "100"))
MANY_IN_TWO_ROOMS = int(os.environ.get("CURTAIN_KILLS", "60"))
MOST_LOST_S = 0.100
A_BLOCK_S = 0.020
# Shares of a turn's life at which a take is open: for a story in which no kill fell there by chance.
SPEAKING = (0.3, 0.2, 0.4, 0.5, 0.1)
ENDS: list[tuple[Name, ...]] = [("wizard",), ("subject",), ("subject", "wizard")]


def seed() -> int:
    return int(os.environ.get("CURTAIN_KILLS_SEED", random.randrange(10**6)))


@dataclass(frozen=True)
class Lived:
    """A story that came to its end, and what is on the disk then."""

    story: Story
    blows: list[Blow]
    last: Lines
    turns: list[Turn]
    problems: list[BundleProblem]


@pytest.fixture(
    scope="module",
    params=[
        (FEW, False),
        (FEW_IN_TWO_ROOMS, True),
        pytest.param((MANY, False), marks=pytest.mark.soak),
        pytest.param((MANY_IN_TWO_ROOMS, True), marks=pytest.mark.soak),
    ],
    ids=lambda param: f"{param[0]} kills, {'two rooms' if param[1] else 'one machine'}",
)
def lived(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Lived:
    number = seed()
    print(f"CURTAIN_KILLS_SEED={number}")
    kills, two_rooms = request.param
    blows = plan(kills, random.Random(number))
    few = kills in (FEW, FEW_IN_TWO_ROOMS)
    story = Story(Place.make(tmp_path_factory.mktemp("kills"), drafts=not few, two_rooms=two_rooms))
    try:
        story.begin()
        if few:
            story.warm_up()  # a disk that is read for the first time is slow; the long story has a kill there too
        for blow in blows:
            story.live_through(blow)
        for at in SPEAKING:
            if not story.found.cuts:
                story.live_through(Blow(("subject",), at))
        # The last kills fall while a short story closes its session; closing is the same in two rooms.
        story.end(_while_it_closes(random.Random(number), ENDS[2]) if few and not two_rooms else ())
    finally:
        print(*story.found.steps, story.found.resumed_s, sep="\n")
        story.quit()
    story.disks.note()
    return Lived(story, blows, story.disks.seen[-1], story.disks.turns(), story.disks.bundle.verify())


def test_every_kill_fell_and_it_is_still_one_session(lived: Lived) -> None:
    assert len(lived.story.found.steps) >= len(lived.blows)
    assert [folder.name for folder in (lived.story.place.study / "sessions").iterdir()] == [SESSION]
    assert lived.story.disks.bundle.state == "closed"


def test_no_acknowledged_line_is_lost_or_rewritten(lived: Lived) -> None:
    for before in lived.story.disks.seen:
        assert lived.last.wizard.startswith(before.wizard)
        assert lived.last.subject.startswith(before.subject)
        assert before.subject.startswith(before.copy)
    assert lived.last.copy == lived.last.subject


def test_every_acknowledged_take_is_there_unaltered_and_any_player_reads_it(lived: Lived) -> None:
    takes = lived.story.disks.takes()
    assert takes
    for utterance, take in takes.items():
        path = lived.story.disks.bundle.utterance(utterance)
        assert digest_of(path) == take.sha256
        with wave.open(str(path)) as sound:
            assert (sound.getnframes(), sound.getframerate()) == (take.frames, take.sample_rate)
        assert take.frames > 0


def test_every_acknowledged_take_is_a_whole_turn_in_the_end(lived: Lived) -> None:
    spoken = {utterance for utterance in lived.story.disks.takes()}
    assert {turn.utterance_id for turn in lived.turns} == spoken
    for turn in lived.turns:
        assert turn.outcome == ("answer" if turn.turn % 3 else "message")
        assert turn.audio == f"audio/{turn.utterance_id}.wav"
        assert turn.query == query_of(turn.turn)
        assert {attempt.sql for attempt in turn.attempts} == {statement_of(turn.turn)}
        assert turn.times["painted"] is not None


def test_every_turn_has_one_take_and_one_answer(lived: Lived) -> None:
    takes = Counter(e.turn for e in entries_of(lived.last.subject) if _is_take(subject_fact(e)))
    replies = Counter(e.turn for e in entries_of(lived.last.wizard) if _is_reply(wizard_fact(e)))
    assert set(takes.values()) == {1}
    assert set(replies.values()) == {1}
    assert takes.keys() == replies.keys()


def _is_take(fact: object) -> bool:
    return isinstance(fact, TakeSaved | TakeRecovered)


def _is_reply(fact: object) -> bool:
    return isinstance(fact, AnswerSent | MessageSent)


def test_at_most_100_ms_of_an_open_take_are_lost(lived: Lived) -> None:
    takes = lived.story.disks.takes()
    assert lived.story.found.cuts
    lost_s = []
    for cut in lived.story.found.cuts:
        take = takes.get(utterance_id(SESSION, cut.turn))
        if take is None:
            lost_s.append((cut.killed_ns - cut.pressed_ns) / 1e9)
        else:
            lost_s.append(cut.heard_s - take.frames / take.sample_rate)
    print("lost of open takes, in ms:", *sorted(round(1000 * lost) for lost in lost_s))
    assert min(lost_s) >= -A_BLOCK_S
    assert max(lost_s) <= MOST_LOST_S


def test_a_recovered_take_holds_what_was_said_until_the_kill(lived: Lived, tmp_path: Path) -> None:
    for cut in lived.story.found.cuts:
        path = lived.story.disks.bundle.utterance(utterance_id(SESSION, cut.turn))
        if path.exists():
            heard = np.trim_zeros(samples_of(path), "f")
            said = np.trim_zeros(samples_of(write_noise(tmp_path / "said.wav", SPOKEN_S, cut.turn)), "f")
            assert np.array_equal(heard[: len(said)], said[: len(heard)])


def samples_of(path: Path) -> NDArray[np.int16]:
    with wave.open(str(path)) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2")


def test_what_was_typed_is_there_again_and_no_older_than_2_s(lived: Lived) -> None:
    # In a short story on a busy machine no kill may meet a text that is old enough to count.
    assert lived.story.found.drafts or len(lived.blows) < FEW_KILLS
    for shown, allowed in lived.story.found.drafts:
        assert shown in allowed


def test_the_subject_sees_what_was_sent_after_every_kill(lived: Lived) -> None:
    assert lived.story.found.screens
    for shown, due in lived.story.found.screens:
        assert shown == due


def test_nothing_was_painted_that_was_not_sent(lived: Lived) -> None:
    facts = (subject_fact(entry) for entry in entries_of(lived.last.subject))
    painted = [fact.id for fact in facts if isinstance(fact, Painted) and fact.what != "one_moment"]
    assert set(painted) <= shown_lines(lived.story.disks.bundle)
    assert len(painted) == len(set(painted))


def test_no_press_is_forgotten(lived: Lived) -> None:
    withdrawn = {e.turn for e in entries_of(lived.last.subject) if isinstance(subject_fact(e), TakeCancelled)}
    pressed = {e.turn for e in entries_of(lived.last.subject) if e.type == "key_down"}
    assert pressed <= {turn.turn for turn in lived.turns} | withdrawn


def test_nothing_that_a_killed_station_started_lives_on(lived: Lived) -> None:
    assert lived.story.survivors() == []


def test_the_bundle_is_whole(lived: Lived) -> None:
    assert [str(problem) for problem in lived.problems] == []


# -- the end of a session --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A session with one turn whose stations were both killed."""
    story = Story(Place.make(tmp_path_factory.mktemp("unfinished"), drafts=False))
    try:
        story.begin()
        story.play_turn()
        for station in story.stations.values():
            station.kill()
    finally:
        story.quit()
    yield story.place


@pytest.mark.soak
@pytest.mark.parametrize(("number", "victims"), [(number, ENDS[number % 3]) for number in range(30)])
def test_a_session_killed_while_it_closes_closes_at_the_next_start(
    unfinished: Place, tmp_path: Path, number: int, victims: tuple[Name, ...]
) -> None:
    chosen = seed()
    print(f"CURTAIN_KILLS_SEED={chosen}")
    chance = random.Random(chosen + number)
    place = Place(tmp_path / "copy", f"{unfinished.link[:30]}-{number}")
    shutil.copytree(unfinished.folder, place.folder)
    story = Story(place)
    try:
        story.go_on(SESSION)
        story.end(_while_it_closes(chance, victims))
    finally:
        story.quit()
    assert [str(problem) for problem in story.disks.bundle.verify()] == []
    assert [turn.outcome for turn in story.disks.turns()] == ["answer"]


def _while_it_closes(chance: random.Random, victims: tuple[Name, ...]) -> list[tuple[tuple[Name, ...], float]]:
    """Who is killed how many seconds after the wish to end, and, while both start again, after that."""
    return [(victims, chance.uniform(0, 0.9)), (("subject", "wizard"), chance.uniform(0.3, 1.6))]
