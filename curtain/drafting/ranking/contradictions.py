"""What a draft must not do to a query: lose a value that was said, bring one that was not, take the least for the most.

Each check reads a query with a statement and answers with sentences for the wizard. A draft that breaks one may still
be right, since people also say what does not matter; it is never sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise, permutations

from curtain.domain.cells import is_numeric
from curtain.domain.pack.names import split_name

from ..algebra import query as algebra
from ..algebra.query import Arg, Call, Column, Constant, Nested, Statement, held, inside, kind_of, literals_of
from ..examples.query_view import NOTHING, Sight
from ..language.clock import is_year
from ..language.english import english, stem
from ..language.recognise import Found

MOST_SURE = 0.5
"""No draft that breaks a rule is surer."""

_LIKELY = 0.5
_SHORTEST = 4
_NAMING = ("id", "code", "number", "key")
_NEAR = 3
_TIMES = {"arrive": "departure", "leave": "arrival"}
_ENDS = {"departure": "arrival", "arrival": "departure", "highest": "lowest", "lowest": "highest"}
_DATE = {"#day": "day", "#month": "month", "#year": "year"}


@dataclass(frozen=True)
class Case:
    """A query and a statement for it: `used` are the numbers of its values in the statement, `like` is that of the
    answered question behind it (-1: none). What goes on from the turn `before` brings the conditions of that one."""

    seen: Sight
    query: Statement
    used: frozenset[int] = frozenset()
    like: int = -1
    before: Statement | None = None

    @cached_property
    def example(self) -> frozenset[str]:
        """The words of the answered question, without their endings."""
        return frozenset(map(stem, self.seen.memory.entries[self.like].reading.words if self.like >= 0 else ()))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query."""
        return self.seen.reading.words

    def counts(self, column: Column) -> bool:
        """Whether a column holds numbers that say how many or how much."""
        kind = self.seen.memory.columns.get((column.table, column.name), "")
        return is_numeric(kind.upper()) and split_name(column.name)[-1] not in _NAMING


def contradictions(case: Case) -> list[str]:
    """What the statement does against the query, one phrase each, the gravest first."""
    return [] if not case.query.root else [said for check in _CHECKS for said in check(case)]


def _lost(case: Case) -> Iterator[str]:
    """A value that was said is not in the statement."""
    seen, texts = case.seen, {literal.text.strip("%").casefold() for _, literal in literals_of(case.query)}
    names = {stem(word) for name in _names(case.query) for word in split_name(name)}
    labels = {seen.reading.found[number].meanings[0].label for number in case.used}
    for number, one in enumerate(seen.reading.found):
        said = set(map(stem, seen.reading.words[one.first : one.last]))
        # A name that did nothing in other questions may do something in this one, unless it stood there, too.
        idle = (one.is_measure or said <= case.example) and seen.guess.roles[number].get(NOTHING, 0.0) >= _LIKELY
        if one.weak or idle or number in case.used or number in seen.reading.removed:
            continue
        if texts.isdisjoint(_spellings(one)) and one.meanings[0].label not in labels and not said <= names:
            yield f"“{one.said}” is left out"


def _brought(case: Case) -> Iterator[str]:
    """A name that nobody said is in a condition, as the literal of an answered question."""
    seen = case.seen
    said = {text for one in seen.reading.found for text in _spellings(one)}
    words = {stem(word) for word in case.words}
    for one in case.query.where if case.before is None else ():
        expected = seen.guess.plain.get(algebra.key_of(one), 0.0) >= _LIKELY or algebra.key_of(one) in seen.expected
        for _, literal in held(one):
            text = literal.text.strip("%").casefold()
            parts = text.replace("-", " ").split()
            stays = literal.is_text and len(text) >= _SHORTEST and text not in said and not any(map(str.isdigit, text))
            # What the words of a query nearly always mean may stay, unless the answered question said it itself.
            there = not expected or all(stem(part) in case.example for part in parts)
            if stays and there and not any(stem(part) in words for part in parts):
                yield f"nobody said “{literal.text}”"


def _turned(case: Case) -> Iterator[str]:
    """The least stands for the most, an average for either, or one column's most for another's."""
    words, extremes = case.words, list(_extremes(case.query))
    asked = _superlatives(words)
    signs = {sign for _, sign, _ in asked}
    for at, sign, adjective in asked:
        measured = dict(english().adjectives.get(adjective, ()))
        for name, theirs in extremes:
            own = [measured[token] for token in split_name(name) if token in measured]
            named = not adjective or adjective in english().generic
            wanted = sign * own[0] if own else sign * named
            if wanted and wanted != theirs and len(signs) == 1:
                yield f"takes the {'greatest' if theirs > 0 else 'least'} {_spaced(name)}, not the contrary"
        near = {english().alike.get(word, word) for word in words[max(0, at - 1) : at + 3]}
        for verb, other in _TIMES.items():
            if verb in near and any(other in split_name(name) for name, _ in extremes):
                yield f"“{words[at]}” is about {verb[:-1]}ing, and it takes the {other}"
    yield from _measured_otherwise(case, extremes)
    yield from (f"“{_ENDS[word]}” is left out" for word in sorted(_contrary_names(case)))
    if len({name for name, _ in extremes}) > len(asked) > 0:
        yield "takes the most or least of more than was said"
    average = any(kind_of(part) == "avg" for part in inside(case.query.select))
    usual = case.seen.guess.heads.get(case.query.head, 0.0) > _LIKELY
    if average and not usual and not english().has("asking.average", words):
        yield "takes an average, which nobody said"
    if asked and average and not extremes:
        yield f"“{words[asked[0][0]]}” is left out"


def _measured_otherwise(case: Case, extremes: Sequence[tuple[str, int]]) -> Iterator[str]:
    """“The largest by area”: what stands behind “by” names another column."""
    words, tokens = case.words, {stem(token) for name, _ in extremes for token in split_name(name)}
    for at in (at for at, word in enumerate(words) if word == "by" and extremes):
        named = {stem(word) for word in words[at + 1 : at + 3]} & case.seen.memory.vocabulary
        if named and named.isdisjoint(tokens):
            yield f"“by {' '.join(words[at + 1 : at + 3])}” is left out"


def _torn(case: Case) -> Iterator[str]:
    """A day stands without its month, or a date with another year."""
    there = {(word, one.text) for name, one in literals_of(case.query) for word in name.split(".")[-1].split("_")}
    for one in case.seen.reading.found:
        forms = one.meanings[0].forms
        if one.kind == "date" and {"#day", "#month"} <= forms.keys():
            parts = {(name, forms[form]) for form, name in _DATE.items() if form in forms}
            if parts & there and not parts <= there:
                yield f"only a part of “{one.said}” is in it"


def _impossible(case: Case) -> Iterator[str]:
    """One column has two values in one row, or one and none, or lies above and below what leaves no room; a number that
    is no year stands for one; or nothing is shown but what was said."""
    values: dict[Arg, str] = {}
    for column, text in equalities(case.query.where):
        if values.setdefault(column, text) != text:
            yield f"“{values[column]}” and “{text}” at once, which no row can be"
    if values.keys() >= set(case.query.select) > set():
        yield f"shows “{values[case.query.select[0]]}”, which was said"
    there = {column for one in case.query.where for column, _ in held(one, nested=False)}
    for part in case.query.where:
        match part:
            case Call("is", (("this", Column() as missing), *_)) if missing.short in there:
                yield f"{_spaced(missing.name)} that is missing and is not"
    for above, below in permutations(_conjuncts(case.query.where), 2):
        if [*algebra.columns_of(above)] == [*algebra.columns_of(below)] and algebra.leave_room(above, below) is False:
            (_, low), (_, high) = *held(above), *held(below)
            yield f"above “{low.text}” and below “{high.text}” at once, which no row can be"
    for part in inside(case.query.where):
        match part:
            case Call(_, ((_, Call("year") | Column(name="year")), (_, Constant(text)))) if not is_year(text):
                yield f"“{text}” is no year"


def _one_way(case: Case) -> Iterator[str]:
    """“And back” asks for a return."""
    schema = {"round", "return"} & case.seen.memory.vocabulary
    if schema and case.before is None and english().has("asking.both_ways", case.words):
        texts = [*_names(case.query), *(literal.text.casefold() for _, literal in literals_of(case.query))]
        if not any(word in text for text in texts for word in ("round", "return")):
            yield "the way back is left out"


def _uncounted(case: Case) -> Iterator[str]:
    """“How many” asks for a number, and the statement lists names; or nothing does, and it counts."""
    lists = all(isinstance(one, Column) and not case.counts(one) for one in case.query.select)
    if lists and ("how", "many") in pairwise(case.words):
        yield "lists, and “how many” asks for a number"
    counts = case.before is None and {*map(kind_of, case.query.select)} == {"count"}
    if counts and not english().has("asking.count", case.words):
        yield "counts, and nobody asked how many"


def unlike(words: Sequence[str], answered: Sequence[str]) -> Iterator[str]:
    """Why a query may ask something else than the question that was answered so: a superlative belongs to another
    thing, or a word is said more often."""
    theirs, dull = _superlatives(tuple(answered)), english().words("dull.words")
    for at, sign, _ in _superlatives(tuple(words)):
        there, own = {_named_behind(answered, n) for n, other, _ in theirs if other == sign}, _named_behind(words, at)
        if own and there and own not in there:
            yield f"“{words[at]}” goes with “{own}” here"
    more = Counter(map(stem, words)) - Counter(map(stem, answered))
    yield from (
        f"“{word}” is said more often here" for word in map(stem, answered) if more.pop(word, 0) and word not in dull
    )


def _named_behind(words: Sequence[str], at: int) -> str:
    """What a superlative belongs to: the first word behind it that means something."""
    return next((stem(word) for word in words[at + 1 :] if word not in english().words("dull.words")), "")


_CHECKS = _lost, _brought, _turned, _uncounted, _torn, _impossible, _one_way


def without_contradictions(case: Case, doubts: Sequence[str]) -> tuple[Statement, list[str]] | None:
    """The statement after the change that takes most of its contradictions, `doubts`, away, and what is left of them;
    None if no change takes any."""
    changed = (algebra.contrary(case.query), _either(case), _other_end(case.query), _as_said(case)) if doubts else ()
    left = [(query, contradictions(replace(case, query=query))) for query in changed if query != case.query]
    best = min(left, key=lambda one: len(one[1]), default=None)
    return best if best and len(best[1]) < len(doubts) else None


def _either(case: Case) -> Statement:
    """Two values of one column, which no row has at once, are two choices where the query lists them."""
    reading = case.seen.reading
    listed = [
        {*_spellings(one), *_spellings(other)}
        for one, other in pairwise(reading.found)
        if {"and", "or"} & set(case.words[one.last : other.first]) and other.first - one.last <= _NEAR
    ]
    equal = [_equality(one) for one in case.query.where]

    def either(one: Arg, pair: tuple[Column, Constant] | None) -> Arg:
        values = [other[1] for other in equal if pair and other and other[0] == pair[0]]
        texts = {value.text.casefold() for value in values}
        chosen = pair and len(texts) > 1 and any(texts <= both for both in listed)
        return algebra.compared(pair[0], "in", values) if pair and chosen else one

    return replace(case.query, where=tuple(dict.fromkeys(map(either, case.query.where, equal))))


def _spellings(one: Found) -> set[str]:
    """Its spellings in SQL, in whatever meaning."""
    return {text.strip("%").casefold() for meaning in one.meanings for text in meaning.forms.values()}


def _contrary_names(case: Case) -> set[str]:
    """Of the superlatives in the names of columns, those whose contrary was said instead."""
    words = {word for column in algebra.columns_of(case.query.parts) for word in column.name.split("_")}
    return {word for word in words & {"highest", "lowest"} if word not in case.words and _ENDS[word] in case.words}


def _as_said(case: Case) -> Statement:
    """The column with the superlative that was said in its name, in place of the contrary one."""
    turned = {word: _ENDS[word] for word in _contrary_names(case)}

    def put(column: Column) -> Column:
        name = "_".join(turned.get(word, word) for word in column.name.split("_"))
        return replace(column, name=name) if (column.table, name) in case.seen.memory.columns else column

    return algebra.map_query(case.query, Column, put) if turned else case.query


def _other_end(query: Statement) -> Statement:
    """The arrival in place of the departure whose most or least is taken, and the other way round."""

    def other_end(column: Column) -> Column:
        return replace(column, name="_".join(_ENDS.get(word, word) for word in column.name.split("_")))

    def changed(one: Arg) -> Arg:
        return algebra.mapped(one, Column, other_end) if algebra.has_query(one) and kind_of(one) == "eq" else one

    return replace(query, where=tuple(map(changed, query.where)))


def _names(query: Statement) -> list[str]:
    """The names of its tables and columns, also in nested queries; of a column with the path to it."""
    columns = (part for part in inside(query.parts, nested=True) if isinstance(part, Column) and part.name)
    return [query.root, *(f"{column.node}.{column.name}" for column in columns)]


def _spaced(name: str) -> str:
    return " ".join(split_name(name))


@lru_cache(maxsize=64)
def _superlatives(words: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
    """Each superlative: where it is, 1 for most and -1 for least, and its adjective if it has one."""
    found = ((at, english().superlative(words, at)) for at in range(len(words)))
    return tuple((at, one[1], one[2]) for at, one in found if one)


def _extremes(query: Statement) -> Iterator[tuple[str, int]]:
    """The columns whose greatest (1) or least (-1) value a statement takes."""
    for part in inside(query.select):
        match part:
            case Call("max" | "min" as kind, (("this", Column() as of), *_)):
                yield of.name, 1 if kind == "max" else -1
    for key in query.order if query.limit is not None else ():
        sign = 1 if isinstance(key, Call) and key.get("desc") else -1
        yield from ((column.name, sign) for column in algebra.columns_of(key))
    for part in inside(query.where):
        if isinstance(part, Nested) and len(part.query.select) == 1:
            yield from _extremes(part.query)


def equalities(where: Arg) -> Iterator[tuple[Column, str]]:
    """The columns that conditions compare with one literal each, and its text."""
    return ((equal[0], equal[1].text) for part in _conjuncts(where) if (equal := _equality(part)))


def _conjuncts(part: Arg) -> Iterator[Arg]:
    """The conditions, of those joined by AND each by itself."""
    if isinstance(part, Call) and part.kind in ("and", "paren"):
        part = tuple(value for _, value in part.args)
    if isinstance(part, tuple):
        for one in part:
            yield from _conjuncts(one)
    else:
        yield part


def _equality(part: Arg) -> tuple[Column, Constant] | None:
    """A column that is compared with one literal, and the literal."""
    match part:
        case Call("eq", (("this", Column() as column), ("expression", Constant() as value))):
            return column, value
    return None
