"""New files of text, and one JSON array in a file, written element by element, so that its length does not matter."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO


def new_text(path: Path) -> TextIO:
    """A new file of text in UTF-8, with the same line ends on every system."""
    return path.open("x", encoding="utf-8", newline="\n")


@contextmanager
def json_array(path: Path) -> Iterator[Callable[[Any], None]]:
    """What appends an element that `json.dumps` can write; the file ends as a whole array also with no element."""
    with new_text(path) as file:
        file.write("[")
        between = "\n"

        def add(element: Any) -> None:
            nonlocal between
            # ASCII, since half of a surrogate pair has no UTF-8.
            file.write(between + json.dumps(element))
            between = ",\n"

        yield add
        file.write("\n]\n")


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """A new file of JSON that people can read."""
    with new_text(path) as file:
        file.write(without_tags(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")


def without_tags(text: str) -> str:
    """JSON of the same values in which no HTML can be seen, for pages that show the file as it is."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e")
