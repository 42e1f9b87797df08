"""Until when a study may keep its sessions: a number of months, in study.toml, from the day of each session."""

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from curtain.base.errors import CurtainError
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import first_entry
from curtain.session.study.study import Study


@dataclass(frozen=True)
class KeptSession:
    """A session, the day it began, and the last day on which it may be kept; None where no day is known."""

    session_id: str
    recorded: date | None
    keep_until: date | None


def last_day(recorded: date, months: int) -> date:
    """The same day of the month so many months later, or the last day of a month that is too short."""
    # Months counted from 0, so that December plus one is January.
    year, month = divmod(recorded.year * 12 + recorded.month - 1 + months, 12)
    return date(year, month + 1, min(recorded.day, monthrange(year, month + 1)[1]))


def kept_sessions(study: Study) -> list[KeptSession]:
    """All sessions of a study, also open ones, in the order of their ids. Raises CurtainError."""
    if not study.retention_months:
        where = study.folder / "study.toml"
        raise CurtainError(f"{where} does not say how long sessions are kept; set “retention_months” there.")
    return [_kept(one.session_id, Bundle(one.path), study.retention_months) for one in study.sessions()]


def _kept(session_id: str, bundle: Bundle, months: int) -> KeptSession:
    bundle.ensure_there()
    opened = first_entry(bundle.wizard_journal, "session_opened")
    recorded = _day(opened.wall_utc[:10]) if opened else None
    return KeptSession(session_id, recorded, last_day(recorded, months) if recorded else None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def due_on(day: date, sessions: Iterable[KeptSession]) -> list[KeptSession]:
    """Those whose last day is past on a day, and those without a day, since nobody knows that they may be kept."""
    return [one for one in sessions if one.keep_until is None or one.keep_until < day]


def day_of(text: str, today: date) -> date:
    """The day named on the command line: “today” or ISO 8601. Raises CurtainError."""
    day = today if text == "today" else _day(text)
    if day is None:
        raise CurtainError(f"“{text}” is no day; write “today” or a day such as 2026-03-01.")
    return day
