"""What the wizard reads of a recording that ends before the subject did."""

from __future__ import annotations

from curtain.session.events.subject_events import LONGEST_HOLD_S
from wizard_app.keys import key_of
from wizard_app.translation import translate


def _reasons() -> dict[str, str]:
    return {
        "focus_lost": translate("CutShort", "another window came to the front"),
        "page_left": translate("CutShort", "the subject’s page changed"),
        "too_long": translate("CutShort", "the key was held for {0} seconds").format(f"{LONGEST_HOLD_S:.0f}"),
        "station_closed": translate("CutShort", "the subject’s station was closed"),
        "microphone_lost": translate("CutShort", "the microphone was lost"),
        "disk_full": translate("CutShort", "the subject’s disk was full"),
        "crash": translate("CutShort", "the subject’s station stopped"),
    }


def cut_short_told(reason: str | None) -> str:
    """Why a recording was cut short, as a part of a sentence; an empty text if it was not."""
    return (
        _reasons().get(reason, translate("CutShort", "it ended before the subject did")) if reason is not None else ""
    )


def way_on(may_ask_again: bool) -> str:
    """The keys that ask the subject to say it again, as a sentence, where a message does so."""
    return translate("CutShort", "{0}, Enter asks again.").format(key_of("message")) if may_ask_again else ""
