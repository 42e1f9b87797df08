"""What the service and a drafter's process say to each other: frames as in `curtain.domain.wire`."""

from __future__ import annotations

from typing import Any

import msgspec

from curtain.base.errors import CurtainError
from curtain.domain.wire import Order, WorkerReply

from ..values import Draft, Example, Request

NEWER = "was asked something newer"
"""Why a cancelled request ended; nobody has to read it."""


class DrafterFault(CurtainError):
    """What a drafter that comes with Curtain raises if it cannot draft; completes a sentence that begins with “The
    drafter”."""


class Load(Order, frozen=True, tag="load", kw_only=True):
    """The first order: make the drafter of this name with these examples."""

    name: str
    options: dict[str, Any]
    pack: str
    rule_book: int | None
    database: str
    cache: str | None
    examples: list[Example]


class Ask(Order, frozen=True, tag="ask", kw_only=True):
    request: Request


class Learn(Order, frozen=True, tag="learn", kw_only=True):
    examples: list[Example]


class Cancel(Order, frozen=True, tag="cancel", kw_only=True):
    """The request that is being worked on is not wanted any more. There is no reply to this."""


class Withdraw(Order, frozen=True, tag="withdraw", kw_only=True):
    example_id: str


class Loading(WorkerReply, frozen=True, tag="loading", kw_only=True):
    """The drafter learns from the examples: a share from 0 to 1. Any number of these may come before `Loaded`."""

    share: float


class Loaded(WorkerReply, frozen=True, tag="loaded"):
    """The drafter can draft."""


class Spent(msgspec.Struct, frozen=True):
    """What a served model took: tokens that it read and wrote, and their cost."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    def plus(self, other: Spent) -> Spent:
        """Both together."""
        return Spent(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out, self.cost + other.cost)


class Drafted(WorkerReply, frozen=True, tag="drafted", kw_only=True):
    """What the drafter proposes, as yet unchecked, and what it spent for that."""

    drafts: list[Draft]
    spent: Spent = Spent()


class LearnedReply(WorkerReply, frozen=True, tag="learned"):
    """Also for what was withdrawn."""


class Failed(WorkerReply, frozen=True, tag="failed", kw_only=True):
    """The order failed: `fault` completes the sentence “The drafter ...”."""

    fault: str


Orders = Load | Ask | Learn | Withdraw | Cancel
Replies = Loading | Loaded | Drafted | LearnedReply | Failed
