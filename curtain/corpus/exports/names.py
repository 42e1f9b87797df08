"""File names for ids of any kind, safe on every system, and the way back to the ids."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from pathlib import Path

__all__ = ["FILE", "Names", "names_in", "safe_name"]

FILE = "names.jsonl"
"""Where a changed name is led back to its id: {"name", "id"} a line. Absent where no name had to change."""

_LONGEST = 80
_PLAIN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\..*)?")


def safe_name(text: str) -> str:
    """`text` itself where it can be a name on every system, else a readable likeness, `~` and a checksum of it.

    The result has only a-z, 0-9, `-`, `_`, `.` and `~`, is at most 97 characters long, is no reserved word of Windows,
    and differs from the name of any other text also where upper and lower case count as the same.
    """
    if len(text) <= _LONGEST and _PLAIN.fullmatch(text) and not _RESERVED.fullmatch(text):
        return text
    checksum = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{_likeness(text)}~{checksum}"


def _likeness(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text[:_LONGEST]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", folded).strip("_")[:_LONGEST] or "x"


class Names:
    """Gives safe names and remembers which of them differ from their ids."""

    def __init__(self) -> None:
        self._changed: dict[str, str] = {}

    def of(self, text: str) -> str:
        name = safe_name(text)
        if name != text:
            self._changed[name] = text
        return name

    def write(self, folder: Path) -> None:
        """The way back, in `names.jsonl`; no file if nothing was changed."""
        if self._changed:
            with (folder / FILE).open("x", encoding="utf-8", newline="\n") as file:
                for name, text in sorted(self._changed.items()):
                    file.write(json.dumps({"name": name, "id": text}) + "\n")


def names_in(folder: Path) -> dict[str, str]:
    """From each changed name of an export to the id it stands for."""
    path = folder / FILE
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return {entry["name"]: entry["id"] for entry in map(json.loads, lines)}
