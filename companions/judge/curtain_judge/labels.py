"""Labels of judges: who said what about which item, in order, without doubles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from curtain.base.text_file import read_table
from curtain_score.files.json_lines import BadFile, shown_id

CLARITY, CORRECTNESS, PAIR = "clarity", "correctness", "pair"
_CLARITIES = ("clear", "unclear", "unintelligible")
_CORRECTNESSES = ("correct", "partially correct", "incorrect", "system error message")

ORDERS: Mapping[str, tuple[str, ...]] = {CLARITY: _CLARITIES}
"""Questions whose labels stand in an order (papers/004: clear, unclear, unintelligible)."""

LABELS: Mapping[str, tuple[str, ...]] = {CLARITY: _CLARITIES, CORRECTNESS: _CORRECTNESSES}
"""The answers that papers/004 gave its judges to choose from."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one judge said about one item; `expertise` names a group of judges, "" where nothing is known."""

    item: str
    judge: str
    question: str
    label: str
    expertise: str = ""


@dataclass(frozen=True)
class LabelSet:
    """All labels to one question. `units` has the labels of each item in the order of `items`, None where a judge gave
    none; within an item they are in the order of `judges`."""

    question: str
    items: tuple[str, ...]
    judges: tuple[str, ...]
    expertise: tuple[str, ...]
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
            tuple(self.expertise[place] for place in places),
            tuple(tuple(unit[place] for place in places) for unit in self.units),
        )

    @property
    def complete(self) -> list[int]:
        """The places of items that every judge has labelled."""
        return [place for place, unit in enumerate(self.units) if None not in unit]


class LabelFile(NamedTuple):
    """What a file of labels holds. `blank` counts its lines without a label: the judge did not give any."""

    labels: list[Label]
    blank: int


def read_label_file(path: Path) -> LabelFile:
    """The labels of a CSV file with the columns item, judge, question, label and, if it is there, expertise.

    Questions and labels that differ only in blanks or capitals are the same. Raises BadFile for a file that cannot be
    used, and for two labels of one judge to one question on one item.
    """
    labels: list[Label] = []
    blank = 0
    lines: dict[tuple[str, str, str], int] = {}
    questions, answers = _Spelling(LABELS), _Spelling(label for scale in LABELS.values() for label in scale)
    for line in read_table(path, ("item", "judge", "question", "label"), BadFile):
        values = line.values
        label = Label(
            values["item"], values["judge"], questions.of(values["question"]), answers.of(values["label"]),
            values.get("expertise", ""),
        )  # fmt: skip
        for name in ("item", "judge", "question"):
            if not getattr(label, name):
                raise BadFile(f"{path} line {line.number} has no {name}.")
        if not label.label:
            blank += 1
            continue
        key = (label.item, label.judge, label.question)
        if key in lines:
            raise BadFile(
                f"{path} line {line.number}: {shown_id(label.judge)} has answered {shown_id(label.question)} on "
                f"{shown_id(label.item)} in line {lines[key]} already; keep one of them."
            )
        lines[key] = line.number
        labels.append(label)
    if not labels:
        raise BadFile(f"{path} holds no label.")
    return LabelFile(labels, blank)


class _Spelling:
    """One spelling for words that differ only in blanks or capitals: ours, else that of their first use."""

    def __init__(self, ours: Iterable[str]) -> None:
        self._words = {word.casefold(): word for word in ours}

    def of(self, text: str) -> str:
        word = " ".join(text.split())
        return self._words.setdefault(word.casefold(), word)


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
    groups = {row.judge: row.expertise for row in rows}
    judges = {judge: place for place, judge in enumerate(sorted(groups))}
    units: list[list[str | None]] = [[None] * len(judges) for _ in items]
    for row in rows:
        units[items[row.item]][judges[row.judge]] = row.label
    expertise = tuple(groups[judge] for judge in judges)
    return LabelSet(question, tuple(items), tuple(judges), expertise, tuple(map(tuple, units)))


def _pairs(rows: Sequence[Label]) -> list[Label]:
    """Clarity and correctness as one label, where a judge gave both."""
    clarity = {(row.item, row.judge): row.label for row in rows if row.question == CLARITY}
    return [
        Label(row.item, row.judge, PAIR, f"{clarity[row.item, row.judge]} / {row.label}", row.expertise)
        for row in rows
        if row.question == CORRECTNESS and (row.item, row.judge) in clarity
    ]
