"""Two annotators who differ, and an adjudicator; on the toy corpus, without a window."""

import shutil
from pathlib import Path

import pytest

from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.utterance import Utterance
from curtain.review.control import edits
from curtain.review.control.control import AnnotateControl
from tests.review.acting import Hands, control_over, layers_of, said

TURN = "0a1-02-008"
OPEN = "e00-01-002"


@pytest.fixture
def annotated(annotated_toy: Path, tmp_path: Path) -> Path:
    """Without the sessions in which nobody differs."""
    others = shutil.ignore_patterns("0a1-01*", "m10-01*", "p00-01*", "zz9-01*")
    return Path(shutil.copytree(annotated_toy, tmp_path / "annotated", ignore=others))


@pytest.fixture
def differing(annotated: Path) -> Path:
    """A second annotator says otherwise about a turn: another tag, another transcription."""
    second = control_over(annotated, Hands(), "w9", second=True)
    second.open(OPEN)
    second.toggle_tag("ungrammatical")
    second.change(edits.set_sro, "what is mary smiths salary")
    second.save_and_next()
    return annotated


@pytest.fixture
def control(differing: Path, hands: Hands) -> AnnotateControl:
    """An adjudicator's."""
    return control_over(differing, hands, "judge", adjudicates=True)


def exported(study: Path, utterance_id: str) -> Utterance:
    session = next(one for one in open_corpus([study]).sessions() if utterance_id.startswith(one.session_id))
    return next(one for one in session.utterances if one.utterance_id == utterance_id)


def test_an_adjudicator_begins_with_what_is_not_yet_ruled(control: AnnotateControl) -> None:
    assert control.turn.id == OPEN
    assert control.ruling is not None and [side.by for side in control.ruling.sides] == ["w1", "w9"]
    assert control.ruling.layers == ("transcription", "category")


def test_one_key_rules_for_a_side_goes_on_and_keeps_both(control: AnnotateControl, differing: Path) -> None:
    before = (said(differing, OPEN, "w1"), said(differing, OPEN, "w9"))
    control.take_side(1)
    assert control.turn.id != OPEN
    assert (said(differing, OPEN, "w1"), said(differing, OPEN, "w9")) == before
    one = exported(differing, OPEN)
    assert one.sro == "what is mary smiths salary" and "ungrammatical" in one.tags


def test_layers_are_picked_one_by_one(control: AnnotateControl, differing: Path) -> None:
    control.pick(lambda ruling: ruling.other_side(1))
    control.pick(lambda ruling: ruling.moved(1))
    control.rule()
    one = exported(differing, OPEN)
    assert one.sro == "what is mary smiths salary"
    assert "ungrammatical" not in one.tags


def test_a_ruling_can_be_undone(control: AnnotateControl, differing: Path) -> None:
    control.take_side(0)
    control.undo()
    assert control.turn.id == OPEN and control.ruling is not None and not control.ruling.ruled
    assert layers_of(differing, OPEN).standing("category").ruling(OPEN) is None


def test_undoing_a_second_ruling_puts_the_first_back(control: AnnotateControl, differing: Path) -> None:
    control.open(TURN)
    before = layers_of(differing, TURN).standing("category").ruling(TURN)
    control.take_side(1)
    control.undo()
    after = layers_of(differing, TURN).standing("category").ruling(TURN)
    assert before is not None and after is not None and after.value == before.value


def test_what_is_picked_can_be_edited_and_rules_when_it_is_saved(control: AnnotateControl, differing: Path) -> None:
    control.edit_ruling()
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    one = exported(differing, OPEN)
    assert "multi-sentence" in one.tags
    # Annotators leave under pseudonyms: three different ones, none of which names anybody.
    assert len(set(one.annotators)) == 3 and all(name.startswith("p-") for name in one.annotators)


def test_edits_that_are_left_come_back_and_go_with_the_ruling(control: AnnotateControl, differing: Path) -> None:
    control.edit_ruling()
    control.toggle_tag("multi-sentence")
    control.leave_editing()
    assert control.ruling is not None and not control.editing_ruling
    again = control_over(differing, Hands(), "judge", adjudicates=True)
    again.edit_ruling()
    assert "multi-sentence" in again.work.tags
    again.leave_editing()
    again.take_side(0)
    assert not again.shelf.volume(OPEN).drafts(OPEN)
    assert "multi-sentence" not in exported(differing, OPEN).tags


def test_progress_counts_what_is_ruled(control: AnnotateControl) -> None:
    progress = control.progress
    assert (progress.done_in_all, progress.due_in_all, progress.of_all) == (2, 3, 3)
    control.take_side(0)
    assert control.progress.done_in_all == 3


def test_turns_on_which_annotators_agree_do_not_count_as_ruled(bare: Path, hands: Hands) -> None:
    for by, tags in (("w1", ()), ("w2", ("multi-sentence",))):
        annotator = control_over(bare, Hands(), by, second=by == "w2")
        for tag in tags:
            annotator.toggle_tag(tag)
        for _ in range(3):
            annotator.save_and_next()
    control = control_over(bare, hands, "judge", adjudicates=True)
    progress = control.progress
    assert (progress.of_all, progress.due_in_all, progress.done_in_all) == (3, 1, 0)
    control.take_side(1)
    assert (control.progress.due_in_all, control.progress.done_in_all) == (1, 1)
    assert [one.state for one in control.listed()] == ["ruled", "", ""]


def test_an_adjudicator_is_told_who_ruled_before_and_how(differing: Path, hands: Hands) -> None:
    control_over(differing, hands, "judge", adjudicates=True).take_side(1)
    edited = control_over(differing, Hands(), "other", adjudicates=True)
    edited.open(OPEN)
    assert [(one.layer, one.by, one.day, one.sides) for one in edited.ruling.before] == [
        ("transcription", "judge", "2026-04-01", ("w9",)),
        ("category", "judge", "2026-04-01", ("w9",)),
    ]
    edited.edit_ruling()
    edited.toggle_tag("multi-sentence")
    edited.save_and_next()
    edited.open(OPEN)
    category = next(one for one in edited.ruling.before if one.layer == "category")
    assert (category.by, category.sides) == ("other", ())
    assert "multi-sentence" in category.work.tags
