"""One running system: lines to its standard input, lines from its standard output. Nothing here waits for it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import IO

from curtain.base.piped_process import PipedProcess
from curtain.systems.protocol import MOST_REPLY_BYTES

Line = bytes | None
"""A line, or None: the system has ended and nothing more will come."""


class SystemProcess(PipedProcess[Line]):
    """A started system; what it says are lines, and None at its end."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]], name: str) -> None:
        """Raises OSError if it cannot be started."""
        super().__init__(start(), name, _lines, None)


def _lines(output: IO[bytes]) -> Iterator[Line]:
    # Bounded: an endless line must not fill the memory. What is cut is rubbish to whoever reads it.
    while line := output.readline(MOST_REPLY_BYTES + 2):
        yield line
