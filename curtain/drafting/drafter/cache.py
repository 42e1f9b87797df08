"""What was learned from answered questions, kept in the user's cache: a file for each pack, database and store."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from curtain.base.disk import rename
from curtain.base.privacy import sweep
from curtain.domain.pack.pack import Pack

from ..algebra.reading import SqlReader
from ..examples.align import align
from ..examples.meaning import MeaningModel
from ..examples.models import KeptArray
from ..examples.reader import ReaderState
from ..language.recognise import Reading
from ..ranking.training import Known, Learned
from ..values import Example

# A pack keeps its last two stores, so that small packs do not push a large one out.
_KEPT_OF_A_PACK = 2
_MOST_NEW = 300
_CHECKSUM = 4


@dataclass(frozen=True)
class Kept:
    """What was learned. `digests` are those of the examples, in order."""

    digests: tuple[str, ...]
    learned: Learned
    hub: str
    usual: dict[str, int]
    calendar: dict[str, str]


class _File(msgspec.Struct, frozen=True):
    """What a file holds: values alone, no code. The memory is made again from the known questions, whose statements are
    read again."""

    digests: tuple[str, ...]
    known: list[tuple[Example, Reading]]
    reader: ReaderState
    ranker: KeptArray
    calibration: KeptArray
    hub: str
    usual: dict[str, int]
    calendar: dict[str, str]
    meaning: KeptArray | None

    @classmethod
    def of(cls, kept: Kept, known: Iterable[Known]) -> _File:
        ranker, calibration = (
            KeptArray.of(one.weights, "<f8") for one in (kept.learned.ranker, kept.learned.calibration)
        )
        questions = [(one.example, one.reading) for one in known]
        learned = kept.learned
        forms = [form for one in learned.memory.entries for form in one.forms]
        rows = learned.memory.meaning.vectors(forms) if learned.memory.meaning else None
        meaning = KeptArray.of(rows, "<f2") if rows is not None else None
        state, hub = learned.reader.state, kept.hub
        return cls(kept.digests, questions, state, ranker, calibration, hub, kept.usual, kept.calendar, meaning)

    def kept(self, pack: Pack, meaning: MeaningModel | None) -> Kept:
        learned = Learned.of(pack.tables, meaning)
        reader = SqlReader(pack.tables, self.hub, pack.keys.primary)
        for example, reading in self.known:
            query = reader.read(example.sql)
            if query is not None:
                learned.memory.add(example, reading, align(query, reading))
        if meaning is not None and self.meaning is not None:
            meaning.resume((form for one in learned.memory.entries for form in one.forms), self.meaning.array())
        learned.reader.resume(self.reader)
        learned.ranker.resume(self.ranker.array())
        learned.calibration.resume(self.calibration.array())
        return Kept(self.digests, learned, self.hub, self.usual, self.calendar)


class Shelf:
    """The files of one pack and database in a folder."""

    def __init__(self, folder: Path, pack: Pack, db_path: Path, meaning: MeaningModel | None = None) -> None:
        self._folder, self._pack, self._meaning = folder, pack, meaning
        self._of_pack = f"drafts-{pack.name}-"
        self._stem = f"{self._of_pack}{_key(pack, db_path, meaning.identity if meaning else '')}"

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """The file of exactly these examples, or one that lacks only a few of them; None if there is none."""
        wanted = {digest(example) for example in examples}
        for path in _last_used(self._folder, f"{self._stem}-*.drafts")[:_KEPT_OF_A_PACK]:
            file = _read(path)
            most = len(file.digests) + min(_MOST_NEW, len(file.digests)) if file else 0
            if file and wanted.issuperset(file.digests) and len(wanted) <= most:
                try:
                    return file.kept(self._pack, self._meaning)
                except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
                    continue
        return None

    def keep(self, kept: Kept, known: Iterable[Known]) -> None:
        """Writes a file, whole or not at all, of what was learned from the `known` questions. A cache that cannot be
        written costs time and nothing else."""
        together = hashlib.sha256(" ".join(kept.digests).encode()).hexdigest()[:16]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, prefix="drafts-", suffix=".part", delete=False) as part:
                data = msgspec.msgpack.encode(_File.of(kept, known))
                part.write(zlib.crc32(data).to_bytes(_CHECKSUM) + data)
            rename(part.name, self._folder / f"{self._stem}-{together}.drafts")
            # Until version 0.2 these files were Python's own, which may run code when they are read.
            sweep(self._folder, ["drafts-*.part", "drafts-*.pickle"])
            for path in _last_used(self._folder, f"{self._of_pack}*.drafts")[_KEPT_OF_A_PACK:]:
                path.unlink(missing_ok=True)
        except OSError:
            return


def digest(example: Example) -> str:
    """What makes an example the same example."""
    text = repr((example.id, example.question, example.sql, [(one.question, one.sql) for one in example.previous]))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _key(pack: Pack, db_path: Path, meaning: str) -> str:
    """Of everything else that what is learned depends on: this program's own text, the pack's, and the database."""
    room = Path(__file__).parents[1]
    theirs = (pack.folder / name for name in ("domain.toml", "lexicon.toml", "schema.sql"))
    texts = [*sorted([*room.rglob("*.py"), *room.glob("*.toml")]), *(path for path in theirs if path.exists())]
    digested = hashlib.sha256(b"".join(path.read_bytes() for path in texts))
    status = db_path.stat()
    digested.update(f"{db_path.name} {status.st_size} {status.st_mtime_ns} {meaning}".encode())
    return digested.hexdigest()[:16]


def _last_used(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns)
    except OSError:
        return []


def _read(path: Path) -> _File | None:
    """What a file holds; None where there is none of today's form, which is written anew without a word."""
    try:
        data = path.read_bytes()
        if int.from_bytes(data[:_CHECKSUM]) != zlib.crc32(memoryview(data)[_CHECKSUM:]):
            return None
        file = msgspec.msgpack.decode(memoryview(data)[_CHECKSUM:], type=_File)
        # The time of the file is that of its last use.
        os.utime(path)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return None
    return file
