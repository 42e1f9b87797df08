"""The port of a way from a subject's station to a wizard's station on another computer.

It has entry points of its own, group `curtain.ways`: the subject's process loads what stands there, and no companion.
"""

import sys
from typing import Any, Protocol

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.link.qt import SubjectLink
from curtain.ports.discovery import LATE, entry_points, tried

MISSING = (
    "Several people at a session and stations on other computers need the companion “rooms”, which is not installed "
    "here. See “curtain companions”."
)


class Way(Protocol):
    """What the place of an entry point names: a class or a function."""

    def __call__(self, address: str, link: SubjectLink, clock: Clock, window: Any, look: Any, texts: Any) -> object:
        """Let the link dial through this way (`link.dial_through`), and ask an assistant for what is needed first.

        It asks on a page that it adds to the window of the subject's station, in the station's look and texts. All
        that it imports may stand in the subject's process. Raises CurtainError for an address that cannot be.
        """


def way_elsewhere() -> Way:
    """The way of the first companion that has one. Raises CurtainError if none has, or one does not load."""
    for point in entry_points(sys.path, "curtain.ways"):
        for way in tried(point, point.place):
            return way  # type: ignore[no-any-return]
    raise CurtainError(" ".join(LATE.values()) or MISSING)
