"""The folder of a released test set: what went out, what is kept, and what people reported and ruled (papers/001, 2).

inputs/                   what goes to whoever is tested; no answer is in it
inputs-references.jsonl   the key; it stays
test-set.json             the SHA-256 of the key and of every file of inputs, as they were released
reports.jsonl             what was reported about references, one line each
rulings.jsonl             what was decided about a report, one line each; the last one about an utterance counts,
                          and answers the reports that were there when it was made
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import digest_of, parse_json, read_input
from curtain.base.plural import count_of
from curtain.base.record_file import read_records, write_records
from curtain_score.reference_check import reference_fault

INPUTS, KEY, RECORD = "inputs", "inputs-references.jsonl", "test-set.json"
REPORTS, RULINGS = "reports.jsonl", "rulings.jsonl"
# The statements go with their answers: they say nothing about a new reference.
_REFERENCE = ("ref", "max", "alternatives", "weights", "sql", "sql_min", "sql_max")
Decision = Literal["keep", "replace", "withdraw"]


class ReleaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What was released: ISO 8601 UTC, and SHA-256 sums in hexadecimal."""

    released_utc: str
    format: str
    key_sha256: str
    inputs: dict[str, str]


class ReferenceReport(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody doubts the reference of an utterance."""

    id: str
    by: str
    why: str
    at_utc: str


class ReferenceRuling(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided: the reference stays, gives way to `ref` (and `max`), or the utterance is scored no more.

    `reports` is how many reports on the utterance it answers; None stands for all that are no later than `at_utc`.
    """

    id: str
    decision: Decision
    by: str
    why: str
    at_utc: str
    ref: str | None = None
    max: str | None = None
    reports: int | None = None

    def answers(self, report: ReferenceReport, number: int) -> bool:
        """Whether it was made after this report, which is the utterance's `number`-th (from 1)."""
        # By number where it is kept: the clocks of two people differ.
        return report.at_utc <= self.at_utc if self.reports is None else number <= self.reports


@dataclass(frozen=True)
class TestSet:
    """A released test set in its folder, found as it was released."""

    # The field's word; pytest must not take it for a class of tests.
    __test__ = False

    folder: Path
    record: ReleaseRecord
    rows: tuple[Mapping[str, Any], ...]

    @property
    def key(self) -> Path:
        """The references as they were released."""
        return self.folder / KEY

    @property
    def ids(self) -> tuple[str, ...]:
        """The utterances, in the order of the key."""
        return tuple(str(row["id"]) for row in self.rows)

    def reports(self) -> list[ReferenceReport]:
        """All reports, oldest first. Raises BadRecords."""
        return read_records(self.folder / REPORTS, ReferenceReport)

    def rulings(self) -> dict[str, ReferenceRuling]:
        """The ruling that counts, by utterance. Raises BadRecords."""
        return {one.id: one for one in read_records(self.folder / RULINGS, ReferenceRuling)}

    def answered_reports(self) -> list[tuple[ReferenceReport, ReferenceRuling | None]]:
        """All reports, oldest first, each with the ruling that answers it; None for one that is open."""
        rulings, numbers = self.rulings(), Counter[str]()
        pairs: list[tuple[ReferenceReport, ReferenceRuling | None]] = []
        for report in self.reports():
            numbers[report.id] += 1
            ruling = rulings.get(report.id)
            pairs.append((report, ruling if ruling and ruling.answers(report, numbers[report.id]) else None))
        return pairs

    def open_reports(self) -> list[str]:
        """The utterances with a report that came after every ruling on them, each once."""
        return list(dict.fromkeys(report.id for report, ruling in self.answered_reports() if ruling is None))

    def report(self, report: ReferenceReport) -> None:
        """Add a report. Raises CurtainError, BadRecords."""
        self._know(report.id)
        write_records(self.folder / REPORTS, [*self.reports(), report])

    def rule(self, ruling: ReferenceRuling) -> None:
        """Add a ruling. Raises BadRecords, and CurtainError also for what can be no new reference."""
        self._know(ruling.id)
        if ruling.decision == "replace" and ruling.ref is None:
            raise CurtainError("A reference that is replaced needs the new one: give it with --ref.")
        if ruling.decision != "replace" and (ruling.ref, ruling.max) != (None, None):
            raise CurtainError(f"“{ruling.decision}” takes no new reference; leave --ref and --max away.")
        if ruling.ref is not None:
            self._check_reference(ruling.id, ruling.ref, ruling.max)
        ruling = replace(ruling, reports=sum(one.id == ruling.id for one in self.reports()))
        write_records(self.folder / RULINGS, [*read_records(self.folder / RULINGS, ReferenceRuling), ruling])

    def scores(self, utterance_id: str) -> bool:
        """Whether the released key has a reference for the utterance."""
        row = self._row(utterance_id)
        return row.get("class") != "X" and ("ref" in row or "alternatives" in row)

    def _check_reference(self, utterance_id: str, minimum: str, maximum: str | None) -> None:
        if not self.scores(utterance_id):
            raise CurtainError(f"“{utterance_id}” is not scored (Class X), so it takes no new reference; rule “keep”.")
        row = self._row(utterance_id)
        if fault := reference_fault(minimum, maximum, dialect=row.get("dialect"), yes_no=bool(row.get("yes_no"))):
            raise CurtainError(fault)

    def _row(self, utterance_id: str) -> Mapping[str, Any]:
        return next((row for row in self.rows if row["id"] == utterance_id), {})

    def _know(self, utterance_id: str) -> None:
        if utterance_id not in self.ids:
            raise CurtainError(f"The test set in {self.folder} has no utterance “{utterance_id}”.")


def released(folder: Path, format_name: str, at_utc: str) -> TestSet:
    """Record what lies in `folder` as released now. Raises CurtainError."""
    inputs = {name: _sum(folder / INPUTS / name) for name in _names(folder / INPUTS)}
    key_sum = _sum(folder / KEY)
    record = ReleaseRecord(released_utc=at_utc, format=format_name, key_sha256=key_sum, inputs=inputs)
    with os_errors_as(f"{folder / RECORD} cannot be written", CurtainError):
        replace_file(folder / RECORD, msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    return open_test_set(folder)


def open_test_set(folder: Path) -> TestSet:
    """The test set in `folder`. Raises CurtainError if anything of it is not as it was released."""
    try:
        record = parse_json(read_input(folder / RECORD), ReleaseRecord)
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise CurtainError(f"There is no test set in {folder}; “curtain test-set release” makes one.") from fault
    except (OSError, ValueError, msgspec.MsgspecError) as fault:
        raise CurtainError(f"{folder / RECORD} cannot be read: {fault}.") from fault
    if _sum(folder / KEY) != record.key_sha256:
        raise CurtainError(
            f"{folder / KEY} has changed since the release. Put the released file back; rulings change it."
        )
    if {name: _sum(folder / INPUTS / name) for name in _names(folder / INPUTS)} != record.inputs:
        raise CurtainError(f"{folder / INPUTS} has changed since the release. Put the released files back.")
    try:
        lines = (folder / KEY).read_text("utf-8").splitlines()
        rows = [parse_json(line, dict[str, Any]) for line in lines if line.strip()]
    except (OSError, ValueError) as fault:
        raise CurtainError(f"{folder / KEY} cannot be read: {fault}.") from fault
    return TestSet(folder, record, tuple(rows))


def final_key(test_set: TestSet) -> list[dict[str, Any]]:
    """The lines of the key with every ruling applied. Raises CurtainError while a report waits for its ruling."""
    if waiting := test_set.open_reports():
        raise CurtainError(
            f"Nobody has ruled on {count_of(len(waiting), 'reported reference')} yet: {', '.join(waiting[:5])}. "
            "Rule on them with “curtain test-set rule”, or print preliminary results without --final."
        )
    rulings = test_set.rulings()
    return [_ruled(dict(row), rulings.get(str(row["id"]))) for row in test_set.rows]


def _ruled(row: dict[str, Any], ruling: ReferenceRuling | None) -> dict[str, Any]:
    if ruling is None or ruling.decision == "keep":
        return row
    if ruling.decision == "withdraw":
        kept = {name: value for name, value in row.items() if name not in (*_REFERENCE, "yes_no")}
        return {**kept, "class": "X", "tags": [*row.get("tags", []), "withdrawn"]}
    row = {name: value for name, value in row.items() if name not in _REFERENCE}
    return {**row, "ref": ruling.ref, **({"max": ruling.max} if ruling.max is not None else {})}


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _sum(path: Path) -> str:
    needed = " A test set needs its key and its inputs."
    with os_errors_as(f"{path} cannot be read", CurtainError, needed):
        return digest_of(path)
