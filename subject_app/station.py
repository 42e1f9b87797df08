"""What the subject's station does, without a window: the life of a session, decided from keys and messages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.close_all import close_all
from curtain.base.errors import CurtainError
from curtain.desk.background import Background
from curtain.link.events import TurnedAway
from curtain.link.messages import (
    AudioSafe,
    Declined,
    Hello,
    JournalLine,
    KeptMessage,
    LinesBack,
    Message,
    MicrophoneTest,
    ScenarioOver,
    SessionOver,
    Waiting,
    WantAudio,
    Welcome,
)
from curtain.session.events.subject_events import (
    DeviceFound,
    DeviceLost,
    EndedBy,
    FormFilled,
    HelpCalled,
    HistoryCleared,
    Painted,
    SolutionReported,
)
from subject_app.session.journal_writer import Sender
from subject_app.session.record import RecordAltered, RecordDiffers, Return, replace_record
from subject_app.session.recovery import OpenedSession, ThisStation, open_session
from subject_app.session.spool import Spool, SpoolFolder
from subject_app.session.spool_space import SpoolSpace
from subject_app.sitting import Sitting
from subject_app.talk.mic_test import MicTest
from subject_app.talk.microphone import TRY_AGAIN_MS, Microphone
from subject_app.talk.sound import SoundDevices
from subject_app.talk.talk_key import Stamp
from subject_app.view import BRIEFING, MIC_TEST, StationConditions, View, view_of

log = logging.getLogger(__name__)

# A link that comes back at once is nobody's concern; beyond this somebody would wonder.
APART_MS = 4000
CLOSE_AGAIN_MS = 1000

What = Literal["one_moment", "scenario", "query", "answer", "message"]


class SubjectStation(QObject):
    """Signals tell the window what to show; slots are what the subject did.

    `began()`: a session is open here, and nothing on the screen may be of the one before.
    `view_changed(View)`, `shown_changed(Shown)`, `welcomed(Welcome)`, `microphone_changed()`,
    `level(dbfs, clipped)`, `tested(Heard)`, `one_moment_wanted(turn)`: show it and report with `painted`.
    `answer_painted()`: an answer or a message is on the screen for the first time.
    """

    began = Signal()
    view_changed = Signal(object)
    shown_changed = Signal(object)
    welcomed = Signal(object)
    microphone_changed = Signal()
    level = Signal(float, bool)
    tested = Signal(object)
    one_moment_wanted = Signal(int)
    solution_noted = Signal(str)
    answer_painted = Signal()
    refused = Signal(object)

    def __init__(
        self,
        spool: Spool,
        sound: SoundDevices,
        background: Background,
        clock: Clock,
        this: ThisStation,
        wanted_microphone: str = "",
        parent: QObject | None = None,
        apart_ms: int = APART_MS,
        microphone_again_ms: int = TRY_AGAIN_MS,
        space: SpoolSpace | None = None,
        close_again_ms: int = CLOSE_AGAIN_MS,
    ) -> None:
        super().__init__(parent)
        self._spool = spool
        self.space = space or SpoolSpace(spool.root)
        self._close_again_ms = close_again_ms
        self._sound = sound
        self._background = background
        self._clock = clock
        self._this = this
        self._wanted_microphone = wanted_microphone
        self._link: Sender = _NoLink()
        self._calls = False
        self._sitting: Sitting | None = None
        self._opening = False
        self._leaving = False
        self._returning: Return | None = None
        self._found_at_start = False
        self._early: list[KeptMessage] = []
        self._welcome: Welcome | None = None
        self._link_up = False
        self._apart = QTimer(self)
        self._apart.setSingleShot(True)
        self._apart.setInterval(apart_ms)
        self._apart.timeout.connect(self._on_apart)
        self._is_apart = False
        self._hearing = False
        self._stopped = ""
        self.takes_turns = False
        """One of several booths: while another one has the place, this one waits."""
        self._view = View()
        self.mic_test: MicTest | None = None
        self.microphone = Microphone(sound, background, self, microphone_again_ms)
        self._wire_microphone()

    # -- what the link asks and tells ------------------------------------------------------------------

    def begin(self, link: Sender, ready: Callable[[], None]) -> None:
        """Look for a session that a crash left open, resume it, and then call `ready` to dial."""
        self._link = link
        self._background.run(self._look_into_spool, lambda future: self._on_found(future, ready))

    def hello(self) -> Hello:
        """The first message of a connection: which session is here, if any."""
        sitting = self._sitting
        if sitting is None:
            return Hello(calls=self._calls, wall_utc=self._clock.wall_utc())
        name, identity = sitting.session
        return Hello(
            session_id=name,
            identity=identity,
            secret=sitting.secret,
            epoch=sitting.epoch,
            bound=not self._may_be_set_aside(sitting),
            wall_utc=self._clock.wall_utc(),
        )

    def resend(self, after: int) -> Iterator[JournalLine]:
        """The journal's lines after this number, as the link asks for them at a reconnect."""
        return self._sitting.keeper.lines_after(after) if self._sitting else iter(())

    @Slot(object)
    def on_message(self, message: Message) -> None:
        """One message that crossed the curtain. What does not fit the moment is passed over."""
        match message:
            # First of all: it opens the session that the others belong to.
            case Welcome():
                self._on_welcome(message)
            case LinesBack():
                self._on_lines_back(message)
            case Waiting():
                self._stopped, self._calls = "", False
                self._set_link(False)
            case WantAudio() if self._sitting:
                self._sitting.uploads.want(message)
            case AudioSafe() if self._sitting:
                self._sitting.note_safe(message)
                self._close_when_safe()
            case KeptMessage():
                self._on_kept(message)

    @Slot(int)
    def on_acked(self, seq: int) -> None:
        """The other station holds our lines up to this one."""
        if self._sitting:
            self._sitting.acked = max(self._sitting.acked, seq)
            self._close_when_safe()

    @Slot()
    def on_link_lost(self) -> None:
        """The connection is gone. Recording goes on."""
        # What was asked back is asked again after the next welcome.
        self._returning = None
        if self._sitting:
            self._sitting.keeper.fall_silent()
            self._sitting.uploads.forget()
        self._set_link(False)

    @Slot(object)
    def on_refused(self, refused: TurnedAway) -> None:
        """A session left here by a crash long ago does not keep a new one from beginning; it stays in the spool.

        A session that this station began is opened again, and with it the secret that the other side asks for.
        """
        self._calls = False
        if refused.code == "session" and self._sitting and self._may_be_set_aside(self._sitting):
            # Also one that was closed at the wizard's without something that only this station has.
            log.warning("session %s is set aside in the spool", self._sitting.session.session_id)
            self._leave_sitting()
        elif refused.code == "seat" and not self._sitting and self._spool.holds(refused.session):
            # The files of a session that was just set aside may still be in our own hands; the refusal comes again.
            if not self._opening and not self._leaving:
                self._found_at_start = True
                self._open(self._spool.folder(refused.session), _nothing)
            return
        elif refused.code not in ("in_use", "seat") or self._sitting or not self.takes_turns:
            self._stopped = refused.code
        self._refresh()

    def _may_be_set_aside(self, sitting: Sitting) -> bool:
        return self._found_at_start or sitting.over is not None

    def recording(self) -> bool:
        """Whether a turn is being spoken."""
        return bool(self._sitting and self._sitting.takes.open_turn)

    @property
    def seated(self) -> bool:
        """A session is open here, and the other station has welcomed it."""
        return self._sitting is not None and self._sitting.welcome is not None

    @property
    def test_told(self) -> MicrophoneTest:
        """What the microphone test made of the subject's voice, as the other station is told."""
        if self.mic_test is None or self._view.page != "mic_test":
            return ""
        if self.mic_test.open:
            return "speaking"
        return self.mic_test.verdict or "waiting"

    # -- what the subject does -------------------------------------------------------------------------

    def stamp(self) -> Stamp:
        """Now, on both clocks. The recorder's runs like ours as long as there is none."""
        now = self._clock.monotonic_ns()
        recorder = self.microphone.recorder
        # In seconds, as the recorder's clock is.
        return Stamp(now, recorder.time() if recorder else now / 1e9)

    @Slot(object, str)
    def press(self, stamp: Stamp, source: Literal["key", "button"]) -> None:
        """The talk key went down, at this moment."""
        # In the test nothing is a turn.
        if self._view.page == "mic_test" and self.mic_test:
            self.mic_test.press(stamp, self.microphone.recorder)
        elif self._sitting:
            # Of this press nothing has been heard yet.
            self._hearing = False
            self._sitting.forget_last_press()
            recorder = self.microphone.recorder if self.microphone.ready else None
            self._sitting.takes.press(stamp, source, recorder)
            self._refresh()

    @Slot(object, str)
    def release(self, stamp: Stamp, ended_by: EndedBy = "key") -> None:
        """The hold of the talk key ended, and why."""
        if self.mic_test and self.mic_test.open:
            self.mic_test.release(stamp)
        elif self._sitting:
            if self._sitting.takes.open_turn:
                self._sitting.cut_short = ended_by
            self._sitting.takes.release(stamp, ended_by)
            self._refresh()

    @Slot()
    def cancel(self) -> None:
        """The subject takes back what is being said."""
        if self.mic_test and self.mic_test.open:
            self.mic_test.cancel()
        elif self._sitting:
            self._sitting.takes.cancel()
            self._refresh()

    @Slot(str)
    def choose_microphone(self, name: str) -> None:
        """The subject chose this microphone."""
        self.microphone.choose(name)

    @Slot()
    def finish_mic_test(self) -> None:
        """The subject goes on from the microphone test, if a microphone is ready."""
        if self._sitting and self.mic_test and self.microphone.ready:
            verdict = self.mic_test.verdict
            result = {"result": verdict} if verdict else {}
            self._fill_form(MIC_TEST, {"microphone": self.microphone.name, **result})
            self.mic_test.forget()
            self._refresh()

    @Slot()
    def finish_briefing(self) -> None:
        """The subject goes on from the briefing."""
        self._fill_form(BRIEFING, {})
        self._refresh()

    @Slot(str, str, str)
    def answer_item(self, form: str, item: str, value: str) -> None:
        """The subject answered one item of a questionnaire, or changed the answer."""
        self._fill_form(form, {item: value}, complete=False)

    @Slot(str)
    def finish_form(self, form: str) -> None:
        """The subject goes on from a questionnaire."""
        shown = self._sitting.open_form if self._sitting else None
        unanswered = shown.unanswered(self.form_answers.get(form, {})) if shown and shown.name == form else []
        self._fill_form(form, {item.id: "" for item in unanswered})
        self._refresh()

    @property
    def form_answers(self) -> dict[str, dict[str, str]]:
        """What was answered so far, by form, also before a restart."""
        return self._sitting.past.answers if self._sitting else {}

    @Slot()
    def start_over(self) -> None:
        """Clear the earlier exchanges from the screen, from now on also after a restart."""
        if self._sitting:
            self._sitting.shown = self._sitting.shown.started_over(self._sitting.shown.seq)
            self._sitting.keeper.record(HistoryCleared())
            self.shown_changed.emit(self._sitting.shown)

    @Slot()
    def call_for_help(self) -> None:
        """The subject wants the person who seated them; the other room is told."""
        if self._sitting:
            self._sitting.keeper.record(HelpCalled())
        else:
            # Without a session only a hello is listened to, and one that is refused is, too.
            self._calls = True
            self._link.begin_again()

    @Slot(str)
    def report_solution(self, value: str) -> None:
        """The subject typed the answer to the task; an empty one is none."""
        scenario = self._sitting.shown.scenario if self._sitting else None
        if self._sitting and scenario and value.strip():
            fact = SolutionReported(scenario_id=scenario.scenario_id, value=value.strip(), how="typed")
            self._sitting.keeper.record(fact)
            self.solution_noted.emit(value.strip())

    @Slot(str, int, int)
    def painted(self, what: What, seq: int, turn: int) -> None:
        """It is on the screen now; told once, also after a restart."""
        # By its turn where there is no number: “one moment” is shown in every turn.
        key = (what, seq, 0 if seq else turn)
        if self._sitting and key not in self._sitting.past.painted:
            self._sitting.past.painted.add(key)
            self._sitting.keeper.record(Painted(what=what, id=seq), turn or None)
            if what in ("answer", "message"):
                self.answer_painted.emit()

    def close(self) -> None:
        """Keep what is being said, and let everything go. The event loop is over or about to be."""
        sitting = self._sitting
        close_all(
            # The take first, then the device: its tail is in the recorder.
            partial(sitting.takes.finish, self.stamp()) if sitting else None,
            self.microphone.close_at_once,
            self._sound.close,
            # Now everybody who waits for the disk tries a last time.
            self.space.end,
            # After the recorder: only now are the futures resolved.
            sitting.takes.write_the_rest if sitting else None,
            sitting.keeper.close if sitting else None,
        )

    # -- the session -----------------------------------------------------------------------------------

    def _look_into_spool(self) -> SpoolFolder | None:
        try:
            self._spool.remove_closed()
        except OSError as error:
            log.warning("closed sessions cannot be removed from the spool: %s", type(error).__name__)
        return self._spool.unclosed()

    def _on_found(self, future: Future[SpoolFolder | None], ready: Callable[[], None]) -> None:
        try:
            folder = future.result()
        except OSError:
            log.warning("the spool cannot be read")
            folder = None
        if folder is None:
            ready()
        else:
            self._found_at_start = True
            self._open(folder, ready)

    def _open(self, folder: SpoolFolder, then: Callable[[], None], secret: str = "") -> None:
        self._opening = True

        def on_opened(future: Future[OpenedSession]) -> None:
            self._opening = False
            try:
                self._sit_down(future.result())
            except (CurtainError, OSError) as error:
                log.error("session %s does not open: %s", folder.session_id, type(error).__name__)
                self.refused.emit(error)
            then()

        self._background.run(lambda: open_session(folder, self._clock, self._this, self.space, secret), on_opened)

    def _sit_down(self, opened: OpenedSession) -> None:
        sitting = Sitting(opened, self._background, self._link, self.refused.emit)
        self._sitting = sitting
        sitting.keeper.on_settled = self._close_when_safe
        self.microphone.busy = lambda: bool(sitting.takes.open_turn)
        sitting.takes.released.connect(self._on_released)
        sitting.takes.saved.connect(self._refresh)
        sitting.takes.withdrawn.connect(self._refresh)
        sitting.takes.refused.connect(self.refused)
        self.mic_test = MicTest(opened.folder.path / MIC_TEST, self._sound, self._background, self)
        self.mic_test.changed.connect(self.tested)
        self.began.emit()

    def _on_welcome(self, welcome: Welcome) -> None:
        # Messages of another session must not get into this one.
        if self._welcome is None or self._welcome.session != welcome.session:
            self._early = []
        self._welcome = welcome
        if self._sitting is not None:
            self._take_welcome(self._sitting, welcome)
        elif not self._opening:
            self._open(self._spool.folder(welcome.session), self._on_opened_for_welcome, welcome.secret)

    def _on_opened_for_welcome(self) -> None:
        if self._welcome and not self._sitting:
            self._decline(self._welcome, "unusable")
        elif self._sitting and self._welcome:
            self._take_welcome(self._sitting, self._welcome)

    def _take_welcome(self, sitting: Sitting, welcome: Welcome) -> None:
        if welcome.session != sitting.session:
            self._decline(welcome, "elsewhere")
            return
        # Compared before anything is sent: see `record`.
        if not sitting.keeper.holds(welcome.journal_have, welcome.journal_sum):
            self._want_lines(sitting, welcome)
            return
        self._stopped = ""
        if welcome.secret != sitting.secret:
            sitting.secret = welcome.secret
            self._background.run(partial(sitting.folder.keep_secret, welcome.secret), self._on_secret_kept)
        first = sitting.welcome is None
        sitting.welcomed(welcome)
        if first:
            self.welcomed.emit(welcome)
            self._prepare_microphone(sitting, welcome)
        sitting.keeper.agree(welcome.journal_have)
        self._set_link(True)
        # What came before the session was open, in its order.
        early, self._early = self._early, []
        for message in early:
            self._on_kept(message)
        self._close_when_safe()

    def _want_lines(self, sitting: Sitting, welcome: Welcome) -> None:
        """This station has lost lines that the other one holds: they are asked back before anything is sent."""
        if not welcome.journal_sum:
            self._decline(welcome, "behind")
        elif sitting.welcome is not None and not welcome.replaces:
            self._decline(welcome, "differs")  # what is in use here is whole: the other station's copy is not ours
        else:
            log.warning("session %s: lines are missing here and asked back", welcome.session_id)
            self._stopped = ""
            self._returning = Return(welcome)
            self._link.send(self._returning.wish)

    def _on_lines_back(self, back: LinesBack) -> None:
        returning, sitting = self._returning, self._sitting
        if returning is None or sitting is None or not returning.take(back):
            return
        if not returning.whole:
            self._link.send(returning.wish)
            return
        # Before the outcome: a second answer to the same wish must find nothing.
        self._returning = None
        try:
            returning.check()
            lines = returning.lines if returning.welcome.replaces else sitting.keeper.joined_with(returning.lines)
        except RecordDiffers:
            self._decline(returning.welcome, "differs")
        except RecordAltered as error:
            log.warning("%s", error)
            self._link.begin_again()
        else:
            self._rebuild(sitting, lines, returning.welcome.secret)

    def _rebuild(self, old: Sitting, lines: Sequence[bytes], secret: str) -> None:
        """Open the session anew over these lines, then dial again: the hello tells which start of the station it is."""
        # What is being said now is kept in the old record.
        old.takes.finish(self.stamp())
        self._leave_sitting()
        self._opening = True

        def reopened() -> OpenedSession:
            old.keeper.close()
            replace_record(old.folder.journal, lines)
            return open_session(old.folder, self._clock, self._this, self.space, secret)

        def on_opened(future: Future[OpenedSession]) -> None:
            self._opening = False
            try:
                self._sit_down(future.result())
            except (CurtainError, OSError) as error:
                log.error("session %s does not open: %s", old.session.session_id, type(error).__name__)
                self.refused.emit(error)
            # The screen goes on where it was: the subject notices nothing.
            if self._sitting is not None:
                self._sitting.go_on_from(old)
            self._link.begin_again()

        self._background.run(reopened, on_opened)

    def _decline(self, welcome: Welcome, reason: Literal["behind", "differs", "unusable", "elsewhere"]) -> None:
        """Neither side may wait for the other: both screens say that it does not go on."""
        log.error("the welcome to %s cannot be taken up: %s", welcome.session_id, reason)
        self._link.send(Declined(session_id=welcome.session_id, identity=welcome.identity, reason=reason))
        self._stopped = reason
        self._refresh()

    def _on_secret_kept(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            log.warning("the secret cannot be kept: %s", type(error).__name__)

    def _prepare_microphone(self, sitting: Sitting, welcome: Welcome) -> None:
        # The command line, then what this session used before, then the study.
        name = self._wanted_microphone or sitting.past.microphone or welcome.microphone
        self.microphone.prepare(name, sitting.folder.rescue, self.space.make_room)

    def _on_kept(self, message: KeptMessage) -> None:
        # Kept until the session is open: the link delivers each message only once.
        if self._sitting is None or self._sitting.welcome is None:
            self._early.append(message)
            return
        self._sitting.apply(message)
        self.shown_changed.emit(self._sitting.shown)
        self._refresh()
        # After it was shown: the ack says that it is on the screen.
        self._link.ack(message.seq)
        if isinstance(message, SessionOver | ScenarioOver):
            self._close_when_safe()

    def _fill_form(self, form: str, values: dict[str, str], complete: bool = True) -> None:
        if self._sitting:
            fact = FormFilled(form=form, values=values, complete=complete)
            self._sitting.past.fill(fact)
            self._sitting.keeper.record(fact)

    def _close_when_safe(self) -> None:
        sitting = self._sitting
        if sitting and sitting.over and not sitting.open_form and sitting.all_safe:
            self._leave_sitting(closed=sitting.folder)

    def _close_folder(self, folder: SpoolFolder) -> None:
        try:
            folder.mark_closed()
        # A full disk must not keep a finished session open for ever.
        except OSError as fault:
            if not self.space.make_room(fault):
                raise
            folder.mark_closed()
        self._spool.remove_closed()

    def _on_left(self, closed: SpoolFolder | None, future: Future[None]) -> None:
        self._leaving = False
        try:
            future.result()
        except OSError as error:
            log.warning("the spool cannot be closed: %s", type(error).__name__)
            if closed is not None:
                QTimer.singleShot(self._close_again_ms, self, partial(self._close_again, closed))

    def _close_again(self, folder: SpoolFolder) -> None:
        """Once there is space; unless the other station has begun the session anew from a backup."""
        if not self._opening and not (self._sitting and self._sitting.folder == folder):
            self._background.run(partial(self._close_folder, folder), partial(self._on_left, folder))

    def _leave_sitting(self, closed: SpoolFolder | None = None) -> None:
        """Let the session's files go; a folder that is `closed` is marked and removed after that."""
        sitting, self._sitting, self._found_at_start = self._sitting, None, False
        self._apart.stop()
        self._is_apart = False
        if sitting:
            self.microphone.close()

            def let_go() -> None:
                # In the background: closing waits for the disk.
                sitting.keeper.close()
                if closed is not None:
                    self._close_folder(closed)

            self._leaving = True
            self._background.run(let_go, partial(self._on_left, closed))

    # -- the microphone --------------------------------------------------------------------------------

    def _wire_microphone(self) -> None:
        self.microphone.changed.connect(self._refresh)
        self.microphone.changed.connect(self.microphone_changed)
        self.microphone.level.connect(self._on_level)
        self.microphone.take_sound.connect(self._on_take_sound)
        self.microphone.found.connect(self._on_microphone_found)
        self.microphone.lost.connect(self._on_microphone_lost)
        self.microphone.refused.connect(self.refused)

    @Slot(float, bool)
    def _on_level(self, dbfs: float, clipped: bool) -> None:
        # The first sound after the press: only now it is true that somebody listens.
        if not self._hearing and self._sitting and self._sitting.takes.open_turn:
            self._hearing = True
            self._refresh()
        self.level.emit(dbfs, clipped)

    def _on_take_sound(self, take: Path, frame: int, samples: NDArray[np.int16], rate: int) -> None:
        if self._sitting:
            self._sitting.live.pass_on(take.stem, frame, samples, rate)

    @Slot(str, int)
    def _on_microphone_found(self, name: str, rate: int) -> None:
        if self._sitting:
            self._sitting.keeper.record(DeviceFound(name=name, sample_rate=rate))

    @Slot(str)
    def _on_microphone_lost(self, name: str) -> None:
        if self._sitting:
            self._sitting.keeper.record(DeviceLost(name=name))

    # -- what is to be seen ----------------------------------------------------------------------------

    @Slot(int)
    def _on_released(self, turn: int) -> None:
        self._refresh()
        self.one_moment_wanted.emit(turn)

    def _set_link(self, up: bool) -> None:
        self._link_up = up
        # Without a session nobody is waiting for an answer.
        if up or self._sitting is None:
            self._apart.stop()
            self._is_apart = False
        elif not self._is_apart and not self._apart.isActive():
            self._apart.start()
        self._refresh()

    @Slot()
    def _on_apart(self) -> None:
        self._is_apart = self._sitting is not None
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        microphone = self.microphone
        around = StationConditions(
            microphone.readiness,
            self._link_up,
            self._hearing,
            self._is_apart,
            microphone.gone,
            bool(self._stopped),
        )
        view = view_of(self._sitting, around, self._view)
        # Only a change is told: every paint costs.
        if view != self._view:
            self._view = view
            self.view_changed.emit(view)


def _nothing() -> None:
    pass


class _NoLink:
    """Before the link is there: nothing goes out, everything is in the journal."""

    def send(self, message: Message) -> bool:
        return False

    def ack(self, seq: int) -> None:
        pass

    def begin_again(self) -> None:
        pass
