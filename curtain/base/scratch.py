"""Folders that leave nothing behind: for what a process needs while it runs, or filled beside their place.

What a killed process leaves, the next of its kind removes.
"""

import ctypes
import errno
import hashlib
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curtain.base.disk import (
    close_locked,
    durable,
    is_full,
    lock,
    lock_file,
    rename,
    sync_folder,
    take_lock,
    unlock_file,
)
from curtain.base.errors import CurtainError, in_the_way
from curtain.base.input_file import real_path

_LOCK = ".in-use"


class ScratchFolder:
    """A new folder `curtain-KIND-...` among the temporary files, gone after `close`. Raises OSError.

    Its lock ends with the process, so that a folder whose lock is free is nobody's.
    """

    def __init__(self, kind: str) -> None:
        _remove_abandoned(f"curtain-{kind}-")
        self.path, descriptor = _make(f"curtain-{kind}-")
        self._descriptor: int | None = descriptor

    def close(self) -> None:
        """Remove the folder and free its lock.

        What cannot be removed stays for the next process; never raises for that.
        """
        if self._descriptor is not None:
            _remove(self.path, self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


def _make(prefix: str) -> tuple[Path, int]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix))
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        # Between making and locking another process may take it for abandoned, and remove it. Where the file system
        # knows no locks, nobody can take it either.
        if lock(descriptor) and (path / _LOCK).exists():
            return path, descriptor
        os.close(descriptor)


def _remove_abandoned(prefix: str) -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        try:
            descriptor = os.open(path / _LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue  # another person's, or none of ours
        try:
            take_lock(descriptor)
        except OSError:
            os.close(descriptor)
            continue
        _remove(path, descriptor)


def _remove(path: Path, descriptor: int) -> None:
    # The content first, while the lock is still held: a folder without a lock is anybody's to remove.
    shutil.rmtree(path, ignore_errors=True)
    close_locked(descriptor)
    # Windows keeps a file that is open.
    shutil.rmtree(path, ignore_errors=True)


_MARK = ".curtain-made-"


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """An empty folder to fill. It becomes `out` when the block ends well; otherwise nothing of it is left.

    It is filled under a hidden name beside `out` and renamed once every byte is on the disk. What a killed run has left
    there goes with the next run for the same `out`. Raises CurtainError.
    """
    out = real_path(out)
    ensure_free(out)
    with _errors_in_plain_words(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        with _claimed(out):
            _clear_leftovers(out)
            made = out.parent / f"{_stem(out)}-{secrets.token_hex(4)}"
            made.mkdir()
            try:
                yield made
                sync_tree(made)
                _publish(made, out)
            except BaseException:
                shutil.rmtree(made, ignore_errors=True)
                raise


def ensure_free(out: Path) -> None:
    """Raises CurtainError unless `out` is absent or an empty folder."""
    if out.is_dir():
        with _errors_in_plain_words(out), os.scandir(out) as entries:
            if any(True for _ in entries):
                raise CurtainError(f"{out} is not empty; name a new folder.")
    elif out.is_symlink() and not out.exists():
        raise CurtainError(f"{out} is a link that leads nowhere; name a new folder.")
    elif os.path.lexists(out):
        raise CurtainError(f"{out} is a file; name a new folder.")


def _publish(made: Path, out: Path) -> None:
    ensure_free(out)
    if sys.platform == "win32" and out.is_dir():
        out.rmdir()  # Windows renames over no folder, not even over an empty one
    rename(made, out)
    sync_folder(out.parent)


def _stem(out: Path) -> str:
    # Of fixed length, so that a name as long as the system allows still has a neighbour.
    return _MARK + hashlib.sha256(os.fsencode(out.name)).hexdigest()[:12]


@contextmanager
def _claimed(out: Path) -> Iterator[None]:
    """One run at a time for the same `out`; the system gives the claim back when the process ends."""
    path = out.parent / f"{_stem(out)}.lock"
    descriptor = lock_file(path)
    if descriptor is None:
        raise CurtainError(f"Another run is writing {out} just now; wait for it, or name another folder.")
    try:
        yield
    finally:
        unlock_file(path, descriptor)


def _clear_leftovers(out: Path) -> None:
    for left in out.parent.glob(f"{_stem(out)}-*"):
        shutil.rmtree(left)


def sync_tree(folder: Path) -> None:
    """Every file below `folder` survives a power cut when this returns. Raises OSError."""
    if not _sync_file_system(folder):
        for path, _, files in os.walk(folder):
            for name in files:
                _sync_file(Path(path, name))
            sync_folder(Path(path))


def _sync_file_system(folder: Path) -> bool:
    """One call in place of one for each of a hundred thousand recordings, where the system has it."""
    if not sys.platform.startswith("linux") or not hasattr(libc := ctypes.CDLL(None, use_errno=True), "syncfs"):
        return False
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if libc.syncfs(descriptor):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(folder))
    finally:
        os.close(descriptor)
    return True


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        durable(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _errors_in_plain_words(out: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Whatever library met it.
        if is_full(error):
            full = f"The disk of {out} is full: nothing was written. Make room, or name a folder on another disk."
            raise CurtainError(full) from error
        if not isinstance(error, OSError):
            raise
        raise CurtainError(_sentence(out, error)) from error


def _sentence(out: Path, error: OSError) -> str:
    if error.errno in (errno.EXDEV, errno.EBUSY):
        return f"{out} is a disk of its own; name a new folder inside it."
    place = f" ({error.filename})" if error.filename else ""
    return f"{out} cannot be written: {in_the_way(error) or f'{error.strerror or error}{place}.'} Nothing was written."
