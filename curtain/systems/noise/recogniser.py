"""The recogniser that errs on purpose: a set word error rate, drawn anew for each utterance and always the same for it.

Word errors are counted as sclite counts them: the fewest substitutions, deletions and insertions that lead from the
reference to the hypothesis, over the words of the reference.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from curtain.base.edit_distance import edits
from curtain.systems.noise.vocabulary import HeardVocabulary

Kind = Literal["substitution", "deletion", "insertion"]

# Recognisers of read and spontaneous speech alike make about three substitutions for each deletion and each insertion.
_SHARES: dict[Kind, float] = {"substitution": 0.6, "deletion": 0.2, "insertion": 0.2}

_TRIES = 25
# The nearest word is taken oftener than a farther one, by the square of the closeness.
_LEAST_CLOSENESS = 0.05


@dataclass(frozen=True)
class Misheard:
    """What the recogniser made of a text, and how many word errors that is."""

    text: str
    errors: int


def hear(text: str, rate: float, key: str, vocabulary: HeardVocabulary) -> Misheard:
    """The text with errors at `rate` (0..0.9, a share of its words); the same `key` gives the same errors.

    Each word is in error with the probability `rate`, so the number of errors is binomial, as that of a recogniser
    whose errors are independent. An empty text stays empty, and no text becomes empty.
    """
    words = text.split()
    # A text as seed: Python hashes it by SHA-512, the same on every machine and version.
    dice = random.Random(f"recogniser {key}")
    wanted = sum(dice.random() < rate for _ in words)
    if not wanted:
        return Misheard(text, 0)
    best, best_count = words, 0
    # A deletion beside an insertion counts as one substitution: drawn again, or the rate would come out too low.
    for _ in range(_TRIES):
        drawn = _drawn(words, wanted, dice, vocabulary)
        count = edits(_folded(words), _folded(drawn))
        if drawn and abs(count - wanted) < abs(best_count - wanted):
            best, best_count = drawn, count
        if best_count == wanted:
            break
    return Misheard(" ".join(best), best_count)


def _drawn(words: Sequence[str], wanted: int, dice: random.Random, vocabulary: HeardVocabulary) -> list[str]:
    in_error = set(dice.sample(range(len(words)), wanted))
    kinds, weights = list(_SHARES), list(_SHARES.values())
    drawn: list[str] = []
    for at, word in enumerate(words):
        kind = dice.choices(kinds, weights)[0] if at in in_error else None
        if kind == "substitution":
            drawn.append(_instead_of(word, dice, vocabulary))
        elif kind == "insertion":
            drawn += [word, _inserted(dice, vocabulary)]
        elif kind is None:
            drawn.append(word)
    return drawn


def _instead_of(word: str, dice: random.Random, vocabulary: HeardVocabulary) -> str:
    near = vocabulary.nearest(word)
    if not near:
        return _inserted(dice, vocabulary)
    closeness = [max(_LEAST_CLOSENESS, 1 - gap) ** 2 for _, gap in near]
    return dice.choices([other for other, _ in near], closeness)[0]


def _inserted(dice: random.Random, vocabulary: HeardVocabulary) -> str:
    """A short word: recognisers put in what breath and noise sound like."""
    return dice.choice(_short(vocabulary))


def _short(vocabulary: HeardVocabulary) -> Sequence[str]:
    short = [word for word in vocabulary.domain if len(word) <= 4 and word.isalpha()]
    return short or list(vocabulary.domain) or ["uh"]


def _folded(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]
