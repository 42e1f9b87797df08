"""Agreement beyond chance: Cohen's kappa, Krippendorff's alpha, Gwet's AC1, and the word error rate of two texts.

A *unit* holds the labels that raters gave to one thing. All labels are nominal: they are the same, or they are not.
None stands for a coefficient that is not defined, because nothing ever varied.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from curtain.base.edit_distance import edits
from curtain.cas.scoring.kappa import kappa

__all__ = ["ac1", "alpha", "kappa", "word_error_rate"]

Unit = Sequence[Hashable]


def alpha(units: Iterable[Unit]) -> float | None:
    """Of any number of raters (Krippendorff 2011); a unit with one label says nothing."""
    # numpy is slow to load, and most who import this module compare two columns only.
    from curtain.corpus.annotation.label_counts import alpha_of, count_table, once_each

    table = count_table(units)
    return _defined(alpha_of(table, once_each(table)))


def ac1(units: Iterable[Unit]) -> float | None:
    """Of any number of raters (Gwet 2008): it stays high where one label is rare and raters agree nearly always."""
    from curtain.corpus.annotation.label_counts import ac1_of, count_table, once_each

    table = count_table(units)
    return _defined(ac1_of(table, once_each(table)))


def _defined(values: Any) -> float | None:
    value = float(values[0])
    return None if math.isnan(value) else value


def word_error_rate(pairs: Iterable[tuple[str, str]]) -> float | None:
    """Words put in, left out or replaced between two texts, as a share of their mean length; None without words.

    Neither transcriber is the reference, so the length is the mean of both.
    """
    wrong, words = 0, 0
    for first_words, other in ((one.split(), other.split()) for one, other in pairs):
        wrong += edits(first_words, other)
        words += len(first_words) + len(other)
    return 2 * wrong / words if words else None
