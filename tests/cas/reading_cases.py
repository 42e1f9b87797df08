"""Reads the tables of cases in tests/data: blocks of `key: value` lines, parted by empty lines.

A value goes on in lines that begin with a blank. Keys: why, reference, hypothesis, verdict; and, where they matter,
maximum, dialect (1992), yes/no, epsilon, reason (a part of the reason given).
"""

import re
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"

_FIELD = re.compile(r"(why|reference|hypothesis|maximum|dialect|yes/no|epsilon|verdict|reason):\s?(.*)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One block."""

    file: str
    why: str
    reference: str
    hypothesis: str
    verdict: str
    maximum: str | None = None
    dialect: str = "1992"
    epsilon: str = "0.0001"
    yes_no: bool = False
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.why}"


def read_cases() -> list[Case]:
    """All cases of all files."""
    return [case for path in sorted(DATA.glob("*.cases")) for case in cases_of(path)]


def cases_of(path: Path) -> list[Case]:
    """The cases of one file."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").split("\n") if not line.startswith("#"))
    return [_case(path.stem, block) for block in re.split(r"\n\n+", text.strip("\n"))]


def _case(file: str, block: str) -> Case:
    fields: dict[str, str] = {}
    key = ""
    for line in block.split("\n"):
        if line.startswith("  ") and key:
            fields[key] += "\n" + line
            continue
        match = _FIELD.fullmatch(line)
        assert match is not None, f"{file}: what is {line!r}?"
        key, fields[match[1]] = match[1], match[2]
    return Case(
        file=file, why=fields["why"], reference=fields["reference"], hypothesis=fields["hypothesis"],
        verdict=fields["verdict"], maximum=fields.get("maximum"), dialect=fields.get("dialect", "1992"),
        epsilon=fields.get("epsilon", "0.0001"), yes_no=fields.get("yes/no") == "yes",
        reason=fields.get("reason", ""),
    )  # fmt: skip
