"""The few things we ask of a disk, in one place, so that a test can put a failing disk in their stead."""

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from .clock import steady_s
from .errors import FULL, CurtainError, in_the_way


def is_full(error: BaseException | None) -> bool:
    """Whether the disk, or this person's share of it, takes no more bytes, also behind other problems. Freed space ends
    it."""
    while error is not None:
        numbered = isinstance(error, OSError) and error.errno in FULL
        if numbered or any(words in str(error) for words in _FULL_IN_WORDS):
            return True
        error = error.__cause__
    return False


# DuckDB and SQLite report it in words alone.
_FULL_IN_WORDS = (*map(os.strerror, FULL), "database or disk is full")


# What a disk or a person's rights refuse: nothing that we could do better.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.EFBIG, errno.ENAMETOOLONG)


def disk_problem(error: BaseException, place: Path | None = None) -> str | None:
    """The sentence on a disk that took no more or let nobody in; None for any other error.

    `place` is what could not be written; the problem's own file by default.
    """
    place = place or getattr(error, "filename", None)
    if is_full(error):
        return f"{place or 'A file'} cannot be written: the disk is full. Make room, or choose another disk."
    if isinstance(error, OSError) and place and (error.errno in _REFUSED or in_the_way(error)):
        return f"{place} cannot be opened or written: {in_the_way(error) or f'{error.strerror}.'}"
    return None


@contextmanager
def full_disk_reported(folder: Path) -> Iterator[None]:
    """While a database is written to `folder`: raises CurtainError if the disk is full, also behind other problems."""
    try:
        yield
    except Exception as error:
        if is_full(error):
            raise CurtainError(disk_problem(error, folder)) from error
        raise


class Disk:
    """Append, truncate, make durable. Every method raises OSError as the system does."""

    def open_append(self, path: Path) -> int:
        """A descriptor for reading and appending, made if missing. A link at `path` is refused where the system can."""
        # O_APPEND: the system sets the place of each write, so no seek of ours can overwrite a line.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        # The process's mask makes it 0600 (`base.privacy`); a narrower mode here would undo a folder's default ACL.
        return os.open(path, flags, 0o666)

    def write(self, descriptor: int, data: bytes) -> int:
        """How many of the bytes the system took, which may be fewer: `write_all` goes on."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """As `durable`: back when the bytes survive a power cut."""
        durable(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        """Cut the file to `length` bytes."""
        os.ftruncate(descriptor, length)

    def close(self, descriptor: int) -> None:
        """Give the descriptor back. Its lock, if any, goes with it, at once."""
        close_locked(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        """As the function `rename`."""
        rename(source, target)

    def sync_folder(self, folder: Path) -> None:
        """As the function of this name: new and renamed names survive a power cut."""
        sync_folder(folder)


def durable(descriptor: int) -> None:
    """The file's bytes survive a power cut when this returns."""
    if sys.platform == "darwin":
        _full_sync(descriptor)
    elif hasattr(os, "fdatasync"):
        # Without the file's times: one write to the disk fewer, and its length is synced all the same.
        _sync_where_known(os.fdatasync, descriptor)
    else:
        _sync_where_known(os.fsync, descriptor)


def _full_sync(descriptor: int) -> None:
    # On macOS fsync leaves the bytes in the drive's cache; not every file system knows F_FULLFSYNC.
    import fcntl

    try:
        fcntl.fcntl(descriptor, getattr(fcntl, "F_FULLFSYNC", 51))
    except OSError:
        _sync_where_known(os.fsync, descriptor)


# Folders that FUSE or a network serves may not know how to sync. EIO is a failing disk and never among these.
_SYNC_UNKNOWN = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def _sync_where_known(sync: Callable[[int], None], descriptor: int) -> bool:
    try:
        sync(descriptor)
    except OSError as error:
        if error.errno not in _SYNC_UNKNOWN:
            raise
        return False
    return True


def rename(source: Path | str, target: Path) -> Path:
    """Rename over `target` in one step and return it; durable only after `sync_folder`. Raises OSError.

    On Windows a new file may be held by an antivirus program for some milliseconds: it is tried again for a second.
    """
    until = steady_s() + _HELD_S
    while True:
        try:
            os.replace(source, target)
        except PermissionError:
            # Elsewhere a refused rename is about rights, and no waiting helps.
            if sys.platform != "win32" or steady_s() > until:
                raise
            time.sleep(_RETRY_S)
        else:
            return target


_HELD_S, _RETRY_S = 1.0, 0.01


def sync_folder(folder: Path) -> bool:
    """New and renamed names in `folder` survive a power cut. Windows does this by itself.

    False if its file system cannot promise that: what is written there is as safe as it can be.
    """
    if sys.platform == "win32":
        return True
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return _sync_where_known(os.fsync, descriptor)
    finally:
        os.close(descriptor)


def write_all(disk: Disk, descriptor: int, data: bytes) -> None:
    """Write every byte; one call to the system unless it takes only a part."""
    rest = memoryview(data)
    while rest:
        rest = rest[disk.write(descriptor, bytes(rest)) :]


@contextmanager
def written_beside(path: Path, disk: Disk | None = None) -> Iterator[Path]:
    """A path to write to: it takes the place of `path` in one step when the block ends well, and goes otherwise.

    After a crash `path` is the old file or the new one, never a mixture. Raises OSError, which names `path`.
    """
    disk = disk or Disk()
    beside, claim = _claimed_beside(path)
    try:
        yield beside
        descriptor = disk.open_append(beside)
        try:
            # Before the rename: otherwise a power cut could leave the new name on an empty file.
            disk.sync(descriptor)
        finally:
            disk.close(descriptor)
        if sys.platform == "win32":  # which renames no open file
            close_locked(claim)
        disk.replace(beside, path)
    except BaseException as error:
        # On a full disk it would keep the room that is needed now.
        with suppress(OSError):
            unlock_file(beside, claim)
        if isinstance(error, OSError) and error.filename in (None, str(beside)):
            error.filename = str(path)
        raise
    if sys.platform != "win32":
        close_locked(claim)
    disk.sync_folder(path.parent)


def _claimed_beside(path: Path) -> tuple[Path, int]:
    """An empty file beside `path`, and its lock: each of several runs at once has its own.

    What a dead one left goes.
    """
    for number in count(1):
        # Beside it, not among the temporary files: a rename is one step only within a file system.
        beside = path.with_name(f"{path.name}{'' if number == 1 else f'.{number}'}.part")
        with suppress(OSError):
            if beside.is_symlink():
                beside.unlink()
        try:
            while (claim := lock_file(beside)) is not None:
                if not os.fstat(claim).st_size:
                    return beside, claim
                # Anew, and not cut: what was left may have another name, or other rights.
                unlock_file(beside, claim)
        except OSError as error:
            error.filename = str(path)
            raise
    raise AssertionError


def replace_file(path: Path, data: bytes | Iterable[bytes], disk: Disk | None = None, *, private: bool = False) -> None:
    """Put `data` at `path`, as `written_beside`; `private`: for this user's eyes alone, whatever the folder grants."""
    disk = disk or Disk()
    with written_beside(path, disk) as beside:
        descriptor = disk.open_append(beside)
        try:
            if private:
                # While it is empty: a folder's default ACL would let a group read it.
                beside.chmod(0o600)
            for piece in (data,) if isinstance(data, bytes) else data:
                write_all(disk, descriptor, piece)
        finally:
            disk.close(descriptor)


def replace_files(folder: Path, files: Mapping[str, Iterable[bytes]]) -> None:
    """Put files of these names into a folder that is made: all of them, or none and the old ones stay. Raises OSError.

    Only a crash between two renames, within a moment, can leave some new and some old. The first name appears last:
    where it is, the others are.
    """
    with ExitStack() as places:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            places.push(lambda kind, problem, trace: _remove_empty(folder) if kind else None)
        for name, pieces in files.items():
            beside = places.enter_context(written_beside(folder / name))
            with beside.open("wb") as file:
                file.writelines(pieces)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def lock(descriptor: int) -> bool:
    """Take the file for this process alone; the system gives it back when the process ends, however it ends.

    False if another holds it. True also where the file system knows no locks.
    """
    try:
        take_lock(descriptor)
    except OSError as error:
        # These four mean “held by another”; every other error means that the file system knows no locks.
        return error.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


def close_locked(descriptor: int) -> None:
    """Free the lock of the file, if there is one, and close it."""
    # Closing alone keeps the lock while a child that is being started holds a copy of the descriptor: from fork to
    # exec. An unlock frees it for all copies (flock(2)).
    with suppress(OSError):
        free_lock(descriptor)
    os.close(descriptor)


def lock_file(path: Path) -> int | None:
    """Make a file that is nothing but a lock, and take it; `unlock_file` removes it. None if another process holds it.

    Raises OSError where no file can be made.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        if not lock(descriptor):
            os.close(descriptor)
            return None
        if _is_still(path, descriptor):
            return descriptor
        os.close(descriptor)  # the one before us removed it between our opening and our locking


def unlock_file(path: Path, descriptor: int) -> None:
    """Give back what `lock_file` took."""
    if sys.platform == "win32":
        close_locked(descriptor)
    # Elsewhere the file goes while it is still locked, or the next one could lock one that is about to go.
    with suppress(OSError):
        path.unlink()
    if sys.platform != "win32":
        close_locked(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


# The system's own lock on a file: it ends with the process that holds it, however that ends.
# A byte far beyond any journal: Windows locks ranges, and a locked range cannot be read by others.
_LOCK_AT = 0x7FFF_FFF0

if sys.platform == "win32":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Raises OSError if another process holds it, or where there are no locks."""
        os.lseek(descriptor, _LOCK_AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def free_lock(descriptor: int) -> None:
        """Raises OSError if there is none."""
        os.lseek(descriptor, _LOCK_AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Raises OSError if another process holds it, or where there are no locks."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def free_lock(descriptor: int) -> None:
        """Raises OSError where there are no locks."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)


# Names that Windows keeps for its devices: “con.wav” is the console there.
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE | re.DOTALL)


def is_reserved(name: str) -> bool:
    """Whether no file on Windows can have this name, with any ending."""
    return bool(_RESERVED.fullmatch(name))
