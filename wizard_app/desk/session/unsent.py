"""What the wizard has typed and not sent, kept in a small side file so that a crash costs two seconds at most.

It is no data of the session: it is written beside and renamed over, and it may be missing or broken.
"""

from pathlib import Path

import msgspec

from curtain.base.disk import replace_file
from curtain.base.input_file import parse_json


class UnsentTurn(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of one turn as they stand, the query that had been sent by then, the attempts made by then. `marked`
    is what the wizard said of a yes/no question, None if nothing; `sql_max` is a maximum written by hand; `failed` is
    the statement whose empty answer is marked as a presupposition failure; `past` counts the heard words put away."""

    query: str = ""
    sql: str = ""
    marked: bool | None = None
    sql_max: str = ""
    failed: str = ""
    past: int = 0
    sent: str | None = None
    tried: int = 0


class Unsent(msgspec.Struct, frozen=True, kw_only=True):
    """Typed texts by turn, and the last value of each blank by its name."""

    turns: dict[int, UnsentTurn] = {}
    blanks: dict[str, str] = {}


def read_unsent(path: Path) -> Unsent:
    """The file's content; empty when it is missing or cannot be read, since nothing in it was ever promised."""
    try:
        return parse_json(path.read_bytes(), Unsent)
    except (OSError, ValueError):
        return Unsent()


def write_unsent(path: Path, unsent: Unsent) -> None:
    """Write beside and rename over. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.encode(unsent))
