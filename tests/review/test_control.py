"""What annotating decides, on the toy corpus, without a window."""

from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.agreement import Judgements, agreement_of_all
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.annotation.sample import Sample
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import Redaction
from curtain.review.control import edits
from curtain.review.control.control import AnnotateControl
from curtain.review.control.work import TurnAnnotation
from curtain.session.bundle.bundle import Bundle
from tests.review.acting import Hands, control_over, layers_of, said

FIRST = "0a1-01-001"
"""The first turn of the study, an answered one."""


@pytest.fixture
def control(bare: Path, hands: Hands) -> AnnotateControl:
    return control_over(bare, hands)


def test_what_the_live_session_knows_is_filled_in(control: AnnotateControl) -> None:
    assert control.turn.id == FIRST
    assert control.work.sro == "what is sharon lease's phone number"
    (reading,) = control.work.readings
    assert "work_phone" in reading.sql_min and reading.cas_min and reading.cas_max and not reading.must_run
    assert (control.turn.annotation.eval_class, control.turn.annotation.category) == ("A", "0")


def test_a_turn_without_a_database_answer_is_excluded_by_itself(control: AnnotateControl) -> None:
    control.open("e00-01-007")
    assert control.turn.annotation.eval_class == "X"
    assert (control.work.tags, control.work.reasons) == (("unanswerable",), ("no_database_answer",))
    assert control.turn.blocking is None


def test_saving_goes_to_the_next_turn_and_nobody_else_is_overwritten(annotated: Path, hands: Hands) -> None:
    control = control_over(annotated, hands, "w9")
    control.open(FIRST)
    before = said(annotated, FIRST, "w1")
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    assert control.turn.id == "0a1-01-002"
    assert "multi-sentence" in said(annotated, FIRST, "w9")["category"]["tags"]
    assert said(annotated, FIRST, "w1") == before


def test_the_seconds_that_a_turn_took_stand_in_its_rows(bare: Path, hands: Hands) -> None:
    times = iter((0.0, 0.0, 7.0, 12.4, 100.0, 4000.0, 4000.0))
    control = control_over(bare, hands, now=lambda: next(times))
    control.open(FIRST)
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    control.save_and_next()
    first, second = (layers_of(bare, one).rows("category")[n] for n, one in enumerate((FIRST, "0a1-01-002")))
    assert first.seconds == 12.4
    # A pause counts for a minute at most.
    assert second.seconds == 60.0
    assert control.timer.seconds_a_turn == pytest.approx(36.2)


def test_a_sample_is_the_same_for_both_who_annotate_it_and_neither_sees_the_other(
    control: AnnotateControl, bare: Path
) -> None:
    def finished(by: str, tag: str) -> list[str]:
        control = control_over(bare, Hands(), by, sample=Sample(40, 7))
        ids = [one.utterance_id for one in control.listed()]
        assert control.turn.id == ids[0] and not control.turn.dirty and tag not in control.work.tags
        for one in ids:
            assert control.turn.id == one
            control.toggle_tag(tag)
            control.save_and_next()
        assert control.progress.done_in_all == len(ids)
        return ids

    first, second = finished("w1", "multi-sentence"), finished("w2", "ungrammatical")
    assert first == second and 0 < len(first) < 66
    judgements = Judgements.of(Layers(Bundle(path)) for path in sorted((bare / "sessions").iterdir()))
    assert agreement_of_all(judgements)["tags"].turns == len(first)


def test_looking_at_what_somebody_else_annotated_writes_nothing(annotated: Path, hands: Hands) -> None:
    control = control_over(annotated, hands, "w9")
    control.open(FIRST)
    control.save_and_next()
    assert (control.turn.id, hands.writes, said(annotated, FIRST, "w9")) == ("0a1-01-002", 0, {})


def test_what_breaks_a_rule_stays_a_draft_and_is_reported(control: AnnotateControl, bare: Path) -> None:
    control.change(edits.set_sro, "what is <sharon")
    control.save_and_next()
    assert control.turn.id == FIRST and control.notice.startswith("Kept as a draft. ")
    assert said(bare, FIRST, "w9") == {}
    assert control_over(bare, Hands()).work.sro == "what is <sharon"


def test_a_draft_does_not_take_the_place_of_what_was_saved(annotated: Path, hands: Hands) -> None:
    control = control_over(annotated, hands, "w1")
    control.open(FIRST)
    control.toggle_tag("book")
    control.keep_draft()
    one = next(one for one in open_corpus([annotated]).sessions() if one.session_id == "0a1-01").utterances[0]
    assert one.eval_class == "A"


def test_a_hidden_part_counts_from_the_draft_on_and_no_longer_when_it_was_undone(
    control: AnnotateControl, bare: Path, hands: Hands
) -> None:
    def audible() -> int:
        session = next(one for one in open_corpus([bare], Filters(live=True)).sessions() if one.session_id == "0a1-01")
        return len(session.utterances[0].redactions)

    control = control_over(bare, hands)
    control.change(edits.hide, Redaction("private", 100, 200))
    control.keep_draft()
    assert audible() == 1
    control.undo()
    control.keep_draft()
    assert audible() == 0


def test_steps_are_undone_one_by_one_and_typing_as_a_whole(control: AnnotateControl) -> None:
    start = control.work
    control.toggle_tag("book")
    for text in ("a", "ab", "abc"):
        control.change(edits.set_sro, text, kind="sro")
    control.undo()
    assert (control.work.sro, control.work.tags[0]) == (start.sro, "book")
    control.undo()
    assert control.work == start
    control.redo()
    control.redo()
    assert control.work.sro == "abc"


def test_undo_behind_a_saved_turn_brings_it_back_and_takes_its_saving_back(
    control: AnnotateControl, bare: Path
) -> None:
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    assert control.progress.done_in_all == 1
    control.undo()
    assert (control.turn.id, control.turn.dirty, control.progress.done_in_all) == (FIRST, True, 0)
    assert said(bare, FIRST, "w9") == {}
    rows = layers_of(bare, FIRST).rows("category")
    assert [bool(row.value) for row in rows if row.status == "final"] == [True, False]


def test_undoing_a_second_saving_puts_the_first_back(control: AnnotateControl, bare: Path) -> None:
    control.save_and_next()
    control.open(FIRST)
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    control.undo()
    assert "multi-sentence" not in said(bare, FIRST, "w9")["category"]["tags"]
    assert "multi-sentence" in control.work.tags


def test_a_changed_statement_is_run_before_it_is_saved(control: AnnotateControl, bare: Path, hands: Hands) -> None:
    control.change(edits.set_minimum, 0, "SELECT 1")
    control.save_and_next()
    assert hands.runs == [("SELECT 1", "", False)] and control.turn.id == "0a1-01-002"
    (kept,) = said(bare, FIRST, "w9")["sql"]["references"]
    assert (kept["cas_min"], kept["cas_max"], kept["sql_max"]) == ('(("MIN"))', '(("MAX"))', "SELECT 1 -- wide")


def test_a_statement_that_fails_keeps_the_turn_open_as_a_draft(control: AnnotateControl, bare: Path) -> None:
    control.change(edits.set_minimum, 0, "SELECT bad")
    control.save_and_next()
    assert control.turn.id == FIRST and control.notice == "Kept as a draft. There is no column “bad”."
    assert said(bare, FIRST, "w9") == {}


def test_what_a_statement_gives_does_not_land_on_another_turn(control: AnnotateControl, hands: Hands) -> None:
    hands.hold = True
    control.change(edits.set_minimum, 0, "SELECT 1")
    control.run()
    control.go(1)
    before = control.work
    hands.let_go()
    assert control.work == before and not control.running


def test_damaged_rows_are_reported_as_long_as_their_session_is_open_and_the_others_are_kept(
    annotated: Path, hands: Hands
) -> None:
    layer = annotated / "sessions" / "0a1-01" / "annotations" / "category.jsonl"
    rows = layer.read_bytes().splitlines(keepends=True)
    layer.write_bytes(b"".join([*rows[:2], *rows[3:]]))
    control = control_over(annotated, hands)
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    assert "category.jsonl has lost rows" in control.problem and "curtain repair" in control.problem
    assert set(layer.read_bytes().splitlines(keepends=True)) >= {*rows[:2], *rows[3:]}
    assert not list(layer.parent.glob("*.torn-*"))


def test_what_the_disk_does_not_take_is_reported_and_written_later(
    control: AnnotateControl, bare: Path, hands: Hands
) -> None:
    hands.full = True
    control.toggle_tag("multi-sentence")
    control.save_and_next()
    assert (control.problem, control.writing) == ("The disk is full.", True)
    hands.full = False
    control.retry()
    assert (control.problem, control.writing) == ("", False)
    assert "multi-sentence" in said(bare, FIRST, "w9")["category"]["tags"]


def test_it_goes_on_where_it_was_left(control: AnnotateControl, bare: Path) -> None:
    control.open("e00-01-004")
    control.save_and_next()
    assert control_over(bare, Hands()).turn.id == "e00-01-005"
    control.toggle_tag("book")
    control.keep_draft()
    again = control_over(bare, Hands())
    assert (again.turn.id, again.turn.dirty) == ("e00-01-005", True)


def test_a_pointer_out_of_reach_is_refused_in_words(control: AnnotateControl) -> None:
    control.open("e00-01-003")
    control.point_back(2)
    assert "cannot be pointed to" in control.notice and control.work.context == ()
    control.point_back(1)
    control.toggle_ellipsis()
    assert (control.turn.annotation.eval_class, control.turn.annotation.category) == ("D1", "2")


def test_the_class_of_an_earlier_turn_is_the_annotators_own(control: AnnotateControl) -> None:
    control.open("e00-01-002")
    control.toggle_tag("disallowed")
    control.save_and_next()
    control.point_back(1)
    assert control.turn.annotation.eval_class == "D"


@pytest.mark.parametrize(("chosen", "first", "turns"), [("open", "0a1-02-011", 6), ("differing", "0a1-02-008", 2)])
def test_filters_leave_the_turns_they_name(annotated: Path, hands: Hands, chosen: str, first: str, turns: int) -> None:
    control = control_over(annotated, hands)
    control.open(FIRST)
    control.choose_filter(chosen)  # type: ignore[arg-type]
    assert control.turn.id == first
    for _ in range(turns - 1):
        control.go(1)
    last = control.turn.id
    control.go(1)
    assert control.turn.id == last and control.notice == "There is no turn behind this one."


def test_a_second_annotator_sees_nothing_of_the_first(annotated: Path, hands: Hands) -> None:
    control = control_over(annotated, hands, "w9", second=True)
    control.open("e00-01-003")
    assert control.work.context == () and control.work.sro == "how about paul tai"
    assert control.progress.done_in_all == 0
    control.save_and_next()
    assert said(annotated, "e00-01-003", "w9")["category"]["eval_class"] == "A"
    assert "e00-01-003" in control.shelf.volume("e00-01-003").differing


def test_nobody_to_second_and_nothing_to_rule_is_one_sentence(bare: Path, hands: Hands) -> None:
    with pytest.raises(CurtainError, match="leave out --second"):
        control_over(bare, hands, second=True)
    with pytest.raises(CurtainError, match="nothing to rule"):
        control_over(bare, hands, adjudicates=True)


def test_practice_and_pilot_sessions_are_left_out(bare: Path, hands: Hands) -> None:
    turns = control_over(bare, hands).shelf.turns()
    assert "e00-01-001" not in turns and not [one for one in turns if one.startswith("p00")]


def test_more_than_six_readings_are_refused_in_words(control: AnnotateControl) -> None:
    for _ in range(6):
        control.add_reading()
    assert len(control.work.readings) == 6 and "hopelessly vague" in control.notice
    control.change(lambda work: TurnAnnotation())
    assert control.turn.reading == 0
