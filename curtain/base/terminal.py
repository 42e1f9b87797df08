"""Prints for people and programs: what came from files and speakers can neither move the cursor nor pass for markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

__all__ = ["print_error", "print_line", "print_table", "shown", "shown_name"]

# C0 but for tab and line feed, DEL, C1, line separators, and the marks that turn the direction of writing.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def shown(text: str) -> str:
    """A text with its control characters as escapes. They are JSON's, so that a line of JSON keeps its meaning."""
    return _CONTROLS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def shown_name(name: str, longest: int | None = None) -> str:
    """A name from a file or folder as it can be put in a sentence: on one line, what is no sign as an escape."""
    short = name if longest is None or len(name) <= longest else f"{name[:longest]}…"
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in short)


def print_line(line: object) -> None:
    """Print one line on standard output."""
    print(shown(str(line)), flush=True)


def print_error(line: object) -> None:
    """Print one line on standard error."""
    print(shown(str(line)), file=sys.stderr, flush=True)


def print_table(headings: Iterable[str], rows: Iterable[Sequence[str]], right: Sequence[bool]) -> None:
    """A table on standard output; `right` says which columns are set to the right."""
    # Only here: Rich is slow to load, and most commands print no table.
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for heading, to_the_right in zip(headings, right, strict=True):
        # Text, since Rich reads [b] and :smile: in a plain string as its own.
        table.add_column(Text(shown(heading)), justify="right" if to_the_right else "left")
    for row in rows:
        table.add_row(*(Text(shown(cell)) for cell in row))
    Console().print(table)
