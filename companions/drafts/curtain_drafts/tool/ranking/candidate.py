"""A candidate statement and what speaks for it: the same features, whatever source proposed it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from ..algebra.query import Statement, nodes_of
from ..examples.align import Role
from ..examples.memory import Shape, names_in
from ..examples.propose import Suggestion
from ..examples.query_view import NOTHING, Sight, denies
from ..examples.reader import log_chance
from ..grammar.graph import RuleDraft
from ..language.english import english, stem
from .contradictions import Case, contradictions, unlike

WEIGHTS = tomllib.loads(resources.files("curtain_drafts.tool").joinpath("weights.toml").read_text("utf-8"))
"""The tables of weights.toml."""

_SAME = 0.97
# How much more it says that questions are alike in what they mean than in their words; fitted as the weights are.
_BY_MEANING = 1.7
_RULES: Mapping[str, float] = WEIGHTS["rules"]
FEATURES, START = tuple(WEIGHTS["ranker"]), tuple(WEIGHTS["ranker"].values())
"""What orders the candidates of answered questions, and what each weighs before anything is learned."""


@dataclass(frozen=True)
class Candidate:
    """A statement for a query: the values used, the entry it is most like (-1: none), whether it was put together from
    several, the features that order it among those of its source, the places of the words that nothing in it explains,
    and what it does against the query. `evidence` is what speaks for it in the list of each source (`chooser`).
    Nothing answered changes what the rules propose (`alone`), nor its order."""

    query: Statement
    used: tuple[int, ...]
    like: int
    made: bool
    features: Mapping[str, float]
    ignored: tuple[int, ...] = ()
    turn: bool = False
    doubts: tuple[str, ...] = ()
    alone: bool = False
    evidence: tuple[Mapping[str, float], ...] = ()

    @property
    def row(self) -> list[float]:
        """Its features in the order of FEATURES, 0 where it has none."""
        return [self.features.get(name, 0.0) for name in FEATURES]

    def doubted(self, seen: Sight) -> Candidate:
        """With why its answered question may have asked something else; that costs it no place."""
        answered = seen.memory.entries[self.like].reading.words if self.like >= 0 and not self.made else ()
        return replace(self, doubts=(*self.doubts, *unlike(seen.reading.words, answered)))


def from_suggestion(one: Suggestion, seen: Sight) -> Candidate:
    """A suggestion of answered questions as a candidate."""
    shape, made, key = one.shape, one.edits > 0, one.shape.query.key
    doing = {value: slot.role for slot, value in zip(shape.slots, one.values, strict=True)}
    used = tuple(sorted(doing))
    ignored = _ignored(one, used, seen)
    nearest = next(iter(seen.entry_of.values()), -1) if made else -1
    case = Case(seen, one.query, frozenset(used), seen.entry_of.get(key, nearest))
    alike = 0.0 if made else seen.alike.get(key, 0.0)
    guess = seen.given(one.query.root)
    unlikely = dict.fromkeys(shape.plain, 0.0)
    plain = (c if name in shape.plain else 1 - c for name, c in {**unlikely, **guess.plain}.items())
    roles, idle = _roles(doing, seen, guess.roles)
    doubts = tuple(contradictions(case))
    features = {
        **_of_statement(case, shape, ignored, doubts),
        "head": seen.weight * log_chance(guess.heads.get(shape.query.head, 0.0)),
        "plain": seen.weight * math.fsum(map(log_chance, plain)),
        "roles": seen.weight * roles,
        "alike": alike * (_BY_MEANING if seen.memory.near.meaning else 1),
        "made": float(made),
        "made unlike": (1 - max(seen.alike.values(), default=0.0)) * made,
        # What words of the query nearly always meant, brought together with the rest of it.
        "answered": float(made * len(seen.expected & shape.plain)),
        # In these very words, with other values: what was answered stands before what is put together.
        "same words": float(alike >= _SAME and idle - roles < 1),
    }
    return Candidate(one.query, used, case.like, made, features, ignored, doubts=doubts)


def from_rules(outline: RuleDraft, seen: Sight) -> Candidate:
    """A statement that the rules of the schema propose, where nothing is answered."""
    case = Case(seen, outline.query, frozenset(outline.used))
    doubts = tuple(contradictions(case))
    shape = Shape(outline.query, (), frozenset())
    features = {**_of_statement(case, shape, outline.ignored, doubts), "rules' score": outline.score}
    features["score"] = math.fsum(value * _RULES[name] for name, value in features.items())
    return Candidate(outline.query, outline.used, -1, False, features, outline.ignored, doubts=doubts, alone=True)


def after_turn(outline: RuleDraft, lean: float, beside: Candidate | None, seen: Sight) -> Candidate:
    """A statement that changes the one of the turn before; `lean` says how far the words point back to it. What speaks
    for the best other one, `beside`, is taken to speak for this one, too."""
    doubts = tuple(contradictions(Case(seen, outline.query, frozenset(outline.used))))
    own = {
        "breaks": float(len(doubts)),
        "turn": outline.score,
        "turn leans": lean,
        "turn alone": 1 - lean,
        "ignored": len(outline.ignored) / max(1, len(seen.reading.words)),
    }
    evidence = tuple({**row, **own} for row in (beside.evidence if beside else ({},)))
    return Candidate(outline.query, outline.used, -1, False, {}, outline.ignored, True, doubts, evidence=evidence)


def _of_statement(case: Case, shape: Shape, ignored: Sequence[int], doubts: Sequence[str]) -> dict[str, float]:
    """What speaks for a statement, whatever proposes it."""
    seen, query = case.seen, case.query
    named = len(seen.names & shape.names)
    return {
        "named": float(named),
        "not named": float(len(seen.names) - named),
        "unexplained": len(ignored) / max(1, len(seen.reading.words)),
        "denial": float(seen.denies != denies(query)),
        "breaks": float(len(doubts)),
        "joins": float(len(nodes_of(query)) - 1 if query.root else 0),
    }


def _ignored(one: Suggestion, used: Sequence[int], seen: Sight) -> tuple[int, ...]:
    """The words that neither a value, a name in the statement nor the answered question explains."""
    reading = seen.reading
    values = {place for number in used for place in range(reading.found[number].first, reading.found[number].last)}
    number = seen.entry_of.get(one.shape.query.key)
    like = {stem(word) for word in seen.memory.entries[number].words} if number is not None else set()
    return tuple(
        place
        for place, word in enumerate(reading.words)
        if place not in values
        and word not in english().words("dull.words")
        and not (stem(word) in like or names_in(word) & one.shape.names)
        and (not one.edits or seen.memory.heard[word] < 2)
    )


def _roles(doing: Mapping[int, Role], seen: Sight, chances: Sequence[Mapping[Role, float]]) -> tuple[float, float]:
    """How likely the values do what they do, and how many do nothing."""
    labels = {seen.reading.found[value].meanings[0].label for value in doing}
    score, idle = 0.0, 0.0
    for number, (one, own) in enumerate(zip(seen.reading.found, chances, strict=True)):
        role = doing.get(number, NOTHING)
        if not role and one.meanings[0].label in labels and own:
            role = max(own, key=lambda r: own[r])
        score += log_chance(own.get(role, 0.0)) if own else 0.0
        if not role and not one.weak and number not in seen.reading.removed:
            idle += 1 - own.get(NOTHING, 0.0)
    return score, idle
