"""What was lost or damaged of a session is made whole when it is opened again: from the mirror, the journal or
session.json."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.disk import Disk
from curtain.base.errors import CurtainError
from curtain.base.hearing import Input
from curtain.link.messages import SessionName
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import restored
from curtain.session.bundle.identity import identity_in
from curtain.session.bundle.missing_turns import missing_turns, turns_in_words
from curtain.session.bundle.session_json import altered_keys, known_of
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.journal import Replica
from curtain.session.journal.lines import DAMAGED, JournalEntry, read_journal
from curtain.session.study.design import SubjectPlan
from curtain.session.study.study import Study
from wizard_app.desk.session.open_session import OpenSession, append_now, subject_fact

log = logging.getLogger(__name__)

MOST_LOST_LINES = 10_000
"""More lines than a day of sessions writes."""


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


class _LostLine(msgspec.Struct, tag_field="type", tag=DAMAGED):
    """Keeps the number of a line that this journal had once: the subject's station knows it."""

    kept_in: str = ""


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


def last_shown(subject: Iterable[JournalEntry]) -> int:
    """The last line of the wizard's journal that was on the subject's screen."""
    facts = (subject_fact(entry) for entry in subject)
    return max((fact.id for fact in facts if isinstance(fact, subject_events.Painted)), default=0)


def restore_session_json(opened: OpenSession, study: Study) -> None:
    """Write session.json again where it is missing, damaged or says something else than the wizard's journal.

    Raises CurtainError, JournalUnwritable, SessionsMixed.
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
    note_restored(opened, opened.bundle.session_json.name, what, "the wizard’s journal")


def note_restored(opened: OpenSession, file: str, what: str, source: str) -> None:
    """Journal what was made whole, and keep the sentence for the window. Raises JournalUnwritable."""
    append_now(opened, [wizard_events.FileRestored(file=file, what=what, source=source)])
    opened.restored.append(f"{file}: {restored(what, source)}")


def look_for_missing_turns(opened: OpenSession) -> None:
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
        append_now(opened, [wizard_events.FileRestored(file=file, what=what, source="the subject’s station")])


def restore_beginning(opened: OpenSession) -> None:
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
        inputs=_inputs_in(about),
        **_experiment_in(about),
    )
    consent = wizard_events.ConsentConfirmed(
        consent_id=str(about.get("consent_id") or ""),
        confirmed_by=wizards[0],
        scopes=about.get("consent_scopes"),
        signed_on=about.get("consent_signed_on"),
    )
    append_now(opened, [began, consent])


def _inputs_in(about: Mapping[str, Any]) -> dict[str, Input]:
    try:
        return msgspec.convert(about.get("inputs") or {}, dict[str, Input])
    except msgspec.ValidationError:
        return {}


def _experiment_in(about: Mapping[str, Any]) -> dict[str, Any]:
    """What session.json keeps of the experiment; nothing where that cannot be read."""
    try:
        plan = msgspec.convert(about.get("plan"), SubjectPlan | None)
        conditions = msgspec.convert(about.get("conditions") or [], list[dict[str, Any]])
        analysis = msgspec.convert(about.get("analysis") or {}, dict[str, Any])
        seed = int(about.get("design_seed") or 0)
        return {"plan": plan, "conditions": conditions, "design_seed": seed, "analysis": analysis}
    except (msgspec.ValidationError, TypeError, ValueError):
        return {}
