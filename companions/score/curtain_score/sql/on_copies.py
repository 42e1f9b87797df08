"""A system's statements beside the references', on the database and on its altered copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import os_errors_as
from curtain.base.terminal import Say, print_json, print_line
from curtain.cas.scoring.intervals import Interval, wilson
from curtain_score.files.json_lines import (
    BadFile,
    RejectedLine,
    id_of,
    read_lines,
    read_object,
    read_text_file,
    text_of,
)
from curtain_score.sql.sql_score import GoldFailed, score_sql

_SUFFIX = ".duckdb"
_REFERENCES, _ANSWERS = ("sql_min", "sql"), ("sql", "sql_min")


@dataclass(frozen=True)
class CopyItem:
    """One question: on how many databases the statement is right. `fault` says why the reference could not be run."""

    id: str
    right: int
    databases: int
    fault: str = ""

    @property
    def by_chance(self) -> bool:
        """Right somewhere and wrong elsewhere: on a single database it could have passed for right."""
        return 0 < self.right < self.databases


@dataclass(frozen=True)
class CopyScore:
    """All questions; `without_sql` were answered without a statement and are judged on the one database only."""

    items: tuple[CopyItem, ...]
    without_sql: int

    @property
    def judged(self) -> list[CopyItem]:
        """Those whose reference could be run."""
        return [item for item in self.items if not item.fault]

    @property
    def by_chance(self) -> list[CopyItem]:
        """Right somewhere and wrong elsewhere."""
        return [item for item in self.judged if item.by_chance]

    @property
    def right_everywhere(self) -> int:
        """Right on every copy."""
        return sum(item.right == item.databases for item in self.judged)

    @property
    def interval(self) -> Interval | None:
        """The Wilson interval of the percentage that is right everywhere."""
        return wilson(self.right_everywhere, len(self.judged))


def copies_in(folder: Path) -> list[Path]:
    """The databases of a folder, by name. Raises BadFile if there is none."""
    with os_errors_as(f"{folder} cannot be read", BadFile):
        databases = sorted(path for path in folder.iterdir() if path.suffix == _SUFFIX)
    if not databases:
        raise BadFile(f"{folder} holds no copies; make them with “curtain domain copies”.")
    return databases


def read_statements(path: Path, names: Sequence[str]) -> dict[str, str]:
    """The statement of each id, under the first of these names that a line has; lines without one are left out.

    Raises BadFile with the line for one that cannot be read.
    """
    statements: dict[str, str] = {}
    for number, data in read_lines(path):
        try:
            row = read_object(data)
            key = "id" if "id" in row else "utterance_id"
            if key not in row:
                raise RejectedLine("has no id")
            sql = next((text for name in names if (text := text_of(row, name))), None)
            if sql is not None:
                statements[str(id_of({"id": row[key]}))] = sql
        except RejectedLine as fault:
            raise BadFile(f"{path} line {number} {fault}.") from fault
    return statements


def readings_on_copies(
    readings: Mapping[str, Sequence[str]], answers: Mapping[str, str], databases: Sequence[Path], jobs: int = 2
) -> CopyScore:
    """Runs the statements of each question on every database, each in a process of its own that may be killed. Of
    several readings one is enough on each database."""
    both = [(key, of_key, answers[key]) for key, of_key in readings.items() if key in answers]
    # Threads: each only waits for a child process.
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        items = tuple(pool.map(lambda one: _item(one[0], one[1], one[2], databases), both))
    return CopyScore(items, len(readings) - len(both))


def _item(key: str, readings: Sequence[str], answer: str, databases: Sequence[Path]) -> CopyItem:
    wrong = {str(path) for path in databases}
    faults = []
    for reference in readings:
        try:
            wrong &= score_sql(reference, answer, databases).reasons.keys()
        except GoldFailed as fault:
            faults.append(str(fault))
    if len(faults) == len(readings):
        return CopyItem(key, 0, len(databases), faults[0])
    return CopyItem(key, len(databases) - len(wrong), len(databases))


def score_copies(references: Path, answers: Path, copies: Path, jobs: int) -> CopyScore:
    """How many of a system's statements are right on every copy. Raises BadFile."""
    wanted = read_statements(references, _REFERENCES)
    if not wanted:
        raise BadFile(f"{references} holds no statements (sql_min); copies need them, since answers differ on each.")
    readings = {key: (sql,) for key, sql in wanted.items()}
    return readings_on_copies(readings, read_statements(answers, _ANSWERS), copies_in(copies), jobs)


def compare_on_copies(
    reference: Path, hypothesis: Path, copies: Path, *, as_json: bool = False, say: Say = print_line
) -> int:
    """Compares two files with SQL on every copy: exit code 0 if right on all, else 1. Raises CurtainError."""
    score = score_sql(read_text_file(reference), read_text_file(hypothesis), copies_in(copies))
    reasons = {Path(path).name: reason for path, reason in score.reasons.items()}
    if as_json:
        print_json({"right": score.right, "databases": score.databases, "reasons": reasons}, say)
        return 0 if score else 1
    say(f"right on {score.right} of {score.databases}")
    for name, reason in reasons.items():
        say(f"  {name}: {reason}")
    return 0 if score else 1
