"""What the audio tests share: a listener that remembers, and waiting for it without sleeping."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curtain.audio.disk import RecordingDisk
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import AudioSource
from tests.support.hand_turned_source import HandTurnedSource

PATIENCE_S = 10


class Remembering(RecorderListener):
    """Keeps what it was told, as (name, arguments), and lets a test wait for it."""

    def __init__(self) -> None:
        self.reported: list[tuple[str, tuple[object, ...]]] = []
        self._changed = threading.Condition()

    def _note(self, name: str, *arguments: object) -> None:
        with self._changed:
            self.reported.append((name, arguments))
            self._changed.notify_all()

    def on_first_block(self) -> None:
        self._note("first_block")

    def on_level(self, dbfs: float, clipped: int) -> None:
        self._note("level", dbfs, clipped)

    def on_gap(self, frame: int, missing: int) -> None:
        self._note("gap", frame, missing)

    def on_stalled(self, seconds: float) -> None:
        self._note("stalled", seconds)

    def on_resumed(self) -> None:
        self._note("resumed")

    def on_lost(self, reason: str) -> None:
        self._note("lost", reason)

    def on_disk_problem(self, error: Exception) -> None:
        self._note("disk_problem", error)

    def all(self, name: str) -> list[tuple[object, ...]]:
        with self._changed:
            return [arguments for reported, arguments in self.reported if reported == name]

    def wait_for(self, name: str, count: int = 1) -> tuple[object, ...]:
        with self._changed:
            enough = self._changed.wait_for(lambda: sum(n == name for n, _ in self.reported) >= count, PATIENCE_S)
        assert enough, f"{name} was not told {count} times"
        return self.all(name)[count - 1]


@pytest.fixture
def listener() -> Remembering:
    return Remembering()


@pytest.fixture
def source() -> HandTurnedSource:
    return HandTurnedSource()


OpenRecorder = Callable[..., Recorder]


@pytest.fixture
def open_recorder(source: HandTurnedSource, listener: Remembering) -> Iterator[OpenRecorder]:
    opened: list[Recorder] = []

    def make(
        of: AudioSource = source,
        fallback: Path | None = None,
        disk: RecordingDisk | None = None,
        listener: RecorderListener = listener,
    ) -> Recorder:
        recorder = Recorder(of, listener, fallback=fallback, disk=disk)
        recorder.open()
        opened.append(recorder)
        return recorder

    yield make
    for recorder in opened:
        recorder.close()


@pytest.fixture
def recorder(open_recorder: OpenRecorder) -> Recorder:
    return open_recorder()
