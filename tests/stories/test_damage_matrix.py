"""Every damage to every file of an open session, with both real stations: it goes on, closes, and says what is missing.

`make soak` prints a table of what the wizard's window said and how each session ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.turns.turns import read_turns
from tests.stories.kills import LOOK_AGAIN_S, PATIENCE_S, Place, Story
from tests.support.damages import DAMAGES

pytestmark = [pytest.mark.stations, pytest.mark.soak]

TURNS = 3
FILES: dict[str, Callable[[Story], Path]] = {
    "the wizard's journal": lambda story: story.disks.bundle.wizard_journal,
    "its copy of the subject's": lambda story: story.disks.bundle.subject_journal,
    "the spool's journal": lambda story: story.disks.spooled / "subject.events.jsonl",
    "a recording": lambda story: story.disks.bundle.utterance(f"{story.disks.session_id}-002"),
}


@dataclass
class Ending:
    """`told` is what the wizard's window said and offered, in order; `verified` and `repaired` count faults."""

    damage: str
    file: str
    told: list[str]
    outcomes: list[str]
    lost_lines: int
    verified: list[str]
    repaired: int
    seconds: float


ENDINGS: list[Ending] = []


class Listener:
    """Remembers each sentence of the wizard's red line and each button beside it."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self.notices: list[str] = []

    def look(self) -> None:
        widgets = self._story.wizard.look()["widgets"]
        for name in ("problem_text", "problem_button", "close_as_it_is"):
            one = widgets.get(name, {})
            said = str(one.get("text") or "") if one.get("visible", True) else ""
            if said and said not in self.notices:
                self.notices.append(said)

    def until(self, holds: Callable[[], bool], wish: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            self.look()
            assert time.monotonic() < end, (wish, self.notices, self._story.wizard.look()["widgets"]["window"])
            threading.Event().wait(LOOK_AGAIN_S)


def play_on(story: Story, listener: Listener) -> None:
    """What the two people do when both stations are there again: answer what waits, one turn more, the end."""

    def window(name: str) -> dict[str, object]:
        station = story.wizard if name == "wizard" else story.subject
        seen: dict[str, object] = station.look()["widgets"].get("window", {})
        return seen

    listener.until(lambda: window("wizard").get("session") == story.disks.session_id, "the session")
    listener.until(lambda: window("wizard").get("link") == "up" and window("subject").get("link") == "up", "the link")
    listener.until(lambda: window("subject").get("state") not in ("waiting", None), "the subject's page")
    listener.until(lambda: len(story.disks.takes()) >= TURNS, "the copy of the subject's journal")
    while story.disks.open_turn():
        waiting = story.disks.open_turn()
        listener.until(lambda: window("wizard")["turn"] == waiting, "the turn that waits")  # noqa: B023
        story.play_turn()
    story.play_turn()
    listener.look()
    story.end()
    listener.look()


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_session_of_two_real_stations_goes_on_and_closes(tmp_path: Path, damage: str, file: str) -> None:
    began = time.monotonic()
    story = Story(Place.make(tmp_path))
    try:
        story.begin()
        for _ in range(TURNS):
            story.play_turn()
        listener = Listener(story)
        listener.until(story.disks.level, "both copies")
        recording = FILES["a recording"](story)
        listener.until(recording.exists, "the recording")
        for station in story.stations.values():
            station.kill()
        path = FILES[file](story)
        before = read_journal(story.disks.bundle.wizard_journal).last_seq
        DAMAGES[damage](path)
        for name in ("wizard", "subject"):
            story.stations[name] = story.place.start(name, resume=True)  # type: ignore[index,arg-type]
        play_on(story, listener)
    finally:
        story.quit()
    bundle = story.disks.bundle
    ending = ending_of(bundle, tmp_path / "repaired" / bundle.path.name, damage, file, listener.notices)
    ending.seconds = round(time.monotonic() - began, 1)
    ENDINGS.append(ending)
    assert bundle.state == "closed"
    assert len(ending.outcomes) == TURNS + 1 and "open" not in ending.outcomes
    assert ending.repaired == 0
    harmed = [bundle.wizard_journal.name] if file == "the wizard's journal" else []
    assert sorted(set(ending.verified)) == harmed
    numbers = [entry.seq for entry in read_journal(bundle.wizard_journal).entries]
    assert len(set(numbers)) == len(numbers) and max(numbers) > before
    spooled = story.disks.spooled / "subject.events.jsonl"
    assert spooled.read_bytes() == bundle.subject_journal.read_bytes()


def ending_of(bundle: Bundle, repaired: Path, damage: str, file: str, told: list[str]) -> Ending:
    verified = [fault.file for fault in bundle.verify()]
    bundle.repair(repaired)
    return Ending(
        damage=damage, file=file, told=told, outcomes=[turn.outcome for turn in read_turns(bundle)],
        lost_lines=len(read_journal(bundle.wizard_journal).lost), verified=verified,
        repaired=len(Bundle(repaired).verify()), seconds=0.0,
    )  # fmt: skip


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Runs last: prints how the sixteen pairs ended."""
    with capsys.disabled():
        print()
        for one in ENDINGS:
            said = " / ".join(one.notices) or "nothing"
            ended = (
                f"{len(one.outcomes)} turns, {one.lost_lines} lines lost, verify names {len(set(one.verified))} files"
            )
            print(f"{one.damage:10} {one.file:26} {one.seconds:5.1f} s  closed: {ended}, repair: {one.repaired} faults")
            print(f"{'':38} the window said: {said}")
