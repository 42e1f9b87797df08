"""New files of text and of JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO


def new_text(path: Path) -> TextIO:
    """A new file of text in UTF-8, with the same line ends on every system."""
    return path.open("x", encoding="utf-8", newline="\n")


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """A new file of JSON that people can read."""
    with new_text(path) as file:
        file.write(without_tags(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")


def without_tags(text: str) -> str:
    """JSON of the same values in which no HTML can be seen, for pages that show the file as it is."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e")
