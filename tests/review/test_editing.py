from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.corpus.annotation.tag_table import load_table
from curtain.corpus.model.utterance import ContextLink, Redaction
from curtain.review.control import edits
from curtain.review.control.work import EditedReading, TurnAnnotation
from tests.review.acting import run

TABLE = load_table()
SQL = "SELECT employee_id FROM employee"
KNOWN = EditedReading(SQL, "SELECT 1", "((1))", "((1 2))")


def test_tags_stand_in_the_order_of_the_table_and_go_again() -> None:
    work = edits.toggle_tag(edits.toggle_tag(TurnAnnotation(), "wh-question", TABLE), "book", TABLE)
    assert work.tags == ("book", "wh-question")
    assert edits.toggle_tag(work, "book", TABLE).tags == ("wh-question",)


def test_a_reason_brings_its_tag_and_takes_it_along_unless_another_reason_needs_it() -> None:
    one = edits.toggle_reason(TurnAnnotation(), "no_query", TABLE)
    assert (one.reasons, one.tags) == (("no_query",), ("unanswerable",))
    two = edits.toggle_reason(one, "presentation", TABLE)
    assert edits.toggle_reason(two, "no_query", TABLE).tags == ("unanswerable",)
    assert edits.toggle_reason(one, "no_query", TABLE) == TurnAnnotation()


def test_a_pointer_goes_from_text_to_answer_to_both_to_none() -> None:
    work, seen = TurnAnnotation(), []
    for _ in range(4):
        work = edits.next_pointer(work, "e00-01-003", has_answer=True)
        seen.append([link.to for link in work.context])
    assert seen == [["text"], ["answer"], ["text", "answer"], []]


def test_a_turn_without_an_answer_is_pointed_to_in_its_text_alone() -> None:
    once = edits.next_pointer(TurnAnnotation(), "e00-01-003", has_answer=False)
    assert once.context == (ContextLink("e00-01-003", "text"),)
    assert edits.next_pointer(once, "e00-01-003", has_answer=False).context == ()


def test_another_minimum_wants_to_be_run_and_its_maximum_derived_anew() -> None:
    (one,) = edits.set_minimum(TurnAnnotation(readings=(KNOWN,)), 0, "SELECT 2").readings
    assert (one.must_run, one.sql_max) == (True, "")


def test_a_maximum_by_hand_outlives_another_minimum() -> None:
    work = edits.set_maximum(TurnAnnotation(readings=(KNOWN,)), 0, "SELECT 2, 3")
    (one,) = edits.set_minimum(work, 0, "SELECT 2").readings
    assert one.sql_max == "SELECT 2, 3"


def test_answers_of_an_older_statement_are_not_kept() -> None:
    (kept,) = edits.set_minimum(TurnAnnotation(readings=(KNOWN,)), 0, "SELECT 2").references
    assert (kept.sql_min, kept.cas_min, kept.cas_max) == ("SELECT 2", None, None)


def test_what_came_of_a_statement_that_was_changed_meanwhile_is_left_aside() -> None:
    work = TurnAnnotation(readings=(replace(KNOWN, sql_min="SELECT 2", fresh=False),))
    assert edits.taken_run(work, 0, run(SQL, ""), SQL) == work


def test_a_failed_statement_says_why_and_is_not_fresh() -> None:
    work = edits.taken_run(TurnAnnotation(readings=(replace(KNOWN, sql_min="bad"),)), 0, run("bad", ""), "bad")
    assert (work.readings[0].problem, work.readings[0].must_run) == ("There is no column “bad”.", True)


def test_there_are_six_readings_at_most_and_one_field_at_least() -> None:
    work = TurnAnnotation(readings=(KNOWN,))
    for _ in range(8):
        work = edits.add_reading(work, 0)
    assert len(work.readings) == 6
    for _ in range(8):
        work = edits.remove_reading(work, 0)
    assert work.readings == (EditedReading(),)


def test_the_mark_and_the_tag_of_a_yes_no_question_go_together() -> None:
    work = edits.toggle_yes_no(TurnAnnotation(readings=(KNOWN,)), TABLE)
    assert work.yes_no and work.tags == ("yes/no",) and work.readings[0].must_run
    assert not edits.toggle_yes_no(work, TABLE).tags


def test_an_empty_reading_is_no_reference() -> None:
    assert TurnAnnotation().references == ()


@pytest.mark.parametrize(
    ("before", "after", "hidden"),
    [
        ("call mary smith now", "please call mary smith now", "mary smith"),
        ("call mary smith now", "call mary smith right now", "mary smith"),
        ("call mary smith now", "call mary j smith now", "mary j smith"),
        ("call mary smith now", "call now", ""),
    ],
)
def test_hidden_words_stay_hidden_when_the_transcription_changes(before: str, after: str, hidden: str) -> None:
    span = Redaction("private", start_char=5, end_char=15, in_text="sro")
    (moved,) = edits.set_sro(TurnAnnotation(sro=before, redactions=(span,)), after).redactions
    assert after[moved.start_char : moved.end_char].strip() == hidden


def test_figures_become_words_and_what_is_hidden_moves_along() -> None:
    span = Redaction("private", start_char=11, end_char=16, in_text="sro")
    work = edits.speak_figures(TurnAnnotation(sro="flight 281 quill at 5:20", redactions=(span,)))
    (moved,) = work.redactions
    assert work.sro == "flight two eighty one quill at five twenty"
    assert work.sro[moved.start_char : moved.end_char].strip() == "quill"


@given(st.text("ab ", max_size=12), st.text("ab ", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_a_hidden_span_never_leaves_the_text(before: str, after: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(before)), min(other, len(before))))
    span = Redaction("private", start_char=start, end_char=end, in_text="sro")
    (moved,) = edits.set_sro(TurnAnnotation(sro=before, redactions=(span,)), after).redactions
    assert moved.start_char is not None and moved.end_char is not None
    assert 0 <= moved.start_char <= moved.end_char <= len(after)
