"""The secret of the subject's place in a session, on each side in a file of its own: it never leaves with a bundle."""

import re
import secrets
from pathlib import Path

from curtain.base.disk import replace_file

_SECRET = re.compile(r"[0-9a-f]{32}")


def new_secret() -> str:
    """What the subject's station shows when it comes back to its session."""
    return secrets.token_hex(16)


def read_secret(path: Path) -> str:
    """The secret, or "" if it is missing or damaged."""
    try:
        text = path.read_text("ascii").strip()
    except (OSError, ValueError):
        # What is no secret of ours counts as none, and the station asks anew.
        return ""
    return text if _SECRET.fullmatch(text) else ""


def write_secret(path: Path, secret: str) -> None:
    """Write it for this person's eyes alone; after a crash it is the old one or this one. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, secret.encode("ascii") + b"\n", private=True)
