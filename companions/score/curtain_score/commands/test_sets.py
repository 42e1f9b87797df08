"""`curtain test-set`: a blind test from its release to its final results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from curtain.base.clock import Clock
from curtain.base.disk import replace_files
from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.scratch import whole_folder
from curtain.base.terminal import Say, print_json, print_line, print_table, shown_name
from curtain.cas.scoring.readings import ComparisonRules
from curtain.commands.corpus.export import run as export_run
from curtain.commands.options import (
    AllAnswers,
    AsJson,
    By,
    IncludeLive,
    Overwrite,
    Pilot,
    Practice,
    ResultFolder,
    Sources,
    Use,
    Why,
    WithoutConsent,
)
from curtain.commands.purposes import InFolder
from curtain.corpus.model.filters import Filters
from curtain_score.blind_test.test_set import (
    INPUTS,
    Decision,
    ReferenceReport,
    ReferenceRuling,
    TestSet,
    final_key,
    open_test_set,
    released,
)
from curtain_score.files.json_lines import ensure_absent
from curtain_score.score_files import ScoreOptions, score_run

PRELIMINARY, FINAL, FINAL_KEY = "preliminary", "final", "final-references.jsonl"

_LONGEST = 60

Folder = Annotated[InFolder, typer.Argument(help="The folder of the test set.")]
Utterance = Annotated[str, typer.Argument(help="The utterance's id.")]


def release_turns(
    bundles: Sources,
    out: ResultFolder,
    format_name: Annotated[str, typer.Option("--format", help="A format that “export --list” shows.")] = "parquet",
    without_consent: WithoutConsent = False,
    pilot: Pilot = False,
    practice: Practice = False,
    include_live: IncludeLive = False,
    use: Use = "share",
) -> int:
    """As `release`, over what the options leave in: a test set goes to whoever is tested. Raises CurtainError."""
    filters = Filters(use=use, with_consent=not without_consent, live=include_live, pilot=pilot, practice=practice)
    return release(bundles, out, format_name, filters, Clock().wall_utc())


def release(
    bundles: Sequence[Path], out: Path, format_name: str, filters: Filters, at_utc: str, say: Say = print_line
) -> int:
    """Write inputs without answers and the key beside them; the exit code, 0. Raises CurtainError."""
    with whole_folder(out) as made:
        # The export applies consent, redaction and pseudonyms as it does for everybody else. In a turn that was
        # cancelled nothing was asked.
        asked = replace(filters, cancelled=False)
        inputs, final = made / INPUTS, out / INPUTS
        done = export_run(bundles, format_name, inputs, asked, use=filters.use, blind=True, final=final)
        test_set = released(made, format_name, at_utc)
    say(f"{count_of(done.kept, 'utterance')} released: give away {out / INPUTS}, and nothing beside it.")
    if unheld := len(test_set.ids) - done.kept:
        say(f"The key has {unheld} more, which {format_name} cannot hold; those that are scored count as no answer.")
    return 0


def score(
    folder: Folder,
    answers: AllAnswers,
    out: ResultFolder,
    *,
    final: Annotated[bool, typer.Option("--final", help="Apply the rulings on reported references.")] = False,
    as_json: AsJson = False,
    overwrite: Overwrite = False,
    say: Say = print_line,
) -> int:
    """Score answers against the released key, or with every ruling applied; the exit code of `curtain score`.

    Raises CurtainError.

    Preliminary and final results stay beside each other in `out`.
    """
    test_set = open_test_set(folder)
    options = ScoreOptions(ComparisonRules())
    # Before the key of final results is written over, too.
    ensure_absent(out / (FINAL if final else PRELIMINARY) / "score.html", overwrite)
    key = _write_final_key(test_set, out) if final else test_set.key
    return score_run(
        key, *answers, out=out / (FINAL if final else PRELIMINARY), options=options, as_json=as_json,
        overwrite=overwrite, heading=_standing(test_set, final), say=say,
    )  # fmt: skip


def report(
    folder: Folder, utterance: Utterance, *, by: By, why: Why, at_utc: str | None = None, say: Say = print_line
) -> int:
    """Take a report on a reference; the exit code, 0. Raises CurtainError."""
    _say_who(by, why)
    test_set = open_test_set(folder)
    test_set.report(ReferenceReport(id=utterance, by=by.strip(), why=why.strip(), at_utc=at_utc or Clock().wall_utc()))
    say(f"{utterance}: reported. {count_of(len(test_set.open_reports()), 'reference')} to rule on.")
    return 0


def rule_on(
    folder: Folder,
    utterance: Utterance,
    decision: Annotated[str, typer.Argument(help="keep, replace or withdraw.")],
    by: By,
    why: Why,
    ref: Annotated[str | None, typer.Option("--ref", help="The minimum, a CAS answer.")] = None,
    maximum: Annotated[str | None, typer.Option("--max", help="The maximum, a CAS answer.")] = None,
) -> int:
    """As `rule`, from the words of a command line. Raises CurtainError."""
    if decision not in get_args(Decision):
        raise CurtainError(f"A ruling is one of {', '.join(get_args(Decision))}, not “{decision}”.")
    return rule(folder, ReferenceRuling(
        id=utterance, decision=cast(Decision, decision), by=by, why=why, at_utc=Clock().wall_utc(), ref=ref, max=maximum
    ))  # fmt: skip


def rule(folder: Path, ruling: ReferenceRuling, say: Say = print_line) -> int:
    """Keep a ruling on a reference; the exit code, 0. Raises CurtainError."""
    _say_who(ruling.by, ruling.why)
    test_set = open_test_set(folder)
    test_set.rule(ruling)
    say(f"{ruling.id}: {ruling.decision}. {count_of(len(test_set.open_reports()), 'reference')} to rule on.")
    return 0


def list_reports(folder: Folder, as_json: AsJson = False) -> int:
    """Who reported what, and what was decided; the exit code, 0. Raises CurtainError."""
    test_set = open_test_set(folder)
    answered = test_set.answered_reports()
    reported = {report.id for report, ruling in answered if ruling}
    rows = [(report.id, report.by, report.why, *_decision(ruling)) for report, ruling in answered]
    rows += [(one.id, "-", "-", *_decision(one)) for one in test_set.rulings().values() if one.id not in reported]
    headings = ("utterance", "reported by", "why", "decision", "ruled by", "reason")
    if as_json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows])
    else:
        print_table(headings, rows, [False] * len(headings))
    return 0


def _decision(ruling: ReferenceRuling | None) -> tuple[str, str, str]:
    """What was decided, by whom, and why."""
    if ruling is None:
        return "open", "-", "-"
    new = f" by {shown_name(ruling.ref, _LONGEST)}" if ruling.ref is not None else ""
    return f"{ruling.decision}{new}", ruling.by, ruling.why


def _say_who(by: str, why: str) -> None:
    if not by.strip() or not why.strip():
        raise CurtainError("Say who you are with --by, and why with --why.")


def _standing(test_set: TestSet, final: bool) -> str:
    rulings = test_set.rulings().values()
    changed = sum(one.decision != "keep" and test_set.scores(one.id) for one in rulings)
    if final:
        return f"Final results: {count_of(len(rulings), 'ruling')}, {count_of(changed, 'reference')} changed"
    return f"Preliminary results, of the references as released on {test_set.record.released_utc[:10]}"


def _write_final_key(test_set: TestSet, out: Path) -> Path:
    rows = final_key(test_set)
    replace_files(out, {FINAL_KEY: (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)})
    return out / FINAL_KEY
