"""Two conditions compared: exact tests against scipy, and what the design cannot decide."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from curtain.cas.scoring.significance import holm
from curtain.session.study.analysis import Analysis
from curtain_experiments.report.tables import (
    MIX_DIFFERS,
    SENSITIVITY,
    WHY_SENSITIVITY,
    comparison_sentences,
    contrast_table,
)
from curtain_experiments.runs import rerandomisation
from curtain_experiments.runs.comparison import compare_conditions, measures_of
from curtain_experiments.runs.rerandomisation import NO_PLAN, Rerandomiser
from curtain_experiments.runs.run import RunRecord, read_runs
from curtain_score.by_subject import ratio_interval

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


@pytest.mark.parametrize(
    ("ps", "adjusted"),
    [
        # statsmodels 0.15, multipletests(ps, method="holm").
        ([0.188], [0.188]),
        ([0.269, 0.233], [0.466, 0.466]),
        ([0.068, 0.09, 0.262, 0.002, 0.246], [0.272, 0.272, 0.492, 0.01, 0.492]),
        ([0.239, 0.14, 0.091, 0.084, 0.076, 0.134, 0.299], [0.536, 0.536, 0.532, 0.532, 0.532, 0.536, 0.536]),
    ],
)
def test_holm_is_that_of_statsmodels(ps, adjusted):
    assert holm(ps) == pytest.approx(adjusted)


@pytest.mark.parametrize(
    ("primary", "plain", "within"),
    [
        ("correct solutions", (9.4771, 0.8016), (11.3821, 0.6587)),
        ("completion time", (-100.5941, 0.0079), (-82.8420, 0.0079)),
    ],
)
def test_where_runs_are_missing_a_second_row_compares_each_scenario_with_itself(primary, plain, within):
    runs = [run for run in read_runs(Path(__file__).parent / "runs-one-missing.csv") if not run.excluded]
    compared = compare_conditions(runs, ("robust", "full"), seed=1, analysis=Analysis(primary=primary))
    first, *others = compared.contrasts
    for test, figures in ((first.test, plain), (first.sensitivity, within)):
        assert (test.difference, test.p, test.assignments) == pytest.approx((*figures, 126), abs=5e-5)
    seen = [(run, sums[0]) for run in runs if (sums := measures_of(runs)[primary][2](run))]
    levels = [[run.condition == "robust", *(run.scenario == name for name in "1234")] for run, _ in seen]
    fitted = np.linalg.lstsq(np.array(levels, float), np.array([value for _, value in seen]), rcond=None)[0]
    assert first.sensitivity.difference == pytest.approx(fitted[0])
    assert [SENSITIVITY in row[0] for row in contrast_table(compared, 0.05).rows][:3] == [False, True, False]
    assert WHY_SENSITIVITY in comparison_sentences(compared)
    assert not any(one.sensitivity for one in others)


@pytest.mark.parametrize(("subjects", "differs"), [(9, True), (10, False)])
def test_an_odd_number_of_subjects_shifts_the_mix_of_scenarios_though_no_run_is_missing(subjects, differs):
    compared = compare_conditions(two_orders(subjects), ("a", "b"), seed=1)
    (time,) = compared.contrasts
    assert (
        bool(time.sensitivity) == time.mix_differs == (f"{MIX_DIFFERS}." in comparison_sentences(compared)) == differs
    )


def test_where_no_scenario_was_measured_under_both_conditions_none_is_compared_with_itself():
    some = [run for run in with_plan(two_orders(2)) if run.subject + run.scenario in ("s01", "s12")]
    (time,) = compare_conditions(some, ("a", "b"), seed=1).contrasts
    assert time.mix_differs and time.test and not time.sensitivity


def test_too_many_ways_are_drawn_and_the_p_is_never_zero():
    test = Rerandomiser(two_orders(60, effect=500), ("a", "b"), seed=1992).test(TIME)
    assert not test.exact
    assert 0 < test.p < 0.001


def test_the_interval_of_a_mean_is_students():
    # scipy 1.17, t.interval(0.95, 4, mean(values), sem(values)).
    interval = ratio_interval([(value, 1.0) for value in (3.0, 4.0, 8.0, 1.0, 9.0)])
    assert interval == pytest.approx((0.7893, 9.2107), abs=2e-3)


def test_a_share_has_an_interval_where_all_are_right_or_none():
    """Ten subjects, four tasks each: as 40 tasks less what hangs together within a subject, 40 / 1.3."""
    low, high = ratio_interval([(400.0, 4.0)] * 10, most=100.0)
    assert (low, high) == pytest.approx((100 * 0.025 ** (1.3 / 40), 100))
    assert ratio_interval([(0.0, 4.0)] * 10, most=100.0) == pytest.approx((0, 100 - low))


@pytest.mark.parametrize("subjects", [[(1.0, 1.0)] * 4, [(3.0, 1.0)] * 9], ids=["too few", "all alike"])
def test_where_nothing_was_measured_there_is_no_interval(subjects):
    assert ratio_interval(subjects) is None


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        (two_orders(4), "Within a scenario conditions are compared between"),
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


# -- the planned orders ---------------------------------------------------------------------------------


def with_plan(runs):
    """Each run with all that its subject was to have."""
    plans = {}
    for run in runs:
        plans.setdefault(run.subject, []).append((run.scenario, run.condition))
    return [replace(run, session=run.subject, plan=tuple(plans[run.subject])) for run in runs]


def three_conditions(subjects, seed=3):
    random = np.random.default_rng(seed)
    orders = ("abc", "bca", "cab")
    return [
        RunRecord(f"s{number}", str(place), condition, position=place,
                  completion_s=300 + random.normal(0, 60) + 90 * (condition == "c"))
        for number in range(subjects)
        for place, condition in enumerate(orders[number % 3], 1)
    ]  # fmt: skip


WHOLE = two_orders(9, effect=60)
MISSING = {
    "nothing": lambda run: False,
    "the last run of a subject": lambda run: run.subject == "s7" and run.scenario == "4",
    "the first run of a subject": lambda run: run.subject == "s0" and run.scenario == "1",
    "all that a subject had under one condition": lambda run: run.subject == "s3" and run.scenario in "34",
}  # fmt: skip


def is_missing_in_an_order(run):
    """A run of each second subject: nobody is left with all runs of that order."""
    number = int(run.subject[1:])
    return number % 2 and run.scenario == str(1 + number // 2)


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "not stored"])
@pytest.mark.parametrize("missing", MISSING)
def test_a_run_that_is_missing_leaves_the_design_as_it_was(missing, stored):
    runs = [run for run in (with_plan(WHOLE) if stored else WHOLE) if not MISSING[missing](run)]
    tests = Rerandomiser(runs, ("a", "b"), seed=1)
    assert (tests.planned, tests.test(TIME).assignments) == (2, 126)
    assert tests.limits == (() if stored else (NO_PLAN,))
    # By hand: each subject keeps the times, and gets one of the two planned orders.
    orders = [dict(zip("1234", order, strict=True)) for order in ("aabb", "bbaa")]
    differences = {}
    for chosen in combinations([f"s{number}" for number in range(9)], 5):
        sides = {"a": [], "b": []}
        for run in runs:
            sides[orders[0 if run.subject in chosen else 1][run.scenario]].append(run.completion_s)
        differences[chosen] = np.mean(sides["a"]) - np.mean(sides["b"])
    observed = differences["s0", "s2", "s4", "s6", "s8"]
    p = np.mean([abs(one) >= abs(observed) - 1e-9 for one in differences.values()])
    assert (tests.test(TIME).difference, tests.test(TIME).p) == (pytest.approx(observed), pytest.approx(p))


def test_an_order_of_which_nobody_has_all_runs_is_not_guessed():
    runs = [run for run in WHOLE if not is_missing_in_an_order(run)]
    tests = Rerandomiser(runs, ("a", "b"), seed=1)
    assert tests.test(TIME) is None
    assert [limit[:35] for limit in tests.limits] == [NO_PLAN[:35], "The planned order of 4 of 9 subjects"[:35]]
    assert Rerandomiser(
        [run for run in with_plan(WHOLE) if not is_missing_in_an_order(run)], ("a", "b"), seed=1
    ).test(TIME).assignments == 126  # fmt: skip


def test_three_conditions_keep_their_orders_when_runs_are_missing_or_a_subject_is_withdrawn():
    runs = with_plan(three_conditions(9))
    some = [run for run in runs if (run.subject, run.scenario) not in {("s1", "2"), ("s4", "3")}]
    for these, ways in ((runs, 1680), (some, 1680), ([run for run in some if run.subject != "s8"], 560)):
        tests = Rerandomiser(these, ("a", "b"), seed=1)
        assert (tests.planned, tests.test(TIME).assignments, tests.limits) == (3, ways, ())
    without = [replace(run, plan=()) for run in some]
    # Under b alone in the first scenario, under a alone in the third: each fits one order.
    assert Rerandomiser(without, ("a", "b"), seed=1).test(TIME).assignments == 1680
    stopped = [run for run in without if run.subject != "s0" or run.scenario == "none"]
    assert Rerandomiser(stopped, ("a", "b"), seed=1).test(TIME).assignments == 560


def test_whoever_departed_from_the_plan_keeps_their_conditions_and_a_sentence_says_so():
    runs = with_plan(WHOLE)
    runs = [replace(run, condition="b") if (run.subject, run.scenario) == ("s0", "1") else run for run in runs]
    tests = Rerandomiser(runs, ("a", "b"), seed=1)
    assert tests.test(TIME).assignments == 70
    assert "The planned order of 1 of 9 subjects is not known" in tests.limits[0]


def test_orders_are_exchanged_within_a_study_alone():
    runs = [replace(run, study=study) for study in ("north", "south") for run in with_plan(two_orders(4))]
    assert Rerandomiser(runs, ("a", "b"), seed=1).test(TIME).assignments == 6 * 6


def test_a_scenario_under_both_conditions_is_two_places_of_an_order():
    runs = [
        RunRecord(f"s{number}", "1", condition, position=place,
                  completion_s=100.0 + 9 * number + 20 * (condition == "b"))
        for number in range(6)
        for place, condition in enumerate(("ab", "ba")[number % 2], 1)
    ]  # fmt: skip
    test = Rerandomiser(runs, ("a", "b"), seed=1).test(TIME)
    assert (test.difference, test.assignments, test.p) == (pytest.approx(-20), 20, 0.1)


# -- the interval ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("missing", [MISSING["nothing"], is_missing_in_an_order], ids=["whole", "with gaps"])
def test_the_interval_holds_what_the_same_test_does_not_refute(missing, alternative):
    runs = [run for run in with_plan(WHOLE) if not missing(run)]
    test = Rerandomiser(runs, ("a", "b"), seed=1).test(TIME, alternative=alternative)
    ends = [end for end in (test.low, test.high) if end is not None]
    assert len(ends) == (2 if alternative == "two-sided" else 1)
    for end in ends:
        inwards = 0.1 if end == test.low else -0.1
        for effect, refuted in ((end + inwards, False), (end - inwards, True)):
            moved = [replace(run, completion_s=run.completion_s - effect * (run.condition == "a")) for run in runs]
            again = Rerandomiser(moved, ("a", "b"), seed=1).test(TIME, alternative=alternative)
            assert (again.p <= 0.05) is refuted


def test_differences_between_scenarios_are_no_noise():
    """Scenarios 1 and 2 under one condition, 3 and 4 under the other, an even number of subjects: a constant in each
    scenario changes neither p nor interval."""
    plain = Rerandomiser(with_plan(two_orders(12, effect=40)), ("a", "b"), seed=1).test(TIME)
    hard = [replace(run, completion_s=run.completion_s + 500 * (run.scenario in "34")) for run in two_orders(12, 40)]
    assert Rerandomiser(with_plan(hard), ("a", "b"), seed=1).test(TIME).p == plain.p
    assert Rerandomiser(with_plan(hard), ("a", "b"), seed=1).test(TIME).high == pytest.approx(plain.high)


@pytest.mark.parametrize("conditions", [2, 3])
def test_intervals_cover_as_often_as_they_say_and_never_contradict_their_test(conditions, monkeypatch):
    """A small case of bench/rerandomisation.py: 12 subjects, 50 s between scenarios, 15 % of runs missing."""
    monkeypatch.setattr(rerandomisation, "MOST_EXACT", 1_000)
    monkeypatch.setattr(rerandomisation, "DRAWS", 2_000)
    random, effects = np.random.default_rng(1992), {"a": 40.0, "b": 0.0, "c": 80.0}
    orders = ("aabb", "bbaa") if conditions == 2 else ("aabbcc", "bbccaa", "ccaabb", "ccbbaa", "aaccbb", "bbaacc")
    covered = contradictions = 0
    for _ in range(150):
        runs = with_plan([
            RunRecord(f"s{number}", str(place), condition, completion_s=effects[condition] + 25 * place + level + noise)
            for number, level in enumerate(random.normal(300, 40, 12))
            for place, (condition, noise) in enumerate(
                zip(orders[number % len(orders)], random.normal(0, 60, len(orders[0])), strict=True))
        ])  # fmt: skip
        test = Rerandomiser([run for run in runs if random.random() > 0.15], ("a", "b"), seed=1).test(TIME)
        covered += test.low <= 40 <= test.high
        contradictions += (test.p <= 0.05) is (test.low <= 0 <= test.high)
    assert 0.9 <= covered / 150 <= 0.99
    assert contradictions == 0


def test_too_few_assignments_and_what_never_varies_have_no_interval():
    four, eight = (compare_conditions(two_orders(subjects), ("a", "b"), seed=1) for subjects in (4, 8))
    assert (four.contrasts[0].test.assignments, four.contrasts[0].interval) == (6, None)
    assert any("there are no intervals" in sentence for sentence in comparison_sentences(four))
    assert any("their level is 97.14 %" in sentence for sentence in comparison_sentences(eight))
    alike = [replace(run, solution="correct") for run in two_orders(9)]
    assert compare_conditions(alike, ("a", "b"), seed=1).contrasts[0].interval is None
