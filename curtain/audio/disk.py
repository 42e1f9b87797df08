"""The few things a recording asks of a disk. Tests hand in a disk that fails."""

import io
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from curtain.base.disk import durable, rename, sync_folder


class RecordingDisk:
    """The real disk. Everything raises `OSError` as the system does."""

    def create(self, path: Path) -> io.FileIO:
        """A new file for reading and writing, also its folder. Raises `FileExistsError`: no take replaces another."""
        path.parent.mkdir(exist_ok=True)
        return io.FileIO(path, "x+")

    def open(self, path: Path) -> io.FileIO:
        """An existing file for reading and writing, for the repair of parts."""
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
        """As the function of this name: it replaces `new`, so look first whether it exists."""
        rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        """New and renamed names in `folder` survive a power cut when this returns."""
        sync_folder(folder)


def _resolve(done: Future[None], work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException as error:  # whoever waits must hear of it, whatever it is
        done.set_exception(error)
    else:
        done.set_result(None)
