"""`curtain retention`, `forget` and `tombstones`: how long sessions are kept, and what is erased."""

import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.plural import count_of, were
from curtain.base.privacy import own_cache, own_logs, own_spool
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, StudyFolder, Yes, ask_in_terminal
from curtain.commands.people.consent import short_of
from curtain.commands.purposes import InFolder
from curtain.corpus.model.retention import KeptSession, day_of, due_on, kept_sessions
from curtain.corpus.redaction.erasure import ForgetPlan, Forgotten, delete_trial, forget, plan_for, plan_for_trial
from curtain.corpus.redaction.export_log import Exported
from curtain.corpus.redaction.tombstones import read_tombstone_rows
from curtain.ports.result import end_with
from curtain.session.study.study import load_study


def forget_speaker(
    study: StudyFolder,
    speaker: Annotated[str, typer.Argument(help="The speaker id.")],
    yes: Yes = False,
    remove_exports: Annotated[
        bool, typer.Option("--remove-exports", help="Also erase the study's exports with this speaker.")
    ] = False,
    also_in: Annotated[
        list[InFolder] | None, typer.Option("--also-in", help="Another folder of sessions, such as a spool of its own.")
    ] = None,
) -> int:
    """As `run_forget`, also in what this user's own stations and drafters keep outside of every study."""
    return run_forget(
        study, speaker, yes=yes, remove_exports=remove_exports, also_in=[*(also_in or ()), own_spool()],
        logs=[own_logs()], caches=[own_cache()], ask=ask_in_terminal,
    )  # fmt: skip


def discard(
    study: StudyFolder, session: Annotated[str, typer.Argument(help="The trial session, by its id.")], yes: Yes = False
) -> int:
    """Deletes a trial session after a yes; the exit code, 0. Raises CurtainError."""
    plan = plan_for_trial(load_study(study), session)
    _show_plan(plan)
    if not yes and not ask_in_terminal(f"Delete the trial session {session} for good?"):
        raise CurtainError("Nothing was erased. Add --yes to erase without being asked.")
    delete_trial(plan, session, Clock())
    return end_with(f"The trial session {session} is deleted.")


def run_forget(
    study: Path,
    speaker: str,
    *,
    yes: bool = False,
    remove_exports: bool = False,
    also_in: Sequence[Path] = (),
    logs: Sequence[Path] = (),
    caches: Sequence[Path] = (),
    ask: Callable[[str], bool] = lambda question: False,
) -> int:
    """Erase a speaker after a yes; exit code 0, or 1 if something of them is still there. Raises CurtainError."""
    opened = load_study(study)
    speaker = short_of(opened, speaker)
    plan = plan_for(opened, speaker, also_in, logs, caches)
    # What would go is listed before anybody is asked.
    _show_plan(plan)
    if not yes and not ask(f"Erase all of speaker {speaker} for good?"):
        raise CurtainError("Nothing was erased. Add --yes to erase without being asked.")
    done = forget(plan, Clock(), remove_exports=remove_exports)
    return _show_result(plan, done)


def _show_plan(plan: ForgetPlan) -> None:
    print_line(f"Speaker {plan.speaker} in {plan.study.folder}: {count_of(len(plan.utterances), 'utterance')}.")
    for path in (*plan.folders, *plan.files):
        print_line(f"  to be erased: {path}")
    for path in plan.namesakes:
        print_line(f"  left as it is: {path} (not known to be of this study; another study may use the same ids)")
        print_line(
            f"    If it is of this one: curtain forget {shlex.quote(str(plan.study.folder))} {plan.speaker} "
            f"--also-in {shlex.quote(str(path))}"
        )
    for export in plan.exports:
        print_line(f"  export that holds them: {export.path} ({export.format}, {export.at_utc[:10]})")


def _show_result(plan: ForgetPlan, done: Forgotten) -> int:
    erased = were(len(done.erased), "folder or file", "folders and files")
    end_with(f"{erased} erased; {were(done.tombstones, 'tombstone')} added.")
    for export in done.exports:
        print_line(_still_holds(export, plan.study.folder))
    for path in done.remaining:
        print_line(f"Still names them: {path}. Look into it and erase what belongs to them.")
    if not (done.exports or done.remaining):
        print_line("A search of the study finds nothing of them.")
    print_line(
        "Not in Curtain's hands: the consent form, the list of names, backups, copies that others were given, and the "
        "spool of a subject's station on another computer."
    )
    # Exports are not erased unless asked for: others may hold copies, and they need to know.
    return 1 if done.exports or done.remaining else 0


def _still_holds(export: Exported, study: Path) -> str:
    place = export.path if export.path.exists() else export.references
    if not export.is_corpus:
        return f"Still holds them: {place} ({export.format}). Make it anew without them, or erase it by hand."
    if export.is_of(study):
        return f"Still holds them: {place}. Make this export anew without them, or erase it (--remove-exports)."
    other = f"from the study in {export.study}" if export.study else "by an earlier version"
    return f"Still holds them: {place}. It was made {other}, so it is not erased from here; see to it by hand."


def tombstones(study: StudyFolder, *, as_json: AsJson = False) -> int:
    """List which utterances a study has erased, and when; the exit code. Raises CurtainError."""
    rows = read_tombstone_rows(load_study(study).folder)
    if as_json:
        return print_json([{"utterance_id": utterance_id, "date": day} for utterance_id, day in rows])
    for utterance_id, day in rows:
        print_line(f"{utterance_id}  {day}")
    return end_with(f"{were(len(rows), 'utterance')} erased.")


def retention(
    study: StudyFolder,
    due: Annotated[
        str | None, typer.Option("--due", help="Only what is past its last day on this day: today, or 2026-03-01.")
    ] = None,
    *,
    today: date | None = None,
    as_json: AsJson = False,
) -> int:
    """List until when sessions may be kept, or those past it on the day `due`; the exit code. Raises CurtainError."""
    day = None if due is None else day_of(due, today or datetime.now(UTC).date())
    opened = load_study(study)
    sessions = kept_sessions(opened)
    # Without --due every session is listed, also those that may stay.
    listed = sessions if day is None else due_on(day, sessions)
    if as_json:
        names = ("session_id", "recorded", "keep_until")
        return print_json([dict(zip(names, _retention_row(one, None), strict=True)) for one in listed])
    if listed:
        rows = [tuple(str(value) for value in _retention_row(one, "not known")) for one in listed]
        print_table(("session", "recorded", "keep until"), rows, [False] * 3)
    if due is not None:
        end_with(f"Past the last day or without a known day: {count_of(len(listed), 'session')}.")
    if due is not None and listed:
        print_line(f"To erase a speaker: curtain forget {shlex.quote(str(opened.folder))} SPEAKER")
    return 0


def _retention_row(session: KeptSession, unknown: str | None) -> tuple[str | None, ...]:
    # None in JSON, words in the table: an unknown day is no day.
    days = (str(day) if day else unknown for day in (session.recorded, session.keep_until))
    return (session.session_id, *days)
