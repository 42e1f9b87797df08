"""Opening a session's files: a new one, one to go on with, one to look at. Slow things, for a thread of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from curtain.errors import CurtainError
from curtain.session import subject_events, wizard_events
from curtain.session.bundle import Bundle
from curtain.session.checks import damage_of
from curtain.session.clock import Clock
from curtain.session.disk import Disk
from curtain.session.files import sha256_of
from curtain.session.identity import common_identity, identity_in, new_identity
from curtain.session.journal import Journal, Replica, read_journal
from curtain.session.lines import Entry, UnreadableFact
from curtain.session.seat_secret import new_secret, read_secret, write_secret
from curtain.session.study import SessionFolder, Study, StudyUnwritable
from wizard_app.plan import SessionPlan
from wizard_app.progress import Progress, with_subject_fact, with_wizard_fact
from wizard_app.session_list import SessionRow
from wizard_app.unsent import Unsent, read_unsent

Line = tuple[int, int | None, wizard_events.WizardFact | None]


class NoSuchSession(CurtainError):
    """The session that was named is not in the study."""


@dataclass
class OpenSession:
    """A session whose journals are held by this station. `lines` are the wizard's facts in journal order; `measures`
    are the sentences on pace and SQL drafts that its end brings; `damage` tells what of its files is damaged.
    `secret_given` is false while the subject's station cannot know the secret, because it had to be made anew.
    """

    bundle: Bundle
    session_id: str
    journal: Journal
    replica: Replica
    progress: Progress
    lines: list[Line] = field(default_factory=list)
    audio_safe: dict[str, str] = field(default_factory=dict)
    unsent: Unsent = field(default_factory=Unsent)
    unsent_path: Path = Path()
    measures: str = ""
    damage: str = ""
    identity: str = ""
    secret: str = ""
    secret_given: bool = True


@dataclass(frozen=True)
class OldSession:
    """A session to look at."""

    bundle: Bundle
    session_id: str
    progress: Progress


@dataclass(frozen=True)
class Station:
    """This start of the wizard's station, as its journal line tells it."""

    clock: Clock
    app_version: str
    pid: int
    disk: Disk | None = None


def begin(study: Study, plan: SessionPlan, domain_sha256: str | None, station: Station) -> OpenSession:
    """Make the bundle of a new session and open its journals; session and consent are safe on disk on return.

    Raises CurtainError: StudyUnwritable, BundleExists, JournalUnwritable, BadId.
    """
    session_id = study.next_session_id(plan.speaker_id)
    identity = new_identity()
    about = {
        "identity": identity,
        "wizard_ids": [plan.wizard_id],
        "domain": study.domain,
        "domain_content_sha256": domain_sha256,
        "app_version": station.app_version,
        "consent_id": _consent_id(plan),
        "pilot": plan.pilot,
    }
    bundle = Bundle.create(study, session_id, about)
    opened = _open(study, bundle, session_id, station)
    opened.identity = identity
    _append(opened, [_epoch(1, opened, station), *_opening(session_id, plan)])
    return opened


def resume(study: Study, session_id: str, station: Station) -> OpenSession:
    """Open the journals of an unfinished session and fold them. Raises CurtainError."""
    folder = next((one for one in study.sessions() if one.session_id == session_id), None)
    if folder is None:
        raise NoSuchSession(f"There is no session {session_id} in {study.folder}.")
    opened = _open(study, Bundle(folder.path), session_id, station)
    opened.audio_safe = _verified_audio(opened)
    _append(opened, [_epoch(opened.progress.wizard_epochs + 1, opened, station)])
    return opened


def look(study: Study, session_id: str) -> OldSession:
    """Read a session and change nothing. Raises CurtainError."""
    bundle = Bundle(study.sessions_folder / session_id)
    progress = _fold(bundle.read_wizard_journal().entries, bundle.read_subject_journal().entries)
    return OldSession(bundle, session_id, progress)


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


def wizard_fact(entry: Entry) -> wizard_events.AnyWizardFact | None:
    """The fact of a line, or None for one that this version cannot read."""
    try:
        return wizard_events.read(entry)
    except UnreadableFact:
        return None


def subject_fact(entry: Entry) -> subject_events.AnySubjectFact | None:
    try:
        return subject_events.read(entry)
    except UnreadableFact:
        return None


# -- inner -------------------------------------------------------------------------------------------------


def _open(study: Study, bundle: Bundle, session_id: str, station: Station) -> OpenSession:
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
    entries = journal.opened_with.entries
    return OpenSession(
        bundle=bundle,
        session_id=session_id,
        journal=journal,
        replica=replica,
        progress=_fold(entries, replica.opened_with.entries),
        lines=[(entry.seq, entry.turn, wizard_fact(entry)) for entry in entries],
        unsent=read_unsent(unsent_path),
        unsent_path=unsent_path,
        damage=_damage(journal, replica),
        identity=identity,
        secret=secret,
        secret_given=was_kept,
    )


def _damage(journal: Journal, replica: Replica) -> str:
    """What the wizard must know of damaged journals; "" if there is nothing."""
    found = [
        f"{one.path.name}: {what}"
        for one in (journal, replica)
        if one.opened_with.is_damaged
        for what in damage_of(one.opened_with)
    ]
    if not found:
        return ""
    advice = "The session can go on. Run “curtain repair” afterwards; until then exports leave it out."
    return " ".join([*found, advice])


def _identity_of(bundle: Bundle, journal: Journal, replica: Replica) -> str:
    """The identity on which session.json and both journals agree. Raises SessionsMixed."""
    try:
        told: str | None = str(bundle.read_session_json().get("identity") or "")
    except CurtainError:
        told = None  # damaged; the journals know it too
    named = {
        one.name: identity_in(kept.opened_with.entries)
        for one, kept in ((bundle.wizard_journal, journal), (bundle.subject_journal, replica))
    }
    return common_identity({bundle.session_json.name: told, **named})


def _secret_of(study: Study, session_id: str) -> tuple[str, bool]:
    """The secret of the subject's place, and whether it was there already. Raises StudyUnwritable."""
    path = secret_path(study, session_id)
    if secret := read_secret(path):
        return secret, True
    secret = new_secret()
    try:
        write_secret(path, secret)
    except OSError as fault:
        raise StudyUnwritable(f"{path} cannot be written: {fault.strerror}.") from fault
    return secret, False


def secret_path(study: Study, session_id: str) -> Path:
    return study.folder / "state" / f"{session_id}.seat"


def _append(opened: OpenSession, facts: list[wizard_events.WizardFact]) -> None:
    """Write at once and wait for the disk; fold what was written."""
    for future in opened.journal.append_all([(fact, None) for fact in facts]):
        entry = future.result()
        fact = wizard_fact(entry)
        opened.lines.append((entry.seq, entry.turn, fact))
        if fact is not None:
            opened.progress = with_wizard_fact(opened.progress, fact, entry.turn, entry.t_ns, entry.seq)


def _epoch(number: int, opened: OpenSession, station: Station) -> wizard_events.WizardFact:
    return wizard_events.Epoch(
        number=number,
        app_version=station.app_version,
        pid=station.pid,
        session_id=opened.session_id,
        identity=opened.identity,
    )


def _opening(session_id: str, plan: SessionPlan) -> list[wizard_events.WizardFact]:
    opened = wizard_events.SessionOpened(
        session_id=session_id,
        speaker_id=plan.speaker_id,
        wizard_ids=[plan.wizard_id],
        scenario_ids=plan.all_ids,
        practice_id=plan.practice_id,
        pilot=plan.pilot,
    )
    consent = wizard_events.ConsentConfirmed(consent_id=_consent_id(plan), confirmed_by=plan.wizard_id)
    return [opened, consent]


def _consent_id(plan: SessionPlan) -> str:
    return plan.consent_id or "trial"


def _fold(wizard: Iterable[Entry], subject: Iterable[Entry]) -> Progress:
    """Both journals; a turn belongs to the scenario that ran when the wizard's station first knew of it."""
    progress = Progress()
    for entry in wizard:
        fact = wizard_fact(entry)
        if fact is not None:
            progress = with_wizard_fact(progress, fact, entry.turn, entry.t_ns, entry.seq)
    for entry in subject:
        told = subject_fact(entry)
        if told is not None:
            progress = with_subject_fact(progress, told, entry.turn, entry.t_ns)
    return progress


def _verified_audio(opened: OpenSession) -> dict[str, str]:
    """The takes whose file here is the announced one."""
    takes = [turn.take for turn in opened.progress.in_order if turn.take is not None]
    safe: dict[str, str] = {}
    for take in takes:
        path = opened.bundle.utterance(take.utterance_id)
        if path.is_file() and sha256_of(path) == take.sha256:
            safe[take.utterance_id] = take.sha256
    return safe


def _row(folder: SessionFolder) -> SessionRow:
    try:
        bundle = Bundle(folder.path)
        wizard = bundle.read_wizard_journal().entries
        subject = bundle.read_subject_journal().entries
    except CurtainError as error:
        return SessionRow(folder.session_id, False, "", 0, fault=str(error))
    if not any(entry.type == "session_opened" for entry in wizard):
        return SessionRow(folder.session_id, False, "", 0, fault="It was never begun; nothing was recorded.")
    begun = wizard[0].wall_utc[:16].replace("T", " ")
    pilot = any(entry.type == "session_opened" and entry.data.get("pilot") is True for entry in wizard)
    counted = _fold((), subject).counted
    return SessionRow(folder.session_id, folder.state == "closed", begun, len(counted), pilot)
