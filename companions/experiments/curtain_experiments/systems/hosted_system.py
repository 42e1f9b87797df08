"""What a hosted system must be able to do, and what it is given to begin with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from curtain.domain.pack.reader import Pack
from curtain_experiments.systems.choice import SystemChoice
from curtain_experiments.systems.protocol import SystemQuestion, SystemReply


class HostedSystem(Protocol):
    """What a companion offers at `systems`, or one of ours. Runs in a process of its own."""

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The reply to one turn. May raise anything; that costs the turn."""
        ...


SystemFactory = Callable[[Pack, Path, Mapping[str, Any]], HostedSystem]
"""What stands at its place: called with the pack, the DuckDB file and the keys of `[systems.NAME]`."""


class HostOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The first line to the host: which system to make, over which domain. `study` is the folder of the study whose
    files of examples count, with its table `[drafters]`; "" without one."""

    choice: SystemChoice
    pack: str = ""
    database: str = ""
    rule_book: int | None = None
    study: str = ""
    drafters: dict[str, Any] = {}
