"""What the station reads behind its first page: the study, its database, its earlier sessions."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from curtain.qt.background import Background, or_else
from curtain.session.study.study import Study, erased_sessions
from wizard_app.desk import preparation
from wizard_app.desk.preparation import OpenDatabase, StudyContent
from wizard_app.desk.session import session_files
from wizard_app.desk.session.session_rows import SessionRow

if TYPE_CHECKING:
    from curtain.domain.wire import TableInfo

Value = TypeVar("Value")


class StudyLoading(QObject):
    """Each signal brings one thing that has been read; `failed(what, sentence)` says what could not be."""

    content_read = Signal(object)
    database_opened = Signal(object)
    schema_read = Signal(object)
    database_hashed = Signal(str)
    transcriber_ready = Signal(object)
    sessions_read = Signal(list)
    erased_read = Signal(object)
    statements_read = Signal(list)
    archive_read = Signal(object)
    failed = Signal(str, str)

    def __init__(self, study: Study, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._study = study
        self._background = background
        self.content: StudyContent | None = None
        self.database: OpenDatabase | None = None
        self.database_sha256: str | None = None
        self.sessions: list[SessionRow] | None = None

    def begin(self) -> None:
        """Read the domain and the list of sessions, away from the window."""
        self._background.run(partial(preparation.read_domain, self._study), self._or_failed("domain", self._on_content))
        self.read_sessions()

    def close(self) -> None:
        """End the processes of the database, if it was opened."""
        if self.database is not None:
            self.database.close()

    def read_sessions(self) -> None:
        """The sessions of the study and the statements that were run in them."""
        self._background.run(
            partial(session_files.session_rows, self._study), self._or_failed("study", self._on_sessions)
        )
        self._background.run(
            partial(session_files.statements_of, self._study), self._or_failed("study", self.statements_read.emit)
        )

    def look_at(self, session_id: str) -> None:
        """An old session to look at; it comes as `archive_read`."""
        self._background.run(
            partial(session_files.look, self._study, session_id), self._or_failed("archive", self.archive_read.emit)
        )

    def _on_content(self, content: StudyContent) -> None:
        self.content = content
        self.content_read.emit(content)
        work = partial(preparation.open_database, content.pack, self._study.show)
        self._background.run(work, self._or_failed("database", self._on_database))

    def _on_database(self, opened: OpenDatabase) -> None:
        self.database = opened
        self.database_opened.emit(opened)
        # Of the looker, so that a first run of the wizard does not wait behind the list of tables.
        self._background.when_done(opened.looker.describe(), self._on_described)
        self._background.run(partial(preparation.hash_of, opened.path), self._or_failed("study", self._on_hashed))

    def _on_described(self, future: Future[list[TableInfo]]) -> None:
        schema = preparation.schema_of(future.result())
        self.schema_read.emit(schema)
        if self._study.transcribes and self.content is not None:
            work = partial(preparation.transcriber, self._study, self.content.pack, schema)
            self._background.run(work, self._or_failed("transcriber", self.transcriber_ready.emit))

    def _on_hashed(self, sha256: str) -> None:
        self.database_sha256 = sha256
        self.database_hashed.emit(sha256)

    def _on_sessions(self, rows: list[SessionRow]) -> None:
        self.sessions = rows
        self.erased_read.emit({one[:3] for one in erased_sessions(self._study.folder)})
        self.sessions_read.emit(rows)

    def _or_failed(self, what: str, done: Callable[[Value], object]) -> Callable[[Future[Value]], None]:
        return or_else(done, lambda error: self.failed.emit(what, str(error)))
