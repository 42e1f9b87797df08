"""How much a bench does: CURTAIN_BENCH=small runs each to its end with as little as it takes, and measures nothing."""

from __future__ import annotations

import os
from typing import TypeVar

Amount = TypeVar("Amount")

SMALL = os.environ.get("CURTAIN_BENCH") == "small"


def sized(usual: Amount, small: Amount) -> Amount:
    """The usual amount, or the smallest."""
    return small if SMALL else usual
