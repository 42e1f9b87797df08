"""Who works on which scenario under which condition, and in which order."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design
from curtain.session.study.order import speaker_order
from curtain.session.study.study import load_study, new_study
from curtain_experiments.runs.design import (
    BadDesign,
    PastRun,
    balance_problem,
    cell_counts,
    cycle_length,
    next_number,
    plan_for,
    thin_cells,
    williams_square,
)

ROBUST = Condition(id="robust", who="system", system="drafts-robust")
FULL = Condition(id="full", who="system", system="drafts-strict")
THIRD = Condition(id="third")
SCENARIOS = ("1", "2", "3", "4")


def order(
    number: int, design: Design, conditions: tuple[Condition, ...], scenarios: tuple[str, ...] = SCENARIOS
) -> str:
    return " ".join(
        f"{run.scenario_id}{run.condition_id[0]}" for run in plan_for(number, design, conditions, scenarios).runs
    )


def test_sessions_alternate_as_in_the_comparison_of_1992() -> None:
    """papers/004, "Design": robust on scenarios one and two, or on three and four."""
    design = Design(order="alternate")
    assert [order(number, design, (ROBUST, FULL)) for number in (1, 2, 3)] == [
        "1r 2r 3f 4f", "1f 2f 3r 4r", "1r 2r 3f 4f",
    ]  # fmt: skip


@pytest.mark.parametrize("size", range(2, 8))
def test_a_williams_square_has_each_in_each_place_and_after_each_other_equally_often(size: int) -> None:
    rows = williams_square(size)
    places = Counter((at, value) for row in rows for at, value in enumerate(row))
    after = Counter(pair for row in rows for pair in pairwise(row))
    assert len(set(places.values())) == 1
    assert len(places) == size * size
    assert len(set(after.values())) == 1
    assert len(after) == size * (size - 1)


@given(st.integers(2, 5), st.integers(1, 3), st.sampled_from(["latin_square", "random"]), st.booleans())
def test_every_cell_is_filled_equally_often_in_a_cycle(count: int, share: int, kind: str, crossed: bool) -> None:
    conditions = tuple(Condition(id=f"c{at}") for at in range(count))
    scenarios = tuple(f"s{at}" for at in range(count * share))
    design = Design(order=kind, scenario_order="counterbalanced" if crossed else "fixed")  # type: ignore[arg-type]
    length = cycle_length(design, conditions, scenarios)
    runs = [run for number in range(1, length + 1) for run in plan_for(number, design, conditions, scenarios).runs]
    counts = Counter((run.scenario_id, run.condition_id) for run in runs)
    assert len(counts) == len(scenarios) * count
    # A random block is balanced in its conditions; crossed with moving scenarios only on the average.
    if kind == "latin_square" or not crossed:
        assert len(set(counts.values())) == 1


def test_a_random_order_is_the_same_for_the_same_seed_and_differs_between_seeds() -> None:
    conditions = (ROBUST, FULL, THIRD)
    scenarios = ("1", "2", "3")
    drawn = [order(number, Design(order="random", seed=7), conditions, scenarios) for number in range(1, 13)]
    again = [order(number, Design(order="random", seed=7), conditions, scenarios) for number in range(1, 13)]
    other = [order(number, Design(order="random", seed=8), conditions, scenarios) for number in range(1, 13)]
    assert drawn == again != other


@pytest.mark.parametrize(
    ("design", "conditions", "scenarios", "sentence"),
    [
        (Design(order="alternate"), (ROBUST, FULL), ("1", "2", "3"), "Scenario 3 has no condition"),
        (Design(scenarios_per_condition=2), (ROBUST, FULL), ("1", "2", "3"), "Condition “full” has too few"),
        (Design(), (ROBUST, FULL), ("1",), "Condition “full” has too few"),
        (
            Design(order="alternate"),
            (ROBUST, FULL, THIRD),
            ("1", "2", "3"),
            "scenario 1 runs never under condition “full”, and scenario 2 twice under “full”",
        ),
    ],
)
def test_a_design_that_cannot_be_balanced_names_the_cell(
    design: Design, conditions: tuple[Condition, ...], scenarios: tuple[str, ...], sentence: str
) -> None:
    assert sentence in balance_problem(design, conditions, scenarios)


def test_balanced_designs_and_fixed_orders_have_no_problem() -> None:
    assert balance_problem(Design(order="alternate"), (ROBUST, FULL), SCENARIOS) == ""
    assert balance_problem(Design(order="latin_square"), (ROBUST, FULL, THIRD), ("1", "2", "3")) == ""
    assert balance_problem(Design(order="fixed"), (ROBUST, FULL), SCENARIOS) == ""


def test_a_plan_without_conditions_cannot_be_made() -> None:
    with pytest.raises(BadDesign, match="needs conditions"):
        plan_for(1, Design(), (), SCENARIOS)


def test_the_next_subject_gets_the_first_number_that_nobody_worked_on() -> None:
    past = [PastRun(1, "a00-01", "1", "robust"), PastRun(3, "a01-01", "1", "robust")]
    assert next_number([]) == 1
    assert next_number(past) == 2
    assert next_number([*past, PastRun(2, "a02-01", "1", "full")]) == 4


def test_cells_that_are_two_runs_behind_are_thin_and_runs_that_were_cut_off_do_not_count() -> None:
    past = [PastRun(at, f"a{at:02}-01", "1", "robust") for at in range(3)]
    past += [PastRun(4, "b00-01", "1", "full"), PastRun(5, "b01-01", "1", "full", complete=False)]
    counts = cell_counts((ROBUST, FULL), ("1",), past)
    assert counts == {("1", "robust"): 3, ("1", "full"): 1}
    assert thin_cells(counts) == (("1", "full"),)


ORDER_OF_E00 = ("4", "1", "3", "2")
NAMES = st.lists(st.text(min_size=1, max_size=5), unique=True, max_size=8)


@given(NAMES, st.text(max_size=3), st.integers(0, 2**31 - 1))
def test_every_scenario_is_met_once_and_in_the_same_order_each_time(names: list[str], speaker: str, seed: int) -> None:
    order = speaker_order(names, speaker, seed)
    assert sorted(order) == sorted(names)
    assert order == speaker_order(list(reversed(names)), speaker, seed)


@given(NAMES, st.text(max_size=3), st.integers(0, 2**31 - 1))
def test_a_scenario_that_is_added_leaves_the_others_in_their_order(names: list[str], speaker: str, seed: int) -> None:
    with_new = speaker_order([*names, "a new scenario"], speaker, seed)
    assert tuple(one for one in with_new if one != "a new scenario") == speaker_order(names, speaker, seed)


def test_each_order_of_three_comes_about_equally_often() -> None:
    speakers = [f"e{number:03}" for number in range(1200)]
    counts = Counter(speaker_order("abc", speaker, 1) for speaker in speakers)
    assert len(counts) == 6
    # 200 of each are expected; five standard deviations are 65.
    assert all(135 < count < 265 for count in counts.values())


def test_the_order_of_one_speaker_is_the_same_on_every_machine() -> None:
    """Written down once: sessions of before must be explained by their seed for ever."""
    assert speaker_order(["1", "2", "3", "4"], "e00", 1) == ORDER_OF_E00


def test_a_study_says_which_order_and_which_seed(tmp_path: Path) -> None:
    study = new_study(tmp_path, "personnel")
    assert (study.order, study.seed) == ("fixed", 1)
    text = (tmp_path / "study.toml").read_text("utf-8")
    (tmp_path / "study.toml").write_text(text.replace('"fixed"\n', '"seeded"\n').replace("seed = 1\n", "seed = 12\n"))
    assert (load_study(tmp_path).order, load_study(tmp_path).seed) == ("seeded", 12)
    (tmp_path / "study.toml").write_text('order = "random"\n')
    with pytest.raises(CurtainError, match='must be "fixed" or "seeded"'):
        load_study(tmp_path)
