"""What Curtain writes is for the person who runs it: files 0600 and folders 0700, from the first byte on. One of them
keeps what this person agreed to on this machine; here is the gate that asks for it."""

import atexit
import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as

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


class AgreementNotKept(CurtainError):
    """The user's file of agreements cannot be written."""


class Agreements:
    """The user's file of agreements; a file that is missing or cannot be read agrees to nothing."""

    def __init__(self) -> None:
        self._path = own_spool().with_name("agreements.json")

    def has(self, kind: str, key: str) -> bool:
        """Whether the person agreed to exactly this."""
        return key in self._read().get(kind, {})

    def add(self, kind: str, key: str, about: str) -> None:
        """Remembers an agreement; `about` is for whoever reads the file. Raises AgreementNotKept."""
        agreed = self._read()
        if key not in agreed.get(kind, {}):
            when = datetime.now(UTC).isoformat(timespec="seconds")
            self._write({**agreed, kind: {**agreed.get(kind, {}), key: {"about": about, "when": when}}})

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            agreements = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        kinds = agreements.items() if isinstance(agreements, dict) else ()
        return {kind: entries for kind, entries in kinds if isinstance(entries, dict)}

    def _write(self, agreed: dict[str, dict[str, Any]]) -> None:
        folder = self._path.parent
        with os_errors_as(f"{self._path} cannot be written", AgreementNotKept):
            # Who can write here can agree in the user's name.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._path, json.dumps(agreed, indent=2).encode(), private=True)


class NotAgreed(CurtainError):
    """A person has to agree first; the sentence says to what, and how."""


@dataclass(frozen=True)
class NeededAgreement:
    """What a study would start, load or send: `kind` and `identity` for the file of agreements, and the sentence by
    which a person decides."""

    kind: str
    identity: str
    sentence: str

    @property
    def is_given(self) -> bool:
        """Whether the person agreed to exactly this."""
        return Agreements().has(self.kind, self.identity)

    def give(self) -> None:
        """Remember that the person agreed. Raises AgreementNotKept."""
        Agreements().add(self.kind, self.identity, self.sentence)


def ensure_agreed(needed: Iterable[NeededAgreement], study: Path | str = "STUDY") -> None:
    """The gate: whatever starts, loads or asks what a study names calls this first, at each start. Raises NotAgreed."""
    for agreement in needed:
        if not agreement.is_given:
            raise NotAgreed(
                f"{agreement.sentence.rstrip('.')}. Nobody agreed to that on this machine, or it has changed since: "
                f"run “curtain study trust {shlex.quote(str(study)) if isinstance(study, Path) else study}”."
            )
