"""What a wizard did in practice: a row for each judged turn, in a file that only grows, and measures of a sitting."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from statistics import median

import msgspec

from curtain.base.errors import os_errors_as
from curtain.base.record_file import BadRecords, add_record, read_records, write_records
from curtain.cas.scoring.intervals import Interval, wilson
from curtain.cas.scoring.kappa import kappa
from curtain_practice.course import COURSE_FILE, StepTimes

FOLDER = "training"
"""The folder in the study."""
ENOUGH_TURNS = 10
"""A shorter sitting says too little of a wizard's level."""


class PracticeTurn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One judged turn. `sitting` is the UTC time at which it began; `expected` and `given` are labels of replies, and
    `times` the trainee's beside the `original` wizard's. `missed`: the reply came after the deadline."""

    sitting: str
    utterance_id: str
    right: bool
    expected: str
    given: str
    reason: str = ""
    times: StepTimes = StepTimes()
    original: StepTimes = StepTimes()
    missed: bool = False
    sql: str = ""


@dataclass(frozen=True)
class PracticeSitting:
    """The measures of one sitting. Medians are in ms; `kappa` is the agreement on whether to answer or which message
    to send (Cohen 1960), None where both never varied."""

    began: str
    turns: int
    right: int
    missed: int
    median_ms: float | None
    original_median_ms: float | None
    transcribe_ms: float | None
    answer_ms: float | None
    kappa: float | None

    @property
    def accuracy(self) -> float:
        """The share of right replies."""
        return self.right / self.turns

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the accuracy (Wilson)."""
        bounds = wilson(self.right, self.turns)
        assert bounds is not None  # a sitting has a turn
        return bounds


def file_of(study: Path, wizard: str) -> Path:
    """Where the turns of a wizard are."""
    return study / FOLDER / f"{wizard}.jsonl"


def forget_speaker(study: Path, speaker: str) -> None:
    """Take out of all wizards' files what was said in a speaker's turns; how they were judged stays. Raises BadRecords,
    OSError."""
    for path in sorted((study / FOLDER).glob(f"*.{COURSE_FILE}")):
        path.unlink()  # it holds queries; the next practice makes it anew
    for path in sorted((study / FOLDER).glob("*.jsonl")):
        turns = read_records(path, PracticeTurn)
        kept = [_without_words(one) if one.utterance_id.startswith(f"{speaker}-") else one for one in turns]
        if kept != turns:
            write_records(path, kept)


def _without_words(turn: PracticeTurn) -> PracticeTurn:
    return msgspec.structs.replace(turn, utterance_id="erased", sql="", reason="")


def read_turns(study: Path, wizard: str) -> list[PracticeTurn]:
    """All turns of a wizard, oldest first. Raises BadRecords."""
    return read_records(file_of(study, wizard), PracticeTurn)


def add_turn(study: Path, wizard: str, turn: PracticeTurn) -> None:
    """Add a turn; it is on the disk when this returns. Raises BadRecords."""
    path = file_of(study, wizard)
    with os_errors_as(f"{path.parent} cannot be made", BadRecords):
        path.parent.mkdir(exist_ok=True)
    add_record(path, turn)


def sittings_of(turns: Iterable[PracticeTurn]) -> list[PracticeSitting]:
    """The sittings in the order of their beginnings."""
    in_order = sorted(turns, key=lambda one: one.sitting)
    return [_measured(began, list(group)) for began, group in groupby(in_order, key=lambda one: one.sitting)]


def level_of(turns: Iterable[PracticeTurn]) -> float | None:
    """The accuracy of the latest sitting that is long enough; None if there is none."""
    long_enough = [one for one in sittings_of(turns) if one.turns >= ENOUGH_TURNS]
    return long_enough[-1].accuracy if long_enough else None


def levels_in(study: Path) -> dict[str, float]:
    """The level of each wizard who has practised long enough; a file that cannot be read counts as no practice."""
    levels = {}
    for path in sorted((study / FOLDER).glob("*.jsonl")):
        try:
            level = level_of(read_turns(study, path.stem))
        except BadRecords:
            continue
        if level is not None:
            levels[path.stem] = level
    return levels


def _measured(began: str, turns: Sequence[PracticeTurn]) -> PracticeSitting:
    return PracticeSitting(
        began=began,
        turns=len(turns),
        right=sum(one.right for one in turns),
        missed=sum(one.missed for one in turns),
        median_ms=_median(one.times.total_ms for one in turns),
        original_median_ms=_median(one.original.total_ms for one in turns),
        transcribe_ms=_median(one.times.transcribe_ms for one in turns),
        answer_ms=_median(one.times.answer_ms for one in turns),
        kappa=kappa([(one.expected, one.given) for one in turns]),
    )


def _median(values: Iterable[int | None]) -> float | None:
    known = [one for one in values if one is not None]
    return median(known) if known else None
