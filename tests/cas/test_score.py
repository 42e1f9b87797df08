"""Scores: the papers' figures, the edge cases, two systems."""

from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.cas.errors import CasError
from curtain.cas.scoring.intervals import wilson
from curtain.cas.scoring.score import Excluded, Item, ScoreSheet, Tally, contrast, score_sheet, tally

SIGNS = {"R": "correct", "W": "incorrect", "N": "no_answer", "M": "malformed", "U": "undecided"}


def items(outcomes: str, eval_class: str | None = "A", speaker: str | None = None) -> list[Item]:
    return [
        Item(f"{speaker}-{eval_class}-{number:03}", SIGNS[sign], eval_class=eval_class, speaker=speaker)
        for number, sign in enumerate(outcomes)
    ]


def sheet(found: Iterable[Item], name: str = "one") -> ScoreSheet:
    return score_sheet(name, list(found))


# -- the measures -----------------------------------------------------------------------------------------


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_both_forms_of_the_score_agree(right: int, wrong: int, no_answer: int) -> None:
    """papers/001, 2.3: 100 - weighted error; papers/004: % right - % wrong."""
    counts = Tally(right, wrong, no_answer)
    if not counts.total:
        assert counts.score is counts.weighted_error is counts.percent_right is None
        return
    assert counts.percent_right is not None and counts.percent_wrong is not None and counts.weighted_error is not None
    assert counts.score == pytest.approx(counts.percent_right - counts.percent_wrong, abs=1e-9)
    assert counts.score == pytest.approx(100 - counts.weighted_error, abs=1e-9)
    assert 0 <= counts.weighted_error <= 200


def test_malformed_answers_are_wrong_and_undecided_ones_are_neither() -> None:
    counts = tally(items("RRWMNUU"))
    assert (counts.right, counts.wrong, counts.no_answer) == (2, 2, 1)
    assert (counts.malformed, counts.undecided, counts.total) == (1, 2, 5)


def test_a_missing_answer_is_no_answer() -> None:
    counts = tally([Item("a", "no_answer", missing=True), Item("b", "no_answer")])
    assert (counts.no_answer, counts.missing) == (2, 1)


def test_undecided_answers_leave_a_range_for_the_score() -> None:
    """R R W U: 1/3 without it; with it (2 - 2) / 4 = 0 at worst and (3 - 1) / 4 = 50 at best."""
    found = sheet(items("RRWU"))
    assert found.total.tally.score == pytest.approx(100 / 3)
    assert found.score_range == (0.0, 50.0)


# -- tables -----------------------------------------------------------------------------------------------


def test_classes_are_listed_in_order_and_a_plus_d_is_all_three() -> None:
    found = sheet([*items("RRW", "A"), *items("R", "D1"), *items("NN", "D")])
    assert [row.label for row in found.by_class] == ["A", "D1", "D", "A+D"]
    assert [row.tally.total for row in found.by_class] == [3, 1, 2, 6]
    assert found.total.tally == found.by_class[-1].tally


def test_a_class_without_items_has_no_figures_rather_than_zeros() -> None:
    row = next(row for row in sheet(items("RW", "A")).by_class if row.label == "D1")
    assert row.tally.total == 0
    assert [row.tally.percent_right, row.tally.score, row.right, row.score, row.wald_1992] == [None] * 5


def test_what_has_no_class_is_in_the_total_and_in_a_row_of_its_own() -> None:
    found = sheet([*items("RW", "A"), *items("R", None)])
    assert [(row.label, row.tally.total) for row in found.by_class][-2:] == [("A+D", 2), ("no class", 1)]
    assert found.total.tally.total == 3


def test_speakers_are_sorted_by_score_and_the_others_by_name() -> None:
    said = {"ann": "RWW", "bob": "RRR", "cid": "NNN"}
    found = sheet(one for speaker, outcomes in said.items() for one in items(outcomes, speaker=speaker))
    assert [row.label for row in found.by_speaker] == ["bob", "cid", "ann"]


def test_a_grouping_that_nobody_names_has_no_table() -> None:
    found = sheet(items("RW"))
    assert found.by_speaker == found.by_scenario == found.by_site == ()


def test_what_is_not_scored_is_listed_by_reason_the_most_frequent_first() -> None:
    excluded = [Excluded("a", ("wizard-error", "unanswerable")), Excluded("b", ("unanswerable",)), Excluded("c")]
    found = score_sheet("one", items("R"), excluded)
    assert found.excluded == (("unanswerable", 2), ("no reason given", 1), ("wizard-error", 1))
    assert found.excluded_count == 3
    assert found.total.tally.total == 1


def test_right_answers_that_may_be_luck_are_counted() -> None:
    """papers/004, table 1: () is right though the question was misunderstood."""
    found = sheet(
        [
            Item("a", "correct", empty_match=True),
            Item("b", "correct", chance_prone=True),
            Item("c", "incorrect", chance_prone=True),
        ]
    )
    assert (found.empty_matches, found.chance_prone) == (1, 1)


# -- readings by weight -----------------------------------------------------------------------------------


def test_a_less_preferred_reading_counts_by_its_weight() -> None:
    """papers/003, 7.2.2. Two right ones worth 1 and 1/2, one wrong, one without: (1.5 - 1) / 4 = 12.5."""
    found = [
        Item("a", "correct"), Item("b", "correct", credit=Fraction(1, 2)), Item("c", "incorrect"),
        Item("d", "no_answer"),
    ]  # fmt: skip
    counts = tally(found)
    assert (counts.right, counts.credit) == (2, Fraction(3, 2))
    assert counts.score == 12.5
    assert counts.weighted_error == 87.5
    assert counts.percent_right == 50


def test_without_weights_there_is_no_credit_to_tell() -> None:
    assert tally(items("RRW")).credit is None


# -- two systems ------------------------------------------------------------------------------------------


def two(first: str, second: str, speakers: str = "") -> tuple[ScoreSheet, ScoreSheet]:
    """Two systems over the same items; `speakers` has one letter an item."""
    names = [None] * len(first) if not speakers else list(speakers)
    sheets = [
        [Item(str(n), SIGNS[sign], speaker=name) for n, (sign, name) in enumerate(zip(signs, names, strict=True))]
        for signs in (first, second)
    ]
    return sheet(sheets[0], "one"), sheet(sheets[1], "other")


def test_the_3x3_table_counts_what_became_of_the_same_items() -> None:
    compared = contrast(*two("RRRWWNM", "RWNRWRN"))
    #  first down, second across:  right wrong none
    assert compared.table == ((1, 1, 1), (1, 1, 1), (1, 0, 0))
    assert (compared.only_first, compared.only_second) == (2, 2)
    assert compared.difference == pytest.approx(100 * ((3 - 3) - (3 - 2)) / 7)


def test_mcnemar_is_taken_from_right_and_not_right() -> None:
    """16 items only the first had right, 5 only the second: .0266."""
    compared = contrast(*two("R" * 16 + "W" * 5 + "R" * 9, "N" * 16 + "R" * 5 + "R" * 9))
    assert compared.mcnemar == pytest.approx(0.02660369873046875)
    assert not compared.too_few_to_decide


def test_the_difference_is_tested_by_speaker() -> None:
    """Six speakers, each two points better: 2 of 64 flips."""
    compared = contrast(*two("RRRRRR", "WWWWWW", "abcdef"))
    assert compared.difference == 200
    assert compared.permutation.by == "speaker"
    assert compared.permutation.p == pytest.approx(2 / 64)
    assert compared.interval is not None and compared.interval.by == "speaker"


def test_items_undecided_for_one_system_are_left_out_of_the_comparison() -> None:
    compared = contrast(*two("RRU", "RWR"))
    assert compared.left_out == 1
    assert sum(map(sum, compared.table)) == 2


def test_systems_that_answered_other_items_cannot_be_compared() -> None:
    with pytest.raises(CasError, match="same items"):
        contrast(sheet(items("RR"), "one"), sheet(items("R"), "other"))


def test_comparing_nothing_finds_nothing() -> None:
    compared = contrast(*two("", ""))
    assert compared.difference is None and compared.interval is None
    assert compared.mcnemar == compared.stuart_maxwell == compared.permutation.p == 1.0


@pytest.mark.parametrize(("speakers", "by"), [(10, "speaker"), (4, "")])
def test_a_percentage_beside_a_score_keeps_the_utterances_of_a_speaker_together(speakers: int, by: str) -> None:
    """Half of the speakers have all ten right, half of them none: as many facts as there are speakers."""
    items = [
        Item(f"{speaker}-{number}", "correct" if speaker % 2 else "incorrect", "", "A", f"s{speaker}")
        for speaker in range(speakers)
        for number in range(10)
    ]
    right = score_sheet("x", items).total.right
    independent = wilson(5 * speakers, 10 * speakers)
    assert right is not None and independent is not None and right.by == by
    width = (right.high - right.low) / (independent.high - independent.low)
    assert width > 2 if by else width == 1
