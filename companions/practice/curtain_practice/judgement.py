"""Whether a reply to a recorded turn is right, and why, at once and by the Comparator."""

from dataclasses import dataclass

from curtain.cas import CasError, Verdict, compare
from curtain_practice.course import Exercise, ExerciseReference

ANSWER = "answer"
"""The label of any answer from the database, where labels of messages are their ids."""


@dataclass(frozen=True)
class TrainedReply:
    """What the trainee sent: an answer as CAS text with its statement, or a canned message by its id."""

    cas_min: str | None = None
    sql: str = ""
    message_id: str = ""

    @property
    def label(self) -> str:
        """`answer`, or the id of the message."""
        return self.message_id or ANSWER


@dataclass(frozen=True)
class ReplyJudgement:
    """`expected` and `given` are labels; `reference` is the reading that the reply came nearest to, if any counts."""

    right: bool
    reason: str
    expected: str
    given: str
    reference: ExerciseReference | None = None


def judge(exercise: Exercise, reply: TrainedReply, dialect: str = "1992") -> ReplyJudgement:
    """The judgement on one reply.

    An answer is right if the Comparator accepts it for one of the readings, between minimum and maximum (papers/003,
    section 6.1). Where the original wizard sent a message, that very message is right.
    """
    expected = ANSWER if exercise.references else exercise.message_id
    if expected != ANSWER:
        return ReplyJudgement(reply.label == expected, _about_message(expected, reply), expected, reply.label)
    if reply.message_id:
        reason = "The database has an answer to this question."
        return ReplyJudgement(False, reason, expected, reply.label, exercise.references[0])
    verdicts = [(_verdict(exercise, one, reply, dialect), one) for one in exercise.references]
    # The first reading that fits, else the first: readings stand in the order of their weight.
    verdict, reference = next((pair for pair in verdicts if pair[0]), verdicts[0])
    reason = "" if verdict else verdict.reason or "The answer is not the reference."
    return ReplyJudgement(bool(verdict), reason, expected, ANSWER, reference)


def _about_message(expected: str, reply: TrainedReply) -> str:
    if reply.label == expected:
        return ""
    if reply.label == ANSWER:
        return "This question has no answer in the database; a message was right."
    return "Another message was right."


def _verdict(exercise: Exercise, reference: ExerciseReference, reply: TrainedReply, dialect: str) -> Verdict:
    try:
        return compare(reply.cas_min, reference.cas_min, reference.cas_max, dialect=dialect, yes_no=exercise.yes_no)
    except CasError as error:
        return Verdict("undecided", f"The reference cannot be read: {error}")
