"""Names that Windows keeps for its devices: “con.wav” is the console there."""

from __future__ import annotations

import re

__all__ = ["is_reserved"]

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE | re.DOTALL)


def is_reserved(name: str) -> bool:
    """Whether no file on Windows can have this name, with any ending."""
    return bool(_RESERVED.fullmatch(name))
