"""Takes on disk: a plain WAV that grows as `.part`, and the repair of parts that a crash left behind."""

import hashlib
import io
import logging
from collections.abc import Collection
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.audio import levels
from curtain.audio.disk import RecordingDisk
from curtain.audio.wav import HEADER_BYTES, SAMPLE_BYTES, WavFormat, header, mono_at, read_header, read_wav
from curtain.base.disk import is_full
from curtain.base.errors import CurtainError

log = logging.getLogger(__name__)

TAKE_RATE = 16_000  # what takes are compared on, whatever they were recorded with
SYNC_EVERY_S = 0.2  # at most 250 ms of a take are ever unsynced: this plus one block


class TakeExists(CurtainError):
    """A take would overwrite another."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"There is already a recording “{path.name}” in “{path.parent}”; it was left as it is.")
        self.path = path


@dataclass(frozen=True)
class SavedTake:
    """A take that is on disk under its final name, fsynced.

    `gaps` lists (frame, missing frames): where the device lost samples, silence of that length stands in the
    file; 0 missing means that the device reported a loss which cannot be measured. `lost` means that the
    microphone went away or recording was stopped before the tail was complete. `disk_full` means that the disk took
    only the beginning.
    """

    path: Path
    frames: int
    sample_rate: int
    sha256: str
    peak_dbfs: float
    clipped: int
    gaps: tuple[tuple[int, int], ...]
    key_down_frame: int
    key_up_frame: int
    lost: bool = False
    channels: int = 1
    disk_full: bool = False


@dataclass(frozen=True)
class RecoveredTake:
    """What a WAV of ours holds; the utterance id is the file's name without its ending."""

    utterance_id: str
    path: Path
    frames: int
    sample_rate: int
    sha256: str
    peak_dbfs: float
    clipped: int


def part_of(path: Path) -> Path:
    """The name under which a take grows."""
    return path.with_name(path.name + ".part")


class TakeWriter:
    """One growing take. Each `write` reaches the system at once, so that it outlives this process.

    The header always states the true length: any player reads the `.part`. Syncs run beside the writing: samples
    that waited for a slow one in memory would be lost with the process. Raises `TakeExists` instead of
    overwriting, and `OSError` as the disk does, that of a sync with the next call. A write that failed may be
    repeated, unless the file is `suspect`.
    """

    def __init__(self, path: Path, form: WavFormat, disk: RecordingDisk | None = None) -> None:
        self.path = path
        self.form = form
        self.frames = 0
        self.suspect = False
        """After a failed sync nobody knows what the file holds: it must not be written again."""
        self._disk = disk or RecordingDisk()
        self._unsynced = 0
        # How far the file reaches: beyond `frames` where samples in doubt were written.
        self._reach = 0
        self._file = self._create()
        try:
            self._write_header(0)
        except OSError:
            # Nothing was said into it yet, and its name must be free for the next try.
            self._file.close()
            part_of(path).unlink(missing_ok=True)
            raise
        self._syncing: Future[None] | None = self._disk.soon(self._sync_new)

    def _create(self) -> io.FileIO:
        if self.path.exists():
            raise TakeExists(self.path)
        try:
            return self._disk.create(part_of(self.path))
        except FileExistsError as error:
            raise TakeExists(part_of(self.path)) from error

    def write(self, samples: NDArray[np.int16]) -> None:
        """Append samples of shape (frames, channels)."""
        if self._syncing is not None and self._syncing.done():
            self._await_sync()
        self._put(samples)
        # Counted only with its header: a write that failed half-way is repeated at the same place.
        self.frames += len(samples)
        self._unsynced += len(samples)
        if self._unsynced >= SYNC_EVERY_S * self.form.sample_rate and self._syncing is None:
            self._unsynced = 0
            self._syncing = self._disk.soon(self._sync)

    def foreshadow(self, samples: NDArray[np.int16]) -> None:
        """Put samples of shape (frames, channels) behind the take whose place in it is not certain yet.

        They outlive this process, but are not counted in `frames`: the next `write` goes over them, and `close` cuts
        what is left of them.
        """
        # Before it is tried: a write that fails half-way lengthens the file too.
        self._reach = max(self._reach, self.frames + len(samples))
        self._put(samples)

    def _put(self, samples: NDArray[np.int16]) -> None:
        data = samples.astype("<i2", copy=False).tobytes()
        # Samples before the header: until the header counts them they are no part of the take.
        self._disk.write_at(self._file, HEADER_BYTES + self.frames * self.form.frame_bytes, data)
        self._write_header(self.frames + len(samples))

    def cut(self, frames: int) -> None:
        """Keep only the first `frames` frames."""
        self.frames = min(frames, self.frames)
        self._disk.truncate(self._file, HEADER_BYTES + self.frames * self.form.frame_bytes)
        self._reach = self.frames
        self._write_header(self.frames)

    def close(self) -> str:
        """Sync, give the final name, and return the file's SHA-256."""
        # The running sync first: its problem must come out here, not be lost.
        self._await_sync()
        if self._reach > self.frames:
            self.cut(self.frames)
        self._sync()
        digest = _sha256(self._file)
        self._file.close()
        # Looked at again, since `rename` would replace a file that appeared meanwhile.
        if self.path.exists():
            raise TakeExists(self.path)
        # Synced above, renamed here, the folder synced after: a final name always means a whole file.
        self._disk.rename(part_of(self.path), self.path)
        self._disk.sync_folder(self.path.parent)
        return digest

    def withdraw(self) -> None:
        """The speaker withdrew the take: nothing of it stays."""
        self.abandon()
        part_of(self.path).unlink(missing_ok=True)

    def _write_header(self, frames: int) -> None:
        self._disk.write_at(self._file, 0, header(self.form, frames))

    def _sync(self) -> None:
        try:
            self._disk.sync(self._file)
        except OSError:
            self.suspect = True
            raise

    def _sync_new(self) -> None:
        self._sync()
        self._disk.sync_folder(self.path.parent)

    def _await_sync(self) -> None:
        syncing, self._syncing = self._syncing, None
        if syncing is not None:
            syncing.result()

    def abandon(self) -> None:
        """Let go of the file and leave the `.part` as it is."""
        if self._syncing is not None:
            wait([self._syncing])  # its number may belong to another file as soon as this one is closed
        self._file.close()


def _sha256(file: io.FileIO) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()


def saved_take(wav: Path) -> SavedTake:
    """A finished WAV of ours of which nothing else is known. Raises as `describe_take`."""
    take = describe_take(wav)
    return SavedTake(wav, take.frames, take.sample_rate, take.sha256, take.peak_dbfs, take.clipped, (), 0, take.frames)


def narrowed(wide: SavedTake, path: Path, disk: RecordingDisk | None = None) -> SavedTake:
    """The same recording in one channel at 16 kHz, written to `path`. Raises `CurtainError`, `OSError`."""
    if not wide.frames:
        return replace(wide, path=path)
    samples = mono_at(read_wav(wide.path), TAKE_RATE)
    try:
        writer = TakeWriter(path, WavFormat(TAKE_RATE), disk)
        writer.write(samples)
        sha256 = writer.close()
    except OSError:
        # Nothing is lost with it: it is made again from the wide recording.
        part_of(path).unlink(missing_ok=True)
        raise

    def moved(frame: int) -> int:
        return min(frame * TAKE_RATE // wide.sample_rate, len(samples))

    return replace(
        wide,
        path=path,
        frames=len(samples),
        sample_rate=TAKE_RATE,
        sha256=sha256,
        peak_dbfs=levels.peak_dbfs(levels.peak(samples)),
        clipped=levels.clipped(samples),
        gaps=tuple((moved(at), moved(missing)) for at, missing in wide.gaps),
        key_down_frame=moved(wide.key_down_frame),
        key_up_frame=moved(wide.key_up_frame),
        channels=1,
    )


def narrow_into(made: Future[SavedTake], wide: Future[SavedTake], path: Path) -> bool:
    """Settle `made` with `narrowed`, or its CurtainError, once the wide recording is on disk. False if that is full."""
    try:
        made.set_result(narrowed(_kept(wide), path))
    except OSError as error:
        if is_full(error):
            return False
        made.set_exception(CurtainError(f"“{path}” cannot be written: {error.strerror}. Look at the disk."))
    except CurtainError as error:
        made.set_exception(error)
    return True


def _kept(wide: Future[SavedTake]) -> SavedTake:
    """The recording, or what of it lies in the fallback folder. Raises what the future raises."""
    try:
        return wide.result()
    except CurtainError as error:
        rescued: SavedTake | None = getattr(error, "rescued", None)
        if rescued is None:
            raise
        return rescued


def recover_takes(
    folder: Path, withdrawn: Collection[str] = (), disk: RecordingDisk | None = None
) -> list[RecoveredTake]:
    """Give every `.wav.part` that a crash left in `folder` a true header and its final name.

    It may be interrupted anywhere and run again, and needs no free space: no audio is moved. Utterances
    named in `withdrawn` are removed instead: the speaker cancelled them. A part that
    is not ours, or whose final name is taken, is left alone. Raises `OSError`.
    """
    repaired = []
    # Sorted, so that every start repairs them in the same order.
    for part in sorted(folder.glob("*.wav.part")):
        final = part.with_suffix("")
        if final.stem in withdrawn:
            # The crash came between the cancel in the journal and the removal of the file.
            part.unlink()
        elif _repaired(part, final, WavFormat(TAKE_RATE), disk or RecordingDisk()):
            repaired.append(describe_take(final))
    return repaired


def _repaired(part: Path, final: Path, assumed: WavFormat, disk: RecordingDisk) -> bool:
    with disk.open(part) as file:
        form = _format_of(file.read(HEADER_BYTES), assumed)
        if form is None or final.exists():
            log.warning("left alone: %s", part.name)
            return False
        _make_whole(file, form, disk)
    disk.rename(part, final)
    disk.sync_folder(final.parent)
    return True


def _format_of(start: bytes, assumed: WavFormat) -> WavFormat | None:
    form = read_header(start)
    # A file of zeros: the system had made it longer but its first bytes never came.
    never_written = len(start) < HEADER_BYTES or not any(start)
    return assumed if form is None and never_written else form


def _make_whole(file: io.FileIO, form: WavFormat, disk: RecordingDisk) -> None:
    data = max(0, file.seek(0, io.SEEK_END) - HEADER_BYTES)
    # A frame that was cut through is dropped.
    frames = data // form.frame_bytes
    # The header first: with it the file is readable at every moment of the repair.
    disk.write_at(file, 0, header(form, frames))
    disk.truncate(file, HEADER_BYTES + frames * form.frame_bytes)
    disk.sync(file)


def describe_take(wav: Path) -> RecoveredTake:
    """What a finished WAV of ours holds: for a take whose journal line was never written.

    Raises `OSError`, and `CurtainError` if it does not begin as our takes do.
    """
    data = wav.read_bytes()
    form = read_header(data)
    if form is None:
        raise CurtainError(f"The recording “{wav}” is damaged at its beginning; compare it with its copy.")
    usable = (len(data) - HEADER_BYTES) // form.frame_bytes * form.frame_bytes
    samples = np.frombuffer(data, "<i2", usable // SAMPLE_BYTES, HEADER_BYTES)
    return RecoveredTake(
        utterance_id=wav.stem,
        path=wav,
        frames=usable // form.frame_bytes,
        sample_rate=form.sample_rate,
        sha256=hashlib.sha256(data).hexdigest(),
        peak_dbfs=levels.peak_dbfs(levels.peak(samples)),
        clipped=levels.clipped(samples),
    )
