"""How much a bench does: CURTAIN_BENCH=small runs each to its end with as little as it takes, and measures nothing.

Beside it what several benches need."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Amount = TypeVar("Amount")

SMALL = os.environ.get("CURTAIN_BENCH") == "small"


def sized(usual: Amount, small: Amount) -> Amount:
    """The usual amount, or the smallest."""
    return small if SMALL else usual


def processor_s(work: Callable[[], object]) -> float:
    """Seconds of the processor that the work takes."""
    started = time.process_time()
    work()
    return time.process_time() - started


def high(values: Sequence[float]) -> float:
    """The 95 % quantile."""
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]
