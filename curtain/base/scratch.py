"""Folders for what a process needs while it runs. A killed process leaves its own; the next of its kind removes it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from curtain.base.disk import close_locked, lock, take_lock

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
