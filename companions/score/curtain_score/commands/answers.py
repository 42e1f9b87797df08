"""`curtain compare` and `score`. Each loads its own half: that takes longer than most comparisons."""

from enum import StrEnum
from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.cas.notation.dialects import dialect_named
from curtain.cas.scoring.readings import ComparisonRules
from curtain.commands.options import AsJson, Dialect, Epsilon, Overwrite, Seed, YesNo
from curtain.commands.purposes import InFile, OutFolder


class Breakdown(StrEnum):
    """What scores can be broken down by beside class, scenario, site and speaker."""

    TAG = "tag"


Lenient = Annotated[bool, typer.Option("--lenient", help="Read old files: words and comments of later dialects.")]


def compare(
    reference: Annotated[
        InFile | None, typer.Argument(help="A file with the reference answer; - is standard input.")
    ] = None,
    hypothesis: Annotated[
        InFile | None, typer.Argument(help="A file with the answer to judge; - is standard input.")
    ] = None,
    maximum: Annotated[InFile | None, typer.Option("--max", help="A file with the maximum answer.")] = None,
    pairs: Annotated[
        InFile | None,
        typer.Option("--pairs", help="JSON lines {id, ref, hyp, max?, yes_no?, sorted_by?}; - is standard input."),
    ] = None,
    dialect: Dialect = "1992",
    lenient: Lenient = False,
    yes_no: YesNo = False,
    sorted_by: Annotated[
        str, typer.Option("--sorted-by", help="The order that was asked for, by columns of REF: “2 desc, 1”.")
    ] = "",
    epsilon: Epsilon = "0.0001",
    as_json: AsJson = False,
) -> int:
    """The exit code: 0 correct, 1 incorrect or malformed, 3 no answer, 4 undecided. Raises CurtainError."""
    from curtain_score.compare_files import compare_pairs, compare_two

    rules = ComparisonRules(_dialect(dialect, lenient), epsilon)
    if pairs is not None:
        # Each line of a pairs file brings its own; a second source would have to win or lose silently.
        if reference or hypothesis or maximum or yes_no or sorted_by:
            raise CurtainError("--pairs stands alone: ref, hyp, max, yes_no and sorted_by are keys of each line there.")
        return compare_pairs(pairs, rules=rules)
    if reference is None or hypothesis is None:
        raise CurtainError("Give the files REF and HYP, or --pairs FILE.jsonl.")
    return compare_two(reference, hypothesis, maximum, rules=rules, yes_no=yes_no, sorted_by=sorted_by, as_json=as_json)


def score(
    references: Annotated[
        InFile, typer.Argument(help="A file of JSON lines, one reference each, or Parquet; - is standard input.")
    ],
    answers: Annotated[InFile, typer.Argument(help="The system's file of JSON lines {id, hyp}; - is standard input.")],
    against: Annotated[InFile | None, typer.Option("--against", help="The answers of a second system.")] = None,
    out: Annotated[OutFolder | None, typer.Option("--out", help="The new folder for figures and the page.")] = None,
    all_readings: Annotated[
        bool, typer.Option("--all-readings", help="Require an answer to match every reading.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Treat a malformed answer as an error in the file.")] = False,
    dialect: Dialect = "1992",
    lenient: Lenient = False,
    epsilon: Epsilon = "0.0001",
    seed: Seed = 1992,
    by: Annotated[Breakdown | None, typer.Option("--by", help="Score each tag of the references, too.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> int:
    """The exit code, 0. Raises CurtainError."""
    from curtain_score.score_files import ScoreOptions, score_run

    # NumPy's generators take no negative seeds.
    if seed < 0:
        raise CurtainError(f"--seed {seed} cannot be; give a whole number of 0 or more.")
    rules = ComparisonRules(_dialect(dialect, lenient), epsilon, all_readings)
    options = ScoreOptions(rules, strict, seed, by is Breakdown.TAG)
    return score_run(
        references, answers, against=against, out=out, options=options, as_json=as_json, overwrite=overwrite
    )


def _dialect(name: str, lenient: bool) -> str:
    """The name by which the rules know it. Raises CasError for a dialect that there is not."""
    # Checked here, before a file is opened: a wrong option is the caller's problem, not the file's.
    strict = dialect_named(name)
    return strict.as_lenient().name if lenient else strict.name
