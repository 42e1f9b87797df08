"""Which draft stands first: one chance for each statement, from what speaks for it in the lists of all sources.

Answered questions and the rules each order their own list. What they say of a statement is put together with weights
that bench/draft_fit.py fits over several databases: a softmax over all statements, and that none of them is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..examples.query_view import Sight
from .candidate import WEIGHTS, Candidate
from .ranker import Floats

EVIDENCE = tuple(WEIGHTS["chooser"])
"""What speaks for a statement, by name; the same names have weights where questions are found by words alone."""

BY_MEANING, BY_WORDS = (np.array([WEIGHTS[name][each] for each in EVIDENCE]) for name in ("chooser", "by words"))
"""How much each weighs."""


def of_answered(candidates: Sequence[Candidate], ranker: Floats, seen: Sight) -> list[Candidate]:
    """The candidates of answered questions, best first, with their evidence."""
    if not candidates:
        return []
    scores = np.array([one.row for one in candidates]) @ ranker

    def with_evidence(one: Candidate, share: float) -> Candidate:
        entry = seen.memory.entries[one.like] if one.like >= 0 else None
        _, by_words, by_meaning = seen.likeness[:, one.like] if entry else np.zeros(3)
        both = {seen.scenario, entry.example.scenario if entry else ""}
        evidence = {
            "answered": 1.0,
            "made": float(one.made),
            "meaning": by_meaning,
            "words": by_words,
            "share": share,
            "same words": one.features["same words"],
            "scenario": float(both == {seen.scenario} != {""}),
            "elsewhere": float(len(both - {""}) > 1),
            "ignored": one.features["unexplained"],
            "breaks": one.features["breaks"],
        }
        return replace(one, evidence=(evidence,))

    return _best_first(candidates, scores, with_evidence)


def of_rules(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of the rules, best first, with their evidence."""
    if not candidates:
        return []
    scores = np.array([one.features["score"] for one in candidates])

    def with_evidence(one: Candidate, share: float) -> Candidate:
        evidence = {
            "rules": 1.0,
            "rules' score": one.features["score"],
            "rules' share": share,
            "ignored": one.features["unexplained"],
            "breaks": one.features["breaks"],
        }
        return replace(one, evidence=(evidence,))

    return _best_first(candidates, scores, with_evidence)


def _best_first(
    candidates: Sequence[Candidate], scores: Floats, with_evidence: Callable[[Candidate, float], Candidate]
) -> list[Candidate]:
    """The candidates by their scores, each with what its share of all (a softmax) says."""
    powers = np.exp(scores - scores.max())
    shares = np.log(powers / powers.sum() + 1e-6)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return [with_evidence(candidates[number], float(shares[number])) for number in order]


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
