"""`curtain solution`: the verdicts on stated answers, and a person's ruling on one; and what `curtain turns` adds."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec.structs import replace

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.terminal import print_error, print_json, print_table
from curtain.commands.options import AsJson, By, StudyFolder, Why
from curtain.corpus.model.consents import kept_back
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.solution_rulings import SolutionRuling, add_ruling, read_rulings
from curtain.corpus.model.solutions import runs_with_solutions
from curtain.ports.result import end_with
from curtain.session.bundle.bundle import Bundle, BundleUnreadable
from curtain.session.bundle.checks import ensure_study_whole
from curtain.session.journal.journals import Journals
from curtain.session.study.study import load_study
from curtain.session.turns.scenario_runs import ScenarioRun, run_at, scenario_runs
from curtain.session.turns.turns import Turn

VERDICTS: tuple[Literal["correct", "incorrect"], ...] = ("correct", "incorrect")


def solution(
    study: StudyFolder,
    session: Annotated[str | None, typer.Argument(help="A session; all of them if not named.")] = None,
    scenario: Annotated[str | None, typer.Argument(help="The scenario whose answer is ruled on.")] = None,
    verdict: Annotated[str | None, typer.Argument(help="correct or incorrect.")] = None,
    why: Why = "",
    by: By = "",
    run: Annotated[
        int | None, typer.Option("--run", help="Which run of the scenario, from 1; the last one if not named.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Lists verdicts, or rules on one; the exit code. Raises CurtainError."""
    if scenario is None or session is None:
        return list_solutions(study, session, as_json=as_json)
    if verdict is None:
        raise CurtainError(f"Say whether the answer of {scenario} in {session} is correct or incorrect.")
    return rule(study, session, scenario, verdict, reason=why, by=by, at_utc=Clock().wall_utc(), run=run)


def list_solutions(study: Path, session_id: str | None = None, *, as_json: bool = False) -> int:
    """List the verdict on every scenario that ran; the exit code. Raises CurtainError."""
    opened = load_study(study)
    reasons = {(row.session_id, row.scenario_id): row.reason for row in read_rulings(opened.folder)}
    rows = []
    ensure_study_whole(opened.folder)
    for session in (one for one in opened.sessions() if session_id in (None, one.session_id)):
        if reason := kept_back(Bundle(session.path), Journals(session.path)):
            print_error(f"{session.session_id} is left out: {reason}.")
            continue
        # What is hidden in a session is hidden in a stated answer, too.
        rows += [_row(session.session_id, run, reasons) for run in read_session(session.path).scenarios]
    if session_id is not None and not rows:
        raise CurtainError(f"There is no scenario of a session {session_id} in {opened.folder}.")
    if as_json:
        return print_json(rows)
    headings = ("session", "scenario", "stated", "solution", "from", "reason")
    cells = [tuple("-" if row[name] is None else str(row[name]) for name in headings) for row in rows]
    print_table(headings, cells, [False] * len(headings))
    return 0


def rule(
    study: Path, session_id: str, scenario_id: str, verdict: str, *, reason: str, by: str, at_utc: str, run: int | None
) -> int:
    """Keep a person's ruling on the answer of a scenario; the exit code. Raises CurtainError."""
    wanted = next((one for one in VERDICTS if one == verdict), None)
    if wanted is None:
        raise CurtainError(f"A solution is correct or incorrect, not “{verdict}”.")
    if not reason.strip() or not by.strip():
        raise CurtainError("Say why with --why, and who you are with --by.")
    opened = load_study(study)
    session = next((one for one in opened.sessions() if one.session_id == session_id), None)
    if session is None:
        raise CurtainError(f"There is no session {session_id} in {opened.folder}.")
    runs = [one for one in _judged(session.path) if one.scenario_id == scenario_id]
    if not runs:
        raise CurtainError(f"The scenario {scenario_id} did not run in {session_id}.")
    if run is not None and not 1 <= run <= len(runs):
        raise CurtainError(f"The scenario {scenario_id} ran {len(runs)} times in {session_id}; --run is from 1.")
    before = runs[(run or len(runs)) - 1]
    add_ruling(
        opened.folder,
        SolutionRuling(
            session_id=session_id, scenario_id=scenario_id, verdict=wanted, reason=reason.strip(), by=by.strip(),
            at_utc=at_utc, run=run,
        ),
    )  # fmt: skip
    return end_with(f"{session_id}, {scenario_id}: {before.solution or 'not known'} before, {wanted} from now on.")


def with_solutions(bundle: Bundle, turns: Sequence[Turn]) -> Iterator[Turn]:
    """The turns of a session, their scenarios with verdicts. Raises CurtainError, BadRecords."""
    judged = _judged(bundle.path)
    for turn in turns:
        old = turn.scenario
        same = run_at(judged, old.scenario_id, old.started_ms) if old else None
        yield replace(turn, scenario=same) if same else turn


def _judged(bundle: Path) -> tuple[ScenarioRun, ...]:
    journals = Journals(bundle)
    try:
        about = Bundle(bundle).read_session_json()
    except BundleUnreadable:
        # The turns are in the journals; without the domain's name nobody knows what is accepted.
        about = {}
    runs = scenario_runs(journals.subject.entries, journals.wizard.entries)
    name = str(about.get("session_id") or bundle.name)
    return runs_with_solutions(runs, bundle, name, str(about.get("domain") or ""), Domains())


def _row(session_id: str, run: ScenarioRun, reasons: dict[tuple[str, str], str]) -> dict[str, Any]:
    return {
        "session": session_id,
        "scenario": run.scenario_id,
        "stated": run.answer,
        "solution": run.solution,
        "from": run.solution_from,
        "reason": reasons.get((session_id, run.scenario_id)) if run.solution_from == "ruled" else None,
    }
