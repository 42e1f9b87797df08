"""The consents that a study has noted since its sessions: what a form allows was corrected, or withdrawn.

The journal of a closed session never changes, so that a later word of the speaker stands beside it, in
`consents.jsonl` of the study: one JSON object a line, the last one of a session counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.record_file import read_records, write_records
from curtain.corpus.model.utterance import Session
from curtain.session.bundle.heads import sealed
from curtain.session.consent import SCOPES, ConsentScope

CONSENTS_FILE = "consents.jsonl"


class NotedConsent(msgspec.Struct, frozen=True, kw_only=True):
    """What the form of one session allows from the day `noted_on` on; `signed_on` None as before.

    Both days are ISO 8601. `consent_id` names a form that was given after the session, as `by` noted; "" as before.
    """

    session_id: str
    scopes: list[ConsentScope]
    signed_on: str | None = None
    noted_on: str = ""
    consent_id: str = ""
    by: str = ""


def read_consents(study: Path) -> dict[str, NotedConsent]:
    """The last row of each session, by session id. Raises BadRecords: a lost row may be a withdrawal."""
    return {row.session_id: row for row in _rows(study)}


def note_consents(study: Path, noted: Sequence[NotedConsent]) -> None:
    """Add rows. Raises BadRecords."""
    with sealed(study, CONSENTS_FILE) as path:
        write_records(path, [*_rows(study), *noted])


def _rows(study: Path) -> list[NotedConsent]:
    return read_records(study / CONSENTS_FILE, NotedConsent, "Repair it first: it may hold a withdrawal.")


def with_consent(session: Session, noted: NotedConsent | None) -> Session:
    """The session under what was noted later; the same if nothing was."""
    if noted is None:
        return session
    signed = noted.signed_on or session.consent_signed_on
    scopes = tuple(one for one in SCOPES if one in noted.scopes)
    form = noted.consent_id or session.consent_id
    return replace(session, consent_scopes=scopes, consent_signed_on=signed, consent_id=form)


def day_noted(signed: str, today: date) -> str:
    """A day as ISO 8601, or `today`. Raises CurtainError."""
    try:
        day = today if signed == "today" else date.fromisoformat(signed)
    except ValueError as fault:
        raise CurtainError(f"“{signed}” is no day; write it as 2026-03-01, or today.") from fault
    return day.isoformat()
