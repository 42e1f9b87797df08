"""A small corpus from values, for writers of exports."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.model.filters import Counts
from curtain.corpus.model.utterance import Session, Utterance

RATE = 16_000


@dataclass
class GivenCorpus:
    """Implements the Corpus protocol over sessions in memory."""

    given: Sequence[Session]
    databases: dict[str, Path] = field(default_factory=dict)
    title: str = "A toy"
    licence: str = "CC0-1.0"
    blind: bool = False
    speech_only: bool = False
    version: str = "1.2.0"
    authors: tuple[str, ...] = ("A lab",)
    erased: tuple[tuple[str, str], ...] = ()

    def sessions(self) -> Iterator[Session]:
        yield from self.given

    def units(self, domain: str) -> str:
        return ""

    def database(self, domain: str) -> Path:
        return self.databases[domain]


def corpus(*sessions: Session, **databases: Path) -> GivenCorpus:
    return GivenCorpus(sessions, databases)


def utterance(turn: int = 1, session_id: str = "e00-01", **values: Any) -> Utterance:
    blank = Utterance(f"{session_id}-{turn:03}", session_id, session_id[:3], turn)
    return replace(blank, **values)


def session(*utterances: Utterance, session_id: str = "e00-01", **values: Any) -> Session:
    blank = Session(
        session_id=session_id, speaker_id=session_id[:3], site="lab", domain="personnel", content_sha256="5" * 64,
        dialect="1992", rule_book="1989", recorded="2026-03-01", wizard_ids=("w1",), consent_id="c1",
        app_version="0.1.0", closed=True, pilot=False, manifest_sha256="0" * 64, path=Path(), utterances=utterances,
    )  # fmt: skip
    return replace(blank, **values)


def tone(folder: Path, name: str, frames: int = 4000) -> dict[str, Any]:
    """A recording in `folder`: what an utterance says of it."""
    path = folder / f"{name}.wav"
    samples = (3000 * np.sin(np.arange(frames) / 9)).astype(np.int16)
    soundfile.write(path, samples, RATE, subtype="PCM_16")
    return {"audio": path, "frames": frames, "sample_rate_hz": RATE}


def written_by(write: Callable[..., None], given: Any, folder: Path) -> tuple[Path, ExportProgress]:
    """The new folder after a writer wrote there, and what the writer reported."""
    folder.mkdir()
    shown = ExportProgress()
    write(given, folder, shown)
    return folder, shown


def counted(corpus: BundleCorpus) -> Counts:
    """Its counts, behind a pass over everything."""
    deque(corpus.sessions(), 0)
    return corpus.counts


def stated(session: Session) -> list[tuple[str, str | None, str | None]]:
    return [(one.scenario_id, one.answer, one.how) for one in session.scenarios if one.answer is not None]
