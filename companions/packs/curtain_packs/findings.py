"""One thing that is to be said about a pack, and how much it matters."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from curtain.domain.pack.reader import PackError

_NAMED = 4
_FOLDERS = ("scenarios", "solutions", "languages")


class Weight(Enum):
    """PROBLEM: does not work. LACK: works, and would be better with it. FINE: was looked at."""

    PROBLEM = "fault"
    LACK = "lack"
    FINE = "fine"


@dataclass(frozen=True)
class PackFinding:
    """A sentence about one file of a pack; `file` is relative to the pack's folder."""

    weight: Weight
    file: str
    text: str


def problem(file: str, text: str) -> PackFinding:
    """Something in the pack that does not work."""
    return PackFinding(Weight.PROBLEM, file, text)


def lack(file: str, text: str) -> PackFinding:
    """Something that the pack works without, but worse."""
    return PackFinding(Weight.LACK, file, text)


def fine(file: str, text: str) -> PackFinding:
    """Something that was looked at and is as it should be."""
    return PackFinding(Weight.FINE, file, text)


def of_file(error: PackError) -> PackFinding:
    """A file that cannot be used."""
    folder = error.file.parent.name
    return problem(f"{folder}/{error.file.name}" if folder in _FOLDERS else error.file.name, f"{error.problem}.")


def some(names: Sequence[str]) -> str:
    """The first few of many names."""
    shown = ", ".join(names[:_NAMED])
    return f"{shown} and {len(names) - _NAMED} more" if len(names) > _NAMED else shown
