"""Room in the spool for what is being said: a reserve that is given up when the disk is full."""

import logging
import shutil
import threading
from pathlib import Path

from curtain.base.disk import Disk, is_full, write_all
from curtain.link.messages import DiskProblem
from curtain.session.journal.journal import Patience

log = logging.getLogger(__name__)

RESERVE_BYTES = 16 * 1024 * 1024  # eight minutes of speech at 16 kHz, and all that is journaled meanwhile
CLOSING_BYTES = 64 * 1024  # the lines that name what was lost, when the station closes on a full disk
AGAIN_S = 1.0
QUIET_LOOKS = 3  # writes are tried every second: three looks a second apart see each that still fails


class Reserve:
    """A file that holds a place on the disk for what matters more than itself."""

    def __init__(self, path: Path, size: int, disk: Disk) -> None:
        self._path = path
        self._size = size
        self._disk = disk

    @property
    def whole(self) -> bool:
        """Whether the file takes its full place on the disk."""
        try:
            return self._path.stat().st_size >= self._size
        except OSError:
            return False

    def fill(self) -> bool:
        """Take the place if it is not taken yet; nothing is kept of half a reserve."""
        if self.whole:
            return True
        try:
            self.spend()
            self._write()
        except OSError as error:
            log.warning("%s holds no place on the disk: %s", self._path.name, error)
            self.spend()
            return False
        return True

    def spend(self) -> bool:
        """Give the place up; whether there was any."""
        try:
            held = self._path.stat().st_size > 0
            self._path.unlink()
        except OSError:
            return False
        return held

    def _write(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = self._disk.open_append(self._path)
        try:
            # Zeros that are written, not a longer file: only they hold a place on every system.
            write_all(self._disk, descriptor, bytes(self._size))
            self._disk.sync(descriptor)
        finally:
            self._disk.close(descriptor)


class SpoolSpace(Patience):
    """What is done when the disk of the spool takes nothing. Every method may be called from any thread."""

    def __init__(
        self, folder: Path, size: int = RESERVE_BYTES, disk: Disk | None = None, again_s: float = AGAIN_S
    ) -> None:
        self.disk = disk or Disk()
        self._folder = folder
        self._size = size
        self._again_s = again_s
        self._reserve = Reserve(folder / "reserve", size, self.disk)
        self._closing = Reserve(folder / "reserve.closing", CLOSING_BYTES, self.disk)
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._problem: DiskProblem = ""
        self._quiet_looks = 0

    @property
    def problem(self) -> DiskProblem:
        """What the wizard sees: `full` from the first write that failed until the reserve is whole again."""
        return self._problem

    def prepare(self) -> None:
        """Before anything is said: hold the places. Not on the window's thread."""
        with self._lock:
            self._closing.fill()
            self._reserve.fill()

    def make_room(self, error: OSError) -> bool:
        """A write failed: whether there is room now, and it is to be repeated at once."""
        with self._lock:
            full = is_full(error)
            if not self._problem:
                log.error("the spool takes nothing: %s", error.strerror)
            self._problem = "full" if full else "failing"
            # A write that failed just now: the looks begin again from nothing.
            self._quiet_looks = 0
            return full and self._reserve.spend()

    def look(self) -> None:
        """Once a second, away from the window: once nothing fails any more, the reserve is filled again."""
        with self._lock:
            if not self._problem:
                return
            self._quiet_looks += 1
            # Twice its size: filling the reserve must not fill the disk at once.
            if self._quiet_looks >= QUIET_LOOKS and self._free() >= 2 * self._size and self._reserve.fill():
                log.warning("the spool takes everything again")
                self._problem = ""

    def try_again(self, error: OSError, tries: int) -> bool:
        """As `Patience.try_again`:

        with room at once, else after `again_s` seconds; False only when the station closes and holds no place.
        """
        if self.make_room(error):
            return True
        if self._ending.is_set():
            return is_full(error) and self._closing.spend()
        # Waits on an event, so that the end of the station wakes it.
        self._ending.wait(self._again_s)
        return True

    def end(self) -> None:
        """The station closes: who waits tries once more, and is given the last place that was held if that fails."""
        # The place is given up by the next write that fails: one that failed just before would be the last one else.
        self._ending.set()

    def _free(self) -> int:
        try:
            return shutil.disk_usage(self._folder).free
        except OSError:
            return 0
