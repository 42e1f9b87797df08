"""Words beside a value that are called like a column: “arriving after nine” speaks of arrival_time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .naming import Names, stem
from .recognise import Found, Reading

__all__ = ["named_beside", "speaks_of"]

_BEFORE = 5
_PREFIX = 5
_LEAST = 4


def named_beside(reading: Reading, vocabulary: Names) -> list[Names]:
    """For each value, the words of column names that the nearest such word before it is like; none if there is none."""
    return [_nearest(reading, one, vocabulary) for one in reading.found]


def _nearest(reading: Reading, one: Found, vocabulary: Names) -> Names:
    for word in reversed(reading.words[max(0, one.first - _BEFORE) : one.first]):
        like = _like(word.text, vocabulary)
        if like:
            return like
    return frozenset()


@lru_cache(maxsize=4096)
def _like(word: str, vocabulary: Names) -> Names:
    return frozenset(name for name in vocabulary if _alike(word, name))


def _alike(word: str, name: str) -> bool:
    return stem(word) == name or (min(len(word), len(name)) >= _PREFIX and word[:_PREFIX] == name[:_PREFIX])


def speaks_of(roles: Sequence[frozenset[str]], beside: Iterable[Names]) -> float:
    """How many values do something with a column that is named beside them, less those that do not."""
    pairs = [(_columns(role), names) for role, names in zip(roles, beside, strict=True) if role and names]
    return float(sum(1 if names & own else -1 for own, names in pairs))


@lru_cache(maxsize=4096)
def _columns(role: frozenset[str]) -> Names:
    """The words in the names of the columns that a role speaks of."""
    names = (word for text in role for column in re.findall(r"\.(\w+)(?=\s|$|\))", text) for word in column.split("_"))
    return frozenset(stem(name) for name in names if len(name) >= _LEAST)
