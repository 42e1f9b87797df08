"""What Curtain writes is for the person who runs it: files 0600 and folders 0700, from the first byte on."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_OTHERS = 0o077
_OLD_S = 24 * 60 * 60


def keep_files_private() -> None:
    """From now on nobody else may read what this process and its children make. Each program calls it first.

    The process's mask also reaches what libraries write: databases, recordings, settings, logs. A mode at each opening
    would not; and it would take away what a folder's default ACL gives to a group on purpose.
    """
    before = os.umask(_OTHERS)
    os.umask(before | _OTHERS)
    if os.name == "posix":
        atexit.register(_share_bytecode)


def _share_bytecode() -> None:
    """Open what Python compiled to everybody who may read its source: an installation may serve many people."""
    cached = {getattr(module, "__cached__", None) for module in list(sys.modules.values())}
    for folder in {Path(path).parent for path in cached if path}:
        # A folder of somebody else, or one that is gone.
        with suppress(OSError):
            rights = folder.parent.stat().st_mode
            _open_up(folder, rights & 0o755)
            for path in folder.iterdir():
                _open_up(path, rights & 0o644)


def _open_up(path: Path, rights: int) -> None:
    now = path.stat()
    if now.st_uid == os.geteuid() and now.st_mode & rights != rights:
        path.chmod(now.st_mode & 0o777 | rights)


def own_spool() -> Path:
    """Where this user's subject station keeps what it records, unless it is started with another folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "spool"


def own_logs() -> Path:
    """Where programs of this user that belong to no study write their logs."""
    import platformdirs

    return Path(platformdirs.user_log_dir("curtain", appauthor=False))


def own_cache() -> Path:
    """Where drafters of this user keep what they learned from answered questions; they learn it again if it is gone."""
    import platformdirs

    return platformdirs.user_cache_path("curtain") / "drafting"


def sweep(folder: Path, patterns: Iterable[str]) -> None:
    """Remove what killed processes left in `folder` under names of ours, once nothing has touched it for a day.

    What cannot be looked at or removed stays: it is in nobody's way.
    """
    # A moment by the wall clock, since the times of files are.
    newest = time.time() - _OLD_S
    for pattern in patterns:
        for path in folder.glob(pattern):
            with suppress(OSError):
                if path.lstat().st_mtime < newest:
                    _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
