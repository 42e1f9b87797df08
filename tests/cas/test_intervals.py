"""Intervals against figures computed by hand and by other programs."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.cas.scoring.intervals import error_half_width, mean_interval, student, wald_1992, wilson


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        # For 0 of n it is z^2 / (n + z^2): 3.841459 / 13.841459.
        (0, 10, 0.0, 27.753280),
        (10, 10, 72.246720, 100.0),
        # From statsmodels 0.15, proportion_confint(method="wilson").
        (65, 145, 36.970462, 52.951700),
        (148, 193, 70.233242, 82.093133),
        (95, 140, 59.733226, 75.027267),
    ],
)
def test_the_wilson_interval_is_that_of_other_programs(count: int, total: int, low: float, high: float) -> None:
    interval = wilson(count, total)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-5)


def test_without_items_there_is_no_interval() -> None:
    assert wilson(0, 0) is None
    assert wald_1992(45, 0) is None
    assert error_half_width(0, 0, 0) is None
    assert mean_interval([], []) is None


def test_the_half_width_of_the_1992_paper_is_8_points() -> None:
    """papers/001, 2.3, footnote 3: e = 0.45, n = 145, 0.08."""
    width = wald_1992(45, 145)
    assert width == pytest.approx(100 * 1.96 * math.sqrt(0.45 * 0.55 / 145))
    assert round(width or 0) == 8


def test_a_weighted_error_over_100_is_no_proportion_and_has_no_wald_half_width() -> None:
    assert wald_1992(120, 145) is None


@pytest.mark.parametrize(
    ("wrong", "unanswered", "half_width"),
    # Both have a weighted error of 45 %: the paper's 8 points are too few. With n = 1000 to have whole counts,
    # scaled back to n = 145: 1.96 sqrt((4w + a - .45^2) / 145) = 10.9 and 13.6.
    [(100, 250, 10.9), (225, 0, 13.6)],
)
def test_a_wrong_answer_counts_twice_in_the_spread_of_the_weighted_error(
    wrong: int, unanswered: int, half_width: float
) -> None:
    width = error_half_width(wrong, unanswered, 1000)
    assert width is not None
    assert width * math.sqrt(1000 / 145) == pytest.approx(half_width, abs=0.05)


SPEAKERS = ("a", "b", "c", "d", "e")


def _interval(values: Sequence[float], speakers: Sequence[str | None] = ()) -> tuple[float, float]:
    interval = mean_interval(values, speakers or [None] * len(values))
    assert interval is not None
    assert interval.by == ("speaker" if speakers else "utterance")
    return interval.low, interval.high


@pytest.mark.parametrize(
    ("right", "wrong", "none", "low", "high"),
    [
        # Right or wrong alone: twice the Wilson interval of the right ones, less 100.
        (97, 3, 0, 83.096, 97.949),
        (12, 3, 0, 9.629, 85.905),
        # Where all are the same, Clopper and Pearson: 200 * 0.025 ** (1 / n) - 100.
        (100, 0, 0, 92.757, 100),
        (0, 5, 0, -100, 4.365),
        (1, 0, 0, -95, 100),
        # Without any answer, both ends are as far away: z^2 / (30 + z^2).
        (0, 0, 30, -11.351, 11.351),
    ],
)
def test_the_interval_of_independent_utterances_is_that_of_tango(
    right: int, wrong: int, none: int, low: float, high: float
) -> None:
    assert _interval([1.0] * right + [-1.0] * wrong + [0.0] * none) == pytest.approx((low, high), abs=0.01)


@given(st.lists(st.sampled_from((-1.0, 0.0, 1.0)), min_size=2, max_size=300).filter(lambda said: len(set(said)) > 1))
def test_it_is_the_closed_form_for_three_values(values: list[float]) -> None:
    """Tango 1998, equation 8: the discordant share that fits best with a difference, as the root of a quadratic."""
    n, up, down = len(values), values.count(1) / len(values), values.count(-1) / len(values)
    for end in _interval(values):
        mean = end / 100
        if abs(mean) == 1:
            continue
        b, c = (2 - up + down) * mean - up - down, -down * mean * (1 - mean)
        share = (math.sqrt(b * b - 8 * c) - b) / 4
        spread = math.sqrt(n * (2 * share + mean * (1 - mean)))
        assert abs(n * (up - down - mean)) / spread == pytest.approx(1.959964, abs=1e-4)


# From scipy 1.17, t.ppf(0.975, degrees).
@pytest.mark.parametrize(
    ("degrees", "percentile"), [(4, 2.77645), (5.5, 2.50186), (9, 2.26216), (30, 2.04227), (1e6, 1.95997)]
)
def test_students_percentile_is_that_of_scipy(degrees: float, percentile: float) -> None:
    assert student(degrees) == pytest.approx(percentile, abs=1e-3)


def test_an_interval_stays_within_the_possible_scores_and_has_width_at_the_ends() -> None:
    speakers = [SPEAKERS[index // 10] for index in range(50)]
    low, high = _interval([1.0] * 50, speakers)
    # Fifty, at a correlation of 0.1 between ten of one speaker, are as many as 50 / 1.9.
    assert (low, high) == pytest.approx((200 * 0.025 ** (1.9 / 50) - 100, 100))
    assert _interval([-1.0] * 50, speakers) == pytest.approx((-high, -low))


def test_utterances_stay_with_their_speaker() -> None:
    """Speakers who are all right or all wrong spread the score more than the same utterances shuffled."""
    values = [1.0] * 30 + [-1.0] * 30
    apart = _interval(values, [SPEAKERS[index // 12] for index in range(60)])
    mixed = _interval(values, [SPEAKERS[index % 5] for index in range(60)])
    assert apart[1] - apart[0] > 3 * (mixed[1] - mixed[0])


def test_with_fewer_than_five_named_speakers_utterances_count() -> None:
    for speakers in (["a", "b", "c"] * 2, [*SPEAKERS, None]):
        interval = mean_interval([1.0, -1.0] * 3, speakers)
        assert interval is not None and interval.by == "utterance"


COVER = [
    (rate, correlation, speakers, most)
    for rate in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
    for correlation in (0.0, 0.05, 0.2)
    for speakers in (5, 8, 12, 20, 40)
    for most in (6, 30)
]


@pytest.mark.soak
def test_the_interval_covers_the_true_score_of_speakers_as_often_as_it_says() -> None:
    """A speaker answers `most / 3` to `most` questions; of those that are not right, 60 in 100 are wrong.

    Prints the table of docs/scoring.md. Few speakers, or independent utterances, may be covered too often: nobody
    can know from so few that they are alike.
    """
    random = np.random.default_rng(2026)
    for rate, correlation, speakers, most in COVER:
        covered = sum(_covers(random, rate, correlation, speakers, most) for _ in range(500))
        print(f"{rate:5} {correlation:5} {speakers:3} {most:3} {covered / 5:6.1f}")
        bounds = wilson(covered, 500)
        assert bounds is not None and bounds.high >= 92
        assert bounds.low <= 98 or correlation < 0.2 or rate == 1


def _covers(random: np.random.Generator, rate: float, correlation: float, speakers: int, most: int) -> bool:
    values: list[float] = []
    names: list[str] = []
    for speaker in range(speakers):
        spread = 1 / correlation - 1 if correlation else 0
        skill = random.beta(rate * spread, (1 - rate) * spread) if spread and rate < 1 else rate
        chances = random.random(int(random.integers(most // 3, most + 1)))
        values += [1.0 if one < skill else -1.0 if one < skill + 0.6 * (1 - skill) else 0.0 for one in chances]
        names += [str(speaker)] * len(chances)
    low, high = _interval(values, names)
    return low - 1e-9 <= 100 * (rate - 0.6 * (1 - rate)) <= high + 1e-9
