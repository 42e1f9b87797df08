"""The annotator's window, put together in one place: first the window, and behind its first paint all the rest."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.privacy import keep_files_private
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import print_error
from curtain.corpus.annotation.recompute import Recomputed, Recomputer, open_recomputer
from curtain.corpus.annotation.sample import sample_of
from curtain.corpus.model.domains import Domains
from curtain.qt.background import Background
from curtain.qt.languages.translation import WindowLanguage, translate
from curtain.qt.paint_events import when_painted
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look
from curtain.qt.windows.dialog import ask_to_close
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain.review.control.material import LiveSession
from curtain.review.control.shelf import AnnotatedSessions, Content, Person, ShelfReader, Volume
from curtain.review.pages.window import ReviewWindow
from curtain.session.study.study import Study, load_study

if TYPE_CHECKING:
    from curtain.qt.listen_control import ListenControl
    from curtain.review.control.control import AnnotateControl
    from curtain.review.pages.presenter import Presenter


@dataclass(frozen=True, kw_only=True)
class ReviewOptions(WindowOptions):
    """`by`: who annotates, the user if empty; `sample`: per cent of the turns, the same for everybody, which another
    `seed` draws anew; `session`: these alone, all if empty; `output`: the loudspeaker by name."""

    study: Path = Path()
    by: str = ""
    second: bool = False
    adjudicate: bool = False
    sample: str | None = None
    seed: int | None = None
    output: str | None = None
    session: list[str] = field(default_factory=list)


class ReviewApp(QObject):
    """The window at once; sessions, sound and databases behind it. `ready`: a turn is open, or it cannot be."""

    ready = Signal()
    _read = Signal(int, int)

    def __init__(self, study: Study, look: Look, person: Person, options: ReviewOptions) -> None:
        super().__init__()
        self._study = study
        self._person = person
        self._options = options
        self._clock = Clock()
        # One thread each: a long statement must not hold up a saving, nor a saving the sound.
        self._files = Background(1, self)
        self._sound = Background(1, self)
        self._queries = Background(1, self)
        self._scratch = ScratchFolder("annotate")
        title = translate("Review", "Annotate {0} as {1}").format(real_path(study.folder).name, person.by)
        self.window = ReviewWindow(title, look)
        self._control: AnnotateControl | None = None
        self._databases: Databases | None = None
        self._listen: ListenControl | None = None
        self._presenter: Presenter | None = None
        self._reader: ShelfReader | None = None
        self._compared: set[str] = set()
        self._ahead: Volume | None = None
        self._leaving = False
        self._warned = False
        self.window.may_close = self._may_close
        self._read.connect(self._on_read)

    def begin(self) -> None:
        """Show the empty window, and read the study once it is painted: a large study takes seconds."""
        self.window.show()
        when_painted(self.window, self._furnish)

    def close(self) -> None:
        """Keep what is unsaved, wait until it is safe, and let everything go."""
        self.window.may_close = lambda: True
        self._reader = None
        if self._control is not None:
            self._control.keep_draft()
            self._control.retry()
        if self._databases is not None:
            self._databases.interrupt()
        # One thing after the other, so behind this everything before it is written.
        self._files.run(lambda: None).result()
        for background in (self._files, self._queries, self._sound):
            background.close()
        if self._databases is not None:
            self._databases.close()
        if self._listen is not None:
            self._listen.close()
        self._scratch.close()

    def _furnish(self) -> None:
        self._files.run(self._read_shelf, self._on_shelf)

    def _read_shelf(self) -> AnnotatedSessions:
        self._reader = ShelfReader(self._study, self._person, self._clock, self._options.session)
        return self._reader.read_first(self._read.emit)

    def _read_on(self) -> None:
        """The sessions that nobody waits for, behind the window."""
        if self._reader is not None and self._reader.unread:
            self._files.run(self._reader.read_more, self._on_more)

    def _on_more(self, future: Future[list[Volume]]) -> None:
        if self._control is None or self._reader is None:
            return  # the window was closed meanwhile
        self._control.take_sessions(future.result(), self._reader.unread)
        if self._reader.skipped and not self._reader.unread:
            self.window.problem.show_text(self._reader.skipped[0])
        self._read_on()

    def _on_read(self, done: int, of: int) -> None:
        self.window.show_loading(self.tr("Reading the sessions: {0} of {1}").format(done, of))

    def _on_shelf(self, future: Future[AnnotatedSessions]) -> None:
        try:
            shelf = future.result()
        except CurtainError as error:
            self.window.show_loading(str(error))
            self.window.setProperty("state", "failed")
        else:
            self._open(shelf)
        self.ready.emit()

    def _open(self, shelf: AnnotatedSessions) -> None:
        # Imported here: what is heavy is loaded when there is something to look at.
        from curtain.qt.listen_control import ListenControl
        from curtain.review.control.control import AnnotateControl
        from curtain.review.control.listening import TakeListening
        from curtain.review.pages.presenter import Presenter

        listen = self._listen = ListenControl(self._sound, self)
        databases = self._databases = Databases(self._queries)
        control = self._control = AnnotateControl(shelf, self._files.run, self._run)
        hearing = TakeListening(self._sound, listen, self._scratch.path, self._options.output)
        self._presenter = Presenter(self.window, control, hearing, databases.interrupt)
        self._presenter.shown.connect(self._on_shown)
        self._presenter.begin()
        hearing.begin()
        databases.describe(control.turn.sitting, self._on_schema)
        if shelf.skipped:
            self.window.problem.show_text(shelf.skipped[0])
        self._read_on()

    def _run(
        self, sitting: LiveSession, sql_min: str, sql_max: str, yes_no: bool, done: Callable[[Future[Recomputed]], None]
    ) -> None:
        """A statement; behind the first of a session it is looked whether the database is the one it ran on."""
        assert self._databases is not None
        self._databases.run(sitting, sql_min, sql_max, yes_no, done)
        if sitting.session_id not in self._compared:
            self._compared.add(sitting.session_id)
            self._databases.compare(sitting, partial(self._on_compared, sitting.session_id))

    def _on_compared(self, session_id: str, future: Future[bool]) -> None:
        assert self._presenter is not None
        try:
            self._presenter.show_database(session_id, future.result())
        except CurtainError as error:
            self.window.show_notice(str(error))

    def _may_close(self) -> bool:
        """Not before everything is on the disk; what the disk does not take is reported once, and then given up."""
        if self._control is None or self._warned:
            return True
        if self._control.picked and not self._control.writing:
            text = self.tr("You have picked sides for this turn and not ruled yet. What you picked is not kept.")
            ask_to_close(self.window.look, text, self.tr("Leave it open"), self._leave, self.window)
            return False
        self._control.keep_draft()
        self._leaving = self._control.writing
        if self._leaving:
            self._control.retry()
        return not self._leaving

    def _leave(self) -> None:
        self._warned = True
        self.window.close()

    def _read_ahead(self, control: AnnotateControl) -> None:
        """The session of the next turn, so that going on waits for nothing."""
        ahead = control.ahead
        if ahead is not None and self._ahead is None:
            self._ahead = ahead
            self._files.run(ahead.read, partial(self._on_ahead, control, ahead))

    def _on_ahead(self, control: AnnotateControl, volume: Volume, future: Future[Content]) -> None:
        self._ahead = None
        # What cannot be read is reported when somebody opens a turn of it; what was opened meanwhile has newer rows.
        with suppress(CurtainError):
            if not volume.is_read:
                control.shelf.take(volume, future.result())

    def _on_shown(self) -> None:
        if self._control is None:
            return
        self._read_ahead(self._control)
        if not self._leaving:
            return
        if self._control.problem:
            self._leaving, self._warned = False, True
            self.window.show_notice(self.tr("Not everything is on the disk yet. Close again to leave anyway."))
        elif not self._control.writing:
            self._leaving = False
            self.window.close()

    def _on_schema(self, future: Future[EditorSchema]) -> None:
        assert self._presenter is not None
        try:
            self._presenter.page.readings.set_schema(future.result())
        except CurtainError as error:
            self.window.show_notice(str(error))


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


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(ReviewOptions, arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        sample = None if given.sample is None else sample_of(given.sample, given.seed)
        person = Person(_name(given.by), given.second, given.adjudicate, sample)
    except CurtainError as error:
        print_error(error)
        return 2
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("annotate", study.folder / "logs", given, language) as program:
        review = ReviewApp(study, program.look, person, given)
        program.bind(review.window, review.window.show_notice)
        return program.run(review.window, review.begin, review.close, given.drive)


def _name(given: str) -> str:
    name = " ".join((given or getpass.getuser()).split())
    if not name:
        raise CurtainError("Say who annotates: --by NAME.")
    return name
