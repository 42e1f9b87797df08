"""What a value named in a query may be, whatever is asked: columns that hold it, and what the words beside it say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..query.lexicon import Meaning
from ..query.recognise import Found
from ..query.words import words_of
from .marks import Question
from .pack_schema import Schema
from .words import NEARBY, Mark

__all__ = ["Candidate", "candidates_of"]

_MOST_MEANINGS = 5
_LEAST = 0.08
_NAMING = frozenset(["the", "of", "a", "named", "called"])
_PLACES = frozenset(["name", "city", "capital"])


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column that may hold a value: of `table`, found in the database under `source` (its own name, or what refers to
    it or is called like it); the value as text, whether it is only part of the column's, and how likely."""

    table: str
    column: str
    source: str
    text: str
    like: bool
    weight: float

    @property
    def own(self) -> bool:
        """Whether the column is the one under which the database has the value."""
        return f"{self.table}.{self.column}" == self.source


def candidates_of(question: Question, schema: Schema) -> Mapping[int, tuple[Candidate, ...]]:
    """For each value of the query the columns that may hold it; the unlikely ones are left out."""
    found = {n: list(_of_value(question, schema, question.found[n])) for n in question.names}
    best = {n: max((one.weight for one in group), default=0.0) for n, group in found.items()}
    return {n: tuple(one for one in group if one.weight > _LEAST * best[n]) for n, group in found.items()}


def _of_value(question: Question, schema: Schema, found: Found) -> Iterator[Candidate]:
    beside = _named_table(question, found)
    for rank, (meaning, share) in enumerate(_shares(schema, found)[:_MOST_MEANINGS]):
        for form, value in meaning.forms.items():
            if "#" in form:
                continue
            like, source = form[0] == "%", form.strip("%")
            weight = 0.97**rank * share * _whole(schema, found, source, value.strip("%"), like)
            weight *= _called(schema, source, beside)
            for holder in (source,) if like else (source, *schema.held.get(source, ())):
                table, column = holder.split(".", 1)
                hint = _hint(question, table, column, found)
                yield Candidate(table, column, source, value, like, weight * hint)


def _shares(schema: Schema, found: Found) -> list[tuple[Meaning, float]]:
    """Of several meanings a thing that is called exactly so is likelier than one that has a longer name, and than a
    column of something else that holds the same words."""
    said = words_of(found.said)
    # “Mississippi river” is a river called “Mississippi”, too.
    sayings = (said, said[:-1]) if len(said) > 1 and words_of(found.meanings[0].label) == said[:-1] else (said,)
    things = [_is_thing(schema, one) for one in found.meanings]
    exact = [words_of(one.label) in sayings for one in found.meanings]
    thing_exact = any(thing and same for thing, same in zip(things, exact, strict=True))
    return [
        (meaning, 0.4 if any(exact) and not same else 0.7 if thing_exact and not thing else 1.0)
        for meaning, thing, same in zip(found.meanings, things, exact, strict=True)
    ]


def _is_thing(schema: Schema, meaning: Meaning) -> bool:
    columns = [form.split(".", 1) for form in meaning.forms if form[0] not in "#%"]
    return any(column in schema.heads[table] or column.endswith("_name") for table, column in columns)


def _whole(schema: Schema, found: Found, source: str, text: str, like: bool) -> float:
    """Parts of values are for words that stand in many of them, as kinds of jobs do; else the whole value is meant."""
    table, column = source.split(".", 1)
    names = column.endswith("_name") or column in _PLACES
    parts = text in schema.common.get(source, ()) and not schema.is_key(table, column) and not names
    if like:
        return 1.0 if parts else 0.3
    return 0.6 if parts and f"%{source}" in found.meanings[0].forms else 1.0


def _named_table(question: Question, found: Found) -> frozenset[str]:
    """The tables that a word beside a value names: “school 2074”, “the state of Texas”."""
    for mark in question.marks:
        between = question.words[mark.last : found.first]
        before = mark.last <= found.first and len(between) < 3 and set(between) <= _NAMING
        tables = frozenset(one.table for one in mark.senses if not one.column and one.weight >= 0.6)
        if tables and (before or mark.first == found.last):
            return tables
    return frozenset()


def _called(schema: Schema, source: str, beside: frozenset[str]) -> float:
    table, column = source.split(".", 1)
    if not beside:
        return 1.0
    naming = column in (*schema.keys.get(table, ()), *schema.heads[table]) or column.endswith("name")
    return 2.0 if table in beside and naming else 0.7


def _hint(question: Question, table: str, column: str, found: Found) -> float:
    """How the words near a value speak for this column."""
    said = [
        sense.weight * (1.0 if mark.last == found.first or mark.first == found.last else 0.8)
        for mark in question.marks
        if _is_near(mark, found)
        for sense in mark.senses
        if (sense.table, sense.column) == (table, column)
    ]
    return 1.0 + max(said, default=0.0)


def _is_near(mark: Mark, found: Found) -> bool:
    return found.first - NEARBY < mark.last <= found.first or mark.first == found.last
