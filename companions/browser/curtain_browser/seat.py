"""Whose the one page of this station is: a link that counts once, and a cookie that is the page's identity after it."""

import secrets
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file

EXPIRES_S = 3600.0
"""How long a link waits for its subject."""


class KeptSeat(msgspec.Struct, frozen=True):
    """What outlives this process: the page's store, the SHA-256 of its cookie, the port (part of the origin, and so of
    what the page finds again), and the session in which it sits."""

    box: str = ""
    cookie: str = ""
    port: int = 0
    session: str = ""


class PageSeat:
    """One page at a time. `now` counts seconds. What is kept stands in `folder`, for this person alone: a new start of
    the station knows the cookie again, so that a page goes on after a kill. Raises OSError where it cannot be kept."""

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self._path, self._now = folder / "browser.seat", now
        self._secret, self._until = "", 0.0
        try:
            self.kept = msgspec.json.decode(self._path.read_bytes(), type=KeptSeat)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            self.kept = KeptSeat()

    def use_port(self, port: int) -> None:
        """The page is served here."""
        self._keep(msgspec.structs.replace(self.kept, port=port))

    @property
    def waits(self) -> bool:
        """Whether the newest link still opens."""
        return bool(self._secret) and self._now() <= self._until

    def invite(self) -> str:
        """The secret of a new link; an earlier link is dead."""
        self._secret, self._until = secrets.token_urlsafe(24), self._now() + EXPIRES_S
        return self._secret

    def enter(self, secret: str) -> str | None:
        """The cookie for whoever shows the secret first, in time. The page of before has lost its seat."""
        if not (self.waits and compare_digest(secret.encode(), self._secret.encode())):
            return None
        cookie, self._secret = secrets.token_urlsafe(32), ""
        self._keep(KeptSeat(secrets.token_hex(16), sha256(cookie.encode()).hexdigest(), self.kept.port))
        return cookie

    def admits(self, cookie: str) -> bool:
        """Whether this is the page's cookie."""
        return bool(self.kept.cookie) and compare_digest(sha256(cookie.encode()).hexdigest(), self.kept.cookie)

    def serves(self, session: str) -> bool:
        """Whether the page may sit in this session: in the one in which it sits, or in its first."""
        if self.kept.cookie and not self.kept.session:
            self._keep(msgspec.structs.replace(self.kept, session=session))
        return self.kept.session in ("", session)

    def vacate(self) -> None:
        """The session is over: link and cookie are dead."""
        self._secret = ""
        self._keep(KeptSeat(port=self.kept.port))

    def _keep(self, kept: KeptSeat) -> None:
        replace_file(self._path, msgspec.json.encode(kept), private=True)
        self.kept = kept
