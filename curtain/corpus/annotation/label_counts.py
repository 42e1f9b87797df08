"""Coefficients over a table of counts: how often each label was given to each unit.

A table has a row a unit and a column a label; `weights` says how often each unit counts, one row of weights a draw of a
bootstrap. Every function gives one value a draw, NaN where the coefficient is not defined. They need numpy; the
functions of `agreement` call them for lists of labels.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np


def count_table(units: Iterable[Sequence[Hashable]], labels: Sequence[Hashable] = ()) -> Any:
    """An array (units, labels) of counts. Labels are numbered as given, then in the order of their first use."""
    numbers: dict[Hashable, int] = {label: number for number, label in enumerate(labels)}
    rows = [[numbers.setdefault(label, len(numbers)) for label in unit] for unit in units]
    table = np.zeros((len(rows), len(numbers)))
    for place, row in enumerate(rows):
        np.add.at(table[place], row, 1)
    return table


def once_each(table: Any) -> Any:
    """The weights of the sample itself, of shape (1, units)."""
    return np.ones((1, len(table)))


def pairwise_of(table: Any, weights: Any) -> Any:
    """Mean share of agreeing pairs of labels in a unit, over the units with two labels or more."""
    paired, weights = paired_units(table, weights)
    return divided(weights @ _agreeing_pairs(paired), weights.sum(axis=1))


def ac1_of(table: Any, weights: Any) -> Any:
    """Gwet's AC1 (2008): it stays high where one label is rare and raters agree nearly always."""
    observed = pairwise_of(table, weights)
    rated = table.sum(axis=1) > 0
    parts = table[rated] / table[rated].sum(axis=1, keepdims=True)
    counted = weights[:, rated]
    shares = divided(counted @ parts, counted.sum(axis=1)[:, None])
    labels = int((table.sum(axis=0) > 0).sum())
    if labels < 2:
        return np.full(len(weights), np.nan)
    return beyond_chance(observed, (shares * (1 - shares)).sum(axis=1) / (labels - 1))


def alpha_of(table: Any, weights: Any) -> Any:
    """Krippendorff's alpha (2011) for nominal labels; a unit with one label says nothing."""
    paired, weights = paired_units(table, weights)
    sizes = paired.sum(axis=1)
    unlike = sizes**2 - (paired**2).sum(axis=1)
    totals = weights @ paired
    total = totals.sum(axis=1)
    expected = total**2 - (totals**2).sum(axis=1)
    return 1 - divided((total - 1) * (weights @ (unlike / (sizes - 1))), expected)


def paired_units(table: Any, weights: Any) -> tuple[Any, Any]:
    """The units with two labels or more, and their weights."""
    paired = table.sum(axis=1) > 1
    return table[paired], weights[:, paired]


def _agreeing_pairs(table: Any) -> Any:
    sizes = table.sum(axis=1)
    return ((table**2).sum(axis=1) - sizes) / (sizes * (sizes - 1))


def beyond_chance(observed: Any, expected: Any) -> Any:
    """An observed agreement, less what chance explains, as a share of what chance leaves."""
    # One label throughout: agreement is perfect and chance explains all of it.
    return divided(observed - expected, np.where(np.isclose(expected, 1, atol=1e-12), 0, 1 - expected))


def divided(above: Any, below: Any) -> Any:
    """A quotient, NaN over zero."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below == 0, np.nan, above / np.where(below == 0, 1, below))
