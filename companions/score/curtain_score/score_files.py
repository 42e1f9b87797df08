"""`curtain score`: reads references and answers, judges them, and hands the figures to the page."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curtain.base.progress_bar import counting, progress_bar
from curtain.base.terminal import Say, print_line
from curtain.cas import CasError
from curtain.cas.scoring.readings import ComparisonRules, Judgement, judge, split
from curtain.cas.scoring.score import SEED, Excluded, Item, ScoreRow, ScoreSheet, contrast, score_sheet
from curtain.cas.verdict import MALFORMED
from curtain.ports.result import end_with
from curtain_score.files.json_lines import UNUSABLE, BadFile, ensure_absent, size_of
from curtain_score.references import ReferenceItem, SystemAnswer, read_answers, read_references, unscored
from curtain_score.score_page import print_report, report_json, write_report
from curtain_score.score_tables import Report

# No line in the file counts as no answer, and is counted apart.
_MISSING = SystemAnswer(0, None)

Task = tuple[ReferenceItem, str | None]


@dataclass(frozen=True)
class ScoreOptions:
    """How a run is scored: the rules of comparison, and the rest of the command line."""

    rules: ComparisonRules
    strict: bool = False
    """A malformed answer is a problem of the file, not a wrong answer."""
    seed: int = SEED
    by_tag: bool = False
    """A table of scores for each tag of the references."""


def score_run(
    references: Path,
    answers: Path,
    *,
    against: Path | None = None,
    out: Path | None = None,
    options: ScoreOptions,
    as_json: bool = False,
    overwrite: bool = False,
    say: Say = print_line,
) -> int:
    """Prints the tables of `curtain score REFS ANSWERS [--against B] [--out DIR]`; the exit code, 0.

    With `out` the folder gets score.html, score.json, score.csv and items.csv; with `as_json` the content of score.json
    is printed in place of the tables. Raises BadFile with one sentence naming file and line, and CurtainError for
    options that there are not.
    """
    if out is not None:
        ensure_absent(out / "score.html", overwrite)
    report = make_report(references, [answers, against] if against else [answers], options)
    if out is not None:
        write_report(report, out)
    _show(report, out, as_json, say)
    return 0


def _show(report: Report, out: Path | None, as_json: bool, say: Say) -> None:
    if as_json:
        say(report_json(report))
        return
    print_report(report)
    if out is not None:
        page = out / "score.html"
        beside = "the figures are in score.json, score.csv and items.csv beside it."
        end_with(f"The page is {page}; {beside}", [page], say=say)


def make_report(references: Path, answers: Sequence[Path], options: ScoreOptions) -> Report:
    """The figures of one system, or of two with their comparison. Raises as `score_run` does."""
    options.rules.check()
    with progress_bar() as report:
        wanted = read_references(references, counting(report, "Reading references", size_of(references)))
    sheets = [
        _run(name, path, wanted, references, options) for name, path in zip(_names(answers), answers, strict=True)
    ]
    dialects = tuple(sorted({each.dialect or options.rules.dialect for each in wanted.values()}))
    return Report(
        references.name,
        tuple(sheets),
        contrast(*sheets, seed=options.seed) if len(sheets) == 2 else None,
        options.rules,
        options.seed,
        dialects=dialects,
        by_tag=tuple(tuple(_rows_by_tag(sheet, wanted)) for sheet in sheets) if options.by_tag else (),
    )


def _rows_by_tag(sheet: ScoreSheet, wanted: dict[str, ReferenceItem]) -> Iterator[ScoreRow]:
    """An utterance with several tags is in the row of each."""
    for tag in sorted({tag for item in sheet.items for tag in wanted[item.id].tags}):
        items = [item for item in sheet.items if tag in wanted[item.id].tags]
        yield replace(score_sheet(sheet.system, items).total, label=tag)


def _names(paths: Sequence[Path]) -> list[str]:
    """What the systems are called: by their files, and by their folders if that is the same."""
    # The shortest name that distinguishes the systems.
    for name in (lambda path: path.name.split(".")[0], lambda path: f"{path.parent.name}/{path.name}", str):
        names = [name(path) for path in paths]
        if len(set(names)) == len(names):
            return names
    return [f"{path} ({number})" for number, path in enumerate(paths, 1)]


def _run(
    name: str, path: Path, wanted: dict[str, ReferenceItem], references: Path, options: ScoreOptions
) -> ScoreSheet:
    with progress_bar() as report:
        answered = read_answers(path, wanted, references, counting(report, f"Reading {path.name}", size_of(path)))
    excluded = unscored(wanted, options.rules.dialect)
    scored = [one for one in wanted.values() if one.id not in excluded]
    judged = _judged(scored, answered, references, path, options)
    return score_sheet(name, judged, [Excluded(one, reasons) for one, reasons in excluded.items()])


def _judged(
    scored: Sequence[ReferenceItem],
    answered: dict[str, SystemAnswer],
    references: Path,
    path: Path,
    options: ScoreOptions,
) -> list[Item]:
    tasks = [(reference, answered.get(reference.id, _MISSING).text) for reference in scored]
    # Each distinct pair is judged once, where it stands first: so the first problem is the one that is reported.
    first: dict[Hashable, Task] = {}
    for task in tasks:
        first.setdefault(_pair(task), task)
    judgements = []
    with progress_bar() as report:
        advance = counting(report, f"Judging {path.name}", len(first))
        for reference, text in first.values():
            judgement = _judge(reference, text, _rules_of(reference, options.rules))
            advance(1)
            _check(judgement, reference, answered, references, path, options.strict)
            assert isinstance(judgement, Judgement)
            judgements.append(judgement)
    known = dict(zip(first, judgements, strict=True))
    return [_item(task[0], known[_pair(task)], task[0].id not in answered) for task in tasks]


def _pair(task: Task) -> Hashable:
    """What a judgement depends on."""
    reference, text = task
    return (reference.readings, reference.weights, reference.weighted, reference.yes_no, reference.dialect, text)


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


def _rules_of(reference: ReferenceItem, rules: ComparisonRules) -> ComparisonRules:
    """A pool of studies may hold answers in several dialects: each line counts by its own."""
    return rules if reference.dialect is None else replace(rules, dialect=reference.dialect)


def _judge(reference: ReferenceItem, text: str | None, rules: ComparisonRules) -> Judgement | str:
    try:
        readings = reference.readings
        if reference.weights is not None:
            readings = tuple(split(readings[0], rules.dialect, reference.weights))
        return judge(text, readings, rules, reference.yes_no, weighted=reference.weighted, with_excess=True)
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
