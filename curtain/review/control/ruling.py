"""Ruling on a turn: what each annotator says in the layers on which they differ, and what the adjudicator picks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from curtain.corpus.annotation.row import Layer, LayerRow
from curtain.corpus.model.utterance import Utterance
from curtain.review.control.ledger import Snapshot
from curtain.review.control.work import TurnAnnotation, prefilled, work_of


@dataclass(frozen=True)
class AnnotatorView:
    """One annotator: the rows by layer, and the same as it is edited."""

    by: str
    values: Mapping[Layer, dict[str, Any]]
    work: TurnAnnotation


@dataclass(frozen=True)
class Ruled:
    """An earlier ruling on a layer: who ruled, on which day, what, and whose word it was, if it was an annotator's."""

    layer: Layer
    by: str
    day: str
    values: Mapping[Layer, dict[str, Any]]
    work: TurnAnnotation
    sides: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ruling:
    """`picks` holds the number of a side for each of `layers`; `at` is the layer in hand."""

    sides: tuple[AnnotatorView, ...]
    layers: tuple[Layer, ...]
    picks: tuple[int, ...]
    at: int = 0
    ruled: bool = False
    before: tuple[Ruled, ...] = ()

    def moved(self, by: int) -> Ruling:
        """Another layer in hand."""
        return replace(self, at=max(0, min(len(self.layers) - 1, self.at + by)))

    def picked(self, side: int) -> Ruling:
        """This side is right in the layer in hand."""
        side = max(0, min(len(self.sides) - 1, side))
        return replace(self, picks=tuple(side if n == self.at else pick for n, pick in enumerate(self.picks)))

    def other_side(self, by: int) -> Ruling:
        """Pick the annotator `by` places further on, in the layer at hand; negative goes back."""
        return self.picked(self.picks[self.at] + by) if self.layers else self

    def all_from(self, side: int) -> Ruling:
        """This side is right in everything."""
        return replace(self, picks=(side,) * len(self.layers)) if side < len(self.sides) else self

    def values(self) -> dict[Layer, dict[str, Any]]:
        """What is ruled, by layer; an empty value where the chosen side says nothing."""
        return {layer: dict(self._chosen(layer).values.get(layer, {})) for layer in self.layers}

    def start(self) -> dict[Layer, dict[str, Any]]:
        """Everything as picked, to be edited on: what is not in dispute is the same on every side that says it."""
        agreed: dict[Layer, dict[str, Any]] = {}
        # Reversed, so that the first annotator's word stands where more than one says something.
        for side in reversed(self.sides):
            agreed |= {layer: dict(value) for layer, value in side.values.items()}
        return {**agreed, **self.values()}

    def _chosen(self, layer: Layer) -> AnnotatorView:
        return self.sides[self.picks[self.layers.index(layer)]]


def ruling_on(turn: Utterance, written: Snapshot) -> Ruling | None:
    """What there is to rule on this turn; None if fewer than two have annotated it. Raises BadValue.

    An earlier ruling stands as it was picked, where a side still says it.
    """
    names = written.annotators(turn.utterance_id)
    if len(names) < 2:
        return None
    sides = tuple(_side(turn, written, by) for by in names)
    layers = written.differing.get(turn.utterance_id, ())
    ruled = written.ruling(turn.utterance_id)
    picks = tuple(_pick(sides, layer, ruled.get(layer)) for layer in layers)
    before = _ruled_before(turn, written, sides)
    return Ruling(sides, layers, picks, ruled=bool(layers) and set(layers) <= set(ruled), before=before)


def _ruled_before(turn: Utterance, written: Snapshot, sides: tuple[AnnotatorView, ...]) -> tuple[Ruled, ...]:
    rows = [standing.ruling(turn.utterance_id) for standing in written.standing.values()]
    return tuple(_ruled(turn, row, sides) for row in rows if row is not None)


def _ruled(turn: Utterance, row: LayerRow, sides: tuple[AnnotatorView, ...]) -> Ruled:
    values = {row.layer: row.value}
    alike = tuple(side.by for side in sides if side.values.get(row.layer) == row.value)
    return Ruled(row.layer, row.by, row.at_utc[:10], values, work_of(values, prefilled(turn)), alike)


def _side(turn: Utterance, written: Snapshot, by: str) -> AnnotatorView:
    values = written.saved(turn.utterance_id, by)
    return AnnotatorView(by, values, work_of(values, prefilled(turn)))


def _pick(sides: tuple[AnnotatorView, ...], layer: Layer, ruled: dict[str, Any] | None) -> int:
    return next((n for n, side in enumerate(sides) if ruled and side.values.get(layer) == ruled), 0)
