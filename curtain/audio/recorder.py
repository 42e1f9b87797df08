"""Push-to-talk: takes are cut, by capture time, out of a stream that stays open for the whole session."""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.audio import levels
from curtain.audio.disk import RecordingDisk
from curtain.audio.open_take import DiskProblem, OpenTake, Place
from curtain.audio.sources import AudioSource
from curtain.audio.takes import SavedTake, narrow_into
from curtain.audio.timeline import Block, SampleLine, SampleStretch
from curtain.audio.wav import WavFormat
from curtain.base.errors import CurtainError

log = logging.getLogger(__name__)

RING_S = 3.0  # pre-roll, and time for a key press to reach us through a busy window
# Beyond a minute the writer is stuck; memory must stay bounded.
QUEUE_S = 60.0
WATCH_EVERY_S = 0.1
# Fifteen blocks of 20 ms.
STALLED_S = 0.3
# A loaded machine or a sleeping sound server comes back before this; an unplugged device does not.
GONE_S = 3.0
AGAIN_S = 1.0  # how often a full disk is asked again
FIRST_BLOCK_S = 10.0  # some sound servers sleep, and wake up slowly


class RecorderListener:
    """What the recorder reports, from its own thread. Override what you need; return quickly."""

    def on_first_block(self) -> None:
        """Sound arrives: the microphone works."""

    def on_level(self, dbfs: float, clipped: int) -> None:
        """The level of each block (about 50 a second), and how many of its samples are at full scale."""

    def on_take_sound(self, take: Path, frame: int, samples: NDArray[np.int16]) -> None:
        """More of a take: samples of shape (frames, channels) from this frame on. What comes after the release and
        its tail is reported too, and cut from the take later."""

    def on_gap(self, frame: int, missing: int) -> None:
        """The device lost samples at this frame of the open take; 0 missing: how many is unknown."""

    def on_stalled(self, seconds: float) -> None:
        """No sound has come for this long. It may come yet: nothing is lost so far."""

    def on_resumed(self) -> None:
        """Sound comes again."""

    def on_lost(self, reason: str) -> None:
        """The microphone is gone. Open takes have been closed with what had come."""

    def on_disk_problem(self, error: DiskProblem) -> None:
        """A take cannot be written; it waits in memory until it can."""

    def make_room(self, error: OSError) -> bool:
        """A write failed: whether there is room now, so that it is worth repeating at once."""
        return False


class Recorder:
    """Keeps the stream of `source` open and cuts takes out of it.

    The source's thread only puts blocks into a queue; one writer thread owns everything else. Where the
    disk fails, a take goes on in memory and at its end is written to `fallback`, if there is one. What the disk
    does not take waits in memory and is tried again every second until the recorder is closed.
    """

    def __init__(
        self,
        source: AudioSource,
        listener: RecorderListener,
        fallback: Path | None = None,
        disk: RecordingDisk | None = None,
    ) -> None:
        self._source = source
        self._listener = listener
        self._fallback = fallback
        self._disk = disk or RecordingDisk()
        self._current: OpenTake | None = None
        self._writer: _Writer | None = None

    @property
    def microphone(self) -> str:
        """The name of the device in use."""
        return self._source.name

    @property
    def sample_rate(self) -> int:
        """As obtained, once the stream is open."""
        return self._source.sample_rate

    @property
    def unwritten_s(self) -> float:
        """Seconds of sound that are in memory alone, since the disk does not take them."""
        return self._writer.unwritten_s if self._writer is not None else 0.0

    @property
    def processing(self) -> Mapping[str, str]:
        """What the microphone reports of its processing of the sound."""
        return self._source.processing

    def time(self) -> float:
        """Now, on the clock in which keys are stamped and blocks are dated."""
        return self._source.time()

    def open(self) -> None:
        """Open the stream, for the whole session. Raises what the source's `start` raises."""
        if self._writer is not None:
            raise RuntimeError("the recorder is open already")
        writer = _Writer(self._source, self._listener)
        # Before the thread: if the source does not open, there is nothing to clean up.
        self._source.start(writer.hear, writer.lose)
        self._writer = writer
        writer.start()

    def begin(self, path: Path, pressed_at: float) -> None:
        """The key went down at `pressed_at`: the take will be `path`, growing as `<path>.part`.

        Raises CurtainError: the microphone is lost. Problem with the disk goes to `on_disk_problem` and to the end.
        """
        if self._current is not None:
            raise RuntimeError("a take is open already")
        writer = self._opened()
        if writer.lost:
            raise CurtainError(
                f"The microphone “{self._source.name}” is no longer there. Connect it, then choose it again."
            )
        form = WavFormat(self._source.sample_rate, self._source.channels)
        place = Place(path, form, self._disk, self._fallback, self._listener.make_room)
        self._current = OpenTake(place, pressed_at)
        # The writer makes the file: this thread may be the window's and must not wait for a disk.
        writer.begin(self._current)

    def end(self, released_at: float) -> Future[SavedTake]:
        """The key came up at `released_at`. The future is resolved when the tail has come and all is fsynced.

        It raises `TakeNotOnDisk` if the disk failed. While the disk is full it is not resolved; closing the recorder
        then gives what the disk took, with `disk_full`.
        """
        take = self._take_current()
        self._opened().end(take, released_at)
        return take.saved

    def narrow(self, wide: Future[SavedTake], path: Path) -> Future[SavedTake]:
        """The same take in one channel at 16 kHz in `path`, once `wide` is there. The future raises CurtainError.

        It is not resolved while the disk is full: the next start makes the take.
        """
        made: Future[SavedTake] = Future()
        made.set_running_or_notify_cancel()
        writer = self._opened()
        wide.add_done_callback(lambda _: writer.narrow(partial(narrow_into, made, wide, path)))
        return made

    def cancel(self) -> None:
        """The speaker withdraws the open take, or it was no speech: its sound does not stay on disk."""
        self._opened().withdraw(self._take_current())

    def close(self) -> None:
        """Close the stream. A take still open is saved with what has come; what waited is tried a last time."""
        writer, self._writer, self._current = self._writer, None, None
        if writer is not None:
            # The source first: what it still delivers while it stops belongs to the open take.
            self._source.stop()
            writer.stop()

    def _opened(self) -> _Writer:
        if self._writer is None:
            raise RuntimeError("the recorder is not open")
        return self._writer

    def _take_current(self) -> OpenTake:
        if self._current is None:
            raise RuntimeError("no take is open")
        take, self._current = self._current, None
        return take


class _Writer:
    """The writer thread and what it owns. What stands before `start` may be called from any thread,
    and is done by the writer in its order."""

    def __init__(self, source: AudioSource, listener: RecorderListener) -> None:
        self.lost = False
        self._source = source
        self._listener = listener
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        # A daemon: a hanging disk must not keep the process alive.
        self._thread = threading.Thread(target=self._run, name="take writer", daemon=True)
        self._last_arrival: float | None = None
        self._opened_at = source.time()
        self._stalled_at: float | None = None
        self._heard = self._stopped = False
        self._ring: deque[SampleStretch] = deque()
        self._takes: list[OpenTake] = []
        self._waiting: list[tuple[OpenTake, bool]] = []
        self._narrowing: list[Callable[[], bool]] = []
        self._again_at = 0.0
        self.unwritten_s = 0.0

    def hear(self, block: Block) -> None:
        # The audio thread: no work here. A block too many is dropped; its place shows as a gap.
        self._last_arrival = self._source.time()
        if self._inbox.qsize() * len(block.samples) <= QUEUE_S * self._source.sample_rate:
            self._inbox.put(partial(self._on_block, block))

    def lose(self, reason: str) -> None:
        self._inbox.put(partial(self._on_lost, reason))

    def begin(self, take: OpenTake) -> None:
        self._inbox.put(partial(self._on_begin, take))

    def end(self, take: OpenTake, released_at: float) -> None:
        self._inbox.put(partial(self._on_end, take, released_at))

    def withdraw(self, take: OpenTake) -> None:
        self._inbox.put(partial(self._on_withdraw, take))

    def narrow(self, attempt: Callable[[], bool]) -> None:
        self._inbox.put(partial(self._on_narrow, attempt))

    def start(self) -> None:
        # Only now is the rate known that was really obtained.
        self._timeline = SampleLine(self._source.sample_rate)
        self._thread.start()

    def stop(self) -> None:
        self._inbox.put(self._on_stop)
        self._thread.join()

    def _run(self) -> None:
        # What the stop itself has finished may have to be narrowed.
        while not self._stopped or not self._inbox.empty():
            try:
                work = self._inbox.get(timeout=WATCH_EVERY_S)
            except queue.Empty:
                work = self._watch
            self._safely(work)
            self._safely(self._try_again)

    def _safely(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:  # whatever a listener does, the next block is written
            log.exception("the take writer goes on after an error")

    def _on_block(self, block: Block) -> None:
        first, self._heard = not self._heard, True
        for piece in self._timeline.add(block):
            self._on_piece(piece)
        self._foreshadow()
        self._finish_complete()
        # After the takes: the listener may be slow, the sound may not.
        self._report_arrival(first)
        self._listener.on_level(levels.dbfs(block.samples), levels.clipped(block.samples))

    def _foreshadow(self) -> None:
        # A block out of step is judged after 250 ms: more than a killed station may lose.
        held = self._timeline.in_doubt
        if held:
            for take in self._takes:
                take.foreshadow(held)

    def _report_arrival(self, first: bool) -> None:
        if first:
            self._listener.on_first_block()
        # Once lost it stays lost: sound that comes after that is no news until somebody opens the stream anew.
        if self._stalled_at is not None and not self.lost:
            self._stalled_at = None
            self._listener.on_resumed()

    def _on_piece(self, piece: SampleStretch) -> None:
        self._ring.append(piece)
        # By capture time, so a pause of the callbacks does not empty it.
        while self._ring[0].at < piece.at - RING_S:
            self._ring.popleft()
        for take in self._takes:
            self._give(take, piece)

    def _give(self, take: OpenTake, piece: SampleStretch) -> None:
        fine_before, frame = take.blocked_by is None, take.frames
        gap = take.add(piece)
        if take.frames > frame:
            self._listener.on_take_sound(take.path, frame, take.newest)
        # Only the first problem of a take is news.
        if fine_before:
            self._report_problem(take)
        if gap is not None:
            self._listener.on_gap(*gap)

    def _on_begin(self, take: OpenTake) -> None:
        take.catch_up()
        self._report_problem(take)
        self._takes.append(take)
        # The pre-roll, and what came while the press was on its way to us.
        for piece in self._ring:
            self._give(take, piece)
        if self.lost:
            self._cut_short()

    def _on_end(self, take: OpenTake, released_at: float) -> None:
        take.release(released_at)
        self._finish_complete()

    def _on_narrow(self, attempt: Callable[[], bool]) -> None:
        if not attempt():
            self._narrowing.append(attempt)

    def _on_stop(self) -> None:
        self._stopped = True
        self._cut_short()
        waiting, self._waiting = self._waiting, []
        for take, lost in waiting:
            take.give_up(lost)

    def _on_withdraw(self, take: OpenTake) -> None:
        if take in self._takes:
            self._takes.remove(take)
        # A lost microphone may have finished the take before the speaker withdrew it.
        self._waiting = [one for one in self._waiting if one[0] is not take]
        take.withdraw()

    def _on_lost(self, reason: str) -> None:
        if self.lost:
            return
        self.lost = True
        log.warning("microphone lost: %s", reason)
        self._cut_short()
        self._listener.on_lost(reason)

    def _finish_complete(self) -> None:
        for take in [each for each in self._takes if each.complete]:
            self._finish(take, lost=False)

    def _cut_short(self) -> None:
        for piece in self._timeline.flush():
            self._on_piece(piece)
        self._finish_complete()
        # A copy: `_finish` takes them out of the list.
        for take in list(self._takes):
            self._finish(take, lost=True)

    def _finish(self, take: OpenTake, lost: bool) -> None:
        self._takes.remove(take)
        fine_before = take.blocked_by is None
        if not take.finish(lost):
            self._waiting.append((take, lost))
        if fine_before:
            self._report_problem(take)
        log.info("take %s: %d frames", take.path.name, take.frames)

    def _try_again(self) -> None:
        """Once a second what waits in memory is offered to the disk, the oldest first."""
        # Read by other threads: one plain number, replaced whole.
        self.unwritten_s = sum(take.unwritten_s for take in (*self._takes, *(one for one, _ in self._waiting)))
        now = self._source.time()
        if not (self._waiting or self._narrowing) or now < self._again_at:
            return
        self._again_at = now + AGAIN_S
        self._waiting = [(take, lost) for take, lost in self._waiting if not take.finish(lost)]
        self._narrowing = [attempt for attempt in self._narrowing if not attempt()]

    def _report_problem(self, take: OpenTake) -> None:
        if take.blocked_by is not None:
            self._listener.on_disk_problem(DiskProblem(take.path, take.blocked_by))

    def _watch(self) -> None:
        if self.lost or self._source.reports_loss:
            return
        if self._last_arrival is None:
            self._watch_start()
            return
        now = self._source.time()
        silent = now - self._last_arrival
        if silent > STALLED_S and self._stalled_at is None:
            self._stalled_at = now
            self._listener.on_stalled(silent)
        # Timed from when the stall was noticed: after a sleep of the computer the last block is always old.
        elif self._stalled_at is not None and now - self._stalled_at > GONE_S - STALLED_S:
            self._on_lost(f"No sound has come from the microphone “{self._source.name}” for {silent:.0f} s.")

    def _watch_start(self) -> None:
        if self._source.time() - self._opened_at > FIRST_BLOCK_S:
            self._on_lost(f"The microphone “{self._source.name}” opened but gives no sound.")
