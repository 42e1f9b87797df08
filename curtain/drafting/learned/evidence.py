"""How likely a statement that goes on from the one before is right: a logistic model of a few pieces of evidence.

Its weights were fitted on the development half of bench/followups.jsonl, and, so that it knows what is none, on
questions that stand alone, asked after a turn that has nothing to do with them (`bench/followups.py --fit`). They lie
between those of all lines and those of forty lines when the rules had not seen these yet: rules made with a line in
sight are surer of it than they should be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

__all__ = ["Evidence", "sure"]

_WEIGHTS = (0.7, -1.6, -1.4, 2.2, -0.2, 0.6, -2.8, -1.2, -0.8, -1.2)


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against an edit: the share that it has of the likelihood of all that were thought of, how
    many words and values of the follow-up it leaves unused, and, each 1 or 0, whether it is the likeliest, whether a
    part of it is shown by no answered question, whether the words point back, whether they are a question by
    themselves, whether it has several parts, and whether the words name the things that they ask about, or one of them
    alone; `one` is 1."""

    share: float
    words: float
    values: float
    first: float
    guessed: float
    leans: float
    whole: float
    several: float
    rows: float
    one: float = 1.0


def sure(evidence: Evidence, weights: Sequence[float] = _WEIGHTS) -> float:
    """How likely it is right, between 0 and 1."""
    score = sum(weight * value for weight, value in zip(weights, astuple(evidence), strict=True))
    return 1 / (1 + math.exp(-score))
