"""Closing several things, each of them whatever becomes of the others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack


def close_all(*closers: Callable[[], object] | None) -> None:
    """Call each of them that there is, in this order. What one raises is raised when all have been called."""
    with ExitStack() as stack:
        for close in filter(None, reversed(closers)):
            stack.callback(close)
