"""The port of seats: several people at one session, and stations on other computers.

The core seats one person, with the subject's station on the same computer. A companion that offers `seats` lets
stations of other computers in, shares the turns among those who join, and joins sessions of others. What it is given
of the desk comes from `wizard_app`, which it may import.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
from PySide6.QtCore import Signal

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.link.qt import SessionLink
from curtain.link.socket_paths import is_network_address
from curtain.ports.discovery import lacking, made, offers
from curtain.ports.way import MISSING
from curtain.session.events.wizard_events import WizardFact
from curtain.session.roles import Chair
from curtain.session.study.study import Study


class JoinedLink(SessionLink):
    """The link of a desk that joined another one's session as a chair, in place of the link to a subject's station.

    `linked(up)`: the session's own station is connected, or gone. `who` is the id of the person who sits here.
    """

    linked = Signal(bool)
    who: str
    chair: Chair

    def session(self, *parts: Any) -> Any:
        """The session as it stands there, made of the parts of a `SessionControl`, and one itself."""
        raise NotImplementedError


@dataclass(frozen=True)
class Desk:
    """What is there before its turns are: a `SessionControl` and a `WizardWindow` with its `Look`. `joined` is the link
    of a desk that joined, None at the session's own."""

    study: Study
    session: Any
    link: SessionLink
    window: Any
    look: Any
    clock: Clock
    joined: JoinedLink | None


class DeskSeat:
    """The seat of the person at this desk. This one is for somebody alone; a companion's does more in each method."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def write(self, facts: list[tuple[WizardFact, int | None]]) -> None:
        """Journal what was done at this desk; what belongs to somebody else is refused in a notice of the window."""
        self.desk.session.write(facts)

    def share(self, turns: Any, show: Callable[[], None]) -> None:
        """Choose from here on the turns of this desk (`TurnControl.work_on`), and show who is here. `show` is called
        after a field was filled with what somebody else had typed."""
        session, show_problem = self.desk.session, self.desk.window.show_problem
        session.opened.connect(lambda: session.progress.chairs.chairs and show_problem("chairs", lacking(MISSING)))

    def check_with(self, worker: Any, background: Any) -> None:
        """The database is open: over it, answers of other desks may be worked out again."""

    def hand_over(self) -> None:
        """Give the part that is worked on to somebody else who may have it; a notice where nobody may."""
        self.desk.window.show_notice(lacking(MISSING))

    def open_room(self, listen: str) -> None:
        """Let subjects' stations of other computers in, where `listen` is an address on the network. Raises
        CurtainError."""
        if is_network_address(listen):
            raise CurtainError(lacking(MISSING))

    def open_desk(self, options: Any) -> None:
        """Let other desks in where the `WizardOptions` say so, when the window wants them (`desks_wanted`), and offer
        other kinds of subjects' stations (`curtain.ports.station`) on the start page."""
        self.desk.window.desks_wanted.connect(self.hand_over)
        if options.chairs or any(msgspec.json.decode(options.stations).values()):
            self.desk.window.show_problem("chairs", lacking(MISSING))


class Seats(Protocol):
    """What the place `seats` of a companion names."""

    def check_address(self, address: str) -> None:
        """Raises CurtainError for one at which no session can be joined."""

    def measure(self, address: str) -> str:
        """How good the network to a wizard's station is, in a sentence. Raises CurtainError if it is too slow."""

    def join(self, address: str, code: str, who: str, chair: Chair, clock: Clock) -> JoinedLink:
        """The link to the session's own station; `code` is shown there, and needed once. Raises CurtainError."""

    def seat(self, desk: Desk) -> DeskSeat:
        """A seat at this desk."""


def seats_of_companion() -> Seats:
    """Those of the first companion that has some. Raises CurtainError if none has."""
    for seats in offers("seats"):
        return seats  # type: ignore[no-any-return]
    raise CurtainError(lacking(MISSING))


def seat_at(desk: Desk) -> DeskSeat:
    """That of the first companion that has seats, else one for somebody alone."""
    seat: DeskSeat = made("seats", lambda seats: seats.seat(desk), lambda: DeskSeat(desk))
    return seat
