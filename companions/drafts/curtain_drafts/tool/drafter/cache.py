"""What took longest to learn from answered questions, kept in the user's cache: weights, and vectors of questions.

A file for each pack, database and store. Only questions that are new since then are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curtain.base.disk import replace_file
from curtain.base.privacy import sweep
from curtain.domain.pack.pack import Pack
from curtain.drafting.values import Example

from ..examples.meaning import MeaningModel, Vectors
from ..ranking.training import Kept

# A pack keeps its last two stores, so that small packs do not push a large one out.
_KEPT_OF_A_PACK = 2
_MOST_NEW = 300
# Of a file: what was learned, and the texts of which there are vectors.
_Content = tuple[Kept, list[str], Vectors]


class Shelf:
    """The files of one pack and database in a folder; the end of a file's name is the checksum of what is in it."""

    def __init__(self, folder: Path, pack: Pack, db_path: Path, meaning: MeaningModel | None = None) -> None:
        self._folder, self._meaning = folder, meaning
        self._of_pack = f"drafts-{pack.name}-"
        self._stem = f"{self._of_pack}{_key(pack, db_path, meaning.identity if meaning else '')}-"

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """What was learned from exactly these examples, or from all but a few of them; None if there is nothing.
        Vectors of questions go to the model of meaning."""
        wanted = {example.digest for example in examples}
        for path in self._last_used(self._stem)[:_KEPT_OF_A_PACK]:
            try:
                data = path.read_bytes()
                content: _Content = msgspec.msgpack.decode(data, type=_Content, dec_hook=_unpacked)
                kept, texts, rows = content
                new = len(wanted - kept.digests)
                if path == self._path_of(data) and wanted >= kept.digests and new <= min(_MOST_NEW, len(kept.digests)):
                    if self._meaning:
                        self._meaning.known |= zip(texts, rows, strict=True)
                    # The time of the file is that of its last use.
                    path.touch()
                    return kept
            except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
                continue
        return None

    def keep(self, kept: Kept) -> None:
        """Writes a file, whole or not at all. A cache that cannot be written costs time and nothing else."""
        known = self._meaning.known if self._meaning else {}
        content = kept, list(known), np.array(list(known.values()))
        data = msgspec.msgpack.encode(content, enc_hook=_packed)
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path_of(data), data)
            sweep(self._folder, ["drafts-*.part"])
            for path in self._last_used(self._of_pack)[_KEPT_OF_A_PACK:]:
                path.unlink(missing_ok=True)

    def _path_of(self, data: bytes) -> Path:
        return self._folder / f"{self._stem}{hashlib.sha256(data).hexdigest()[:16]}.msgpack"

    def _last_used(self, start: str) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"{start}*.msgpack"), key=lambda path: -path.stat().st_mtime_ns)
        except OSError:
            return []


def _packed(array: Any) -> tuple[tuple[int, ...], bytes]:
    """An array of numbers with half the digits, which are enough on disk."""
    return array.shape, array.astype("f2").tobytes()


def _unpacked(kind: object, packed: Any) -> Vectors:
    """Raises TypeError or ValueError, from which msgspec makes its own."""
    shape, numbers = packed
    return np.frombuffer(numbers, "f2").reshape(shape).astype("f4")


def _key(pack: Pack, db_path: Path, meaning: str) -> str:
    """Of everything else that what is learned depends on: this program's own text, the pack's, and the database."""
    room = Path(__file__).parents[1]
    theirs = (pack.folder / name for name in ("domain.toml", "lexicon.toml", "schema.sql"))
    texts = [*sorted([*room.rglob("*.py"), *room.glob("*.toml")]), *(path for path in theirs if path.exists())]
    digested = hashlib.sha256(b"".join(path.read_bytes() for path in texts))
    status = db_path.stat()
    digested.update(f"{db_path.name} {status.st_size} {status.st_mtime_ns} {meaning}".encode())
    return digested.hexdigest()[:16]
