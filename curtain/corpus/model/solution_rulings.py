"""Rulings of people on stated answers, beside the sessions: `solution_rulings.jsonl` of a study.

A journal says what the subject stated and never changes; what a person decided about it is a row of its own, added at
the end. The last row about a run counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import read_input

__all__ = ["RULINGS_FILE", "BadRulings", "SolutionRuling", "add_ruling", "forget_rulings", "read_rulings", "rulings_of"]

RULINGS_FILE = "solution_rulings.jsonl"


class BadRulings(CurtainError):
    """The file of the rulings cannot be read or written."""


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
    """All rows, oldest first. Raises BadRulings."""
    path = study / RULINGS_FILE
    try:
        lines = read_input(path).splitlines()
    except FileNotFoundError:
        return []
    except OSError as fault:
        raise BadRulings(f"{path} cannot be read: {fault}.") from fault
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            rows += [msgspec.json.decode(line, type=SolutionRuling)] if line.strip() else []
        except (ValueError, msgspec.MsgspecError, RecursionError) as fault:
            raise BadRulings(f"{path}, line {number}: {fault}. Correct this line, or take it out.") from fault
    return rows


def rulings_of(study: Path, session_id: str) -> list[SolutionRuling]:
    """The rows about one session, oldest first. Raises BadRulings."""
    return [row for row in read_rulings(study) if row.session_id == session_id]


def add_ruling(study: Path, ruling: SolutionRuling) -> None:
    """Add a row. Raises BadRulings."""
    _write(study, [*read_rulings(study), ruling])


def forget_rulings(study: Path, speaker: str) -> None:
    """Remove the rows about a speaker's sessions. Raises BadRulings."""
    rows = read_rulings(study)
    kept = [row for row in rows if not row.session_id.startswith(f"{speaker}-")]
    if rows and not kept:
        (study / RULINGS_FILE).unlink(missing_ok=True)
    elif kept != rows:
        _write(study, kept)


def _write(study: Path, rows: Sequence[SolutionRuling]) -> None:
    path = study / RULINGS_FILE
    try:
        replace_file(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    except OSError as fault:
        raise BadRulings(f"{path} cannot be written: {fault.strerror}.") from fault
