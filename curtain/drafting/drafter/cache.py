"""What was learned from answered questions, kept in the user's cache: a file for each pack, database and store."""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from curtain.base.privacy import sweep
from curtain.domain.pack.pack import Pack

from ..values import Example
from .learning import Learned

__all__ = ["Kept", "Shelf"]

_KEPT_FILES = 6
# What is learned depends on the text of these rooms and modules; the others may change without learning anew.
_LEARNED_BY = (
    "query/*.py",
    "sql/*.py",
    "learned/*.py",
    "followups/followups.py",
    "drafter/domain.py",
    "drafter/learning.py",
    "drafter/local.py",
)
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
        self._stem = f"drafts-{pack.name}-{_key(pack, db_path)}" if folder else ""

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """The file of exactly these examples, or one that lacks only a few of them; None if there is none."""
        if self._folder is None:
            return None
        digests = [digest(example) for example in examples]
        kept = _read(self._folder / f"{self._stem}-{_together(digests)}.pickle")
        return kept or self._nearly(set(digests))

    def keep(self, examples: Sequence[Example], kept: Kept) -> None:
        """Writes a file whole or not at all. A cache that cannot be written costs time and nothing else."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / f"{self._stem}-{_together(kept.digests)}.pickle"
            with NamedTemporaryFile(dir=self._folder, prefix="drafts-", suffix=".part", delete=False) as part:
                pickle.dump(kept, part, pickle.HIGHEST_PROTOCOL)
            os.replace(part.name, path)
            self._tidy()
        except OSError:
            return

    def _nearly(self, wanted: set[str]) -> Kept | None:
        assert self._folder is not None
        for path in _newest(self._folder, f"{self._stem}-*.pickle")[:3]:
            digests = _read_digests(path)
            if digests and set(digests) <= wanted and len(wanted) - len(digests) <= min(_MOST_NEW, len(digests)):
                return _read(path)
        return None

    def _tidy(self) -> None:
        assert self._folder is not None
        sweep(self._folder, ["drafts-*.part"])
        for path in _newest(self._folder, "drafts-*.pickle")[_KEPT_FILES:]:
            path.unlink(missing_ok=True)


def digest(example: Example) -> str:
    """What makes an example the same example."""
    text = repr((example.id, example.question, example.sql, [(one.question, one.sql) for one in example.previous]))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _together(digests: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]


def _key(pack: Pack, db_path: Path) -> str:
    """Of everything else that what is learned depends on: this program's own text, the pack's, and the database."""
    found = hashlib.sha256()
    room = Path(__file__).parents[1]
    own = sorted(path for name in _LEARNED_BY for path in room.glob(name))
    theirs = [pack.folder / name for name in ("domain.toml", "lexicon.toml", "schema.sql")]
    for path in [*own, *(path for path in theirs if path.exists())]:
        found.update(path.read_bytes())
    status = db_path.stat()
    found.update(f"{db_path.name} {status.st_size} {status.st_mtime_ns}".encode())
    return found.hexdigest()[:16]


def _newest(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns)
    except OSError:
        return []


def _read(path: Path) -> Kept | None:
    try:
        with path.open("rb") as file, _uncollected():
            kept = pickle.load(file)
    except FileNotFoundError:
        return None
    except Exception:
        # A damaged file may raise anything while it is unpickled; it is written anew.
        return None
    return kept if isinstance(kept, Kept) else None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection, which would look again and again at the many objects that come and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_digests(path: Path) -> tuple[str, ...]:
    kept = _read(path)
    return kept.digests if kept else ()
