"""The words that people use for tables and columns: their names, headings, common English, the pack's own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from curtain.domain.pack.pack import Pack

from ..query.column_words import DULL, columns_said, lemma, lemmas, words_in
from ..query.lexicon import Lexicon
from ..query.words import words_of

__all__ = ["JOINS", "NEARBY", "Mark", "Sense", "boss_words_of", "phrases_of"]

NEARBY = 4
"""So many words away a word may belong to a value."""

JOINS = words_in("the of in is are with a an named called name whose has have by")
"""Words between a value and the word for it that say nothing."""

_ENDINGS = ("name", "code", "number", "type", "description", "date", "time", "title", "group", "day")
_ANYBODY = ("people", "person", "who", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "whoever")
_PLACE = frozenset(["city", "town", "address"])


@dataclass(frozen=True, slots=True)
class Sense:
    """A table, or one of its columns, that words may mean, and how likely (0..1)."""

    table: str
    column: str
    weight: float


@dataclass(frozen=True, slots=True)
class Mark:
    """Words [first, last) that name tables or columns."""

    first: int
    last: int
    senses: tuple[Sense, ...]


def boss_words_of(bosses: Mapping[str, str], lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Words for who stands above another in the same table, as lemmas -> table; so are verbs made of them."""
    for table, column in bosses.items():
        # “Parts” are no word for what is above a part, whatever the column is called.
        own = [word for word in column.split("_") if word not in DULL and lemma(word) not in lemmas(table.split("_"))]
        for phrase in [*own, *lexicon.words.get(f"{table}.{column}", ())]:
            if " " not in phrase:
                yield lemma(phrase), table


def phrases_of(pack: Pack, lexicon: Lexicon, people: Iterable[str]) -> dict[tuple[str, ...], tuple[Sense, ...]]:
    found: dict[tuple[str, ...], dict[tuple[str, str], float]] = {}
    for phrase, sense in _named(pack, lexicon, people):
        if phrase:
            best = found.setdefault(phrase, {})
            best[sense.table, sense.column] = max(sense.weight, best.get((sense.table, sense.column), 0.0))
    return {
        phrase: tuple(sorted((Sense(*name, weight) for name, weight in best.items()), key=lambda one: -one.weight))
        for phrase, best in found.items()
    }


def _named(pack: Pack, lexicon: Lexicon, people: Iterable[str]) -> Iterator[tuple[tuple[str, ...], Sense]]:
    for table, columns in pack.tables.items():
        yield from _table_words(table)
        for column in columns:
            yield from _column_words(table, column)
    for table in people:
        yield from (((lemma(word),), Sense(table, "", 0.85)) for word in _ANYBODY)
    yield from _own_words(pack, lexicon.words)


def _table_words(table: str) -> Iterator[tuple[tuple[str, ...], Sense]]:
    words = table.split("_")
    yield lemmas(words), Sense(table, "", 1.0)
    short = [word for word in words if word not in DULL]
    if short != words:
        yield lemmas(short), Sense(table, "", 0.9)
    if len(short) > 1:
        yield lemmas(short[-1:]), Sense(table, "", 0.45)
    for word, weight in columns_said(short).items():
        yield (lemma(word),), Sense(table, "", weight - (0.3 if _PLACE & set(short) else 0.05))


def _column_words(table: str, column: str) -> Iterator[tuple[tuple[str, ...], Sense]]:
    words = column.split("_")
    yield lemmas(words), Sense(table, column, 0.95)
    short = [word for word in words if word not in DULL]
    if len(short) > 1 and short[-1] in _ENDINGS:
        yield lemmas(short[:-1]), Sense(table, column, 0.7)
        yield lemmas(short[-1:]), Sense(table, column, 0.4)
    elif len(short) > 1:
        yield from (((lemma(word),), Sense(table, column, 0.5)) for word in short)
    elif short and short != words and lemmas(short) != lemmas(table.split("_")):
        yield lemmas(short), Sense(table, column, 0.8)
    own = words_of(table.replace("_", " "))
    yield lemmas([*own, *words]), Sense(table, column, 1.0)
    for word, weight in columns_said(short).items():
        yield (lemma(word),), Sense(table, column, weight)


def _own_words(pack: Pack, words: Mapping[str, Iterable[str]]) -> Iterator[tuple[tuple[str, ...], Sense]]:
    """Words that the pack itself has: headings, vague expressions, the lexicon's [words]."""
    for name, heading in pack.headings.items():
        for table, columns in pack.tables.items():
            column = name.removeprefix(f"{table}.")
            if column in columns:
                yield lemmas(words_of(str(heading))), Sense(table, column, 0.9)
    vague: Mapping[str, Any] = pack.vague
    for name, target in [*vague.items(), *((one, name) for name, many in words.items() for one in many)]:
        table, _, column = str(target).partition(".")
        if table in pack.tables and (not column or column in pack.tables[table]):
            yield lemmas(words_of(name)), Sense(table, column, 0.95)
