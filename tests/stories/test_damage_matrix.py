"""Every damage to the journal in the subject's spool, with both real stations: the session goes on and closes whole.

tests/wizard_app/test_damage.py does the same to each file of the wizard's station.
"""

from pathlib import Path

import pytest

from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.turns.turns import read_turns
from tests.stories.kills import Place, Story
from tests.support.damages import DAMAGES

pytestmark = [pytest.mark.stations, pytest.mark.soak]

TURNS = 3


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_session_whose_spool_was_damaged_goes_on_and_closes(tmp_path: Path, damage: str) -> None:
    story = Story(Place.make(tmp_path, drafts=False))
    try:
        story.begin()
        for _ in range(TURNS):
            story.play_turn()
        story.wait_until(story.disks.level)
        story.wait_until(story.disks.bundle.utterance(f"{story.disks.session_id}-002").exists)
        for station in story.stations.values():
            station.kill()
        spooled = story.disks.spooled / "subject.events.jsonl"
        before = read_journal(story.disks.bundle.wizard_journal).last_seq
        DAMAGES[damage](spooled)
        story.go_on(story.disks.session_id)
        while story.disks.open_turn():
            story.play_turn()
        story.play_turn()
        story.end()
    finally:
        story.quit()
    bundle = story.disks.bundle
    assert (bundle.state, bundle.verify()) == ("closed", [])
    assert len(read_turns(bundle)) == TURNS + 1 and "open" not in [turn.outcome for turn in read_turns(bundle)]
    bundle.repair(tmp_path / "repaired" / bundle.path.name)
    assert Bundle(tmp_path / "repaired" / bundle.path.name).verify() == []
    numbers = [entry.seq for entry in read_journal(bundle.wizard_journal).entries]
    assert len(set(numbers)) == len(numbers) and max(numbers) > before
    assert spooled.read_bytes() == bundle.subject_journal.read_bytes()
