"""Intervals against figures computed by hand and by other programs."""

import math
import statistics
from itertools import product
from random import Random

import pytest

from curtain.cas.scoring.intervals import bootstrap, error_half_width, wald_1992, wilson


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
    assert bootstrap([], [], seed=1) is None


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


def test_the_bootstrap_by_speaker_is_that_of_all_possible_draws() -> None:
    """Five speakers of ten utterances each: 5^5 = 3,125 draws, each measured in its own standard error."""
    right = dict(zip(SPEAKERS, (3, 4, 5, 6, 8), strict=True))
    values = [1 if number < right[one] else 0 for one in SPEAKERS for number in range(10)]
    mean, error = _mean_and_error(list(right.values()))
    drawn = [_mean_and_error([right[one] for one in draw]) for draw in product(SPEAKERS, repeat=5)]
    distances = sorted((one - mean) / max(its_error, error / 4) for one, its_error in drawn)
    interval = bootstrap(values, [one for one in SPEAKERS for _ in range(10)], seed=7)
    assert interval.by == "speaker"
    assert interval.low == pytest.approx(mean - error * distances[int(0.975 * 3125)], abs=4)
    assert interval.high == pytest.approx(mean - error * distances[int(0.025 * 3125)], abs=4)
    assert interval.low < mean < interval.high


def _mean_and_error(right: list[int]) -> tuple[float, float]:
    """In percent, of five speakers with ten utterances each."""
    return sum(right) * 2, 10 * statistics.stdev(right) / math.sqrt(5)


def test_the_bootstrap_covers_the_true_score_of_few_speakers_as_often_as_it_says() -> None:
    """400 samples of 8 speakers, whose true score is 33.3: plain percentiles cover it 86 times in 100."""
    random = Random(1992)
    covered = 0
    for _ in range(400):
        skills = [random.betavariate(4, 2) for _ in range(8)]
        said = [(1 if random.random() < skill else -1, str(one)) for one, skill in enumerate(skills) for _ in range(20)]
        interval = bootstrap([float(value) for value, _ in said], [speaker for _, speaker in said], seed=1)
        covered += interval.low <= 100 / 3 <= interval.high
    assert 0.92 < covered / 400 < 0.98


def test_an_interval_stays_within_the_possible_scores() -> None:
    interval = bootstrap([1.0] * 24 + [-1.0], [SPEAKERS[index // 5] for index in range(25)], seed=2)
    assert -100 <= interval.low < 92 < interval.high <= 100


def test_utterances_stay_with_their_speaker() -> None:
    """Speakers who are all right or all wrong spread the score more than the same utterances shuffled."""
    values = [1] * 30 + [-1] * 30
    apart = bootstrap(values, [SPEAKERS[index // 12] for index in range(60)], seed=3)
    mixed = bootstrap(values, [SPEAKERS[index % 5] for index in range(60)], seed=3)
    assert apart is not None and mixed is not None
    assert apart.high - apart.low > 5 * (mixed.high - mixed.low)


def test_with_fewer_than_five_speakers_utterances_are_drawn() -> None:
    """100 utterances, half right, half wrong: the standard error of the score is 100 / sqrt(100) = 10."""
    interval = bootstrap([1, -1] * 50, ["a", "b"] * 50, seed=5)
    assert interval.by == "utterance"
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 10, rel=0.05)


def test_an_utterance_without_a_speaker_is_no_speaker() -> None:
    interval = bootstrap([1.0] * 6, [*SPEAKERS, None], seed=5)
    assert interval is not None and interval.by == "utterance"


def test_the_same_seed_gives_the_same_interval() -> None:
    values, speakers = [1.0 / n for n in range(1, 31)], [f"s{n % 15}" for n in range(30)]
    assert bootstrap(values, speakers, seed=11) == bootstrap(values, speakers, seed=11)
    assert bootstrap(values, speakers, seed=11) != bootstrap(values, speakers, seed=12)
