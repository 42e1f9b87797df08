"""A first draft of a transcription from the audio."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.domain.pack.pack import load_pack
from curtain.recognition.language_model import spoken_words
from curtain.recognition.transcriber import Transcriber, is_installed

QUESTIONS = [example.question for example in load_pack("personnel").examples()]
PATIENCE_S = 60.0

speaking = pytest.mark.skipif(
    not (is_installed() and shutil.which("espeak-ng")), reason="needs the extra “asr” (pocketsphinx) and espeak-ng"
)


def spoken(folder: Path, text: str) -> Path:
    path = folder / "spoken.wav"
    subprocess.run(["espeak-ng", "-v", "en-us", "-s", "150", "-w", str(path), text], check=True)
    return path


def test_importing_it_brings_no_recogniser_along() -> None:
    heavy = "{'pocketsphinx', 'numpy', 'soundfile', 'soxr'}"
    check = f"import sys, curtain.recognition.transcriber; print({heavy} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def test_without_the_extra_nothing_is_transcribed_and_nobody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pocketsphinx" else found(name))
    assert not is_installed()
    transcriber = Transcriber(QUESTIONS)
    assert transcriber.transcribe(tmp_path / "absent.wav").result(PATIENCE_S) == ""
    transcriber.close()


def test_what_comes_after_the_end_is_cancelled() -> None:
    transcriber = Transcriber([])
    transcriber.close()
    assert transcriber.transcribe(Path("late.wav")).cancelled()


@speaking
def test_questions_like_the_examples_are_mostly_understood(tmp_path: Path) -> None:
    transcriber = Transcriber(QUESTIONS)
    asked = ["How many employees are there?", "How many people live in each city?"]
    heard = [transcriber.transcribe(spoken(tmp_path, question)).result(PATIENCE_S).split() for question in asked]
    transcriber.close()
    assert heard[0] == spoken_words(asked[0])
    assert len(set(heard[1]) & set(spoken_words(asked[1]))) >= 5


@speaking
@pytest.mark.parametrize("content", [None, b"", b"RIFF no sound at all"])
def test_a_file_that_is_no_sound_gives_nothing_and_the_next_one_is_heard(tmp_path: Path, content: bytes | None) -> None:
    bad = tmp_path / "bad.wav"
    if content is not None:
        bad.write_bytes(content)
    transcriber = Transcriber(QUESTIONS)
    assert transcriber.transcribe(bad).result(PATIENCE_S) == ""
    assert transcriber.transcribe(spoken(tmp_path, "How many employees are there?")).result(PATIENCE_S) != ""
    transcriber.close()


@speaking
def test_closing_does_not_wait_for_what_is_being_heard(tmp_path: Path) -> None:
    transcriber = Transcriber(QUESTIONS)
    asked = [transcriber.transcribe(spoken(tmp_path, "How many employees are there? " * 20)) for _ in range(3)]
    transcriber.close()
    assert all(one.done() for one in asked)
    assert asked[-1].cancelled()
