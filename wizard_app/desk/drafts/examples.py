"""What the NL tool may learn from in a study: examples of the pack, files that study.toml names, answered turns."""

from __future__ import annotations

from dataclasses import replace

from curtain.domain.pack.reader import Pack
from curtain.drafting.store import Store, from_turn, study_store
from curtain.session.study.study import Study
from curtain.session.turns.answered import answered_turns


def store_of(study: Study, pack: Pack) -> Store:
    """Everything a study's drafts may rest on, less what was withdrawn, and a sentence for each thing that cannot be
    read. Slow: for a thread of its own. Raises PackError, StudyMissing."""
    turns, faults = answered_turns(study) if study.learn else ([], [])
    store = study_store(pack, study.folder, study.drafters, turns)
    return replace(store, faults=(*store.faults, *faults))


def answered_examples(study: Study) -> Store:
    """The answered turns of the sessions alone; none if study.toml says `learn = false`. Raises StudyMissing."""
    turns, faults = answered_turns(study) if study.learn else ([], [])
    return Store(tuple(from_turn(turn) for turn in turns), tuple(faults))
