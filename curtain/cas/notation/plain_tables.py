"""The fast way to read what nearly every text is: a relation written plainly.

One regular expression takes the text apart at the speed of C, part by part, and each column is every so-manieth token;
columns are then checked whole. It never guesses: whatever it does not fully understand (comments, alternatives, ragged
rows, errors) it leaves to the grammar, which reads everything and knows the place of every error.
"""

from __future__ import annotations

import re

from ..values import Relation
from .cells import common_kind, kind_of, normal_cell
from .dialects import Dialect

_HEAD = re.compile(r"\s*+\(\s*+(?=\(\s*+[^\s()])", re.ASCII)
_TAIL = re.compile(r"\)\s*+\Z", re.ASCII)
_TOKENS = re.compile(r'[^\s()"]++|[()]|"[^"]*+"|\S[\s\S]*+', re.ASCII)
"""Anything that is no token ends the search with all the rest."""

_PART = 1 << 15
"""Characters of a part: the tokens of larger ones would leave the processor's cache."""

_SAMPLE = 30
"""Fewer repeats may be chance."""


def read_table(text: str, dialect: Dialect) -> Relation | None:
    """The relation in a text; None if the grammar has to look at it."""
    head = _HEAD.match(text)
    end = text.rfind(")")
    if head is None or end < 0 or not _TAIL.match(text, end):
        return None
    start = head.end()
    columns = _slices(_TOKENS.findall(text, start, end), 0) if end < _PART else _in_parts(text, start, end)
    return _checked(columns, dialect) if columns else None


def _slices(tokens: list[str], width: int) -> list[list[str]] | None:
    """The tokens of some tuples column by column; None if one is not as wide as the first, or as `width` if there is
    one. Parentheses inside a column are found when it is checked."""
    try:
        period = width + 2 if width else tokens.index(")") + 1
    except ValueError:
        return None
    rows = len(tokens) // period
    if rows * period != len(tokens) or tokens[::period].count("(") != rows or tokens.count(")") != rows:
        return None
    return [tokens[place::period] for place in range(1, period - 1)]


def _in_parts(text: str, start: int, end: int) -> list[list[str]] | None:
    """The same for the tuples between two places of a text; in columns that repeat their tokens, equal ones are one
    object, which takes less memory and is hashed once."""
    columns: list[list[str]] = []
    words: list[dict[str, str] | None] = []
    first, part, sampling = start, _PART, True
    while start < end:
        stop = text.find(")", start + part, end) + 1 or end
        tokens = _TOKENS.findall(text, start, stop)
        slices = _slices(tokens, len(columns))
        if slices is None:
            if not tokens or stop == end:
                return None if tokens else columns
            part *= 2  # a string may have been cut
            continue
        if not columns:
            columns, words = [[] for _ in slices], [{} for _ in slices]
        for column, known, cells in zip(columns, words, slices, strict=True):
            column.extend(cells if known is None else map(known.setdefault, cells, cells))
        start = stop
        # Repeats grow with the square of the rows: with so many, three in four tokens of the whole text will be some.
        enough = 2 * len(columns[0]) * (stop - first) / (end - first)
        if sampling and enough > _SAMPLE:
            sampling = False
            words = [
                known if known and len(column) - len(known) > enough else None
                for column, known in zip(columns, words, strict=True)
            ]
    return columns


def _checked(columns: list[list[str]], dialect: Dialect) -> Relation | None:
    """The relation, its cells in normal form; None if a column is not of one type or holds no values."""
    checked = []
    columns.reverse()
    while columns:
        column = columns.pop()  # and so freed when it is done: two copies of large columns would fill the memory
        if common_kind(column, dialect) is None:
            # Each token once: columns of answers repeat their values.
            cells = {token: token not in "()" and normal_cell(token, dialect) for token in set(column)}
            kinds = {kind_of(cell, dialect) if cell else "" for cell in cells.values()} - {"NIL"}
            if len(kinds) > 1 or "" in kinds:
                return None
            checked.append(tuple([cells[token] or "" for token in column]))
        else:
            checked.append(tuple(column))
    return Relation(tuple(checked))
