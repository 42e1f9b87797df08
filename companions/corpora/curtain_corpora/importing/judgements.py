"""The rows of annotation that make a session's journals say what its utterances say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from curtain.base.clock import Clock
from curtain.corpus.annotation.layers import new_row
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow
from curtain.corpus.annotation.values import RedactionValue, ReferencesValue, TranscriptionValue, as_value, category_of
from curtain.corpus.model.reader import prefill
from curtain.corpus.model.utterance import Origin, Session, Utterance
from curtain.session.journal.lines import parse_line
from curtain.session.journal.sealed_lines import seal
from curtain.session.turns.turns import Turn, fold
from curtain_corpora.importing.redactions import unhidden

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


def rows_of(utterance: Utterance, turn: Turn, clock: Clock) -> Iterator[LayerRow]:
    """Rows by the annotators that the utterance names; none where nobody annotated and the journals say it all."""
    judged = dict(_judgements(utterance))
    needed = _beyond(utterance, turn, judged)
    if utterance.annotators:
        # What the live session said, and nobody since, is in the journals.
        kept = {
            layer: value for layer, value in judged.items() if layer in needed or _origin(utterance, layer) != "live"
        }
        # The last one's row counts, and all say the same: who said what is not known.
        for by in utterance.annotators:
            yield from (new_row(utterance.utterance_id, layer, value, by, clock) for layer, value in kept.items())
        yield from _rulings(utterance, kept, clock)
    else:
        yield from (new_row(utterance.utterance_id, layer, value, BY_IMPORT, clock) for layer, value in needed.items())
    yield from _hidden(utterance, clock)


def _origin(utterance: Utterance, layer: Layer) -> Origin | None:
    """Who says what stands in a layer; None where the tree does not say."""
    return {"transcription": utterance.text_from, "category": utterance.class_from, "sql": utterance.sql_from}.get(
        layer
    )


def _rulings(utterance: Utterance, judged: Mapping[Layer, Mapping[str, Any]], clock: Clock) -> Iterator[LayerRow]:
    """No file says who ruled, so it is the last one named."""
    for layer, value in judged.items():
        if _origin(utterance, layer) == "ruled":
            yield new_row(utterance.utterance_id, layer, value, utterance.annotators[-1], clock, status="adjudicated")


def _judgements(utterance: Utterance) -> Iterator[tuple[Layer, Mapping[str, Any]]]:
    sro = unhidden(utterance).sro
    if sro is not None:
        yield "transcription", as_value(TranscriptionValue(sro=sro, lsn=utterance.lsn or ""))
    yield "category", as_value(category_of(utterance))
    yield "sql", as_value(ReferencesValue(references=utterance.references, yes_no=utterance.yes_no))


def _beyond(
    utterance: Utterance, turn: Turn, judged: Mapping[Layer, Mapping[str, Any]]
) -> dict[Layer, Mapping[str, Any]]:
    """What of the judgements the journals do not say by themselves."""
    before = prefill(turn)
    needless = {"category": category_of(utterance) == before.category, "sql": _answers(utterance, before.references)}
    return {layer: value for layer, value in judged.items() if not needless.get(layer)}


def _answers(utterance: Utterance, before: ReferencesValue) -> bool:
    shown = () if utterance.eval_class == "X" else before.references
    return utterance.references == shown and utterance.yes_no == before.yes_no


def _hidden(utterance: Utterance, clock: Clock) -> Iterator[LayerRow]:
    """Redactions; as a draft, which hides as well, where nobody is named as an annotator."""
    spans = unhidden(utterance).redactions
    if not spans:
        return
    value = as_value(RedactionValue(spans=spans))
    if utterance.annotators:
        yield new_row(utterance.utterance_id, "redaction", value, utterance.annotators[-1], clock)
    else:
        yield new_row(utterance.utterance_id, "redaction", value, BY_IMPORT, clock, status="draft")
