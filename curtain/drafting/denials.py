"""Whether a draft denies what the query denies: “not on United” must not become those on United."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .comparisons import negated_at
from .recognise import Reading

__all__ = ["misses_denial"]

_BEFORE = 3
_DENIES = re.compile(r"\bNOT\b|<>|!=|\bEXCEPT\b|\bDISTINCT FROM\b", re.IGNORECASE)


def misses_denial(sql: str, used: Iterable[int], reading: Reading) -> bool:
    """True if a value that the draft uses stands behind a “not” and nothing in the draft is denied."""
    return not _DENIES.search(sql) and any(_denied(reading, number) for number in used)


def _denied(reading: Reading, number: int) -> bool:
    words = [word.text for word in reading.words]
    first = reading.found[number].first
    start = max([0, first - _BEFORE, *(one.last for one in reading.found if one.last <= first)])
    return any(negated_at(words, at) is not None for at in range(start, first))
