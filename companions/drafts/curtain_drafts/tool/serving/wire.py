"""What the service and a drafter's process say to each other: frames as in `curtain.base.piped_process`."""

from __future__ import annotations

import msgspec

from curtain.base.errors import CurtainError
from curtain.domain.wire import Order, WorkerReply
from curtain_drafts.drafting.values import Draft, Example, Request

from .settings import DrafterChoice

NEWER = "was asked something newer"
"""Why a cancelled request ended; nobody has to read it."""


class DrafterError(CurtainError):
    """What a drafter that comes with Curtain raises if it cannot draft; completes a sentence that begins with “The
    drafter”."""


class Load(Order, frozen=True, tag="load", kw_only=True):
    """The first order: make this drafter with these examples."""

    choice: DrafterChoice
    english: bool
    pack: str
    rule_book: int | None
    database: str
    cache: str
    examples: list[Example]


class Ask(Order, frozen=True, tag="ask"):
    """Draft for a request."""

    request: Request


class Teach(Order, frozen=True, tag="teach", kw_only=True):
    """Examples to learn, and the id of one to forget."""

    examples: tuple[Example, ...] = ()
    forget: str = ""


class Cancel(Order, frozen=True, tag="cancel"):
    """The request that is being worked on is not wanted any more. There is no reply to this."""


class Spent(msgspec.Struct, frozen=True):
    """What a served model took: tokens that it read and wrote, and their cost."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.cost + other.cost)


class Obeyed(WorkerReply, frozen=True, tag="obeyed", kw_only=True):
    """An order was carried out, with what the drafter proposes, as yet unchecked, and what it spent for that; or it
    failed: `problem` completes the sentence “The drafter ...”. Any number of replies may come before, with the `share`
    of the examples that has been learnt, below 1."""

    share: float = 1.0
    drafts: tuple[Draft, ...] = ()
    spent: Spent = Spent()
    problem: str = ""


Orders = Load | Ask | Teach | Cancel
