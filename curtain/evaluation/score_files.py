"""`curtain score`: reads references and answers, judges them, and hands the figures to the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from curtain.base.terminal import Say, print_line
from curtain.cas.errors import CasError
from curtain.cas.scoring.readings import ComparisonRules, Judgement, judge, split
from curtain.cas.scoring.score import SEED, Excluded, Item, ScoreSheet, contrast, score_sheet
from curtain.cas.verdict import MALFORMED
from curtain.corpus.model.worker_pool import check_jobs, chunked, in_order
from curtain.evaluation.copies.scoring import CopyScore
from curtain.evaluation.json_lines import UNUSABLE, BadFile, ensure_absent
from curtain.evaluation.progress import Advance, progress_bar, size_of
from curtain.evaluation.references import ReferenceItem, SystemAnswer, read_answers, read_references, unscored
from curtain.evaluation.score_page import print_report, report_json, write_report
from curtain.evaluation.score_tables import Report

_CHUNK_SIGNS = 1024 * 1024
# No line in the file counts as no answer, and is counted apart.
_MISSING = SystemAnswer(0, None)

Task = tuple[ReferenceItem, str | None]


@dataclass(frozen=True)
class ScoreOptions:
    """How a run is scored: the rules of comparison, and the rest of the command line."""

    rules: ComparisonRules
    strict: bool = False
    """A malformed answer is a fault of the file, not a wrong answer."""
    seed: int = SEED
    jobs: int = 1


def score_run(
    references: Path,
    answers: Path,
    *,
    against: Path | None = None,
    out: Path | None = None,
    options: ScoreOptions,
    copies: Path | None = None,
    as_json: bool = False,
    overwrite: bool = False,
    heading: str = "",
    say: Say = print_line,
) -> int:
    """Prints the tables of `curtain score REFS ANSWERS [--against B] [--out DIR]`; the exit code, 0.

    With `out` the folder gets score.html, score.json, score.csv and items.csv, and with `copies`, a folder of altered
    databases, copies.csv; with `as_json` the content of score.json is printed in place of the tables. A `heading`
    stands over the tables and the page. Raises BadFile with one sentence naming file and line, and CurtainError
    for options that there are not.
    """
    if out is not None:
        ensure_absent(out / "score.html", overwrite)
    systems = [answers, *([against] if against else [])]
    # First, since it needs statements: a run of minutes must not end with their lack.
    on_copies = _on_copies(references, systems, copies, options.jobs) if copies else ()
    report = replace(make_report(references, systems, options), copies=on_copies, heading=heading)
    if out is not None:
        write_report(report, out)
    if as_json:
        say(report_json(report))
    else:
        if heading:
            say(heading)
        print_report(report)
        if out is not None:
            say(f"The page is {out / 'score.html'}; the figures are in score.json, score.csv and items.csv beside it.")
    return 0


def _on_copies(references: Path, systems: list[Path], copies: Path, jobs: int) -> tuple[CopyScore, ...]:
    # Here alone: databases take longer to load than most scores to compute.
    from curtain.evaluation.copies.scoring import score_copies

    return tuple(score_copies(references, path, copies, jobs) for path in systems)


def make_report(references: Path, answers: Sequence[Path], options: ScoreOptions) -> Report:
    """The figures of one system, or of two with their comparison. Raises as `score_run` does."""
    options.rules.check()
    check_jobs(options.jobs)
    with progress_bar("Reading references", size_of(references)) as advance:
        wanted = read_references(references, advance)
    names = _names(answers)
    sheets = [_sheet(name, path, wanted, references, options) for name, path in zip(names, answers, strict=True)]
    compared = contrast(sheets[0], sheets[1], seed=options.seed) if len(sheets) == 2 else None
    dialects = tuple(sorted({each.dialect or options.rules.dialect for each in wanted.values()}))
    return Report(references.name, tuple(sheets), compared, options.rules, options.seed, dialects=dialects)


def _names(paths: Sequence[Path]) -> list[str]:
    """What the systems are called: by their files, and by their folders if that is the same."""
    # The shortest name that distinguishes the systems.
    for name in (lambda path: path.name.split(".")[0], lambda path: f"{path.parent.name}/{path.name}", str):
        names = [name(path) for path in paths]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(paths, 1)]


def _sheet(
    name: str, path: Path, wanted: dict[str, ReferenceItem], references: Path, options: ScoreOptions
) -> ScoreSheet:
    with progress_bar(f"Reading {path.name}", size_of(path)) as advance:
        answered = read_answers(path, wanted, references, advance)
    excluded = unscored(wanted, options.rules.dialect)
    counting = [one for one in wanted.values() if one.id not in excluded]
    with progress_bar(f"Judging {path.name}", len(counting)) as advance:
        judged = list(_judged(counting, answered, references, path, options, advance))
    return score_sheet(name, judged, [Excluded(one, reasons) for one, reasons in excluded.items()])


def _judged(
    counting: Sequence[ReferenceItem],
    answered: dict[str, SystemAnswer],
    references: Path,
    path: Path,
    options: ScoreOptions,
    advance: Advance,
) -> Iterator[Item]:
    # A generator: tasks are made as the processes take them.
    tasks = ((reference, answered.get(reference.id, _MISSING).text) for reference in counting)
    # `in_order` gives the judgements in the order of the tasks, so both walk side by side.
    waiting = iter(counting)
    for judgements in in_order(
        partial(judge_chunk, options.rules), chunked(tasks, _size, _CHUNK_SIGNS), check_jobs(options.jobs), _chunk_size
    ):
        for judgement in judgements:
            reference = next(waiting)
            # Checked item by item: the first fault in the order of the file is the one that is reported.
            _check(judgement, reference, answered, references, path, options.strict)
            assert isinstance(judgement, Judgement)
            yield _item(reference, judgement, reference.id not in answered)
        advance(len(judgements))


def _check(
    judgement: Judgement | str,
    reference: ReferenceItem,
    answered: dict[str, SystemAnswer],
    references: Path,
    path: Path,
    strict: bool,
) -> None:
    if isinstance(judgement, str):
        raise BadFile(f"{references} line {reference.line} {UNUSABLE}: {judgement.rstrip('.')}.")
    if strict and judgement.verdict.outcome == MALFORMED:
        line = answered[reference.id].line
        raise BadFile(
            f"{path} line {line} has a malformed answer: {judgement.verdict.reason};"
            " without --strict it counts as wrong."
        )


def _size(task: Task) -> int:
    reference, text = task
    return len(text or "") + sum(len(one.reference) + len(one.maximum or "") for one in reference.readings)


def _chunk_size(chunk: list[Task]) -> int:
    return sum(map(_size, chunk))


def judge_chunk(rules: ComparisonRules, chunk: list[Task]) -> list[Judgement | str]:
    """A judgement for each task; a text says why its reference or its maximum cannot be read."""
    return [_judge(reference, text, _rules_of(reference, rules)) for reference, text in chunk]


def _rules_of(reference: ReferenceItem, rules: ComparisonRules) -> ComparisonRules:
    """A pool of studies may hold answers in several dialects: each line counts by its own."""
    return rules if reference.dialect is None else replace(rules, dialect=reference.dialect)


def _judge(reference: ReferenceItem, text: str | None, rules: ComparisonRules) -> Judgement | str:
    try:
        readings = reference.readings
        if reference.weights is not None:
            readings = tuple(split(readings[0], rules.dialect, reference.weights))
        return judge(text, readings, rules, reference.yes_no, weighted=reference.weighted, with_excess=True)
    # As a value: an exception would end the chunk, and pickling would lose its place.
    except CasError as error:
        return str(error)


def _item(reference: ReferenceItem, judgement: Judgement, missing: bool) -> Item:
    return Item(
        reference.id,
        judgement.verdict.outcome,
        judgement.verdict.reason,
        reference.eval_class,
        reference.speaker,
        reference.scenario,
        reference.site,
        judgement.credit,
        missing=missing,
        without_maximum=any(reading.maximum is None for reading in reference.readings),
        empty_match=judgement.empty_match,
        chance_prone=judgement.chance_prone,
        failure=reference.failure,
        excess=judgement.excess,
    )
