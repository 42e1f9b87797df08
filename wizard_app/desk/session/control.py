"""One session from its first line to its manifest: journals, link, audio. No widgets here.

Order is everything: a fact is on the disk before anybody learns of it, a line of the subject's journal is on
the disk before it is acknowledged. What is in memory is a fold of the two journals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.errors import CurtainError
from curtain.link import messages as link_messages
from curtain.link.qt import SessionLink
from curtain.qt.background import Background, or_else
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.lines import JournalEntry, parse_line
from curtain.session.study.study import Study
from wizard_app.desk.session import session_files
from wizard_app.desk.session.ending import RETRY_MS, SessionEnding, close_mirror, recordings_text
from wizard_app.desk.session.mirror import Mirror
from wizard_app.desk.session.open_session import OpenSession, subject_fact, wizard_fact
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.desk.session.progress import Facts, SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.session.restoring import keep_numbers, mirror_of
from wizard_app.desk.session.scenarios import scenario_left, scenario_started
from wizard_app.desk.session.seat import OF_A_CONNECTION, SubjectSeat, SubjectTexts
from wizard_app.desk.session.session_files import StationStart
from wizard_app.desk.session.states import Closing, Idle, Opening, Running, SessionState
from wizard_app.desk.session.subject.audio_fetch import AudioFetch
from wizard_app.desk.session.subject.outbox import Outbox, messages_of
from wizard_app.desk.session.subject.quota import (
    AUDIO_A_SECOND,
    AUDIO_AT_ONCE,
    LINES_A_SECOND,
    LINES_AT_ONCE,
    Allowance,
    Announced,
    most_bytes,
    refusal_of,
)
from wizard_app.desk.session.subject.subject_copy import SubjectCopy, lines_back

_OVERLONG = "The subject’s station sends more data for the recording of turn {0} than it announced. It is not fetched."
_SENT_BACK = "The subject’s station has lost a part of its record of session {0} and is getting it back from here."
_DECLINED = {
    "differs": "The subject’s station has a record of session {0} that differs from the one here.",
    "behind": "The subject’s station has lost part of its record of session {0}. This station still has it.",
    "unusable": "The subject’s station cannot open its folder of session {0}. Its log says why.",
    "elsewhere": "The subject’s station is in another session than {0}. Start it again.",
}


P = ParamSpec("P")


def while_open(react: Callable[Concatenate[Any, Running, P], None]) -> Callable[Concatenate[Any, P], None]:
    """React with the session that is open. Else the event is ignored: it belongs to no session."""

    @wraps(react)
    def pass_on(control: SessionControl, /, *args: P.args, **options: P.kwargs) -> None:
        if (running := control.open_session) is not None:
            react(control, running, *args, **options)

    return pass_on


class SessionControl(QObject):
    """Opens, runs and closes one session at a time. `hosts`: here, and not at another desk.

    `texts`: what the subject's station learns about study and domain when it joins.
    """

    hosts = True

    opening = Signal()
    opened = Signal()
    progress_changed = Signal()
    link_changed = Signal(bool)
    status_came = Signal(object)
    take_here = Signal(int, object)
    live_sound_came = Signal(object)
    write_failed = Signal(list)
    line_written = Signal(int)
    line_copied = Signal(int, bytes)
    scenario_ending = Signal()
    problem = Signal(str, str)
    problem_over = Signal(str)
    closed = Signal(object)

    def __init__(
        self, study: Study, link: SessionLink, station: StationStart, background: Background, files: Background,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """`files` must do one thing after the other."""
        super().__init__(parent)
        self._study = study
        self._link = link
        self._station = station
        self._background = background
        self._files = files
        self.texts = SubjectTexts()
        self.state: SessionState = Idle()
        self.ending = SessionEnding(self, link, study, files)
        self.seat = SubjectSeat(self, link, study, station.clock, files)
        self._room = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._room.timeout.connect(self._look_for_room)
        link.received.connect(self._on_received)
        link.acked.connect(self._on_acked)
        link.lost.connect(self._on_lost)

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def progress(self) -> SessionProgress:
        """What has happened so far; an empty one without a session."""
        return self.session.progress if self.session is not None else SessionProgress()

    @property
    def open_session(self) -> Running | None:
        """The session that is open, with what copies and fetches it, also while it closes; None if there is none."""
        match self.state:
            case Closing(running=running) | (Running() as running):
                return running
        return None

    @property
    def session(self) -> OpenSession | None:
        """The session whose files are open; None if there is none."""
        return None if (running := self.open_session) is None else running.session

    @property
    def running(self) -> bool:
        """Whether a session is open, also while it is closing."""
        return isinstance(self.state, Running | Closing)

    @property
    def closing(self) -> bool:
        """The session was ended; what is still on its way is being waited for."""
        return isinstance(self.state, Closing)

    @property
    def open_forms(self) -> list[str]:
        """The titles of what the subject has to fill in now, while no scenario runs."""
        return [] if self.progress.scenario else self.texts.missing_forms(self.progress)

    @property
    def wizard_form(self) -> link_messages.Form | None:
        """What the wizard fills in now, once the session is over."""
        return next(iter(self.texts.missing_of_wizard(self.progress)), None) if self.closing else None

    @property
    def link_up(self) -> bool:
        """Whether the subject's station is connected."""
        return self._link.up

    def take_path(self, turn: int) -> Path | None:
        """The take of a turn if it is safe here."""
        at, running = self.progress.turns.get(turn), self.open_session
        if running is None or at is None or at.take is None or at.take.utterance_id not in running.audio.safe:
            return None
        return running.audio.path_of(at.take.utterance_id)

    def resend(self, after: int) -> Iterable[link_messages.Message]:
        """Everything the subject must still be shown after this line of our journal; the link asks for it."""
        if self.session is None:
            return iter(())
        return messages_of(self.session.facts_after(after), self.outbox(self.progress))

    # -- beginning ---------------------------------------------------------------------------------------

    def start(self, plan: SessionPlan, domain_sha256: str | None) -> None:
        """Begin a new session; the subject is welcomed only when session and consent are on the disk."""
        plan = replace(plan, inputs={name: one.input for name, one in self.texts.scenarios.items()})
        self._open(partial(session_files.begin, self._study, plan, domain_sha256, self._station))

    def resume(self, session_id: str) -> None:
        """Go on with a session that was not ended."""
        self._open(partial(session_files.resume, self._study, session_id, self._station))

    def _open(self, work: Callable[[], OpenSession]) -> None:
        """Ignored while another session is open: its files must not be left without an end."""
        if isinstance(self.state, Idle):
            self.state = opening = Opening()
            self.opening.emit()
            self._files.run(work, partial(self._on_opened, opening))

    def leave(self) -> None:
        """Let go of the session's files; it stays as it is. Called where waiting is allowed."""
        self.ending.settle.stop()
        self._room.stop()
        running, self.state = self.open_session, Idle()
        if running is None:
            return
        self.end_problems()
        running.session.journal.close()
        running.copy.close()
        if running.mirror is not None:
            close_mirror(running.mirror)

    # -- writing -----------------------------------------------------------------------------------------

    @while_open
    def write(self, running: Running, facts: Facts, done: Callable[[bool], None] | None = None) -> None:
        """Journal facts, then send the subject what is for the subject; behind it `done(on_disk)` is called."""
        # All of them in one write: a correction must not be on the disk without what corrects.
        futures = running.session.journal.append_all(facts)
        for (_, turn), future in zip(facts, futures, strict=True):
            self._background.when_done(future, partial(self._on_written, running, turn))
        if done is not None and futures:
            self._background.when_done(futures[-1], lambda future: done(future.exception() is None))

    @while_open
    def describe(self, running: Running, fields: dict[str, Any], done: Callable[[Future[None]], None]) -> None:
        """Put what is known only now into session.json, unless its files are already being let go: nothing may change
        behind the manifest."""
        if not (isinstance(self.state, Closing) and self.state.letting_go):
            self._files.run(partial(running.session.bundle.update_session_json, **fields), done)

    def end_scenario(self, ended: wizard.ScenarioEnded, then: str | None = None) -> None:
        """The scenario is over, as the wizard says it was; `then` is the id of the one that begins at once."""
        self.scenario_ending.emit()
        opened = self.progress.opened
        begun: Facts = [(scenario_started(opened, then), None)] if then is not None and opened is not None else []
        self.write([(ended, None), *begun])

    def begin_scenario(self, scenario_id: str) -> None:
        """Show another scenario; one that still runs ends with it."""
        # Before its end is journaled: what waits for its moment belongs to the scenario.
        self.scenario_ending.emit()
        progress = self.progress
        if progress.opened is None or progress.closed is not None:
            return
        facts: Facts = []
        if progress.scenario is not None:
            facts.append((scenario_left(progress, progress.scenario.scenario_id, "next"), None))
        self.write([*facts, (scenario_started(progress.opened, scenario_id), None)])

    @Slot()
    def toggle_pause(self) -> None:
        """Pause the session, or go on with it; the subject sees a quiet page meanwhile."""
        self.write([(wizard.Resumed() if self.progress.paused else wizard.Paused(), None)])

    @Slot()
    def answer_call(self) -> None:
        """Somebody sees to the subject's call for help."""
        if self.progress.calls_for_help:
            self.write([(wizard.CallAnswered(calls=self.progress.calls), None)])

    def fill_form(self, form: str, item: str, value: str) -> None:
        """Journal one answer of the wizard to a questionnaire of his own."""
        self.write([(wizard.WizardFormFilled(form=form, values={item: value}, complete=False), None)])

    def finish_form(self, form: str, left_out: Sequence[str]) -> None:
        """The wizard goes on from a questionnaire; the journal says which items have no answer."""
        # Not from `progress`, which lacks the answers that are not on the disk yet.
        self.write([(wizard.WizardFormFilled(form=form, values=dict.fromkeys(left_out, "")), None)])

    @property
    def recordings_not_here(self) -> str:
        """The announced recordings that are not safe here, in words; "" if there is none."""
        safe = running.audio.safe if (running := self.open_session) is not None else {}
        takes = [(turn.number, take) for turn in self.progress.in_order for take in turn.recordings]
        turns = list(dict.fromkeys(number for number, take in takes if safe.get(take.recording) != take.sha256))
        return recordings_text(turns) if turns else ""

    def report(self, what: str, error: CurtainError) -> None:
        """Show what went wrong, under the name of its kind."""
        self.problem.emit(what, str(error))

    # -- opened ------------------------------------------------------------------------------------------

    def _on_opened(self, opening: Opening, future: Future[OpenSession]) -> None:
        try:
            session = future.result()
        except (CurtainError, OSError) as error:
            if self.state is opening:
                self.state = Idle()
            self.problem.emit("open", str(error))
            return
        if self.state is not opening:
            # Left meanwhile: nobody else would let these files go.
            session.journal.close()
            session.replica.close()
            return
        self.problem_over.emit("open")
        running = self._run(session)
        self.opened.emit()
        self._show_damage(running)
        if session.restored:
            self.problem.emit("restored", " ".join(session.restored))
        self._want_missing_audio(running)
        self.seat.welcome_to_new()
        progress = session.progress
        first = progress.opened.scenario_ids[:1] if progress.opened is not None else []
        if first and progress.scenario is None and not progress.scenarios_ended and not self.closing:
            self.begin_scenario(first[0])
        self.progress_changed.emit()
        self.ending.look()

    def outbox(self, progress: SessionProgress) -> Outbox:
        """What the subject's station receives for a fact, as the session stands."""
        texts = self.texts
        return Outbox(
            texts.scenarios, texts.closing, progress.corrected, progress.starts, texts.forms, self._on_passed_over
        )

    def _on_passed_over(self, seq: int) -> None:
        text = "Line {0} of the session cannot be shown to the subject and was passed over. Send that again."
        self.problem.emit("line", text.format(seq))

    def _run(self, session: OpenSession) -> Running:
        """The session is open from here on."""
        copy = SubjectCopy(session.replica, self._link.ack, self._background, self)
        copy.line_safe.connect(self._on_line_safe)
        copy.line_refused.connect(self._link.begin_again)
        now = self._station.clock.monotonic_ns
        audio = AudioFetch(
            session.bundle.audio, self._link.send, self._files, Allowance(AUDIO_AT_ONCE, AUDIO_A_SECOND, now), self
        )
        audio.overlong.connect(lambda turn: self.problem.emit("quota", _OVERLONG.format(turn)))
        audio.take_here.connect(self._on_take_here)
        audio.missing_changed.connect(self._on_missing)
        lines = Allowance(LINES_AT_ONCE, LINES_A_SECOND, now)
        running = Running(session, copy, audio, None, self.outbox(session.progress), lines)
        if self._study.mirror is not None:
            path = mirror_of(self._study.mirror, session.bundle, running.name)
            running.mirror = Mirror(path, session.journal, self._background, self)
        for what, source in (("copy", copy), ("audio", audio), ("mirror", running.mirror)):
            if source is not None:
                source.problem.connect(partial(self.problem.emit, what))
                source.problem_over.connect(partial(self.problem_over.emit, what))
        if running.mirror is not None:
            running.mirror.follow()
        self.state = running
        self._take_progress(running, session.progress)
        return running

    def _take_progress(self, running: Running, progress: SessionProgress) -> None:
        """The fold has grown; with the end of the session its closing begins."""
        running.session.progress = progress
        if progress.closed is not None and self.state is running:
            self.state = Closing(running)

    def _want_missing_audio(self, running: Running) -> None:
        session = running.session
        for number, take in [(turn.number, take) for turn in session.progress.in_order for take in turn.recordings]:
            if session.audio_safe.get(take.recording) == take.sha256:
                running.audio.already_safe(number, take.recording, take.sha256)
            else:
                self._want(running, number, take)

    def _want(self, running: Running, turn: int, take: Announced) -> None:
        if refusal := refusal_of(running.session.session_id, turn, take):
            self.problem.emit("quota", refusal)
            running.audio.refuse(turn, take.recording, take.sha256)
        else:
            # What is heard while it is spoken is the beginning of the take alone.
            early = running.early.file_start(turn, take) if take.recording == take.utterance_id else None
            running.audio.want(turn, take.recording, take.sha256, most_bytes(take), early)

    # -- the link ----------------------------------------------------------------------------------------

    def _on_received(self, message: link_messages.Message) -> None:
        running = self.open_session
        match message:
            case link_messages.StationStatus():
                self.status_came.emit(message)
            case link_messages.Declined():
                what = "record" if message.reason == "differs" else "declined"
                self.problem.emit(what, _DECLINED[message.reason].format(message.session_id))
            case _ if running is None:
                pass  # it belongs to no session
            case link_messages.JournalLine():
                self._on_line(running, message)
            case link_messages.WantLines():
                self._on_lines_wanted(running, message)
            case link_messages.AudioChunk():
                running.audio.take_chunk(message)
            case link_messages.LiveSound():
                running.early.keep(message)
                if self._study.listen_live:
                    self.live_sound_came.emit(message)

    def _on_line(self, running: Running, line: link_messages.JournalLine) -> None:
        if running.allowed_lines.take(len(line.line)):
            running.copy.take_line(line)
            return
        # Refused and then hung up on: the reason must arrive before the end.
        running.must_wait = True
        self._link.welcome(link_messages.HelloRefused(code="quota"))
        self._link.begin_again(running.copy.whole_until)

    def _on_lines_wanted(self, running: Running, wanted: link_messages.WantLines) -> None:
        """The subject's station lost lines that are safe here: it gets its own lines back, piece by piece."""
        session = running.session
        if not running.sending_back:
            running.sending_back = True
            self.problem.emit("station", _SENT_BACK.format(session.session_id))
            self._files.run(partial(lines_back, session.replica, wanted.after), partial(self._on_lines_read, running))

    def _on_lines_read(self, running: Running, future: Future[link_messages.LinesBack]) -> None:
        running.sending_back = False
        try:
            back = future.result()
            # To the station of the session that asked, and to no other.
            if running is self.open_session:
                self._link.send(back)
        except (CurtainError, OSError) as error:
            self.problem.emit("copy", str(error))
            return
        if back.after + len(back.lines) >= running.session.replica.whole_until:
            running.replaces = False

    @while_open
    def _on_acked(self, running: Running, seq: int) -> None:
        running.acked = max(running.acked, seq)
        self.ending.look()

    def _on_lost(self) -> None:
        if (running := self.open_session) is not None:
            running.audio.link_lost()
        for what in OF_A_CONNECTION:
            self.problem_over.emit(what)
        if isinstance(self.state, Running):
            self.write([(wizard.LinkLost(), None)])
        self.link_changed.emit(False)

    # -- the journals grow -------------------------------------------------------------------------------

    def _on_written(self, running: Running, turn: int | None, future: Future[JournalEntry]) -> None:
        try:
            entry = future.result()
        except CurtainError as error:
            self.problem.emit("journal", str(error))
            self.write_failed.emit([turn])
            self._room.start()
            return
        self.problem_over.emit("journal")
        fact = wizard_fact(entry)
        if running is not self.open_session or fact is None:
            return
        message = running.outbox.message_for(entry.seq, entry.turn, fact)
        if message is not None:
            self._link.send(message)
        progress = with_wizard_fact(running.session.progress, fact, entry.turn, entry.t_ns, entry.seq)
        self._take_progress(running, progress)
        # Whoever pauses goes there.
        if isinstance(fact, wizard.Paused):
            self.answer_call()
        self.line_written.emit(entry.seq)
        if isinstance(self.state, Closing) and isinstance(fact, wizard.GapAccepted):
            self.state.as_it_is = True
        if running.mirror is not None:
            running.mirror.follow()
        self.progress_changed.emit()
        self.ending.look()

    @while_open
    def _look_for_room(self, running: Running) -> None:
        """Until the disk takes bytes again: the sentence must not stand there longer than its cause."""
        self._files.run(partial(session_files.takes_bytes, running.session.bundle.path), self._on_looked_for_room)

    def _on_looked_for_room(self, future: Future[bool]) -> None:
        if future.result():
            self.problem_over.emit("journal")
        else:
            self._room.start()

    @while_open
    def _on_line_safe(self, running: Running, seq: int, line: bytes) -> None:
        session, entry = running.session, parse_line(line)
        session.progress = with_subject_fact(session.progress, subject_fact(entry), entry.turn, entry.t_ns)
        self.line_copied.emit(seq, line)
        session.awaited_turns -= {entry.turn}
        self._show_damage(running)
        turn = session.progress.turns.get(entry.turn) if entry.turn is not None else None
        if turn is not None:
            for take in turn.recordings:
                self._want(running, turn.number, take)
        self.progress_changed.emit()
        self.ending.look()

    def skip_numbers(self, running: Running, last_number: int) -> None:
        """The subject's station has seen lines that this journal has lost: their numbers stay theirs."""
        if last_number > running.session.journal.last_seq:
            work = partial(keep_numbers, running.session, last_number)
            done = or_else(lambda _: self._show_damage(running), partial(self.report, "journal"))
            self._files.run(work, done)

    def _show_damage(self, running: Running) -> None:
        """Lines of the copy that came again are damaged no more."""
        before, running.damage = running.damage, running.session.damage
        if running.damage and running.damage != before:
            self.problem.emit("damage", running.damage)
        elif before and not running.damage:
            self.problem_over.emit("damage")

    def end_problems(self) -> None:
        """What was shown of a session goes with it."""
        for what in ("damage", "missing", "quota", "seat", "journal", "closing", "mirror", "line", *OF_A_CONNECTION):
            self.problem_over.emit(what)

    @while_open
    def _on_missing(self, running: Running) -> None:
        turns = [one.turn for one in running.audio.missing]
        text = f"The subject’s station cannot give {recordings_text(turns)}. The session can be closed without that."
        self.problem.emit("missing", text) if turns else self.problem_over.emit("missing")
        self.ending.look()

    def _on_take_here(self, turn: int, wav: Path) -> None:
        # Other recordings of the turn lie in folders of their own; nobody waits to hear them.
        if self.session is not None and wav.parent == self.session.bundle.audio:
            self.take_here.emit(turn, wav)
        self.ending.look()
