"""Where the subject's station keeps what it records, until it is known to be safe elsewhere and after."""

import logging
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from curtain.base.disk import rename
from curtain.link.messages import SessionName
from curtain.session.bundle.seat_secret import read_secret, write_secret
from subject_app.session.spool_space import SpoolSpace

log = logging.getLogger(__name__)

JOURNAL = "subject.events.jsonl"
CLOSED = "closed"
SEAT = "seat"
_WITH_IDENTITY = re.compile(r"(.+)-([0-9a-f]{32})")
_A_DAY_S = 24 * 60 * 60
_REMOVED = ".removed"


@dataclass(frozen=True)
class SpoolFolder:
    """The folder of one session on this side of the curtain."""

    path: Path

    @property
    def session(self) -> SessionName:
        """A folder of an earlier Curtain bears the id alone."""
        named = _WITH_IDENTITY.fullmatch(self.path.name)
        return SessionName(named[1], named[2]) if named else SessionName(self.path.name)

    @property
    def session_id(self) -> str:
        """The id alone, as people chose it."""
        return self.session.session_id

    @property
    def journal(self) -> Path:
        """The journal of this station."""
        return self.path / JOURNAL

    @property
    def audio(self) -> Path:
        """The folder of the finished recordings."""
        return self.path / "audio"

    @property
    def rescue(self) -> Path:
        """For takes that the disk did not accept in `audio`."""
        return self.path / "rescue"

    def audio_of(self, utterance_id: str) -> Path:
        """The finished file of an utterance; where it would be if there is none."""
        # A rescued take is the good one: what the failing disk left in `audio` may be repaired later, but is cut.
        rescued = self.rescue / f"{utterance_id}.wav"
        return rescued if rescued.exists() else self.audio / f"{utterance_id}.wav"

    @property
    def closed(self) -> bool:
        """Whether everything in it is safe at the other station."""
        return (self.path / CLOSED).exists()

    def make(self) -> None:
        """The folder is there and in use. Raises OSError."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.audio.mkdir(mode=0o700, exist_ok=True)
        # A wizard's station that was restored from a backup asks for a session that was closed here.
        (self.path / CLOSED).unlink(missing_ok=True)

    def mark_closed(self) -> None:
        """Everything in it is safe at the other station. Raises OSError."""
        (self.path / CLOSED).touch()

    @property
    def secret(self) -> str:
        """What the welcome gave; "" if it is missing or damaged."""
        return read_secret(self.path / SEAT)

    def keep_secret(self, secret: str) -> None:
        """For this person's eyes alone. Raises OSError."""
        if secret and secret != self.secret:
            write_secret(self.path / SEAT, secret)


@dataclass(frozen=True)
class Spool:
    """All sessions of this station."""

    root: Path
    keep_days: float = 0
    """How long closed sessions stay; 0 removes them as soon as the other station holds everything."""

    def folder(self, session: SessionName) -> SpoolFolder:
        """Where this very session is kept; a namesake of another study has another folder."""
        return SpoolFolder(self.root / "-".join(part for part in session if part))

    def holds(self, session: SessionName) -> bool:
        """Whether something of this session is kept here: its journal or its secret."""
        folder = self.folder(session)
        return bool(session.session_id) and (folder.journal.exists() or bool(folder.secret))

    def left_open(self) -> SpoolFolder | None:
        """The session to resume, once what was closed is removed. What the disk refuses is logged."""
        try:
            self.remove_closed()
        except OSError as error:
            log.warning("closed sessions cannot be removed from the spool: %s", type(error).__name__)
        try:
            return self.unclosed()
        except OSError:
            log.warning("the spool cannot be read")
            return None

    def close(self, folder: SpoolFolder, space: SpoolSpace) -> None:
        """Mark the folder closed and remove what is. Raises OSError."""
        try:
            folder.mark_closed()
        # A full disk must not keep a finished session open for ever.
        except OSError as error:
            if not space.make_room(error):
                raise
            folder.mark_closed()
        self.remove_closed()

    def unclosed(self) -> SpoolFolder | None:
        """The session that was worked on last and not closed: the one to resume after a crash."""
        # Where the journal itself is gone, the secret of the seat shows that a session was begun here.
        begun = [folder for folder in self._all() if _has_lines(folder.journal) or folder.secret]
        folders = sorted(begun, key=_changed_at, reverse=True)
        return next((folder for folder in folders if not folder.closed), None)

    def remove_closed(self) -> None:
        """Remove what was closed at least `keep_days` ago. Raises OSError."""
        for leftover in self.root.glob(f".*{_REMOVED}"):
            shutil.rmtree(leftover)
        for folder in self._all():
            if folder.closed and time.time() - (folder.path / CLOSED).stat().st_mtime >= self.keep_days * _A_DAY_S:
                # Renamed first: a folder of which only a part is left must never be taken for an open session.
                doomed = folder.path.with_name(f".{folder.path.name}{_REMOVED}")
                rename(folder.path, doomed)
                shutil.rmtree(doomed)

    def _all(self) -> Iterator[SpoolFolder]:
        folders = sorted(self.root.iterdir()) if self.root.is_dir() else []
        return (SpoolFolder(path) for path in folders if path.is_dir() and not path.name.startswith("."))


def _has_lines(journal: Path) -> bool:
    return journal.exists() and journal.stat().st_size > 0


def _changed_at(folder: SpoolFolder) -> int:
    return (folder.journal if folder.journal.exists() else folder.path).stat().st_mtime_ns
