"""A query with what answered questions say about it, before any statement is put together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from ..algebra.query import Statement, inside, kind_of
from ..language.english import english, stem
from ..language.recognise import Reading
from .align import Role
from .features import masked
from .memory import Memory
from .models import Likeness
from .reader import Guess, Reader

NOTHING: Role = frozenset()
_NEAR = 60
# How much more alike a question counts that was answered in the same scenario (docs/drafting.md).
_BESIDE = 0.25
_OTHER = ("other", "than")
_DENYING = frozenset(["neq", "not", "nullsafeneq", "except"])


@dataclass(frozen=True)
class Sight:
    """A query, and what the answered questions in `memory` say of it. `alike` says how much it is like the nearest of
    each shape, nearest first, and `entry_of` which that is; `likeness` how much it is like each entry. `given` is the
    guess once it is known which table is asked about. `names` are words of the query that tables and columns have,
    `expected` the conditions that its words nearly always mean, `denies` says whether it denies something; `weight` is
    how much the models know. `scenario` is that of the query."""

    reading: Reading
    memory: Memory
    guess: Guess
    given: Callable[[str], Guess]
    alike: Mapping[str, float]
    entry_of: Mapping[str, int]
    likeness: Likeness
    scenario: str
    names: frozenset[str]
    expected: frozenset[str]
    denies: bool
    weight: float


def look(reading: Reading, memory: Memory, reader: Reader, scenario: str = "") -> Sight:
    """Looks the query up among the answered questions; those of the same scenario are the likelier ones."""
    words, spoken = masked(reading), reading.words
    live = [entry.live for entry in memory.entries]
    likeness = memory.near.likeness((words, spoken)) * live
    beside = [scenario != "" and entry.example.scenario == scenario for entry in memory.entries]
    scores = likeness[0] + _BESIDE * np.array(beside) * (likeness[0] > 0)
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
    return Sight(
        reading=reading,
        memory=memory,
        guess=guess,
        given=cache(partial(guess.given, memory=memory)),
        alike=alike,
        entry_of=entry_of,
        likeness=likeness,
        scenario=scenario,
        names=frozenset(map(stem, words)) & memory.vocabulary,
        expected=memory.expected(words),
        denies=any(english().negated(spoken, at) or spoken[at : at + 2] == _OTHER for at in range(len(spoken))),
        # Of few examples the models know little: what they say counts by how much they know.
        weight=sum(live) / (sum(live) + 30.0),
    )


def denies(query: Statement) -> bool:
    """Whether a statement denies something."""
    return any(kind_of(part) in _DENYING for part in inside((query.where, query.having), nested=True))
