"""Folders for what a process needs while it runs. A killed process leaves its own; the next of its kind removes it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from curtain.base.disk import close_locked, take_lock

_LOCK = ".in-use"


class ScratchFolder:
    """A new folder `curtain-KIND-...` among the temporary files, gone after `close`. Raises OSError.

    Its lock ends with the process, so that a folder whose lock is free is nobody's.
    """

    def __init__(self, kind: str) -> None:
        _remove_abandoned(f"curtain-{kind}-")
        self.path, self._descriptor = _make(f"curtain-{kind}-")

    def close(self) -> None:
        """Remove the folder and free its lock.

        What cannot be removed stays for the next process; never raises for that.
        """
        # The content first, while the lock is still held: a folder without a lock is anybody's to remove.
        shutil.rmtree(self.path, ignore_errors=True)
        if self._descriptor is not None:
            close_locked(self._descriptor)
            self._descriptor = None
            # Windows keeps a file that is open.
            shutil.rmtree(self.path, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


def _make(prefix: str) -> tuple[Path, int | None]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix))
        descriptor = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            take_lock(descriptor)
        except BlockingIOError:
            # Between making and locking another process took it for abandoned.
            os.close(descriptor)
            continue
        except OSError:
            return path, descriptor  # no locks on this file system, so nobody can take it either
        # The lock may be on a file that another process has just removed with the folder.
        if (path / _LOCK).exists():
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
        shutil.rmtree(path, ignore_errors=True)
        close_locked(descriptor)
