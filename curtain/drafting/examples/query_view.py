"""A query, and everything that answered questions tell of it before any statement is put together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..language.english import stem
from ..language.recognise import Reading
from .align import Role
from .features import grams, masked, phrases
from .form import form_of
from .memory import Memory, asks_for
from .reader import Guess, Reader

__all__ = ["NOTHING", "Sight", "log_chance", "look"]

NOTHING: Role = frozenset()
_FLOOR = 1e-4
_NEAR = 60
_MAY_BE = 0.02
_DOUBT = 0.4
_HEADS = 5
_UNLIKELY = 0.001


@dataclass(frozen=True)
class Sight:
    """`near` are the entries whose words are most like the query's, nearest first; `alike` and `votes` how much those
    of a shape are so and weigh together, `sharp` the same of a meaning and steeper. `given` is the guess once it is
    known which table is asked about, `left_out` what it then costs to leave out a condition."""

    reading: Reading
    words: list[str]
    guess: Guess
    given: Mapping[str, Guess]
    left_out: Mapping[str, tuple[tuple[str, float], ...]]
    near: list[int]
    alike: Mapping[str, float]
    votes: Mapping[str, float]
    sharp: Mapping[object, float]
    entry_of: Mapping[str, int]
    top: float
    names: frozenset[str]
    asks: tuple[bool, bool]
    expected: frozenset[str]
    said: frozenset[str]
    weight: float
    likely_heads: list[str]
    form: tuple[bool, bool, bool]


def log_chance(chance: float) -> float:
    """The logarithm of a probability; nothing is taken for quite impossible."""
    return math.log(max(chance, _FLOOR))


def look(reading: Reading, memory: Memory, reader: Reader) -> Sight:
    """Looks the query up among the answered questions."""
    words = masked(reading)
    scores = memory.near.likeness(grams(words)) if memory.entries else np.zeros(0)
    many = min(_NEAR, len(scores))
    near = np.argpartition(-scores, many - 1)[:many] if many else np.zeros(0, np.int64)
    order = [int(n) for n in near[np.argsort(-scores[near], kind="stable")] if scores[n] > 0]
    alike: dict[str, float] = {}
    entry_of: dict[str, int] = {}
    votes: dict[str, float] = {}
    sharp: dict[object, float] = {}
    for number in order:
        key, score = memory.entries[number].shape, float(scores[number])
        alike.setdefault(key, score)
        entry_of.setdefault(key, number)
        votes[key] = votes.get(key, 0.0) + score**4
        meaning = memory.shapes[key].meaning
        sharp[meaning] = sharp.get(meaning, 0.0) + score**10
    total, most = sum(votes.values()) or 1.0, sum(sharp.values()) or 1.0
    expected = memory.expected(words)
    guess = _doubting(_without(reader.guess(reading, words), reading.removed), expected)
    heads = sorted((head for head, c in guess.heads.items() if c > _UNLIKELY), key=lambda one: -guess.heads[one])
    heads = heads[:_HEADS]
    roots = {memory.shapes[key].query.root for key in alike} | {memory.heads[head].root for head in heads}
    given = {root: guess.given(root, memory) for root in sorted(roots)}
    return Sight(
        reading,
        words,
        guess,
        given,
        {root: _costs(one) for root, one in given.items()},
        order,
        alike,
        {key: vote / total for key, vote in votes.items()},
        {key: vote / most for key, vote in sharp.items()},
        entry_of,
        float(scores[order[0]]) if order else 0.0,
        frozenset(map(stem, words)) & memory.vocabulary,
        asks_for(words),
        expected,
        frozenset(phrases(words)),
        # Of few examples the models know little: what they say counts by how much they know.
        memory.size / (memory.size + 30.0),
        heads,
        form_of(reading),
    )


def _doubting(guess: Guess, expected: frozenset[str]) -> Guess:
    """What a word nearly always meant is at least doubtful, however sure the model is that it does not."""
    raised = {name: max(_DOUBT, guess.plain.get(name, 0.0)) for name in expected}
    return replace(guess, plain=guess.plain | raised)


def _without(guess: Guess, removed: frozenset[int]) -> Guess:
    """Values that were taken away do nothing."""
    roles = (({NOTHING: 1.0} if number in removed else own) for number, own in enumerate(guess.roles))
    return replace(guess, roles=tuple(roles))


def _costs(guess: Guess) -> tuple[tuple[str, float], ...]:
    """What it costs a candidate to leave out a condition that may be meant."""
    return tuple((name, log_chance(1 - chance)) for name, chance in guess.plain.items() if chance > _MAY_BE)
