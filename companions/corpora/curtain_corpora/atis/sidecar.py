"""What the files of an ATIS tree have no place for: the rows of the utterance view, one JSON object a line.

`<XXX>00<S>sx.jsonl` lies beside the files of a scenario-session. Its first line is the session, each further line one
utterance with the SHA-256 of the files written from it: where a file was changed afterwards, the file counts.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.input_file import open_input, read_input
from curtain.corpus.model.utterance import Session, Utterance

KIND = "jsonl"
_VERSION = 1
# Places on one machine mean nothing on another, and utterances have lines of their own.
_NOT_KEPT = {"path", "utterances", "audio", "breaking", "journals"}
# What reading a record of other kinds of values than ours raises.
_PROBLEMS = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True)
class SidecarHead:
    """Of which session this is a part, and which part of how many; `sha256` is of the files of the whole part."""

    session: Session
    scenario_id: str | None
    part: int
    parts: int
    sha256: Mapping[str, str]


@dataclass(frozen=True)
class SidecarUtterance:
    """An utterance, its number in the scenario-session, and the SHA-256 of its files by type."""

    query: str
    utterance: Utterance
    sha256: Mapping[str, str]


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal: it shows on import whether a file was changed after the export."""
    return hashlib.sha256(data).hexdigest()


def write_sidecar(head: SidecarHead, sides: Sequence[SidecarUtterance]) -> bytes:
    """The bytes of a sidecar: its first line is the head, each line after it one utterance."""
    first = {
        "curtain": _VERSION,
        "session": _plain(head.session),
        "scenario_id": head.scenario_id,
        "part": head.part,
        "parts": head.parts,
        "sha256": dict(head.sha256),
    }
    rest = ({"query": s.query, "utterance": _plain(s.utterance), "sha256": dict(s.sha256)} for s in sides)
    # ASCII, since half of a surrogate pair has no UTF-8.
    return b"".join(json.dumps(line).encode("ascii") + b"\n" for line in (first, *rest))


def _plain(value: Session | Utterance) -> dict[str, Any]:
    return {
        field.name: msgspec.to_builtins(getattr(value, field.name))
        for field in fields(value)
        if field.name not in _NOT_KEPT and getattr(value, field.name) != field.default
    }


def read_sidecar(path: Path) -> tuple[SidecarHead, list[SidecarUtterance]]:
    """The session and its utterances, without their recordings. Raises CurtainError."""
    try:
        first, *rest = (json.loads(line) for line in read_input(path).splitlines())
        sides = [SidecarUtterance(_query(line), _utterance(line["utterance"]), _sums(line)) for line in rest]
        return _head(first), sides
    except _PROBLEMS as error:
        raise _bad(path) from error


def read_head(path: Path) -> SidecarHead:
    """The first line alone. Raises CurtainError."""
    try:
        with open_input(path) as file:
            return _head(json.loads(file.readline()))
    except _PROBLEMS as error:
        raise _bad(path) from error


def _bad(path: Path) -> CurtainError:
    return CurtainError(f"{path} is damaged. Take it from another copy of the tree, or remove it to do without.")


def _head(line: dict[str, Any]) -> SidecarHead:
    if line["curtain"] != _VERSION:
        raise ValueError("a version of the future")
    given = {name: value for name, value in line["session"].items() if name not in _NOT_KEPT}
    if "solutions" in given:
        # Trees of earlier versions hold no more of a scenario than its answer.
        solutions = msgspec.convert(given["solutions"], list[tuple[str, str, str]])
        given.setdefault(
            "scenarios", [{"scenario_id": one, "answer": answer, "how": how} for one, answer, how in solutions]
        )
    session = Session(**_typed(Session, given), path=Path(), utterances=())
    scenario = msgspec.convert(line["scenario_id"], str | None)
    part, parts = (msgspec.convert(line[name], int) for name in ("part", "parts"))
    return SidecarHead(session, scenario, part, parts, _sums(line))


def _query(line: dict[str, Any]) -> str:
    query: str = line["query"]
    if not re.fullmatch(r"[0-9a-z]{2}", query):
        raise ValueError("no number of a query")
    return query


def _sums(line: dict[str, Any]) -> dict[str, str]:
    return msgspec.convert(line["sha256"], dict[str, str])


def _utterance(given: dict[str, Any]) -> Utterance:
    return Utterance(**_typed(Utterance, {name: value for name, value in given.items() if name not in _NOT_KEPT}))


def _typed(kind: type, given: dict[str, Any]) -> dict[str, Any]:
    """Fields with their types checked; a field of the future is left aside."""
    types = _types(kind)
    return {name: msgspec.convert(value, types[name]) for name, value in given.items() if name in types}


@cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
