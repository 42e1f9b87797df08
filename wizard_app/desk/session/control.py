"""One session from its first line to its manifest: journals, link, audio. No widgets here.

Order is everything: a fact is on the disk before anybody is told of it, a line of the subject's journal is on
the disk before it is acknowledged. What is in memory is a fold of the two journals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from curtain.base.clock import ns_of_iso
from curtain.base.errors import CurtainError
from curtain.desk.background import Background
from curtain.link import messages as link_messages
from curtain.link.core import Judge
from curtain.link.events import ClockTied, TurnedAway
from curtain.link.wire import LinkSocket
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.journal import JournalEntry, parse_line
from curtain.session.study.messages import MessageSet
from curtain.session.study.study import Study
from curtain.session.study.text_names import DISCLOSURE_TEXTS
from wizard_app.desk.session import session_files
from wizard_app.desk.session.audio_fetch import AudioFetch
from wizard_app.desk.session.early_sound import EarlySound
from wizard_app.desk.session.ending import awaited, close_files, close_mirror, recordings_told
from wizard_app.desk.session.mirror import Mirror
from wizard_app.desk.session.outbox import Outbox, ScenarioText, messages_of
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.desk.session.progress import Facts, SessionProgress, with_subject_fact, with_wizard_fact
from wizard_app.desk.session.quota import (
    AUDIO_A_SECOND,
    AUDIO_AT_ONCE,
    LINES_A_SECOND,
    LINES_AT_ONCE,
    Allowance,
    Announced,
    most_bytes,
    refusal_of,
)
from wizard_app.desk.session.scenarios import scenario_left, scenario_started
from wizard_app.desk.session.session_files import OpenSession, StationStart, subject_fact, wizard_fact
from wizard_app.desk.session.subject_copy import SubjectCopy, lines_back
from wizard_app.desk.session.subject_forms import SubjectForms, unanswered_in

# Long enough for a line that is on its way when everything seems to be here.
SETTLE_MS = 600
# How soon what a full disk did not take is tried again.
RETRY_MS = 1000
# Clocks drift; below 2 ms a new line in the journal would tell nothing.
_OFFSET_STEP_NS = 2_000_000
# Clocks of two machines drift apart by up to 10 ms in this time (`session_times` counts with 100 ppm).
_TIE_AGE_NS = 100_000_000_000
_OF_A_CONNECTION = ("declined", "record")
_OVERLONG = "The subject’s station sends more data for the recording of turn {0} than it announced. It is not fetched."
_SENT_BACK = "The subject’s station has lost a part of its record of session {0} and is getting it back from here."
_DECLINED = {
    "differs": "The subject’s station has a record of session {0} that differs from the one here.",
    "behind": "The subject’s station has lost part of its record of session {0}. This station still has it.",
    "unusable": "The subject’s station cannot open its folder of session {0}. Its log says why.",
    "elsewhere": "The subject’s station is in another session than {0}. Start it again.",
}


@dataclass(frozen=True)
class JournaledTie:
    """How the clocks stood when that was last journaled: the offset, and the wizard's clock then, in nanoseconds."""

    offset_ns: int
    at_ns: int

    def gives_way(self, offset_ns: int, now_ns: int) -> bool:
        """Whether a newly measured offset is worth a line of the journal."""
        return abs(offset_ns - self.offset_ns) >= _OFFSET_STEP_NS or now_ns - self.at_ns >= _TIE_AGE_NS


class Link(Protocol):
    """What is used of `link.qt.WizardLink`."""

    subject_joined: SignalInstance
    received: SignalInstance
    acked: SignalInstance
    clock_tied: SignalInstance
    lost: SignalInstance
    turned_away: SignalInstance
    booth_told: SignalInstance

    @property
    def up(self) -> bool:
        """Whether a subject's station is connected and has been heard."""

    def listen(self, name: str = ...) -> None:
        """Wait for a subject's station under this name."""

    def take_in(self, socket: LinkSocket, mark: str = "") -> None:
        """Serve a station of another machine, whose certificate has this fingerprint."""

    def let_in(self) -> None:
        """Another station may go on with the running session."""

    def free_seat(self) -> None:
        """The session is over: any station may have the next one."""

    def serve(self, mark: str) -> None:
        """Before a session: the place is for the station with this certificate's fingerprint."""

    def close(self) -> None:
        """End the connection and listen no more."""

    def judge_with(self, judge: Judge) -> None:
        """Ask this before a station joins: a refusal, or None if it may."""

    def begin_again(self, have: int) -> None:
        """Hang up; the subject's station dials again and sends what follows line `have` of its journal."""

    def welcome(self, answer: link_messages.Waiting | link_messages.Welcome | link_messages.HelloRefused) -> None:
        """Answer the station's hello."""

    def send(self, message: link_messages.Message) -> bool:
        """Send a message; False if nobody is connected."""

    def ack(self, seq: int) -> None:
        """Tell the station that its journal is safe here up to this line."""


@dataclass(frozen=True)
class SubjectTexts:
    """What the subject's station is told of study and domain, and nothing else of them; `messages` are the sentences
    that it may be sent."""

    title: str = ""
    briefing: str = ""
    database_description: str = ""
    closing: str = ""
    scenarios: Mapping[str, ScenarioText] = field(default_factory=dict)
    forms: SubjectForms = field(default_factory=SubjectForms)
    messages: MessageSet = field(default_factory=lambda: MessageSet(()))


class SessionControl(QObject):
    """Opens, runs and closes one session at a time."""

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
    trouble = Signal(str, str)
    trouble_over = Signal(str)
    closed = Signal(object)

    def __init__(
        self, study: Study, link: Link, station: StationStart, background: Background, files: Background,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        """`files` must do one thing after the other."""
        super().__init__(parent)
        self._study = study
        self._link = link
        self._station = station
        self._background = background
        self._files = files
        self._texts = SubjectTexts()
        self._session: OpenSession | None = None
        self._copy: SubjectCopy | None = None
        self._audio: AudioFetch | None = None
        self._early = EarlySound()
        self._mirror: Mirror | None = None
        self._outbox = Outbox({}, "")
        self._hello: link_messages.Hello | None = None
        self._journaled_tie: JournaledTie | None = None
        self._tie: ClockTied | None = None
        self._acked = 0
        self._closing = False
        self._welcomed = False
        self._nobody_left = False
        self._as_it_is = False
        self._replaces = False
        self._sending_back = False
        self._allowed_lines: Allowance | None = None
        self._must_wait = False
        self._damage = ""
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._finish_if_settled)
        self._room = QTimer(self)
        self._room.setSingleShot(True)
        self._room.setInterval(RETRY_MS)
        self._room.timeout.connect(self._look_for_room)
        self._connect_link()

    # -- what is so --------------------------------------------------------------------------------------

    @property
    def progress(self) -> SessionProgress:
        """What has happened so far; an empty one without a session."""
        return self._session.progress if self._session is not None else SessionProgress()

    @property
    def session(self) -> OpenSession | None:
        """The session whose files are open; None if there is none."""
        return self._session

    @property
    def running(self) -> bool:
        """Whether a session is open, also while it is closing."""
        return self._session is not None

    @property
    def closing(self) -> bool:
        """The session was ended; what is still on its way is being waited for."""
        return self._session is not None and self._session.progress.closed is not None

    @property
    def open_forms(self) -> list[str]:
        """The titles of what the subject has to fill in now, while no scenario runs."""
        return [] if self.progress.scenario else self.missing_forms

    @property
    def missing_forms(self) -> list[str]:
        """The titles of what the subject has not filled in, with what follows the scenario that runs."""
        return [form.title for form in self._due_forms if form.name not in self.progress.forms]

    @property
    def unanswered(self) -> str:
        """The titles of the forms that subject or wizard went on from with questions left out, with their numbers."""
        progress = self.progress
        of_wizard = self._texts.forms.of_wizard(progress.starts.values())
        left_out = (unanswered_in(self._due_forms, progress.forms), unanswered_in(of_wizard, progress.wizard_forms))
        return "; ".join(filter(None, left_out))

    @property
    def _due_forms(self) -> list[link_messages.Form]:
        progress = self.progress
        return self._texts.forms.due(progress.starts.values(), progress.closed is not None)

    @property
    def wizard_form(self) -> link_messages.Form | None:
        """What the wizard fills in now, once the session is over."""
        return next(iter(self._wizard_forms), None) if self.closing else None

    @property
    def _wizard_forms(self) -> list[link_messages.Form]:
        asked = self._texts.forms.of_wizard(self.progress.starts.values())
        return [form for form in asked if form.name not in self.progress.wizard_forms]

    @property
    def link_up(self) -> bool:
        """Whether the subject's station is connected."""
        return self._link.up

    @property
    def joined(self) -> link_messages.Hello | None:
        """What the subject's station that is connected now said of itself."""
        return self._hello if self._link.up else None

    def take_path(self, turn: int) -> Path | None:
        """The take of a turn if it is safe here."""
        at = self.progress.turns.get(turn)
        if self._audio is None or at is None or at.take is None:
            return None
        return self._audio.path_of(at.take.utterance_id) if at.take.utterance_id in self._audio.safe else None

    def resend(self, after: int) -> Iterable[link_messages.Message]:
        """Everything the subject must still be shown after this line of our journal; the link asks for it."""
        if self._session is None:
            return iter(())
        return messages_of(self._session.facts_after(after), self._new_outbox(self._session))

    # -- beginning ---------------------------------------------------------------------------------------

    def set_texts(self, texts: SubjectTexts) -> None:
        """What the subject's station is told of study and domain when it joins."""
        self._texts = texts

    def start(self, plan: SessionPlan, domain_sha256: str | None) -> None:
        """Begin a new session; the subject is welcomed only when session and consent are on the disk."""
        self.opening.emit()
        work = partial(session_files.begin, self._study, plan, domain_sha256, self._station)
        self._files.run(work, self._on_opened)

    def resume(self, session_id: str) -> None:
        """Go on with a session that was not ended."""
        self.opening.emit()
        self._files.run(partial(session_files.resume, self._study, session_id, self._station), self._on_opened)

    def leave(self) -> None:
        """Let go of the session's files; it stays as it is. Called where waiting is allowed."""
        self._settle.stop()
        self._room.stop()
        session, self._session = self._session, None
        if session is None:
            return
        self._end_damage()
        session.journal.close()
        if self._copy is not None:
            self._copy.close()
        if self._mirror is not None:
            close_mirror(self._mirror)
        self._copy = self._audio = self._mirror = None

    # -- writing -----------------------------------------------------------------------------------------

    def write(self, facts: Facts) -> None:
        """Journal facts, then tell the subject what is for the subject."""
        self.write_for(facts, None)

    def write_for(self, facts: Facts, done: Callable[[bool], None] | None) -> None:
        """As `write`; behind it `done(on_disk)` is called."""
        if self._session is None:
            return
        # All of them in one write: a correction must not be on the disk without what corrects.
        futures = self._session.journal.append_all(facts)
        for (_, turn), future in zip(facts, futures, strict=True):
            self._background.when_done(future, partial(self._on_written, turn))
        if done is not None and futures:
            self._background.when_done(futures[-1], lambda future: done(future.exception() is None))

    def describe(self, fields: dict[str, Any], done: Callable[[Future[None]], None]) -> None:
        """Put what is known only now into session.json, unless its files are already being let go: nothing may change
        behind the manifest."""
        if self._session is not None and not self._closing:
            self._files.run(partial(self._session.bundle.update_session_json, **fields), done)

    def end_scenario(self, ended: wizard.ScenarioEnded) -> None:
        """The scenario is over, as the wizard says it was."""
        self.scenario_ending.emit()
        self.write([(ended, None)])

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

    def end_session(self, reason: str = "finished") -> None:
        """The closing page at the subject's; then the manifest, once everything is here."""
        self.scenario_ending.emit()
        progress = self.progress
        if progress.closed is not None:
            return
        facts: Facts = []
        if progress.scenario is not None:
            facts.append((scenario_left(progress, progress.scenario.scenario_id, "session_ended"), None))
        broken = reason == "broken_off"
        facts.append((wizard.SessionClosed(reason="broken_off" if broken else "finished"), None))
        self.write_for(facts, partial(self._on_end_written, self._session, reason))

    def _on_end_written(self, session: OpenSession | None, reason: str, on_disk: bool) -> None:
        """A full disk did not take the end: it is written when there is room, and nobody has to ask again."""
        if not on_disk and session is self._session:
            QTimer.singleShot(RETRY_MS, self, partial(self.end_session, reason))

    def fill_form(self, form: str, item: str, value: str) -> None:
        """Journal one answer of the wizard to a questionnaire of his own."""
        self.write([(wizard.WizardFormFilled(form=form, values={item: value}, complete=False), None)])

    def finish_form(self, form: str) -> None:
        """The wizard goes on from a questionnaire; the journal says what is missing in it."""
        shown = next((one for one in self._wizard_forms if one.name == form), None)
        unanswered = shown.unanswered(self.progress.wizard_answers.get(form, {})) if shown else []
        self.write([(wizard.WizardFormFilled(form=form, values={one.id: "" for one in unanswered}), None)])

    def close_as_it_is(self) -> None:
        """Close a session that was ended without what has not arrived, and record what that is."""
        if missing := self.still_awaited():
            self.write([(wizard.GapAccepted(missing=missing), None)])

    @property
    def recordings_not_here(self) -> str:
        """The announced recordings that are not safe here, as they are told; "" if there is none."""
        safe = self._audio.safe if self._audio is not None else {}
        takes = [(turn.number, turn.take) for turn in self.progress.in_order if turn.take is not None]
        turns = [number for number, take in takes if safe.get(take.utterance_id) != take.sha256]
        return recordings_told(turns) if turns else ""

    def let_in(self) -> None:
        """Give the subject's place to the next station that asks, and refuse the one that had it."""
        if self._session is not None:
            self._files.run(partial(session_files.new_seat, self._study, self._session), self._on_seat_free)

    def take_record(self) -> None:
        """Let the subject's station put its own record aside and take the one that is kept here."""
        if self._session is not None:
            self._replaces = True
            self._link.begin_again(self._session.replica.whole_until)

    def _on_seat_free(self, future: Future[None]) -> None:
        try:
            future.result()
        except CurtainError as error:
            self.trouble.emit("station", str(error))
            return
        self._link.let_in()
        self.trouble_over.emit("seat")

    # -- opened ------------------------------------------------------------------------------------------

    def _on_opened(self, future: Future[OpenSession]) -> None:
        try:
            session = future.result()
        except (CurtainError, OSError) as error:
            self.trouble.emit("open", str(error))
            return
        self.trouble_over.emit("open")
        self._session = session
        self._acked, self._closing, self._welcomed, self._nobody_left = 0, False, False, False
        self._as_it_is = self._replaces = self._must_wait = False
        self._outbox = self._new_outbox(session)
        self._open_copies(session)
        self.opened.emit()
        self._tell_damage(session)
        if session.restored:
            self.trouble.emit("restored", " ".join(session.restored))
        self._want_missing_audio()
        self._welcome()
        self._journaled_tie = None
        self._tell_tie()
        if session.progress.scenario is None and not session.progress.scenarios_ended and not self.closing:
            self._begin_first()
        self.progress_changed.emit()
        self._look_at_end()

    def _new_outbox(self, session: OpenSession) -> Outbox:
        texts, progress = self._texts, session.progress
        return Outbox(
            texts.scenarios, texts.closing, progress.corrected, progress.starts, texts.forms, self._on_passed_over
        )

    @property
    def messages(self) -> MessageSet:
        """The sentences that may stand in place of an answer."""
        return self._texts.messages

    def outbox(self) -> Outbox:
        """What the subject's station is told of a fact, as the session stands."""
        return self._new_outbox(self._session) if self._session is not None else Outbox({}, "")

    def _on_passed_over(self, seq: int) -> None:
        text = "Line {0} of the session cannot be shown to the subject and was passed over. Send that again."
        self.trouble.emit("line", text.format(seq))

    def _open_copies(self, session: OpenSession) -> None:
        self._copy = SubjectCopy(session.replica, self._link.ack, self._background, self)
        self._copy.line_safe.connect(self._on_line_safe)
        self._copy.line_refused.connect(self._link.begin_again)
        self._copy.trouble.connect(partial(self.trouble.emit, "copy"))
        self._copy.trouble_over.connect(partial(self.trouble_over.emit, "copy"))
        now = self._station.clock.monotonic_ns
        allowance = Allowance(AUDIO_AT_ONCE, AUDIO_A_SECOND, now)
        self._allowed_lines = Allowance(LINES_AT_ONCE, LINES_A_SECOND, now)
        self._audio = AudioFetch(session.bundle.audio, self._link.send, self._files, allowance, self)
        self._early = EarlySound()
        self._audio.overlong.connect(lambda turn: self.trouble.emit("quota", _OVERLONG.format(turn)))
        self._audio.take_here.connect(self._on_take_here)
        self._audio.missing_changed.connect(self._on_missing)
        self._audio.trouble.connect(partial(self.trouble.emit, "audio"))
        self._audio.trouble_over.connect(partial(self.trouble_over.emit, "audio"))
        if self._study.mirror is not None:
            path = session_files.mirror_of(self._study.mirror, session.bundle, _name_of(session))
            self._mirror = Mirror(path, session.journal, self._background, self)
            self._mirror.trouble.connect(partial(self.trouble.emit, "mirror"))
            self._mirror.trouble_over.connect(partial(self.trouble_over.emit, "mirror"))
            self._mirror.follow()

    def _begin_first(self) -> None:
        opened = self.progress.opened
        if opened is not None and opened.scenario_ids:
            self.begin_scenario(opened.scenario_ids[0])

    def _want_missing_audio(self) -> None:
        session, audio = self._session, self._audio
        if session is None or audio is None:
            return
        for turn in session.progress.in_order:
            if turn.take is None:
                continue
            if session.audio_safe.get(turn.take.utterance_id) == turn.take.sha256:
                audio.already_safe(turn.number, turn.take.utterance_id, turn.take.sha256)
            else:
                self._want(session, audio, turn.number, turn.take)

    def _want(self, session: OpenSession, audio: AudioFetch, turn: int, take: Announced) -> None:
        if refusal := refusal_of(session.session_id, turn, take):
            self.trouble.emit("quota", refusal)
            audio.refuse(turn, take.utterance_id, take.sha256)
        else:
            early = self._early.file_start(turn, take)
            audio.want(turn, take.utterance_id, take.sha256, most_bytes(take), early)

    # -- the link ----------------------------------------------------------------------------------------

    def _connect_link(self) -> None:
        self._link.subject_joined.connect(self._on_subject_joined)
        self._link.received.connect(self._on_received)
        self._link.acked.connect(self._on_acked)
        self._link.clock_tied.connect(self._on_clock_tied)
        self._link.lost.connect(self._on_lost)
        self._link.turned_away.connect(self._on_turned_away)
        self._link.judge_with(self._judge)

    def _judge(self, hello: link_messages.Hello) -> link_messages.HelloRefused | None:
        """Who may not join: a station of another session, and one that did not begin this one."""
        session = self._session
        if session is None:
            return None
        if hello.session_id and hello.session != _name_of(session):
            return link_messages.HelloRefused(code="session")
        if hello.have > session.journal.last_seq + session_files.MOST_LOST_LINES:
            return link_messages.HelloRefused(code="session")  # it made that up, or belongs to another journal
        if self._is_over_quota():
            return link_messages.HelloRefused(code="quota")
        if self.closing and not hello.session_id:
            return None  # it will be told to wait, and the session need not wait for it
        if _knows_the_secret(session, hello):
            return None
        return link_messages.HelloRefused(code="seat", session_id=session.session_id, identity=session.identity)

    def _on_subject_joined(self, hello: link_messages.Hello) -> None:
        self._hello, self._journaled_tie, self._tie = hello, None, None
        if self._session is not None and hello.session == _name_of(self._session):
            # What the station has counts as acknowledged, also where the ack was lost with the link.
            self._acked = max(self._acked, hello.have)
            self._skip_numbers(self._session, hello.have)
        for what in ("station", "seat", *_OF_A_CONNECTION):
            self.trouble_over.emit(what)
        if sentence := clocks_apart(hello.wall_utc, self._station.clock.wall_utc()):
            self.trouble.emit("clock", sentence)
        self._welcome()
        self.link_changed.emit(True)

    def _on_turned_away(self, refused: TurnedAway) -> None:
        self.trouble.emit("seat" if refused.code == "seat" and self.running else "station", refused.sentence)

    def _welcome(self) -> None:
        """Nothing of a session reaches the subject before it and the consent are on the disk."""
        session = self._session
        if self._hello is not None and self._link.up and (refused := self._judge(self._hello)):
            self._link.welcome(refused)
            return
        # A subject's station that comes from elsewhere has nothing of this session: nobody is left to wait for.
        self._nobody_left = session is not None and self._link.up and not self._may_join(session)
        if session is None or session.progress.consent is None or self._nobody_left:
            self._link.welcome(link_messages.Waiting())
            self._look_at_end()
            return
        if self._link.up:
            self._welcomed = session.secret_given = True
        self._link.welcome(self._welcome_to(session))
        self._look_at_end()
        if self._audio is not None and self._link.up:
            self._audio.link_up()

    def _may_join(self, session: OpenSession) -> bool:
        """A session that was ended before this start takes no subject that does not come from it."""
        if self._hello is None:
            return True
        if not _knows_the_secret(session, self._hello):
            return False
        if session.progress.closed is None or self._welcomed:
            return True
        return self._hello.session_id == session.session_id

    def _welcome_to(self, session: OpenSession) -> link_messages.Welcome:
        opened = session.progress.opened
        return link_messages.Welcome(
            session_id=session.session_id,
            identity=session.identity,
            secret=session.secret,
            talk_key=self._study.talk_key,
            microphone=self._study.microphone,
            title=self._texts.title,
            briefing=self._texts.briefing,
            database_description=self._texts.database_description,
            pilot=opened is not None and opened.pilot,
            journal_have=session.replica.whole_until,
            journal_sum=session.replica.sum_until(session.replica.whole_until),
            replaces=self._replaces,
            audio_have=self._audio.safe if self._audio is not None else {},
            texts={name: text for name, text in self._study.texts.items() if name not in DISCLOSURE_TEXTS},
            voice=self._study.voice,
            # Also where nobody listens live: what has come by the end of a recording is not fetched after it.
            live_sound=True,
        )

    def _on_received(self, message: link_messages.Message) -> None:
        match message:
            case link_messages.JournalLine() if self._copy is not None:
                self._on_line(self._copy, message)
            case link_messages.WantLines():
                self._on_lines_wanted(message)
            case link_messages.AudioChunk() if self._audio is not None:
                self._audio.take_chunk(message)
            case link_messages.LiveSound() if self._session is not None:
                self._early.keep(message)
                if self._study.listen_live:
                    self.live_sound_came.emit(message)
            case link_messages.StationStatus():
                self.status_came.emit(message)
            case link_messages.Declined():
                what = "record" if message.reason == "differs" else "declined"
                self.trouble.emit(what, _DECLINED[message.reason].format(message.session_id))

    def _on_line(self, copy: SubjectCopy, line: link_messages.JournalLine) -> None:
        if self._allowed_lines is None or self._allowed_lines.take(len(line.line)):
            copy.take_line(line)
            return
        # Refused and then hung up on: the reason must arrive before the end.
        self._must_wait = True
        self._link.welcome(link_messages.HelloRefused(code="quota"))
        self._link.begin_again(copy.whole_until)

    def _is_over_quota(self) -> bool:
        """A station that sent too much may come back when half of what may come at once may come again."""
        if self._must_wait and self._allowed_lines is not None:
            self._must_wait = self._allowed_lines.wait_s(LINES_AT_ONCE // 2) > 0
        return self._must_wait

    def _on_lines_wanted(self, wanted: link_messages.WantLines) -> None:
        """The subject's station lost lines that are safe here: it gets its own lines back, piece by piece."""
        session = self._session
        if session is None or self._sending_back:
            return
        self._sending_back = True
        self.trouble.emit("station", _SENT_BACK.format(session.session_id))
        self._files.run(partial(lines_back, session.replica, wanted.after), self._on_lines_read)

    def _on_lines_read(self, future: Future[link_messages.LinesBack]) -> None:
        self._sending_back = False
        try:
            back = future.result()
            self._link.send(back)
            if self._session is not None and back.after + len(back.lines) >= self._session.replica.whole_until:
                self._replaces = False
        except (CurtainError, OSError) as error:
            self.trouble.emit("copy", str(error))

    def _on_acked(self, seq: int) -> None:
        self._acked = max(self._acked, seq)
        self._look_at_end()

    def _on_clock_tied(self, tie: ClockTied) -> None:
        self._tie = tie
        self._tell_tie()

    def _tell_tie(self) -> None:
        """Journal how the clocks stand when it is news; a tie from before the session is news to it."""
        tie = self._tie
        if tie is None or self._session is None or self._hello is None or self.closing:
            return
        now = self._station.clock.monotonic_ns()
        if self._journaled_tie is None or self._journaled_tie.gives_way(tie.offset_ns, now):
            self._journaled_tie = JournaledTie(tie.offset_ns, now)
            # A station that had no session yet when it said hello begins its first epoch with this one.
            epoch = self._hello.epoch or 1
            fact = wizard.LinkRestored(subject_epoch=epoch, offset_ns=tie.offset_ns, rtt_ns=tie.rtt_ns)
            self.write([(fact, None)])

    def _on_lost(self) -> None:
        if self._audio is not None:
            self._audio.link_lost()
        for what in _OF_A_CONNECTION:
            self.trouble_over.emit(what)
        if self._session is not None and not self.closing:
            self.write([(wizard.LinkLost(), None)])
        self.link_changed.emit(False)

    # -- the journals grow -------------------------------------------------------------------------------

    def _on_written(self, turn: int | None, future: Future[JournalEntry]) -> None:
        try:
            entry = future.result()
        except CurtainError as error:
            self.trouble.emit("journal", str(error))
            self.write_failed.emit([turn])
            self._room.start()
            return
        self.trouble_over.emit("journal")
        session, fact = self._session, wizard_fact(entry)
        if session is None or fact is None:
            return
        message = self._outbox.message_for(entry.seq, entry.turn, fact)
        if message is not None:
            self._link.send(message)
        session.progress = with_wizard_fact(session.progress, fact, entry.turn, entry.t_ns, entry.seq)
        self.line_written.emit(entry.seq)
        self._as_it_is = self._as_it_is or isinstance(fact, wizard.GapAccepted)
        if self._mirror is not None:
            self._mirror.follow()
        self.progress_changed.emit()
        self._look_at_end()

    def _look_for_room(self) -> None:
        """Until the disk takes bytes again: the sentence must not stand there longer than its cause."""
        if self._session is not None:
            self._files.run(partial(session_files.takes_bytes, self._session.bundle.path), self._on_looked_for_room)

    def _on_looked_for_room(self, future: Future[bool]) -> None:
        if future.result():
            self.trouble_over.emit("journal")
        else:
            self._room.start()

    def _on_line_safe(self, seq: int, line: bytes) -> None:
        session = self._session
        entry = parse_line(line)
        fact = subject_fact(entry)
        if session is None:
            return
        session.progress = with_subject_fact(session.progress, fact, entry.turn, entry.t_ns)
        self.line_copied.emit(seq, line)
        session.awaited_turns -= {entry.turn}
        self._tell_damage(session)
        turn = session.progress.turns.get(entry.turn) if entry.turn is not None else None
        if turn is not None and turn.take is not None and self._audio is not None:
            self._want(session, self._audio, turn.number, turn.take)
        self.progress_changed.emit()
        self._look_at_end()

    def _skip_numbers(self, session: OpenSession, last_number: int) -> None:
        """The subject's station has seen lines that this journal has lost: their numbers stay theirs."""
        if last_number > session.journal.last_seq:
            self._files.run(
                partial(session_files.keep_numbers, session, last_number), partial(self._on_skipped, session)
            )

    def _on_skipped(self, session: OpenSession, future: Future[None]) -> None:
        try:
            future.result()
        except CurtainError as error:
            self.trouble.emit("journal", str(error))
            return
        self._tell_damage(session)

    def _tell_damage(self, session: OpenSession) -> None:
        """Lines of the copy that came again are damaged no more."""
        before, self._damage = self._damage, session.damage
        if self._damage and self._damage != before:
            self.trouble.emit("damage", self._damage)
        elif before and not self._damage:
            self.trouble_over.emit("damage")

    def _end_damage(self) -> None:
        self._damage = ""
        for what in ("damage", "missing", "quota", "seat", "journal", "closing", "mirror", "line", *_OF_A_CONNECTION):
            self.trouble_over.emit(what)

    def _on_missing(self) -> None:
        if self._audio is None:
            return
        turns = [one.turn for one in self._audio.missing]
        text = f"The subject’s station cannot give {recordings_told(turns)}. The session can be closed without that."
        self.trouble.emit("missing", text) if turns else self.trouble_over.emit("missing")
        self._look_at_end()

    def _on_take_here(self, turn: int, wav: Path) -> None:
        self.take_here.emit(turn, wav)
        self._look_at_end()

    # -- the end -----------------------------------------------------------------------------------------

    def _look_at_end(self) -> None:
        if self.closing:
            self._settle.start()

    def _finish_if_settled(self) -> None:
        """Everything has come that will come: list it and let go."""
        # Asked once more after the pause: something may have come, or been lost, meanwhile.
        if self._session is None or self._closing or (self.still_awaited() and not self._as_it_is):
            return
        self._closing = True
        session = self._session
        work = partial(close_files, session, self._mirror, self._study)
        self._files.run(work, partial(self._on_closed, session))

    def still_awaited(self) -> list[str]:
        """What the closing session still waits for, each as it is told."""
        session = self._session
        if session is None or session.progress.closed is None or self._copy is None or self._audio is None:
            return []
        return awaited(
            session.progress,
            closing_shown=self._acked >= session.progress.closed_seq or self._nobody_left,
            audio_here=self._audio.idle,
            record_here=self._copy.settled and not self._copy.lost and not session.awaited_turns,
            missing=[one.turn for one in self._audio.missing],
            forms=[] if self._nobody_left else self.missing_forms,
            wizard_forms=[form.title for form in self._wizard_forms],
        )

    def _on_closed(self, session: OpenSession, future: Future[None]) -> None:
        try:
            future.result()
        except (CurtainError, OSError) as error:
            # A full disk, most likely: the session closes by itself when there is room.
            self.trouble.emit("closing", str(error))
            self._closing = False
            QTimer.singleShot(RETRY_MS, self, self._look_at_end)
            return
        session.unanswered = self.unanswered
        self._session = self._copy = self._audio = self._mirror = None
        # The next subject may sit in another booth.
        self._link.free_seat()
        self._end_damage()
        self.closed.emit(session)


def clocks_apart(theirs: str, ours: str) -> str:
    """How far the clock of the subject's computer is off by this one's, as a sentence; "" for less than a minute."""
    try:
        seconds = round((ns_of_iso(theirs) - ns_of_iso(ours)) / 1_000_000_000)
    except ValueError:
        return ""  # an earlier Curtain does not say it
    days, rest = divmod(abs(seconds), 86_400)
    far = f"{days:,} d {rest // 3600} h" if days else f"{rest // 3600} h {rest % 3600 // 60} min"
    if abs(seconds) < 60:
        return ""
    side = "ahead of" if seconds > 0 else "behind"
    return (
        f"The clock of the subject’s computer is {far} {side} this one’s. The session runs and its times fit all the "
        "same. Set the clock that is wrong after the session."
    )


def _name_of(session: OpenSession) -> link_messages.SessionName:
    return link_messages.SessionName(session.session_id, session.identity)


def _knows_the_secret(session: OpenSession, hello: link_messages.Hello) -> bool:
    """Whether this station has the place in the session. Until a line of its journal came, nobody has it."""
    if session.replica.last_seq == 0 or not session.secret_given:
        return True
    return compare_digest(hello.secret, session.secret)
