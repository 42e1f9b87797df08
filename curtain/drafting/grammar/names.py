"""What tables and columns are called, as words."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from curtain.domain.pack.names import split_name

from ..language.english import english, lemmas
from ..language.tokens import words_of

__all__ = ["Phrase", "column_phrases", "split_name", "table_phrases"]

Phrase = tuple[tuple[str, ...], float]
_FULL, _SHORT, _LAST, _FIRST = 1.0, 0.9, 0.55, 0.4


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
        yield lemmas((word,)), 0.45


def column_phrases(table: str, column: str, heading: str, words: Collection[str]) -> Iterator[Phrase]:
    """What a column is called, and how likely each name means it."""
    own, of_table = split_name(column), split_name(table)
    yield lemmas(own), _FULL
    if heading:
        yield lemmas(words_of(heading)), _FULL
    for phrase in words:
        yield lemmas(words_of(phrase)), _FULL
    if column.lower().endswith("id") and own[-1] == "number":
        yield lemmas((*own[:-1], "id")), _FULL
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
            if rest[-1] in ("name", "title", "date"):
                yield lemmas(rest[:-1]), 0.6
    for word, weight in english().columns_said(rest).items():
        yield lemmas((word,)), weight
