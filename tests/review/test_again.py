"""What was saved follows what it depends on: a turn whose class no longer holds is to be looked at again."""

from pathlib import Path

import pytest

from curtain.review.control import edits
from curtain.review.control.control import AnnotateControl
from tests.corpus.toy import corrected_at
from tests.review.acting import Hands, control_over, said

FIRST, SECOND = "0a1-01-001", "0a1-01-002"


def leave_out(control: AnnotateControl, utterance_id: str) -> None:
    control.open(utterance_id)
    control.toggle_tag("book")
    control.save_and_next()


@pytest.fixture
def chained(bare: Path, hands: Hands) -> AnnotateControl:
    """The second turn depends on the first; both are saved, and the first is then left out."""
    control = control_over(bare, hands)
    control.save_and_next()
    control.point_back(1)
    control.save_and_next()
    assert said(bare, SECOND, "w9")["category"]["eval_class"] == "D1"
    assert control.progress.done_in_all == 2
    leave_out(control, FIRST)
    return control


def test_a_turn_whose_context_was_changed_is_listed_and_reported(chained: AnnotateControl) -> None:
    assert (chained.turn.id, chained.turn.annotation.eval_class) == (SECOND, "D")
    assert (chained.is_saved, chained.is_again, chained.progress.done_in_all) == (False, True, 1)
    assert chained.notice == "Please review again, because an earlier turn changed: turn 2."
    assert chained.shelf.queue("open")[0] == SECOND


def test_one_key_saves_the_class_that_follows_now(chained: AnnotateControl, bare: Path) -> None:
    chained.save_and_next()
    assert said(bare, SECOND, "w9")["category"]["eval_class"] == "D"
    assert (chained.progress.done_in_all, chained.shelf.again()) == (2, frozenset())


def test_what_is_put_back_makes_the_later_turn_hold_again(chained: AnnotateControl) -> None:
    chained.undo()
    assert chained.shelf.again() == frozenset() and chained.progress.done_in_all == 2


def test_the_class_follows_before_the_disk_has_taken_the_earlier_turn(bare: Path, hands: Hands) -> None:
    control = control_over(bare, hands)
    control.save_and_next()
    control.point_back(1)
    control.save_and_next()
    hands.full = True
    leave_out(control, FIRST)
    assert control.turn.id == SECOND and control.is_again and not control.is_saved
    control.save_and_next()
    hands.full = False
    control.retry()
    assert said(bare, SECOND, "w9")["category"]["eval_class"] == "D"


def test_the_annotated_toy_has_nothing_to_look_at_again(annotated: Path, hands: Hands) -> None:
    assert control_over(annotated, hands, "w1").shelf.again() == frozenset()


@pytest.mark.parametrize("excluded", [False, True])
def test_two_identical_readings_are_refused_in_every_class(bare: Path, hands: Hands, excluded: bool) -> None:
    control = control_over(bare, hands)
    control.toggle_tag("testably-ambiguous")
    if excluded:
        control.toggle_tag("book")
    control.add_reading()
    control.save_and_next()
    assert control.turn.id == FIRST and said(bare, FIRST, "w9") == {}
    assert control.notice == "Kept as a draft. Readings 1 and 2 are the same; change one or remove it."
    control.change(edits.set_minimum, 1, "SELECT 2")
    control.save_and_next()
    assert len(said(bare, FIRST, "w9")["sql"]["references"]) == 2


def test_a_turn_whose_answer_was_corrected_since_is_looked_at_again(bare: Path, hands: Hands) -> None:
    control_over(bare, hands).save_and_next()
    corrected_at(bare, FIRST, "2099-01-01T00:00:00.000Z")
    control = control_over(bare, hands)
    assert (control.shelf.again(), control.shelf.queue("open")[0]) == (frozenset({FIRST}), FIRST)
    control.open(FIRST)
    assert control.is_again
    control.save_and_next()
    assert (control.shelf.again(), control.progress.done_in_all) == (frozenset(), 1)
