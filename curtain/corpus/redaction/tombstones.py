"""The tombstones of a study: which utterances were erased, and on which day."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.input_file import read_input
from curtain.session.study.study import TOMBSTONES


def read_tombstones(study: Path) -> list[str]:
    """The ids of utterances that were erased. Raises CurtainError."""
    return [one for one, _ in read_tombstone_rows(study)]


def read_tombstone_rows(study: Path) -> list[tuple[str, str]]:
    """The ids of utterances that were erased, each with the day. Raises CurtainError."""
    return [(utterance_id, day) for utterance_id, day, _ in _rows(study)]


def erased_identities(study: Path, speaker: str) -> frozenset[str]:
    """The random identities of a speaker's erased sessions, by which copies are known. Raises CurtainError."""
    return frozenset(
        named for one, _, identities in _rows(study) if one.startswith(f"{speaker}-") for named in identities
    )


def _rows(study: Path) -> list[tuple[str, str, list[str]]]:
    path = study / TOMBSTONES
    try:
        rows = [json.loads(line) for line in read_input(path).splitlines() if line.strip()]
        return [(str(row["utterance_id"]), str(row.get("date", "")), list(row.get("identities", []))) for row in rows]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise CurtainError(f"{path} cannot be read: {fault}. Repair it first; it must not be lost.") from fault


def tombstone_line(utterance_id: str, day: str, identities: Iterable[str] = ()) -> str:
    """One line of the file, line break included. `identities` are those of the session, if it has one."""
    row = {"utterance_id": utterance_id, "date": day}
    named = sorted(identities)
    return json.dumps(row | ({"identities": named} if named else {})) + "\n"
