"""Opening a session's files: a new one, one to go on with, one to look at. Slow things, for a thread of their own."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from curtain.base.clock import Clock
from curtain.base.disk import Disk
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.plural import count_of
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.identity import common_identity, identity_in, new_identity
from curtain.session.bundle.seat_secret import new_secret, read_secret, write_secret
from curtain.session.events import wizard_events
from curtain.session.events.facts import subject_lines, wizard_lines
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import MAX_LINE, BadLine, JournalEntry, parse_line, read_journal
from curtain.session.study.languages import language_code
from curtain.session.study.study import SessionFolder, Study
from curtain.session.turns.turn_progress import turns_in
from curtain.session.untrusted_files import sha256_of
from wizard_app.desk.session.open_session import OpenSession, append_now, subject_fact, wizard_fact
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.session.restoring import (
    keep_numbers,
    last_shown,
    look_for_missing_turns,
    note_restored,
    restore_beginning,
    restore_session_json,
    take_from_mirror,
)
from wizard_app.desk.session.scenarios import inputs_of
from wizard_app.desk.session.session_rows import SessionRow
from wizard_app.desk.session.unsent import read_unsent

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OldSession:
    """A session to look at. `starts` are the offsets in bytes of the wizard's journal lines, by their numbers."""

    bundle: Bundle
    session_id: str
    progress: SessionProgress
    starts: Mapping[int, int] = field(default_factory=dict)

    def fact_at(self, seq: int) -> wizard_events.WizardFact | None:
        """The fact of this journal line with its table, read from the disk; None if that is not to be had."""
        try:
            with self.bundle.wizard_journal.open("rb") as file:
                file.seek(self.starts[seq])
                return wizard_fact(parse_line(file.readline(MAX_LINE)))
        except (KeyError, OSError, BadLine) as error:
            log.warning("%s, line %d: %s", self.bundle.wizard_journal.name, seq, type(error).__name__)
            return None


@dataclass(frozen=True)
class StationStart:
    """This start of the wizard's station, as its journal line describes it."""

    clock: Clock
    app_version: str
    pid: int
    disk: Disk | None = None


def begin(study: Study, plan: SessionPlan, domain_sha256: str | None, station: StationStart) -> OpenSession:
    """Make the bundle of a new session and open its journals; session and consent are safe on disk on return.

    Raises CurtainError: JournalUnwritable, BadId.
    """
    session_id = study.next_session_id(plan.speaker_id)
    identity = new_identity()
    began = _opened(session_id, plan, study)
    about = {
        "identity": identity,
        "lab_speaker_id": plan.lab_speaker_id,
        "wizard_ids": [plan.wizard_id],
        "domain": study.domain,
        "language": language_code(study.language),
        "domain_content_sha256": domain_sha256,
        "app_version": station.app_version,
        **_consent(plan, station.clock),
        "pilot": plan.pilot,
        # What the journal's first lines say, too: a session whose journal is lost can go on from here.
        "scenario_ids": plan.all_ids,
        "practice_id": plan.practice_id,
        "speaker": msgspec.to_builtins(plan.speaker),
        **_experiment_of(study, plan),
        **({"inputs": began.inputs} if began.inputs else {}),
    }
    bundle = Bundle.create(study, session_id, about)
    opened = _open(study, bundle, session_id, station)
    opened.identity = identity
    append_now(opened, [_epoch(1, opened, station), began, *_consented(plan, station.clock)])
    return opened


def resume(study: Study, session_id: str, station: StationStart) -> OpenSession:
    """Open the journals of an unfinished session and fold them. Raises CurtainError."""
    folder = next((one for one in study.sessions() if one.session_id == session_id), None)
    if folder is None:
        raise CurtainError(f"There is no session {session_id} in {study.folder}.")
    bundle = Bundle(folder.path)
    # Before the journal is opened: then it is held, and its numbers go on from what it has.
    lines = take_from_mirror(study.mirror, bundle, session_id, station.disk) if study.mirror is not None else 0
    opened = _open(study, bundle, session_id, station)
    if lines:
        note_restored(opened, bundle.wizard_journal.name, count_of(lines, "line"), "the mirror")
    restore_session_json(opened, study)
    keep_numbers(opened, last_shown(opened.replica.opened_with.entries))
    look_for_missing_turns(opened)
    # Folded: the tables of a long session would stay in memory.
    opened.journal.release_lines()
    opened.replica.release_lines()
    restore_beginning(opened)
    opened.audio_safe = _verified_audio(opened)
    append_now(opened, [_epoch(opened.progress.wizard_epochs + 1, opened, station)])
    return opened


def look(study: Study, session_id: str) -> OldSession:
    """Read a session and change nothing. Raises CurtainError."""
    bundle = Bundle(study.sessions_folder / session_id)
    reading = bundle.read_wizard_journal()
    starts = {entry.seq: start for entry, start in zip(reading.entries, reading.starts, strict=True)}
    progress = _fold(reading.entries, bundle.read_subject_journal().entries)
    return OldSession(bundle, session_id, progress, starts)


def session_rows(study: Study) -> list[SessionRow]:
    """Every session of the study in one line each, the newest first. A broken one says so."""
    rows = [_row(folder) for folder in study.sessions()]
    return sorted(rows, key=lambda row: row.begun, reverse=True)


def statements_of(study: Study) -> list[str]:
    """Every statement that was run in the study's sessions, in order; unreadable sessions are passed over."""
    ran: list[str] = []
    for folder in study.sessions():
        try:
            entries = read_journal(Bundle(folder.path).wizard_journal).entries
        except CurtainError:
            continue
        ran.extend(str(entry.data.get("sql", "")) for entry in entries if entry.type == "attempt")
    return ran


# -- inner -------------------------------------------------------------------------------------------------


def _open(study: Study, bundle: Bundle, session_id: str, station: StationStart) -> OpenSession:
    journal = Journal(bundle.wizard_journal, station.clock, station.disk)
    try:
        replica = Replica(bundle.subject_journal, station.disk)
    except CurtainError:
        journal.close()
        raise
    try:
        identity = _identity_of(bundle, journal, replica)
        secret, was_kept = _secret_of(study, session_id)
    except CurtainError:
        journal.close()
        replica.close()
        raise
    unsent_path = study.folder / "state" / f"{session_id}.json"
    return OpenSession(
        bundle=bundle,
        session_id=session_id,
        journal=journal,
        replica=replica,
        progress=_fold(journal.opened_with.entries, replica.opened_with.entries),
        unsent=read_unsent(unsent_path),
        unsent_path=unsent_path,
        identity=identity,
        secret=secret,
        secret_given=was_kept,
    )


def takes_bytes(folder: Path) -> bool:
    """Whether the disk takes a file's first block here."""
    probe = folder / ".room.part"
    try:
        probe.write_bytes(bytes(4096))
    except OSError:
        return False
    finally:
        probe.unlink(missing_ok=True)
    return True


def _identity_of(bundle: Bundle, journal: Journal, replica: Replica) -> str:
    """The identity on which session.json and both journals agree. Raises SessionsMixed."""
    try:
        identity: str | None = str(bundle.read_session_json().get("identity") or "")
    except CurtainError:
        identity = None  # damaged; the journals know it too
    named = {
        path.name: identity_in(kept.opened_with.entries)
        for path, kept in ((bundle.wizard_journal, journal), (bundle.subject_journal, replica))
    }
    return common_identity({bundle.session_json.name: identity, **named})


def _secret_of(study: Study, session_id: str) -> tuple[str, bool]:
    """The secret of the subject's place, and whether it was there already. Raises CurtainError."""
    path = secret_path(study, session_id)
    if secret := read_secret(path):
        return secret, True
    secret = new_secret()
    _keep_secret(path, secret)
    return secret, False


def new_seat(study: Study, opened: OpenSession) -> None:
    """Make the secret of the subject's place anew: whoever asks next gets it. Raises CurtainError."""
    secret = new_secret()
    _keep_secret(secret_path(study, opened.session_id), secret)
    opened.secret, opened.secret_given = secret, False


def _keep_secret(path: Path, secret: str) -> None:
    with os_errors_as(f"{path} cannot be written"):
        write_secret(path, secret)


def secret_path(study: Study, session_id: str) -> Path:
    """Where the secret of the subject's place in a session is kept."""
    return study.folder / "state" / f"{session_id}.seat"


def _epoch(number: int, opened: OpenSession, station: StationStart) -> wizard_events.WizardFact:
    return wizard_events.WizardEpoch(
        number=number,
        app_version=station.app_version,
        pid=station.pid,
        session_id=opened.session_id,
        identity=opened.identity,
    )


def _experiment_of(study: Study, plan: SessionPlan) -> dict[str, Any]:
    """Plan, conditions, seed and analysis as session.json has them; nothing for a study without conditions."""
    if plan.subject_plan is None:
        return {}
    return {"plan": msgspec.to_builtins(plan.subject_plan), **_design_of(study)}


def _design_of(study: Study) -> dict[str, Any]:
    return {
        "conditions": msgspec.to_builtins(list(study.conditions)),
        "design_seed": study.design.seed,
        "analysis": msgspec.to_builtins(study.analysis) if study.analysis.primary else {},
    }


def _opened(session_id: str, plan: SessionPlan, study: Study) -> wizard_events.SessionOpened:
    opened = wizard_events.SessionOpened(
        session_id=session_id,
        speaker_id=plan.speaker_id,
        lab_speaker_id=plan.lab_speaker_id,
        wizard_ids=[plan.wizard_id],
        scenario_ids=plan.all_ids,
        practice_id=plan.practice_id,
        pilot=plan.pilot,
        domain=study.domain,
        seed=study.seed if study.order == "seeded" else None,
        plan=plan.subject_plan,
        **(_design_of(study) if plan.subject_plan else {}),
        wizard_level=plan.wizard_level,
        level_reason=plan.level_reason or None,
        language=language_code(study.language),
        disclose=study.disclose,
    )
    return structs.replace(opened, inputs=inputs_of(opened, study.input, plan.inputs))


def _consented(plan: SessionPlan, clock: Clock) -> list[wizard_events.WizardFact]:
    """The consent, and what the speaker stated about themselves."""
    given = _consent(plan, clock)
    consent = wizard_events.ConsentConfirmed(
        consent_id=given["consent_id"],
        confirmed_by=plan.wizard_id,
        scopes=given["consent_scopes"],
        signed_on=given["consent_signed_on"],
    )
    described = [wizard_events.SpeakerDescribed(speaker=plan.speaker)] if plan.speaker is not None else []
    return [consent, *described]


def _consent(plan: SessionPlan, clock: Clock) -> dict[str, Any]:
    """The keys of session.json about the consent. Without a signed form nothing is allowed or forbidden."""
    signed = plan.signed_on or clock.wall_utc()[:10]
    return {
        "consent_id": plan.consent_id or "trial",
        "consent_scopes": list(plan.scopes) if plan.consent else None,
        "consent_signed_on": signed if plan.consent else None,
    }


def _fold(wizard: Iterable[JournalEntry], subject: Iterable[JournalEntry]) -> SessionProgress:
    """Both journals, the wizard's first: a screen of the subject's names the line that started its scenario."""
    progress = SessionProgress()
    for entry in wizard:
        progress = with_wizard_fact(progress, wizard_fact(entry), entry.turn, entry.t_ns, entry.seq)
    for entry in subject:
        progress = with_subject_fact(progress, subject_fact(entry), entry.turn, entry.t_ns)
    return progress


def _verified_audio(opened: OpenSession) -> dict[str, str]:
    """The takes whose file here is the announced one."""
    takes = [take for turn in opened.progress.in_order for take in turn.recordings]
    safe: dict[str, str] = {}
    for take in takes:
        path = opened.bundle.recording(take)
        if path.is_file() and sha256_of(path) == take.sha256:
            safe[take.recording] = take.sha256
    return safe


def _row(folder: SessionFolder) -> SessionRow:
    try:
        bundle = Bundle(folder.path)
        wizard = bundle.read_wizard_journal().entries
        subject = bundle.read_subject_journal().entries
    except CurtainError as error:
        return SessionRow(folder.session_id, False, "", 0, problem=str(error))
    if not subject and not any(entry.type == "session_opened" for entry in wizard):
        return SessionRow(folder.session_id, False, "", 0, problem="It was never begun; nothing was recorded.")
    begun = min(journal[0].wall_utc for journal in (wizard, subject) if journal)[:16].replace("T", " ")
    pilot = any(entry.type == "session_opened" and entry.data.get("pilot") is True for entry in wizard)
    turns = turns_in(subject_lines(subject), wizard_lines(wizard)).values()
    counted = [turn for turn in turns if not turn.is_no_turn]
    identity = identity_in(wizard) or ""
    done = tuple(str(entry.data.get("scenario_id", "")) for entry in wizard if entry.type == "scenario_ended")
    closed = folder.state == "closed"
    lab_ids = [str(entry.data.get("lab_speaker_id") or "") for entry in wizard if entry.type == "session_opened"]
    lab_id = next(iter(lab_ids), "")
    return SessionRow(folder.session_id, closed, begun, len(counted), pilot, "", identity, done, lab_id)
