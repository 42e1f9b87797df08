"""Whether a draft denies what the query denies: “not on United” must not become those on United."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .comparisons import negated_at
from .recognise import Reading
from .series import leaders

__all__ = ["denied_in", "is_denied", "misses_denial"]

_BEFORE = 3
_DENIES = re.compile(r"\bNOT\b|<>|!=|\bEXCEPT\b|\bDISTINCT FROM\b", re.IGNORECASE)


def misses_denial(sql: str, used: Iterable[int], denied: Collection[int]) -> bool:
    """True if a draft uses a value that the query denies and nothing in the draft is denied."""
    return not _DENIES.search(sql) and any(number in denied for number in used)


def denied_in(reading: Reading) -> frozenset[int]:
    """The values that a query denies."""
    return frozenset(number for number in range(len(reading.found)) if is_denied(reading, number))


def is_denied(reading: Reading, number: int) -> bool:
    """Whether a value stands behind a “not”, with no other value between them; of values in one breath, the first."""
    words = [word.text for word in reading.words]
    first = reading.found[leaders(reading).get(number, number)].first
    start = max([0, first - _BEFORE, *(one.last for one in reading.found if one.last <= first)])
    return any(negated_at(words, at) is not None for at in range(start, first))
