"""A query, and everything that answered questions tell of it before any statement is put together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..algebra.query import Arg, Call, Nested, Statement, inside
from ..language.english import english, stem
from ..language.recognise import Reading
from .align import Role
from .features import grams, masked
from .memory import Memory
from .reader import Guess, Reader

NOTHING: Role = frozenset()
_FLOOR = 1e-4
_NEAR = 60
_MAY_BE = 0.02
_DOUBT = 0.4
_HEADS = 5
_UNLIKELY = 0.001
_DENYING = frozenset(["neq", "not", "nullsafeneq", "except"])
_COMPARING = frozenset(["gt", "gte", "lt", "lte", "between"])


@dataclass(frozen=True)
class Sight:
    """`near` are the entries whose words are most like the query's, nearest first; `alike` and `votes` how much those
    of a shape are so and weigh together, `entry_of` the nearest of them. `given` is the guess once it is known which
    table is asked about, `left_out` what it then costs to leave out a condition. `names` are words of the query that
    tables and columns have, `asks` whether it asks for the most and the least, `form` whether it denies, counts and
    compares; `weight` is how much the models know."""

    reading: Reading
    guess: Guess
    given: Mapping[str, Guess]
    left_out: Mapping[str, tuple[tuple[str, float], ...]]
    near: list[int]
    alike: Mapping[str, float]
    votes: Mapping[str, float]
    entry_of: Mapping[str, int]
    top: float
    names: frozenset[str]
    asks: tuple[bool, bool]
    expected: frozenset[str]
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
    for number in order:
        key, score = memory.entries[number].shape, float(scores[number])
        alike.setdefault(key, score)
        entry_of.setdefault(key, number)
        votes[key] = votes.get(key, 0.0) + score**4
    total = sum(votes.values()) or 1.0
    expected = memory.expected(words)
    guess = _careful(reader.guess(reading, words), reading.removed, expected)
    heads = sorted((head for head, c in guess.heads.items() if c > _UNLIKELY), key=lambda one: -guess.heads[one])
    heads = heads[:_HEADS]
    roots = {memory.shapes[key].query.root for key in alike} | {memory.heads[head].root for head in heads}
    given = {root: guess.given(root, memory) for root in sorted(roots)}
    return Sight(
        reading=reading,
        guess=guess,
        given=given,
        left_out={root: _costs(one) for root, one in given.items()},
        near=order,
        alike=alike,
        votes={key: vote / total for key, vote in votes.items()},
        entry_of=entry_of,
        top=float(scores[order[0]]) if order else 0.0,
        names=frozenset(map(stem, words)) & memory.vocabulary,
        asks=_asks_for(words),
        expected=expected,
        # Of few examples the models know little: what they say counts by how much they know.
        weight=memory.size / (memory.size + 30.0),
        likely_heads=heads,
        form=_form_of(reading),
    )


def _careful(guess: Guess, removed: frozenset[int], expected: frozenset[str]) -> Guess:
    """Values that were taken away do nothing. What a word nearly always meant is at least doubtful, however sure the
    model is that it does not."""
    raised = {name: max(_DOUBT, guess.plain.get(name, 0.0)) for name in expected}
    roles = (({NOTHING: 1.0} if number in removed else own) for number, own in enumerate(guess.roles))
    return replace(guess, plain=guess.plain | raised, roles=tuple(roles))


def _costs(guess: Guess) -> tuple[tuple[str, float], ...]:
    """What it costs a candidate to leave out a condition that may be meant."""
    return tuple((name, log_chance(1 - chance)) for name, chance in guess.plain.items() if chance > _MAY_BE)


def _asks_for(words: list[str]) -> tuple[bool, bool]:
    signs = {sup[1] for at in range(len(words)) if (sup := english().superlative(words, at))}
    return 1 in signs, -1 in signs


def _form_of(reading: Reading) -> tuple[bool, bool, bool]:
    words = [word.text for word in reading.words]
    places = range(len(words))
    denies = any(english().negated(words, at) or words[at : at + 2] == ["other", "than"] for at in places)
    compares = any(one.kind == "period" for one in reading.found)
    for one in reading.found:
        bound = english().bound_before(words, one.first) or english().bound_after(words, one.last)
        compares = compares or bool(one.is_measure and bound and bound.op not in ("eq", "neq") and not bound.weak)
    return denies, english().has("asking.count", words), compares


def unlike(form: tuple[bool, bool, bool], query: Statement) -> tuple[float, ...]:
    """Whether a statement does otherwise than a query that denies, counts and compares or does not."""
    kinds = {one.kind for condition in (*query.where, *query.having) for one in _calls(condition.expr)}
    heads = {one.kind for arg in (*query.select, *query.order) for one in _calls(arg)}
    does = bool(kinds & _DENYING), "count" in kinds | heads, bool(kinds & _COMPARING)
    return tuple(float(one != other) for one, other in zip(form, does, strict=True))


def _calls(arg: Arg) -> Iterator[Call]:
    """The calls of an expression and of the conditions of queries nested in it."""
    for part in inside(arg):
        if isinstance(part, Call):
            yield part
        elif isinstance(part, Nested):
            for one in (*part.query.where, *part.query.having):
                yield from _calls(one.expr)
