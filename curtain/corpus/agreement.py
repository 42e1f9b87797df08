"""Where annotators differ: how often (per cent and Cohen's kappa), and which turns wait for a ruling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from curtain.corpus.layers import Layers
from curtain.corpus.row import LAYERS, Layer, Row
from curtain.corpus.values import CategoryValue, ReferencesValue, TranscriptionValue, value_of

__all__ = [
    "Agreement",
    "Difference",
    "agreement_of",
    "agreement_table",
    "differences",
    "judged_by_two",
    "measures",
    "waiting",
]

Judged = Callable[[Row], object]


@dataclass(frozen=True)
class Agreement:
    """Two annotators over the turns that both have judged. `kappa` is None where neither ever varied."""

    turns: int
    agreed: int
    kappa: float | None

    @property
    def share(self) -> float | None:
        return self.agreed / self.turns if self.turns else None


@dataclass(frozen=True)
class Difference:
    """One layer of one turn on which final rows differ; `ruling` if somebody has ruled."""

    utterance_id: str
    layer: Layer
    rows: tuple[Row, ...]
    ruling: Row | None = None


def agreement_of(judgements: Sequence[tuple[object, object]]) -> Agreement:
    """Agreement of two columns of labels, and how far it is beyond chance (Cohen 1960)."""
    total = len(judgements)
    agreed = sum(one == other for one, other in judgements)
    first, second = (Counter(pair[side] for pair in judgements) for side in (0, 1))
    by_chance = sum(count * second[label] for label, count in first.items())
    if not total or by_chance == total * total:
        return Agreement(total, agreed, None)
    expected = by_chance / total**2
    return Agreement(total, agreed, (agreed / total - expected) / (1 - expected))


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


def _category(row: Row) -> CategoryValue:
    return value_of(row, CategoryValue) or CategoryValue()


def _words(row: Row) -> str:
    from curtain.corpus.sro import lsn_of

    value = value_of(row, TranscriptionValue)
    return lsn_of(value.sro) if value else ""


def _answers(row: Row) -> frozenset[Any]:
    value = value_of(row, ReferencesValue)
    return frozenset((one.cas_min, one.reads) for one in value.references) if value else frozenset()


def judged_by_two(sessions: Sequence[Layers], measure: str) -> dict[tuple[str, str], list[tuple[object, object]]]:
    """The labels of each two annotators on the turns that both have finished, by the two names."""
    layer, label = measures()[measure]
    found: dict[tuple[str, str], list[tuple[object, object]]] = {}
    for session in sessions:
        standing = session.standing(layer)
        for utterance_id in standing.by_utterance:
            finals = sorted(standing.finals(utterance_id), key=lambda row: row.by)
            for one, other in combinations(finals, 2):
                found.setdefault((one.by, other.by), []).append((label(one), label(other)))
    return found


def agreement_table(sessions: Sequence[Layers]) -> list[tuple[str, tuple[str, str], Agreement]]:
    """(measure, the two annotators, their agreement) for everything that two have finished."""
    return [
        (measure, who, agreement_of(labels))
        for measure in measures()
        for who, labels in sorted(judged_by_two(sessions, measure).items())
    ]


def differences(session: Layers) -> Iterator[Difference]:
    """Everything on which the final rows of two annotators differ, in the order of turns."""
    found = []
    for layer in LAYERS:
        if layer == "note":
            continue
        standing = session.standing(layer)
        for utterance_id in standing.by_utterance:
            rows = standing.finals(utterance_id)
            if any(_said(row) != _said(rows[0]) for row in rows[1:]):
                found.append(Difference(utterance_id, layer, rows, standing.ruling(utterance_id)))
    return iter(sorted(found, key=lambda one: (one.utterance_id, LAYERS.index(one.layer))))


def waiting(session: Layers) -> Iterator[Difference]:
    """The adjudicator's queue: differences without a ruling, or with one that is older than a row."""
    for one in differences(session):
        if one.ruling is None or any(row.at_utc > one.ruling.at_utc for row in one.rows):
            yield one


def _said(row: Row) -> object:
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
