"""What the service and a drafter's process say to each other: frames as in `curtain.domain.worker.wire`."""

from __future__ import annotations

from typing import Any

from curtain.domain.worker.wire import Order, WorkerReply

from ..values import Draft, Example, Request

__all__ = [
    "Ask",
    "Drafted",
    "Failed",
    "Learn",
    "LearnedReply",
    "Load",
    "Loaded",
    "Loading",
    "Orders",
    "Replies",
    "Withdraw",
]


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


class Withdraw(Order, frozen=True, tag="withdraw", kw_only=True):
    example_id: str


class Loading(WorkerReply, frozen=True, tag="loading", kw_only=True):
    """The drafter learns from the examples: a share from 0 to 1. Any number of these may come before `Loaded`."""

    share: float


class Loaded(WorkerReply, frozen=True, tag="loaded"):
    """The drafter can draft."""


class Drafted(WorkerReply, frozen=True, tag="drafted", kw_only=True):
    """What the drafter proposes, as yet unchecked."""

    drafts: list[Draft]


class LearnedReply(WorkerReply, frozen=True, tag="learned"):
    """Also for what was withdrawn."""


class Failed(WorkerReply, frozen=True, tag="failed", kw_only=True):
    """The order failed: `fault` completes the sentence “The drafter ...”."""

    fault: str


Orders = Load | Ask | Learn | Withdraw
Replies = Loading | Loaded | Drafted | LearnedReply | Failed
