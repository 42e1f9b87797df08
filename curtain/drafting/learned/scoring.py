"""What speaks for a candidate statement: its features, weighed by what the answered questions taught."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..query.asked_for import fit_of
from ..query.called import speaks_of
from ..query.signs import signs_fit
from ..sql.statements import Statement
from .meanings import NOTHING, log_chance
from .memory import Form, Memory, Role, Shape, sql_of
from .seen import Seen

__all__ = ["FEATURES", "START", "Proposal", "proposal_of"]

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


def proposal_of(
    seen: Seen, memory: Memory, shape: Shape, form: Form, statement: Statement, values: Mapping[int, int], edits: int
) -> Proposal:
    """A statement of this shape, with the form as it ends up and the values used, as a candidate."""
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


def _done(seen: Seen, shape: Shape, values: Mapping[int, int]) -> list[Role]:
    """What a candidate does with each value."""
    done = [NOTHING] * len(seen.reading.found)
    for slot, value in reversed(list(values.items())):
        done[value] = shape.form.slots[slot].role
    return done


def _naming(seen: Seen, shape: Shape) -> tuple[float, float, float]:
    """How many names in the query the statement has and lacks, and whether most and least fit."""
    had = len(seen.names & shape.names)
    unlike = sum(one != other for one, other in zip(seen.asks, shape.gives, strict=True))
    return float(had), float(len(seen.names) - had), float(unlike)


def _least_role(seen: Seen, shape: Shape, values: Mapping[int, int]) -> float:
    roles, slots = seen.given[shape.root].roles, shape.form.slots
    chances = (roles[value].get(slots[number].role, 0.0) for number, value in values.items())
    return min(map(log_chance, chances), default=0.0)


def _role_score(seen: Seen, shape: Shape, values: Mapping[int, int]) -> tuple[float, float]:
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
