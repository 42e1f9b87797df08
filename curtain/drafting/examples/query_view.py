"""A query with what answered questions say about it, before any statement is put together."""

from __future__ import annotations

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
_NEAR = 60
_HEADS = 5
_UNLIKELY = 0.001
_OTHER = ("other", "than")
_DENYING = frozenset(["neq", "not", "nullsafeneq", "except"])


@dataclass(frozen=True)
class Sight:
    """A query, and what the answered questions in `memory` say of it. `alike` says how much it is like the nearest of
    each shape, nearest first, and `entry_of` which that is. `given` is the guess once it is known which table is asked
    about. `names` are words of the query that tables and columns have, `expected` the conditions that its words nearly
    always mean, `denies` says whether it denies something; `weight` is how much the models know."""

    reading: Reading
    memory: Memory
    guess: Guess
    given: Mapping[str, Guess]
    alike: Mapping[str, float]
    entry_of: Mapping[str, int]
    likely_heads: list[str]
    names: frozenset[str]
    expected: frozenset[str]
    denies: bool
    weight: float


def look(reading: Reading, memory: Memory, reader: Reader) -> Sight:
    """Looks the query up among the answered questions."""
    words, spoken = masked(reading), reading.words
    scores = memory.likeness((words, spoken))
    alike: dict[str, float] = {}
    entry_of: dict[str, int] = {}
    for number in np.argsort(-scores, kind="stable")[:_NEAR].tolist():
        key = memory.entries[number].shape
        if scores[number] > 0 and key not in alike:
            alike[key], entry_of[key] = float(scores[number]), number
    guess = reader.guess(reading, words)
    # Values that were taken away do nothing.
    roles = ({NOTHING: 1.0} if number in reading.removed else own for number, own in enumerate(guess.roles))
    guess = replace(guess, roles=tuple(roles))
    likely = (head for head, chance in guess.heads.items() if chance > _UNLIKELY)
    heads = sorted(likely, key=lambda head: -guess.heads[head])[:_HEADS]
    roots = {memory.shapes[key].query.root for key in alike} | {memory.heads[head].root for head in heads}
    return Sight(
        reading=reading,
        memory=memory,
        guess=guess,
        given={root: guess.given(root, memory) for root in sorted(roots)},
        alike=alike,
        entry_of=entry_of,
        likely_heads=heads,
        names=frozenset(map(stem, words)) & memory.vocabulary,
        expected=memory.expected(words),
        denies=any(english().negated(spoken, at) or spoken[at : at + 2] == _OTHER for at in range(len(spoken))),
        # Of few examples the models know little: what they say counts by how much they know.
        weight=memory.size / (memory.size + 30.0),
    )


def denies(query: Statement) -> bool:
    """Whether a statement denies something."""
    return any(kind_of(part) in _DENYING for part in inside((query.where, query.having), nested=True))
