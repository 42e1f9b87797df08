"""The microphone test: hold the key, say a sentence, hear it again."""

from __future__ import annotations

import itertools
import logging
import shutil
from concurrent.futures import Future
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import Background, or_else
from curtain.session.events.subject_events import is_soundless
from subject_app.talk.hold import Stamp
from subject_app.talk.sound import SoundDevices
from subject_app.talk.takes import SHORTEST_MS

if TYPE_CHECKING:
    from curtain.audio.recorder import Recorder
    from curtain.audio.takes import SavedTake

log = logging.getLogger(__name__)

QUIET_DBFS = -40.0

Verdict = Literal["silent", "quiet", "good", "loud"]


class MicTestStage(Enum):
    """How far the test is."""

    NOTHING = "nothing"
    LISTENING = "listening"
    SAVING = "saving"
    PLAYING = "playing"
    GOOD = "good"
    QUIET = "quiet"
    LOUD = "loud"
    SILENT = "silent"
    TOO_SHORT = "too_short"
    NO_PLAYBACK = "no_playback"


# Silence is no end of the test: a session over a muted microphone is worth nothing.
TESTED = {MicTestStage.PLAYING, MicTestStage.GOOD, MicTestStage.QUIET, MicTestStage.LOUD, MicTestStage.NO_PLAYBACK}


def verdict_on(take: SavedTake) -> Verdict:
    """What the test says of the subject's voice."""
    # Digital silence first: it has no level to speak of.
    if is_soundless(take.peak_dbfs):
        return "silent"
    if take.clipped:
        return "loud"
    return "quiet" if take.peak_dbfs < QUIET_DBFS else "good"


class MicTest(QObject):
    """`changed(Heard)`. What is said here is no utterance: it is thrown away with `forget`."""

    changed = Signal(object)
    _played = Signal()

    def __init__(
        self, folder: Path, sound: SoundDevices, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.heard = MicTestStage.NOTHING
        self._folder = folder
        self._sound = sound
        self._background = background
        self._numbers = itertools.count(1)
        self._open: tuple[Recorder, Stamp] | None = None
        self.verdict: Verdict | None = None
        self._played.connect(self._on_played)

    @property
    def open(self) -> bool:
        """Whether the key is held now."""
        return self._open is not None

    def press(self, stamp: Stamp, recorder: Recorder | None) -> None:
        """Begin a test, if there is a microphone and none has begun."""
        if recorder is None or self._open is not None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # With time and number: a test after a crash must not meet the file of the one before.
            recorder.begin(self._folder / f"test-{stamp.ns}-{next(self._numbers)}.wav", stamp.stream)
        except (CurtainError, OSError) as error:
            log.warning("the microphone test does not begin: %s", type(error).__name__)
            return
        self._open = (recorder, stamp)
        self.verdict = None
        self._become(MicTestStage.LISTENING)

    def release(self, stamp: Stamp) -> None:
        """End the test and play it back, unless it was too short."""
        if self._open is None:
            return
        (recorder, pressed), self._open = self._open, None
        if (stamp.ns - pressed.ns) // 1_000_000 < SHORTEST_MS:
            recorder.cancel()
            self._become(MicTestStage.TOO_SHORT)
            return
        self._become(MicTestStage.SAVING)
        self._background.when_done(recorder.end(stamp.stream), or_else(self._on_saved, self._on_not_saved))

    def cancel(self) -> None:
        """Throw the open test away."""
        if self._open is not None:
            (recorder, _), self._open = self._open, None
            recorder.cancel()
            self._become(MicTestStage.NOTHING)

    def forget(self) -> None:
        """The test is over: its recordings belong to nobody."""
        self._background.run(self._clean_up)

    def _on_not_saved(self, error: CurtainError) -> None:
        log.warning("the microphone test is not saved: %s", type(error).__name__)
        self._become(MicTestStage.NOTHING)

    def _on_saved(self, take: SavedTake) -> None:
        self.verdict = verdict_on(take)
        if self.verdict == "silent":
            self._become(MicTestStage.SILENT)
            return
        self._become(MicTestStage.PLAYING)  # before it begins: a short sound may have ended when `play` returns
        self._background.run(lambda: self._sound.play(take.path, self._played.emit), self._on_playing)

    def _on_playing(self, future: Future[bool]) -> None:
        try:
            audible = future.result()
        except CurtainError as error:
            log.warning("the microphone test is not played: %s", type(error).__name__)
            audible = False
        if not audible:
            self._become(MicTestStage.NO_PLAYBACK if self.verdict == "good" else self._result)

    @property
    def _result(self) -> MicTestStage:
        return MicTestStage(self.verdict or "good")

    def _on_played(self) -> None:
        # The subject may be testing again already.
        if self._open is None:
            self._become(self._result)

    def _clean_up(self) -> None:
        self._sound.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _become(self, heard: MicTestStage) -> None:
        self.heard = heard
        self.changed.emit(heard)
