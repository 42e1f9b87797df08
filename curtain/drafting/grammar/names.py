"""What tables and columns are called, as words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from ..language.english import english, lemmas
from ..language.tokens import words_of

__all__ = ["Phrase", "column_phrases", "split_name", "table_phrases"]

Phrase = tuple[tuple[str, ...], float]
_FULL, _SHORT, _LAST, _FIRST = 1.0, 0.9, 0.55, 0.4


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """The words in a name: `hire_date`, `HireDate` and `hiredate` are hire date; abbreviations are written out."""
    short = english().get("names.short")
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name) if not name.isascii() or name != name.lower() else []
    parts = [part.lower() for part in parts] or [part for part in re.split(r"[^a-z0-9]+", name.lower()) if part]
    words: list[str] = []
    for part in parts:
        for one in (part,) if part in short else _segmented(part):
            words += short.get(one, one).split()
    return tuple(words)


def _segmented(part: str) -> tuple[str, ...]:
    """A run of letters as words, if words of a name make it up entirely."""
    known = english().words("names.parts")
    if part in known or len(part) < 5 or not part.isalpha():
        return (part,)
    best: list[tuple[str, ...] | None] = [()] + [None] * len(part)
    for end in range(1, len(part) + 1):
        for start in range(max(0, end - 14), end):
            before, piece = best[start], part[start:end]
            plain = piece in known or (piece.endswith("s") and piece[:-1] in known)
            if before is not None and plain and (best[end] is None or len(before) + 1 < len(best[end] or ())):
                best[end] = (*before, piece)
    return best[-1] or (part,)


def table_phrases(table: str, words: Collection[str]) -> Iterator[Phrase]:
    """What a table is called, and how likely each name means it."""
    own = split_name(table)
    yield lemmas(own), _FULL
    if len(own) > 1:
        dull = english().words("dull.names") | {"data", "info", "list", "table", "in", "details", "detail"}
        if own[-1] in dull:
            yield lemmas(own[:-1]), _SHORT
        else:
            yield lemmas(own[-1:]), _LAST
        yield lemmas(own[:1]), _FIRST
    for phrase in words:
        yield lemmas(words_of(phrase)), _FULL
    for word in english().columns_said(own):
        yield lemmas((word,)), 0.3


def column_phrases(table: str, column: str, heading: str, words: Collection[str]) -> Iterator[Phrase]:
    """What a column is called, and how likely each name means it."""
    own, of_table = split_name(column), split_name(table)
    yield lemmas(own), _FULL
    if heading:
        yield lemmas(words_of(heading)), _FULL
    for phrase in words:
        yield lemmas(words_of(phrase)), _FULL
    rest = own
    while len(rest) > 1 and lemmas(rest[:1])[0] in lemmas(of_table):
        rest = rest[1:]
    if rest != own:
        yield lemmas(rest), _SHORT
    else:
        yield lemmas((of_table[-1], *own)), _FULL
    dull = english().words("dull.names")
    if len(rest) > 1:
        if rest[-1] in dull:
            yield lemmas(rest[:-1]), 0.7
        elif rest[0] in dull:
            yield lemmas(rest[1:]), 0.7
        else:
            yield lemmas(rest[-1:]), _LAST
    for word, weight in english().columns_said(rest).items():
        yield lemmas((word,)), weight
