"""Files of one JSON object a line, from hands we do not trust: every problem is one sentence with file and line."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.input_file import STANDARD_INPUT, open_unpacked
from curtain.base.terminal import shown, shown_name
from curtain.base.text_file import NumberedLine, numbered_lines

# A line is one answer and its reference; beyond this it is not a file of ours.
LONGEST_LINE = 512 * 1024 * 1024
_LONGEST_SHOWN = 60
Advance = Callable[[int], object]


class BadFile(CurtainError):
    """A file, or a line of it, that cannot be used."""


def ensure_absent(file: Path, overwrite: bool) -> None:
    """Raises CurtainError for a file that is there, unless it may be overwritten: before the work, not after."""
    if file.exists() and not overwrite:
        raise CurtainError(f"{file} is there already. Name a new folder, or write over it with --overwrite.")


def size_of(path: Path) -> int | None:
    """The bytes of a file that is read as it is; None where they are not known beforehand."""
    try:
        # Of an archive only the packed size is known.
        return path.stat().st_size if path.suffix != ".gz" and path.is_file() else None
    except OSError:
        return None


UNUSABLE = "has a reference, maximum or order that cannot be used"


class RejectedLine(CurtainError):
    """What is wrong with one line, in words that follow its file and number."""


def read_lines(path: Path, advance: Advance = lambda size: None) -> Iterator[NumberedLine]:
    """The lines of a file, or of standard input for `-`; empty ones are left out. `.gz` is unpacked.

    `advance` hears how many bytes were read. Raises BadFile if the system does not let us read it,
    for a damaged archive and for a line of more than 512 MiB.
    """
    # As it comes, however much it is. Not closed after reading: it belongs to the process.
    opened = nullcontext(sys.stdin.buffer) if str(path) == STANDARD_INPUT else open_unpacked(path)
    return numbered_lines(path, opened, LONGEST_LINE, BadFile, advance)


# Strict where Python is lenient: JSON knows no NaN and no repeated keys.
def read_object(data: bytes) -> dict[str, Any]:
    """The JSON object in a line. Raises RejectedLine."""
    try:
        value = json.loads(data.decode("utf-8-sig"), **_STRICT)
    except UnicodeDecodeError as error:
        raise RejectedLine(f"is not UTF-8 text (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise RejectedLine(f"is no JSON: {error.msg.lower()} at column {error.colno}") from None
    except RecursionError:
        raise RejectedLine("is nested too deeply") from None
    if not isinstance(value, dict):
        raise RejectedLine("is no JSON object in { }")
    return value


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) != len(pairs):
        names = [name for name, _ in pairs]
        raise RejectedLine(f"has “{shown_id(next(name for name in names if names.count(name) > 1))}” twice")
    return row


def _no_constant(name: str) -> None:
    raise RejectedLine(f"has {name}, which is no JSON")


def check_keys(row: dict[str, Any], needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """Raises RejectedLine for a key that is missing or that there is not."""
    for name in row:
        if name not in needed and name not in allowed:
            # A misspelt key would otherwise be ignored and silently change the score.
            raise RejectedLine(f"has the unknown key “{shown_id(name)}”; known are {', '.join((*needed, *allowed))}")
    for name in needed:
        if name not in row:
            raise RejectedLine(f"has no “{name}”")


def text_of(row: dict[str, Any], name: str) -> str | None:
    """A text, or None if it is absent or null. Raises RejectedLine for anything else."""
    value = row.get(name)
    if value is None or isinstance(value, str):
        return value
    raise RejectedLine(f"has {_kind(value)} for “{name}” where a text belongs")


def truth_of(row: dict[str, Any], name: str) -> bool:
    """true or false; absent and null are false. Raises RejectedLine for anything else."""
    value = row.get(name)
    if value is None or isinstance(value, bool):
        return bool(value)
    raise RejectedLine(f"has {_kind(value)} for “{name}” where true or false belongs")


def id_of(row: dict[str, Any]) -> str | int:
    """The id, a text that is not empty or a whole number. Raises RejectedLine for anything else."""
    value = row["id"]
    # bool is an int in Python.
    if (isinstance(value, str) and value.strip()) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise RejectedLine("has no text for “id”")


def _whole_number(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python's limit on the digits of an int
        raise RejectedLine(f"has a number of {len(digits)} digits") from None


_STRICT: dict[str, Any] = {
    # Python keeps the last of several values without a word.
    "object_pairs_hook": _without_repeats,
    "parse_constant": _no_constant,
    "parse_int": _whole_number,
}


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return kinds.get(type(value), "an object")


def shown_id(text: str) -> str:
    """An id, a name or a label of a file in a sentence: its beginning, if it is long."""
    return shown_name(text, _LONGEST_SHOWN)


def json_bytes(value: object) -> bytes:
    """One line of JSON in UTF-8; half a surrogate pair, which UTF-8 cannot hold, stays an escape."""
    # Python's decoder lets half a surrogate pair through from an escape.
    return shown(json.dumps(value, ensure_ascii=False)).encode("utf-8", "backslashreplace") + b"\n"
