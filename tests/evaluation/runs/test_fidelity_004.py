"""What papers/004 prints and this code computes from runs: table 4, its "All" rows, figure 1, counts in the text."""

import math

import numpy as np
import pytest

from curtain.evaluation.runs.measures import ALL, cells, correlation
from curtain.evaluation.runs.run import RunRecord
from curtain.evaluation.score_tables import rounded
from tests.support import printed_runs as printed


@pytest.fixture(scope="module")
def table():
    return {(cell.scenario, cell.condition): cell for cell in cells(printed.printed_runs())}


@pytest.mark.parametrize("cell", [cell for cell in printed.CELLS if cell != ("3", printed.ROBUST)])
def test_the_score_of_each_scenario_is_the_printed_one(table, cell):
    """Table 4, last column; scenario 3 of the robust system has a test of its own."""
    assert float(rounded(table[cell].score.percent, 0)) == printed.PRINTED_SCORES[cell]


def test_a_score_is_rounded_last():
    """Table 4, scenario 3, robust: 82 less 15 is printed as 68. So do 122 right and 22 wrong of 148."""
    run = RunRecord("s", "3", printed.ROBUST, queries=148, correct=122, incorrect=22, unanswered=4)

    (cell, _) = cells([run])

    figures = (cell.correct.percent, cell.incorrect.percent, cell.score.percent)
    assert [rounded(figure, 0) for figure in figures] == ["82", "15", "68"]


ALL_ROWS = {
    # condition: solution, correct, time, queries, % correct, % incorrect, % no answer
    printed.ROBUST: (100, 90, 399, 7.2, 75, 18, 6),
    printed.FULL: (83, 70, 434, 8.3, 48, 1, 51),
}


@pytest.mark.parametrize("condition", ALL_ROWS)
def test_the_rows_for_all_scenarios_are_the_printed_ones(table, condition):
    """Table 4, "All": times and queries are session means, percentages pooled over queries."""
    cell = table[ALL, condition]
    solution, correct, seconds, queries, right, wrong, unanswered = ALL_ROWS[condition]

    assert len(cell.runs) == 30
    assert rounded(cell.stated.percent, 0) == str(solution)
    assert rounded(cell.solved.percent, 0) == str(correct)
    # 434.6 stands as 434 in the table: it was cut, not rounded.
    assert math.floor(cell.time.mean) == seconds
    assert rounded(cell.queries.mean) == str(queries)
    assert rounded(cell.correct.percent, 0) == str(right)
    assert rounded(cell.incorrect.percent, 0) == str(wrong)
    assert rounded(cell.no_answer.percent, 0) == str(unanswered)


@pytest.mark.parametrize(("condition", "score"), [(printed.ROBUST, 57), (printed.FULL, 47)])
def test_the_scores_for_all_scenarios_differ_by_the_rounding_of_the_cells(table, condition, score):
    """Table 4, "All": 57 and 47. The cells are printed in whole percent, which leaves half a point either way."""
    assert table[ALL, condition].score.percent == pytest.approx(score, abs=1)


def test_five_subjects_gave_up_with_the_full_parser_and_none_with_the_robust_one(table):
    """The text on task completion: 30 less 25."""
    cell = table[ALL, printed.FULL]
    assert cell.stated.total - cell.stated.count == 5
    assert table[ALL, printed.ROBUST].stated.count == 30


def test_scenario_4_was_solved_by_8_of_15_and_the_others_by_40_of_45(table):
    """The text on difficulty, and footnote 4: "on average nearly 90 % of the time"."""
    solved = {
        scenario: sum(table[scenario, condition].solved.count for condition in (printed.ROBUST, printed.FULL))
        for scenario in "1234"
    }
    assert solved["4"] == 8
    assert sum(solved[scenario] for scenario in "123") == 40


def test_the_counts_of_the_text_make_the_ratio_that_it_prints():
    """148 correct to 13 without an answer and 32 wrong, against 118 to 125 and 3."""
    runs = [
        RunRecord("a", "1", printed.ROBUST, queries=193, correct=148, incorrect=32, unanswered=13),
        RunRecord("b", "1", printed.FULL, queries=246, correct=118, incorrect=3, unanswered=125),
    ]

    by_condition = {cell.condition: cell for cell in cells(runs) if cell.scenario == ALL}

    robust, full = by_condition[printed.ROBUST], by_condition[printed.FULL]
    assert (robust.correct.count, robust.no_answer.count, robust.incorrect.count) == (148, 13, 32)
    assert (full.correct.count, full.no_answer.count, full.incorrect.count) == (118, 125, 3)
    # "An order of magnitude higher."
    assert robust.correct.count / robust.no_answer.count > 10 * full.correct.count / full.no_answer.count
    assert rounded(robust.score.percent) == "60.1"
    assert rounded(full.score.percent) == "46.7"


@pytest.mark.parametrize(("r", "low", "high"), [(0.84, 0.66, 0.93), (0.66, 0.35, 0.84)])
def test_a_correlation_of_24_subjects_has_the_interval_of_fisher(r, low, high):
    """Figure 1: R = .84 for queries and .66 for those without an answer, on data made to have them."""
    random = np.random.default_rng(4)
    x, noise = random.normal(size=24), random.normal(size=24)
    x = (x - x.mean()) / x.std()
    noise -= noise.mean() + x * (noise @ x) / (x @ x)
    noise /= noise.std()
    y = r * x + math.sqrt(1 - r * r) * noise

    result = correlation(list(zip(x, y, strict=True)))

    assert result.r == pytest.approx(r, abs=1e-9)
    assert (round(result.low, 2), round(result.high, 2)) == (low, high)
    assert result.slope == pytest.approx(r, abs=1e-9)


def test_table_2_gives_means_with_deviations_of_n_less_1():
    """Table 2: mean and standard deviation of queries and seconds over subjects."""
    times = [100.0, 150.0, 180.0, 234.0]
    runs = [RunRecord(f"s{number}", "1", session=f"s{number}", completion_s=time) for number, time in enumerate(times)]

    (cell, _) = cells(runs)

    assert cell.time.mean == pytest.approx(np.mean(times))
    assert cell.time.deviation == pytest.approx(np.std(times, ddof=1))
