"""A take while it is being made: cut out of the line by time, on disk and in memory at once."""

from __future__ import annotations

import errno
import logging
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.audio import levels
from curtain.audio.disk import Disk
from curtain.audio.takes import SavedTake, TakeExists, TakeWriter
from curtain.audio.timeline import Piece
from curtain.audio.wav import Format
from curtain.errors import CurtainError

log = logging.getLogger(__name__)

PRE_ROLL_S = 0.3
TAIL_S = 0.3


class TakeNotOnDisk(CurtainError):
    """A take could not be kept where it belongs.

    `rescued` is the take in the fallback folder, None if that failed too; `samples` is all of its sound.
    """

    def __init__(self, path: Path, cause: Exception, rescued: SavedTake | None, samples: NDArray[np.int16]) -> None:
        kept = f"It was kept as “{rescued.path}”." if rescued else "It is still in memory: do not close Curtain."
        super().__init__(f"The recording “{path.name}” cannot be saved in “{path.parent}” ({_why(cause)}). {kept}")
        self.path = path
        self.rescued = rescued
        self.samples = samples


class DiskTrouble(CurtainError):
    """Told at once, while the take goes on in memory."""

    def __init__(self, path: Path, cause: Exception) -> None:
        super().__init__(
            f"The recording “{path.name}” cannot be written to “{path.parent}” ({_why(cause)}). "
            "It goes on in memory; make room on the disk before the next one."
        )
        self.path = path


def _why(cause: Exception) -> str:
    if isinstance(cause, OSError):
        full = cause.errno in (errno.ENOSPC, errno.EDQUOT)
        return "the disk is full" if full else cause.strerror or "the disk reports an error"
    return "a recording of that name exists" if isinstance(cause, TakeExists) else str(cause)


@dataclass(frozen=True)
class Place:
    """Where a take goes, in which format, and where else if that fails."""

    path: Path
    form: Format
    disk: Disk
    fallback: Path | None = None


class OpenTake:
    """Takes in pieces until its tail is complete. Used by the recorder's writer thread alone."""

    def __init__(self, place: Place, pressed_at: float) -> None:
        self.saved: Future[SavedTake] = Future()
        self.saved.set_running_or_notify_cancel()
        self.trouble: Exception | None = None
        self.frames = 0
        self._place = place
        self._rate = place.form.sample_rate
        self.path = place.path
        self._pressed_at = pressed_at
        self._released_at: float | None = None
        self._first_at = pressed_at - PRE_ROLL_S
        self._heard_until = float("-inf")
        self._kept: list[NDArray[np.int16]] = []
        self._gaps: list[tuple[int, int]] = []
        self._writer: TakeWriter | None = None
        self._finished: Path | None = None

    def start(self) -> None:
        """Make the file. Trouble with it is kept in `trouble`; the take goes on in memory."""
        try:
            self._writer = TakeWriter(self._place.path, self._place.form, self._place.disk)
        except (OSError, TakeExists) as error:
            self._note_trouble(error)

    def add(self, piece: Piece) -> tuple[int, int] | None:
        """Keep what of the piece belongs to the take; a gap in it is told as (frame, missing frames)."""
        wanted = self._cut(piece)
        self._heard_until = piece.at + len(piece.samples) / self._rate
        if len(wanted) == 0:
            return None
        gap = self._note_gap(piece, len(wanted))
        self._keep(wanted)
        return gap

    def release(self, released_at: float) -> None:
        """The key came up; what was kept beyond the tail goes."""
        self._released_at = released_at
        excess = int((self._heard_until - self._ends_at) * self._rate + 0.5)
        if excess > 0 and self.frames:
            self._shorten(max(0, self.frames - excess))

    @property
    def complete(self) -> bool:
        """Whether capture time has passed the tail."""
        return self._heard_until >= self._ends_at - 0.5 / self._rate

    def finish(self, lost: bool) -> None:
        """Close the file and resolve `saved`. `lost`: no more will come, whatever is missing."""
        try:
            self.saved.set_result(self._close(lost))
        except TakeNotOnDisk as error:
            self.saved.set_exception(error)

    def withdraw(self) -> None:
        """The speaker withdrew it: nothing stays on disk, not even if the microphone went and it was saved."""
        if self._writer is not None:
            self._writer.withdraw()
        if self._finished is not None:
            self._finished.unlink(missing_ok=True)
        self._kept.clear()

    @property
    def samples(self) -> NDArray[np.int16]:
        """All that was kept, shape (frames, channels)."""
        nothing = np.zeros((0, self._place.form.channels), np.int16)
        return np.concatenate([nothing, *self._kept])

    @property
    def _ends_at(self) -> float:
        return float("inf") if self._released_at is None else self._released_at + TAIL_S

    def _cut(self, piece: Piece) -> NDArray[np.int16]:
        first = 0 if self.frames else piece.frame_at(self._first_at, self._rate)
        wanted = piece.samples[first : self._last_frame(piece)]
        if len(wanted) and not self.frames:
            self._first_at = piece.at + first / self._rate
        return wanted

    def _last_frame(self, piece: Piece) -> int:
        if self._released_at is None:
            return len(piece.samples)
        return 0 if self.complete else piece.frame_at(self._ends_at, self._rate)

    def _note_gap(self, piece: Piece, frames: int) -> tuple[int, int] | None:
        if not (piece.missing or piece.flagged):
            return None
        gap = (self.frames, frames if piece.missing else 0)
        self._gaps.append(gap)
        return gap

    def _keep(self, samples: NDArray[np.int16]) -> None:
        self._kept.append(samples)
        self.frames += len(samples)
        if self._writer is not None and self.trouble is None:
            try:
                self._writer.write(samples)
            except OSError as error:
                self._note_trouble(error)

    def _shorten(self, frames: int) -> None:
        self._kept = [self.samples[:frames]]
        self.frames = frames
        self._gaps = [(at, min(missing, frames - at)) for at, missing in self._gaps if at < frames]
        if self._writer is not None and self.trouble is None:
            try:
                self._writer.cut(frames)
            except OSError as error:
                self._note_trouble(error)

    def _note_trouble(self, error: Exception) -> None:
        # After a failed write or sync the file is suspect: it is never written again, the memory counts.
        log.warning("take %s: %s", self._place.path.name, error)
        self.trouble = error

    def _close(self, lost: bool) -> SavedTake:
        if self._writer is not None and self.trouble is None:
            try:
                return self._describe(self._place.path, self._writer.close(), lost)
            except (OSError, TakeExists) as error:
                self._note_trouble(error)
        assert self.trouble is not None
        if self._writer is not None:
            self._writer.abandon()
        raise TakeNotOnDisk(self._place.path, self.trouble, self._rescue(lost), self.samples) from self.trouble

    def _rescue(self, lost: bool) -> SavedTake | None:
        if self._place.fallback is None:
            return None
        try:
            return self._write_whole(self._place.fallback / self._place.path.name, lost)
        except (OSError, TakeExists) as error:
            log.warning("take %s: the fallback folder failed too: %s", self._place.path.name, error)
            return None

    def _write_whole(self, path: Path, lost: bool) -> SavedTake:
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = TakeWriter(path, self._place.form, self._place.disk)
        try:
            writer.write(self.samples)
            return self._describe(path, writer.close(), lost)
        finally:
            writer.abandon()

    def _describe(self, path: Path, digest: str, lost: bool) -> SavedTake:
        self._finished = path
        samples = self.samples
        take = SavedTake(
            path=path,
            frames=self.frames,
            sample_rate=self._rate,
            sha256=digest,
            peak_dbfs=levels.peak_dbfs(levels.peak(samples)),
            clipped=levels.clipped(samples),
            gaps=tuple(self._gaps),
            key_down_frame=self._frame_of(self._pressed_at),
            key_up_frame=self.frames,
            lost=lost,
            channels=self._place.form.channels,
        )
        if self._released_at is None:
            return take
        return replace(take, key_up_frame=self._frame_of(self._released_at))

    def _frame_of(self, time: float) -> int:
        frame = int((time - self._first_at) * self._rate + 0.5)
        return max(0, min(self.frames, frame))
