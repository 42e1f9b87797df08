"""What there is in a study, as values: sessions with state and size, and what was done with them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

Soundness = Literal["sound", "damaged", "unknown"]
"""What “curtain verify” found of a session as its manifest is now; unknown where nobody has verified that."""


Barred = Literal["", "no consent", "withdrawn", "undisclosed"]


class Verified(msgspec.Struct, frozen=True):
    """What “curtain verify” found: the SHA-256 of the manifest then, and whether everything was there."""

    manifest: str
    sound: bool


@dataclass(frozen=True)
class SessionFacts:
    """One session. `turns` and `annotated` count turns of data, `size` is in bytes, `words` are what was asked; all of
    them are empty until it `is_read`. `problem` is a sentence where it cannot be read, and then they stay so."""

    session_id: str
    path: Path
    closed: bool = False
    begun: str = ""
    turns: int = 0
    annotated: int = 0
    size: int = 0
    pilot: bool = False
    soundness: Soundness = "unknown"
    problem: str = ""
    words: str = ""
    is_read: bool = False
    barred: Barred = ""
    """Why every export leaves it out, whatever the use; "" if none must."""

    @property
    def is_data(self) -> bool:
        """Whether it belongs to the corpus: closed, readable and no trial."""
        return self.closed and not self.pilot and not self.problem


@dataclass(frozen=True)
class StudyFacts:
    """A study as it is on the disk. `exported` are the ids of sessions that stand in an export, `due` of those that may
    be kept no longer, `sample` the script of the domain's sample session if it has one, `references` the file of them
    that the latest export with one has; `problem` is a sentence where study.toml cannot be used, `voiceless` one where
    no subject could ask at this computer, looked at until there are data."""

    folder: Path
    domain: str = ""
    sessions: tuple[SessionFacts, ...] = ()
    exported: frozenset[str] = frozenset()
    due: tuple[str, ...] = ()
    sample: Path | None = None
    references: Path | None = None
    problem: str = ""
    voiceless: str = ""

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def data(self) -> tuple[SessionFacts, ...]:
        """The sessions of the corpus."""
        return tuple(session for session in self.sessions if session.is_data)

    @property
    def unread(self) -> tuple[SessionFacts, ...]:
        """The sessions of which only the beginning is known so far."""
        return tuple(session for session in self.sessions if not session.is_read)

    def session(self, session_id: str) -> SessionFacts | None:
        """The session of this id, None if there is none."""
        return next((session for session in self.sessions if session.session_id == session_id), None)
