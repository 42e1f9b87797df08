"""What distinguishes a session from every other: people choose the same id again in another study, chance does not."""

import secrets
from collections.abc import Iterable, Mapping

from curtain.base.errors import CurtainError
from curtain.session.journal.lines import JournalEntry


class SessionsMixed(CurtainError):
    """Files of two sessions lie in one folder."""


def new_identity() -> str:
    """Sixteen random bytes in hex, made when a session is opened."""
    return secrets.token_hex(16)


def identity_in(entries: Iterable[JournalEntry]) -> str | None:
    """The identity that a journal names at each start of its station; "" for a journal of an earlier Curtain, None if
    no such line is left.

    Raises SessionsMixed if a later start of the station names another one.
    """
    # An earlier Curtain wrote no identity, so "" must count as one.
    named = [str(entry.data.get("identity") or "") for entry in entries if entry.type == "epoch"]
    if len(set(named)) > 1:
        raise SessionsMixed("One journal names two sessions.")
    return named[0] if named else None


def common_identity(by_file: Mapping[str, str | None]) -> str:
    """The one identity that all these files name; None stands for a file that is not there.

    Raises SessionsMixed, which names the files.
    """
    there = {name: identity for name, identity in by_file.items() if identity is not None}
    if len(set(there.values())) > 1:
        raise SessionsMixed(f"Files of different sessions lie in one folder: {', '.join(there)}. Take them apart.")
    return next(iter(there.values()), "")
