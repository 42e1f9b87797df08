"""Tests of two systems against figures computed by hand and by other programs."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.cas.scoring.significance import Table, mcnemar, paired_permutation, stuart_maxwell


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        # From scipy 1.17, binomtest(k, n).pvalue.
        (5, 16, 0.02660369873046875),
        (45, 55, 0.36820161732669615),  # where a normal approximation printed elsewhere gives almost 0
        (500, 400, 0.0009564441369189373),
        (4800, 5200, 6.593515598672343e-05),
    ],
)
def test_mcnemar_is_the_exact_binomial(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p, rel=1e-9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_sum_of_its_definition_and_blind_to_the_order(first: int, second: int) -> None:
    total = first + second
    tail = 2 * sum(math.comb(total, k) for k in range(min(first, second) + 1)) / 2**total
    assert mcnemar(first, second) == mcnemar(second, first) == pytest.approx(min(1.0, tail), rel=1e-9)


@pytest.mark.parametrize(
    ("table", "p"),
    [
        # statsmodels 0.15, SquareTable.homogeneity("stuart_maxwell"): 6.0810811 with two degrees.
        (((20, 5, 10), (3, 15, 6), (2, 4, 30)), 0.047809039784212026),
        # Only right and wrong are exchanged: (4 - 1)^2 / 5 = 1.8 with one degree of freedom.
        (((5, 4, 0), (1, 5, 0), (0, 0, 3)), 0.1797124948789901),
        (((5, 0, 0), (0, 5, 0), (0, 0, 3)), 1.0),
        (((0, 0, 0), (0, 0, 0), (0, 0, 0)), 1.0),
    ],
)
def test_stuart_maxwell_is_that_of_other_programs(table: Table, p: float) -> None:
    assert stuart_maxwell(table) == pytest.approx(p, rel=1e-9)


def every_flip(sums: Sequence[Fraction | int]) -> float:
    exact = [Fraction(one) for one in sums]
    observed = abs(sum(exact, Fraction(0)))
    flips = [
        abs(sum((s * one for s, one in zip(signs, exact, strict=True)), Fraction(0))) for signs in signs_of(len(exact))
    ]
    return sum(flip >= observed for flip in flips) / len(flips)


def signs_of(count: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=count))


@pytest.mark.parametrize(
    ("sums", "p"),
    # p counted by hand over all flips: of 2^7, 2^5 (the two corners: 2 / 32) and 2^6.
    [((3, 1, -2, 4, 2, 0, 1), 0.1875), ((5, 5, 5, 5, 5), 0.0625), ((1, -1, 2, 2, 3, 1), 0.125)],
)
def test_the_permutation_test_counts_every_flip_of_the_speakers(sums: tuple[int, ...], p: float) -> None:
    speakers = [f"s{index}" for index in range(len(sums))]
    test = paired_permutation(sums, speakers, seed=1)
    assert test.p == pytest.approx(p) == pytest.approx(every_flip(sums))
    assert test.exact and test.by == "speaker"


def test_a_speaker_is_flipped_as_a_whole() -> None:
    """Five speakers, three utterances each, all one better: 2 of 32 flips, not 2 of 32,768."""
    test = paired_permutation([1] * 15, [f"s{index % 5}" for index in range(15)], seed=1)
    assert test.p == pytest.approx(2 / 32)
    assert test.smallest == pytest.approx(2 / 32)


def test_with_fewer_than_five_speakers_utterances_are_flipped() -> None:
    test = paired_permutation([1] * 8, ["a", "b"] * 4, seed=1)
    assert test.by == "utterance"
    assert test.p == pytest.approx(2 / 2**8)


@given(st.lists(st.fractions(-2, 2, max_denominator=6), min_size=5, max_size=9))
def test_weights_of_readings_leave_the_test_exact(differences: list[Fraction]) -> None:
    test = paired_permutation(differences, [f"s{index}" for index in range(len(differences))], seed=1)
    assert test.exact
    assert test.p == pytest.approx(every_flip(differences))


def test_many_utterances_are_drawn_and_come_close_to_the_normal_figure() -> None:
    """10,000 differences of one, 100 more for the first: z = (100 - 1) / 100, p = .322 with its correction."""
    differences = [1] * 5050 + [-1] * 4950
    test = paired_permutation(differences, [None] * 10_000, seed=2)
    assert not test.exact
    assert test.p == pytest.approx(math.erfc(0.99 / math.sqrt(2)), abs=0.01)
    assert test == paired_permutation(differences, [None] * 10_000, seed=2)


def test_two_systems_that_never_differ_do_not_differ() -> None:
    assert paired_permutation([0] * 6, list("abcdef"), seed=1).p == 1.0
    assert paired_permutation([], [], seed=1).p == 1.0
