"""A query with what answered questions say about it, before any statement is put together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..algebra.query import Statement, inside, kind_of
from ..language.english import english, stem
from ..language.recognise import Reading
from .align import Role
from .features import masked
from .memory import Memory
from .reader import Guess, Reader

NOTHING: Role = frozenset()
_FLOOR = 1e-4
_NEAR = 60
_MAY_BE = 0.02
_HEADS = 5
_UNLIKELY = 0.001
_OTHER = ("other", "than")
_DENYING = frozenset(["neq", "not", "nullsafeneq", "except"])


@dataclass(frozen=True)
class Sight:
    """`near` are the entries whose words are most like the query's, nearest first; `entry_of` is the
    nearest with each shape, `alike` how much that is so. `given` is the guess once it is known which
    table is asked about, `left_out` what it then costs to leave out a condition. `names` are words of the query that
    tables and columns have, `denies` whether it denies something; `weight` is how much the models know."""

    reading: Reading
    guess: Guess
    given: Mapping[str, Guess]
    left_out: Mapping[str, tuple[tuple[str, float], ...]]
    near: list[int]
    alike: Mapping[str, float]
    entry_of: Mapping[str, int]
    top: float
    names: frozenset[str]
    expected: frozenset[str]
    weight: float
    likely_heads: list[str]
    denies: bool


def log_chance(chance: float) -> float:
    """The logarithm of a probability; nothing is taken for quite impossible."""
    return math.log(max(chance, _FLOOR))


def look(reading: Reading, memory: Memory, reader: Reader) -> Sight:
    """Looks the query up among the answered questions."""
    words, spoken = masked(reading), reading.words
    scores = memory.likeness((words, spoken)) if memory.entries else np.zeros(0)
    many = min(_NEAR, len(scores))
    near = np.argpartition(-scores, many - 1)[:many] if many else np.zeros(0, np.int64)
    order = [int(n) for n in near[np.argsort(-scores[near], kind="stable")] if scores[n] > 0]
    entry_of: dict[str, int] = {}
    for number in order:
        entry_of.setdefault(memory.entries[number].shape, number)
    alike = {key: float(scores[number]) for key, number in entry_of.items()}
    guess = _without(reader.guess(reading, words), reading.removed)
    heads = sorted((head for head, c in guess.heads.items() if c > _UNLIKELY), key=lambda one: -guess.heads[one])
    heads = heads[:_HEADS]
    roots = {memory.shapes[key].query.root for key in alike} | {memory.heads[head].root for head in heads}
    given = {root: guess.given(root, memory) for root in sorted(roots)}
    return Sight(
        reading=reading,
        guess=guess,
        given=given,
        left_out={
            root: tuple((name, log_chance(1 - chance)) for name, chance in one.plain.items() if chance > _MAY_BE)
            for root, one in given.items()
        },
        near=order,
        alike=alike,
        entry_of=entry_of,
        top=float(scores[order[0]]) if order else 0.0,
        names=frozenset(map(stem, words)) & memory.vocabulary,
        expected=memory.expected(words),
        # Of few examples the models know little: what they say counts by how much they know.
        weight=memory.size / (memory.size + 30.0),
        likely_heads=heads,
        denies=any(english().negated(spoken, at) or spoken[at : at + 2] == _OTHER for at in range(len(spoken))),
    )


def _without(guess: Guess, removed: frozenset[int]) -> Guess:
    """Values that were taken away do nothing."""
    roles = (({NOTHING: 1.0} if number in removed else own) for number, own in enumerate(guess.roles))
    return replace(guess, roles=tuple(roles))


def denies(query: Statement) -> bool:
    """Whether a statement denies something."""
    return any(kind_of(part) in _DENYING for part in inside((query.where, query.having), nested=True))
