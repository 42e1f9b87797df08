"""The ten scenario cells of table 4 of papers/004 as runs: 8/7/7/8 subjects, each with the printed mean of its cell."""

from itertools import product

from curtain_experiments.runs.run import RunRecord
from curtain_score.score_tables import rounded

ROBUST, FULL = "robust", "full"

# (scenario, system): subjects, then as printed: % with a solution, % correct, seconds, queries, % of the queries that
# were answered right, wrong and not at all.
CELLS = {
    ("1", ROBUST): (8, 100, 100, 215, 4.4, 94, 0, 6), ("1", FULL): (7, 86, 71, 215, 4.7, 70, 0, 30),
    ("2", ROBUST): (8, 100, 88, 478, 8.6, 66, 25, 8), ("2", FULL): (7, 86, 86, 483, 10.6, 39, 4, 56),
    ("3", ROBUST): (7, 100, 100, 199, 4.4, 82, 15, 3), ("3", FULL): (8, 88, 88, 376, 8.0, 42, 0, 58),
    ("4", ROBUST): (7, 100, 71, 719, 11.7, 71, 22, 6), ("4", FULL): (8, 75, 38, 643, 9.8, 51, 0, 49),
}  # fmt: skip
PRINTED_SCORES = {
    ("1", ROBUST): 94, ("1", FULL): 70, ("2", ROBUST): 41, ("2", FULL): 35, ("3", ROBUST): 68, ("3", FULL): 42,
    ("4", ROBUST): 49, ("4", FULL): 51,
}  # fmt: skip


def counts_printed_as(percent, total):
    """All whole numbers of so many that are printed as this percentage."""
    return [count for count in range(total + 1) if rounded(100 * count / total, 0) == str(percent)]


def shares_printed_as(percents, most):
    """The whole counts, `most` together at most, whose shares are printed as these percentages; the largest last."""
    return [
        counts
        for total in range(1, most + 1)
        for counts in product(*(counts_printed_as(percent, total) for percent in percents))
        if sum(counts) == total
    ]


def printed_runs():
    """60 runs of 15 subjects. Counts of queries are the printed means, so they are no whole numbers."""
    return [run for cell in CELLS for run in runs_of(*cell)]


def runs_of(scenario, condition):
    subjects, with_solution, right, seconds, queries, correct, incorrect, unanswered = CELLS[scenario, condition]
    # One number each: of seven or eight subjects no two are the same percentage.
    [stated], [solved] = counts_printed_as(with_solution, subjects), counts_printed_as(right, subjects)
    # Eight had the robust system in the first two scenarios, seven in the last two.
    order = "robust-first" if (condition == ROBUST) == (scenario in "12") else "full-first"
    for number in range(subjects):
        solution = "correct" if number < solved else "incorrect" if number < stated else "none"
        yield RunRecord(
            f"{order}-{number}", scenario, condition, session=f"{order}-{number}-{condition}", position=int(scenario),
            completion_s=float(seconds), stated=number < stated, solution=solution, queries=queries,
            correct=queries * correct / 100, incorrect=queries * incorrect / 100,
            unanswered=queries * unanswered / 100,
        )  # fmt: skip
