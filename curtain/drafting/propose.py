"""Candidates for a query: shapes of near questions, and sets of clauses put together anew."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from .align import places_of, unquoted
from .asked_for import Asked, asked_in, fit_of, leaning
from .called import named_beside, speaks_of
from .compose import composed
from .features import grams, masked
from .meanings import NOTHING, likely_heads, likely_meanings, log_chance
from .memory import Entry, Form, Memory, Role, Shape, filled, phrases, root_of, sql_of
from .naming import Names, asks_for, stem
from .neighbours import PartVotes, part_votes
from .periods import with_ends
from .possible import possible
from .reader import Guess, Reader, shares
from .recognise import Found, Reading
from .signs import Sign, said_of, signs_fit
from .statements import Statement

__all__ = ["FEATURES", "IN_A_HURRY", "START", "THE_SAME", "Proposal", "propose"]

Suits = Callable[[Role, Found], bool]

_NEAR = 60
_NEAR_SHAPES = 30
# So many statements are put together for a question that is learned from; a live one shall not wait for all of them.
_COMPOSED = 40
IN_A_HURRY = 16
"""So many are enough while somebody types: the likeliest ones come first."""

_DOUBT = 0.4
_MAY_BE = 0.02
# Likeness of questions that have the same words, but for values.
THE_SAME = 0.999
_PLACE = re.compile(r" @\d+$")

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
    "called": 0.5,
    "asked": 0.3,
    "asked first": 0.3,
    "miscounts": -1.0,
    "unheard": -1.0,
    "signs": 0.3,
    "head votes": 0.3,
    "part votes": 0.3,
    "parts lacking": -0.3,
}
FEATURES, START = tuple(STARTS), tuple(STARTS.values())


@dataclass(frozen=True)
class Proposal:
    """A candidate: its form and the filled statement, the values used (slot by slot, then those that share another's
    condition), the entry it is most like, and what speaks for it."""

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
    def doing(self) -> dict[int, str]:
        """For each used value the conditions it stands in; "" for one that shares another's."""
        roles = (sorted(_PLACE.sub("", name) for name in slot.role) for slot in self.form.slots)
        shared = dict.fromkeys(self.used, "")
        return shared | {number: " & ".join(role) for number, role in zip(self.used, roles, strict=False)}

    @cached_property
    def sql(self) -> str:
        """The statement as SQL."""
        return sql_of(self.form, self.statement)


@dataclass(frozen=True)
class _Seen:
    """The query and everything that was found out about it."""

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
    asked: Asked
    heads: Mapping[str, float]
    said: frozenset[str]
    signs: list[Sign | None]
    part_votes: PartVotes


def propose(
    reading: Reading,
    memory: Memory,
    reader: Reader,
    included: bool | None = None,
    suits: Suits | None = None,
    most: int = _COMPOSED,
) -> list[Proposal]:
    """Candidates in no order, each once. `included` says whether the ends of periods belong to them; None leaves them
    as the answered questions have them. `suits` says whether a value can do something at all; up to `most` statements
    are put together that no answered question has."""
    seen = _look(reading, memory, reader, suits)
    found: dict[str, Proposal] = {}
    for shape, values, edits in [*_near_shapes(seen, memory), *_targets(seen, memory, most)]:
        form = _ended(shape.form, included)
        statement = filled(form, {n: reading.found[value] for n, value in values.items()})
        if statement is not None and possible(statement) and not _taken_away(statement, reading):
            proposal = _proposal(seen, memory, shape, form, statement, values, edits)
            key = statement.key
            if key not in found or _likely(found[key]) < _likely(proposal):
                found[key] = proposal
    return list(found.values())


def _taken_away(statement: Statement, reading: Reading) -> bool:
    """Whether a condition holds a value that the wizard took out, as a constant of an example may."""
    gone = {pair for number in reading.removed for pair in _compared(reading.found[number])}
    kept = {pair for n, one in enumerate(reading.found) if n not in reading.removed for pair in _compared(one)}
    if not gone - kept:
        return False
    held = ((place, unquoted(hole.text)) for clause in statement.clauses for place, hole in places_of(clause.parts))
    return any((column.split(".")[-1], value) in gone - kept for column, value in held)


def _compared(found: Found) -> Iterator[tuple[str, str]]:
    """Columns and spellings of a value of the query; numbers, times and dates may stand anywhere, and are left out."""
    for form, value in found.meanings[0].forms.items():
        if "#" not in form:
            yield form.split(".")[-1], value


def _ended(form: Form, included: bool | None) -> Form:
    if included is None or not any("#begin" in slot.forms or "#end" in slot.forms for slot in form.slots):
        return form
    changed = with_ends(form.statement, included)
    return form if changed == form.statement else Form(changed, form.slots)


def _likely(proposal: Proposal) -> float:
    return proposal.feature("likely") - 5 * proposal.made


def _look(reading: Reading, memory: Memory, reader: Reader, suits: Suits | None) -> _Seen:
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
    return _Seen(
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
    raised = {name: max(_DOUBT, guess.plain.get(name, 0.0)) for name in expected}
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


def _near_shapes(seen: _Seen, memory: Memory) -> Iterator[tuple[Shape, dict[int, int], int]]:
    for key in list(seen.alike)[:_NEAR_SHAPES]:
        shape, entry = memory.shapes[key], memory.entries[seen.entry_of[key]]
        values = _as_answered(shape, entry, seen.reading.found) if seen.alike[key] >= THE_SAME else None
        values = values or assigned(shape, seen.reading.found, seen.given[shape.root])
        if values is not None:
            yield shape, values, 0


def _as_answered(shape: Shape, entry: Entry, found: Sequence[Found]) -> dict[int, int] | None:
    """The value for each slot as in a question with the same words; None if this cannot be done."""
    slots = shape.form.slots
    if [one.kind for one in found] != [one.kind for one in entry.reading.found]:
        return None
    for slot in slots:
        known = 0 <= slot.turn < len(found) and entry.roles.get(slot.turn, NOTHING) == slot.role
        if not known or any(found[slot.turn].form(form) is None for form in slot.forms):
            return None
    return {number: slot.turn for number, slot in enumerate(slots)}


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
            gain = log_chance(chances.get(slot.role, 0.0)) - log_chance(chances.get(NOTHING, 0.0))
            fits.append((gain, value))
    return heapq.nlargest(4, fits)


def _some(options: list[list[tuple[float, int]]]) -> Iterator[tuple[tuple[float, int], ...]]:
    for count, choice in enumerate(product(*options)):
        if count > 300:
            return
        yield choice


def _targets(seen: _Seen, memory: Memory, most: int) -> Iterator[tuple[Shape, dict[int, int], int]]:
    made = 0
    for head, plain, roles in likely_meanings(seen.heads, seen.given, memory, seen.reading.found):
        wanted = frozenset(role for role in roles if role)
        keys = memory.meanings.get((head, plain, wanted), [])
        for key in sorted(keys, key=lambda one: (-seen.alike.get(one, 0.0), -memory.shapes[one].times))[:3]:
            values = _given(memory.shapes[key], roles, seen.reading.found)
            if values is not None:
                yield memory.shapes[key], values, 0
        if not keys and made < most:
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


def _proposal(
    seen: _Seen, memory: Memory, shape: Shape, form: Form, statement: Statement, values: Mapping[int, int], edits: int
) -> Proposal:
    guess = seen.given.get(shape.root, seen.guess)
    key = shape.key
    made = edits > 0
    head = log_chance(guess.heads.get(shape.head, 0.0))
    plain = math.fsum(log_chance(guess.plain.get(name, 0.0)) for name in shape.plain)
    plain += sum(cost for name, cost in seen.left_out.get(shape.root, ()) if name not in shape.plain)
    done = _done(seen, shape, values)
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
        log_chance(guess.whole.get(shape.meaning if shape.times > 1 else "rare", 0.0)),
        _least_role(seen, shape, values),
        min((log_chance(guess.plain.get(name, 0.0)) for name in shape.plain), default=0.0),
        seen.sharp.get(shape.meaning, 0.0),
        float(len(shape.plain)),
        float(len(seen.expected - shape.plain)),
        *_naming(seen, shape),
        float(memory.unsaid(form.statement)),
        speaks_of(done, seen.beside),
        *fit_of(shape.head, seen.asked),
        memory.unheard(shape.plain, seen.said),
        signs_fit(zip(done, seen.signs, strict=True)),
        *seen.part_votes.of(shape),
    )
    used = tuple(values[number] for number in range(len(shape.form.slots)))
    return Proposal(form, statement, used, seen.entry_of.get(key, seen.near[0] if seen.near else -1), features, made)


def _done(seen: _Seen, shape: Shape, values: Mapping[int, int]) -> list[Role]:
    """What a candidate does with each value."""
    done = [NOTHING] * len(seen.reading.found)
    for slot, value in reversed(list(values.items())):
        done[value] = shape.form.slots[slot].role
    return done


def _costs(guess: Guess) -> tuple[tuple[str, float], ...]:
    """What it costs a candidate to leave out a clause that may be meant."""
    return tuple((name, log_chance(1 - chance)) for name, chance in guess.plain.items() if chance > _MAY_BE)


def _naming(seen: _Seen, shape: Shape) -> tuple[float, float, float]:
    """How many names in the query the statement has and lacks, and whether most and least fit."""
    had = len(seen.names & shape.names)
    unlike = sum(one != other for one, other in zip(seen.asks, shape.gives, strict=True))
    return float(had), float(len(seen.names) - had), float(unlike)


def _least_role(seen: _Seen, shape: Shape, values: Mapping[int, int]) -> float:
    roles, slots = seen.given[shape.root].roles, shape.form.slots
    chances = (roles[value].get(slots[number].role, 0.0) for number, value in values.items())
    return min(map(log_chance, chances), default=0.0)


def _role_score(seen: _Seen, shape: Shape, values: Mapping[int, int]) -> tuple[float, float]:
    role_of = {value: shape.form.slots[number].role for number, value in values.items()}
    labels = {seen.reading.found[value].meanings[0].label for value in role_of}
    score, idle = 0.0, 0.0
    for number, one in enumerate(seen.reading.found):
        chances = seen.given[shape.root].roles[number]
        role = role_of.get(number, NOTHING)
        if number not in role_of and one.meanings[0].label in labels:
            role = max(chances, key=lambda r: chances[r], default=NOTHING) if chances else NOTHING
        if chances:
            score += log_chance(chances.get(role, 0.0))
        if not role and not one.weak:
            idle += 1 - chances.get(NOTHING, 0.0)
    return score, idle
