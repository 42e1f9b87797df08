"""Opening a session's files: a new one, one to go on with, one to look at. Slow things, for a thread of their own."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.clock import Clock
from curtain.base.disk import Disk
from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.link.messages import SessionName
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import damage_of, restored
from curtain.session.bundle.identity import common_identity, identity_in, new_identity
from curtain.session.bundle.missing_turns import missing_turns, turns_in_words
from curtain.session.bundle.seat_secret import new_secret, read_secret, write_secret
from curtain.session.bundle.session_json import altered_keys, known_of
from curtain.session.events import subject_events, wizard_events
from curtain.session.events.facts import subject_lines, wizard_lines
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import (
    DAMAGED,
    MAX_LINE,
    BadLine,
    JournalEntry,
    UnreadableFact,
    parse_line,
    read_journal,
)
from curtain.session.study.design import SubjectPlan
from curtain.session.study.languages import language_code
from curtain.session.study.study import SessionFolder, Study, StudyUnwritable
from curtain.session.turns.turn_progress import turns_in
from curtain.session.untrusted_files import sha256_of
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.session.session_rows import SessionRow
from wizard_app.desk.session.unsent import Unsent, read_unsent

log = logging.getLogger(__name__)

_ADVICE = (
    "The session can go on. Exports will refuse it until you have run “curtain repair” and put the copy in its place."
)

Line = tuple[int, int | None, wizard_events.WizardFact | None]


class NoSuchSession(CurtainError):
    """The session that was named is not in the study."""


@dataclass
class OpenSession:
    """A session whose journals are held by this station. `measures` are the sentences on pace and SQL drafts that its
    end brings; `lost` says which lines of the wizard's journal are no more; `restored` are sentences on what was
    damaged and made whole when it was opened. `unanswered` are the questionnaires that somebody went on from with
    questions left out. `missing_turns` are those whose lines the copy of the subject's journal
    had lost then, `awaited_turns` those of them whose lines have not come again. `secret_given` is false while the
    subject's station cannot know the secret, because it had to be made anew. `noted`: the end wrote its last lines.
    """

    bundle: Bundle
    session_id: str
    journal: Journal
    replica: Replica
    progress: SessionProgress
    audio_safe: dict[str, str] = field(default_factory=dict)
    unsent: Unsent = field(default_factory=Unsent)
    unsent_path: Path = Path()
    measures: str = ""
    unanswered: str = ""
    lost: str = ""
    identity: str = ""
    restored: list[str] = field(default_factory=list)
    secret: str = ""
    secret_given: bool = True
    missing_turns: tuple[int, ...] = ()
    awaited_turns: set[int] = field(default_factory=set)
    noted: bool = False

    def facts_after(self, seq: int) -> Iterator[Line]:
        """(seq, turn, fact) of the lines of the wizard's journal after `seq`, read from the disk one by one.

        None stands for the fact of a line that cannot be read.
        """
        for number, line in self.journal.lines_after(seq):
            try:
                entry = parse_line(line)
            except BadLine as fault:
                # Altered behind our back while it was held: the next start shows the wizard what is lost.
                log.warning("%s, line %d: %s", self.journal.path.name, number, type(fault).__name__)
                yield number, None, None
            else:
                yield number, entry.turn, wizard_fact(entry)

    @property
    def damage(self) -> str:
        """What the wizard must know of damaged journals; "" if there is nothing."""
        damages = [self.lost] if self.lost else []
        for kept in (self.journal, self.replica):
            if kept.opened_with.is_damaged:
                damages += (f"{kept.path.name}: {what}" for what in damage_of(kept.opened_with))
        return " ".join([*damages, _ADVICE]) if damages else ""


@dataclass(frozen=True)
class OldSession:
    """A session to look at. `starts` are the offsets in bytes of the wizard's journal lines, by their numbers."""

    bundle: Bundle
    session_id: str
    progress: SessionProgress
    starts: Mapping[int, int] = field(default_factory=dict)

    def answer_of(self, seq: int) -> wizard_events.AnswerSent | None:
        """The answer of this journal line with its table, read from the disk; None if that is not to be had."""
        try:
            with self.bundle.wizard_journal.open("rb") as file:
                file.seek(self.starts[seq])
                fact = wizard_fact(parse_line(file.readline(MAX_LINE)))
        except (KeyError, OSError, BadLine) as fault:
            log.warning("%s, line %d: %s", self.bundle.wizard_journal.name, seq, type(fault).__name__)
            return None
        return fact if isinstance(fact, wizard_events.AnswerSent) else None


@dataclass(frozen=True)
class StationStart:
    """This start of the wizard's station, as its journal line describes it."""

    clock: Clock
    app_version: str
    pid: int
    disk: Disk | None = None


def begin(study: Study, plan: SessionPlan, domain_sha256: str | None, station: StationStart) -> OpenSession:
    """Make the bundle of a new session and open its journals; session and consent are safe on disk on return.

    Raises CurtainError: StudyUnwritable, BundleExists, JournalUnwritable, BadId.
    """
    session_id = study.next_session_id(plan.speaker_id)
    identity = new_identity()
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
    }
    bundle = Bundle.create(study, session_id, about)
    opened = _open(study, bundle, session_id, station)
    opened.identity = identity
    _append(opened, [_epoch(1, opened, station), *_opening(session_id, plan, study, station.clock)])
    return opened


def resume(study: Study, session_id: str, station: StationStart) -> OpenSession:
    """Open the journals of an unfinished session and fold them. Raises CurtainError."""
    folder = next((one for one in study.sessions() if one.session_id == session_id), None)
    if folder is None:
        raise NoSuchSession(f"There is no session {session_id} in {study.folder}.")
    bundle = Bundle(folder.path)
    # Before the journal is opened: then it is held, and its numbers go on from what it has.
    lines = take_from_mirror(study.mirror, bundle, session_id, station.disk) if study.mirror is not None else 0
    opened = _open(study, bundle, session_id, station)
    if lines:
        _note_restored(opened, bundle.wizard_journal.name, count_of(lines, "line"), "the mirror")
    restore_session_json(opened, study)
    keep_numbers(opened, _last_shown(opened.replica.opened_with.entries))
    _look_for_missing_turns(opened)
    # Folded: the tables of a long session would stay in memory.
    opened.journal.release_lines()
    opened.replica.release_lines()
    _restore_beginning(opened)
    opened.audio_safe = _verified_audio(opened)
    _append(opened, [_epoch(opened.progress.wizard_epochs + 1, opened, station)])
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


def wizard_fact(entry: JournalEntry) -> wizard_events.WizardFact | None:
    """The fact of a line, or None for one that this version cannot read."""
    try:
        return wizard_events.read(entry)
    except UnreadableFact:
        return None


def subject_fact(entry: JournalEntry) -> subject_events.SubjectFact | None:
    """The fact of a line, or None for one that this version cannot read."""
    try:
        return subject_events.read(entry)
    except UnreadableFact:
        return None


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


def mirror_of(mirror: Path, bundle: Bundle, session: SessionName) -> Path:
    """Where the second copy of the wizard's journal is kept: two studies may share a mirror and an id."""
    return mirror / "-".join(part for part in session if part) / bundle.wizard_journal.name


def take_from_mirror(mirror: Path, bundle: Bundle, session_id: str, disk: Disk | None = None) -> int:
    """Bring back what a second copy still holds of lost lines; how many. A copy of another session is left alone."""
    identity = _named_identity(bundle)
    # An earlier Curtain kept the copy under the id alone.
    names = dict.fromkeys((SessionName(session_id, identity), SessionName(session_id)))
    paths = (mirror_of(mirror, bundle, name) for name in names)
    return sum(_take_from_copy(path, identity, bundle, disk) for path in paths if path.is_file())


def _take_from_copy(path: Path, identity: str, bundle: Bundle, disk: Disk | None) -> int:
    try:
        with Replica(path, disk) as copy, Replica(bundle.wizard_journal, disk) as own_journal:
            # A session of an earlier Curtain has no identity and only its lines to compare.
            is_same = identity_in(copy.opened_with.entries) == identity and (identity or own_journal.last_seq)
            if is_same and (own_journal.lost or own_journal.last_seq < copy.last_seq):
                before = own_journal.last_seq - len(own_journal.lost)
                own_journal.extend_all(_continuing(copy, own_journal.last_seq))
                return own_journal.last_seq - len(own_journal.lost) - before
    except CurtainError as error:
        log.warning("the second copy does not help: %s", type(error).__name__)
    return 0


def _named_identity(bundle: Bundle) -> str:
    """What session.json names, or a journal where that is damaged; "" for a session of an earlier Curtain."""
    try:
        return str(bundle.read_session_json().get("identity") or "")
    except CurtainError as error:
        log.warning("session.json does not name the session: %s", type(error).__name__)
    try:
        journals = [read_journal(path).entries for path in (bundle.wizard_journal, bundle.subject_journal)]
        return next((found for entries in journals if (found := identity_in(entries))), "")
    except CurtainError:
        return ""  # opening the session reports what is wrong


def _continuing(copy: Replica, last: int) -> list[tuple[int, bytes]]:
    """The intact lines of a copy, up to the first that would leave a gap behind line `last`."""
    end = next((seq for seq in copy.lost if seq > last), copy.last_seq + 1)
    return [(seq, line) for seq, line in copy.lines_after(0) if seq < end and seq not in copy.lost]


MOST_LOST_LINES = 10_000
"""More lines than a day of sessions writes."""


class _LostLine(msgspec.Struct, tag_field="type", tag=DAMAGED):
    """Keeps the number of a line that this journal had once: the subject's station knows it."""

    kept_in: str = ""


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


def keep_numbers(opened: OpenSession, until: int) -> None:
    """Give no number up to `until` a second time: the subject's station would take what bears it for an old message.

    A number that is far beyond the journal is nobody's: what says so made it up. Raises JournalUnwritable.
    """
    first, count = opened.journal.last_seq + 1, until - opened.journal.last_seq
    if not 0 < count <= MOST_LOST_LINES:
        return
    for future in opened.journal.append_all([(_LostLine(), None)] * count):
        future.result()
    lines = f"Line {first} is" if count == 1 else f"Lines {first} to {until} are"
    opened.lost = f"{opened.journal.path.name}: {lines} lost. Turns without a recorded answer are open again."


def _last_shown(subject: Iterable[JournalEntry]) -> int:
    """The last line of the wizard's journal that was on the subject's screen."""
    facts = (subject_fact(entry) for entry in subject)
    return max((fact.id for fact in facts if isinstance(fact, subject_events.Painted)), default=0)


def restore_session_json(opened: OpenSession, study: Study) -> None:
    """Write session.json again where it is missing, damaged or says something else than the wizard's journal.

    Raises BundleUnwritable, JournalUnwritable, SessionsMixed.
    """
    from_journal = known_of(read_journal(opened.bundle.wizard_journal).entries)
    try:
        about: dict[str, Any] = opened.bundle.read_session_json()
    except CurtainError:
        # A journal of an earlier Curtain does not name the domain; a study has one.
        from_journal, about = {"domain": study.domain, **from_journal} if from_journal else from_journal, {}
    altered = altered_keys(about, from_journal)
    if not altered:
        return
    opened.bundle.restore_session_json(from_journal)
    what = "all of it" if not about else ", ".join(altered)
    _note_restored(opened, opened.bundle.session_json.name, what, "the wizard’s journal")


def _note_restored(opened: OpenSession, file: str, what: str, source: str) -> None:
    """Journal what was made whole, and keep the sentence for the window. Raises JournalUnwritable."""
    _append(opened, [wizard_events.FileRestored(file=file, what=what, source=source)])
    opened.restored.append(f"{file}: {restored(what, source)}")


def _look_for_missing_turns(opened: OpenSession) -> None:
    """An emptied copy of the subject's journal fills again over the link. The wizard reads that it was empty."""
    opened.missing_turns = missing_turns(opened.journal.opened_with.entries, opened.replica.opened_with.entries)
    opened.awaited_turns = set(opened.missing_turns)
    if opened.missing_turns:
        what = f"The lines of {turns_in_words(opened.missing_turns)} are missing here"
        opened.restored.append(f"{opened.replica.path.name}: {what}. The subject’s station sends them again.")


def note_lines_that_came(opened: OpenSession) -> None:
    """Journal of which turns the lost lines came again. Raises JournalUnwritable."""
    came = [turn for turn in opened.missing_turns if turn not in opened.awaited_turns]
    if came:
        file, what = opened.replica.path.name, f"the lines of {turns_in_words(came)}"
        _append(opened, [wizard_events.FileRestored(file=file, what=what, source="the subject’s station")])


def _restore_beginning(opened: OpenSession) -> None:
    """A session whose first lines are lost is what session.json says. Raises CurtainError."""
    if opened.progress.opened is not None and opened.progress.consent is not None:
        return
    about = opened.bundle.read_session_json()
    wizards = [str(one) for one in about.get("wizard_ids") or [""]]
    began = wizard_events.SessionOpened(
        session_id=opened.session_id,
        speaker_id=str(about.get("speaker_id") or opened.session_id[:3]),
        lab_speaker_id=str(about.get("lab_speaker_id") or ""),
        wizard_ids=wizards,
        scenario_ids=[str(one) for one in about.get("scenario_ids") or []],
        practice_id=about.get("practice_id"),
        pilot=bool(about.get("pilot")),
        domain=about.get("domain"),
        language=about.get("language"),
        **_experiment_in(about),
    )
    consent = wizard_events.ConsentConfirmed(
        consent_id=str(about.get("consent_id") or ""),
        confirmed_by=wizards[0],
        scopes=about.get("consent_scopes"),
        signed_on=about.get("consent_signed_on"),
    )
    _append(opened, [began, consent])


def _experiment_in(about: Mapping[str, Any]) -> dict[str, Any]:
    """What session.json keeps of the experiment; nothing where that cannot be read."""
    try:
        plan = msgspec.convert(about.get("plan"), SubjectPlan | None)
        conditions = msgspec.convert(about.get("conditions") or [], list[dict[str, Any]])
        return {"plan": plan, "conditions": conditions, "design_seed": int(about.get("design_seed") or 0)}
    except (msgspec.ValidationError, TypeError, ValueError):
        return {}


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
    """The secret of the subject's place, and whether it was there already. Raises StudyUnwritable."""
    path = secret_path(study, session_id)
    if secret := read_secret(path):
        return secret, True
    secret = new_secret()
    _keep_secret(path, secret)
    return secret, False


def new_seat(study: Study, opened: OpenSession) -> None:
    """Make the secret of the subject's place anew: whoever asks next gets it. Raises StudyUnwritable."""
    secret = new_secret()
    _keep_secret(secret_path(study, opened.session_id), secret)
    opened.secret, opened.secret_given = secret, False


def _keep_secret(path: Path, secret: str) -> None:
    try:
        write_secret(path, secret)
    except OSError as fault:
        raise StudyUnwritable(f"{path} cannot be written: {fault.strerror}.") from fault


def secret_path(study: Study, session_id: str) -> Path:
    """Where the secret of the subject's place in a session is kept."""
    return study.folder / "state" / f"{session_id}.seat"


def _append(opened: OpenSession, facts: list[wizard_events.WizardFact]) -> None:
    """Write at once and wait for the disk; fold what was written."""
    for future in opened.journal.append_all([(fact, None) for fact in facts]):
        entry = future.result()
        opened.progress = with_wizard_fact(opened.progress, wizard_fact(entry), entry.turn, entry.t_ns, entry.seq)


def _epoch(number: int, opened: OpenSession, station: StationStart) -> wizard_events.WizardFact:
    return wizard_events.WizardEpoch(
        number=number,
        app_version=station.app_version,
        pid=station.pid,
        session_id=opened.session_id,
        identity=opened.identity,
    )


def _experiment_of(study: Study, plan: SessionPlan) -> dict[str, Any]:
    """Plan, conditions and seed as session.json and the journal have them; nothing for a study without conditions."""
    if plan.subject_plan is None:
        return {}
    conditions = msgspec.to_builtins(list(study.conditions))
    return {"plan": msgspec.to_builtins(plan.subject_plan), "conditions": conditions, "design_seed": study.design.seed}


def _opening(session_id: str, plan: SessionPlan, study: Study, clock: Clock) -> list[wizard_events.WizardFact]:
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
        conditions=msgspec.to_builtins(list(study.conditions)) if plan.subject_plan else [],
        design_seed=study.design.seed if plan.subject_plan else 0,
        wizard_level=plan.wizard_level,
        level_reason=plan.level_reason or None,
        language=language_code(study.language),
    )
    given = _consent(plan, clock)
    consent = wizard_events.ConsentConfirmed(
        consent_id=given["consent_id"],
        confirmed_by=plan.wizard_id,
        scopes=given["consent_scopes"],
        signed_on=given["consent_signed_on"],
    )
    described = [wizard_events.SpeakerDescribed(speaker=plan.speaker)] if plan.speaker is not None else []
    return [opened, consent, *described]


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
    if not subject and not any(entry.type == "session_opened" for entry in wizard):
        return SessionRow(folder.session_id, False, "", 0, fault="It was never begun; nothing was recorded.")
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
