"""Where annotators differ: how often, beyond chance or not, and on which turns.

A *unit* holds the labels that raters gave to one thing. All labels are nominal: they are the same, or they are not.
None stands for a coefficient that is not defined, because nothing ever varied.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

from curtain.base.edit_distance import edits
from curtain.cas.scoring.kappa import kappa
from curtain.corpus.annotation.layers import Layers, StandingRows
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow
from curtain.corpus.annotation.values import CategoryValue, ReferencesValue, TranscriptionValue, value_of
from curtain.session.study.ids import split_utterance_id

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


Judged = Callable[[LayerRow], object]
Turns: TypeAlias = "Sequence[Collection[int]] | None"

TEXTS = "words"
"""The measure whose labels are texts."""


@dataclass(frozen=True)
class Agreement:
    """Annotators over the turns that at least two of them have judged; `turns` counts pairs of judgements where more
    than two judged. A coefficient is None where nothing ever varied, and `kappa` where there are more than two.
    `word_error_rate` is None for all but transcriptions."""

    turns: int
    agreed: int
    kappa: float | None
    alpha: float | None = None
    ac1: float | None = None
    word_error_rate: float | None = None

    @property
    def share(self) -> float | None:
        """The share of turns on which both agree, from 0 to 1; None without turns."""
        return self.agreed / self.turns if self.turns else None

    def as_json(self) -> dict[str, Any]:
        """As `--json` prints it. A measure that is not defined for these turns is `None`."""
        rounded = {name: _rounded(getattr(self, name)) for name in ("kappa", "alpha", "ac1", "word_error_rate")}
        return {"judged": self.turns, "agreed": self.agreed, "share": _rounded(self.share), **rounded}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def agreement_of(judgements: Sequence[tuple[object, object]], *, texts: bool = False) -> Agreement:
    """Agreement of two columns of labels; of `texts` also the word error rate."""
    return replace(agreement_among(judgements, texts=texts), kappa=kappa(judgements))


def agreement_among(units: Sequence[Sequence[object]], *, texts: bool = False) -> Agreement:
    """Agreement of any number of annotators; each unit holds the labels of one turn."""
    pairs = [pair for unit in units for pair in combinations(unit, 2)]
    errors = word_error_rate([(str(one), str(other)) for one, other in pairs]) if texts else None
    agreed = sum(one == other for one, other in pairs)
    return Agreement(len(pairs), agreed, None, alpha(units), ac1(units), errors)


def measures() -> Mapping[str, tuple[Layer, Judged]]:
    """What is compared, by name: the layer, and the label that a row of it gives."""
    return {
        "category": ("category", lambda row: _category(row).category),
        "class": ("category", lambda row: _category(row).eval_class),
        "tags": ("category", lambda row: frozenset((*_category(row).tags, *_category(row).site_tags))),
        "context": ("category", lambda row: frozenset(_category(row).context)),
        "words": ("transcription", _words),
        "answers": ("sql", _answers),
    }


def _category(row: LayerRow) -> CategoryValue:
    return value_of(row, CategoryValue) or CategoryValue()


def _words(row: LayerRow) -> str:
    from curtain.corpus.annotation.sro import lsn_of

    value = value_of(row, TranscriptionValue)
    return lsn_of(value.sro) if value else ""


def _answers(row: LayerRow) -> frozenset[Any]:
    value = value_of(row, ReferencesValue)
    return frozenset((one.cas_min, one.reads) for one in value.references) if value else frozenset()


@dataclass(frozen=True)
class Judgements:
    """The final rows of each turn that at least two annotators have finished, in the order of names, by layer.

    Each is beside the place of its session. Every layer was read once.
    """

    by_layer: Mapping[Layer, Sequence[tuple[int, list[LayerRow]]]]

    @classmethod
    def of(cls, sessions: Iterable[Layers]) -> Judgements:
        """Raises JournalUnreadable and CurtainError."""
        by_layer: dict[Layer, list[tuple[int, list[LayerRow]]]] = {layer: [] for layer, _ in measures().values()}
        for place, session in enumerate(sessions):
            for layer, judged in by_layer.items():
                judged += [(place, finals) for finals in _finished_twice(session.standing(layer))]
        return cls(by_layer)

    def on(self, measure: str, turns: Turns = None) -> Iterator[list[LayerRow]]:
        """The rows that a measure compares; of each session only the `turns` that count."""
        for place, finals in self.by_layer[measures()[measure][0]]:
            if turns is None or split_utterance_id(finals[0].utterance_id)[1] in turns[place]:
                yield finals


def _finished_twice(standing: StandingRows) -> Iterator[list[LayerRow]]:
    for utterance_id in standing.by_utterance:
        finals = sorted(standing.finals(utterance_id), key=lambda row: row.by)
        # One judgement alone neither agrees nor differs; drafts are not counted at all.
        if len(finals) > 1:
            yield finals


def judged_by_two(
    judgements: Judgements, measure: str, turns: Turns = None
) -> dict[tuple[str, str], list[tuple[object, object]]]:
    """The labels of each two annotators on the turns that both have finished, by the two names."""
    label = measures()[measure][1]
    pairs: dict[tuple[str, str], list[tuple[object, object]]] = {}
    for finals in judgements.on(measure, turns):
        for first, other in combinations(finals, 2):
            pairs.setdefault((first.by, other.by), []).append((label(first), label(other)))
    return pairs


def agreement_table(judgements: Judgements, turns: Turns = None) -> list[tuple[str, tuple[str, str], Agreement]]:
    """(measure, the two annotators, their agreement) for everything that two have finished."""
    return [
        (measure, who, agreement_of(labels, texts=measure == TEXTS))
        for measure in measures()
        for who, labels in sorted(judged_by_two(judgements, measure, turns).items())
    ]


def agreement_of_all(judgements: Judgements, turns: Turns = None) -> dict[str, Agreement]:
    """The agreement of all annotators together, by measure; `turns` are those that count, session by session."""
    agreements = {}
    for measure, (_, label) in measures().items():
        units = [[label(row) for row in finals] for finals in judgements.on(measure, turns)]
        if units:
            agreements[measure] = agreement_among(units, texts=measure == TEXTS)
    return agreements


def differences(session: Layers) -> dict[str, tuple[Layer, ...]]:
    """The layers on which the final rows of annotators differ, by turn in the order of turns."""
    differing: dict[str, tuple[Layer, ...]] = {}
    for layer in LAYERS:
        # Two remarks in other words are no disagreement.
        if layer == "note":
            continue
        standing = session.standing(layer)
        for utterance_id in standing.by_utterance:
            rows = standing.finals(utterance_id)
            if any(_said(row) != _said(rows[0]) for row in rows[1:]):
                differing[utterance_id] = (*differing.get(utterance_id, ()), layer)
    return dict(sorted(differing.items()))


def _said(row: LayerRow) -> object:
    """What a row says, without what does not matter: the order of tags and pointers, marks in a transcription."""
    if row.layer == "transcription":
        return _words(row)
    if row.layer == "sql":
        return _answers(row)
    if row.layer == "category":
        value = _category(row)
        sets = (frozenset(part) for part in (value.tags, value.site_tags, value.reasons, value.context))
        return (value.category, value.eval_class, *sets)
    return row.value
