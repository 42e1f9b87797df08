"""The rows of practice: kept line by line, summed up by sitting, and free of what an erased speaker said."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.record_file import BadRecords
from curtain_practice.course import StepTimes
from curtain_practice.sittings import (
    PracticeTurn,
    add_turn,
    forget_speaker,
    level_of,
    levels_in,
    read_turns,
    sittings_of,
)


def _turn(right: bool = True, sitting: str = "2026-03-01T09:00:00Z", **changes: object) -> PracticeTurn:
    given = "answer" if right else "unable"
    fields: dict[str, object] = {
        "sitting": sitting, "utterance_id": "e00-01-001", "right": right, "expected": "answer", "given": given,
        "times": StepTimes(transcribe_ms=4000, answer_ms=6000), "original": StepTimes(transcribe_ms=1, answer_ms=2),
    }  # fmt: skip
    return PracticeTurn(**(fields | changes))  # type: ignore[arg-type]


def test_a_sitting_is_summed_up() -> None:
    turns = [_turn(), _turn(missed=True), _turn(right=False), _turn(expected="unable", given="unable")]
    (sitting,) = sittings_of(turns)
    assert (sitting.turns, sitting.right, sitting.missed) == (4, 3, 1)
    assert (sitting.median_ms, sitting.transcribe_ms, sitting.answer_ms) == (10_000, 4000, 6000)
    assert sitting.original_median_ms == 3
    assert sitting.interval.low < 75 < sitting.interval.high
    # Expected: answer 3, unable 1. Given: answer 2, unable 2. Chance 0.5, agreed 3 of 4.
    assert sitting.kappa == pytest.approx(0.5)


def test_agreement_that_never_varied_is_none_and_times_nobody_knows_are_none() -> None:
    (sitting,) = sittings_of([_turn(original=StepTimes(), times=StepTimes(transcribe_ms=1))])
    assert sitting.kappa is None and sitting.median_ms is None and sitting.original_median_ms is None


def test_a_level_needs_a_sitting_that_is_long_enough_and_the_latest_counts() -> None:
    first = [_turn(right=False, sitting="2026-03-01") for _ in range(10)]
    second = [_turn(right=number > 0, sitting="2026-03-02") for number in range(10)]
    short = [_turn(right=False, sitting="2026-03-03")]
    assert level_of([*second, *first, *short]) == 0.9
    assert level_of(short) is None


@given(st.lists(st.builds(_turn, st.booleans(), st.sampled_from(["a", "b"]), reason=st.text(max_size=20))))
def test_what_was_added_is_read_again(tmp_path_factory: pytest.TempPathFactory, turns: list[PracticeTurn]) -> None:
    study = tmp_path_factory.mktemp("study")
    for turn in turns:
        add_turn(study, "kim", turn)
    assert read_turns(study, "kim") == turns
    assert sum(one.turns for one in sittings_of(turns)) == len(turns)


def test_a_line_that_a_crash_cut_off_is_named_and_the_next_turn_stays_whole(tmp_path: Path) -> None:
    add_turn(tmp_path, "kim", _turn())
    path = tmp_path / "training" / "kim.jsonl"
    path.write_bytes(path.read_bytes() + b'{"sitting":"2026')
    add_turn(tmp_path, "kim", _turn(right=False))
    assert len(path.read_bytes().splitlines()) == 3
    with pytest.raises(BadRecords, match="line 2"):
        read_turns(tmp_path, "kim")
    assert levels_in(tmp_path) == {}


def test_levels_are_by_wizard(tmp_path: Path) -> None:
    for number in range(10):
        add_turn(tmp_path, "kim", _turn(right=number > 1))
        add_turn(tmp_path, "lee", _turn())
    assert levels_in(tmp_path) == {"kim": 0.8, "lee": 1.0}


def test_what_an_erased_speaker_said_goes_and_the_judgement_stays(tmp_path: Path) -> None:
    add_turn(tmp_path, "kim", _turn(sql="SELECT 1 -- e00"))
    add_turn(tmp_path, "kim", _turn(utterance_id="f00-01-001", sql="SELECT 2"))
    (tmp_path / "training" / "kim.course.json").write_text("{}", "utf-8")
    forget_speaker(tmp_path, "e00")
    first, second = read_turns(tmp_path, "kim")
    assert (first.utterance_id, first.sql, first.right) == ("erased", "", True)
    assert second.sql == "SELECT 2"
    assert [path.name for path in (tmp_path / "training").iterdir()] == ["kim.jsonl"]
