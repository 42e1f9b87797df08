"""Which sessions are read before the window opens, and which behind it; and the list of all turns."""

from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.review.control.control import AnnotateControl
from curtain.review.control.shelf import Person, ShelfReader
from curtain.review.control.turn_list import listed, matching
from curtain.session.study.study import load_study
from tests.review.acting import Hands, control_over


def reader_over(study: Path, by: str = "w9", only: tuple[str, ...] = ()) -> ShelfReader:
    return ShelfReader(load_study(study), Person(by), Clock(), only)


def sessions_of(reader: ShelfReader) -> list[str]:
    return [volume.session_id for volume in reader.read_first().volumes]


def test_one_session_is_read_before_the_first_turn_is_open(bare: Path) -> None:
    reader = reader_over(bare)
    assert sessions_of(reader) == ["0a1-01"] and reader.unread == 6


def test_the_session_that_was_worked_on_last_is_read_first(bare: Path, hands: Hands) -> None:
    control = control_over(bare, hands)
    control.open("e00-01-003")
    control.save_and_next()
    reader = reader_over(bare)
    shelf = reader.read_first()
    assert [volume.session_id for volume in shelf.volumes] == ["e00-01"]
    assert shelf.resume_at() == "e00-01-004"


def test_sessions_that_are_read_behind_the_window_take_their_places(bare: Path, hands: Hands) -> None:
    control = control_over(bare, hands)
    control.open("e00-01-003")
    control.save_and_next()
    reader = reader_over(bare)
    shelf = reader.read_first()
    control = AnnotateControl(shelf, hands.write, hands.recompute)
    assert control.progress.unread == 6
    while reader.unread:
        control.take_sessions(reader.read_more(), reader.unread)
    whole = control_over(bare, Hands())
    assert [one.utterance_id for one in control.listed()] == [one.utterance_id for one in whole.listed()]
    assert (control.turn.id, control.progress) == ("e00-01-004", whole.progress)


def test_only_the_sessions_that_were_looked_at_last_stay_in_memory(annotated: Path, hands: Hands) -> None:
    control = control_over(annotated, hands, "w1")
    starts = [volume.turns[0] for volume in control.shelf.volumes if volume.turns]
    for start in starts:
        control.open(start)
    held = [volume.turns[0] for volume in control.shelf.volumes if volume.is_read]
    assert held == starts[-3:] and len(starts) > 3
    before = (control.listed(), control.progress.done_in_all)
    control.open(starts[0])
    assert (control.listed(), control.progress.done_in_all) == before


def test_a_session_that_can_no_longer_be_read_leaves_the_open_turn(bare: Path, hands: Hands) -> None:
    control = control_over(bare, hands)
    (bare / "sessions" / "e00-01" / "session.json").write_text("{")
    assert not control.open("e00-01-003")
    assert control.turn.id == "0a1-01-001" and "e00-01" in control.notice


def test_named_sessions_are_read_alone(bare: Path) -> None:
    reader = reader_over(bare, only=("e00-02",))
    assert sessions_of(reader) == ["e00-02"] and reader.unread == 0
    with pytest.raises(CurtainError, match="There is no session x99-01"):
        reader_over(bare, only=("e00-02", "x99-01"))


def test_a_damaged_session_behind_the_window_is_left_out_and_reported(bare: Path) -> None:
    (bare / "sessions" / "m10-01" / "session.json").write_text("{")
    reader = reader_over(bare)
    reader.read_first()
    while reader.unread:
        reader.read_more()
    (shown,) = reader.skipped
    assert "m10-01" in shown


def test_a_search_takes_words_numbers_and_states_in_any_case(bare: Path, hands: Hands) -> None:
    control = control_over(bare, hands)
    control.save_and_next()
    control.toggle_tag("book")
    control.keep_draft()
    turns = listed(control.shelf, ())
    assert [one.utterance_id for one in matching(turns, "done")] == ["0a1-01-001"]
    assert [one.utterance_id for one in matching(turns, "DRAFT")] == ["0a1-01-002"]
    assert {one.turn for one in matching(turns, "e00-01 turn 3")} == {3}
    assert "josé vásquez" in matching(turns, "JOSÉ earn")[0].query
    assert matching(turns, "no such words") == [] and matching(turns, "  ") == turns
