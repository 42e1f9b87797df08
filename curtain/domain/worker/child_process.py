"""The process in which SQL runs: `python -m curtain.domain.worker.child_process`, started and watched by `worker`.

Orders come on standard input, replies go out on standard output (`wire`). A thread reads, so that an interrupt is
heard while a statement runs; when the input ends, or the parent is gone, the process ends at once.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]

from curtain.base.piped_process import ToParent
from curtain.domain import wire

if TYPE_CHECKING:
    from .engine import Engine

Work = wire.Run | wire.Widen | wire.InspectStatement | wire.Examine | wire.Describe

_PARENT_CHECK_S = 1.0
# Who has nothing to do for so long loads what statements will need; whoever asks one thing and goes never waits for it.
_IDLE_S = 0.25


def main() -> None:
    """Carries out orders one after the other until the input ends."""
    engines: list[Engine] = []

    def interrupts(order: wire.Order) -> bool:
        if engines and isinstance(order, wire.Interrupt):
            engines[0].interrupt()
        return isinstance(order, wire.Interrupt)

    parent = ToParent(wire.Orders, interrupts)
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    opening = parent.next_order()
    _limit_memory(opening.limits.address_space_bytes)
    # Imported under the limit, and only here: the parent must be able to import this module's neighbours cheaply.
    import duckdb

    from .engine import Engine

    try:
        engine = Engine(opening.database, opening.rules, opening.limits)
    except duckdb.Error:
        parent.say(wire.Broken(problem=f"The database cannot be opened: {opening.database}."))
        return
    engines.append(engine)
    parent.say(wire.Ready())
    parent.say(_carry_out(parent.next_order(), engine))
    # Only now, since a spare child may never be needed.
    try:
        order = parent.next_order(_IDLE_S)
    except queue.Empty:
        engine.get_ready()
    else:
        parent.say(_carry_out(order, engine))
    while True:
        parent.say(_carry_out(parent.next_order(), engine))


def _carry_out(order: Work, engine: Engine) -> wire.WorkerReply:
    match order:
        case wire.Run():
            return wire.Done(result=engine.run(order.sql, order.yes_no))
        case wire.Widen():
            return engine.widen(order.sql, order.sql_max)
        case wire.InspectStatement():
            return wire.Looked(facts=engine.look(order.sql))
        case wire.Examine():
            return wire.Examined(examinations=[engine.examine(one) for one in order.statements])
        case wire.Describe():
            return wire.Described(tables=engine.describe())


def _watch_parent(parent: int) -> None:
    """The input ends with the parent, unless somebody else inherited its other end."""
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(parent)
        # A number alone could be that of another process by now; a child whose parent ends gets a new one.
        while process.is_running() and os.getppid() == parent:
            threading.Event().wait(_PARENT_CHECK_S)
    os._exit(0)


def _limit_memory(address_space: int) -> None:
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        # Refused where the system sets a lower limit already, and not known on Windows; the parent watches memory, too.
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))


if __name__ == "__main__":
    main()
