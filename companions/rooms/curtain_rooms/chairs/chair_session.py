"""The session as a joined chair has it: folded from the host's lines; what is done here is wished for there."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Slot

from curtain.base.scratch import ScratchFolder
from curtain.link.heartbeat import Tie
from curtain.qt.background import Background
from curtain.session.bundle.bundle import Bundle
from curtain.session.chairs.messages import SessionHere
from curtain.session.events.wizard_events import DraftShown, NotHeard, TakeHeard, WizardFact, WordsHeard
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import BadLine, parse_line
from curtain.session.roles import MAY_HOLD
from curtain.session.study.study import Study
from curtain_rooms.chairs.chair_link import ChairLink
from wizard_app.desk.session.control import SessionControl, while_open
from wizard_app.desk.session.open_session import OpenSession, wizard_fact
from wizard_app.desk.session.progress import Facts, SessionProgress, with_wizard_fact
from wizard_app.desk.session.session_files import StationStart
from wizard_app.desk.session.states import Idle, Running
from wizard_app.desk.session.subject.quota import Announced
from wizard_app.desk.session.unsent import read_unsent


class ChairSession(SessionControl):
    """Writes nothing of its own. A session that the host opens, resumes or closes does the same here."""

    hosts = False

    def __init__(
        self, study: Study, link: ChairLink, station: StationStart, background: Background, files: Background,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(study, link, station, background, files, parent)
        self._chair_link = link
        self._chair = link.chair
        self._scratch = ScratchFolder("chair")
        self._sittings = 0
        self._host: Tie | None = None
        self._subject_to_host_ns: int | None = None
        link.session_here.connect(self._on_session_here)
        link.wizard_line.connect(self._on_wizard_line)
        link.not_written.connect(self.write_failed)
        link.host_tied.connect(self._on_host_tied)

    def write(self, facts: Facts, done: Callable[[bool], None] | None = None) -> None:
        """Wish for it; it has happened when its lines come back."""
        # What this desk notes by itself about parts that are not its own is nobody's wish.
        wished = [(fact, turn) for fact, turn in facts if not self._is_foreign_note(fact)]
        if self.running and wished:
            self._chair_link.write(wished)

    def _is_foreign_note(self, fact: WizardFact) -> bool:
        if isinstance(fact, TakeHeard):
            return self._chair == "observer"
        if isinstance(fact, WordsHeard | NotHeard):
            return "transcription" not in MAY_HOLD[self._chair]
        return isinstance(fact, DraftShown) and "answer" not in MAY_HOLD[self._chair]

    def describe(self, fields: dict[str, Any], done: Callable[[Future[None]], None]) -> None:
        """The host describes the session."""

    def leave(self) -> None:
        """Let the session go; nothing of it stays on this machine."""
        super().leave()
        self._scratch.close()

    @Slot(object)
    def _on_session_here(self, here: SessionHere) -> None:
        before, self.state = self.open_session, Idle()
        if before is not None:
            before.session.journal.close()
            before.copy.close()
        self._subject_to_host_ns = None
        if not here.session_id:
            if before is not None:
                self.closed.emit(before.session)
            return
        self._sittings += 1
        folder = self._scratch.path / f"{self._sittings}" / here.session_id
        (folder / "audio").mkdir(parents=True)
        bundle = Bundle(folder)
        # One path for a session that comes back: what was typed when the link broke is still there.
        unsent_path = self._scratch.path / f"{here.session_id}.json"
        session = OpenSession(
            bundle=bundle,
            session_id=here.session_id,
            journal=Journal(bundle.wizard_journal, self._station.clock),  # stays empty: the lines are the host's
            replica=Replica(bundle.subject_journal),
            progress=SessionProgress(),
            identity=here.identity,
            unsent=read_unsent(unsent_path),
            unsent_path=unsent_path,
        )
        self._run(session).audio.link_up()
        self.opened.emit()
        self.link_changed.emit(True)

    @Slot(object, bytes)
    @while_open
    def _on_wizard_line(self, running: Running, seq: int, line: bytes) -> None:
        session = running.session
        try:
            entry = parse_line(line)
        except BadLine:
            return  # damaged at the host, which says so there
        before = replace(session.progress, offset_ns=self._subject_to_host_ns)
        grown = with_wizard_fact(before, wizard_fact(entry), entry.turn, entry.t_ns, entry.seq)
        self._subject_to_host_ns = grown.offset_ns
        self._take_progress(running, replace(grown, offset_ns=self._subject_to_here_ns))
        self.progress_changed.emit()

    @Slot(object)
    def _on_host_tied(self, tie: Tie) -> None:
        self._host = tie
        if self.session is not None:
            self.session.progress = replace(self.session.progress, offset_ns=self._subject_to_here_ns)
            self.progress_changed.emit()

    @property
    def _subject_to_here_ns(self) -> int | None:
        """The host ties the subject's clock to its own; that one is tied to this machine's over the chair's link."""
        if self._host is None or self._subject_to_host_ns is None:
            return None
        return self._subject_to_host_ns + self._host.offset_ns

    def _on_lost(self) -> None:
        """The host is gone for a moment; it journals what happens to its own link."""
        if (running := self.open_session) is not None:
            running.audio.link_lost()
        self.link_changed.emit(False)

    def _want(self, running: Running, turn: int, take: Announced) -> None:
        """A chair hears takes; what else was recorded stays at the host."""
        if take.recording == take.utterance_id:
            super()._want(running, turn, take)
