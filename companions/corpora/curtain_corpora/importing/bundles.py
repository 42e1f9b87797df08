"""From a session's rows to its bundle: journals, recordings, annotation layers, and the files as they came."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np

from curtain.base.clock import Clock
from curtain.base.disk import rename, sync_folder
from curtain.base.errors import os_errors_as
from curtain.base.record_file import by_name
from curtain.base.scratch import sync_tree
from curtain.corpus.annotation.layers import new_row
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow
from curtain.corpus.annotation.values import RedactionValue, ReferencesValue, TranscriptionValue, as_value, category_of
from curtain.corpus.model.reader import prefill
from curtain.corpus.model.utterance import Origin, Session, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.heads import begin_heads
from curtain.session.journal.lines import parse_line
from curtain.session.journal.sealed_lines import seal
from curtain.session.study.study import Study
from curtain.session.turns.turns import Turn, fold
from curtain_corpora.atis import sphere
from curtain_corpora.importing.facts import Recorded, journals_of
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


IMPORTED = "imported"
"""The folder of a bundle, and of a study, with the files as they came."""


_ASIDE = ".importing"
_BUNCH = 50


@dataclass(frozen=True)
class ImportedFile:
    """A file that is kept as it came, under this name relative to `imported/`."""

    name: str
    path: Path


@dataclass(frozen=True)
class Making:
    """A session under ids of ours and its recordings by utterance id; what is kept whole, and recordings of
    which the header is kept. `origin` is what session.json has under `imported`: where it all came from."""

    session: Session
    recordings: Mapping[str, Path] = field(default_factory=dict)
    kept: Sequence[ImportedFile] = ()
    headers: Sequence[ImportedFile] = ()
    origin: Mapping[str, Any] = field(default_factory=dict)


class BundleMaker:
    """Makes bundles beside the study's sessions and lets them appear in bunches, each whole and safe on the disk.

    `with BundleMaker(study, clock) as maker: maker.make(...)`. What a broken run has left goes with the next one.
    """

    def __init__(self, study: Study, clock: Clock) -> None:
        self._sessions = study.sessions_folder
        self._aside = self._sessions / _ASIDE
        self._clock = clock

    def make(self, making: Making) -> None:
        """Raises CurtainError, and what else a session of the tree is refused for."""
        with os_errors_as(f"{self._sessions} cannot be written"):
            part = self._aside / making.session.session_id
            part.mkdir(parents=True)
            _fill(Bundle(part), making, self._clock)
            if len(os.listdir(self._aside)) >= _BUNCH:
                self._publish()

    def _publish(self) -> None:
        # One call for many sessions: to make things durable takes longer than to make them.
        sync_tree(self._aside)
        for name in sorted(os.listdir(self._aside)):
            rename(self._aside / name, self._sessions / name)
            begin_heads(self._sessions / name)
        sync_folder(self._sessions)

    def __enter__(self) -> BundleMaker:
        with os_errors_as(f"{self._sessions} cannot be written"):
            shutil.rmtree(self._aside, ignore_errors=True)
            self._aside.mkdir(parents=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            # Also before a session that is refused: the ones before it are whole.
            self._drop_unfinished(error)
            with os_errors_as(f"{self._sessions} cannot be written"):
                self._publish()
        finally:
            shutil.rmtree(self._aside, ignore_errors=True)

    def _drop_unfinished(self, error: BaseException | None) -> None:
        if error is not None:
            for path in self._aside.iterdir():
                if not Bundle(path).manifest.exists():
                    shutil.rmtree(path, ignore_errors=True)


def _fill(bundle: Bundle, making: Making, clock: Clock) -> None:
    recorded = _write_recordings(bundle, making)
    session = _laid_out(making, recorded)
    subject, wizard = journals_of(session, recorded)
    bundle.subject_journal.write_bytes(subject)
    bundle.wizard_journal.write_bytes(wizard)
    for kept in making.kept:
        shutil.copyfile(kept.path, _place(bundle.path / IMPORTED, kept.name))
    for header in making.headers:
        _place(bundle.path / IMPORTED, f"{header.name}.header").write_bytes(sphere.raw_header(header.path))
    bundle.session_json.write_bytes(_about(making))
    _write_layers(bundle, session, subject, wizard, clock)
    bundle.write_manifest()


def _about(making: Making) -> bytes:
    session = making.session
    about = {
        "schema_version": 1,
        **by_name(session, "session_id", "speaker_id"),
        "wizard_ids": list(session.wizard_ids),
        "domain": session.domain,
        "domain_content_sha256": session.content_sha256 or None,
        "dialect": session.dialect or None,
        "principles": int(book) if (book := session.rule_book).isdecimal() else book or None,
        **by_name(session, "app_version", "consent_id", "consent_scopes", "consent_signed_on", "pilot"),
        "speaker": msgspec.to_builtins(session.speaker),
        **by_name(session, "site", "language"),
        "imported": dict(making.origin),
    }
    return json.dumps(about, ensure_ascii=True, indent=2).encode() + b"\n"


def _write_layers(bundle: Bundle, session: Session, subject: bytes, wizard: bytes, clock: Clock) -> None:
    for layer, data in layers_of(session, subject, wizard, clock).items():
        bundle.annotations.mkdir(exist_ok=True)
        (bundle.annotations / f"{layer}.jsonl").write_bytes(data)


def _write_recordings(bundle: Bundle, making: Making) -> dict[str, Recorded]:
    """The recordings as plain WAV."""
    bundle.audio.mkdir()
    recorded: dict[str, Recorded] = {}
    for utterance_id, path in making.recordings.items():
        samples, rate, _ = sphere.read_samples(path)
        recorded[utterance_id] = _write_wav(bundle.utterance(utterance_id), samples, rate)
    return recorded


def _write_wav(path: Path, samples: sphere.Samples, rate: int) -> Recorded:
    import soundfile  # loads a library: only when a recording is written

    made = BytesIO()
    soundfile.write(made, samples, rate, format="WAV", subtype="PCM_16")
    path.write_bytes(made.getvalue())
    peak = int(np.abs(samples.astype(np.int32)).max()) if samples.size else 0
    return Recorded(
        frames=len(samples),
        sample_rate=rate,
        sha256=hashlib.sha256(made.getvalue()).hexdigest(),
        peak_dbfs=20 * math.log10(peak / 32768) if peak else -200.0,
        clipped=int(np.count_nonzero((samples == 32767) | (samples == -32768))),
    )


# Between turns without a time in the tree; a second keeps their order plain.
_PAUSE_MS = 1000


def _laid_out(making: Making, recorded: Mapping[str, Recorded]) -> Session:
    """Every turn with a moment at which its key went down. Where the tree has none, turns are laid end to end."""
    placed: list[Utterance] = []
    end = 0
    for utterance in making.session.utterances:
        sound = recorded.get(utterance.utterance_id)
        length = sound.frames * 1000 // sound.sample_rate if sound and sound.sample_rate else 0
        if not utterance.times:
            begin = utterance.start_ms if utterance.start_ms is not None else end
            stop = utterance.end_ms if utterance.end_ms is not None else begin + length
            utterance = replace(
                utterance, start_ms=begin, end_ms=stop, times=_times(begin, max(begin, stop), sound is not None)
            )
        end = max(end, *(ms for _, ms in utterance.times)) + _PAUSE_MS
        placed.append(utterance)
    return replace(making.session, utterances=tuple(placed))


def _times(begin: int, end: int, sound: bool) -> tuple[tuple[str, int], ...]:
    return (("key_down", begin), ("key_up", end), *((("take_saved", end),) if sound else ()))


def _place(folder: Path, name: str) -> Path:
    """A free path below `folder`; the parts of `name` come from a walk and lead nowhere else."""
    path = folder.joinpath(*(part for part in name.split("/") if part not in ("", ".", "..")))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
