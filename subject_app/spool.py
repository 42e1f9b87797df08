"""Where the subject's station keeps what it records, until it is known to be safe elsewhere and after."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

JOURNAL = "subject.events.jsonl"
CLOSED = "closed"


@dataclass(frozen=True)
class SessionFolder:
    """The folder of one session on this side of the curtain."""

    path: Path

    @property
    def session_id(self) -> str:
        return self.path.name

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL

    @property
    def audio(self) -> Path:
        return self.path / "audio"

    @property
    def rescue(self) -> Path:
        """For takes that the disk did not accept in `audio`."""
        return self.path / "rescue"

    def audio_of(self, utterance_id: str) -> Path:
        """The finished file of an utterance; where it would be if there is none."""
        # A rescued take is the good one: what the failing disk left in `audio` may be mended later, but is cut.
        rescued = self.rescue / f"{utterance_id}.wav"
        return rescued if rescued.exists() else self.audio / f"{utterance_id}.wav"

    @property
    def closed(self) -> bool:
        return (self.path / CLOSED).exists()

    def make(self) -> None:
        """Raises OSError."""
        self.audio.mkdir(mode=0o700, parents=True, exist_ok=True)

    def mark_closed(self) -> None:
        """Everything in it is safe at the other station. Raises OSError."""
        (self.path / CLOSED).touch()


@dataclass(frozen=True)
class Spool:
    """All sessions of this station."""

    root: Path

    def folder(self, session_id: str) -> SessionFolder:
        return SessionFolder(self.root / session_id)

    def unclosed(self) -> SessionFolder | None:
        """The session that was worked on last and not closed: the one to resume after a crash."""
        journals = [path for path in self.root.glob(f"*/{JOURNAL}") if path.stat().st_size]
        folders = [SessionFolder(path.parent) for path in sorted(journals, key=_changed_at, reverse=True)]
        return next((folder for folder in folders if not folder.closed), None)


def _changed_at(path: Path) -> int:
    return path.stat().st_mtime_ns
