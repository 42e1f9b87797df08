"""The few things a recording asks of a disk. Tests hand in a disk that fails."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path


class RecordingDisk:
    """The real disk. Everything raises `OSError` as the system does."""

    def create(self, path: Path) -> io.FileIO:
        """A new file for reading and writing. Raises `FileExistsError`: a take never replaces another."""
        return io.FileIO(path, "x+")

    def open(self, path: Path) -> io.FileIO:
        """An existing file for reading and writing, for the mending of parts."""
        return io.FileIO(path, "r+")

    def write_at(self, file: io.FileIO, offset: int, data: bytes) -> None:
        """Write all of `data` at `offset` bytes from the start."""
        file.seek(offset)
        rest = memoryview(data)
        while rest:
            # `write` of a raw file gives None where it would block.
            rest = rest[file.write(rest) or 0 :]

    def truncate(self, file: io.FileIO, size: int) -> None:
        """Cut the file to `size` bytes."""
        file.truncate(size)

    def sync(self, file: io.FileIO) -> None:
        """As `durable`: back when the bytes survive a power cut."""
        durable(file.fileno())

    def soon(self, work: Callable[[], None]) -> Future[None]:
        """Do something slow, as a sync, on a thread of its own; the future raises what it raised."""
        done: Future[None] = Future()
        threading.Thread(target=_resolve, args=(done, work), name="disk", daemon=True).start()
        return done

    def rename(self, old: Path, new: Path) -> None:
        """Rename; on POSIX this replaces `new`, so look first whether it exists."""
        os.rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        """New and renamed names in `folder` survive a power cut when this returns."""
        if sys.platform == "win32":
            return  # a folder cannot be opened there; NTFS journals the names itself
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _resolve(done: Future[None], work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException as error:  # whoever waits must be told, whatever it is
        done.set_exception(error)
    else:
        done.set_result(None)


def durable(number: int) -> None:
    """What was written to this open file reaches the disk before this returns."""
    if sys.platform == "linux":
        os.fdatasync(number)
        return
    if sys.platform == "darwin":
        # Not every file system knows F_FULLFSYNC; then the plain fsync below has to do.
        with contextlib.suppress(OSError):
            _full_sync(number)
            return
    os.fsync(number)


def _full_sync(number: int) -> None:
    # On macOS plain fsync stops at the drive's cache.
    import fcntl

    fcntl.fcntl(number, getattr(fcntl, "F_FULLFSYNC", 51))
