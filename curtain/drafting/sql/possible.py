"""Whether a statement can have an answer at all: no column at two values at once, no range that ends too early."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from .statements import Column, Hole, Part, Statement

__all__ = ["possible"]

Value = tuple[bool, float, str]
_AT_LEAST = frozenset([">", ">="])
_AT_MOST = frozenset(["<", "<="])
# What makes a text a date.
_DATE = re.compile(r"DATE \0|CAST\(\0 AS DATE\)")
_PLAIN = re.compile(r"\0 (=|<=?|>=?) \0( AND \0 (=|<=?|>=?) \0)*")
_SIGNS = re.compile(r"[<>=]+")
_BETWEEN = ("BETWEEN",)
_LIKE = ("LIKE",)


@dataclass
class _Bounds:
    """What is said of one column."""

    equal: set[Value] = field(default_factory=set)
    least: list[Value] = field(default_factory=list)
    most: list[Value] = field(default_factory=list)
    like: list[str] = field(default_factory=list)

    @property
    def possible(self) -> bool:
        """Whether one value can satisfy it all."""
        if any(part not in text for part in self.like for _, _, text in self.equal):
            return False
        every = [*self.equal, *self.least, *self.most]
        if len({value[0] for value in every}) > 1:
            return True
        low, high = max([*self.least, *self.equal], default=None), min([*self.most, *self.equal], default=None)
        return len(self.equal) < 2 and (low is None or high is None or low <= high)


def possible(statement: Statement) -> bool:
    """False if conditions that stand between ANDs contradict each other; of what is not simple, True."""
    said: dict[Column, _Bounds] = {}
    for clause in statement.clauses:
        for column, sign, value in _compared(clause.parts):
            own = said.setdefault(column, _Bounds())
            if sign == "LIKE":
                own.like.append(value[2])
            elif sign == "=":
                own.equal.add(value)
            elif sign in _AT_LEAST:
                own.least.append(value)
            else:
                own.most.append(value)
    return all(own.possible for own in said.values())


def _compared(parts: Sequence[Part]) -> Iterator[tuple[Column, str, Value]]:
    """The comparisons of a clause that consists of nothing else: column, sign, value."""
    signs = _signs("".join(part if isinstance(part, str) else "\0" for part in parts))
    pieces = [part for part in parts if not isinstance(part, str)]
    if signs == _BETWEEN:
        yield from _between(pieces)
        return
    if signs == _LIKE:
        yield from _like(pieces)
        return
    for sign, column, hole in zip(signs, pieces[::2], pieces[1::2], strict=True) if signs else ():
        if isinstance(column, Column) and isinstance(hole, Hole):
            yield column, sign, _value(hole)


@lru_cache(maxsize=4096)
def _signs(text: str) -> tuple[str, ...]:
    """The signs of a clause in which columns and literals are left out; none if it is no plain comparison."""
    pattern = _DATE.sub("\0", re.sub(r"\s+", " ", text).strip())
    if pattern == "\0 BETWEEN \0 AND \0":
        return _BETWEEN
    if pattern == "\0 LIKE \0":
        return _LIKE
    return tuple(_SIGNS.findall(pattern)) if _PLAIN.fullmatch(pattern) else ()


def _between(pieces: Sequence[Part]) -> Iterator[tuple[Column, str, Value]]:
    column, low, high = pieces
    if isinstance(column, Column) and isinstance(low, Hole) and isinstance(high, Hole):
        yield column, ">=", _value(low)
        yield column, "<=", _value(high)


def _like(pieces: Sequence[Part]) -> Iterator[tuple[Column, str, Value]]:
    """What every value has in it, if nothing else is said of it: “%CLERK%”."""
    column, hole = pieces
    if isinstance(column, Column) and isinstance(hole, Hole):
        text = hole.text.strip("'").strip("%")
        if not set(text) & set("%_"):
            yield column, "LIKE", (True, 0.0, text)


def _value(hole: Hole) -> Value:
    """A literal as something that can be compared with others of its type."""
    try:
        return False, float(hole.text), ""
    except ValueError:
        return True, 0.0, hole.text
