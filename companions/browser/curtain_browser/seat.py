"""Whose the one page of this station is: a link that counts once, and a cookie that is the page's identity after it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file

EXPIRES_S = 3600.0
"""How long a link waits for its subject."""
FILE = "browser.seat"


class Kept(msgspec.Struct, frozen=True):
    """What outlives this process: the page's store, the SHA-256 of its cookie, the port (part of the origin, and so of
    what the page finds again), and the session in which it sits."""

    box: str = ""
    cookie: str = ""
    port: int = 0
    session: str = ""


def _sum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@dataclass
class _Link:
    secret: str
    until: float


class PageSeat:
    """One page at a time. `now` counts seconds. What is kept stands in `folder`, for this person alone; a new start of
    the station knows the cookie again, so that a page goes on after a kill. Raises OSError where it cannot be kept."""

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self._path = folder / FILE
        self._now = now
        self._link: _Link | None = None
        self._kept = self._read()

    @property
    def box(self) -> str:
        """The name of the page's store; "" while nobody has entered."""
        return self._kept.box

    @property
    def port(self) -> int:
        """The port of the last start, 0 before the first."""
        return self._kept.port

    def use_port(self, port: int) -> None:
        """The page is served here."""
        self._keep(msgspec.structs.replace(self._kept, port=port))

    def invite(self) -> str:
        """The secret of a new link; an earlier link is dead."""
        self._link = _Link(secrets.token_urlsafe(24), self._now() + EXPIRES_S)
        return self._link.secret

    def enter(self, secret: str) -> str | None:
        """The cookie for whoever shows the secret first, in time. The page of before has lost its seat."""
        link = self._link
        if link is None or self._now() > link.until or not compare_digest(secret.encode(), link.secret.encode()):
            return None
        cookie = secrets.token_urlsafe(32)
        self._keep(Kept(secrets.token_hex(16), _sum(cookie), self._kept.port))
        self._link = None
        return cookie

    def admits(self, cookie: str) -> bool:
        """Whether this is the page's cookie."""
        return bool(self._kept.cookie) and compare_digest(_sum(cookie), self._kept.cookie)

    def serves(self, session: str) -> bool:
        """Whether the page may sit in this session: in the one in which it sits, or in its first."""
        if self._kept.cookie and not self._kept.session:
            self._keep(msgspec.structs.replace(self._kept, session=session))
        return self._kept.session in ("", session)

    def vacate(self) -> None:
        """The session is over: link and cookie are dead."""
        self._link = None
        self._keep(Kept(port=self._kept.port))

    def _keep(self, kept: Kept) -> None:
        replace_file(self._path, msgspec.json.encode(kept), private=True)
        self._kept = kept

    def _read(self) -> Kept:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return Kept()
