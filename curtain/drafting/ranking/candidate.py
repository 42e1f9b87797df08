"""A candidate statement and what speaks for it: the same features, whatever source proposed it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from ..algebra.query import Statement, nodes_of
from ..examples.align import Role, align
from ..examples.form import unlike
from ..examples.memory import Memory, Shape, extremes_of, names_in
from ..examples.propose import Suggestion
from ..examples.query_view import NOTHING, Sight, log_chance
from ..grammar.sketch import RuleDraft
from ..language.english import english, stem

__all__ = ["CALIBRATION", "FEATURES", "START", "Candidate", "after_turn", "from_rules", "from_suggestion"]

_WEIGHTS = tomllib.loads(resources.files("curtain.drafting").joinpath("weights.toml").read_text("utf-8"))
_SAME = 0.97
FEATURES, START = tuple(_WEIGHTS["ranker"]), tuple(_WEIGHTS["ranker"].values())
"""What speaks for a candidate, in the order of `_candidate`, and what each weighs before anything is learned."""
CALIBRATION = tuple(_WEIGHTS["calibration"].values())
"""The same for the confidence; see `ranker.evidence`."""


@dataclass(frozen=True)
class Candidate:
    """A statement for a query: the values used, the entry it is most like (-1: none), whether it was put together from
    several, whether the rules of the schema propose it, and its features."""

    query: Statement
    used: tuple[int, ...]
    like: int
    made: bool
    by_rules: bool
    features: tuple[float, ...]
    ignored: tuple[int, ...] = ()
    turn: bool = False

    def feature(self, name: str) -> float:
        """One of the features by its name."""
        return self.features[FEATURES.index(name)]


def from_suggestion(one: Suggestion, seen: Sight, memory: Memory, outline: RuleDraft | None) -> Candidate:
    """A suggestion of answered questions as a candidate; `outline` if the rules propose the same."""
    doing = [NOTHING] * len(seen.reading.found)
    for slot, value in one.values.items():
        doing[value] = one.shape.slots[slot].role
    used = tuple(sorted(set(one.values.values())))
    ignored = outline.ignored if outline else _ignored(one, used, seen, memory)
    return _candidate(one.query, one.shape, doing, used, one.edits, seen, memory, outline, ignored)


def from_rules(outline: RuleDraft, seen: Sight, memory: Memory) -> Candidate:
    """A statement that only the rules of the schema propose."""
    aligned = align(outline.query, seen.reading)
    shape = memory.shapes.get(aligned.query.key) or Shape(aligned.query, (), aligned.plain)
    doing = [aligned.roles.get(number, NOTHING) for number in range(len(seen.reading.found))]
    used = outline.used or tuple(number for number, role in enumerate(doing) if role)
    return _candidate(outline.query, shape, doing, used, 0, seen, memory, outline, outline.ignored)


def after_turn(outline: RuleDraft, lean: float, beside: Candidate | None) -> Candidate:
    """A statement that changes the one of the turn before; `lean` says how far the words point back to it. What
    answered questions say of it is not known; it is taken to be what they say of the best other one, `beside`."""
    plain = list(beside.features) if beside else [0.0] * len(FEATURES)
    plain[FEATURES.index("turn")] = outline.score
    plain[FEATURES.index("turn leans")] = lean
    plain[FEATURES.index("turn alone")] = 1 - lean
    plain[FEATURES.index("unexplained")] = outline.unexplained
    return Candidate(outline.query, outline.used, -1, False, False, tuple(plain), outline.ignored, True)


def _ignored(one: Suggestion, used: Sequence[int], seen: Sight, memory: Memory) -> tuple[int, ...]:
    """The words that neither a value, a name in the statement nor the answered question explains."""
    reading = seen.reading
    values = {place for number in used for place in range(reading.found[number].first, reading.found[number].last)}
    number = seen.entry_of.get(one.shape.query.key)
    like = {stem(word) for word in memory.entries[number].words} if number is not None else set()
    names = one.shape.names
    return tuple(
        place
        for place, word in enumerate(reading.words)
        if place not in values
        and word.text not in english().words("dull.words")
        and not (stem(word.text) in like or names_in(word.text) & names)
        and (not one.edits or memory.heard[word.text] < 2)
    )


def _candidate(
    query: Statement,
    shape: Shape,
    doing: Sequence[Role],
    used: tuple[int, ...],
    edits: int,
    seen: Sight,
    memory: Memory,
    outline: RuleDraft | None,
    ignored: tuple[int, ...],
) -> Candidate:
    key = shape.query.key
    known = key in memory.shapes and edits == 0
    guess = seen.given.get(query.root, seen.guess)
    head = log_chance(guess.heads.get(shape.query.head, 0.0))
    plain = math.fsum(log_chance(guess.plain.get(name, 0.0)) for name in shape.plain)
    plain += sum(cost for name, cost in seen.left_out.get(query.root, ()) if name not in shape.plain)
    roles, idle, least = _roles(doing, used, seen, guess.roles)
    meaning = (shape.query.head, shape.plain, frozenset(role for role in doing if role))
    weight = seen.weight
    features = (
        weight * head,
        weight * plain,
        weight * roles,
        seen.alike.get(key, 0.0) if known else 0.0,
        seen.votes.get(key, 0.0) if known else 0.0,
        float(edits > 0),
        idle,
        (1 - seen.top) * (edits > 0),
        float(edits),
        weight * least,
        seen.sharp.get(meaning, 0.0),
        float(len(seen.expected - shape.plain)),
        *_naming(query, shape, seen),
        float(memory.unspoken(shape.query)),
        memory.unheard(shape.plain, seen.said),
        float(outline is not None),
        outline.score if outline is not None else 0.0,
        float(outline is not None and not known and edits == 0),
        len(ignored) / max(1, len(seen.reading.words)),
        *unlike(seen.form, query),
        float(len(nodes_of(query)) - 1 if query.root else 0),
        # In these very words, with other values: what was answered stands before what is put together.
        float(known and seen.alike.get(key, 0.0) >= _SAME and idle < 1),
        0.0,
        0.0,
        0.0,
    )
    like = seen.entry_of.get(key, seen.near[0] if seen.near else -1) if known or edits else -1
    return Candidate(query, used, like, edits > 0, outline is not None, features, ignored)


def _roles(
    doing: Sequence[Role], used: Sequence[int], seen: Sight, chances: Sequence[Mapping[Role, float]]
) -> tuple[float, float, float]:
    """How likely the values do what they do, how many do nothing, and how unlikely the least likely is."""
    labels = {seen.reading.found[value].meanings[0].label for value in used}
    score, idle, least = 0.0, 0.0, 0.0
    for number, one in enumerate(seen.reading.found):
        own, role = chances[number] if number < len(chances) else {}, doing[number]
        if not role and one.meanings[0].label in labels and own:
            role = max(own, key=lambda r: own[r])
        if own:
            chance = log_chance(own.get(role, 0.0))
            score += chance
            least = min(least, chance) if role else least
        if not role and not one.weak and number not in seen.reading.removed:
            idle += 1 - own.get(NOTHING, 0.0)
    return score, idle, least


def _naming(query: Statement, shape: Shape, seen: Sight) -> tuple[float, float, float]:
    """How many names in the query the statement has and lacks, and whether most and least fit."""
    had = len(seen.names & shape.names)
    unlike = sum(one != other for one, other in zip(seen.asks, extremes_of(query), strict=True))
    return float(had), float(len(seen.names) - had), float(unlike)
