"""New files of text, and one JSON array in a file, written element by element, so that its length does not matter."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO


def new_text(path: Path) -> TextIO:
    """A new file of text in UTF-8, with the same line ends on every system."""
    return path.open("x", encoding="utf-8", newline="\n")


class JsonArray:
    """`with JsonArray(path) as array: array.add(...)`; the file ends as a whole array also with no element."""

    def __init__(self, path: Path) -> None:
        self._file = new_text(path)
        self._file.write("[")
        self._any = False

    def add(self, element: Any) -> None:
        """Append an element that `json.dumps` can write."""
        # ASCII, since half of a surrogate pair has no UTF-8.
        self._file.write((",\n" if self._any else "\n") + json.dumps(element))
        self._any = True

    def close(self) -> None:
        """End the array. A second call does nothing."""
        if not self._file.closed:
            self._file.write("\n]\n")
            self._file.close()

    def __enter__(self) -> JsonArray:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()
