"""What a query may be asking for: tables, columns, or those above others in a table that refers to itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..query.column_words import is_participle, is_verb, lemma, words_in
from ..query.worked_out import worked_out
from .above import Above, above_in
from .breath import Breath, in_one_breath
from .marks import Question
from .pack_schema import Schema
from .words import Mark, Sense

__all__ = ["Focus", "asks_for_work", "focuses", "listed", "speaks_of_age"]

_MOST = 6
_THOSE = 0.8
_LEAST = 0.35
_NOBODY = 0.15
# What leaves out a column that is asked for.
_LESS = 0.9
_IN = words_in("in from at")
_SERVED = words_in("worked served serving employed here")
_AGE = words_in("age ages aged old")
_WORK = words_in("job occupation profession")
_DO = words_in("do does did")
_YOU = words_in("you i we")
_PLACES = ("city", "state", "town", "location", "country", "address", "street", "island", "place")
_NAMES = ("first_name", "last_name")
_MONEY = ("price", "cost", "fare", "salary", "fee", "rate", "amount", "rent", "wage")


@dataclass(frozen=True, slots=True)
class Focus:
    """What is asked: the table, its columns (none: the table's rows themselves), which words say so, and how likely.
    `asks` is rows, count, yes or an aggregate function; `beside` are columns of other tables, as (table, column)."""

    root: str
    columns: tuple[str, ...]
    covers: frozenset[int]
    weight: float
    asks: str
    above: Above | None = None
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def works_out(self) -> bool:
        """Whether a sum or an average is asked for."""
        return self.asks in ("AVG", "SUM")


def focuses(question: Question, schema: Schema) -> list[Focus]:
    """What may be asked for, likeliest first."""
    above = above_in(question, schema)
    found: dict[tuple[object, ...], Focus] = {}
    for one in [*_with_above(question, schema, above), *_plain(question, schema, above), *_of_those(question)]:
        key = (one.root, one.columns, one.asks, one.above, one.beside)
        if key not in found or found[key].weight < one.weight:
            found[key] = one
    ranked = sorted(found.values(), key=lambda one: -one.weight)[:_MOST]
    return [one for one in ranked if one.weight > _LEAST * ranked[0].weight]


def listed(question: Question, schema: Schema) -> frozenset[str]:
    """The columns that are asked for if there are several: “names and salaries”."""
    best = next(iter(focuses(question, schema)), None) if question.asks == "rows" else None
    columns = (*best.columns, *(column for _, column in best.beside)) if best else ()
    return frozenset(columns) - frozenset(schema.heads[best.root]) if best and len(columns) > 1 else frozenset()


def _of_those(question: Question) -> Iterator[Focus]:
    """The rows of the turn before, if nothing else is asked for: “hired before 80”."""
    if question.they and question.asks in ("rows", "count"):
        yield Focus(question.they, (), frozenset(), _THOSE, question.asks)


def _plain(question: Question, schema: Schema, above: Above | None) -> Iterator[Focus]:
    if above is not None:
        question = replace(question, marks=tuple(_beside(question, above)))
    for one in _asked_for(question, schema):
        if above is None:
            yield one
        elif one.columns == (schema.bosses[above.table],) and one.root == above.table and above.way != "count":
            continue
        elif above.path == "d" and above.way == "of" and one.root == above.table and not one.columns:
            # Who the boss of these is, is told by a column of theirs.
            if question.asks != "rows":
                yield replace(one, above=above, covers=one.covers | above.places, weight=min(1.0, one.weight + 0.1))
        elif above.path or one.root == above.table:
            yield replace(one, above=above, covers=one.covers | above.places, weight=min(1.0, one.weight + 0.1))
        else:
            yield one


def _beside(question: Question, above: Above) -> Iterator[Mark]:
    """The marks that may say what is asked of those above or below; “managers earning more” are not earnings."""
    for mark in question.marks:
        own = bool(above.path) and mark.first in above.places
        done = mark.first == above.last and question.words[mark.first].endswith("ing")
        if not own and not done:
            yield mark


def _asked_for(question: Question, schema: Schema) -> Iterator[Focus]:
    start = _start(question)
    if question.asks in ("rows", "count"):
        yield from _by_name(question, schema, start)
    marks = [mark for mark in question.marks if mark.first >= start and not _is_group(question, mark)]
    marks = marks or [mark for mark in question.marks if not _is_group(question, mark)]
    if question.asks == "yes":
        yield from _roots(question, schema)
        return
    if question.asks == "rows":
        yield from _by_opener(question, schema, marks)
    if question.asks == "AVG" and question.opener.startswith("how "):
        yield from (replace(one, asks="AVG") for one in _by_opener(question, schema, marks))
    for rank, mark in enumerate(marks[:3]):
        for sense in mark.senses[:5]:
            yield from _of_sense(question, schema, mark, sense, marks, 0.55**rank)
    if not marks:
        yield from (
            replace(one, asks=question.asks) for one in _roots(question, schema) if question.asks in ("rows", "count")
        )


def _by_name(question: Question, schema: Schema, start: int) -> Iterator[Focus]:
    """“The clerks in department 10”: a value that stands for the rows that have it."""
    first = next((n for n in question.names if question.found[n].first >= start), None)
    if first is None:
        return
    found = question.found[first]
    last = next((question.found[n].last for n in question.names if question.found[n].first == found.last), found.last)
    earlier = any(start <= one.first < found.first and not _is_condition(question, one) for one in question.marks)
    follows = any(one.first == last and not _is_done(question.words[one.last - 1]) for one in question.marks)
    if earlier or follows or question.opener not in ("", "who", "how many"):
        return
    forms = [form.strip("%") for meaning in found.meanings[:3] for form in meaning.forms if "#" not in form]
    held = [other for form in forms for other in schema.held.get(form, ())]
    for form in dict.fromkeys([*forms, *held]):
        table, column = form.split(".", 1)
        called = column.endswith("name")
        if table not in schema.people or (called and last == len(question.words)):
            continue
        after = Mark(found.first, last, ())
        marks = [one for one in question.marks if one.first >= last]
        breath = in_one_breath(question, schema, marks, after, table, True)
        if called:
            # “Paul Tai and his boss”.
            yield from _with_columns(breath, schema, table)
            continue
        yield Focus(table, (), frozenset(), _LESS if breath else 0.99, question.asks)
        yield from _with_columns(breath, schema, table)


def _is_done(word: str) -> bool:
    """Whether a word behind people says what they do or had done to them, and is not asked for: “clerks earning”."""
    return is_verb(word) or word.endswith("ing")


def _start(question: Question) -> int:
    """Where the words begin that say what is asked for."""
    for at, word in enumerate(question.words):
        if question.asks == "count" and word in ("many", "count", "number"):
            return at + 1
        if question.asks in ("AVG", "SUM") and word in ("average", "mean", "total", "sum"):
            return at + 1
    return 0


def _is_group(question: Question, mark: Mark) -> bool:
    """Whether one line for each of these is wished."""
    grouping = question.asks in ("count", "AVG", "SUM") or bool(question.superlatives)
    first = [question.next_mark(at + 1, 1) for at in question.per]
    return grouping and mark in first and len(question.marks) > 1


def _of_sense(
    question: Question, schema: Schema, mark: Mark, sense: Sense, marks: Sequence[Mark], share: float
) -> Iterator[Focus]:
    covers = frozenset(range(mark.first, mark.last))
    weight = share * sense.weight * _best_shown(question, mark) * _at_home(question, schema, mark, sense)
    if not sense.column:
        if question.asks in ("rows", "count"):
            breath = in_one_breath(question, schema, marks, mark, sense.table, True)
            yield Focus(sense.table, (), covers, weight * (_LESS if breath else 1.0), question.asks)
            for one in _with_columns(breath, schema, sense.table):
                yield replace(one, covers=covers | one.covers, weight=min(1.0, weight + 0.1))
        return
    number = schema.kind(sense.table, sense.column) == "number" and not schema.is_key(sense.table, sense.column)
    if question.asks in ("AVG", "SUM"):
        aged = question.asks == "AVG" and _is_age(question, schema, sense)
        if number or aged:
            yield Focus(sense.table, (sense.column,), covers, weight, question.asks)
        return
    if question.asks == "count":
        if number:
            asks = worked_out(question.words) or "rows"
            # “How many years has she worked here” asks for no year.
            share = 0.3 if "years" in question.words and not _SERVED.isdisjoint(question.words) else 0.95
            yield Focus(sense.table, (sense.column,), covers, weight * share, asks)
        else:
            yield Focus(sense.table, (sense.column,), covers, weight * (0.9 if question.apart else 0.6), "count")
        return
    breath = in_one_breath(question, schema, marks, mark, sense.table, False) or Breath((), (), frozenset())
    whole = any(one.table == sense.table and not one.column and one.weight > 0.9 for one in mark.senses)
    weight *= 0.85 if whole else 1.0
    own = _whole_name(question, schema, mark, sense)
    columns, more = tuple(dict.fromkeys((*own, *breath.columns))), covers | breath.covers
    # What one table has by itself is likelier.
    weight *= _LESS if breath.beside else 1.0
    yield Focus(sense.table, columns, more, weight * 0.97, "rows", beside=breath.beside)


def _whole_name(question: Question, schema: Schema, mark: Mark, sense: Sense) -> tuple[str, ...]:
    """“Full names” are both the first and the last; otherwise the column itself."""
    full = question.words[mark.first - 1 : mark.first] == ("full",) and sense.column in _NAMES
    return _NAMES if full and set(_NAMES) <= set(schema.tables[sense.table]) else (sense.column,)


def _with_columns(breath: Breath | None, schema: Schema, table: str) -> Iterator[Focus]:
    """“The clerks and their salaries”: the rows themselves, with a column."""
    if breath is not None:
        columns = tuple(dict.fromkeys((*schema.heads[table], *breath.columns)))
        yield Focus(table, columns, breath.covers, 1.0, "rows", beside=breath.beside)


def speaks_of_age(question: Question) -> bool:
    """Whether words of the query ask for an age."""
    return not _AGE.isdisjoint(question.words)


def _is_age(question: Question, schema: Schema, sense: Sense) -> bool:
    return speaks_of_age(question) and (schema.measured(sense.table, "old") or ("",))[0] == sense.column


def _best_shown(question: Question, mark: Mark) -> float:
    """A word right before a value rather says what the value is."""
    beside = any(question.found[n].first == mark.last for n in question.names)
    return 0.6 if beside or _is_condition(question, mark) or _is_where(question, mark) else 1.0


def _is_where(question: Question, mark: Mark) -> bool:
    """Whether a word only says where those are that a value before it names: “women in departments with ...”."""
    ends = {question.found[n].last for n in question.names}
    return mark.first - 1 in ends and question.words[mark.first - 1] in _IN and question.opener == ""


def _is_condition(question: Question, mark: Mark) -> bool:
    """Whether what stands right behind says what the column is, and a value behind that what is asked for: “level 20
    women”."""
    ends = {one.last for one in question.amounts if one.first == mark.last}
    ends |= {question.found[n].last for n in question.names if question.found[n].first == mark.last}
    return any(question.found[n].first in ends for n in question.names)


def _at_home(question: Question, schema: Schema, mark: Mark, sense: Sense) -> float:
    """A column that many tables have is that of the table named next, or of those that the values are of."""
    if len({one.table for one in mark.senses if one.column}) < 2 or not sense.column:
        return 1.0
    following = question.next_mark(mark.last, 2)
    if following and question.words[mark.last] == "of":
        tables = [one.table for one in following.senses if not one.column and one.weight > 0.6]
        if sense.table in tables:
            return 1.0 / sense.weight
        return 0.6 if tables else 1.0
    return 1.0 if sense.table in _value_tables(question, schema) or not question.names else 0.8


def _by_opener(question: Question, schema: Schema, marks: Sequence[Mark]) -> Iterator[Focus]:
    opener, tables = question.opener, _value_tables(question, schema)
    opening = frozenset(range(2))
    if {"mean", "means"} & set(question.words) or " stand for" in " ".join(question.words):
        yield from _meaning(question, schema, tables)
    if asks_for_work(question.words):
        for table in schema.people:
            work = (column for column in schema.tables[table] if schema.stems[column] & _WORK)
            yield from (Focus(table, (column,), frozenset([len(question.words) - 1]), 1.0, "rows") for column in work)
    if opener == "who":
        for table in schema.people or _of_participles(question, marks):
            yield Focus(table, (), frozenset([0]), 1.0, "rows")
    elif opener == "when":
        yield from _kinds(question, schema, tables, marks, ("date", "time"), opening)
    elif opener == "where":
        for rank, table in enumerate(tables):
            places = [c for word in _PLACES for c in schema.tables[table] if word in c.split("_")]
            places = [c for c in places if c not in schema.heads[table]]
            yield from (
                Focus(table, (c,), opening, 0.9 * 0.9 ** (n + rank), "rows")
                for n, c in enumerate(dict.fromkeys(places))
            )
    elif opener == "how much":
        for table in schema.tables:
            for column in schema.tables[table]:
                if set(column.split("_")) & set(_MONEY) and schema.kind(table, column) == "number":
                    yield Focus(table, (column,), opening, 0.9 if table in tables else 0.5, "rows")
    elif opener.startswith("how "):
        said = {one.table for mark in marks for one in mark.senses if one.weight > 0.6}
        for table in schema.tables:
            measured = schema.measured(table, opener.removeprefix("how "))
            if measured and (table in tables or table in said):
                first = 0.05 * (tables.index(table) if table in tables else 4)
                yield Focus(table, (measured[0],), opening, 0.95 - first, "rows")


def asks_for_work(words: Sequence[str]) -> bool:
    """Whether a query asks what somebody does: “what does Paul Tai do”."""
    living = tuple(words[-4:]) == ("do", "for", "a", "living")
    asks = tuple(words[:1]) == ("what",) and not _DO.isdisjoint(words[1:2]) and _YOU.isdisjoint(words[2:3])
    return len(words) > 3 and asks and (words[-1] == "do" or living)


def _of_participles(question: Question, marks: Sequence[Mark]) -> list[str]:
    """The tables of which the words say what was done: “who was born in 1970” asks for those, and not for days."""
    done = (mark for mark in marks if any(map(is_participle, question.words[mark.first : mark.last])))
    return list(dict.fromkeys(sense.table for mark in done for sense in mark.senses if sense.column))


def _meaning(question: Question, schema: Schema, tables: Sequence[str]) -> Iterator[Focus]:
    """“What does CHE mean”: the name that goes with a code."""
    said = frozenset(at for at, word in enumerate(question.words) if lemma(word) in ("mean", "stand"))
    for rank, table in enumerate(tables):
        for column in schema.tables[table]:
            if column.endswith(("name", "description")) and column not in schema.keys.get(table, ()):
                yield Focus(table, (column,), said, 0.95 * 0.9**rank, "rows")


def _kinds(
    question: Question,
    schema: Schema,
    tables: Sequence[str],
    marks: Sequence[Mark],
    kinds: tuple[str, ...],
    opening: frozenset[int],
) -> Iterator[Focus]:
    for mark in marks:
        for sense in mark.senses:
            year = sense.column == "year" or sense.column.endswith("_year")
            if sense.column and (schema.kind(sense.table, sense.column) in kinds or year):
                covers = opening | set(range(mark.first, mark.last))
                yield Focus(sense.table, (sense.column,), covers, 0.3 + 0.7 * sense.weight, "rows")
    for table in tables:
        for column in schema.tables[table]:
            if schema.kind(table, column) in kinds or column == "year":
                yield Focus(table, (column,), opening, 0.7 if column == "year" else 0.4, "rows")


def _value_tables(question: Question, schema: Schema) -> list[str]:
    """The tables whose columns hold the values that were found, likeliest first."""
    found: dict[str, None] = {}
    for n in question.names:
        for meaning in question.found[n].meanings:
            for form in meaning.forms:
                if "#" not in form:
                    found.setdefault(form.strip("%").split(".")[0])
    return list(found)


def _roots(question: Question, schema: Schema) -> Iterator[Focus]:
    """Without a word for what is asked: tables that are named, and those that the values are of."""
    for mark in question.marks:
        for sense in mark.senses[:3]:
            covers = frozenset(range(mark.first, mark.last)) if not sense.column else frozenset[int]()
            yield Focus(sense.table, (), covers, sense.weight * (0.9 if not sense.column else 0.8), question.asks)
    for rank, table in enumerate(_value_tables(question, schema)):
        yield Focus(table, (), frozenset(), 0.8 * 0.9**rank, question.asks)


def _with_above(question: Question, schema: Schema, above: Above | None) -> Iterator[Focus]:
    """“Who is Paul Hayes's supervisor”, “the phone number of Mary Smith's manager”, “who has no supervisor”."""
    if above is None or question.asks not in ("rows", "count", "yes"):
        return
    covers = above.places | {0}
    first = min((mark.first for mark in question.marks), default=0)
    if above.way in ("none", "has"):
        yield Focus(above.table, (), covers, 1.0 if above.first <= first else _LESS, question.asks, above)
    if above.way in ("are", "no", "count", "over") and above.first <= first:
        yield Focus(above.table, (), covers, 0.97, question.asks, above)
        after = Mark(above.first, above.last, ())
        marks = [one for one in question.marks if one.first >= above.last]
        breath = in_one_breath(question, schema, marks, after, above.table, True)
        for one in _with_columns(breath, schema, above.table):
            yield replace(one, covers=covers | one.covers, above=above)
    if above.way == "of" and question.asks == "rows":
        rest = replace(above, path=above.path[1:]) if above.path[1:] else None
        # “My boss”: nobody was spoken of.
        known = bool(above.names or above.behind or above.ahead or question.they)
        yield Focus(above.table, (schema.bosses[above.table],), covers, 0.9 if known else _NOBODY, "rows", rest)
