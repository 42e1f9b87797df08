"""The microphone of a session: chosen by name, opened once, waited for when it is lost. A second one goes with it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from curtain.audio.open_take import DiskProblem
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.takes import TAKE_RATE
from curtain.base.errors import CurtainError
from curtain.link.messages import MicrophoneState
from curtain.qt.background import Background
from subject_app.talk.sound import SoundDevices

log = logging.getLogger(__name__)

TRY_AGAIN_MS = 1000
MakeRoom = Callable[[OSError], bool]
SILENCE_DBFS = -120.0


class Readiness(Enum):
    """`CHOOSE`: somebody has to pick one. `UNUSABLE`: this computer records no sound. The other values are those
    of `MicrophoneState`."""

    OPENING = "opening"
    CHOOSE = "choose"
    UNUSABLE = "unusable"
    READY = "ready"
    LOST = "lost"


class Microphone(QObject):
    """`gone`: it was pulled out, and is not only late with its sound.

    `changed()` whenever readiness, name or list changed; `level(dbfs, clipped)` about 50 times a second.
    `take_sound(take, frame, samples, rate)`: more of the take in this file, samples of shape (frames, channels).
    """

    changed = Signal()
    level = Signal(float, bool)
    take_sound = Signal(object, int, object, int)
    found = Signal(str, int)
    lost = Signal(str)
    refused = Signal(object)
    second_absent = Signal(bool)

    def __init__(
        self, sound: SoundDevices, background: Background, parent: QObject | None = None, again_ms: int = TRY_AGAIN_MS
    ) -> None:
        super().__init__(parent)
        self.gone = False
        self.readiness = Readiness.OPENING
        self.names: list[str] = []
        self.name = ""
        self.missing = ""
        self.recorder: Recorder | None = None
        self.second: Recorder | None = None
        self.rate = TAKE_RATE
        self._second_name = ""
        self.opened_once = False
        self.busy: Callable[[], bool] = _never
        self._sound = sound
        self._background = background
        self._rescue = Path()
        self._make_room: MakeRoom = _no_room
        self._ears: tuple[_Ears, ...] = ()
        self._working = False
        self._loudest = (SILENCE_DBFS, False)
        self._again = QTimer(self, interval=again_ms)
        self._again.timeout.connect(self._try_again)
        self._look_again = QTimer(self, singleShot=True, interval=again_ms)
        self._look_again.timeout.connect(self._list_again)

    @property
    def wide(self) -> bool:
        """Whether more is recorded than a take has."""
        return self.rate > TAKE_RATE

    def prepare(self, name: str, rescue: Path, make_room: MakeRoom, rate: int = TAKE_RATE, second: str = "") -> None:
        """Open the microphone of this name, with `rate` Hz where it can; without a name, list what there is. With it,
        that of the name `second` is opened, if there is one.

        `make_room` is asked on the recorder's thread when a write fails: whether it is to be repeated at once.
        """
        self._rescue, self._make_room = rescue, make_room
        self.rate, self._second_name = rate, second
        if name:
            self.choose(name)
        else:
            self._list("")

    def choose(self, name: str) -> None:
        """Open this one; if it is not there the list is shown again, and no other is taken."""
        self._look_again.stop()
        self.name = name
        # Not again: it is opened for the first time by this name.
        self._open(again=False)

    @property
    def state(self) -> MicrophoneState:
        """As reported to the other station."""
        if self.readiness is Readiness.CHOOSE:
            return "missing" if self.missing else "choose" if self.names else "none"
        return cast(MicrophoneState, self.readiness.value)

    @property
    def ready(self) -> bool:
        """Whether it is open and gives sound."""
        return self.readiness is Readiness.READY

    @property
    def absent(self) -> bool:
        """Whether there is none, as far as is known: none to choose from, or it was pulled out."""
        none = self.readiness is Readiness.UNUSABLE or (self.readiness is Readiness.CHOOSE and not self.names)
        return none or self.gone

    def loudest_since(self) -> tuple[float, bool]:
        """The loudest level and whether anything was clipped since the last time this was asked."""
        loudest, self._loudest = self._loudest, (SILENCE_DBFS, False)
        return loudest

    def release(self) -> list[Recorder]:
        """Let go of the recorders; whoever gets them closes them."""
        self._again.stop()
        self._look_again.stop()
        recorders = [one for one in (self.recorder, self.second) if one is not None]
        self.recorder = self.second = None
        # What the old recorders still report is out of date.
        for ears in self._ears:
            ears.blockSignals(True)
        return recorders

    def close(self) -> None:
        """The session is over: nobody listens any more."""
        recorders = self.release()
        self.opened_once = self.gone = False
        self.readiness = Readiness.OPENING
        for recorder in recorders:
            self._background.run(recorder.close)

    def close_at_once(self) -> None:
        """The station ends: wait until the recorder has written what it has."""
        for recorder in self.release():
            recorder.close()

    def _open(self, again: bool) -> None:
        self._working = True
        name, old, ears, second = self.name, self.release(), _Ears(self._make_room), _Ears(self._make_room)
        self._listen_to(ears, second)
        self._background.run(lambda: self._opened(name, old, ears, again), partial(self._on_opened, second))
        # A second try is quiet: the page would flicker every second.
        if not again:
            self._become(Readiness.OPENING)

    def _opened(self, name: str, old: list[Recorder], ears: _Ears, again: bool) -> Recorder:
        # Not on the GUI thread: a device that is gone can make this wait.
        for recorder in old:
            recorder.close()
        return self._sound.open(name, ears, self._rescue / "wide" if self.wide else self._rescue, again, self.rate)

    def _on_opened(self, second: _Ears, future: Future[Recorder]) -> None:
        self._working = False
        try:
            self.recorder = future.result()
        except CurtainError as error:
            self._on_not_opened(error)
            return
        self._again.stop()
        self.opened_once = True
        self.gone = False
        self.missing = ""
        self.name = self.recorder.microphone
        self._become(Readiness.READY)
        self.found.emit(self.name, self.recorder.sample_rate)
        if self._second_name:
            # Behind the first: looking for devices anew would close the other's stream.
            self._working = True
            folder = self._rescue / "second"
            work = partial(self._sound.open, self._second_name, second, folder, False, self.rate)
            self._background.run(work, partial(self._on_second_opened, self.recorder))

    def _on_second_opened(self, first: Recorder, future: Future[Recorder]) -> None:
        self._working = False
        try:
            second = future.result()
        except CurtainError as error:
            log.warning("the second microphone does not open: %s", type(error).__name__)
            self.second_absent.emit(True)
            return
        if self.recorder is not first:
            # The first was let go meanwhile, and another pair is on its way.
            self._background.run(second.close)
            return
        self.second = second
        self.second_absent.emit(False)

    def _on_second_lost(self) -> None:
        # It comes back with the first one, or in the next session: a search would close the first one's stream.
        self.second_absent.emit(True)

    def _on_not_opened(self, error: CurtainError) -> None:
        # Once it worked, it is waited for; before that, somebody has to choose.
        if self.opened_once:
            self._become(Readiness.LOST)
            self._again.start()
            return
        log.warning("the microphone does not open: %s", type(error).__name__)
        self._list(self.name)

    def _list(self, missing: str) -> None:
        self.missing = missing
        self._background.run(self._sound.names, self._on_listed)

    def _list_again(self) -> None:
        """What was plugged in meanwhile is seen without a restart; no stream is open here."""
        if self.readiness is Readiness.CHOOSE:
            self._background.run(lambda: self._sound.names(again=True), self._on_listed)

    def _on_listed(self, future: Future[list[str]]) -> None:
        # A microphone may have been opened while the list was made, or is just being opened.
        if self._working or self.readiness not in (Readiness.OPENING, Readiness.CHOOSE):
            return
        before = (self.readiness, self.names)
        try:
            self.names = future.result()
        except CurtainError as error:
            self.refused.emit(error)
            self._become(Readiness.UNUSABLE)
            return
        # The wanted one was plugged in.
        if self.missing in self.names and before[0] is Readiness.CHOOSE:
            self.choose(self.missing)
            return
        if self.missing or not self.names:
            self._look_again.start()
        if before != (Readiness.CHOOSE, self.names):
            self._become(Readiness.CHOOSE)

    def _listen_to(self, ears: _Ears, second: _Ears) -> None:
        self._ears = (ears, second)
        for listener in self._ears:
            listener.setParent(self)
        second.lost.connect(self._on_second_lost)
        second.problem.connect(self.refused)
        ears.level.connect(self._on_level)
        ears.take_sound.connect(self._on_take_sound)
        ears.lost.connect(self._on_lost)
        ears.stalled.connect(self._on_stalled)
        ears.resumed.connect(self._on_resumed)
        ears.problem.connect(self.refused)

    def _on_level(self, dbfs: float, clipped: bool) -> None:
        # The status comes twice a second, levels 50 times: the loudest is kept.
        self._loudest = (max(self._loudest[0], dbfs), self._loudest[1] or clipped)
        self.level.emit(dbfs, clipped)

    def _on_take_sound(self, take: Path, frame: int, samples: NDArray[np.int16]) -> None:
        if self.recorder is not None:
            self.take_sound.emit(take, frame, samples, self.recorder.sample_rate)

    def _on_stalled(self) -> None:
        if self.ready:
            self._become(Readiness.LOST)

    def _on_resumed(self) -> None:
        # A stream that was released may still resume.
        if self.recorder is not None:
            self._become(Readiness.READY)

    def _on_lost(self) -> None:
        self.gone = True
        self._become(Readiness.LOST)
        self.lost.emit(self.name)
        self._again.start()

    def _try_again(self) -> None:
        # Not while somebody speaks: opening closes the stream that is there.
        if not self._working and not self.busy():
            self._open(again=True)

    def _become(self, readiness: Readiness) -> None:
        self.readiness = readiness
        self.changed.emit()


class _Ears(QObject, RecorderListener):
    """Brings what the recorder reports on its own thread to the window's."""

    level = Signal(float, bool)
    take_sound = Signal(object, int, object)
    lost = Signal()
    stalled = Signal()
    resumed = Signal()
    problem = Signal(object)

    def __init__(self, make_room: MakeRoom) -> None:
        super().__init__()
        self._make_room = make_room

    def on_level(self, dbfs: float, clipped: int) -> None:
        self.level.emit(dbfs, clipped > 0)

    def on_take_sound(self, take: Path, frame: int, samples: NDArray[np.int16]) -> None:
        self.take_sound.emit(take, frame, samples)

    def on_stalled(self, seconds: float) -> None:
        self.stalled.emit()

    def on_resumed(self) -> None:
        self.resumed.emit()

    def on_lost(self, reason: str) -> None:
        self.lost.emit()

    def on_disk_problem(self, error: DiskProblem) -> None:
        self.problem.emit(error)

    def make_room(self, error: OSError) -> bool:
        return self._make_room(error)


def _never() -> bool:
    return False


def _no_room(error: OSError) -> bool:
    return False
