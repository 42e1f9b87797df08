"""`curtain consent` from its arguments to its exit code: what the signed forms of a study allow."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, By, StudyFolder
from curtain.corpus.model.consents import NotedConsent, day_noted, note_consents
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import Session
from curtain.ports.result import end_with
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import SCOPES, ConsentScope, names_form
from curtain.session.study.study import Study, load_study


def consent(
    study: StudyFolder,
    who: Annotated[str | None, typer.Argument(help="A session, or a speaker for all of theirs.")] = None,
    allowed: Annotated[
        list[str] | None,
        typer.Option("--allow", help="keep_audio, video, share, publish or quote; may stand several times."),
    ] = None,
    only: Annotated[bool, typer.Option("--take-part-only", help="The form allows taking part and no more.")] = False,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="The speaker has withdrawn the consent.")] = False,
    signed: Annotated[
        str | None, typer.Option("--signed", help="The day of the signature, such as 2026-03-01.")
    ] = None,
    consent_id: Annotated[str, typer.Option("--id", help="A form that was signed after the session began.")] = "",
    disclosed: Annotated[
        str | None, typer.Option("--disclosed", help="The day on which somebody disclosed to the subject who answered.")
    ] = None,
    by: By = "",
    as_json: AsJson = False,
) -> int:
    """Lists what consents allow, or notes what one allows; the exit code. Raises CurtainError."""
    if who is None:
        return list_consents(study, as_json=as_json)
    is_disclosed_alone = disclosed is not None and not (allowed or withdrawn or only)
    scopes = None if is_disclosed_alone else scopes_of(allowed or (), withdrawn=withdrawn, only=only)
    return note(study, who, scopes, signed, datetime.now(UTC).date(), LaterForm(consent_id, by, disclosed))


def list_consents(study: Path, *, as_json: bool = False) -> int:
    """List what the consent of each session allows; the exit code. Raises CurtainError."""
    rows = [_row(session) for session in _sessions(load_study(study).folder)]
    if as_json:
        return print_json(rows)
    cells = [(str(row["session_id"]), _signed(row), _allowed(row)) for row in rows]
    print_table(("session", "signed on", "allows"), cells, [False] * 3)
    for speaker in dict.fromkeys(str(row["session_id"])[:3] for row in rows if _is_withdrawn(row)):
        print_line(f"To erase what {speaker} has withdrawn: curtain forget {shlex.quote(str(study))} {speaker}")
    if any(row["undisclosed"] for row in rows):
        place = f"curtain consent {shlex.quote(str(study))} SESSION --disclosed DAY --by NAME"
        print_line(f"Once somebody has disclosed to a subject who answered: {place}")
    return 0


@dataclass(frozen=True)
class LaterForm:
    """A consent form that was signed after its session began: its id, and who notes it. `disclosed` is the day on which
    somebody disclosed who answered, None where that is not noted."""

    consent_id: str = ""
    by: str = ""
    disclosed: str | None = None


def note(
    study: Path,
    who: str,
    scopes: list[ConsentScope] | None,
    signed: str | None,
    today: date,
    form: LaterForm = LaterForm(),
) -> int:
    """Note what the form of a session, or of all sessions of a speaker, allows from now on; the exit code.
    `scopes` None notes the disclosure alone.

    A session that was begun without a form needs `form` and the day of signing. Raises CurtainError.
    """
    opened = load_study(study)
    who = short_of(opened, who)
    sessions = [one for one in _sessions(opened.folder) if who in (one.session_id, one.speaker_id)]
    if not sessions:
        raise CurtainError(f"There is no session or speaker {who} in {opened.folder}.")
    day = None if signed is None else day_noted(signed, today)
    disclosed = "" if form.disclosed is None else day_noted(form.disclosed, today)
    if disclosed and not form.by.strip():
        raise CurtainError("Say with --by who disclosed to the subject who answered.")
    _ensure_form([one.session_id for one in sessions if scopes and not one.has_consent], form, day)
    rows = [
        NotedConsent(
            session_id=session.session_id,
            scopes=scopes,
            signed_on=day,
            noted_on=today.isoformat(),
            consent_id=form.consent_id,
            by=form.by,
            disclosed_on=disclosed,
        )
        for session in sessions
    ]
    note_consents(opened.folder, rows)
    allowed = "" if scopes is None else _in_words(scopes)
    at_end = f"who answered was disclosed on {disclosed}" if disclosed else ""
    end_with(f"Noted for {count_of(len(rows), 'session')}: {'; '.join(filter(None, (allowed, at_end)))}.")
    if scopes == []:
        print_line("Exports leave out what a speaker has withdrawn.")
        print_line(f"To erase it: curtain forget {shlex.quote(str(opened.folder))} {who[:3]}")
    return 0


def short_of(study: Study, who: str) -> str:
    """The speaker id in the names of files, where `who` is the laboratory's own; anything else as it is."""
    for folder in study.sessions():
        with suppress(CurtainError):
            if Bundle(folder.path).read_session_json().get("lab_speaker_id") == who != "":
                return folder.session_id[:3]
    return who


def _ensure_form(without: Sequence[str], form: LaterForm, day: str | None) -> None:
    """What is allowed counts only with a form: exports leave out a session that has none. Raises CurtainError."""
    if form.consent_id and not names_form(form.consent_id):
        raise CurtainError(f"“{form.consent_id}” stands for no form; name the form that was signed with --id.")
    if form.consent_id and not (form.by.strip() and day):
        raise CurtainError("Say with --signed on which day the form was signed, and with --by who notes it.")
    if without and not form.consent_id:
        raise CurtainError(
            f"Begun without a consent form: {', '.join(without)}. Nothing was noted, since exports leave such sessions "
            "out. If a form was signed since, name it too: --id ID --signed DAY --by NAME."
        )


def scopes_of(allowed: Sequence[str], *, withdrawn: bool, only: bool) -> list[ConsentScope]:
    """What a form allows, from the options; nothing if the consent was withdrawn. Raises CurtainError."""
    if bool(allowed) + withdrawn + only != 1:
        raise CurtainError("Say what the form allows: --allow (repeatable), --take-part-only or --withdrawn.")
    if unknown := [name for name in allowed if name not in SCOPES]:
        raise CurtainError(f"There is no scope “{unknown[0]}”, only {', '.join(SCOPES)}.")
    return [] if withdrawn else [scope for scope in SCOPES if scope == "take_part" or scope in allowed]


def _sessions(study: Path) -> list[Session]:
    # Everything, whatever annotators and consents say of it.
    everything = Filters(pilot=True, practice=True, live=True, use=None)
    return list(open_corpus([study], everything).sessions())


def _row(session: Session) -> dict[str, object]:
    scopes = session.consent_scopes
    allowed = None if scopes is None else list(scopes)
    signed_on = session.consent_signed_on
    at_end = "unanswered" if session.at_end == "" else session.at_end
    return {
        "session_id": session.session_id,
        "signed_on": signed_on,
        "scopes": allowed,
        "form": session.has_consent,
        "withdrew_at_end": session.withdrawn,
        "at_end": at_end,
        "undisclosed": session.consent.undisclosed,
    }


def _signed(row: dict[str, object]) -> str:
    """The day of the form; a session without a form has none."""
    return str(row["signed_on"] or "not known") if row["form"] else ""


def _is_withdrawn(row: dict[str, object]) -> bool:
    return bool(row["withdrew_at_end"]) or row["scopes"] == []


def _allowed(row: dict[str, object]) -> str:
    if row["withdrew_at_end"]:
        return "nothing: withdrawn at the end of the session"
    if not row["form"] and row["scopes"] != []:
        return "no consent form: exports leave it out"
    # In front: a narrow terminal cuts the end of the line.
    if row["undisclosed"]:
        return "not disclosed who answered: exports leave it out; " + _in_words(row["scopes"])
    return ("not answered at the end; " if row["at_end"] == "unanswered" else "") + _in_words(row["scopes"])


def _in_words(scopes: object) -> str:
    if not isinstance(scopes, list):
        return "not recorded"
    return ", ".join(scopes) or "nothing: withdrawn"
