"""Samples of turns: the same for everybody, and stable."""

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.sample import SEED, Sample, sample_of

IDS = [f"{n:03}-01-{turn:03}" for n in range(200) for turn in range(1, 51)]


def drawn(sample: Sample) -> list[str]:
    return [one for one in IDS if one in sample]


def test_a_sample_holds_about_its_share_and_a_larger_one_holds_the_smaller() -> None:
    tenth, third = drawn(Sample(10)), drawn(Sample(33))
    assert 900 < len(tenth) < 1100 and 3100 < len(third) < 3500
    assert set(tenth) <= set(third)
    assert drawn(Sample(100)) == IDS


def test_another_seed_draws_other_turns_and_the_same_seed_the_same() -> None:
    assert drawn(Sample(10, 1)) != drawn(Sample(10, 2))
    # Two people on two machines, with two versions of Curtain, must draw the same: these turns never change.
    assert [one for one in IDS[:30] if one in Sample(10)] == [
        "000-01-009", "000-01-016", "000-01-019", "000-01-022", "000-01-030",
    ]  # fmt: skip


@pytest.mark.parametrize(("shown", "percent"), [("10%", 10), ("10", 10), (" 12.5 % ", 12.5), ("100%", 100)])
def test_a_share_is_read_in_per_cent(shown: str, percent: float) -> None:
    assert sample_of(shown, None) == Sample(percent, SEED)


@pytest.mark.parametrize("shown", ["", "0", "0%", "101%", "ten", "-5%", "1e1", "10%%"])
def test_what_is_no_share_is_refused_in_a_sentence(shown: str) -> None:
    with pytest.raises(CurtainError, match="give per cent over 0 and up to 100"):
        sample_of(shown, 3)
