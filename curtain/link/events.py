"""What a peer announces to its owner."""

from dataclasses import dataclass
from typing import Literal

from curtain.base.errors import CurtainError
from curtain.link.framing import CAP
from curtain.link.messages import NO_SESSION, Hello, Message, SessionName

Code = Literal["version", "in_use", "session", "seat", "quota"]
Why = Literal["silence", "fault", "refused", "another_session"]


class MessageTooLong(CurtainError):
    """A message whose frame would exceed `CAP` bytes. It is not sent."""

    def __init__(self, message: Message, size: int) -> None:
        kind = type(message).__name__
        super().__init__(
            f"A message ({kind}) of {size} bytes is too long for the other station, which takes {CAP}. Show less of it."
        )


@dataclass(frozen=True)
class Joined:
    """At the wizard's: this subject's hello is right, answer it. At the subject's: the hello was accepted."""

    hello: Hello


@dataclass(frozen=True)
class BoothReport:
    """At the wizard's, of a station of another machine: it `sits` in the place, `waits` because another one has it, or
    `calls` for help. `mark` is its certificate's."""

    mark: str
    what: Literal["sits", "waits", "calls"]


@dataclass(frozen=True)
class Received:
    """A message for the owner; a kept one comes once and in order."""

    message: Message


@dataclass(frozen=True)
class Acked:
    """Our kept messages up to `seq` are safe on the other side."""

    seq: int


@dataclass(frozen=True)
class ClockTied:
    """wizard_ns = subject_ns + offset_ns, give or take half of rtt_ns."""

    offset_ns: int
    rtt_ns: int


@dataclass(frozen=True)
class TurnedAway:
    """A subject's station was refused here, or ours was refused there. `sentence` is for the wizard's screen;
    `session` is the one whose place our station may ask for again with its secret."""

    code: Code
    sentence: str
    session: SessionName = NO_SESSION


@dataclass(frozen=True)
class Closed:
    """This connection is over: write what `take_outgoing` still gives and hang up."""

    why: Why
    detail: str = ""


Happened = Joined | BoothReport | Received | Acked | ClockTied | TurnedAway | Closed
