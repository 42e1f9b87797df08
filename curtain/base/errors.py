"""The base of all problems that are a person's to read, and closing several things whatever fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack


class CurtainError(Exception):
    """A problem in one plain sentence: what happened, where, and what to do."""


def close_all(*closers: Callable[[], object] | None) -> None:
    """Call each of them that there is, in this order. What one raises is raised when all have been called."""
    with ExitStack() as stack:
        for close in filter(None, reversed(closers)):
            stack.callback(close)
