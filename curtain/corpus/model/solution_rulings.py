"""Rulings of people on stated answers, beside the sessions: `solution_rulings.jsonl` of a study.

A journal says what the subject stated and never changes; what a person decided about it is a row of its own, added at
the end. The last row about a run counts.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curtain.base.record_file import read_records, write_records
from curtain.session.bundle.heads import sealed

RULINGS_FILE = "solution_rulings.jsonl"


class SolutionRuling(msgspec.Struct, frozen=True, kw_only=True):
    """Who decided on a stated answer, when (ISO 8601) and why. `run` counts the runs of the scenario in its session
    from 1; None is the last one."""

    session_id: str
    scenario_id: str
    verdict: Literal["correct", "incorrect"]
    reason: Annotated[str, Meta(min_length=1)]
    by: str
    at_utc: str
    run: int | None = None


def read_rulings(study: Path) -> list[SolutionRuling]:
    """All rows, oldest first. Raises BadRecords."""
    return read_records(study / RULINGS_FILE, SolutionRuling)


def rulings_of(study: Path, session_id: str) -> list[SolutionRuling]:
    """The rows about one session, oldest first. Raises BadRecords."""
    return [row for row in read_rulings(study) if row.session_id == session_id]


def add_ruling(study: Path, ruling: SolutionRuling) -> None:
    """Add a row. Raises BadRecords."""
    with sealed(study, RULINGS_FILE) as path:
        write_records(path, [*read_rulings(study), ruling])
