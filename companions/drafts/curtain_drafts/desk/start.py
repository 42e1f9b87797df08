"""Starts the NL tool over a study: what it knows from the start, and what was withdrawn. For a thread of its own."""

from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.record_file import add_record
from curtain.domain.pack.pack import Pack
from curtain.session.bundle.heads import sealed
from curtain.session.study.study import Study
from curtain_drafts.desk.examples import answered_turns
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool.service import DraftService, Standing
from curtain_drafts.tool.serving.settings import is_english, read_settings
from curtain_drafts.tool.store import WITHDRAWN, Withdrawal, read_withdrawn, study_store


class KeptInStudy:
    """The study's file of withdrawn examples; `withdrawn` are their ids as they were when it was opened. `learned` are
    the utterances that the drafters learned from then. Its methods raise CurtainError."""

    def __init__(self, study: Study, learned: Iterable[Example] = ()) -> None:
        self._study, self._folder = study, study.folder
        self.withdrawn, _ = read_withdrawn(study.folder)
        self.learned = frozenset(one.id for one in learned if one.source == "study")

    def kept_back(self, utterances: Set[str]) -> frozenset[str]:
        """Those of them from which nothing may be learned any more: somebody withdrew, or hid a word. Slow."""
        turns, _ = answered_turns(self._study)
        return frozenset(utterances - {turn.utterance_id for turn in turns})

    def withdraw(self, example: Example, who: str, back: bool = False) -> None:
        """Note in the study that this example is used no more, or is `back`; `who` did that."""
        note_withdrawal(self._folder, example.id, who, back)


def note_withdrawal(study: Path, example_id: str, who: str, back: bool) -> None:
    """Note that an example is used no more in a study, or again. Raises CurtainError."""
    when = datetime.now(UTC).isoformat(timespec="seconds")
    with sealed(study, WITHDRAWN) as path:
        add_record(path, Withdrawal(id=example_id, who=who, when=when, back=back))


def store_of(study: Study, pack: Pack) -> tuple[list[Example], list[str]]:
    """Everything a study's drafts may rest on: examples of the pack, files that study.toml names and answered turns,
    less what was withdrawn; a sentence for each thing that cannot be read. Slow: for a thread of its own.

    Raises CurtainError, StudyMissing.
    """
    turns, problems = answered_turns(study) if study.learn else ([], [])
    examples, unread = study_store(pack, study.folder, study.drafters, turns)
    return examples, [*unread, *problems]


def start(
    study: Study, pack: Pack, database: Path, on_problem: Callable[[str], None], on_standing: Callable[[Standing], None]
) -> tuple[DraftService, KeptInStudy]:
    """The service, which loads behind this call. Raises CurtainError, PackError, StudyMissing."""
    settings = replace(read_settings(study.drafters, study.folder), english=is_english(study))
    if not settings.drafters:
        raise CurtainError("Drafts are switched off in study.toml.")
    examples, problems = store_of(study, pack)
    for problem in problems:
        on_problem(problem)
    service = DraftService(pack, database, examples, settings, on_problem, on_standing)
    return service, KeptInStudy(study, examples)
