"""Examples that must not be learnt from: a file in the study that only grows, `withdrawn.jsonl`."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.input_file import read_input

__all__ = ["FILE", "CannotWithdraw", "Withdrawal", "read_withdrawn", "withdraw"]

FILE = "withdrawn.jsonl"


class CannotWithdraw(CurtainError):
    """The file of withdrawn examples does not take another line."""


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """Who withdrew which example, and when (UTC, ISO 8601); `back` takes an earlier withdrawal back."""

    id: str
    who: str
    when: str
    back: bool = False


def withdraw(study: Path, withdrawal: Withdrawal) -> None:
    """Writes one more line, on disk on return. Raises CannotWithdraw."""
    path = study / FILE
    try:
        with path.open("ab") as file:
            # A line that a crash cut off must not swallow this one.
            torn = file.tell() > 0 and path.read_bytes()[-1:] != b"\n"
            file.write((b"\n" if torn else b"") + msgspec.json.encode(withdrawal) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise CannotWithdraw(f"{path} cannot be written: {fault.strerror}.") from fault


def read_withdrawn(study: Path) -> tuple[frozenset[str], list[str]]:
    """The ids that are withdrawn, and a sentence for each line that cannot be read; none without the file."""
    path = study / FILE
    if not path.exists():
        return frozenset(), []
    ids: dict[str, bool] = {}
    faults: list[str] = []
    for number, line in _lines(path, faults):
        try:
            one = msgspec.convert(line, Withdrawal)
        except msgspec.ValidationError:
            faults.append(f"{path} line {number} does not name the example that was withdrawn.")
            continue
        ids[one.id] = not one.back
    return frozenset(name for name, gone in ids.items() if gone), faults


def _lines(path: Path, faults: list[str]) -> list[tuple[int, object]]:
    """Every line that can be read, also behind one that cannot."""
    try:
        texts = read_input(path).splitlines()
    except OSError as fault:
        faults.append(f"{path} cannot be read: {fault.strerror}.")
        return []
    found: list[tuple[int, object]] = []
    for number, text in enumerate(texts, start=1):
        try:
            if text.strip():
                found.append((number, msgspec.json.decode(text)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            faults.append(f"{path} line {number} is not JSON.")
    return found
