"""Spellings that only the answered questions tell: a word whose literals in SQL are not in the lexicon.

Where questions with “tomorrow” have the same otherwise unexplained constants on one table again and again, these
constants become spellings of “tomorrow”.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..query.lexicon import Meaning
from ..query.recognise import Reading
from ..sql.align import Aligned, direct, nodes_in, places_of, unquoted
from ..sql.statements import Statement, Sub

__all__ = ["Habits", "find_habits", "with_habits"]

Name = tuple[str, str]
Constants = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Habits:
    """What only the answered questions tell: further `forms` of values by kind and label, and which values are `idle`,
    mere words as a rule (“managers” where they are those who supervise, whatever their title)."""

    forms: Mapping[Name, Mapping[str, str]] = field(default_factory=dict)
    idle: frozenset[Name] = frozenset()


_LEAST = 2
_LEAST_SHARE = 0.1
_LEAST_LIFT = 4.0
_MOST = 4


def find_habits(pairs: Iterable[tuple[Reading, Aligned]]) -> Habits:
    """Further forms of values by their kind and label, from questions with their aligned statements."""
    pairs = list(pairs)
    seen = [_unexplained(reading, aligned) for reading, aligned in pairs]
    together = Counter((name, group) for names, groups in seen for name in names for group in groups)
    # Each constant is put down to that one of the words beside it with which it is seen most often.
    chosen = Counter(
        (max(names, key=lambda name: together[name, group]), group)
        for names, groups in seen
        if names
        for group in groups
    )
    names = Counter(name for own, _ in seen for name in own)
    groups = Counter(group for _, own in seen for group in own)
    return Habits(_chosen(chosen, names, groups, len(seen)), _idle(pairs))


def _unexplained(reading: Reading, aligned: Aligned) -> tuple[list[Name], list[Constants]]:
    idle = {
        (one.kind, one.meanings[0].label): None
        for number, one in enumerate(reading.found)
        if not aligned.roles[number] and not one.weak
    }
    return list(idle), list(dict.fromkeys(constants(aligned.statement, aligned.owner)))


def _chosen(
    together: Counter[tuple[Name, Constants]], names: Counter[Name], groups: Counter[Constants], total: int
) -> dict[Name, dict[str, str]]:
    habits: dict[Name, dict[str, str]] = {}
    ranks: Counter[tuple[Name, str]] = Counter()
    for (name, group), times in together.most_common():
        lift = times * total / (names[name] * groups[group])
        table = group[0][0]
        if (
            times >= _LEAST
            and times >= _LEAST_SHARE * names[name]
            and lift >= _LEAST_LIFT
            and ranks[name, table] < _MOST
        ):
            ranks[name, table] += 1
            forms = habits.setdefault(name, {})
            forms |= {f"~{ranks[name, table]}:{column}": value for column, value in group}
    return habits


def _idle(pairs: Iterable[tuple[Reading, Aligned]]) -> frozenset[Name]:
    used: Counter[tuple[Name, bool]] = Counter()
    for reading, aligned in pairs:
        for number, one in enumerate(reading.found):
            used[(one.kind, one.meanings[0].label), bool(aligned.roles[number])] += 1
    names = {name for name, _ in used}
    return frozenset(name for name in names if used[name, False] >= _LEAST and used[name, False] > 2 * used[name, True])


def constants(statement: Statement, owner: Mapping[int, int]) -> Iterator[Constants]:
    """The literals on each node below the root that no value of the question stands for, nested SELECTs included."""
    nodes: dict[str, list[tuple[str, str]]] = {}
    for clause in statement.clauses:
        own = nodes_in(clause)
        if len(own) == 1 and ">" in next(iter(own)):
            for column, hole in places_of(direct(clause)):
                if hole.index not in owner:
                    nodes.setdefault(next(iter(own)), []).append((column, unquoted(hole.text)))
        for part in clause.parts:
            if isinstance(part, Sub):
                yield from constants(part.statement, owner)
    yield from (tuple(sorted(group)) for group in nodes.values())


def with_habits(reading: Reading, habits: Habits) -> Reading:
    """The same reading, its values spelled in these further ways, and mere words marked as weak."""
    found = tuple(
        replace(
            one,
            meanings=(_spelled(one.meanings[0], habits), *one.meanings[1:]),
            weak=one.weak or (one.kind, one.meanings[0].label) in habits.idle,
        )
        for one in reading.found
    )
    return replace(reading, found=found)


def _spelled(meaning: Meaning, habits: Habits) -> Meaning:
    more = habits.forms.get((meaning.kind, meaning.label))
    return replace(meaning, forms={**meaning.forms, **more}) if more else meaning
