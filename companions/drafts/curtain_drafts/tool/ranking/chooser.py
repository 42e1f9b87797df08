"""Which draft stands first: one chance for each statement, from what speaks for it in the lists of all sources.

Answered questions and the rules each order their own list. What they say of a statement is put together with weights
that bench/draft_fit.py fits over several databases: a softmax over all statements, and that none of them is right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..examples.query_view import Sight
from .candidate import WEIGHTS, Candidate
from .ranker import Floats

EVIDENCE = tuple(WEIGHTS["chooser"])
"""What speaks for a statement, by name; the same names have weights where questions are found by words alone."""

BY_MEANING, BY_WORDS = (np.array([WEIGHTS[name][each] for each in EVIDENCE]) for name in ("chooser", "by words"))
"""How much each weighs."""

MANY, _GROWING = 100, ("answered", "share", "rules")
"""From so many answered questions on, some evidence counts more, or less, by the logarithm of how many there are."""

_Evidence = Mapping[str, float]
_AGAINST = (("ignored", "unexplained"), ("breaks", "breaks"))


def of_answered(candidates: Sequence[Candidate], ranker: Floats, seen: Sight) -> list[Candidate]:
    """The candidates of answered questions, best first, with their evidence."""

    def speaks(one: Candidate) -> dict[str, float]:
        entry = seen.memory.entries[one.like] if one.like >= 0 else None
        _, by_words, by_meaning = seen.likeness[:, one.like] if entry else np.zeros(3)
        both = {seen.scenario, entry.example.scenario if entry else ""}
        return {
            "answered": 1.0,
            "made": float(one.made),
            "meaning": by_meaning,
            "words": by_words,
            "same words": one.features["same words"],
            "scenario": float(both == {seen.scenario} != {""}),
            "elsewhere": float(len(both - {""}) > 1),
        }

    scores = [float(np.dot(one.row, ranker)) for one in candidates]
    return _best_first(candidates, scores, "share", len(seen.memory.entries), [*map(speaks, candidates)])


def of_rules(candidates: Sequence[Candidate], answered: int) -> list[Candidate]:
    """The candidates of the rules, best first, with their evidence, where so many questions were answered."""
    rows = [{"rules": 1.0, "rules' score": one.features["score"]} for one in candidates]
    return _best_first(candidates, [row["rules' score"] for row in rows], "rules' share", answered, rows)


def _best_first(
    candidates: Sequence[Candidate], scores: Sequence[float], share: str, answered: int, speaks: Sequence[_Evidence]
) -> list[Candidate]:
    """The candidates by their scores, each with what speaks for it, and its share of all by its score (a softmax)."""
    powers = np.exp(np.array(scores) - max(scores, default=0.0))
    shares, size = np.log(powers / powers.sum() + 1e-6).tolist(), math.log(max(1.0, answered / MANY))
    made = list[Candidate]()
    for one, own, said in zip(candidates, shares, speaks, strict=True):
        row = {**said, share: own, **{name: one.features[old] for name, old in _AGAINST}}
        row |= {f"{name} of many": size * row[name] for name in _GROWING if name in row}
        made.append(replace(one, evidence=(row,)))
    return [made[number] for number in np.argsort(-powers, kind="stable")]


def joined(one: Candidate, rules: Candidate) -> Candidate:
    """One candidate where an answered question and the rules propose the same statement, of which the chances add up.
    The rules do without the tables that the answered question joined for nothing."""
    evidence = tuple({**row, "both": 1.0} for row in (*one.evidence, *rules.evidence))
    if one.made or one.doubts:
        return replace(rules, evidence=evidence)
    ignored = tuple(at for at in rules.ignored if at in one.ignored)
    return replace(rules, like=one.like, evidence=evidence, ignored=ignored, doubts=())


def rows_of(one: Candidate) -> list[list[float]]:
    """What speaks for a candidate in each list, in the order of EVIDENCE, 0 where it has nothing."""
    return [[row.get(name, 0.0) for name in EVIDENCE] for row in one.evidence]


def chances(candidates: Sequence[Candidate], by_meaning: bool) -> Floats:
    """How likely each is right; the rest is the chance that none is."""
    weights = BY_MEANING if by_meaning else BY_WORDS
    scores = [np.logaddexp.reduce(np.array(rows_of(one)) @ weights) for one in candidates]
    powers = np.exp(np.array([*scores, 0.0]) - max(0.0, *scores))
    likely: Floats = powers[:-1] / powers.sum()
    return likely
