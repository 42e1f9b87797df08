"""The tombstones of a study: which utterances were erased, and on which day."""

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec

from curtain.base.record_file import read_records
from curtain.session.study.study import TOMBSTONES


class _Tombstone(msgspec.Struct, frozen=True):
    utterance_id: str
    date: str = ""
    identities: list[str] = []


def read_tombstones(study: Path) -> list[str]:
    """The ids of utterances that were erased. Raises BadRecords."""
    return [one for one, _ in read_tombstone_rows(study)]


def read_tombstone_rows(study: Path) -> list[tuple[str, str]]:
    """The ids of utterances that were erased, each with the day. Raises BadRecords."""
    return [(row.utterance_id, row.date) for row in _rows(study)]


def erased_identities(study: Path, speaker: str) -> frozenset[str]:
    """The random identities of a speaker's erased sessions, by which copies are known. Raises BadRecords."""
    rows = (row for row in _rows(study) if row.utterance_id.startswith(f"{speaker}-"))
    return frozenset(named for row in rows for named in row.identities)


def _rows(study: Path) -> list[_Tombstone]:
    return read_records(study / TOMBSTONES, _Tombstone, "Repair it first; it must not be lost.")


def tombstone_line(utterance_id: str, day: str, identities: Iterable[str] = ()) -> str:
    """One line of the file, line break included. `identities` are those of the session, if it has one."""
    row = {"utterance_id": utterance_id, "date": day}
    named = sorted(identities)
    return json.dumps(row | ({"identities": named} if named else {})) + "\n"
