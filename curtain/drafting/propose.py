"""Candidates for a query: shapes of near questions, and sets of clauses put together anew."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from .compose import composed
from .features import grams, masked
from .memory import Form, Memory, Role, Shape, filled, sql_of
from .naming import Names, asks_for, stem
from .periods import with_ends
from .reader import Guess, Reader
from .recognise import Found, Reading
from .statements import Statement

__all__ = ["FEATURES", "START", "Proposal", "propose"]

_NEAR = 60
_NEAR_SHAPES = 30
_TARGETS = 50
_COMPOSED = 12
_FLOOR = 1e-4
_DOUBT = 0.4
NOTHING: Role = frozenset()

# What speaks for a candidate, and what each weighs before anything is learned.
STARTS = {
    "head": 1.0,
    "plain": 1.5,
    "roles": 1.5,
    "alike": 3.0,
    "votes": 1.0,
    "times": 0.0,
    "composed": 0.0,
    "idle": -1.0,
    "alike*composed": 0.0,
    "likely": 0.5,
    "variant": 0.5,
    "edits": -0.5,
    "whole": 0.5,
    "least role": 0.0,
    "least clause": 0.0,
    "sharp votes": 1.0,
    "clauses": 0.0,
    "unanswered": -1.5,
    "named": 0.5,
    "not named": -0.5,
    "most or least": -1.0,
    "unsaid": -3.0,
}
FEATURES, START = tuple(STARTS), tuple(STARTS.values())


@dataclass(frozen=True)
class Proposal:
    """A candidate: its form and the filled statement, the values used (slot by slot), the entry it is most like, and
    what speaks for it."""

    form: Form
    statement: Statement
    used: tuple[int, ...]
    like: int
    features: tuple[float, ...]
    made: bool

    def feature(self, name: str) -> float:
        """One of the features by its name."""
        return self.features[FEATURES.index(name)]

    @property
    def sql(self) -> str:
        """The statement as SQL."""
        return sql_of(self.form, self.statement)


@dataclass(frozen=True)
class _Seen:
    """The query and everything that was found out about it."""

    reading: Reading
    guess: Guess
    near: list[int]
    alike: Mapping[str, float]
    votes: Mapping[str, float]
    sharp: Mapping[object, float]
    entry_of: Mapping[str, int]
    top: float
    names: Names
    asks: tuple[bool, bool]
    expected: frozenset[str]


def propose(reading: Reading, memory: Memory, reader: Reader, included: bool | None = None) -> list[Proposal]:
    """Candidates in no order, each once. `included` says whether the ends of periods belong to them; None leaves them
    as the answered questions have them."""
    seen = _look(reading, memory, reader)
    found: dict[str, Proposal] = {}
    for shape, values, edits in [*_near_shapes(seen, memory), *_targets(seen, memory)]:
        form = _ended(shape.form, included)
        statement = filled(form, {n: reading.found[value] for n, value in values.items()})
        if statement is not None:
            proposal = _proposal(seen, memory, shape, form, statement, values, edits)
            key = statement.key
            if key not in found or _likely(found[key]) < _likely(proposal):
                found[key] = proposal
    return list(found.values())


def _ended(form: Form, included: bool | None) -> Form:
    if included is None or not any("#begin" in slot.forms or "#end" in slot.forms for slot in form.slots):
        return form
    changed = with_ends(form.statement, included)
    return form if changed == form.statement else Form(changed, form.slots)


def _likely(proposal: Proposal) -> float:
    return proposal.feature("likely") - 5 * proposal.made


def _look(reading: Reading, memory: Memory, reader: Reader) -> _Seen:
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
    return _Seen(
        reading,
        guess,
        order,
        alike,
        {k: v / total for k, v in votes.items()},
        {k: v / most for k, v in sharp.items()},
        entry_of,
        top,
        frozenset(map(stem, words)) & memory.vocabulary,
        asks_for(words),
        expected,
    )


def _doubting(guess: Guess, expected: frozenset[str]) -> Guess:
    """What a word nearly always meant is at least doubtful, however sure the model is that it does not."""
    raised = {name: max(_DOUBT, guess.plain.get(name, 0.0)) for name in expected}
    return replace(guess, plain=guess.plain | raised)


def _without(guess: Guess, removed: frozenset[int]) -> Guess:
    """Values that were taken away do nothing."""
    roles = (({NOTHING: 1.0} if number in removed else own) for number, own in enumerate(guess.roles))
    return replace(guess, roles=tuple(roles))


def _near_shapes(seen: _Seen, memory: Memory) -> Iterator[tuple[Shape, dict[int, int], int]]:
    for key in list(seen.alike)[:_NEAR_SHAPES]:
        shape = memory.shapes[key]
        values = assigned(shape, seen.reading.found, seen.guess)
        if values is not None:
            yield shape, values, 0


def assigned(shape: Shape, found: Sequence[Found], guess: Guess) -> dict[int, int] | None:
    """The value for each slot that its role suits best; None if a slot cannot be filled."""
    options = [_options(shape, number, found, guess) for number in range(len(shape.form.slots))]
    if not all(options):
        return None
    best: tuple[float, dict[int, int]] | None = None
    for choice in _some(options):
        values = [value for _, value in choice]
        if len(set(values)) == len(values):
            score = sum(gain for gain, _ in choice)
            if best is None or score > best[0]:
                best = score, dict(enumerate(values))
    return best[1] if best else None


def _options(shape: Shape, number: int, found: Sequence[Found], guess: Guess) -> list[tuple[float, int]]:
    slot = shape.form.slots[number]
    fits = []
    for value, one in enumerate(found):
        chances = guess.roles[value]
        if chances != {NOTHING: 1.0} and all(one.form(form) is not None for form in slot.forms):
            gain = _log(chances.get(slot.role, 0.0)) - _log(chances.get(NOTHING, 0.0))
            fits.append((gain, value))
    return heapq.nlargest(4, fits)


def _some(options: list[list[tuple[float, int]]]) -> Iterator[tuple[tuple[float, int], ...]]:
    for count, choice in enumerate(product(*options)):
        if count > 300:
            return
        yield choice


def _targets(seen: _Seen, memory: Memory) -> Iterator[tuple[Shape, dict[int, int], int]]:
    made = 0
    for head, plain, roles in likely_meanings(seen.guess, memory, seen.reading.found):
        wanted = frozenset(role for role in roles if role)
        keys = memory.meanings.get((head, plain, wanted), [])
        for key in sorted(keys, key=lambda one: (-seen.alike.get(one, 0.0), -memory.shapes[one].times))[:3]:
            values = _given(memory.shapes[key], roles, seen.reading.found)
            if values is not None:
                yield memory.shapes[key], values, 0
        if not keys and made < _COMPOSED:
            made += 1
            built = composed(head, plain, wanted, memory, seen.alike)
            if built is not None:
                shape, edits = built
                values = _given(shape, roles, seen.reading.found)
                if values is not None:
                    yield shape, values, edits


def _given(shape: Shape, roles: Sequence[Role], found: Sequence[Found]) -> dict[int, int] | None:
    values = {}
    for number, slot in enumerate(shape.form.slots):
        fits = [
            n
            for n, role in enumerate(roles)
            if role == slot.role and all(found[n].form(form) is not None for form in slot.forms)
        ]
        if not fits:
            return None
        values[number] = fits[0]
    return values


def likely_meanings(
    guess: Guess, memory: Memory, found: Sequence[Found]
) -> list[tuple[str, frozenset[str], tuple[Role, ...]]]:
    """The likeliest combinations of head, clauses and roles, best first."""
    heads = heapq.nlargest(3, ((_log(chance), head) for head, chance in guess.heads.items() if chance > 0.02))
    plains = _clause_sets(guess.plain)
    roles = _role_sets(guess, memory, found)
    every = ((a + b + c, h, p, r) for (a, h), (b, p), (c, r) in product(heads, plains, roles))
    return [(h, p, r) for _, h, p, r in heapq.nlargest(_TARGETS, every, key=lambda one: one[0])]


def _clause_sets(chances: Mapping[str, float]) -> list[tuple[float, frozenset[str]]]:
    sure = {name for name, chance in chances.items() if chance >= 0.5}
    doubtful = heapq.nlargest(5, ((min(c, 1 - c), n) for n, c in chances.items() if 0.02 < c < 0.98))
    sets = []
    for flips in product((False, True), repeat=len(doubtful)):
        flipped = {name for flip, (_, name) in zip(flips, doubtful, strict=True) if flip}
        score = sum(_log(c) - _log(1 - c) for c, _ in (d for flip, d in zip(flips, doubtful, strict=True) if flip))
        sets.append((score, frozenset(sure ^ flipped)))
    return heapq.nlargest(14, sets, key=lambda one: one[0])


def _role_sets(guess: Guess, memory: Memory, found: Sequence[Found]) -> list[tuple[float, tuple[Role, ...]]]:
    sets: list[tuple[float, tuple[Role, ...]]] = [(0.0, ())]
    for number, chances in enumerate(guess.roles):
        options = heapq.nlargest(
            4, ((_log(c), role) for role, c in chances.items() if c > 0.02), key=lambda one: one[0]
        )
        options = options or [(0.0, NOTHING)]
        longer = [
            (score + gain, (*roles, role))
            for score, roles in sets
            for gain, role in options
            if _new(roles, role, found, number)
        ]
        sets = heapq.nlargest(24, longer, key=lambda one: one[0])
    return heapq.nlargest(14, ((s, r) for s, r in sets if _whole(r, memory)), key=lambda one: one[0])


def _new(roles: Sequence[Role], role: Role, found: Sequence[Found], number: int) -> bool:
    """A role is played by one value; by two only if they are the same."""
    if not role:
        return True
    return all(
        other != role or found[n].meanings[0].label == found[number].meanings[0].label for n, other in enumerate(roles)
    )


def _whole(roles: Sequence[Role], memory: Memory) -> bool:
    """Whether clauses with several values have them all."""
    names = {name for role in roles for name in role if " @" in name}
    bases = {name.rsplit(" @", 1)[0] for name in names}
    return all(f"{base} @{n}" in names for base in bases for n in range(memory.places[base]))


def _proposal(
    seen: _Seen, memory: Memory, shape: Shape, form: Form, statement: Statement, values: Mapping[int, int], edits: int
) -> Proposal:
    guess = seen.guess
    key = shape.key
    made = edits > 0
    head = _log(guess.heads.get(shape.head, 0.0))
    plain = sum(_log(guess.plain.get(name, 0.0)) for name in shape.plain)
    plain += sum(_log(1 - chance) for name, chance in guess.plain.items() if chance > 0.02 and name not in shape.plain)
    roles, idle = _role_score(seen, shape, values)
    alike = seen.alike.get(key, 0.0)
    group = memory.meanings.get(shape.meaning, [])
    features = (
        head,
        plain,
        roles,
        alike,
        seen.votes.get(key, 0.0),
        math.log1p(shape.times),
        float(made),
        float(idle),
        (1 - seen.top) * made,
        head + plain + roles,
        shape.times / max(1, sum(memory.shapes[one].times for one in group)) if group else 0.0,
        float(edits),
        _log(guess.whole.get(shape.meaning if shape.times > 1 else "rare", 0.0)),
        _least_role(seen, shape, values),
        min((_log(guess.plain.get(name, 0.0)) for name in shape.plain), default=0.0),
        seen.sharp.get(shape.meaning, 0.0),
        float(len(shape.plain)),
        float(len(seen.expected - shape.plain)),
        *_naming(seen, shape),
        float(memory.unsaid(form.statement)),
    )
    used = tuple(values[number] for number in range(len(shape.form.slots)))
    return Proposal(form, statement, used, seen.entry_of.get(key, seen.near[0] if seen.near else -1), features, made)


def _naming(seen: _Seen, shape: Shape) -> tuple[float, float, float]:
    """How many names in the query the statement has and lacks, and whether most and least fit."""
    had = len(seen.names & shape.names)
    unlike = sum(one != other for one, other in zip(seen.asks, shape.gives, strict=True))
    return float(had), float(len(seen.names) - had), float(unlike)


def _least_role(seen: _Seen, shape: Shape, values: Mapping[int, int]) -> float:
    chances = (seen.guess.roles[value].get(shape.form.slots[number].role, 0.0) for number, value in values.items())
    return min(map(_log, chances), default=0.0)


def _role_score(seen: _Seen, shape: Shape, values: Mapping[int, int]) -> tuple[float, float]:
    role_of = {value: shape.form.slots[number].role for number, value in values.items()}
    labels = {seen.reading.found[value].meanings[0].label for value in role_of}
    score, idle = 0.0, 0.0
    for number, one in enumerate(seen.reading.found):
        chances = seen.guess.roles[number]
        role = role_of.get(number, NOTHING)
        if number not in role_of and one.meanings[0].label in labels:
            role = max(chances, key=lambda r: chances[r], default=NOTHING) if chances else NOTHING
        if chances:
            score += _log(chances.get(role, 0.0))
        if not role and not one.weak:
            idle += 1 - chances.get(NOTHING, 0.0)
    return score, idle


def _log(chance: float) -> float:
    return math.log(max(chance, _FLOOR))
