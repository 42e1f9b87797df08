"""Which replies to a recorded turn are right, and what the trainee reads about the others."""

import pytest

from curtain_practice.course import Exercise, ExerciseReference
from curtain_practice.judgement import ReplyJudgement, TrainedReply, judge

ONE_READING = (ExerciseReference(cas_min="((48))", sql_min="SELECT 48"),)
TWO_READINGS = (ExerciseReference(cas_min="((1)(2))"), ExerciseReference(cas_min="((3))", cas_max='((3 "ADA"))'))


def _asked(references: tuple[ExerciseReference, ...] = (), message: str = "", yes_no: bool = False) -> Exercise:
    return Exercise(
        utterance_id="e00-01-001", audio="a.wav", query="q", references=references, message_id=message, yes_no=yes_no
    )


def _answer(cas: str | None) -> TrainedReply:
    return TrainedReply(cas_min=cas, sql="SELECT 1")


@pytest.mark.parametrize(
    ("exercise", "reply", "right", "reason"),
    [
        (_asked(ONE_READING), _answer("((48))"), True, ""),
        (_asked(ONE_READING), _answer("((47))"), False, "48"),
        (_asked(ONE_READING), _answer(None), False, ""),
        (_asked(TWO_READINGS), _answer("((2)(1))"), True, ""),
        (_asked(TWO_READINGS), _answer('((3 "ADA"))'), True, ""),
        (_asked(TWO_READINGS), _answer("((1)(2)(3))"), False, "3"),
        (_asked(ONE_READING), TrainedReply(message_id="unable"), False, "has an answer"),
        (_asked(message="too_vague"), TrainedReply(message_id="too_vague"), True, ""),
        (_asked(message="too_vague"), TrainedReply(message_id="unable"), False, "Another message"),
        (_asked(message="too_vague"), _answer("((1))"), False, "no answer in the database"),
        (_asked((ExerciseReference(cas_min="((broken"),)), _answer("((1))"), False, "cannot be read"),
    ],
)
def test_a_reply_is_right_or_says_why_not(exercise: Exercise, reply: TrainedReply, right: bool, reason: str) -> None:
    judgement = judge(exercise, reply)
    assert judgement.right is right
    assert reason in judgement.reason


def test_the_reference_is_the_reading_that_fits_and_else_the_first() -> None:
    assert judge(_asked(TWO_READINGS), _answer("((3))")).reference is TWO_READINGS[1]
    assert judge(_asked(TWO_READINGS), _answer("((9))")).reference is TWO_READINGS[0]


def test_labels_tell_answers_from_messages() -> None:
    judged = judge(_asked(message="too_vague"), _answer("((1))"))
    assert judged == ReplyJudgement(False, judged.reason, "too_vague", "answer")
