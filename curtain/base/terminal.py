"""Prints for people and programs: what came from files and speakers can neither move the cursor nor pass for markup.

No sign that nobody sees is kept unseen: `shown` writes it as an escape, `without_hidden_signs` leaves it out.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

# C0 but for tab and line feed, DEL, C1, line separators, the marks that turn the direction of writing, what has no
# width, and the tags of planes that no font has.
HIDDEN_SIGNS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
    # Persian and Hindi join letters by these, and pictures are made with them; behind Latin they hide.
    "|(?<![\u0590-\u1fff\u2600-\U0001ffff])[\u200c\u200d]"
)
"""What is in a text and not seen, but for tab and line feed."""
Say = Callable[[str], object]
"""What takes one line for the user, such as `print_line`."""


def shown(text: str) -> str:
    """A text with its control characters as escapes. They are JSON's, so that a line of JSON keeps its meaning."""
    return HIDDEN_SIGNS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text.replace("\r\n", "\n"))


def without_hidden_signs(text: str) -> str:
    """A text without its control characters, marks of direction and signs without a width. What ends a line somewhere,
    such as U+2028, stays a space between words."""
    return HIDDEN_SIGNS.sub(lambda sign: _in_its_place(sign[0]), text)


def _in_its_place(sign: str) -> str:
    return " " if sign in "\x0b\x0c\r\x85\u2028\u2029" else ""


def with_visible_signs(text: str) -> str:
    """A text as long as before, with the sign of what cannot be shown in place of each sign that nobody sees."""
    return HIDDEN_SIGNS.sub("\ufffd", text)


def shown_name(name: str, longest: int | None = None) -> str:
    """A name from a file or folder as it can be put in a sentence: on one line, what is no sign as an escape."""
    short = name if longest is None or len(name) <= longest else f"{name[:longest]}…"
    return "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in short)


# A word, or what stands between quotation marks, that is longer than any name of a file.
_ENDLESS = re.compile(r"“[^”]{400,}”|'[^'\n]{400,}'|\"[^\"\n]{400,}\"|\S{400,}")


def brief(sentence: str) -> str:
    """A sentence in which nothing that somebody typed or stored is repeated at full length: its beginning and end."""
    for argument in sys.argv[1:]:
        if len(argument) >= 400:
            sentence = sentence.replace(argument, _ends_of(argument))
    return _ENDLESS.sub(lambda long: _ends_of(long[0]), sentence)


def _ends_of(text: str) -> str:
    return f"{text[:120]}…{text[-40:]}"


def print_line(line: object) -> None:
    """Print one line on standard output."""
    print(shown(str(line)), flush=True)


def print_json(value: object, say: Say | None = None) -> int:
    """One line of JSON for a program to read; 0, the exit code of a command that is done."""
    (say or print_line)(json.dumps(value, ensure_ascii=False))
    return 0


def print_error(line: object) -> None:
    """Print one line on standard error, what is endless in it cut short. It is lost where nobody reads it, as when the
    terminal was closed."""
    with suppress(OSError):
        print(shown(brief(str(line))), file=sys.stderr, flush=True)


def announce(**what: object) -> bool:
    """One JSON line on standard error for a window that runs this command as its child; False where none does."""
    if os.environ.get("CURTAIN_PROGRESS") != "lines":
        return False
    with suppress(OSError):
        print(shown(json.dumps(what, ensure_ascii=False)), file=sys.stderr, flush=True)
    return True


def announced(line: str) -> dict[str, Any]:
    """What a line of `announce` says; empty for any other line."""
    try:
        what = json.loads(line) if line.startswith('{"') else {}
    except (ValueError, RecursionError):
        return {}
    return what if isinstance(what, dict) else {}


def print_table(headings: Iterable[str], rows: Iterable[Sequence[str]], right: Sequence[bool]) -> None:
    """A table on standard output, for a window as values; `right` says which columns are set to the right."""
    headings, rows = list(headings), list(rows)
    if announce(table={"headings": headings, "rows": rows, "numeric": right, "total": len(rows)}):
        return
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
