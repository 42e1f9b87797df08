"""The fast way to read what nearly every text is: a relation written plainly.

One regular expression, made for the width of the first tuple, takes the text apart at the speed of C; columns are
then checked whole. It never guesses: whatever it does not fully understand (comments, alternatives, ragged rows,
errors) it leaves to the grammar, which reads everything and knows the place of every error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..values import Cell, Relation
from .cells import WHITE_SPACE, common_kind, kind_of, normal_cell
from .dialects import Dialect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEAD = re.compile(r"\s*+\(\s*+(?=\(\s*+[^\s()])", re.ASCII)
_CELL = r'("[^"]*+"|[^\s()"]++)'
_CELLS = re.compile(_CELL, re.ASCII)
_TUPLE = re.compile(r'\(\s*+(?:(?:"[^"]*+"|[^\s()"]++)\s*+)*+\)', re.ASCII)
_WIDEST = 256
"""Wider tuples are the grammar's: the expression for them would take longer to make than to use."""

_LARGE = 1 << 19
"""Characters from which a text is read in parts."""

_TAIL = re.compile(r"\)\s*+\Z", re.ASCII)


def read_table(text: str, dialect: Dialect) -> Relation | None:
    """The relation in a text; None if the grammar has to look at it."""
    head = _HEAD.match(text)
    end = text.rfind(")")
    if head is None or end < 0 or not _TAIL.match(text, end):
        return None
    start = head.end()
    first = _TUPLE.match(text, start, end)
    width = len(_CELLS.findall(text, start, first.end())) if first else 0
    columns = _split(text, start, end, width) if 0 < width <= _WIDEST else None
    return _checked(columns, dialect) if columns else None


def _split(text: str, start: int, end: int, width: int) -> list[Sequence[str]] | None:
    """The columns; None if not all tuples are of this width. Large texts are read in parts.

    Where a column repeats its tokens in most rows, equal ones then are one object, which takes less memory.
    """
    find = _tuples_of(width).findall
    if end - start < _LARGE:
        return _columns(find(text, start, end), width)
    columns: list[list[str]] = [[] for _ in range(width)]
    words: list[dict[str, str] | None] = []
    part = (end - start) // 48
    while start < end:
        stop = text.find(")", start + part, end) + 1 or end
        slices = _columns(find(text, start, stop), width)
        if slices is None:
            if stop == end:
                break
            part *= 2  # a string may have been cut
            continue
        # In the whole text such tokens stand a hundred times or so. What repeats less is quicker to read where it lies.
        words = words or [{} if 2 * len(set(cells)) < len(cells) else None for cells in slices]
        for column, known, cells in zip(columns, words, slices, strict=True):
            column.extend(cells if known is None else map(known.setdefault, cells, cells))
        start = stop
    return None if text[start:end].strip(WHITE_SPACE) else list(columns)


def _columns(tuples: list[Any], width: int) -> list[Sequence[str]] | None:
    if not tuples:
        return None
    if width == 1:
        # A pattern with one group gives texts instead of tuples.
        return [tuple(tuples)] if tuples[-1] else None
    return list(zip(*tuples, strict=True)) if tuples[-1][0] else None


@lru_cache(maxsize=64)
def _tuples_of(width: int) -> re.Pattern[str]:
    """Finds tuples of this width; anything else ends the search with a tuple of empty texts."""
    cells = r"\s++".join([_CELL] * width)
    return re.compile(rf"\s*+\(\s*+{cells}\s*+\)|\S[\s\S]*+", re.ASCII)


def _checked(columns: list[Sequence[str]], dialect: Dialect) -> Relation | None:
    """The relation, its cells in normal form; None if a column is not of one type or holds no values."""
    checked: list[tuple[Cell, ...]] = []
    columns.reverse()
    while columns:
        column = columns.pop()  # and so freed when it is copied: large columns would be in memory twice
        cells = tuple(column) if common_kind(column, dialect) is not None else _normal(column, dialect)
        if cells is None:
            return None
        checked.append(cells)
    return Relation(tuple(checked))


def _normal(column: Sequence[str], dialect: Dialect) -> tuple[Cell, ...] | None:
    # Each token once: columns of answers repeat their values.
    cells = {token: normal_cell(token, dialect) for token in set(column)}
    kinds = {kind_of(cell, dialect) if cell else "" for cell in cells.values()} - {"NIL"}
    if len(kinds) > 1 or "" in kinds:
        return None
    return tuple(map(cells.__getitem__, column))  # type: ignore[arg-type]  # none of them is None
