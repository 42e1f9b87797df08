"""Labels of judges: who said what about which item, in order, without doubles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

CLARITY, CORRECTNESS, PAIR = "clarity", "correctness", "pair"
_CLARITIES = ("clear", "unclear", "unintelligible")
_CORRECTNESSES = ("correct", "partially correct", "incorrect", "system error message")

ORDERS: Mapping[str, tuple[str, ...]] = {CLARITY: _CLARITIES}
"""Questions whose labels stand in an order (papers/004: clear, unclear, unintelligible)."""

LABELS: Mapping[str, tuple[str, ...]] = {CLARITY: _CLARITIES, CORRECTNESS: _CORRECTNESSES}
"""The answers that papers/004 gave its judges to choose from."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one judge said about one item."""

    item: str
    judge: str
    question: str
    label: str


@dataclass(frozen=True)
class LabelSet:
    """All labels to one question. `units` has the labels of each item in the order of `items`, None where a judge gave
    none; within an item they are in the order of `judges`."""

    question: str
    items: tuple[str, ...]
    judges: tuple[str, ...]
    units: tuple[tuple[str | None, ...], ...]

    def given(self, place: int) -> list[str]:
        """The labels that an item has."""
        return [label for label in self.units[place] if label is not None]

    def of_judges(self, places: Sequence[int]) -> LabelSet:
        """The same items with some of the judges only."""
        return LabelSet(
            self.question,
            self.items,
            tuple(self.judges[place] for place in places),
            tuple(tuple(unit[place] for place in places) for unit in self.units),
        )

    @property
    def complete(self) -> list[int]:
        """The places of items that every judge has labelled."""
        return [place for place, unit in enumerate(self.units) if None not in unit]


def label_sets(labels: Iterable[Label]) -> list[LabelSet]:
    """The labels by question, questions and items in the order of their first use, judges by name.

    Where clarity and correctness were both asked, a third set, `pair`, has both answers as one label.
    """
    rows = list(labels)
    questions = dict.fromkeys(row.question for row in rows)
    sets = [_label_set(question, [row for row in rows if row.question == question]) for question in questions]
    if {CLARITY, CORRECTNESS} <= questions.keys():
        sets.append(_label_set(PAIR, _pairs(rows)))
    return sets


def _label_set(question: str, rows: Sequence[Label]) -> LabelSet:
    items = {item: place for place, item in enumerate(dict.fromkeys(row.item for row in rows))}
    judges = {judge: place for place, judge in enumerate(sorted({row.judge for row in rows}))}
    units: list[list[str | None]] = [[None] * len(judges) for _ in items]
    for row in rows:
        units[items[row.item]][judges[row.judge]] = row.label
    return LabelSet(question, tuple(items), tuple(judges), tuple(map(tuple, units)))


def _pairs(rows: Sequence[Label]) -> list[Label]:
    """Clarity and correctness as one label, where a judge gave both."""
    clarity = {(row.item, row.judge): row.label for row in rows if row.question == CLARITY}
    return [
        Label(row.item, row.judge, PAIR, f"{clarity[row.item, row.judge]} / {row.label}")
        for row in rows
        if row.question == CORRECTNESS and (row.item, row.judge) in clarity
    ]
