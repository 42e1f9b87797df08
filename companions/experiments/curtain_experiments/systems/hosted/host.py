"""The process in which a hosted system runs: `python -m curtain_experiments.systems.hosted.host`.

It speaks the protocol that any system under test speaks. What a plug-in prints or reads touches neither pipe.
"""

from __future__ import annotations

import os
import queue
import threading
from typing import IO

import msgspec

from curtain.base.errors import reason_of
from curtain.base.python_process import own_pipes
from curtain_experiments.systems.choice import HostOrder
from curtain_experiments.systems.hosted.making import HostedSystem, make_hosted
from curtain_experiments.systems.protocol import Opened, SystemQuestion, line_of


def main() -> None:
    """Answers questions one after the other until the input ends."""
    questions, replies = own_pipes()
    order = msgspec.json.decode(questions.readline(), type=HostOrder)
    try:
        system = make_hosted(order)
    except Exception as fault:
        # Whatever a plug-in raises: it is reported, and the parent gives up on this system.
        _say(replies, Opened(ready=False, fault=reason_of(fault)))
        os._exit(1)
    _say(replies, Opened(ready=True))
    _serve(system, questions, replies)


def _serve(system: HostedSystem, questions: IO[bytes], replies: IO[bytes]) -> None:
    todo: queue.SimpleQueue[SystemQuestion] = queue.SimpleQueue()
    # A thread reads, so that the process ends with its parent even while the system hangs.
    threading.Thread(target=_hear, args=(questions, todo), daemon=True).start()
    while True:
        # A fault of the system ends this process, which its parent sees as a crash.
        _say(replies, system.answer(todo.get()))


def _hear(questions: IO[bytes], todo: queue.SimpleQueue[SystemQuestion]) -> None:
    while line := questions.readline():
        todo.put(msgspec.json.decode(line, type=SystemQuestion))
    os._exit(0)


def _say(replies: IO[bytes], value: msgspec.Struct) -> None:
    try:
        replies.write(line_of(value))
        replies.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
