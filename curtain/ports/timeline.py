"""The port of the timeline: a session in time, with its sound, over a window."""

from collections.abc import Callable
from typing import Any, Protocol

from curtain.session.turns.session_timeline import SessionTimeline

MISSING = "The timeline needs the companion “home”, which is not installed here. See “curtain companions”."


class TimelineWindow(Protocol):
    """What the place `timeline` of a companion makes: a `QDialog` that reads the session behind itself; it is made of
    the session's id, `read`, a `Look` and the window. `place_chosen(turn, seconds)`, with a `TimelineTurn`, is what
    somebody wants to hear; whoever opened it plays that."""

    session_id: str
    place_chosen: Any

    def __init__(self, session_id: str, read: Callable[[], SessionTimeline], look: Any, window: Any) -> None: ...

    def show_turn(self, number: int) -> None:
        """Another turn is at work."""

    def show_playing(self, number: int, seconds: float) -> None:
        """So far a turn has been played."""
