"""A query, and everything that answered questions tell of it before any statement is put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..query.asked_for import AskedWords, asked_in, leaning
from ..query.called import named_beside
from ..query.features import grams, masked
from ..query.naming import Names, asks_for, stem
from ..query.recognise import Found, Reading
from ..query.signs import Sign, said_of
from .meanings import DOUBT, NOTHING, likely_heads, log_chance
from .memory import Memory, Role, phrases, root_of
from .neighbours import PartVotes, part_votes
from .reader import Guess, Reader, shares

__all__ = ["Seen", "Suits", "look"]

Suits = Callable[[Role, Found], bool]

_NEAR = 60
_MAY_BE = 0.02


@dataclass(frozen=True)
class Seen:
    """`near` are the entries whose words are most like the query's, `alike` and `votes` how much those of a shape are
    so and weigh together, `sharp` the same of a meaning and steeper; `given` is the guess once it is known which table
    is asked about, `left_out` what it then costs to leave out a clause."""

    reading: Reading
    guess: Guess
    given: Mapping[str, Guess]
    left_out: Mapping[str, tuple[tuple[str, float], ...]]
    near: list[int]
    alike: Mapping[str, float]
    votes: Mapping[str, float]
    sharp: Mapping[object, float]
    entry_of: Mapping[str, int]
    top: float
    names: Names
    asks: tuple[bool, bool]
    expected: frozenset[str]
    beside: list[Names]
    asked: AskedWords
    heads: Mapping[str, float]
    said: frozenset[str]
    signs: list[Sign | None]
    part_votes: PartVotes


def look(reading: Reading, memory: Memory, reader: Reader, suits: Suits | None) -> Seen:
    """Looks the query up among the answered questions; `suits` says whether a value can do something at all."""
    words = masked(reading)
    scores = memory.near.likeness(grams(words))
    many = min(_NEAR, len(scores))
    near = np.argpartition(-scores, many - 1)[:many] if many else np.zeros(0, np.int64)
    order = [int(n) for n in near[np.argsort(-scores[near], kind="stable")] if scores[n] > 0]
    alike: dict[str, float] = {}
    entry_of: dict[str, int] = {}
    votes: dict[str, float] = {}
    sharp: dict[object, float] = {}
    for number in order:
        key = memory.entries[number].shape
        if key not in alike:
            alike[key], entry_of[key] = float(scores[number]), number
        votes[key] = votes.get(key, 0.0) + float(scores[number]) ** 4
        sharp[memory.shapes[key].meaning] = sharp.get(memory.shapes[key].meaning, 0.0) + float(scores[number]) ** 10
    total, most = sum(votes.values()) or 1.0, sum(sharp.values()) or 1.0
    top = float(scores[order[0]]) if order else 0.0
    expected = memory.expected(words)
    guess = _doubting(_without(reader.guess(reading, words), reading.removed), expected)
    guess = _suited(guess, reading.found, suits) if suits else guess
    asked = asked_in(reading, memory.words)
    leant = leaning(guess.heads.items(), asked)
    roots = {memory.shapes[key].root for key in alike} | {root_of(head) for head in likely_heads(leant)}
    given = {root: guess.given(root, memory) for root in roots}
    return Seen(
        reading,
        guess,
        given,
        {root: _costs(one) for root, one in given.items()},
        order,
        alike,
        {k: v / total for k, v in votes.items()},
        {k: v / most for k, v in sharp.items()},
        entry_of,
        top,
        frozenset(map(stem, words)) & memory.vocabulary,
        asks_for(words),
        expected,
        named_beside(reading, memory.vocabulary),
        asked,
        leant,
        frozenset(phrases(words)),
        said_of(reading),
        part_votes([(number, float(scores[number])) for number in order], memory),
    )


def _doubting(guess: Guess, expected: frozenset[str]) -> Guess:
    """What a word nearly always meant is at least doubtful, however sure the model is that it does not."""
    raised = {name: max(DOUBT, guess.plain.get(name, 0.0)) for name in expected}
    return replace(guess, plain=guess.plain | raised)


def _without(guess: Guess, removed: frozenset[int]) -> Guess:
    """Values that were taken away do nothing."""
    roles = (({NOTHING: 1.0} if number in removed else own) for number, own in enumerate(guess.roles))
    return replace(guess, roles=tuple(roles))


def _suited(guess: Guess, found: Sequence[Found], suits: Suits) -> Guess:
    """Values do only what they can."""
    can = (
        {role: chance for role, chance in own.items() if suits(role, one)}
        for own, one in zip(guess.roles, found, strict=True)
    )
    return replace(guess, roles=tuple(map(shares, can)))


def _costs(guess: Guess) -> tuple[tuple[str, float], ...]:
    """What it costs a candidate to leave out a clause that may be meant."""
    return tuple((name, log_chance(1 - chance)) for name, chance in guess.plain.items() if chance > _MAY_BE)
