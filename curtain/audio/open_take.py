"""A take while it is being made: cut out of the line by time, on disk and in memory at once."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.audio import levels
from curtain.audio.disk import RecordingDisk
from curtain.audio.takes import SavedTake, TakeExists, TakeWriter
from curtain.audio.timeline import SampleStretch
from curtain.audio.wav import WavFormat
from curtain.base.disk import is_full
from curtain.base.errors import CurtainError

log = logging.getLogger(__name__)

# People begin to speak before the key is all the way down.
PRE_ROLL_S = 0.3
# And they let go before the last sound has died away.
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


class DiskProblem(CurtainError):
    """Reported at once, while the take goes on in memory."""

    def __init__(self, path: Path, cause: Exception) -> None:
        super().__init__(
            f"The recording “{path.name}” cannot be written to “{path.parent}” ({_why(cause)}). "
            "It waits in memory until the disk takes it; make room, and do not close Curtain."
        )
        self.path = path


def _why(cause: Exception) -> str:
    if isinstance(cause, OSError):
        return "the disk is full" if is_full(cause) else cause.strerror or "the disk reports an error"
    # By name, since TakeExists is no OSError and has no strerror.
    return "a recording of that name exists" if isinstance(cause, TakeExists) else str(cause)


def _no_room(error: OSError) -> bool:
    return False


@dataclass(frozen=True)
class Place:
    """Where a take goes, in which format, and where else if that fails.

    `make_room(problem)` is asked when a write fails: whether there is room now and the write is worth repeating.
    """

    path: Path
    form: WavFormat
    disk: RecordingDisk
    fallback: Path | None = None
    make_room: Callable[[OSError], bool] = _no_room


class OpenTake:
    """Takes in pieces until its tail is complete. Used by the recorder's writer thread alone."""

    def __init__(self, place: Place, pressed_at: float) -> None:
        self.saved: Future[SavedTake] = Future()
        # Never cancelled from now on: whoever waits for it gets the take or the problem.
        self.saved.set_running_or_notify_cancel()
        self.error: Exception | None = None
        self.delay: OSError | None = None
        self.frames = 0
        self._place = place
        self._rate = place.form.sample_rate
        self.path = place.path
        self._pressed_at = pressed_at
        self._released_at: float | None = None
        self._first_at = pressed_at - PRE_ROLL_S
        self._heard_until = float("-inf")
        self._kept: list[NDArray[np.int16]] = []
        self._unwritten: list[NDArray[np.int16]] = []
        self._next_try = 0
        self._gaps: list[tuple[int, int]] = []
        self._writer: TakeWriter | None = None
        self._finished: Path | None = None

    @property
    def blocked_by(self) -> Exception | None:
        """What keeps the sound in memory: a file that is suspect (`error`) or a disk that is full (`delay`)."""
        return self.error or self.delay

    @property
    def unwritten_s(self) -> float:
        """Seconds of sound that are in memory alone."""
        # A suspect file counts for nothing: then all of the take is in memory alone.
        frames = self.frames if self.error else sum(map(len, self._unwritten))
        return frames / self._rate

    def add(self, piece: SampleStretch) -> tuple[int, int] | None:
        """Keep what of the piece belongs to the take; a gap in it is reported as (frame, missing frames)."""
        wanted = self._cut(piece)
        self._heard_until = piece.at + len(piece.samples) / self._rate
        if len(wanted) == 0:
            return None
        gap = self._note_gap(piece, len(wanted))
        self._keep(wanted)
        return gap

    def foreshadow(self, held: Sequence[NDArray[np.int16]]) -> None:
        """Put samples whose place is not certain yet into the file alone, so that they outlive this process."""
        if self._writer is None or self.blocked_by is not None or not self.frames:
            return
        try:
            self._writer.foreshadow(np.concatenate(held))
        except OSError as error:
            # They are still in memory: `add` writes them at the same place, and deals with a disk that fails again.
            log.warning("take %s: samples in doubt wait in memory: %s", self._place.path.name, error)

    def release(self, released_at: float) -> None:
        """The key came up; what was kept beyond the tail goes."""
        self._released_at = released_at
        # The tail is cut by capture time: blocks that were already here may reach beyond it.
        excess = int((self._heard_until - self._ends_at) * self._rate + 0.5)
        if excess > 0 and self.frames:
            self._shorten(max(0, self.frames - excess))

    @property
    def complete(self) -> bool:
        """Whether capture time has passed the tail."""
        # Half a frame of tolerance: rounding must not make the take wait for one more block.
        return self._heard_until >= self._ends_at - 0.5 / self._rate

    def finish(self, lost: bool) -> bool:
        """Close the file and resolve `saved`. `lost`: no more will come, whatever is missing.

        False if the disk takes nothing now: the take stays in memory, and this is to be called again.
        """
        try:
            take = self._close(lost)
        except TakeNotOnDisk as error:
            self.saved.set_exception(error)
            return True
        if take is not None:
            self.saved.set_result(take)
        return take is not None

    def give_up(self, lost: bool) -> None:
        """The last try: what the disk does not take now is lost, and `saved` says so."""
        if self.finish(lost):
            return
        try:
            self.saved.set_result(self._cut_to_disk(lost))
        except TakeNotOnDisk as error:
            self.saved.set_exception(error)
        except (OSError, TakeExists) as error:
            self.saved.set_exception(self._not_on_disk(error, None))

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
    def newest(self) -> NDArray[np.int16]:
        """What the last `add` kept, shape (frames, channels)."""
        return self._kept[-1]

    @property
    def _ends_at(self) -> float:
        return float("inf") if self._released_at is None else self._released_at + TAIL_S

    def _cut(self, piece: SampleStretch) -> NDArray[np.int16]:
        first = 0 if self.frames else piece.frame_at(self._first_at, self._rate)
        wanted = piece.samples[first : self._last_frame(piece)]
        if len(wanted) and not self.frames:
            # The pre-roll may be shorter than wanted, if the stream is younger: the take begins where the sound does.
            self._first_at = piece.at + first / self._rate
        return wanted

    def _last_frame(self, piece: SampleStretch) -> int:
        if self._released_at is None:
            return len(piece.samples)
        return 0 if self.complete else piece.frame_at(self._ends_at, self._rate)

    def _note_gap(self, piece: SampleStretch, frames: int) -> tuple[int, int] | None:
        if not (piece.missing or piece.flagged):
            return None
        # 0 missing frames: a loss of unknown size.
        gap = (self.frames, frames if piece.missing else 0)
        self._gaps.append(gap)
        return gap

    def _keep(self, samples: NDArray[np.int16]) -> None:
        self._kept.append(samples)
        self._unwritten.append(samples)
        self.frames += len(samples)
        # A full disk is asked again after each second of sound; the wait costs nothing but memory.
        if self.delay is None or self.frames >= self._next_try:
            self.catch_up()

    def catch_up(self) -> None:
        """Make the file, and write what it does not hold yet. An error of it is kept in `error` or `delay`; the take
        goes on in memory."""
        while self.error is None:
            try:
                self._write_missing()
            except TakeExists as error:
                self._note_error(error)
            except OSError as error:
                if not self._may_go_on(error):
                    return
            else:
                self.delay = None
                return

    def _write_missing(self) -> None:
        if self._writer is None:
            self._writer = TakeWriter(self._place.path, self._place.form, self._place.disk)
        if self._unwritten:
            self._writer.write(np.concatenate(self._unwritten))
            self._unwritten = []

    def _may_go_on(self, error: OSError) -> bool:
        """Whether the same write is to be repeated at once, after one that failed."""
        if not is_full(error) or (self._writer is not None and self._writer.suspect):
            self._note_error(error)
            return False
        if self.delay is None:
            log.warning("take %s waits in memory: %s", self._place.path.name, error)
        self.delay = error
        # One second of sound later.
        self._next_try = self.frames + self._rate
        return self._place.make_room(error)

    def _shorten(self, frames: int) -> None:
        self._kept = [self.samples[:frames]]
        self.frames = frames
        self._gaps = [(at, min(missing, frames - at)) for at, missing in self._gaps if at < frames]
        written = self._writer.frames if self._writer is not None else 0
        self._unwritten = [self._kept[0][written:]] if written < frames else []
        if self._writer is not None and self.error is None and written > frames:
            try:
                self._writer.cut(frames)
            except OSError as error:
                self._note_error(error)

    def _note_error(self, error: Exception) -> None:
        # After a failed write or sync the file is suspect: it is never written again, the memory counts.
        log.warning("take %s: %s", self._place.path.name, error)
        self.error = error

    def _close(self, lost: bool) -> SavedTake | None:
        """The take on disk; None if the disk takes nothing now. Raises TakeNotOnDisk."""
        self.catch_up()
        if self.error is None and self.delay is not None:
            return None
        if self._writer is not None and self.error is None:
            try:
                return self._describe(self._place.path, self._writer.close(), lost)
            # The close failed and the sound is still in memory: it can go to the fallback folder.
            except (OSError, TakeExists) as error:
                self._note_error(error)
        assert self.error is not None
        if self._writer is not None:
            # The `.part` stays for a person to look at; nothing is written to it again.
            self._writer.abandon()
        self._rescue(self.error, lost)
        return None

    def _rescue(self, cause: Exception, lost: bool) -> None:
        """Write the take whole into the fallback folder; a disk that does not take it there either may later.

        Raises TakeNotOnDisk in every other case, also when it went well.
        """
        if self._place.fallback is None:
            raise self._not_on_disk(cause, None)
        try:
            rescued = self._write_whole(self._place.fallback / self._place.path.name, lost)
        except TakeExists:
            raise self._not_on_disk(cause, None) from cause
        except OSError as error:
            if self._place.make_room(error):
                # Again at once: room was made.
                self._rescue(cause, lost)
            log.warning("take %s: the fallback folder failed too: %s", self._place.path.name, error)
            return
        raise self._not_on_disk(cause, rescued) from cause

    def _not_on_disk(self, cause: Exception, rescued: SavedTake | None) -> TakeNotOnDisk:
        problem = TakeNotOnDisk(self._place.path, cause, rescued, self.samples)
        # Set by hand, since it is given to a future and never passes a `raise ... from`.
        problem.__cause__ = cause
        return problem

    def _write_whole(self, path: Path, lost: bool) -> SavedTake:
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = TakeWriter(path, self._place.form, self._place.disk)
        try:
            writer.write(self.samples)
            return self._describe(path, writer.close(), lost)
        except OSError:
            # Half a copy would stand in the way of the next try.
            writer.withdraw()
            raise

    def _cut_to_disk(self, lost: bool) -> SavedTake:
        """The beginning that the disk took becomes the take; without any, `frames` is 0 and there is no file."""
        if self.error is not None:
            raise self._not_on_disk(self.error, None)
        digest = ""
        written = self._writer.frames if self._writer is not None else 0
        if self._writer is not None and written:
            digest = self._writer.close()
        elif self._writer is not None:
            self._writer.withdraw()
        self._shorten(written)
        self._unwritten = []
        return replace(self._describe(self._place.path, digest, lost), disk_full=True)

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
            # Without a release, as when the microphone went, the key counts as down to the end.
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
