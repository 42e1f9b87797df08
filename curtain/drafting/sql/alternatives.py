"""“Or” between conditions of different columns: “in legal or hired after 1985” are more people than those in legal."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..query.column_words import words_in
from ..query.comparisons import bound_after
from ..query.opposites import denies_anything
from ..query.recognise import Reading
from ..query.series import leaders
from ..query.two_kinds import leaves_it_open, two_kinds
from .align import unquoted
from .edits import all_of, one_or_other
from .none_of import rows_with, shows
from .statements import Clause, Column, Statement, Sub, literals_of

__all__ = [
    "Means",
    "Pair",
    "ValueAlternatives",
    "alternatives_in",
    "asks_for_either",
    "either_side",
    "holding",
    "leaves_a_choice",
    "wider",
]

Pair = tuple[int, int]
Means = Callable[[Sequence[str]], Collection[str]]

# Behind these, an “or” is said of something else than the value before it: “that arrive before or around noon”.
_NO_NOUNS = words_in("before after around about by at in on from to than that which who with without is are under over")

_CHOICE = re.compile(r" IN \((?!SELECT)|UNION")
_NO_CHOICES = words_in("equal not so around about")
# “On or after 4 May”.
_ON = words_in("on at in")
_SINCE = words_in("before after")


@dataclass(frozen=True)
class ValueAlternatives:
    """The `pairs` of values, by their numbers, of which either may hold; whether there is an `either` at all, and
    whether several things are said to both sides of it (`crossed`), as in “from Boston on Monday or from Denver on
    Friday”: neither days nor cities are a list of their own, and which belong together is not for us to say. `loose`:
    kinds have only an “and” between them (“women and engineers”, “engineers with a PhD and clerks”), and it is not said
    whether one of them is enough and what goes with which."""

    pairs: Sequence[Pair] = ()
    either: bool = False
    crossed: bool = False
    loose: bool = False

    def are_missed_by(self, sql: str) -> bool:
        """Whether a statement wants everything at once where a choice is left."""
        return self.either and not (" OR " in sql or (not self.crossed and leaves_a_choice(sql)))


def leaves_a_choice(sql: str) -> bool:
    """Whether one of several values is enough."""
    return _CHOICE.search(sql) is not None


def alternatives_in(reading: Reading, means: Means = lambda words: ()) -> ValueAlternatives:
    """What a query leaves a choice of. A pair has an “or” right behind its first, a noun apart, which neither belongs
    to the number (“40 or more”) nor stands in a list of one kind (“Delta or United”), nor is said of words that mean a
    condition by themselves: “breakfast or nonstop flights from Dallas”. “Not a swift or a comet” are two denials."""
    words = [word.text for word in reading.words]
    kinds = two_kinds(reading)
    pairs = [*_pairs(reading, words, means), *kinds]
    crossed = _crossed(reading, pairs)
    either = (asks_for_either(words) and not denies_anything(words)) or bool(kinds and not crossed)
    loose = bool(kinds) or leaves_it_open(reading)
    return ValueAlternatives(() if crossed else pairs, either, crossed, loose)


def _crossed(reading: Reading, pairs: Sequence[Pair]) -> bool:
    kinds = [one.kind for one in reading.found]
    return any(
        not {*kinds[:a]}.isdisjoint(kinds[b:]) or not {*kinds[: a + 1]}.isdisjoint(kinds[b + 1 :]) for a, b in pairs
    )


def _pairs(reading: Reading, words: Sequence[str], means: Means) -> list[Pair]:
    listed = leaders(reading)
    found: list[Pair] = []
    for number in range(1, len(reading.found)):
        one, other = reading.found[number - 1], reading.found[number]
        between = words[one.last : other.first]
        at = between.index("or") if "or" in between else -1
        near = at == 0 or (at == 1 and between[0] not in _NO_NOUNS)
        bound = one.is_measure and bound_after(words, one.last) is not None
        if near and number not in listed and not bound and not _removed(reading, number) and not _told(between, means):
            found.append((number - 1, number))
    return found


def _told(words: Sequence[str], means: Means) -> bool:
    """Whether words mean a condition that compares something."""
    return any(" " in name for name in means(words))


def _removed(reading: Reading, number: int) -> bool:
    return not reading.removed.isdisjoint((number - 1, number))


def asks_for_either(words: Sequence[str]) -> bool:
    """Whether words leave a choice anywhere: with an “or” that belongs to no number (“40 or more”). One at the head
    goes on from the turn before."""
    ors = [at for at, (word, behind) in enumerate(pairwise(words)) if at and word == "or" and behind not in _NO_CHOICES]
    return any(bound_after(words, at) is None and not (words[at - 1] in _ON and words[at + 1] in _SINCE) for at in ors)


def holding(statement: Statement, reading: Reading) -> Mapping[int, Sequence[Clause]]:
    """For each value of a query the conditions with one of its spellings; a condition that nothing accounts for is that
    of the only number or date which has none (“after 1985” is from 1986-01-01 on)."""
    spelled = [{text.upper() for it in one.meanings for text in it.forms.values()} for one in reading.found]
    told = [
        (clause, {unquoted(hole.text).upper() for hole in literals_of(clause.parts)}) for clause in statement.clauses
    ]
    found = {n: [clause for clause, texts in told if texts & own] for n, own in enumerate(spelled)}
    known = [clause for own in found.values() for clause in own]
    unknown = [clause for clause, texts in told if texts and clause not in known]
    lacking = [n for n, own in found.items() if not own and reading.found[n].is_measure]
    if len(unknown) == len(lacking) == 1:
        found[lacking[0]] = unknown
    return found


def wider(statement: Statement, pairs: Sequence[Pair], held: Callable[[int], Sequence[Clause]]) -> Statement | None:
    """The statement with the conditions of each pair of values as alternatives; `held` tells the conditions of a value.
    None if this cannot be said: one has no condition of its own, or more is said or shown of a row of another table."""
    changed: Statement | None = statement
    for pair in pairs:
        sides = _shared([held(number) for number in pair])
        own = [clause for side in sides for clause in side]
        if changed is None or len({*own}) < len(own) or not {*own} <= {*changed.clauses}:
            return None
        changed = _in_place_of(changed, own, sides)
    return changed


def either_side(statement: Statement, own: Sequence[Clause], other: Sequence[Clause]) -> Statement | None:
    """The statement where instead of all these conditions of its own all of the others may hold. Constants that are
    said of the same tables go with both. None as for `wider`."""
    starts = {_start(clause) for clause in own} - {statement.root}
    others = (clause for clause in statement.clauses if clause not in own and not clause.bare)
    constant = [clause for clause in others if _start(clause) in starts]
    return _in_place_of(statement, [*own, *constant], [[*own, *constant], [*other, *constant]]) if own else None


def _in_place_of(statement: Statement, gone: Sequence[Clause], sides: Sequence[Sequence[Clause]]) -> Statement | None:
    """The statement where all conditions of one of two sides hold in the place of some of its own."""
    apart = {_start(clause) for clause in gone} - {statement.root}
    kept = tuple(one for one in statement.clauses if one not in gone and not (one.bare and _start(one) in apart))
    ways = [_by_itself(side, kept, statement.root) for side in sides]
    if any(shows(statement, start) for start in apart) or not all(ways):
        return None
    one, other = map(all_of, ways)
    return replace(statement, clauses=(*kept, one_or_other(one, other)))


def _shared(sides: list[Sequence[Clause]]) -> list[Sequence[Clause]]:
    """The conditions of two values; of one that is said twice, “to Skye or from Skye”, a condition for each."""
    one, other = sides
    return [one[:1], one[1:]] if one == other and len(one) == 2 else sides


def _by_itself(side: Sequence[Clause], others: Sequence[Clause], root: str) -> list[Clause]:
    """Conditions such that a row for which they do not hold can still be in the answer: what is said of another table
    as a nested SELECT. Nothing if this cannot be done."""
    starts: dict[str, list[Clause]] = {}
    for clause in side:
        starts.setdefault(_start(clause), []).append(clause)
    said = {_start(clause) for clause in others if not clause.bare} - {root}
    if "" in starts or not said.isdisjoint(starts):
        return []
    found: list[Clause] = []
    for start, own in starts.items():
        rows = rows_with(own, start) if start != root else None
        if start != root and rows is None:
            return []
        found += [Clause((rows[0], " IN ", Sub(rows[1])))] if rows else own
    return found


def _start(clause: Clause) -> str:
    """The first node on the way to the columns of a clause, or its root; "" if it has several."""
    nodes = {">".join(part.node.split(">")[:2]) for part in clause.parts if isinstance(part, Column)}
    nested = any(isinstance(part, Sub) for part in clause.parts)
    return nodes.pop() if len(nodes) == 1 and not nested else ""
