"""A control over the toy corpus whose writing and running happen at once, or when they are let."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.annotation.recompute import Recomputed
from curtain.corpus.annotation.row import LAYERS, Layer
from curtain.corpus.model.utterance import Reference
from curtain.domain.worker.worker import Result
from curtain.review.control.control import AnnotateControl
from curtain.review.control.ledger import Snapshot
from curtain.review.control.shelf import Person, ShelfReader
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study


def future_of(act: Callable[[], Any]) -> Future[Any]:
    future: Future[Any] = Future()
    try:
        future.set_result(act())
    except CurtainError as error:
        future.set_exception(error)
    return future


class Hands:
    """What a control reaches for. `full` refuses to write; `hold` keeps runs until `let_go`."""

    def __init__(self) -> None:
        self.full = False
        self.hold = False
        self.writes = 0
        self.runs: list[tuple[str, str, bool]] = []
        self._held: list[Callable[[], None]] = []

    def write(self, act: Callable[[], Snapshot], done: Callable[[Future[Snapshot]], None]) -> None:
        self.writes += 1
        done(future_of(self._refuse if self.full else act))

    def recompute(
        self, sitting: object, sql_min: str, sql_max: str, yes_no: bool, done: Callable[[Future[Recomputed]], None]
    ) -> None:
        self.runs.append((sql_min, sql_max, yes_no))
        self._held.append(lambda: done(future_of(lambda: run(sql_min, sql_max))))
        if not self.hold:
            self.let_go()

    def let_go(self) -> None:
        held, self._held = self._held, []
        for one in held:
            one()

    def _refuse(self) -> Snapshot:
        raise CurtainError("The disk is full.")


def run(sql_min: str, sql_max: str) -> Recomputed:
    """Answers that tell which statement they are of; a statement with “bad” in it fails."""
    result = Result(sql=sql_min)
    if "bad" in sql_min:
        return Recomputed(None, "There is no column “bad”.", None, result)
    return Recomputed(Reference(sql_min, '(("MIN"))', sql_max or f"{sql_min} -- wide", '(("MAX"))'), None, None, result)


class _Ticking:
    """A clock on which every look is a second later."""

    def __init__(self) -> None:
        self._now = datetime(2026, 4, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now


def control_over(
    study: Path, hands: Hands, by: str = "w9", now: Callable[[], float] = lambda: 0.0, **person: Any
) -> AnnotateControl:
    reader = ShelfReader(load_study(study), Person(by, **person), Clock(wall=_Ticking()))
    shelf = reader.read_first()
    while reader.unread:
        shelf.add(reader.read_more(), reader.unread)
    return AnnotateControl(shelf, hands.write, hands.recompute, now)


def layers_of(study: Path, utterance_id: str) -> Layers:
    return Layers(Bundle(study / "sessions" / utterance_id[:6]))


def said(study: Path, utterance_id: str, by: str) -> dict[Layer, dict[str, Any]]:
    """What an annotator's last final rows say."""
    layers, found = layers_of(study, utterance_id), {}
    for layer in LAYERS:
        for row in layers.standing(layer).finals(utterance_id):
            if row.by == by:
                found[layer] = row.value
    return found
