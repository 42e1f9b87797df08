"""What was learned from answered questions, kept in the user's cache: a file for each pack, database and store."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import NamedTemporaryFile

from curtain.base.privacy import sweep
from curtain.domain.pack.pack import Pack

from ..ranking.training import Learned
from ..values import Example

# A pack keeps its last two stores, so that small packs do not push a large one out; all together have a limit of size.
_KEPT_OF_A_PACK = 2
_MOST_BYTES = 1 << 30
_MOST_NEW = 300


@dataclass(frozen=True)
class Kept:
    """What a file holds. `digests` are those of the examples, in order."""

    digests: tuple[str, ...]
    learned: Learned
    hub: str
    usual: dict[str, int]


class Shelf:
    """The files of one pack and database. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None, pack: Pack, db_path: Path) -> None:
        self._folder = folder
        self._pack = f"drafts-{pack.name}-"
        self._stem = f"{self._pack}{_key(pack, db_path)}" if folder else ""

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """The file of exactly these examples, or one that lacks only a few of them; None if there is none."""
        if self._folder is None:
            return None
        digests = [digest(example) for example in examples]
        return _read(self._path(digests)) or self._nearly(set(digests))

    def keep(self, examples: Sequence[Example], kept: Kept) -> None:
        """Writes a file whole or not at all. A cache that cannot be written costs time and nothing else."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, prefix="drafts-", suffix=".part", delete=False) as part:
                pickle.dump(kept, part, pickle.HIGHEST_PROTOCOL)
            os.replace(part.name, self._path(kept.digests))
            self._tidy()
        except OSError:
            return

    def _path(self, digests: Sequence[str]) -> Path:
        assert self._folder is not None
        together = hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]
        return self._folder / f"{self._stem}-{together}.pickle"

    def _nearly(self, wanted: set[str]) -> Kept | None:
        assert self._folder is not None
        for path in _last_used(self._folder, f"{self._stem}-*.pickle")[:3]:
            kept = _read(path)
            most = len(kept.digests) + min(_MOST_NEW, len(kept.digests)) if kept else 0
            if kept and wanted.issuperset(kept.digests) and len(wanted) <= most:
                return kept
        return None

    def _tidy(self) -> None:
        assert self._folder is not None
        sweep(self._folder, ["drafts-*.part"])
        for path in _last_used(self._folder, f"{self._pack}*.pickle")[_KEPT_OF_A_PACK:]:
            path.unlink(missing_ok=True)
        size = 0
        for path in _last_used(self._folder, "drafts-*.pickle"):
            size += path.stat().st_size
            if size > _MOST_BYTES:
                path.unlink(missing_ok=True)


def digest(example: Example) -> str:
    """What makes an example the same example."""
    text = repr((example.id, example.question, example.sql, [(one.question, one.sql) for one in example.previous]))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _key(pack: Pack, db_path: Path) -> str:
    """Of everything else that what is learned depends on: this program's own text, the pack's, and the database."""
    room = Path(__file__).parents[1]
    theirs = (pack.folder / name for name in ("domain.toml", "lexicon.toml", "schema.sql"))
    texts = [*sorted([*room.rglob("*.py"), *room.glob("*.toml")]), *(path for path in theirs if path.exists())]
    digested = hashlib.sha256(b"".join(path.read_bytes() for path in texts))
    status = db_path.stat()
    digested.update(f"{db_path.name} {status.st_size} {status.st_mtime_ns}".encode())
    return digested.hexdigest()[:16]


def _last_used(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns)
    except OSError:
        return []


def _read(path: Path) -> Kept | None:
    was_on = gc.isenabled()
    # The collector would look again and again at the many objects that come, and find nothing.
    gc.disable()
    try:
        with path.open("rb") as file:
            kept = pickle.load(file)
        # The time of the file is that of its last use.
        os.utime(path)
    except Exception:
        # A damaged file may raise anything while it is unpickled; it is written anew.
        return None
    finally:
        if was_on:
            gc.enable()
    return kept if isinstance(kept, Kept) and _is_whole(kept.learned) else None


def _is_whole(learned: object) -> bool:
    """Whether it has every field of today: a process that began before an update may have kept an earlier form."""
    return isinstance(learned, Learned) and {one.name for one in fields(Learned)} <= vars(learned).keys()
