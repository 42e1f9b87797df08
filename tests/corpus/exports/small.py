"""Corpora held in memory: as many sessions as a test wants, with ids of any kind."""

from __future__ import annotations

import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curtain.corpus.utterance import Reference, Session, Utterance

RATE = 16000


@dataclass(frozen=True)
class HeldCorpus:
    """The Corpus protocol over sessions that are there already."""

    held: Sequence[Session]
    title: str = "held"
    licence: str = "CC-BY-4.0"
    blind: bool = False

    def sessions(self) -> Iterator[Session]:
        yield from self.held

    def database(self, domain: str) -> Path:
        raise LookupError(domain)


def sound(path: Path, frames: int = 1600) -> Path:
    """A WAV file of noise that repeats itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(bytes((7 * at) % 251 for at in range(2 * frames)))
    return path


def utterance(audio: Path | None, utterance_id: str = "e00-01-001", **changes: Any) -> Utterance:
    """A plain one, of session e00-01 and speaker e00 unless told otherwise."""
    plain = Utterance(
        utterance_id=utterance_id,
        session_id="e00-01",
        speaker_id="e00",
        turn=1,
        scenario_id="team",
        audio=audio,
        frames=1600 if audio else None,
        sample_rate_hz=RATE if audio else None,
        query="Who works in department 45?",
        lsn="WHO WORKS IN DEPARTMENT 45",
        eval_class="A",
        category="0",
        references=(Reference("SELECT 1", "((1))"),),
        outcome="answer",
        split="train",
    )
    return replace(plain, **changes)


def session(*utterances: Utterance, path: Path = Path("nowhere"), **changes: Any) -> Session:
    """A session that holds these utterances."""
    plain = Session(
        session_id=utterances[0].session_id,
        speaker_id=utterances[0].speaker_id,
        site="lab",
        domain="personnel",
        content_sha256="0" * 64,
        dialect="1992",
        rule_book="1992",
        recorded="2026-03-01",
        wizard_ids=("w1",),
        consent_id="c1",
        app_version="0.1.0",
        closed=True,
        pilot=False,
        manifest_sha256="1" * 64,
        path=path,
        utterances=utterances,
    )
    return replace(plain, **changes)
