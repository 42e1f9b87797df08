"""Corpora held in memory: as many sessions as a test wants, with ids of any kind."""

import wave
from dataclasses import replace
from pathlib import Path
from typing import Any

from curtain.corpus.model.utterance import Reference, Session, Utterance
from tests.corpus import given

RATE = 16000


HeldCorpus = given.GivenCorpus


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
        utterance_id=utterance_id, session_id="e00-01", speaker_id="e00", turn=1, scenario_id="team", audio=audio,
        frames=1600 if audio else None, sample_rate_hz=RATE if audio else None, query="Who works in department 45?",
        lsn="WHO WORKS IN DEPARTMENT 45", eval_class="A", category="0", references=(Reference("SELECT 1", "((1))"),),
        outcome="answer", split="train", text_from="annotated", sql_from="annotated", class_from="annotated",
    )  # fmt: skip
    return replace(plain, **changes)


def session(*utterances: Utterance, path: Path = Path("nowhere"), **changes: Any) -> Session:
    """A session that holds these utterances."""
    first = utterances[0]
    names = {"session_id": first.session_id, "speaker_id": first.speaker_id, "rule_book": "1992"}
    hashes = {"content_sha256": "0" * 64, "manifest_sha256": "1" * 64}
    return given.session(*utterances, **names | hashes | {"path": path} | changes)
