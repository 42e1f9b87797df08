"""Other instruments beside a session: markers for the Lab Streaming Layer."""

from __future__ import annotations

import signal


def leave_signals_to_the_station() -> None:
    """Ctrl+C in the station's terminal reaches its instruments too: they end with their input, after its last line."""
    # Not SIG_IGN, which a program of theirs would inherit.
    for sent in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sent, lambda *_: None)
