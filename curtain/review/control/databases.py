"""The guarded databases that statements are run in again, one for each domain and rule-book, opened when needed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from curtain.corpus.annotation.recompute import Recomputed, Recomputer, open_recomputer
from curtain.corpus.model.domains import Domains
from curtain.desk.background import Background
from curtain.desk.sql_text import EditorSchema
from curtain.review.control.material import LiveSession


class Databases:
    """Runs one statement after another, away from the window."""

    def __init__(self, background: Background) -> None:
        """`background` must do one thing after the other."""
        self._background = background
        self._domains = Domains()
        self._open: dict[tuple[str, str], Recomputer] = {}

    def run(
        self, sitting: LiveSession, sql_min: str, sql_max: str, yes_no: bool, done: Callable[[Future[Recomputed]], None]
    ) -> None:
        """`done` gets what came of it, or the PackError that keeps the database closed."""
        self._background.run(lambda: self._of(sitting).run(sql_min, sql_max, yes_no=yes_no), done)

    def describe(self, sitting: LiveSession, done: Callable[[Future[EditorSchema]], None]) -> None:
        """Names of tables and columns, for completion."""
        self._background.run(lambda: _schema(self._of(sitting)), done)

    def compare(self, sitting: LiveSession, done: Callable[[Future[bool]], None]) -> None:
        """Whether the database here is the very one that the session ran on."""
        self._background.run(lambda: self._of(sitting).is_database_of(sitting.session), done)

    def interrupt(self) -> None:
        """Stop the statement that runs now."""
        # A copy, since another thread may open a database meanwhile.
        for database in list(self._open.values()):
            database.interrupt()

    def close(self) -> None:
        """Called where waiting is allowed, when nothing runs any more."""
        for database in self._open.values():
            database.close()

    def _of(self, sitting: LiveSession) -> Recomputer:
        session = sitting.session
        # The rule-book decides how answers are written, so one domain may be open twice.
        key = (session.domain, session.rule_book)
        if key not in self._open:
            self._open[key] = open_recomputer(session, self._domains)
        return self._open[key]


def _schema(recomputer: Recomputer) -> EditorSchema:
    tables = recomputer.tables()
    return EditorSchema(
        tables={table.name: tuple(column.name for column in table.columns) for table in tables},
        values={(table.name, column.name): tuple(column.values) for table in tables for column in table.columns},
    )
