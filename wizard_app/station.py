"""The wizard's station behind its first page: controllers, database, sound, link."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.desk.background import Background
from curtain.desk.listen_control import ListenControl, in_plain_words
from curtain.desk.style import Look
from curtain.link.messages import Message, StationStatus
from curtain.session.events.wizard_events import TakeHeard
from curtain.session.study.study import Study
from wizard_app import preparation
from wizard_app.app import MakeLink, WizardOptions
from wizard_app.conductor import Conductor
from wizard_app.drafts.control import DraftsControl
from wizard_app.drafts.tool import DraftingTool, StartDrafting
from wizard_app.layout_memory import LayoutMemory
from wizard_app.pages.session_list import SessionRow
from wizard_app.pages.work_page import WorkPage
from wizard_app.pages.work_presenter import WorkPresenter
from wizard_app.preparation import OpenDatabase, StudyContent
from wizard_app.session import session_files
from wizard_app.session.control import SessionControl
from wizard_app.session.disk_watch import DiskSpace, DiskWatch
from wizard_app.session.plan import SessionPlan
from wizard_app.session.session_files import OldSession, OpenSession, StationStart
from wizard_app.turn.control import TurnControl
from wizard_app.turn.first_words import DraftTranscriber, FirstWords
from wizard_app.turn.rule_watch import RuleWatch
from wizard_app.turn.sql_control import SqlControl
from wizard_app.turn.statements import PastStatements
from wizard_app.turn.turn_clock import TurnClock
from wizard_app.turn.unsent import Unsent, write_unsent
from wizard_app.window import WizardWindow

if TYPE_CHECKING:
    from curtain.audio.playback import Player
    from curtain.domain.worker.wire import TableInfo

_KEEP_UNSENT_MS = 500  # far below the two seconds promised: the write may wait behind a take that arrives


class WizardStation(QObject):
    """Owns everything of one running station, and lets it go in the right order."""

    def __init__(
        self, window: WizardWindow, look: Look, study: Study, options: WizardOptions, make_link: MakeLink, clock: Clock,
        drafting: StartDrafting | None = None,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self.window = window
        self._study = study
        self._options = options
        self._background = Background(3, self)
        self._files = Background(1, self)
        self._sound = Background(1, self)
        self.link = make_link(self._resend)
        station = StationStart(clock, app_version(), os.getpid())
        self.session = SessionControl(study, self.link, station, self._background, self._files, self)
        self.sql = SqlControl(self._background, self)
        self.turns = TurnControl(self.session.write, self.sql, self)
        self.listen = ListenControl(self._sound, self)
        self._turn_clock = TurnClock(study.deadline_s, clock.monotonic_ns)
        self.drafts = DraftsControl(self._background, self)
        self.conductor = Conductor(
            window, look, self.session, self.turns, self.sql, self.listen, self.drafts, self._present
        )
        self.first_words = FirstWords(self.conductor.work.query, self.session, self.turns, self._background, self)
        self.tool = DraftingTool(
            study, self.session, self.turns, self.drafts, self._background, self._files, drafting, self
        )
        self.rules = RuleWatch(self._background, self)
        self._layout = LayoutMemory(study.folder / "state" / "panels.ini")
        self._disk = DiskWatch(study.folder, self._background, self)
        self._database: OpenDatabase | None = None
        self._database_sha256: str | None = None
        self._domain: StudyContent | None = None
        self._rows: list[SessionRow] | None = None
        self._resume_wished = options.resume
        self._output_name = options.output
        self._kept = Unsent()
        self._keeping = QTimer(self)
        self._keeping.setInterval(_KEEP_UNSENT_MS)
        self._keeping.timeout.connect(self._keep_unsent)
        self._disks = DiskSpace()
        self._wire()

    def begin(self) -> None:
        """Open the link, read the study, open the database and the sound, each in the background."""
        self._layout.restore(self.conductor.work)
        self._listen_for_subject()
        self._background.run(partial(preparation.read_domain, self._study), self._on_domain)
        self._disk.begin()
        self._look_at_sessions()
        self._open_sound(self._options.output or "")
        self._background.run(preparation.outputs, self._on_outputs)

    def close(self) -> None:
        """Let everything go. What was typed and not sent is kept; the session stays as it is."""
        self._keeping.stop()
        self._disk.end()
        self.rules.end()
        self.drafts.end()
        self.conductor.end()
        self._layout.keep(self.conductor.work)
        self._files.close()
        self._keep_at_once()
        self.session.leave()
        self.listen.close()
        self.link.close()
        if self._database is not None:
            self._database.close()
        self._sound.close()
        self._background.close()
        self.tool.close()
        self.first_words.close()

    # -- wiring ------------------------------------------------------------------------------------------

    def _present(self, page: WorkPage) -> WorkPresenter:
        return WorkPresenter(page, self.session, self.turns, self.sql, self.listen, self._turn_clock, self)

    def _resend(self, after: int) -> Iterable[Message]:
        return self.session.resend(after)

    def _wire(self) -> None:
        self.conductor.start_requested.connect(self._on_start)
        self.conductor.resume_requested.connect(self.session.resume)
        self.conductor.look_requested.connect(self._on_look)
        self.conductor.output_chosen.connect(self._open_sound)
        self.conductor.typed.connect(self.rules.follow)
        self.conductor.desk.withdraw_requested.connect(self.tool.withdraw)
        self.conductor.desk.undo_requested.connect(self.tool.undo)
        self.tool.told.connect(self.window.tell)
        self.tool.problem.connect(lambda sentence: self.window.show_passing_trouble("drafts", sentence))
        self.first_words.offered.connect(self.conductor.refresh)
        self.rules.noticed.connect(self.conductor.presenter.show_rules)
        self.session.opened.connect(self._on_opened)
        self.session.closed.connect(self._on_closed)
        self.listen.heard.connect(self._on_heard)
        self.listen.reopen_requested.connect(self._reopen_sound)
        self.session.status_came.connect(self._on_status)
        self._disk.hours_left.connect(lambda hours: self._show_disk(self._disks.with_own(hours)))

    # -- after the first paint -----------------------------------------------------------------------------

    def _listen_for_subject(self) -> None:
        try:
            self.link.listen(self._options.listen)
        except CurtainError as error:
            self.window.show_trouble("link", str(error))
            self.window.start.hinder("link", str(error))

    def _on_domain(self, future: Future[StudyContent]) -> None:
        try:
            domain = future.result()
        except CurtainError as error:
            self.window.start.hinder("domain", str(error))
            self.window.show_trouble("domain", str(error))
            return
        self._domain = domain
        self.session.set_texts(domain.texts)
        self.conductor.presenter.set_rules(domain.book)
        self.rules.set_rules(domain.pack, domain.book)
        self.conductor.show_domain(domain.pack.title, domain.choices, domain.practice, domain.messages)
        self._background.run(partial(preparation.open_database, domain.pack), self._on_database)
        self._resume_if_asked()

    def _on_database(self, future: Future[OpenDatabase]) -> None:
        try:
            self._database = opened = future.result()
        except CurtainError as error:
            self.window.show_trouble("database", str(error))
            self.sql.give_up(str(error))
            self.drafts.give_up(self.tr("There are no drafts without the database."))
            return
        self.sql.set_worker(opened.worker)
        self.rules.set_looker(opened.looker)
        if self._domain is not None:
            self.tool.begin(self._domain.pack, opened.path)
        self._background.when_done(opened.looker.describe(), self._on_described)
        self._background.run(partial(preparation.hash_of, opened.path), self._on_hashed)

    def _on_described(self, future: Future[list[TableInfo]]) -> None:
        schema = preparation.schema_of(future.result())
        self.conductor.work.sql.editor.set_schema(schema)
        self.conductor.work.schema.show_schema(schema)
        if self._study.transcribe and self._domain is not None:
            self._background.run(partial(preparation.transcriber, self._domain.pack, schema), self._on_transcriber)

    def _on_transcriber(self, future: Future[DraftTranscriber]) -> None:
        try:
            self.first_words.set_transcriber(future.result())
        except CurtainError as error:
            self.window.show_passing_trouble("transcriber", str(error))

    def _on_hashed(self, future: Future[str]) -> None:
        try:
            self._database_sha256 = future.result()
        except CurtainError as error:
            self.window.show_trouble("database", str(error))
            return
        self._tell_domain_hash()

    def _resume_if_asked(self) -> None:
        """Straight into the one unfinished session, once both the domain and the list of sessions are there."""
        if not self._resume_wished or self._domain is None or self._rows is None:
            return
        self._resume_wished = False
        waiting = [row.session_id for row in self._rows if not row.closed and not row.fault]
        if len(waiting) == 1:
            self.session.resume(waiting[0])
        elif len(waiting) > 1:
            self.window.tell(self.tr("Several sessions were not ended. Choose the one to resume."))

    def _look_at_sessions(self) -> None:
        self._background.run(partial(session_files.session_rows, self._study), self._on_sessions)
        self._background.run(partial(session_files.statements_of, self._study), self._on_statements)

    def _on_sessions(self, future: Future[list[SessionRow]]) -> None:
        try:
            self._rows = future.result()
        except CurtainError as error:
            self.window.show_trouble("study", str(error))
            return
        self.window.start.show_sessions(self._rows)
        self._resume_if_asked()

    def _on_statements(self, future: Future[list[str]]) -> None:
        try:
            self.conductor.presenter.set_past(PastStatements.of(future.result()))
        except CurtainError as error:
            self.window.show_trouble("study", str(error))

    # -- sound ---------------------------------------------------------------------------------------------

    def _open_sound(self, name: str) -> None:
        self._output_name = name or None
        self._sound.run(partial(_player, self._output_name, self.listen), self._on_player)

    def _reopen_sound(self) -> None:
        """The former player is closed by now, so that the sound system may look for its devices again."""
        self._sound.run(partial(_new_player, self._output_name, self.listen), self._on_player)

    def _on_player(self, future: Future[Player]) -> None:
        from curtain.audio.levels import envelope

        try:
            player = future.result()
        except CurtainError as error:
            self.window.show_trouble("sound", in_plain_words(error))
            return
        self.window.end_trouble("sound")
        why = getattr(player.output, "why", "") if player.output.silent else ""
        self.window.start.show_output_note(why)
        self.listen.set_player(player, envelope)

    def _on_outputs(self, future: Future[list[str]]) -> None:
        try:
            self.window.start.show_outputs(future.result(), self._options.output)
        except CurtainError as error:
            self.window.show_trouble("sound", str(error))

    # -- what happened -------------------------------------------------------------------------------------

    def _on_start(self, plan: SessionPlan) -> None:
        self.session.start(plan, self._database_sha256)

    def _on_opened(self) -> None:
        self._turn_clock.forget()
        self._keeping.start()
        self._tell_domain_hash()

    def _on_closed(self, session: OpenSession) -> None:
        """Nothing typed waits any more, so nothing typed is kept beside the session."""
        self._keeping.stop()
        self._files.run(partial(session.unsent_path.unlink, missing_ok=True), self._on_kept)
        self._look_at_sessions()

    def _on_heard(self, turn: int) -> None:
        known = self.session.progress.turns.get(turn)
        if known is not None and not known.heard and not self.session.closing:
            self.session.write([(TakeHeard(), turn)])

    def _on_look(self, session_id: str) -> None:
        """Look at an old session, or, without an id, see what sessions there are now."""
        if not session_id:
            self._look_at_sessions()
            return
        self._background.run(partial(session_files.look, self._study, session_id), self._on_looked)

    def _on_looked(self, future: Future[OldSession]) -> None:
        try:
            self.conductor.show_archive(future.result())
        except CurtainError as error:
            self.window.tell(str(error))

    def _on_status(self, status: StationStatus) -> None:
        self._show_disk(self._disks.with_subject(status.disk_hours, status.disk_trouble))

    def _show_disk(self, disks: DiskSpace) -> None:
        if disks == self._disks and disks.hours is not None:
            return
        self._disks = disks
        self.window.top.show_disk(disks.hours)
        self.window.start.hinder("disk", disks.refusal)
        if disks.warning:
            self.window.show_trouble("disk", disks.warning)
        else:
            self.window.end_trouble("disk")

    def _tell_domain_hash(self) -> None:
        """session.json names the very database and rule-book, also when they were read after the session began."""
        if self._database_sha256 is not None:
            rule_book = self._domain.book.year if self._domain is not None else None
            known = {"domain_content_sha256": self._database_sha256, "principles": rule_book}
            self.session.describe(known, self._on_told_hash)

    def _on_told_hash(self, future: Future[None]) -> None:
        try:
            future.result()
        except CurtainError as error:
            self.window.show_trouble("study", str(error))

    def _keep_unsent(self) -> None:
        session = self.session.session
        if session is None:
            return
        typed = self._typed()
        if typed != self._kept:
            self._kept = typed
            self._files.run(partial(write_unsent, session.unsent_path, typed), self._on_kept)

    def _typed(self) -> Unsent:
        return Unsent(turns=self.turns.unsent, blanks=self.conductor.work.messages.blanks)

    def _keep_at_once(self) -> None:
        session = self.session.session
        if session is not None:
            with contextlib.suppress(OSError):
                write_unsent(session.unsent_path, self._typed())

    def _on_kept(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            self.window.show_trouble("unsent", self.tr("What you type cannot be kept: {0}.").format(error.strerror))
        else:
            self.window.end_trouble("unsent")


def app_version() -> str:
    try:
        return version("curtain-woz")
    except PackageNotFoundError:
        return "0"


def _player(name: str | None, listen: ListenControl) -> Player:
    """Raises CurtainError."""
    from curtain.audio.outputs import choose_output
    from curtain.audio.playback import Player, PlayerListener

    class Teller(PlayerListener):
        def on_output_lost(self, reason: str) -> None:
            listen.output_lost.emit(reason)

    player = Player(choose_output(name), Teller())
    player.open()
    return player


def _new_player(name: str | None, listen: ListenControl) -> Player:
    """With the devices that are there now. Raises CurtainError."""
    from curtain.audio.devices import rescan

    rescan()
    return _player(name, listen)
