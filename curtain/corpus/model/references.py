"""The references of a corpus in a file of their own, as `curtain score` reads it: the key to a blind test."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.corpus.model.filters import HIDDEN
from curtain.corpus.model.utterance import Reference, Session, Utterance

NO_REFERENCE = "no reference"
NO_CONTEXT = "context not in the corpus"
NO_CLASS = "not annotated"


def key_beside(folder: Path) -> Path:
    """Where the references of a blind test set in `folder` go: beside it, never in it."""
    return folder.with_name(f"{folder.name}-references.jsonl")


class ReferenceFile:
    """One line for each utterance of the sessions that are added. The file is there whole, with `finish`, or not at
    all. `with_words` gives each line what was said, as the key to a set of recordings alone.

    What cannot be scored is there too, with class X and the reason among its tags. Raises CurtainError if the file is
    there already.
    """

    def __init__(self, path: Path, *, with_words: bool = False) -> None:
        if path.exists():
            raise CurtainError(f"{path} is there already; move it away, since it may be the only copy.")
        self.path, self._with_words = path, with_words
        self._lines: list[bytes] = []

    def add(self, session: Session) -> None:
        """Take the lines of a session with nothing withheld."""
        for row in rows_of(session, self._with_words):
            self._lines.append(json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")

    def finish(self) -> None:
        """Put the file into its place. Raises CurtainError."""
        with os_errors_as(f"{self.path} cannot be written"):
            replace_file(self.path, self._lines)


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


def unanswerable(session: Session) -> dict[str, str]:
    """Why utterances of a session cannot be asked in a blind test, by id: nothing is left of the words, there is no
    answer that counts as right, or they depend on such a one. Class X has no answer, and systems may say so."""
    reasons = {one.utterance_id: HIDDEN for one in session.utterances if one.is_hidden}
    there = {one.utterance_id for one in session.utterances}
    # In the order of turns: a turn depends on those before it.
    for utterance in session.utterances:
        if NO_REFERENCE in _row(session, utterance, there)["tags"]:
            reasons.setdefault(utterance.utterance_id, NO_REFERENCE)
        elif not reasons.keys().isdisjoint(link.utterance_id for link in utterance.context):
            reasons.setdefault(utterance.utterance_id, NO_CONTEXT)
    return reasons


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
