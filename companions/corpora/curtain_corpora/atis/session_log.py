"""The notation of `.log` files: one speaker and one scenario a file, fields in brackets.

    [Speaker: e00] [Scenario: 3] [Mode: wizard]
    0e [Begin_Speech: 0:02:11.320] [Query: show me flights]

Fields before the first numbered line are of the session; a line that begins with a query's number in two base-36
digits belongs to that query, as do the lines after it. In a value, a backslash stands before a backslash and before a
closing bracket, and `\\n` is a line break. Any keyword may occur; words outside brackets are kept as well.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

Fields = tuple[tuple[str, str], ...]

_NUMBERED = re.compile(r"(?:\[?\s*([0-9a-z]{2})\s*\]?)(?=\s*(?:\[|$|:))", re.I | re.A)
_FIELD = re.compile(r"\[\s*([^\[\]:\\\n]+?)\s*:[ \t]*((?:\\.|[^\]\\])*)\]", re.S)
_BEGINS = re.compile(r"\s*(?:[0-9a-z]{2}\s*:?\s*)?\[", re.I | re.A)
_STAMP = re.compile(r"(-?)([0-9]{1,5}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?")


@dataclass(frozen=True)
class SessionLog:
    """`header` and, by the number of the query, its fields in the order of the file; `loose` is text outside fields."""

    header: Fields = ()
    queries: tuple[tuple[str, Fields], ...] = ()
    loose: tuple[str, ...] = ()


def write_log(log: SessionLog) -> str:
    """The text of a `.log` file: the header, then the queries with an empty line before each."""
    lines = [_written(pair) for pair in log.header]
    for query, fields in log.queries:
        lines += ["", *(f"{query} {_written(pair)}" for pair in fields)]
    return "\n".join([*lines, ""])


def _written(pair: tuple[str, str]) -> str:
    name, value = pair
    escaped = value.replace("\\", "\\\\").replace("]", "\\]").replace("\r", "\\r").replace("\n", "\\n")
    return f"[{name}: {escaped}]"


def _plain(escaped: str) -> str:
    marks = {"n": "\n", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: marks.get(found[1], found[1]), escaped, flags=re.S)


def read_log(text: str) -> SessionLog:
    """Everything a log says; a log of another laboratory loses no word."""
    header: list[tuple[str, str]] = []
    queries: dict[str, list[tuple[str, str]]] = {}
    loose: list[str] = []
    fields = header
    for part in _parts(text):
        number = _NUMBERED.match(part)
        # A field may itself look like a number in brackets.
        if number and not _FIELD.match(part):
            fields = queries.setdefault(number[1].lower(), [])
            part = part[number.end() :].lstrip(" \t:")
        fields += [(found[1], _plain(found[2]).rstrip(" \t")) for found in _FIELD.finditer(part)]
        # A log of another laboratory has remarks between its fields; they are kept as they stand.
        left = _FIELD.sub("", part).strip()
        loose += [left] if left else []
    return SessionLog(tuple(header), tuple((query, tuple(pairs)) for query, pairs in queries.items()), tuple(loose))


def _parts(text: str) -> Iterable[str]:
    """Lines, where a field over several lines counts as one; a line that begins with a field is a new one."""
    held: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if held and (_BEGINS.match(line) or not _open("\n".join(held))):
            yield "\n".join(held).strip()
            held = []
        held.append(line)
    yield "\n".join(held).strip()


def _open(text: str) -> bool:
    return re.search(r"\[[^\[\]:\n]+:(?:\\.|[^\]\\])*$", _FIELD.sub("", text), re.S) is not None


def keyword(name: str) -> str:
    """The form in which keywords are compared: `Begin Speech`, `begin-speech` and `Begin_Speech` are one."""
    return re.sub(r"[\s_-]+", "_", name.strip()).lower()


def field_of(fields: Fields, *names: str) -> str | None:
    """The value of the first field with one of these keywords, or None."""
    wanted = {keyword(name) for name in names}
    return next((value for name, value in fields if keyword(name) in wanted), None)


def stamp(ms: int) -> str:
    """Milliseconds as `0:02:11.320`."""
    seconds, rest = divmod(abs(ms), 1000)
    return f"{'-' if ms < 0 else ''}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"


def milliseconds(text: str) -> int | None:
    """The milliseconds of a stamp, or None if it is none."""
    match = _STAMP.search(text)
    if match is None:
        return None
    whole = (int(match[2]) * 60 + int(match[3])) * 60 + int(match[4])
    # “.5” is half a second; what is finer than a millisecond is cut.
    ms = whole * 1000 + int((match[5] or "0").ljust(3, "0")[:3])
    return -ms if match[1] else ms
