"""What the wizard reads of a recording that ends before the subject did."""

from __future__ import annotations

from curtain.session.events.subject_events import LONGEST_HOLD_S
from wizard_app.keys import key_of

_REASONS = {
    "focus_lost": "another window came to the front",
    "page_left": "the subject’s page changed",
    "too_long": f"the key was held for {LONGEST_HOLD_S:.0f} seconds",
    "station_closed": "the subject’s station was closed",
    "microphone_lost": "the microphone was lost",
    "disk_full": "the subject’s disk was full",
    "crash": "the subject’s station stopped",
}


def cut_short_told(reason: str | None) -> str:
    """Why a recording was cut short, as a part of a sentence; an empty text if it was not."""
    return _REASONS.get(reason, "it ended before the subject did") if reason is not None else ""


def way_on(may_ask_again: bool) -> str:
    """The keys that ask the subject to say it again, as a sentence, where a message does so."""
    return f"{key_of('message')}, Enter asks again." if may_ask_again else ""
