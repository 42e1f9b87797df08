"""A course: recorded turns with what the original wizard replied, as a file beside its recordings; made of a study."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_json
from curtain.base.text_file import read_text
from curtain.corpus.model.utterance import Corpus, Session, Utterance

COURSE_FILE = "course.json"


class ExerciseReference(msgspec.Struct, frozen=True, kw_only=True):
    """One reading of a query: minimum and maximum answer as CAS text, and the statements that give them."""

    cas_min: str
    cas_max: str | None = None
    sql_min: str = ""


class StepTimes(msgspec.Struct, frozen=True, kw_only=True):
    """How long a wizard took, in ms: from the key's release to the query, and from the query to the reply. None where
    nobody knows."""

    transcribe_ms: int | None = None
    answer_ms: int | None = None

    @property
    def total_ms(self) -> int | None:
        """From the key's release to the reply."""
        if self.transcribe_ms is None or self.answer_ms is None:
            return None
        return self.transcribe_ms + self.answer_ms


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded turn. Right is an answer that fits one of `references`, or else the canned message `message_id`.

    `audio` is a file counted from the course's folder, or a whole path; "" where the subject types `query`.
    """

    utterance_id: str
    audio: str
    query: str
    scenario_id: str = ""
    references: tuple[ExerciseReference, ...] = ()
    message_id: str = ""
    yes_no: bool = False
    times: StepTimes = StepTimes()


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """The exercises in the order in which they are asked. `dialect` is the rules by which answers are compared."""

    title: str
    domain: str
    dialect: str = "1992"
    exercises: tuple[Exercise, ...] = ()


def read_course(path: Path) -> Course:
    """The course of a file, the recordings as whole paths. Raises CurtainError, also where a recording is missing."""
    try:
        course = parse_json(read_text(path), Course)
    except OSError as error:
        raise CurtainError(f"The course {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise CurtainError(f"The course {path} cannot be read: {error}.") from error
    if not course.exercises:
        raise CurtainError(f"The course {path} holds no turns.")
    exercises = []
    for exercise in course.exercises:
        audio = path.parent / exercise.audio if exercise.audio else None
        if audio is not None and not audio.is_file():
            raise CurtainError(f"The course {path} names a recording that is not there: {audio}.")
        exercises.append(msgspec.structs.replace(exercise, audio=str(audio or "")))
    return msgspec.structs.replace(course, exercises=tuple(exercises))


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
