"""The process in which one drafter runs: `python -m curtain.drafting.serving.drafter_child`.

`supervisor` starts and watches it.

Orders come on what was standard input, replies go out on what was standard output; a drafter that reads or prints
touches neither. A thread reads, so that the process ends with its parent even while the drafter hangs.
"""

from __future__ import annotations

import gc
import os
import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import duckdb
import msgspec

from curtain.base.errors import CurtainError
from curtain.base.python_process import own_pipes
from curtain.domain.code_names import code_names
from curtain.domain.pack.reader import Pack, load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.domain.wire import read_frame, write_frame

from ..algebra.reading import SqlReader
from ..drafter.parts import Finisher
from ..values import Drafter, Request
from . import wire
from .checks import sanitized
from .plugins import make_drafter
from .wire import Drafted, DrafterFault, Failed, Load, Orders, Replies, Spent

_FAULT_CHARS = 300


def main() -> None:
    """Carries out orders one after the other until the input ends."""
    orders, replies = own_pipes()
    todo: queue.SimpleQueue[Orders] = queue.SimpleQueue()
    at_work: list[Drafter] = []
    threading.Thread(target=_hear, args=(orders, todo, at_work), daemon=True).start()
    opening = todo.get()
    assert isinstance(opening, Load)
    try:
        pack, drafter = _load(opening, _progress(replies))
    except Exception as fault:
        # Whatever a plugged-in drafter raises: it is reported, and the parent ends this process.
        _say(replies, Failed(fault=_sentence(fault)))
        return
    # What was learned stays; to look through it for garbage would stall a query for more than a tenth of a second.
    gc.freeze()
    at_work.append(drafter)
    keys = pack.keys
    with duckdb.connect(opening.database, read_only=True) as database:
        names = code_names(pack.codes, keys, lambda sql: database.execute(sql).fetchall())
    reader = SqlReader(pack.tables, "", keys.primary)
    finisher = Finisher(pack.tables, keys.primary, reader, names, getattr(drafter, "swaps", lambda kind: ()))
    _say(replies, wire.Loaded())
    while True:
        _say(replies, _carry_out(todo.get(), drafter, finisher))


def _progress(replies: IO[bytes]) -> Callable[[str, float], None]:
    """Says how far the drafter is, once for each percent."""
    last = -1

    def report(what: str, share: float) -> None:
        nonlocal last
        if int(100 * share) != last:
            last = int(100 * share)
            _say(replies, wire.Loading(share=share))

    return report


def _load(opening: Load, report: Callable[[str, float], None]) -> tuple[Pack, Drafter]:
    pack = load_pack(opening.pack)
    if opening.rule_book is not None:
        pack = under_rule_book(pack, opening.rule_book, "rule_book")
    cache = Path(opening.cache) if opening.cache else None
    database, options = Path(opening.database), opening.options
    return pack, make_drafter(opening.name, pack, database, options, opening.examples, cache, report)


def _carry_out(order: Orders, drafter: Drafter, finisher: Finisher) -> Replies:
    try:
        match order:
            case wire.Ask():
                sane = sanitized(_drafts(drafter, order.request), order.request)
                drafts = finisher.finished(sane, order.request)
                spent = getattr(drafter, "spent", Spent)()
                return Drafted(drafts=drafts, spent=spent if isinstance(spent, Spent) else Spent())
            case wire.Learn():
                for example in order.examples:
                    drafter.learn(example)
            case wire.Withdraw():
                drafter.withdraw(order.example_id)
    except Exception as fault:
        return Failed(fault=_sentence(fault))
    return wire.LearnedReply()


def _drafts(drafter: Drafter, request: Request) -> Sequence[object]:
    # At most so many: a drafter may be an endless generator.
    return [draft for _, draft in zip(range(2 * request.n), drafter.drafts(request), strict=False)]


def _sentence(fault: Exception) -> str:
    """What completes “The drafter ...”: a problem meant for people as it stands, any other with its kind."""
    text = " ".join(str(fault).split())[:_FAULT_CHARS].encode(errors="replace").decode()
    if isinstance(fault, CurtainError):
        return text if isinstance(fault, DrafterFault) else f"failed: {text}"
    return f"failed with {type(fault).__name__}: {text or 'no reason'}"


def _say(replies: IO[bytes], reply: Replies) -> None:
    try:
        write_frame(replies, reply)
    except OSError:
        os._exit(0)


def _hear(orders: IO[bytes], todo: queue.SimpleQueue[Orders], at_work: Sequence[Drafter]) -> None:
    while (frame := read_frame(orders)) is not None:
        order = msgspec.msgpack.decode(frame, type=Orders)
        if not isinstance(order, wire.Cancel):
            todo.put(order)
        elif at_work and callable(cancel := getattr(at_work[0], "cancel", None)):
            cancel()
    # Not sys.exit: the main thread may be deep in a drafter that will not stop.
    os._exit(0)


if __name__ == "__main__":
    main()
