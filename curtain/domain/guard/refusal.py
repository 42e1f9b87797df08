"""A statement that is not run, explained in one plain sentence, with its place in the text where that is known."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from curtain.base.errors import CurtainError

Place = tuple[int, int]

_NEAR = 0.6
_OFFERED = 3
_LONGEST = 300


class StatementRefused(CurtainError):
    """Why a statement is not run; `at` is line and column, both from 1."""

    def __init__(self, sentence: str, at: Place | None = None) -> None:
        super().__init__(_in_one_line(sentence))
        self.at = at


def _in_one_line(sentence: str) -> str:
    """Names and texts of a statement may hold anything, of any length."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in sentence).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def place_of(sql: str, byte_offset: int) -> Place | None:
    """Line and column, from 1, of a place that DuckDB gives in bytes; None for its "nowhere"."""
    # DuckDB counts bytes, the editor characters: in a text with an umlaut they differ.
    raw = sql.encode("utf-8", "replace")
    if not 0 <= byte_offset <= len(raw):
        return None
    before = raw[:byte_offset].decode("utf-8", "ignore")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def nearest(name: str, names: Iterable[str], alike: float = _NEAR) -> str:
    """`; did you mean “salary”?` or a full stop, as the end of a sentence. `phone` is near `work_phone` too."""
    likeness = {candidate: _likeness(name.lower(), candidate) for candidate in names}
    best = max(likeness.values(), default=0.0)
    closest = sorted(candidate for candidate, like in likeness.items() if like == best >= alike)
    return f"; did you mean {' or '.join(f'“{name}”' for name in closest[:_OFFERED])}?" if closest else "."


def _likeness(name: str, candidate: str) -> float:
    whole = SequenceMatcher(None, name, candidate).ratio()
    parts = (SequenceMatcher(None, name, part).ratio() for part in candidate.split("_"))
    # A part that fits exactly comes after a whole name that does.
    return max(whole, *(0.99 * part for part in parts))
