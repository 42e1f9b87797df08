"""Examples that must not be learnt from: a file in the study that only grows, `withdrawn.jsonl`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curtain.base.input_file import read_input
from curtain.base.record_file import add_record

FILE = "withdrawn.jsonl"


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """Who withdrew which example, and when (UTC, ISO 8601); `back` takes an earlier withdrawal back."""

    id: str
    who: str
    when: str
    back: bool = False


def withdraw(study: Path, withdrawal: Withdrawal) -> None:
    """Writes one more line, on disk on return. Raises BadRecords."""
    add_record(study / FILE, withdrawal)


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
