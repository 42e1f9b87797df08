"""A first transcription from the audio: the parent's side, with a child that needs no model."""

import importlib.util
import queue
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from curtain.base import piped_process
from curtain.base.errors import CurtainError
from curtain.base.hearing import Hearing
from curtain.base.python_process import module_environment
from curtain_ear import transcriber as module
from curtain_ear.expectation import Expectation
from curtain_ear.transcriber import NOT_INSTALLED, Transcriber

CHILD = Path(__file__).with_name("child_that.py")
PATIENCE_S = 60.0


def start_fake(variables: Iterable[str], name: str, **pipes: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(CHILD)], env=module_environment(), start_new_session=True, **pipes)


@pytest.fixture
def grew() -> queue.SimpleQueue[tuple[int, Hearing]]:
    return queue.SimpleQueue()


@pytest.fixture
def listening(monkeypatch: pytest.MonkeyPatch, grew: queue.SimpleQueue[tuple[int, Hearing]]) -> Iterator[Transcriber]:
    monkeypatch.setattr(piped_process, "start_module_with", start_fake)
    monkeypatch.setattr(module, "is_installed", lambda: True)
    domain = Expectation(examples=["flights", "fares"], scenarios={"s1": "go home"})
    made = Transcriber(Path("model"), "en", domain, on_growing=lambda key, hearing: grew.put((key, hearing)))
    yield made
    made.close()


def test_importing_it_brings_no_recogniser_along() -> None:
    heavy = "{'faster_whisper', 'ctranslate2', 'numpy', 'soundfile', 'soxr', 'huggingface_hub'}"
    names = "curtain_ear.transcriber, curtain_ear.models"
    check = f"import sys, {names}; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_without_the_extra_nothing_is_heard_and_one_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "faster_whisper" else found(name))
    transcriber = Transcriber(Path("model"))
    assert transcriber.transcribe(Path("absent.wav")).result(PATIENCE_S) == Hearing()
    assert transcriber.problem == NOT_INSTALLED
    transcriber.close()


def test_what_comes_after_the_end_is_cancelled() -> None:
    transcriber = Transcriber(Path("model"))
    transcriber.close()
    assert transcriber.transcribe(Path("late.wav")).cancelled()


def test_it_is_told_what_to_expect_before_the_next_take(listening: Transcriber) -> None:
    assert listening.transcribe(Path("a")).result(PATIENCE_S).text == "a flights fares"
    listening.expect("s1", ["fares"])
    assert listening.transcribe(Path("b")).result(PATIENCE_S).text == "b fares flights fares go home"


def test_a_take_is_heard_while_it_grows_and_finished_from_there(
    listening: Transcriber, grew: queue.SimpleQueue[tuple[int, Hearing]]
) -> None:
    listening.begin(7)
    for samples in (16_000, 32_000):
        listening.more(7, bytes(samples), 16_000)
        key, hearing = grew.get(timeout=PATIENCE_S) if samples > 16_000 else (7, Hearing())
    assert (key, hearing.text) == (7, "48000")
    # Too little to be worth a look; the file holds it.
    listening.more(7, bytes(100), 16_000)
    assert listening.finish(7, Path("whole")).result(PATIENCE_S).text == "whole flights fares 48000"


def test_of_two_takes_the_newer_one_grows(listening: Transcriber, grew: queue.SimpleQueue[tuple[int, Hearing]]) -> None:
    listening.begin(1)
    listening.begin(2)
    listening.more(1, bytes(64_000), 16_000)
    listening.more(2, bytes(32_000), 16_000)
    assert grew.get(timeout=PATIENCE_S)[0] == 2


def test_a_child_that_ends_costs_one_take(listening: Transcriber) -> None:
    assert listening.transcribe(Path("die")).result(PATIENCE_S) == Hearing()
    assert listening.problem == "The recogniser stopped."
    assert listening.transcribe(Path("next")).result(PATIENCE_S).text == "next flights fares"
    assert listening.problem == ""


def test_closing_does_not_wait_for_what_is_being_heard(listening: Transcriber) -> None:
    asked = [listening.transcribe(Path("hang")) for _ in range(3)]
    listening.close()
    assert all(one.done() for one in asked)
    assert asked[-1].cancelled()


def test_a_model_that_cannot_be_loaded_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    monkeypatch.setattr(
        piped_process, "start_module_with", lambda *a, **pipes: started.append(a) or start_fake(*a, **pipes)
    )
    monkeypatch.setattr(module, "is_installed", lambda: True)
    transcriber = Transcriber(Path("broken"))
    heard = [transcriber.transcribe(Path(name)).result(PATIENCE_S) for name in ("a", "b")]
    assert (heard, transcriber.problem, len(started)) == ([Hearing()] * 2, "The model is broken.", 1)
    with pytest.raises(CurtainError, match=r"The model is broken\."):
        transcriber.load()
    transcriber.close()


def test_a_process_that_cannot_be_started_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> NoReturn:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(piped_process, "start_module_with", refused)
    monkeypatch.setattr(module, "is_installed", lambda: True)
    transcriber = Transcriber(Path("any"))
    with pytest.raises(CurtainError, match=r"The recogniser .*Resource temporarily unavailable"):
        transcriber.load()
    transcriber.close()
