"""`curtain compare` and `curtain score` from their arguments to their exit code; what reads the words is elsewhere."""

from __future__ import annotations

from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.cas.notation.dialects import dialect_named
from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import SEED

# Each command loads its own half: from a shell, loading takes longer than most comparisons.


class BadArguments(CurtainError):
    """Arguments that do not go together."""


def _dialect(name: str, lenient: bool) -> str:
    """The name by which the rules know it. Raises CasError for a dialect that there is not."""
    # Checked here, before a file is opened: a wrong option is the caller's fault, not the file's.
    strict = dialect_named(name)
    return strict.as_lenient().name if lenient else strict.name


def compare(
    reference: Path | None,
    hypothesis: Path | None,
    *,
    pairs: Path | None = None,
    maximum: Path | None = None,
    dialect: str = "1992",
    lenient: bool = False,
    epsilon: str = "0.0001",
    yes_no: bool = False,
    jobs: int = 1,
    as_json: bool = False,
) -> int:
    """`curtain compare REF HYP`, or with `pairs` a stream of pairs; the exit code. Raises CurtainError."""
    from curtain.evaluation.compare_files import compare_pairs, compare_two

    rules = ComparisonRules(_dialect(dialect, lenient), epsilon)
    if pairs is not None:
        # Each line of a pairs file brings its own; a second source would have to win or lose silently.
        if reference or hypothesis or maximum or yes_no:
            raise BadArguments("--pairs stands alone: ref, hyp, max and yes_no are keys of each line there.")
        return compare_pairs(pairs, rules=rules, jobs=jobs)
    if reference is None or hypothesis is None:
        raise BadArguments("Give the files REF and HYP, or --pairs FILE.jsonl.")
    return compare_two(reference, hypothesis, maximum, rules=rules, yes_no=yes_no, as_json=as_json)


def score(
    references: Path,
    answers: Path,
    *,
    against: Path | None = None,
    out: Path | None = None,
    all_readings: bool = False,
    strict: bool = False,
    dialect: str = "1992",
    lenient: bool = False,
    epsilon: str = "0.0001",
    jobs: int = 1,
    seed: int = SEED,
    copies: Path | None = None,
    as_json: bool = False,
    overwrite: bool = False,
) -> int:
    """`curtain score REFS ANSWERS`; the exit code. Raises CurtainError."""
    from curtain.evaluation.score_files import ScoreOptions, score_run

    # NumPy's generators take no negative seeds.
    if seed < 0:
        raise BadArguments(f"--seed {seed} cannot be; give a whole number of 0 or more.")
    options = ScoreOptions(ComparisonRules(_dialect(dialect, lenient), epsilon, all_readings), strict, seed, jobs)
    return score_run(
        references,
        answers,
        against=against,
        out=out,
        options=options,
        copies=copies,
        as_json=as_json,
        overwrite=overwrite,
    )
