"""From key to saved take: a turn begins with each press, and its audio is announced only after fsync."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import msgspec
from PySide6.QtCore import QObject, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.session.events import subject_events as subject
from curtain.session.study.ids import LAST_TURN, utterance_id
from subject_app.session.journal_writer import JournalWriter
from subject_app.session.spool import SpoolFolder
from subject_app.talk.hold import Stamp

if TYPE_CHECKING:
    from pathlib import Path

    from curtain.audio.recorder import Recorder
    from curtain.audio.takes import SavedTake
    from curtain.session.events.subject_events import Channel

log = logging.getLogger(__name__)

SHORTEST_MS = 200
MOST_UNWRITTEN_S = 600.0  # ten minutes of 16 kHz speech are 19 MB of memory

Withdrawn = Literal["cancelled", "too_short", "no_sound"]


FULL = subject.TakeCancelled(reason="disk_full")


@dataclass(frozen=True)
class _Open:
    turn: int
    pressed: Stamp
    recorder: Recorder | None
    second: Recorder | None = None
    wide: bool = False


class Takes(QObject):
    """`begun(turn)`, then `released(turn)` or `withdrawn(turn)`; `saved(turn, utterance_id, sha256)` comes later.

    `channel_saved(recording, sha256)`: another recording of a turn is on disk.
    `soundless(turn)` comes before it where the microphone gave digital silence.
    """

    begun = Signal(int)
    released = Signal(int)
    withdrawn = Signal(int)
    saved = Signal(int, str, str)
    channel_saved = Signal(str, str)
    soundless = Signal(int)
    refused = Signal(object)

    def __init__(self, folder: SpoolFolder, keeper: JournalWriter, background: Background, last_turn: int) -> None:
        super().__init__()
        self.last_turn = last_turn
        self.refused_for_now = False
        """The last press found neither disk nor memory for what would be said."""
        self.tapped = False
        """The last press was too short to say anything."""
        self._folder = folder
        self._keeper = keeper
        self._background = background
        self._open: _Open | None = None
        self._saving: dict[tuple[int, Channel | None], tuple[str, Future[SavedTake]]] = {}

    @property
    def open_turn(self) -> int:
        """The turn being spoken now, or 0."""
        return self._open.turn if self._open else 0

    @property
    def settled(self) -> bool:
        """Nothing is being said, and nothing waits to be saved."""
        return self._open is None and not self._saving

    def press(
        self, stamp: Stamp, source: Literal["key", "button"], recorder: Recorder | None,
        second: Recorder | None = None, wide: bool = False,
    ) -> None:  # fmt: skip
        """The key went down. Sound first: the recorder marks the take before anything is written.

        `second` records to a file of its own. `wide`: what `recorder` gives is kept, and the take is made from it.
        """
        # 999 turns are what the ids of a session can hold.
        if self._open is not None or self.last_turn >= LAST_TURN:
            return
        self.tapped = False
        self.refused_for_now = recorder is not None and recorder.unwritten_s >= MOST_UNWRITTEN_S
        if self.refused_for_now:
            return
        turn = self.last_turn + 1
        # The recorder before the journal: a disk that is slow must not cost sound.
        recording = self._begin(recorder, turn, stamp, "wide" if wide else None)
        beside = self._begin(second, turn, stamp, "second") if recording is not None else None
        self.last_turn = turn
        self._open = _Open(turn, stamp, recording, beside, wide)
        self._keeper.record(subject.KeyDown(source=source, pressed_ns=stamp.ns, error_ns=stamp.error_ns), turn)
        self.begun.emit(turn)

    def release(self, stamp: Stamp, ended_by: subject.EndedBy = "key") -> None:
        """The key came up, or something else ended the hold."""
        # A hold that found neither disk nor memory began no turn.
        if self._open is None:
            return
        spoken, self._open = self._open, None
        held_ms = (stamp.ns - spoken.pressed.ns) // 1_000_000
        self._keeper.record(subject.KeyUp(released_ns=stamp.ns, held_ms=held_ms, ended_by=ended_by), spoken.turn)
        # The turn stays, without sound: its number was used.
        if spoken.recorder is None:
            self._withdraw(spoken, "no_sound")
        elif held_ms < SHORTEST_MS:
            self.tapped = True
            self._withdraw(spoken, "too_short")
        else:
            self._save(spoken, spoken.recorder, stamp)

    def enter(self, typed: subject.TurnTyped) -> int:
        """A question was typed in place of being spoken; the number of its turn, or 0 where none can begin now."""
        if self._open is not None or self.last_turn >= LAST_TURN:
            return 0
        self.last_turn += 1
        self.tapped = False
        self._keeper.record(typed, self.last_turn)
        self.released.emit(self.last_turn)
        return self.last_turn

    def cancel(self) -> None:
        """The subject takes the open question back."""
        if self._open is not None:
            spoken, self._open = self._open, None
            self._withdraw(spoken, "cancelled")

    def finish(self, stamp: Stamp) -> None:
        """The station ends: what is being said now is kept as far as it goes. Then close the recorder."""
        self.release(stamp, "station_closed")

    def write_the_rest(self) -> None:
        """After the recorder is closed: journal what the window has no time left for."""
        for (turn, channel), (microphone, future) in list(self._saving.items()):
            # What is not done now is repaired from the disk at the next start.
            if future.done():
                facts = self._facts_of(turn, channel, microphone, future)
                for fact in facts:
                    self._keeper.record_at_the_end(fact, turn)
                if any(fact == FULL or (isinstance(fact, subject.TakeSaved) and fact.disk_full) for fact in facts):
                    sentence = f"The disk is full: of turn {turn}, only what the disk took could be kept."
                    self.refused.emit(CurtainError(sentence))
        self._saving.clear()

    def _path(self, turn: int, channel: Channel | None) -> Path:
        return self._folder.audio / (channel or "") / f"{utterance_id(self._folder.session_id, turn)}.wav"

    def _begin(self, recorder: Recorder | None, turn: int, stamp: Stamp, channel: Channel | None) -> Recorder | None:
        if recorder is None:
            return None
        path = self._path(turn, channel)
        try:
            recorder.begin(path, stamp.stream)
        except CurtainError as error:
            self.refused.emit(error)
            return None
        return recorder

    def _withdraw(self, spoken: _Open, reason: Withdrawn) -> None:
        for recorder in filter(None, (spoken.recorder, spoken.second)):
            recorder.cancel()
        self._keeper.record(subject.TakeCancelled(reason=reason), spoken.turn)
        self.withdrawn.emit(spoken.turn)

    def _save(self, spoken: _Open, recorder: Recorder, stamp: Stamp) -> None:
        future = recorder.end(stamp.stream)
        if spoken.wide:
            self._await(spoken.turn, "wide", recorder, future)
            future = recorder.narrow(future, self._path(spoken.turn, None))
        self._await(spoken.turn, None, recorder, future)
        if spoken.second is not None:
            self._await(spoken.turn, "second", spoken.second, spoken.second.end(stamp.stream))
        self.released.emit(spoken.turn)

    def _await(self, turn: int, channel: Channel | None, recorder: Recorder, future: Future[SavedTake]) -> None:
        self._saving[turn, channel] = (recorder.microphone, future)
        self._background.when_done(future, lambda done: self._on_saved(turn, channel))

    def _on_saved(self, turn: int, channel: Channel | None) -> None:
        microphone, future = self._saving.pop((turn, channel))
        # Something was saved, so there is room again.
        self.refused_for_now = False
        for fact in self._facts_of(turn, channel, microphone, future):
            self._keeper.record(fact, turn)
            if isinstance(fact, subject.ChannelSaved):
                self.channel_saved.emit(fact.recording, fact.sha256)
            elif isinstance(fact, subject.TakeSaved):
                if subject.is_soundless(fact.peak_dbfs):
                    self.soundless.emit(turn)
                self.saved.emit(turn, fact.utterance_id, fact.sha256)
            else:
                self.withdrawn.emit(turn)

    def _facts_of(
        self, turn: int, channel: Channel | None, microphone: str, future: Future[SavedTake]
    ) -> list[subject.SubjectFact]:
        """What is to be journaled; nothing if the sound is in memory only, which is not safe."""
        try:
            take = future.result()
        except CurtainError as error:
            self.refused.emit(error)
            # A take in the fallback folder is as good as any.
            rescued: SavedTake | None = getattr(error, "rescued", None)
            if rescued is None:
                return []
            take = rescued
        if channel is not None:
            return [self._fact_of(turn, microphone, take, channel)] if take.frames else []
        if take.frames == 0:
            return [FULL if take.disk_full else subject.TakeCancelled(reason="no_sound")]
        return [self._fact_of(turn, microphone, take)]

    def _fact_of(
        self, turn: int, microphone: str, take: SavedTake, channel: Channel | None = None
    ) -> subject.SubjectFact:
        names = {"utterance_id": utterance_id(self._folder.session_id, turn), "microphone": microphone}
        if channel is None:
            return msgspec.convert({**vars(take), **names}, subject.TakeSaved)
        return msgspec.convert({**vars(take), **names, "channel": channel}, subject.ChannelSaved)
