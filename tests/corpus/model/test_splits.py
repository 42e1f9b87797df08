"""Splits by speaker: seeded, near their aims, and nobody ever moves; bad input is one sentence and exit 2."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.commands.corpus import upkeep
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.splits import SPLITS_FILE, Splits, counted, draw, read_splits, sizes_of
from tests.support.everywhere import Call

SHARES = {"dev": 0.1, "test": 0.2}
SIZES = st.dictionaries(st.from_regex(r"[a-z0-9]{3}", fullmatch=True), st.integers(1, 60), max_size=40)


@given(SIZES, SIZES, st.integers(0, 10_000))
def test_later_speakers_move_nobody_and_the_seed_decides(
    first: dict[str, int], later: dict[str, int], seed: int
) -> None:
    before = draw(first, Splits(), SHARES, seed)
    after = draw({**later, **first}, before, SHARES, seed)
    assert all(after.by_speaker[who] == split for who, split in before.by_speaker.items())
    assert set(after.by_speaker) == {*first, *later}
    assert draw(first, Splits(), SHARES, seed) == before


@given(st.integers(0, 1000))
def test_many_speakers_come_near_the_aims(seed: int) -> None:
    sizes = {f"a{number:02}": 20 + number % 7 for number in range(60)}
    rows = {row.split: row for row in counted(sizes, draw(sizes, Splits(), SHARES, seed))}
    # Each of two splits may be over by one speaker, and the third then lacks both.
    assert all(abs(row.utterances - row.aim) <= 2 * 26 for row in rows.values())
    assert sum(row.utterances for row in rows.values()) == sum(sizes.values())


@given(st.integers(0, 1000))
def test_three_speakers_are_enough_for_three_splits(seed: int) -> None:
    places = draw({"a00": 10, "b00": 50, "c00": 20}, Splits(), SHARES, seed).by_speaker
    assert sorted(places.values()) == ["dev", "test", "train"]


def test_another_seed_draws_otherwise() -> None:
    sizes = {f"a{number:02}": 10 for number in range(40)}
    assert draw(sizes, Splits(), SHARES, 1).by_speaker != draw(sizes, Splits(), SHARES, 2).by_speaker


@pytest.mark.parametrize("shares", [{"dev": -0.1, "test": 0}, {"dev": 0.5, "test": 0.5}, {"dev": 1.0, "test": 0}])
def test_shares_that_leave_nothing_to_train_on_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(CurtainError):
        draw({"a00": 1}, Splits(), shares, 1)


def test_a_share_of_nothing_gets_nobody() -> None:
    sizes = {f"a{number:02}": 10 for number in range(10)}
    assert set(draw(sizes, Splits(), {"dev": 0.0, "test": 0.0}, 1).by_speaker.values()) == {"train"}


def test_pilot_practice_and_cancelled_turns_do_not_count(toy: Path) -> None:
    sessions = open_corpus([toy], Filters(pilot=True, practice=True, live=True)).sessions()
    assert sizes_of(sessions) == {"e00": 21, "0a1": 22, "zz9": 11, "m10": 11}


def test_the_command_fixes_the_places_in_the_study(own_toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upkeep.split(own_toy, as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    first = dict(read_splits(own_toy).by_speaker)
    assert sum(one["speakers"] for one in printed["splits"].values()) == 4 and "p00" not in first
    assert printed["seed"] == 1992 and printed["shares"] == {"dev": 0.1, "test": 0.2}
    shutil.rmtree(own_toy / "sessions" / "zz9-01")
    assert upkeep.split(own_toy, dev=0.3, test=0.3) == 0
    assert dict(read_splits(own_toy).by_speaker) == first
    assert "0 new speakers" in capsys.readouterr().out


def test_the_seed_cannot_change_afterwards(own_toy: Path) -> None:
    upkeep.split(own_toy, seed=7)
    with pytest.raises(CurtainError, match="drawn with the seed 7"):
        upkeep.split(own_toy, seed=8)


@pytest.mark.parametrize("text", ["", "[]", '{"speakers": {"e00": "all"}}', "\xff"])
def test_a_damaged_file_of_splits_is_never_drawn_anew(own_toy: Path, text: str) -> None:
    (own_toy / SPLITS_FILE).write_text(text, "latin-1")
    with pytest.raises(CurtainError, match="damaged"):
        upkeep.split(own_toy)
    assert (own_toy / SPLITS_FILE).read_text("latin-1") == text


def test_a_folder_that_is_no_study_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CurtainError):
        upkeep.split(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["split", "nowhere"], "There is no study in nowhere"),
        (["split", "STUDY", "--test", "1.5"], "The share of test is 1.5"),
        (["forget", "STUDY", "e0"], "speaker id 'e0' cannot be used"),
        (["forget", "STUDY", "e00"], "Nothing was erased"),
    ],
)
def test_bad_input_is_one_sentence(toy: Path, call: Call, arguments: list[str], part: str) -> None:
    code, _, seen = call(*(str(toy) if one == "STUDY" else one for one in arguments))
    assert code == 2 and part in seen and len(seen.strip().splitlines()) == 1
    assert (toy / "sessions" / "e00-01").exists()
