"""Edits by the values of a follow-up: what each may do, in all likely combinations."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ..learned.reader import Guess
from ..query.series import leaders
from ..sql.edits import bounded, columns_of, named, negated, one_or_other, put
from ..sql.statements import Clause, Column
from .edit import Edit
from .fillings import Filling, fillings
from .turn import FollowUpTurn, value_groups

__all__ = ["with_values"]

_APART = 0.02
_WIDE = 8
_MOST_VALUES = 10


def with_values(turn: FollowUpTurn, edits: Iterable[Edit], guess: Guess, many: int | None) -> Iterator[Edit]:
    """Each edit with each likely choice of what the values do; the one of number `many` counts rows and does nothing
    else."""
    groups = [group for group in value_groups(turn) if group != (many,)][:_MOST_VALUES]
    options = [fillings(turn, group, guess.roles[group[0]]) for group in groups]
    led = leaders(turn.reading)
    pairs = [(n, groups.index((led[group[0]],))) for n, group in enumerate(groups) if (led.get(group[0]),) in groups]
    every = heapq.nlargest(_WIDE, _combined(options, pairs), key=lambda one: one[0])
    for edit, (chance, choice) in product(edits, every):
        clauses = _clauses_of(turn, groups, choice)
        statement = put(edit.statement, clauses, turn.ground, turn.narrowing) if clauses else edit.statement
        used = tuple(
            number for filling, group in zip(choice, groups, strict=True) if filling.clauses for number in group
        )
        words = [at for filling in choice for at in filling.words]
        learned = all(filling.learned for filling in choice)
        yield replace(edit.with_(statement, chance, words, learned), values=used)


def _clauses_of(turn: FollowUpTurn, groups: Sequence[tuple[int, ...]], choice: Sequence[Filling]) -> list[Clause]:
    """The conditions of all values. Where the first of two values side by side is denied, as in “not Mary Smith”, not
    both may hold."""
    clauses: list[Clause] = []
    found = turn.reading.found
    last = -1
    for group, filling in zip(groups, choice, strict=True):
        both = clauses and len(filling.clauses) == 1 and found[group[0]].first == last
        other = _not_both(clauses[-1], filling.clauses[0]) if both else None
        clauses[-1 if other else len(clauses) :] = [other] if other else filling.clauses
        last = found[group[-1]].last
    return clauses


def _not_both(denied: Clause, other: Clause) -> Clause | None:
    """The denied condition, or else the contrary of the other, if they are said of one thing."""
    one, two = bounded(denied), bounded(other)
    if one is None or two is None or (one.op, two.op) != ("<>", "=") or one.column.node != two.column.node:
        return None
    return one_or_other(denied, negated(other))


def _combined(
    options: Sequence[Sequence[Filling]], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, tuple[Filling, ...]]]:
    """Choices for all groups of values; `pairs` are groups that are named in one breath, and do the same."""
    for count, choice in enumerate(product(*options)):
        if count > 200:
            return
        keys = [named(clause) for filling in choice for clause in filling.clauses]
        chance = 1.0
        for filling in choice:
            chance *= filling.chance
        chance *= _APART ** sum(_about(choice[one]) != _about(choice[other]) for one, other in pairs)
        yield chance * (0.2 if len(set(keys)) < len(keys) else 1.0), choice


def _about(filling: Filling) -> set[Column]:
    return {column for clause in filling.clauses for column in columns_of(clause.parts) if column.name}
