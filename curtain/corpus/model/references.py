"""The references of a corpus in a file of their own, as `curtain score` reads it: the key to a blind test."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curtain.base.disk import durable, sync_folder
from curtain.base.errors import CurtainError
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.model.utterance import Reference, Session, Utterance

NO_REFERENCE = "no reference"
NO_CONTEXT = "context not in the corpus"
NO_CLASS = "not annotated"


def key_beside(folder: Path) -> Path:
    """Where the references of a blind test set in `folder` go: beside it, never in it."""
    return folder.with_name(f"{folder.name}-references.jsonl")


def write_references(corpus: BundleCorpus, path: Path, *, with_words: bool = False) -> int:
    """Write one line for each utterance of the corpus; gives how many. The file is there whole, or not at all.
    With `with_words` each line has what was said, as the key to a set of recordings alone.

    What cannot be scored is there too, with class X and the reason among its tags. Raises CurtainError, also
    if the file is there already, and what reading a session raises.
    """
    if path.exists():
        raise CurtainError(f"{path} is there already; move it away, since it may be the only copy.")
    # Renamed when whole: half a key would score the rest as missing.
    part = path.with_name(f".{path.name}.part")
    try:
        count = _write(corpus.with_answers(), part, with_words)
        os.replace(part, path)
        sync_folder(path.parent)
    except OSError as fault:
        raise CurtainError(f"{path} cannot be written: {fault.strerror or fault}.") from fault
    finally:
        part.unlink(missing_ok=True)
    return count


def _write(corpus: BundleCorpus, part: Path, with_words: bool) -> int:
    count = 0
    with part.open("wb") as file:
        for session in corpus.sessions():
            for row in rows_of(session, with_words):
                file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
                count += 1
        file.flush()
        durable(file.fileno())
    return count


def rows_of(session: Session, with_words: bool = False) -> Iterator[dict[str, Any]]:
    """The lines of one session in the order of its turns."""
    there = {one.utterance_id for one in session.utterances}
    for utterance in session.utterances:
        row = {**_row(session, utterance, there), "words": utterance.lsn if with_words else None}
        yield {key: value for key, value in row.items() if value not in (None, [], "")}


def _row(session: Session, utterance: Utterance, there: set[str]) -> Mapping[str, Any]:
    readings = [reading for reading in utterance.references if reading.cas_min is not None]
    context = list(dict.fromkeys(link.utterance_id for link in utterance.context))
    why_not = _why_not(utterance, readings, all(name in there for name in context))
    tags = [*utterance.tags, *utterance.reasons, *([why_not] if why_not else [])]
    about = {
        "id": utterance.utterance_id,
        "class": "X" if why_not or utterance.eval_class == "X" else utterance.eval_class,
        "tags": tags,
        "context": [name for name in context if name in there],
        "speaker": utterance.speaker_id,
        "scenario": utterance.scenario_id,
        "site": session.site,
        "dialect": session.dialect,
    }
    scored = about["class"] != "X"
    return {**about, **(_answers(readings, utterance.yes_no) if scored else {})}


def _why_not(utterance: Utterance, readings: list[Reference], context_there: bool) -> str | None:
    if utterance.eval_class == "X":
        return None if utterance.tags or utterance.reasons else "X"
    if utterance.eval_class is None:
        return NO_CLASS
    if not readings:
        return NO_REFERENCE
    return None if context_there else NO_CONTEXT


def _answers(readings: list[Reference], yes_no: bool) -> dict[str, Any]:
    marked: dict[str, Any] = {"yes_no": True} if yes_no else {}
    if len(readings) == 1 and readings[0].weight == 1:
        (reading,) = readings
        return {"ref": reading.cas_min, "max": reading.cas_max, "sql_min": reading.sql_min, **marked}
    weighted = any(reading.weight != 1 for reading in readings)
    return {"alternatives": [_alternative(reading, weighted) for reading in readings], **marked}


def _alternative(reading: Reference, weighted: bool) -> dict[str, Any]:
    parts: dict[str, Any] = {"ref": reading.cas_min, "max": reading.cas_max}
    parts["weight"] = reading.weight if weighted else None
    return {key: value for key, value in parts.items() if value is not None}
