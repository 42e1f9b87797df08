"""What a draft must not do to a query: lose a value that was said, bring one that was not, take the least for the most.

Each check reads a query with a statement and answers with sentences for the wizard. A draft that breaks one may still
be right, since people also say what does not matter; it is never sure.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

from curtain.domain.pack.names import split_name

from ..algebra import query as algebra
from ..algebra.query import Arg, Call, Column, Constant, Nested, Statement, held, inside, kind_of, literals_of
from ..examples.query_view import NOTHING, Sight
from ..language.english import english, stem
from ..language.recognise import Found

MOST_SURE = 0.5
"""No draft that breaks a rule is surer."""

_LIKELY = 0.5
_TIMES = {"arrive": "departure", "leave": "arrival"}
_ENDS = {"departure": "arrival", "arrival": "departure", "highest": "lowest", "lowest": "highest"}


@dataclass(frozen=True)
class Case:
    """A query and a statement for it: `used` are the numbers of its values in the statement, `like` is that of the
    answered question behind it (-1: none)."""

    seen: Sight
    query: Statement
    used: frozenset[int] = frozenset()
    like: int = -1

    @cached_property
    def example(self) -> frozenset[str]:
        """The words of the answered question, without their endings."""
        return frozenset(map(stem, self.seen.memory.entries[self.like].reading.words if self.like >= 0 else ()))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query."""
        return self.seen.reading.words


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
                spaced = " ".join(split_name(name))
                yield f"takes the {'greatest' if theirs > 0 else 'least'} {spaced}, not the contrary"
        near = {english().alike.get(word, word) for word in words[max(0, at - 1) : at + 3]}
        for verb, other in _TIMES.items():
            if verb in near and any(other in split_name(name) for name, _ in extremes):
                yield f"“{words[at]}” is about {verb[:-1]}ing, and it takes the {other}"
    yield from (f"“{_ENDS[word]}” is left out" for word in sorted(_contrary_names(case)))
    if len({name for name, _ in extremes}) > len(asked) > 0:
        yield "takes the most or least of more than was said"
    average = any(kind_of(part) == "avg" for part in inside(case.query.select))
    usual = case.seen.guess.heads.get(case.query.head, 0.0) > _LIKELY
    if average and not usual and not english().has("asking.average", words):
        yield "takes an average, which nobody said"
    if asked and average and not extremes:
        yield f"“{words[asked[0][0]]}” is left out"


def _other_way(case: Case) -> Iterator[str]:
    """What something goes to, “into Boston”, stands where it comes from, or the other way round."""
    ways: dict[str, set[str]] = {}
    for column, text in equalities(case.query.where):
        words = re.findall(r"[^\W\d_]+", f"{column.node}.{column.name}")
        ways.setdefault(text.casefold(), set()).update(english().direction([word]) for word in words)
    before = 0
    for one in case.seen.reading.found:
        way, before = english().direction(case.words[before : one.first]), one.last
        there = set[str]().union(*(ways.get(text, ()) for text in _spellings(one))) - {""}
        if way and there and way not in there:
            yield f"“{' '.join(case.words[max(0, one.first - 1) : one.last])}” goes the other way"


def _impossible(case: Case) -> Iterator[str]:
    """One column has two values in one row, lies above and below what leaves no room, or nothing is shown but what was
    said."""
    values: dict[Arg, str] = {}
    for column, text in equalities(case.query.where):
        if values.setdefault(column, text) != text:
            yield f"“{values[column]}” and “{text}” at once, which no row can be"
    if values.keys() >= set(case.query.select) > set():
        yield f"shows “{values[case.query.select[0]]}”, which was said"
    for above, below in permutations(_conjuncts(case.query.where), 2):
        if [*algebra.columns_of(above)] == [*algebra.columns_of(below)] and algebra.leave_room(above, below) is False:
            (_, low), (_, high) = *held(above), *held(below)
            yield f"above “{low.text}” and below “{high.text}” at once, which no row can be"


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


_CHECKS = _lost, _other_way, _turned, _impossible


def _spellings(one: Found) -> set[str]:
    """Its spellings in SQL, in whatever meaning."""
    return {text.strip("%").casefold() for meaning in one.meanings for text in meaning.forms.values()}


def _contrary_names(case: Case) -> set[str]:
    """Of the superlatives in the names of columns, those whose contrary was said instead."""
    words = {word for column in algebra.columns_of(case.query.parts) for word in column.name.split("_")}
    return {word for word in words & {"highest", "lowest"} if word not in case.words and _ENDS[word] in case.words}


def _names(query: Statement) -> list[str]:
    """The names of its tables and columns, also in nested queries; of a column with the path to it."""
    columns = (part for part in inside(query.parts, nested=True) if isinstance(part, Column) and part.name)
    return [query.root, *(f"{column.node}.{column.name}" for column in columns)]


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
