"""How likely a statement that goes on from the one before is right: a logistic model of a few pieces of evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

__all__ = ["NAMES", "Evidence", "sure"]

NAMES = ("share", "unused words", "unused values", "guessed", "leans", "whole", "turned", "one")
_WEIGHTS = (2.0, -0.6, -0.8, -0.8, 0.4, -3.0, 0.0, -0.5)


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against an edit: `share` of all edits' likelihood that it has, how many words and values of
    the follow-up it leaves unused, whether no answered question shows it, whether the words point back, whether they
    are a question by themselves; `one` is 1."""

    share: float
    words: float
    values: float
    guessed: float
    leans: float
    whole: float
    turned: float
    one: float = 1.0


def sure(evidence: Evidence, weights: Sequence[float] = _WEIGHTS) -> float:
    """Its probability."""
    score = sum(weight * value for weight, value in zip(weights, astuple(evidence), strict=True))
    return 1 / (1 + math.exp(-score))
