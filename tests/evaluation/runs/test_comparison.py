"""Two conditions compared: exact tests against scipy, and what the design cannot decide."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from curtain.cas.scoring.significance import holm
from curtain.evaluation.runs.by_subject import difference_interval, ratio_interval, subjects_needed
from curtain.evaluation.runs.comparison import compare_conditions, fisher_exact, newcombe
from curtain.evaluation.runs.rerandomisation import Rerandomiser
from curtain.evaluation.runs.run import RunRecord

TIME = lambda run: None if run.completion_s is None else (run.completion_s, 1.0)  # noqa: E731


def two_orders(subjects, effect=0.0, seed=1):
    """Four scenarios, both systems, orders in turn; `effect` is added under system b."""
    random = np.random.default_rng(seed)
    runs = []
    for number in range(subjects):
        first, second = ("a", "b") if number % 2 == 0 else ("b", "a")
        for scenario in range(1, 5):
            condition = first if scenario < 3 else second
            time = 300 + 40 * scenario + random.normal(0, 60) + effect * (condition == "b")
            runs.append(RunRecord(f"s{number}", str(scenario), condition, completion_s=time, position=scenario))
    return runs


@pytest.mark.parametrize("tables", [((27, 30), (21, 30)), ((30, 30), (25, 30)), ((0, 5), (5, 5)), ((1, 9), (3, 4))])
def test_fishers_test_is_that_of_scipy(tables):
    from scipy import stats

    (a, n), (b, m) = tables
    assert fisher_exact(*tables) == pytest.approx(stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue, abs=1e-12)


def test_the_headline_of_the_paper_is_less_sure_than_it_sounds():
    """papers/004: 27 against 21 and 30 against 25 of 30 runs; five preferred one system, one the other."""
    assert round(fisher_exact((27, 30), (21, 30)), 2) == 0.10
    assert round(fisher_exact((30, 30), (25, 30)), 3) == 0.052
    runs = [
        RunRecord(f"s{number}", "1", "ab"[number % 2], preference="a" if number < 5 else "b" if number == 5 else "none")
        for number in range(10)
    ]
    comparison = compare_conditions(runs, ("a", "b"), seed=1992)
    assert comparison.preferred == (5, 1, 4)
    assert round(comparison.sign_test, 2) == 0.22


def test_holm_is_that_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    random = np.random.default_rng(7)
    for size in (1, 2, 5, 9):
        ps = list(random.uniform(0, 0.3, size))
        assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]), abs=1e-12)


def test_the_interval_of_a_difference_of_shares_is_newcombes():
    """Newcombe 1998, table II, case (a): 56 of 70 against 48 of 80 gives [5.24, 33.39] by method 10."""
    interval = newcombe((56, 70), (48, 80))
    assert (round(interval.low, 2), round(interval.high, 2)) == (5.24, 33.39)


def test_fifteen_subjects_in_two_orders_are_counted_in_all_6435_ways():
    """papers/004: eight subjects had one order, seven the other."""
    test = Rerandomiser(two_orders(15), ("a", "b"), seed=1992).test(TIME)
    assert (test.assignments, test.exact) == (6435, True)


def test_the_exact_p_is_that_of_moving_every_subject_by_hand():
    runs = two_orders(7, effect=80)
    by_hand = []
    orders = [dict(zip("1234", order, strict=True)) for order in ("aabb", "bbaa")]
    observed = None
    for chosen in combinations(range(7), 4):
        moved = [
            replace(run, condition=orders[0 if int(run.subject[1:]) in chosen else 1][run.scenario]) for run in runs
        ]
        sides = [[run.completion_s for run in moved if run.condition == condition] for condition in "ab"]
        by_hand.append(np.mean(sides[0]) - np.mean(sides[1]))
        if set(chosen) == {0, 2, 4, 6}:
            observed = by_hand[-1]
    p = np.mean([abs(difference) >= abs(observed) - 1e-9 for difference in by_hand])

    test = Rerandomiser(runs, ("a", "b"), seed=1992).test(TIME)

    assert test.difference == pytest.approx(observed)
    assert test.p == pytest.approx(p)


def test_too_many_ways_are_drawn_and_the_p_is_never_zero():
    test = Rerandomiser(two_orders(60, effect=500), ("a", "b"), seed=1992).test(TIME)
    assert not test.exact
    assert 0 < test.p < 0.001


def test_three_orders_are_used_as_often_as_they_were():
    runs = [
        RunRecord(f"s{number}", scenario, condition, completion_s=100.0 + number)
        for number in range(6)
        for scenario, condition in zip("12", ("ab", "ba", "aa")[number % 3], strict=True)
    ]
    test = Rerandomiser(runs, ("a", "b"), seed=1992).test(TIME)
    assert test.assignments == 90


def test_the_interval_of_a_mean_is_students():
    from scipy import stats

    values = [3.0, 4.0, 8.0, 1.0, 9.0]
    low, high = ratio_interval([(value, 1.0) for value in values])
    assert (low, high) == pytest.approx(stats.t.interval(0.95, 4, np.mean(values), stats.sem(values)), abs=2e-3)


def test_the_interval_of_a_paired_difference_of_means_is_students():
    from scipy import stats

    sides = [[(value, 1.0) for value in side] for side in ((3.0, 4.0, 8.0, 1.0, 9.0), (2.0, 5.0, 6.0, 0.0, 5.0))]
    apart = [one - other for (one, _), (other, _) in zip(*sides, strict=True)]
    expected = stats.t.interval(0.95, 4, np.mean(apart), stats.sem(apart))
    assert difference_interval(*sides) == pytest.approx(expected, abs=2e-3)


def test_a_share_has_an_interval_where_all_are_right_or_none():
    """Ten subjects, four tasks each: as 40 tasks less what hangs together within a subject, 40 / 1.3."""
    low, high = ratio_interval([(400.0, 4.0)] * 10, most=100.0)
    assert (low, high) == pytest.approx((100 * 0.025 ** (1.3 / 40), 100))
    assert ratio_interval([(0.0, 4.0)] * 10, most=100.0) == pytest.approx((0, 100 - low))
    below, above = difference_interval([(400.0, 4.0)] * 10, [(0.0, 4.0)] * 10, most=100.0)
    assert (below, above) == pytest.approx((100 - math.hypot(100 - low, 100 - low), 100))


def test_an_interval_moves_with_the_unit():
    sides = [[(3.0, 1.0), (4.0, 1.0), (8.0, 2.0), (1.0, 1.0), (9.0, 2.0)], [(1.0, 1.0), (2.0, 1.0)] * 2 + [(1.0, 1.0)]]
    low, high = difference_interval(*sides)
    scaled = [[(60 * above, below) for above, below in side] for side in sides]
    assert difference_interval(*scaled) == pytest.approx((60 * low, 60 * high))


@pytest.mark.parametrize("subjects", [[(1.0, 1.0)] * 4, [(3.0, 1.0)] * 9], ids=["too few", "all alike"])
def test_where_nothing_was_measured_there_is_no_interval(subjects):
    assert ratio_interval(subjects) is None


def test_a_larger_difference_needs_fewer_subjects():
    differences = list(np.random.default_rng(2).normal(0, 100, 12))
    small, large = (subjects_needed(differences, wanted, seed=1992) for wanted in (60, 120))
    assert large.enough() < small.enough()
    assert subjects_needed(differences, 0, seed=1992).power[-1][1] < 0.12


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        (two_orders(4), "Within a scenario the system was between subjects"),
        ([run for run in two_orders(4) if run.subject in ("s0", "s2")], "All subjects had the same order"),
        (
            [run for run in two_orders(4) if run.subject != "s0" or run.scenario in "12"],
            "1 of 4 subjects worked under one condition only",
        ),
        (two_orders(4), "No subject stated a preference."),
    ],
)
def test_what_the_design_cannot_tell_is_said_in_words(runs, sentence):
    limits = compare_conditions(runs, ("a", "b"), seed=1992).limits
    assert any(sentence in limit for limit in limits)


def test_solutions_are_paired_within_subjects_in_the_order_of_work():
    runs = [replace(run, solution="correct" if run.condition == "a" else "none") for run in two_orders(6)]

    comparison = compare_conditions(runs, ("a", "b"), seed=1992)

    assert comparison.pairs == ((0, 0, 12), (0, 0, 0), (0, 0, 0))
    assert comparison.mcnemar == pytest.approx(2 * 0.5**12)
