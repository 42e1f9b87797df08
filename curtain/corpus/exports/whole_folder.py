"""A folder that appears whole or not at all, also when the process is killed or the power fails."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curtain.base.disk import durable, is_full, lock_file, rename, sync_folder, unlock_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path

_MARK = ".curtain-export-"


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
                raise CurtainError(f"{out} is not empty; name a new folder after “--out”.")
    elif out.is_symlink() and not out.exists():
        raise CurtainError(f"{out} is a link that leads nowhere; name a new folder after “--out”.")
    elif os.path.lexists(out):
        raise CurtainError(f"{out} is a file; name a new folder after “--out”.")


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
    """One export at a time for the same `out`; the system gives the claim back when the process ends."""
    path = out.parent / f"{_stem(out)}.lock"
    descriptor = lock_file(path)
    if descriptor is None:
        raise CurtainError(f"Another export is writing {out} just now; wait for it, or name another folder.")
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
    except Exception as fault:
        # Whatever library met it.
        if is_full(fault):
            full = f"The disk of {out} is full: nothing was exported. Make room, or name a folder on another disk."
            raise CurtainError(full) from fault
        if not isinstance(fault, OSError):
            raise
        raise CurtainError(_sentence(out, fault)) from fault


def _sentence(out: Path, fault: OSError) -> str:
    if fault.errno in (errno.EXDEV, errno.EBUSY):
        return f"{out} is a disk of its own; name a new folder inside it."
    place = f" ({fault.filename})" if fault.filename else ""
    return f"{out} cannot be written: {fault.strerror or fault}{place}. Nothing was exported."
