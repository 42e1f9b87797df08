"""What is written in a session's annotation layers, by whom; and the rows that one act of an annotator adds.

A draft never takes the place of what was saved: it stands beside it until it is saved or dropped. Reading and writing
wait for the disk, so this is used on a thread that draws nothing; a `Snapshot` may be looked at anywhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.hearing import HeardWord
from curtain.corpus.annotation.agreement import differences
from curtain.corpus.annotation.first_words import TimedWords, draft_words, of_recogniser, timed_words
from curtain.corpus.annotation.layers import Layers, StandingRows, new_row
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow, Status
from curtain.corpus.annotation.values import NoteValue, RedactionValue, ReferencesValue, TranscriptionValue, as_value
from curtain.corpus.model.utterance import Utterance
from curtain.review.control.work import Values

_NOTHING: Mapping[Layer, dict[str, Any]] = {
    "transcription": as_value(TranscriptionValue(sro="")),
    "sql": as_value(ReferencesValue()),
    "cas": as_value(ReferencesValue()),
    "redaction": as_value(RedactionValue()),
    "note": as_value(NoteValue(text="")),
}
"""How a ruling says that nothing is to be said: a row without a value would only take the ruling back."""


@dataclass(frozen=True)
class Snapshot:
    """The layers of a session as they stood when it was taken. `differing` are the layers of each turn on which
    annotators differ; `damage` are sentences on rows that are lost or altered, or were set aside."""

    standing: Mapping[Layer, StandingRows]
    differing: Mapping[str, tuple[Layer, ...]]
    damage: tuple[str, ...] = ()

    def annotators(self, utterance_id: str) -> tuple[str, ...]:
        """Who has finished this turn, in the order of names."""
        return tuple(sorted({row.by for row in self.standing["category"].finals(utterance_id)}))

    def saved(self, utterance_id: str, by: str) -> dict[Layer, dict[str, Any]]:
        """What an annotator has saved, by layer."""
        return {layer: row.value for layer, row in self.finals_of(utterance_id, by).items() if row.value}

    def drafts(self, utterance_id: str, by: str) -> dict[Layer, dict[str, Any]]:
        """What an annotator has left unsaved; an empty value drops what had been saved."""
        return {layer: _draft_value(row) for layer, row in self.drafts_of(utterance_id, by).items()}

    def first_words(self, utterance_id: str) -> str:
        """What the recogniser made of the recording (`curtain ear transcribe`); an empty text if it did not."""
        row = of_recogniser(self.standing["transcription"], utterance_id)
        return str(row.value.get("sro", "")) if row else ""

    def draft_words(self, utterance_id: str) -> tuple[HeardWord, ...]:
        """The same words, with how sure the recogniser was of each."""
        row = of_recogniser(self.standing["transcription"], utterance_id)
        return draft_words(row) if row else ()

    def timed_words(self, utterance: Utterance) -> TimedWords:
        """The words of a turn with start and end in ms, as the recogniser heard them; none if it did not."""
        return timed_words(of_recogniser(self.standing["transcription"], utterance.utterance_id), utterance.heard_words)

    def ruling(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        """The adjudicator's value of each layer that was ruled on; other layers are absent."""
        rows = {layer: self.standing[layer].ruling(utterance_id) for layer in LAYERS}
        return {layer: row.value for layer, row in rows.items() if row is not None}

    def current(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        """What counts, whoever said it."""
        rows = {layer: self.standing[layer].current(utterance_id) for layer in LAYERS}
        return {layer: row.value for layer, row in rows.items() if row is not None}

    @property
    def says_something(self) -> bool:
        """Whether anything was saved or ruled; drafts alone do not count."""
        rows = (row for one in self.standing.values() for rows in one.by_utterance.values() for row in rows)
        return any(row.status != "draft" and row.value for row in rows)

    def finals_of(self, utterance_id: str, by: str) -> dict[Layer, LayerRow]:
        """An annotator's last saved rows, also those that take something back."""
        return self._last(utterance_id, by, "final")

    def drafts_of(self, utterance_id: str, by: str) -> dict[Layer, LayerRow]:
        """An annotator's drafts that are not dropped."""
        return {layer: row for layer, row in self._last(utterance_id, by, "draft").items() if row.value}

    def _last(self, utterance_id: str, by: str, status: Status) -> dict[Layer, LayerRow]:
        last_rows: dict[Layer, LayerRow] = {}
        for layer, standing in self.standing.items():
            for row in standing.by_utterance.get(utterance_id, ()):
                # Rows stand in the order of writing, so the last one wins.
                if row.by == by and row.status == status:
                    last_rows[layer] = row
        return last_rows


def _draft_value(row: LayerRow) -> dict[str, Any]:
    return {} if row.value == _NOTHING.get(row.layer) else row.value


def standing_in(layers: Layers) -> dict[Layer, StandingRows]:
    """What holds in each layer. Raises CurtainError, JournalUnreadable, CurtainError."""
    with os_errors_as("The annotations cannot be read", CurtainError, " Reconnect the disk of the study."):
        return {layer: layers.standing(layer) for layer in LAYERS}


def last_said(standing: Mapping[Layer, StandingRows], by: str) -> tuple[str, str]:
    """When an annotator said something last, and on which turn; empty texts for never."""
    rows = [row for one in standing.values() for rows in one.by_utterance.values() for row in rows]
    return max(((row.at_utc, row.utterance_id) for row in rows if row.by == by), default=("", ""))


class Ledger:
    """The layers of one session in the hands of one annotator."""

    def __init__(self, layers: Layers, by: str, clock: Clock) -> None:
        self._layers = layers
        self._by = by
        self._clock = clock

    def look(self) -> Snapshot:
        """Raises CurtainError, JournalUnreadable, CurtainError."""
        standing = standing_in(self._layers)
        with os_errors_as("The annotations cannot be read", CurtainError, " Reconnect the disk of the study."):
            return Snapshot(standing, differences(self._layers), self._layers.problems())

    def keep_draft(self, utterance_id: str, values: Values) -> Snapshot:
        """Keep what differs from what was saved, safe from a crash. Raises as `Layers.add_all`."""
        # Looked at anew in each act: a second annotator may have the study open.
        now = self.look()
        saved, drafts = now.finals_of(utterance_id, self._by), now.drafts_of(utterance_id, self._by)
        rows = []
        for layer in LAYERS:
            wanted, held = dict(values.get(layer, {})), saved[layer].value if layer in saved else {}
            before = drafts.get(layer)
            # An emptied field must differ from one that nobody touched, or the saved text would come back.
            value = {} if wanted == held else wanted or dict(_NOTHING[layer])
            if value != (before.value if before else {}):
                rows.append(self._row(utterance_id, layer, value, "draft", before))
        return self._add(rows, now)

    def save(self, utterance_id: str, values: Values, seconds: float | None = None) -> Snapshot:
        """Save what is said now, and drop the drafts; it took `seconds`. Raises as `Layers.add_all`."""
        now = self.look()
        saved, drafts = now.finals_of(utterance_id, self._by), now.drafts_of(utterance_id, self._by)
        # An empty row drops a draft: an annotator only ever adds rows.
        rows = [self._row(utterance_id, layer, {}, "draft", row) for layer, row in drafts.items()]
        for layer in LAYERS:
            before, value = saved.get(layer), dict(values.get(layer, {}))
            if value != (before.value if before else {}):
                rows.append(self._row(utterance_id, layer, value, "final", before, seconds))
        return self._add(rows, now)

    def rule(self, utterance_id: str, values: Values, seconds: float | None = None) -> Snapshot:
        """The adjudicator's word on the layers that are named; what others have said stays. Own drafts are dropped."""
        now = self.look()
        drafts = now.drafts_of(utterance_id, self._by)
        rows = [self._row(utterance_id, layer, {}, "draft", row) for layer, row in drafts.items()]
        for layer, value in values.items():
            before = now.standing[layer].ruling(utterance_id)
            ruled = dict(value or _NOTHING[layer])
            rows.append(self._row(utterance_id, layer, ruled, "adjudicated", before, seconds))
        return self._add(rows, now)

    def take_back_ruling(self, utterance_id: str, values: Values) -> Snapshot:
        """Put the rulings back as they were before: `values` by layer, an empty value for none."""
        now = self.look()
        rows = [
            self._row(utterance_id, layer, dict(value), "adjudicated", now.standing[layer].ruling(utterance_id))
            for layer, value in values.items()
        ]
        return self._add(rows, now)

    def _row(
        self,
        utterance_id: str,
        layer: Layer,
        value: dict[str, Any],
        status: Status,
        before: LayerRow | None,
        seconds: float | None = None,
    ) -> LayerRow:
        about: dict[str, Any] = {"supersedes": before.id if before is not None else None, "seconds": seconds}
        return new_row(utterance_id, layer, value, self._by, self._clock, status=status, **about)

    def _add(self, rows: list[LayerRow], now: Snapshot) -> Snapshot:
        if not rows:
            return now
        # Together: all are checked before the first is written, and each layer takes its rows with one write.
        self._layers.add_all(rows)
        return self.look()
