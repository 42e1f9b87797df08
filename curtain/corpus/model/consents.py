"""The consents that a study has noted since its sessions: what a form allows was corrected, or withdrawn.

The journal of a closed session never changes, so that a later word of the speaker stands beside it, in
`consents.jsonl` of the study: one JSON object a line. The last word of a session counts, on each of its members.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec
from msgspec import structs

from curtain.base.errors import CurtainError
from curtain.base.record_file import read_records, write_records
from curtain.corpus.model.gate import reason_against
from curtain.corpus.model.reader import consent_in
from curtain.corpus.model.solutions import study_of
from curtain.corpus.model.utterance import Session
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import ensure_study_whole
from curtain.session.bundle.heads import sealed
from curtain.session.consent import SCOPES, ConsentScope, ConsentState
from curtain.session.journal.journals import Journals
from curtain.session.journal.lines import JournalEntry
from curtain.session.study.study import load_study

CONSENTS_FILE = "consents.jsonl"
_AS_BEFORE = ("signed_on", "consent_id", "by", "disclosed_on")


class NotedConsent(msgspec.Struct, frozen=True, kw_only=True):
    """What the form of one session allows from the day `noted_on` on; `signed_on` None as before.

    All days are ISO 8601. `consent_id` names a form that was given after the session, as `by` noted; "" as before. So
    are `scopes` that are None. On `disclosed_on` somebody disclosed to the subject who had answered; "" as before.
    """

    session_id: str
    scopes: list[ConsentScope] | None = None
    signed_on: str | None = None
    noted_on: str = ""
    consent_id: str = ""
    by: str = ""
    disclosed_on: str = ""


def read_consents(study: Path) -> dict[str, NotedConsent]:
    """What the rows of each session come to, by session id. Raises BadRecords: a lost row may be a withdrawal."""
    noted: dict[str, NotedConsent] = {}
    for row in _rows(study):
        before = noted.get(row.session_id, row)
        noted[row.session_id] = structs.replace(
            row,
            scopes=before.scopes if row.scopes is None else row.scopes,
            **{name: getattr(row, name) or getattr(before, name) for name in _AS_BEFORE},
        )
    return noted


def note_consents(study: Path, noted: Sequence[NotedConsent]) -> None:
    """Add rows. Raises BadRecords."""
    with sealed(study, CONSENTS_FILE) as path:
        write_records(path, [*_rows(study), *noted])


def _rows(study: Path) -> list[NotedConsent]:
    return read_records(study / CONSENTS_FILE, NotedConsent, "Repair it first: it may hold a withdrawal.")


def state_after(state: ConsentState, noted: NotedConsent | None, discloses: bool) -> ConsentState:
    """Where a consent stands with what was noted later. `discloses`: the study has the subject read who answered, which
    counts where the session itself does not say it."""
    noted = noted or NotedConsent(session_id="")
    return replace(
        state,
        form=noted.consent_id or state.form,
        scopes=state.scopes if noted.scopes is None else tuple(one for one in SCOPES if one in noted.scopes),
        undisclosed=(discloses if state.undisclosed is None else state.undisclosed) and not noted.disclosed_on,
    )


def standing(bundle: Bundle, subject: Sequence[JournalEntry], wizard: Sequence[JournalEntry]) -> ConsentState:
    """Where the consent of a session stands by its journals and its study. Raises BadRecords, BundleUnreadable."""
    state, study = consent_in(bundle, subject, wizard), study_of(bundle.path)
    if study is None:
        return state
    noted = read_consents(study).get(str(bundle.read_session_json().get("session_id") or bundle.path.name))
    return state_after(state, noted, load_study(study).disclose)


def kept_back(bundle: Bundle, journals: Journals) -> str | None:
    """Why nothing of a session may be shown, not even of one's own trial; None if it may. Raises as `standing`."""
    state = standing(bundle, journals.subject.entries, journals.wizard.entries)
    return reason_against(state, "own", with_form=False)


def ensure_may_leave(bundle: Bundle) -> None:
    """The gate for a session that is printed by itself. Raises CurtainError if its subject or study keeps it back."""
    if (study := study_of(bundle.path)) is not None:
        ensure_study_whole(study)
    if reason := kept_back(bundle, Journals(bundle.path)):
        raise CurtainError(f"{bundle.path} stays in the study: {reason}. “curtain consent” shows and notes what holds.")


def with_consent(session: Session, noted: NotedConsent | None, discloses: bool = False) -> Session:
    """The session under what was noted later. `discloses` as in `state_after`."""
    state = state_after(session.consent, noted, discloses)
    signed = (noted and noted.signed_on) or session.consent_signed_on
    scopes = None if state.scopes is None else tuple(state.scopes)
    return replace(
        session, consent_id=state.form or None, consent_scopes=scopes, consent_signed_on=signed,
        undisclosed=state.undisclosed,
    )  # fmt: skip


def day_noted(signed: str, today: date) -> str:
    """A day as ISO 8601, or `today`. Raises CurtainError."""
    try:
        day = today if signed == "today" else date.fromisoformat(signed)
    except ValueError as error:
        raise CurtainError(f"“{signed}” is no day; write it as 2026-03-01, or today.") from error
    return day.isoformat()
