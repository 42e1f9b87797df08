"""Turns of a study as exercises for wizards: those that can be asked again and have a reply that counts as right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curtain.corpus.model.utterance import Corpus, Session, Utterance
from curtain_practice.course import Course, Exercise, ExerciseReference, StepTimes


def course_of(corpus: Corpus, title: str, domain: str) -> Course:
    """A course of the corpus's utterances in their order; it is empty where none can be practised.

    What is redacted, cancelled, answered by a system, or without a reply that counts is left out.
    """
    sessions = list(corpus.sessions())
    exercises = tuple(exercise for session in sessions for exercise in _of_session(session))
    dialect = sessions[0].dialect if sessions else "1992"
    return Course(title=title, domain=domain, dialect=dialect, exercises=exercises)


def _of_session(session: Session) -> Iterator[Exercise]:
    for utterance in session.utterances:
        references = tuple(_references(utterance))
        message = utterance.message_id or ""
        replied = utterance.answered_by in (None, "wizard") and (references or message)
        asked = utterance.audio is not None or utterance.modality == "text"
        if not replied or not asked or utterance.redactions or utterance.outcome == "cancelled":
            continue
        yield Exercise(
            utterance_id=utterance.utterance_id,
            audio=str(Path(utterance.audio).resolve()) if utterance.audio is not None else "",
            query=utterance.query or utterance.lsn or "",
            scenario_id=utterance.scenario_id or "",
            references=references,
            message_id="" if references else message,
            yes_no=utterance.yes_no,
            times=_times(utterance),
        )


def _references(utterance: Utterance) -> Iterator[ExerciseReference]:
    for reference in sorted(utterance.references, key=lambda reference: -reference.weight):
        if reference.cas_min is not None:
            yield ExerciseReference(
                cas_min=reference.cas_min, cas_max=reference.cas_max, sql_min=reference.sql_min or ""
            )


def _times(utterance: Utterance) -> StepTimes:
    at = dict(utterance.times)
    released = at.get("key_up")
    # What was typed is the query from Enter on.
    query = released if utterance.modality == "text" else at.get("query_sent")
    replied = at.get("answer_sent", at.get("message_sent"))
    return StepTimes(
        transcribe_ms=query - released if query is not None and released is not None else None,
        answer_ms=replied - query if replied is not None and query is not None else None,
    )
