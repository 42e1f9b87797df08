"""How far judges agree (papers/004, "Log file evaluation"): shares, coefficients with intervals, disputed items."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from curtain.cas.scoring.intervals import wilson
from curtain.corpus.annotation.label_counts import (
    ac1_of,
    alpha_of,
    beyond_chance,
    count_table,
    divided,
    once_each,
    paired_units,
    pairwise_of,
)
from curtain_judge.labels import ORDERS, LabelSet

DRAWS = 500
_SEED = 1992


@dataclass(frozen=True, slots=True)
class ItemShare:
    """A count of items, and its share with the Wilson interval, from 0 to 1; None without items."""

    count: int
    items: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient over `items`, with the 95 % interval of a bootstrap by item. None where nothing ever varied."""

    value: float | None
    low: float | None
    high: float | None
    items: int


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """An item on which judges differ; `agreement` is the share of its pairs of labels that agree."""

    item: str
    agreement: float
    labels: tuple[tuple[str, str], ...]
    """(judge, label)."""


@dataclass(frozen=True)
class QuestionAgreement:
    """All about one question. `sizes` counts complete items by the size of their largest agreeing group, which is how
    we read figure 2 of papers/004."""

    question: str
    items: int
    judges: tuple[str, ...]
    labels: dict[str, int]
    unanimity: ItemShare
    at_most_one_dissent: ItemShare
    mean_pairwise: Estimate
    fleiss_kappa: Estimate
    krippendorff_alpha: Estimate
    krippendorff_alpha_ordinal: Estimate | None
    gwet_ac1: Estimate
    pairwise: dict[tuple[str, str], float | None]
    sizes: dict[int, int]
    disputed: tuple[DisputedItem, ...]


def question_agreement(labels: LabelSet, *, seed: int = _SEED) -> QuestionAgreement:
    """The agreement on one question. The same labels and seed give the same figures."""
    table = count_table(map(labels.given, range(len(labels.items))), _ordered(labels))
    complete = labels.complete
    full = table[complete] if len(labels.judges) > 1 else table[:0]
    largest = [int(size) for size in full.max(axis=1)] if full.size else []
    interval = _Bootstrap(seed)
    in_order = labels.question in ORDERS and table.shape[1] == len(ORDERS[labels.question])
    return QuestionAgreement(
        question=labels.question,
        items=len(labels.items),
        judges=labels.judges,
        labels=dict(Counter(label for unit in labels.units for label in unit if label is not None).most_common()),
        unanimity=_share(sum(size == len(labels.judges) for size in largest), len(largest)),
        at_most_one_dissent=_share(sum(size >= len(labels.judges) - 1 for size in largest), len(largest)),
        mean_pairwise=interval.estimate(pairwise_of, _labelled_twice(table)),
        fleiss_kappa=interval.estimate(fleiss_of, full),
        krippendorff_alpha=interval.estimate(alpha_of, _labelled_twice(table)),
        krippendorff_alpha_ordinal=interval.estimate(ordinal_alpha_of, _labelled_twice(table)) if in_order else None,
        # A lone label counts towards chance, as in Gwet's handbook.
        gwet_ac1=interval.estimate(ac1_of, table),
        pairwise=_pairwise(labels),
        sizes=dict(sorted(Counter(largest).items(), reverse=True)),
        disputed=_disputed(labels),
    )


def _ordered(labels: LabelSet) -> Sequence[str]:
    """The columns of an ordered question, which must stand in its order; else those of first use."""
    order = ORDERS.get(labels.question, ())
    given = {label for unit in labels.units for label in unit if label is not None}
    return order if given <= set(order) else ()


def _labelled_twice(table: Any) -> Any:
    return table[table.sum(axis=1) > 1]


def _share(count: int, items: int) -> ItemShare:
    interval = wilson(count, items)
    if interval is None:
        return ItemShare(count, items, None, None, None)
    return ItemShare(count, items, count / items, interval.low / 100, interval.high / 100)


class _Bootstrap:
    """Draws items with replacement; each coefficient is drawn anew from the same seed, so none depends on another."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def estimate(self, coefficient: Callable[[Any, Any], Any], table: Any) -> Estimate:
        items = len(table)
        if not items:
            return Estimate(None, None, None, 0)
        value = float(coefficient(table, once_each(table))[0])
        if np.isnan(value):
            return Estimate(None, None, None, items)
        random = np.random.Generator(np.random.PCG64(self._seed))
        weights = random.multinomial(items, np.full(items, 1 / items), size=DRAWS).astype(float)
        drawn = coefficient(table, weights)
        # A draw in which nothing varies has no coefficient.
        drawn = drawn[~np.isnan(drawn)]
        low, high = np.percentile(drawn, (2.5, 97.5)) if drawn.size else (value, value)
        return Estimate(value, float(low), float(high), items)


def _pairwise(labels: LabelSet) -> dict[tuple[str, str], float | None]:
    return {
        (labels.judges[first], labels.judges[second]): _value(pairwise_of, labels.of_judges((first, second)))
        for first, second in combinations(range(len(labels.judges)), 2)
    }


def _value(coefficient: Callable[[Any, Any], Any], labels: LabelSet) -> float | None:
    table = _labelled_twice(count_table(map(labels.given, range(len(labels.items)))))
    if not len(table):
        return None
    value = float(coefficient(table, once_each(table))[0])
    return None if np.isnan(value) else value


def _disputed(labels: LabelSet) -> tuple[DisputedItem, ...]:
    """Items on which judges differ, the worst first, in their own order where they are equally bad."""
    disputed = []
    for place, item in enumerate(labels.items):
        given = labels.given(place)
        if len(set(given)) > 1:
            agreeing = sum(one == other for one, other in combinations(given, 2))
            pairs = len(given) * (len(given) - 1) / 2
            named = zip(labels.judges, labels.units[place], strict=True)
            by_judge = tuple((judge, label) for judge, label in named if label is not None)
            disputed.append(DisputedItem(item, agreeing / pairs, by_judge))
    return tuple(sorted(disputed, key=lambda one: one.agreement))


def fleiss_of(table: Any, weights: Any) -> Any:
    """Fleiss' kappa (1971). Every unit must have the same number of labels, two or more."""
    observed = pairwise_of(table, weights)
    totals = weights @ table
    shares = divided(totals, totals.sum(axis=1)[:, None])
    return beyond_chance(observed, (shares**2).sum(axis=1))


def ordinal_alpha_of(table: Any, weights: Any) -> Any:
    """Krippendorff's alpha (2011) for labels in an order, which is that of the columns."""
    paired, weights = paired_units(table, weights)
    labels = paired.shape[1]
    sizes = paired.sum(axis=1)
    # Pairs of values within a unit, each unit as one row of labels x labels.
    pairs = np.einsum("ui,uj->uij", paired, paired)
    pairs[:, range(labels), range(labels)] -= paired
    coincidences = weights @ (pairs / (sizes - 1)[:, None, None]).reshape(len(paired), -1)
    totals = weights @ paired
    distances = _ordinal_distances(totals).reshape(len(weights), -1)
    total = totals.sum(axis=1)
    by_chance = np.einsum("di,dj->dij", totals, totals)
    by_chance[:, range(labels), range(labels)] -= totals
    expected = (by_chance.reshape(len(weights), -1) * distances).sum(axis=1)
    return 1 - divided((total - 1) * (coincidences * distances).sum(axis=1), expected)


def _ordinal_distances(totals: Any) -> Any:
    """Squared distances (draws, labels, labels): the values between two ranks, half of each end counted."""
    up_to = np.cumsum(totals, axis=1) - totals / 2
    return (up_to[:, :, None] - up_to[:, None, :]) ** 2
