"""What took longest to learn from answered questions, kept in the user's cache: weights, and vectors of questions.

A file for each pack, database and store. The questions and their statements are read anew.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np

from curtain.base.disk import rename
from curtain.base.privacy import sweep
from curtain.domain.pack.pack import Pack

from ..examples.meaning import MeaningModel
from ..examples.reader import Reader
from ..ranking.candidate import CALIBRATION, START
from ..ranking.training import Kept
from ..values import Example

# A pack keeps its last two stores, so that small packs do not push a large one out.
_KEPT_OF_A_PACK = 2
_MOST_NEW = 300
_OF_READER = "reader/"


class Shelf:
    """The files of one pack and database in a folder."""

    def __init__(self, folder: Path, pack: Pack, db_path: Path, meaning: MeaningModel | None = None) -> None:
        self._folder, self._meaning = folder, meaning
        self._of_pack = f"drafts-{pack.name}-"
        self._stem = f"{self._of_pack}{_key(pack, db_path, meaning.identity if meaning else '')}"

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """What was learned from exactly these examples, or from all but a few of them; None if there is nothing.
        Vectors of questions go to the model of meaning."""
        wanted = {_digest(example): example for example in examples}
        for path in self._last_used(f"{self._stem}-*.npz")[:_KEPT_OF_A_PACK]:
            try:
                with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                    known = set(file["digests"].tolist())
                    weights = (
                        file["ranker"].astype("f8", casting="safe"),
                        file["calibration"].astype("f8", casting="safe"),
                    )
                    fits = [one.shape for one in weights] == [(len(START),), (len(CALIBRATION),)]
                    if fits and wanted.keys() >= known and len(wanted) - len(known) <= min(_MOST_NEW, len(known)):
                        reader = Reader()
                        names = [name for name in file.files if name.startswith(_OF_READER)]
                        reader.resume({name.removeprefix(_OF_READER): file[name] for name in names})
                        if self._meaning:
                            self._meaning.known |= zip(file["texts"].tolist(), file["rows"].astype("f4"), strict=True)
                        # The time of the file is that of its last use.
                        path.touch()
                        return Kept(frozenset(wanted[one] for one in known), *weights, reader)
            except (OSError, ValueError, TypeError, LookupError, EOFError, zipfile.BadZipFile):
                continue
        return None

    def keep(self, kept: Kept) -> None:
        """Writes a file, whole or not at all. A cache that cannot be written costs time and nothing else."""
        digests, known = sorted(map(_digest, kept.examples)), self._meaning.known if self._meaning else {}
        together = hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]
        rows = np.array(list(known.values()), "f2")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, prefix="drafts-", suffix=".part", delete=False) as part:
                read = {f"{_OF_READER}{name}": array for name, array in kept.reader.state.items()}
                np.savez(part, digests=np.array(digests, str), ranker=kept.ranker, calibration=kept.calibration,
                         texts=np.array(list(known), str), rows=rows, allow_pickle=False, **read)  # fmt: skip
            rename(part.name, self._folder / f"{self._stem}-{together}.npz")
            # Files of earlier versions had other names.
            sweep(self._folder, ["drafts-*.part", "drafts-*.pickle", "drafts-*.drafts"])
            for path in self._last_used(f"{self._of_pack}*.npz")[_KEPT_OF_A_PACK:]:
                path.unlink(missing_ok=True)
        except OSError:
            return

    def _last_used(self, pattern: str) -> list[Path]:
        try:
            return sorted(self._folder.glob(pattern), key=lambda path: -path.stat().st_mtime_ns)
        except OSError:
            return []


def _digest(example: Example) -> str:
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
