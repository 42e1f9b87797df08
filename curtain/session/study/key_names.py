"""The names of the keys that may be the talk key. Plain data: the subject's station proves that its windows know them.

Left out are the keys that already mean something on the subject's screen: Enter, Esc, Tab and the arrows.
"""

from __future__ import annotations

import string

KEY_NAMES = (
    "Space",
    *string.ascii_uppercase,
    *string.digits,
    *(f"F{number}" for number in range(1, 36)),
    "Control",
    "Shift",
    "Alt",
    "Meta",
    "Insert",
    "Delete",
    "Backspace",
    "Home",
    "End",
    "PgUp",
    "PgDown",
    "Pause",
    "Print",
    "Menu",
    "Help",
    "CapsLock",
    "NumLock",
    "ScrollLock",
)
_BY_LOWER = {name.lower(): name for name in KEY_NAMES}


def key_name(written: str) -> str | None:
    """The name as we spell it, whatever its capitals; None for what is no talk key."""
    return _BY_LOWER.get(written.strip().lower())
