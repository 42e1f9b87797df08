"""The rows of annotation that make a session's journals say what its utterances say."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from curtain.base.clock import Clock
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow, Status
from curtain.corpus.annotation.values import (
    CategoryValue,
    RedactionValue,
    ReferencesValue,
    TranscriptionValue,
    as_value,
)
from curtain.corpus.importing.redactions import unhidden
from curtain.corpus.model.reader import prefill
from curtain.corpus.model.utterance import Origin, Session, Utterance
from curtain.session.journal.lines import parse_line
from curtain.session.journal.sealed_lines import seal
from curtain.session.turns.turns import Turn, fold

__all__ = ["BY_IMPORT", "layers_of", "rows_of"]

BY_IMPORT = "import"
"""Who says what nobody's name stands beside in the tree."""


def layers_of(session: Session, subject: bytes, wizard: bytes, clock: Clock) -> dict[Layer, bytes]:
    """The files of the annotation layers that have rows, for a session with these journals."""
    turns = {turn.turn: turn for turn in fold(_entries(subject), _entries(wizard))}
    rows = [row for one in session.utterances if one.turn in turns for row in rows_of(one, turns[one.turn], clock)]
    files = {layer: [row for row in rows if row.layer == layer] for layer in LAYERS}
    return {
        layer: b"".join(seal(seq, msgspec.to_builtins(row)) for seq, row in enumerate(members, 1))
        for layer, members in files.items()
        if members
    }


def _entries(journal: bytes) -> list[Any]:
    return [parse_line(line) for line in journal.splitlines(keepends=True)]


def rows_of(one: Utterance, turn: Turn, clock: Clock) -> Iterator[LayerRow]:
    """Rows by the annotators that the utterance names; none where nobody annotated and the journals say it all."""
    judged = dict(_judgements(one))
    needed = _beyond(one, turn, judged)
    if one.annotators:
        # What the live session said, and nobody since, is in the journals.
        kept = {layer: value for layer, value in judged.items() if layer in needed or _origin(one, layer) != "live"}
        # The last one's row counts, and all say the same: who said what is not told.
        for by in one.annotators:
            yield from (_row(one.utterance_id, layer, value, by, clock) for layer, value in kept.items())
        yield from _rulings(one, kept, clock)
    else:
        yield from (_row(one.utterance_id, layer, value, BY_IMPORT, clock) for layer, value in needed.items())
    yield from _hidden(one, clock)


def _origin(one: Utterance, layer: Layer) -> Origin | None:
    """Who says what stands in a layer; None where the tree does not tell."""
    return {"transcription": one.text_from, "category": one.class_from, "sql": one.sql_from}.get(layer)


def _rulings(one: Utterance, judged: Mapping[Layer, Mapping[str, Any]], clock: Clock) -> Iterator[LayerRow]:
    """Nobody tells who ruled, so it is the last one named."""
    for layer, value in judged.items():
        if _origin(one, layer) == "ruled":
            yield _row(one.utterance_id, layer, value, one.annotators[-1], clock, status="adjudicated")


def _row(
    utterance_id: str, layer: Layer, value: Mapping[str, Any], by: str, clock: Clock, status: Status = "final"
) -> LayerRow:
    return LayerRow(
        id=str(uuid.uuid4()),
        utterance_id=utterance_id,
        layer=layer,
        value=dict(value),
        by=by,
        at_utc=clock.wall_utc(),
        tool=_tool(),
        status=status,
    )


@cache
def _tool() -> str:
    # Looked up once: it takes longer than all else about a row.
    return f"curtain {version('curtain-woz')}"


def _judgements(one: Utterance) -> Iterator[tuple[Layer, Mapping[str, Any]]]:
    sro = unhidden(one).sro
    if sro is not None:
        yield "transcription", as_value(TranscriptionValue(sro=sro, lsn=one.lsn or ""))
    yield "category", as_value(_category(one))
    yield "sql", as_value(ReferencesValue(references=one.references, yes_no=one.yes_no))


def _category(one: Utterance) -> CategoryValue:
    return CategoryValue(
        category=one.category,
        eval_class=one.eval_class,
        tags=one.tags,
        site_tags=one.site_tags,
        reasons=one.reasons,
        context=one.context,
    )


def _beyond(one: Utterance, turn: Turn, judged: Mapping[Layer, Mapping[str, Any]]) -> dict[Layer, Mapping[str, Any]]:
    """What of the judgements the journals do not say by themselves."""
    before = prefill(turn)
    needless = {"category": _category(one) == before.category, "sql": _answers(one, before.references)}
    return {layer: value for layer, value in judged.items() if not needless.get(layer)}


def _answers(one: Utterance, before: ReferencesValue) -> bool:
    shown = () if one.eval_class == "X" else before.references
    return one.references == shown and one.yes_no == before.yes_no


def _hidden(one: Utterance, clock: Clock) -> Iterator[LayerRow]:
    """Redactions; as a draft, which hides as well, where nobody is named as an annotator."""
    spans = unhidden(one).redactions
    if not spans:
        return
    value = as_value(RedactionValue(spans=spans))
    if one.annotators:
        yield _row(one.utterance_id, "redaction", value, one.annotators[-1], clock)
    else:
        yield _row(one.utterance_id, "redaction", value, BY_IMPORT, clock, status="draft")
