"""Answers and systems judged on the command line: compare, score, score-sql. `cli` puts these on its list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.cas import ColumnRule, RowRule
from curtain.commands.options import AsJson, Overwrite
from curtain.evaluation.sql_rules import SqlRule

__all__ = ["SCORES"]

YesNo = Annotated[bool, typer.Option("--yes-no", help="The question is a yes/no question.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Read old files: words and comments of later dialects.")]
Dialect = Annotated[str, typer.Option("--dialect", help="1989, 1990 or 1992.")]
Epsilon = Annotated[str, typer.Option("--epsilon", help="Tolerance of reals, relative to the reference.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Number of processes; 0 means one for each core.")]
Copies = Annotated[
    Path | None,
    typer.Option(
        "--copies", help="Altered copies of the database (“domain copies”): statements must be right on each."
    ),
]


def compare(
    reference: Annotated[Path | None, typer.Argument(help="A file with the reference answer.")] = None,
    hypothesis: Annotated[Path | None, typer.Argument(help="A file with the answer to judge.")] = None,
    maximum: Annotated[Path | None, typer.Option("--max", help="A file with the maximum answer.")] = None,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", help="JSON lines {id, ref, hyp, max?, yes_no?}; - is standard input.")
    ] = None,
    dialect: Dialect = "1992",
    lenient: Lenient = False,
    yes_no: YesNo = False,
    epsilon: Epsilon = "0.0001",
    jobs: Jobs = 1,
    copies: Copies = None,
    as_json: AsJson = False,
) -> None:
    """Judge an answer. Exit 0 correct, 1 incorrect or malformed, 2 unreadable input, 3 no answer, 4 undecided."""
    from curtain.evaluation import commands

    options: dict[str, Any] = {
        "pairs": pairs,
        "maximum": maximum,
        "dialect": dialect,
        "lenient": lenient,
        "epsilon": epsilon,
        "yes_no": yes_no,
    }
    if copies is not None:
        from curtain.evaluation.copies.commands import compare_on_copies

        if reference is None or hypothesis is None or pairs or maximum or lenient or yes_no or epsilon != "0.0001":
            raise CurtainError(
                "--copies compares two files with SQL by the rows that they give: "
                "it takes REF and HYP and --json alone."
            )
        raise typer.Exit(compare_on_copies(reference, hypothesis, copies, as_json=as_json))
    raise typer.Exit(commands.compare(reference, hypothesis, **options, jobs=jobs, as_json=as_json))


def score(
    references: Annotated[Path, typer.Argument(help="A file of JSON lines, one reference each.")],
    answers: Annotated[Path, typer.Argument(help="A file of JSON lines {id, hyp}.")],
    against: Annotated[Path | None, typer.Option("--against", help="The answers of a second system.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for CSV, JSON and the HTML page.")] = None,
    all_readings: Annotated[
        bool, typer.Option("--all-readings", help="Require an answer to match every reading.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Treat a malformed answer as an error in the file.")] = False,
    dialect: Dialect = "1992",
    lenient: Lenient = False,
    epsilon: Epsilon = "0.0001",
    jobs: Jobs = 1,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the bootstrap and the permutations.")] = 1992,
    copies: Copies = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Score a system: NIST-style tables of right, wrong, no answer, weighted error and score."""
    from curtain.evaluation import commands

    options: dict[str, Any] = {
        "all_readings": all_readings,
        "strict": strict,
        "dialect": dialect,
        "lenient": lenient,
        "epsilon": epsilon,
        "seed": seed,
    }
    options |= {"copies": copies, "jobs": jobs, "as_json": as_json, "overwrite": overwrite}
    raise typer.Exit(commands.score(references, answers, against=against, out=out, **options))


def score_sql(
    gold: Annotated[Path, typer.Argument(help="Gold statements: Spider's gold.sql, or a dev.json.")],
    predicted: Annotated[Path, typer.Argument(help="Predicted statements, one a line, or BIRD's JSON.")],
    databases: Annotated[Path, typer.Option("--databases", help="The folder of the databases.")],
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds of the processor a statement may take.")] = 30.0,
    rule: Annotated[
        SqlRule, typer.Option("--rule", help="Whose rules: ours, or those of a benchmark's evaluator.")
    ] = SqlRule.CURTAIN,
    rows: Annotated[
        RowRule, typer.Option("--rows", help="set, multiset, or ordered as the gold ORDER BY.")
    ] = RowRule.SET,
    columns: Annotated[
        ColumnRule, typer.Option("--columns", help="free: more columns are right; exact: they are wrong.")
    ] = ColumnRule.FREE,
    epsilon: Annotated[str, typer.Option("--epsilon", help="Relative tolerance of reals.")] = "0.0001",
    absolute: Annotated[str, typer.Option("--absolute", help="Absolute tolerance of reals.")] = "0",
    ignore_case: Annotated[bool, typer.Option("--ignore-case", help="Strings are equal in any case.")] = False,
    text_numbers: Annotated[bool, typer.Option("--text-numbers", help="A string that is a number is one.")] = False,
    copies: Annotated[
        Path | None, typer.Option("--copies", help="A folder of altered databases: counts what is right by luck.")
    ] = None,
    jobs: Jobs = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="A folder for a line of JSON a question, and totals.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score predicted SQL by its results on the databases of a benchmark."""
    from curtain.cas import Options
    from curtain.corpus.model.worker_pool import check_jobs
    from curtain.evaluation.sql_benchmarks import BenchmarkRules, score_benchmark

    options = Options(rows, absolute=absolute, ignore_case=ignore_case, text_numbers=text_numbers, columns=columns)
    rules = BenchmarkRules(rule, timeout, epsilon, options, check_jobs(jobs), copies)
    raise typer.Exit(score_benchmark(gold, predicted, databases, rules, as_json=as_json, out=out))


SCORES: Mapping[str, Callable[..., None]] = {"compare": compare, "score": score, "score-sql": score_sql}
"""By name, in the order in which help lists them."""
