"""Databases that stay open from one station of a test to that of the next: to start their children takes longer than
most tests."""

from pathlib import Path

from curtain.base.table import Show
from curtain.domain.pack.pack import Pack, content_sha256, database
from curtain.domain.worker.worker import SqlWorker
from wizard_app.desk.preparation import OpenDatabase


class LastingWorker(SqlWorker):
    """A station that closes it stops what it runs, and leaves it to the next one."""

    def close(self) -> None:
        self.interrupt()

    def end(self) -> None:
        super().close()


class LastingDatabases:
    """Opens the database of each pack once. `end` closes them all."""

    def __init__(self) -> None:
        self._opened: list[tuple[tuple[Pack, Show], LastingWorker, LastingWorker]] = []
        self._hashes: dict[Path, str] = {}

    def open(self, pack: Pack, show: Show) -> OpenDatabase:
        """In the place of `preparing.open_database`."""
        path = database(pack)
        for known, worker, looker in self._opened:
            if known == (pack, show):
                return OpenDatabase(path, worker, looker)
        worker, looker = LastingWorker(path, pack, show=show), LastingWorker(path, pack, with_spare=False)
        self._opened.append(((pack, show), worker, looker))
        return OpenDatabase(path, worker, looker)

    def hash_of(self, path: Path) -> str:
        """In the place of `preparing.hash_of`."""
        if path not in self._hashes:
            self._hashes[path] = content_sha256(path)
        return self._hashes[path]

    def end(self) -> None:
        for _, worker, looker in self._opened:
            worker.end()
            looker.end()
