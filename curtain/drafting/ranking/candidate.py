"""A candidate statement and what speaks for it: the same features, whatever source proposed it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from ..algebra.query import Statement, nodes_of
from ..examples.align import Role, align
from ..examples.memory import Memory, Shape, names_in
from ..examples.propose import Suggestion
from ..examples.query_view import NOTHING, Sight, denies, log_chance
from ..grammar.graph import RuleDraft
from ..language.english import english, stem
from .contradictions import Case, contradictions, unlike, without_contradictions

_WEIGHTS = tomllib.loads(resources.files("curtain.drafting").joinpath("weights.toml").read_text("utf-8"))
_SAME = 0.97
# How much more it says that questions are alike in what they mean than in their words; fitted as the weights are.
_BY_MEANING = 1.7
_OF_EXAMPLES = ("alike", "same words")
FEATURES, START = tuple(_WEIGHTS["ranker"]), tuple(_WEIGHTS["ranker"].values())
"""What speaks for a candidate, and what each weighs before anything is learned."""
CALIBRATION = tuple(_WEIGHTS["calibration"].values())
"""The same for the confidence; see `ranker.evidence`."""


@dataclass(frozen=True)
class Candidate:
    """A statement for a query: the values used, the entry it is most like (-1: none), whether it was put together from
    several, its features by FEATURES, the places of the words that nothing in it explains, and what it does against the
    query. Of a draft that the rules propose (`alone`), what speaks for it before anything is answered is one feature:
    nothing answered changes the order of these, unless it is the very statement."""

    query: Statement
    used: tuple[int, ...]
    like: int
    made: bool
    features: tuple[float, ...]
    ignored: tuple[int, ...] = ()
    turn: bool = False
    doubts: tuple[str, ...] = ()
    alone: bool = False

    def feature(self, name: str) -> float:
        """One of the features by its name."""
        return self.features[FEATURES.index(name)]

    def with_features(self, others: Mapping[str, float]) -> tuple[float, ...]:
        """Its features with others in their place."""
        return tuple(others.get(name, own) for name, own in zip(FEATURES, self.features, strict=True))

    def doubted(self, seen: Sight, memory: Memory) -> Candidate:
        """With why its answered question may have asked something else; that costs it no place."""
        answered = memory.entries[self.like].reading.words if self.like >= 0 and not self.made else ()
        return replace(self, doubts=(*self.doubts, *unlike(seen.reading.words, answered)))


def from_suggestion(one: Suggestion, seen: Sight, memory: Memory) -> Candidate:
    """A suggestion of answered questions as a candidate."""
    doing = [NOTHING] * len(seen.reading.found)
    for slot, value in one.values.items():
        doing[value] = one.shape.slots[slot].role
    used = tuple(sorted(set(one.values.values())))
    return _candidate(one, doing, used, seen, memory, None, _ignored(one, used, seen, memory))


def from_rules(outline: RuleDraft, seen: Sight, memory: Memory) -> Candidate:
    """A statement that the rules of the schema propose, where nothing is answered."""
    aligned = align(outline.query, seen.reading)
    shape = Shape(aligned.query, (), aligned.plain)
    doing = [aligned.roles.get(number, NOTHING) for number in range(len(seen.reading.found))]
    used = outline.used or tuple(number for number, role in enumerate(doing) if role)
    one = _candidate(Suggestion(shape, outline.query, {}), doing, used, seen, memory, outline, outline.ignored)
    alone = math.fsum(feature * weight for feature, weight in zip(one.features, START, strict=True))
    return replace(one, alone=True, features=tuple(alone * (name == "alone") for name in FEATURES))


def after_turn(outline: RuleDraft, lean: float, beside: Candidate | None, case: Case) -> Candidate:
    """A statement that changes the one of the turn before; `lean` says how far the words point back to it. What
    answered questions say of it is not known; it is taken to be what they say of the best other one, `beside`."""
    doubts = tuple(contradictions(case))
    others = {
        "breaks": float(len(doubts)),
        "turn": outline.score,
        "turn leans": lean,
        "turn alone": 1 - lean,
        "unexplained": outline.unexplained,
    }
    one = Candidate(outline.query, outline.used, -1, False, (0.0,) * len(FEATURES), outline.ignored, True, doubts)
    return replace(one, features=(beside or one).with_features(others))


def corrected(one: Candidate, seen: Sight, memory: Memory) -> Candidate | None:
    """The candidate with less against the query in it, where a turned superlative or a choice is enough; else None."""
    case = Case(seen, one.query, frozenset(one.used), memory, _words_of(one.like, memory))
    better = without_contradictions(case, one.doubts)
    if better is None:
        return None
    query, doubts = better
    fewer = len(doubts) - len(one.doubts)
    speaks, by = ("alone", START[FEATURES.index("breaks")]) if one.alone else ("breaks", 1.0)
    features = one.with_features({speaks: one.feature(speaks) + fewer * by})
    return replace(one, query=query, features=features, doubts=tuple(doubts))


def joined(one: Candidate, rules: Candidate) -> Candidate:
    """One candidate with all that speaks for either, where an answered question and the rules propose the same
    statement. The rules do without the tables that the answered question joined for nothing."""
    if one.made or one.doubts:
        return rules
    ignored = tuple(at for at in rules.ignored if at in one.ignored)
    features = rules.with_features({name: one.feature(name) for name in _OF_EXAMPLES})
    return replace(rules, like=one.like, features=features, ignored=ignored, doubts=())


def _words_of(entry: int, memory: Memory) -> frozenset[str]:
    """The words of an answered question, without their endings."""
    return frozenset(map(stem, memory.entries[entry].reading.words)) if entry >= 0 else frozenset()


def _ignored(one: Suggestion, used: Sequence[int], seen: Sight, memory: Memory) -> tuple[int, ...]:
    """The words that neither a value, a name in the statement nor the answered question explains."""
    reading = seen.reading
    values = {place for number in used for place in range(reading.found[number].first, reading.found[number].last)}
    number = seen.entry_of.get(one.shape.query.key)
    like = {stem(word) for word in memory.entries[number].words} if number is not None else set()
    return tuple(
        place
        for place, word in enumerate(reading.words)
        if place not in values
        and word not in english().words("dull.words")
        and not (stem(word) in like or names_in(word) & one.shape.names)
        and (not one.edits or memory.heard[word] < 2)
    )


def _candidate(
    one: Suggestion,
    doing: Sequence[Role],
    used: tuple[int, ...],
    seen: Sight,
    memory: Memory,
    outline: RuleDraft | None,
    ignored: tuple[int, ...],
) -> Candidate:
    query, shape, key = one.query, one.shape, one.shape.query.key
    known, made = key in memory.shapes and one.edits == 0, one.edits > 0
    alike = seen.alike.get(key, 0.0) if known else 0.0
    guess = seen.given.get(query.root, seen.guess)
    plain = math.fsum(log_chance(guess.plain.get(name, 0.0)) for name in shape.plain)
    plain += sum(cost for name, cost in seen.left_out.get(query.root, ()) if name not in shape.plain)
    roles, idle = _roles(doing, used, seen, guess.roles)
    named = len(seen.names & shape.names)
    like = seen.entry_of.get(key, seen.near[0] if made and seen.near else -1)
    case = Case(seen, query, frozenset(used), memory, _words_of(like, memory))
    doubts = tuple(contradictions(case))
    features = {
        "head": seen.weight * log_chance(guess.heads.get(shape.query.head, 0.0)),
        "plain": seen.weight * plain,
        "roles": seen.weight * roles,
        "alike": alike * (_BY_MEANING if memory.meaning else 1),
        "made": float(made),
        "made unlike": (1 - seen.top) * made,
        # What words of the query nearly always meant, brought together with the rest of it.
        "answered": float(made * len(seen.expected & shape.plain)),
        "named": float(named),
        "not named": float(len(seen.names) - named),
        "rules' score": outline.score if outline is not None else 0.0,
        "unexplained": len(ignored) / max(1, len(seen.reading.words)),
        "denial": float(seen.denies != denies(query)),
        "breaks": float(len(doubts)),
        "joins": float(len(nodes_of(query)) - 1 if query.root else 0),
        # In these very words, with other values: what was answered stands before what is put together.
        "same words": float(alike >= _SAME and idle - roles < 1),
    }
    return Candidate(
        query, used, like, made, tuple(features.get(name, 0.0) for name in FEATURES), ignored, doubts=doubts
    )


def _roles(
    doing: Sequence[Role], used: Sequence[int], seen: Sight, chances: Sequence[Mapping[Role, float]]
) -> tuple[float, float]:
    """How likely the values do what they do, and how many do nothing."""
    labels = {seen.reading.found[value].meanings[0].label for value in used}
    score, idle = 0.0, 0.0
    for number, one in enumerate(seen.reading.found):
        own, role = chances[number] if number < len(chances) else {}, doing[number]
        if not role and one.meanings[0].label in labels and own:
            role = max(own, key=lambda r: own[r])
        score += log_chance(own.get(role, 0.0)) if own else 0.0
        if not role and not one.weak and number not in seen.reading.removed:
            idle += 1 - own.get(NOTHING, 0.0)
    return score, idle
