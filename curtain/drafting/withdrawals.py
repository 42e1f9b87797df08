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
    path, ids, faults = study / FILE, set[str](), list[str]()
    if not path.exists():
        return frozenset(), []
    try:
        lines = read_input(path).splitlines()
    except OSError as fault:
        return frozenset(), [f"{path} cannot be read: {fault.strerror}."]
    for number, line in enumerate(lines, start=1):
        # Every line counts that can be read, also behind one that cannot.
        try:
            one = msgspec.json.decode(line, type=Withdrawal) if line.strip() else None
        except msgspec.ValidationError:
            faults.append(f"{path} line {number} does not name the example that was withdrawn.")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            faults.append(f"{path} line {number} is not JSON.")
        else:
            if one is not None:
                (ids.discard if one.back else ids.add)(one.id)
    return frozenset(ids), faults
