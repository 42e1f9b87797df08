"""What the subject's station does, without a window: the life of a session, decided from keys and messages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError, close_all
from curtain.link import messages
from curtain.link.events import TurnedAway
from curtain.qt.background import Background
from curtain.session.events import subject_events as subject
from subject_app.acts import SubjectActs
from subject_app.session.record import RecordAltered, RecordDiffers, Return, replace_record
from subject_app.session.recovery import OpenedSession, ThisStation, open_session
from subject_app.session.spool import Spool, SpoolFolder
from subject_app.session.spool_space import SpoolSpace
from subject_app.sitting.sitting import Sitting
from subject_app.sitting.states import Greeting, Over, Seated, SittingDown, StationState, Vacant, while_seated
from subject_app.sitting.view import MIC_TEST, Contact, StationConditions, View, types_alone, view_of
from subject_app.talk.hold import Stamp
from subject_app.talk.mic_test import MicTest
from subject_app.talk.microphone import TRY_AGAIN_MS, Microphone
from subject_app.talk.sound import SoundDevices

if TYPE_CHECKING:
    from curtain.link.qt import SubjectLink

log = logging.getLogger(__name__)

# A link that comes back at once is nobody's concern; beyond this somebody would wonder.
APART_MS = 4000
CLOSE_AGAIN_MS = 1000


class SubjectStation(QObject):
    """Signals say what the window shows; `acts` are what the subject does.

    `began()`: a session is open here, and nothing on the screen may be of the one before.
    `view_changed(View)`, `shown_changed(Shown)`, `welcomed(Welcome)`, `tested(Heard)`, `one_moment_wanted(turn)`: show
    it and report with `acts.painted`.
    `answer_painted()`: an answer or a message is on the screen for the first time.
    """

    began = Signal()
    left = Signal()
    view_changed = Signal(object)
    shown_changed = Signal(object)
    welcomed = Signal(object)
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
        self.absent: set[messages.Absent] = set()
        self._sound = sound
        self._background = background
        self._clock = clock
        self._this = this
        self._wanted_microphone = wanted_microphone
        self._link: SubjectLink  # given by `begin`: the link asks this station for its hello
        self.state: StationState = Vacant()
        self._greeting: Greeting | None = None
        self._contact: Contact = "down"
        self._apart = QTimer(self, singleShot=True, interval=apart_ms)
        self._apart.timeout.connect(partial(self._set_contact, "apart"))
        self.shown_elsewhere = False
        """The screen is another program, and whoever speaks for it calls `confirm` once it shows what came."""
        self.takes_turns = False
        """One of several booths: while another one has the place, this one waits."""
        self.view = View()
        self.microphone = Microphone(sound, background, self, microphone_again_ms)
        self.microphone.changed.connect(self.refresh)
        self.microphone.refused.connect(self.refused)
        self.microphone.second_absent.connect(partial(self.note_absent, "second_microphone"))
        self.acts = SubjectActs(self)

    # -- what the link asks and reports -----------------------------------------------------------------

    def begin(self, link: SubjectLink, ready: Callable[[], None]) -> None:
        """Look for a session that a crash left open, resume it, and then call `ready` to dial."""
        self._link = link
        self._background.run(self._spool.left_open, lambda future: self._on_found(future.result(), ready))

    def _on_found(self, folder: SpoolFolder | None, ready: Callable[[], None]) -> None:
        if folder is None:
            ready()
        else:
            self._open(folder, ready)

    def hello(self) -> messages.Hello:
        """The first message of a connection: which session is here, if any."""
        now = self._clock.wall_utc()
        if isinstance(self.state, Vacant):
            return messages.Hello(calls=self.state.calls, wall_utc=now)
        sitting, bound = self.state.sitting, not self.state.may_be_set_aside
        (name, identity), epoch = sitting.session, sitting.past.epochs
        return messages.Hello(
            session_id=name, identity=identity, secret=sitting.secret, epoch=epoch, bound=bound, wall_utc=now
        )

    def resend(self, after: int) -> Iterator[messages.JournalLine]:
        """The journal's lines after this number, as the link asks for them at a reconnect."""
        return self.state.sitting.keeper.lines_after(after) if isinstance(self.state, Seated) else iter(())

    @Slot(object)
    def on_message(self, message: messages.Message) -> None:
        """One message that crossed the curtain. What does not fit the moment is passed over."""
        match message:
            # First of all: it opens the session that the others belong to.
            case messages.Welcome():
                self._on_welcome(message)
            case messages.LinesBack():
                self._on_lines_back(message)
            case messages.Waiting():
                if isinstance(self.state, Vacant):
                    self.state.calls = False
                self._be_apart_soon()
            case messages.WantAudio() if isinstance(self.state, Seated):
                self.state.sitting.uploads.want(message)
            case messages.AudioSafe() if isinstance(self.state, Seated):
                self.state.sitting.note_safe(message)
                self._close_when_safe()
            case messages.KeptMessage():
                self._on_kept(message)

    @Slot(int)
    @while_seated
    def on_acked(self, seated: Seated, seq: int) -> None:
        """The other station holds our lines up to this one."""
        seated.sitting.acked = max(seated.sitting.acked, seq)
        self._close_when_safe()

    @Slot()
    def on_link_lost(self) -> None:
        """The connection is gone. Recording goes on."""
        if isinstance(self.state, Seated):
            # What was asked back is asked again after the next welcome.
            self.state.returning = None
            self.state.sitting.keeper.fall_silent()
            self.state.sitting.uploads.forget()
        # Who is refused stays so without a connection too.
        if self._contact != "refused":
            self._be_apart_soon()

    @Slot(object)
    def on_refused(self, refused: TurnedAway) -> None:
        """A session left here by a crash long ago does not keep a new one from beginning; it stays in the spool.

        A session that this station began is opened again, and with it the secret that the other side asks for.
        """
        match self.state:
            # Never while something is being said or saved.
            case Seated(sitting=at, may_be_set_aside=True) as seated if refused.code == "session" and at.takes.settled:
                log.warning("session %s is set aside in the spool", seated.sitting.session.session_id)
                self._leave(seated)
                self.refresh()
                return
            case Seated() if refused.code == "in_use":
                # Our own connection of before is not given up there yet: nobody else may have this place.
                self._be_apart_soon()
                return
            case Vacant() as waiting:
                waiting.calls = False
                if refused.code == "seat" and self._spool.holds(refused.session):
                    # The files of a session that was just set aside may still be in our own hands; the refusal comes
                    # again.
                    if not isinstance(waiting, SittingDown) and not waiting.letting_go:
                        self._open(self._spool.folder(refused.session), self.refresh)
                    return
                if refused.code in ("in_use", "seat") and self.takes_turns:
                    return
        self._set_contact("refused")

    def recording(self) -> bool:
        """Whether a turn is being spoken."""
        return isinstance(self.state, Seated) and bool(self.state.sitting.takes.open_turn)

    def note_absent(self, what: messages.Absent, absent: bool) -> None:
        """Whether something is missing that the study asks for; the wizard reads it with the next status."""
        (self.absent.add if absent else self.absent.discard)(what)

    @property
    def seated(self) -> bool:
        """A session is open here, and the other station has welcomed it."""
        return isinstance(self.state, Seated) and self.state.sitting.welcome is not None

    @property
    def speaks(self) -> bool:
        """Whether the subject speaks in some task of the session, so that a microphone is needed."""
        sitting = self.state.sitting if isinstance(self.state, Seated) else None
        return sitting is None or not types_alone(sitting, self._around)

    @property
    def mic_test(self) -> MicTest | None:
        """The microphone test of the session that is open here."""
        return self.state.mic_test if isinstance(self.state, Seated) else None

    @property
    def test_state(self) -> messages.MicrophoneTest:
        """What the microphone test made of the subject's voice, as reported to the other station."""
        test = self.mic_test if self.view.page == "mic_test" else None
        return "" if test is None else "speaking" if test.open else test.verdict or "waiting"

    def stamp(self) -> Stamp:
        """Now, on both clocks. The recorder's runs like ours as long as there is none."""
        now = self._clock.monotonic_ns()
        recorder = self.microphone.recorder
        # In seconds, as the recorder's clock is.
        return Stamp(now, recorder.time() if recorder else now / 1e9)

    @property
    def form_answers(self) -> dict[str, dict[str, str]]:
        """What was answered so far, by form, also before a restart."""
        return self.state.sitting.past.answers if isinstance(self.state, Seated) else {}

    @Slot()
    def call_for_help(self) -> None:
        """The subject wants the person who seated them; the other room is notified."""
        if isinstance(self.state, Seated):
            self.state.sitting.keeper.record(subject.HelpCalled())
        else:
            # Without a session only a hello is listened to, and one that is refused is, too.
            self.state.calls = True
            self._link.begin_again()

    def close(self) -> None:
        """Keep what is being said, and let everything go. The event loop is over or about to be."""
        sitting = self.state.sitting if isinstance(self.state, Seated) else None
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

    def _open(
        self,
        folder: SpoolFolder,
        then: Callable[[], None],
        welcome: messages.Welcome | None = None,
        before: Seated | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        """Open the session of this folder: for a welcome, because it was found there, or anew with the screen of
        `before`. `prepare` runs first, away from the window."""
        self.state = opening = SittingDown(calls=isinstance(self.state, Vacant) and self.state.calls)

        def work() -> OpenedSession:
            if prepare is not None:
                prepare()
            return open_session(folder, self._clock, self._this, self.space, welcome.secret if welcome else "")

        def on_opened(future: Future[OpenedSession]) -> None:
            try:
                self._sit_down(future.result(), welcome is None, before)
            except (CurtainError, OSError) as error:
                self.state = Vacant(opening.calls)
                log.error("session %s does not open: %s", folder.session_id, type(error).__name__)
                self.refused.emit(error)
            then()

        self._background.run(work, on_opened)

    def _sit_down(self, opened: OpenedSession, found: bool, before: Seated | None) -> None:
        sitting = Sitting(opened, self._background, self._link, self.refused.emit)
        sitting.keeper.on_settled = self._close_when_safe
        self.microphone.busy = lambda: bool(sitting.takes.open_turn)
        sitting.takes.released.connect(self._on_released)
        sitting.takes.saved.connect(self.refresh)
        sitting.takes.withdrawn.connect(self.refresh)
        sitting.takes.refused.connect(self.refused)
        mic_test = MicTest(opened.folder.path / MIC_TEST, self._sound, self._background, self)
        mic_test.changed.connect(self.tested)
        self.state = Seated(sitting, mic_test, may_be_set_aside=found)
        if before is not None:
            # The screen goes on where it was: the subject notices nothing.
            sitting.go_on_from(before.sitting)
            self.state = self.state.over() if isinstance(before, Over) else self.state
        self.began.emit()

    def _on_welcome(self, welcome: messages.Welcome) -> None:
        # Messages of another session must not get into this one.
        same = self._greeting is not None and self._greeting.welcome.session == welcome.session
        self._greeting = Greeting(welcome, self._greeting.early if self._greeting and same else [])
        match self.state:
            case Seated() as seated:
                self._take_welcome(seated, welcome)
            case SittingDown():
                pass  # taken up once the session is open
            case Vacant():
                self._open(self._spool.folder(welcome.session), self._on_opened_for_welcome, welcome)

    def _on_opened_for_welcome(self) -> None:
        if self._greeting is None:
            return
        if isinstance(self.state, Seated):
            self._take_welcome(self.state, self._greeting.welcome)
        else:
            self._decline(self._greeting.welcome, "unusable")

    def _take_welcome(self, seated: Seated, welcome: messages.Welcome) -> None:
        sitting = seated.sitting
        if welcome.session != sitting.session:
            self._decline(welcome, "elsewhere")
            return
        # Compared before anything is sent: see `record`.
        if not sitting.keeper.holds(welcome.journal_have, welcome.journal_sum):
            self._want_lines(seated, welcome)
            return
        if welcome.secret != sitting.secret:
            sitting.secret = welcome.secret
            self._background.run(partial(sitting.folder.keep_secret, welcome.secret), self._on_secret_kept)
        first = sitting.welcome is None
        sitting.welcomed(welcome)
        if first:
            self.welcomed.emit(welcome)
            self.shown_changed.emit(sitting.shown)
            # The command line, then what this session used before, then the study.
            name = self._wanted_microphone or sitting.past.microphone or welcome.microphone
            # Whoever only types needs no sound system, and a machine without one will do.
            if welcome.input != "text":
                self.microphone.prepare(
                    name, sitting.folder.rescue, self.space.make_room, welcome.recording_rate, welcome.second_microphone
                )
        sitting.keeper.agree(welcome.journal_have)
        self._set_contact("up")
        # What came before the session was open, in its order.
        early = self._greeting.early if self._greeting else []
        while early:
            self._on_kept(early.pop(0))
        self._close_when_safe()

    def _want_lines(self, seated: Seated, welcome: messages.Welcome) -> None:
        """This station has lost lines that the other one holds: they are asked back before anything is sent."""
        if not welcome.journal_sum:
            self._decline(welcome, "behind")
        elif seated.sitting.welcome is not None and not welcome.replaces:
            self._decline(welcome, "differs")  # what is in use here is whole: the other station's copy is not ours
        else:
            log.warning("session %s: lines are missing here and asked back", welcome.session_id)
            seated.returning = Return(welcome)
            self._link.send(seated.returning.wish)
            self._be_apart_soon()

    @while_seated
    def _on_lines_back(self, seated: Seated, back: messages.LinesBack) -> None:
        returning = seated.returning
        if returning is None or not returning.take(back):
            return
        if not returning.whole:
            self._link.send(returning.wish)
            return
        # Before the outcome: a second answer to the same wish must find nothing.
        seated.returning = None
        try:
            returning.check()
            keeper = seated.sitting.keeper
            lines = returning.lines if returning.welcome.replaces else keeper.joined_with(returning.lines)
        except RecordDiffers:
            self._decline(returning.welcome, "differs")
        except RecordAltered as error:
            log.warning("%s", error)
            self._link.begin_again()
        else:
            self._rebuild(seated, lines, returning.welcome)

    def _rebuild(self, seated: Seated, lines: Sequence[bytes], welcome: messages.Welcome) -> None:
        """Open the session anew over these lines, then dial again: the hello says which start of the station it is."""
        sitting = seated.sitting
        # What is being said now is kept in the old record.
        sitting.takes.finish(self.stamp())
        self._leave(seated)

        def replace() -> None:
            sitting.keeper.close()
            replace_record(sitting.folder.journal, lines)

        self._open(sitting.folder, self._link.begin_again, welcome, seated, replace)

    def _decline(
        self, welcome: messages.Welcome, reason: Literal["behind", "differs", "unusable", "elsewhere"]
    ) -> None:
        """Neither side may wait for the other: both screens say that it does not go on."""
        log.error("the welcome to %s cannot be taken up: %s", welcome.session_id, reason)
        self._link.send(messages.Declined(session_id=welcome.session_id, identity=welcome.identity, reason=reason))
        self._set_contact("refused")

    def _on_secret_kept(self, future: Future[None]) -> None:
        try:
            future.result()
        except OSError as error:
            log.warning("the secret cannot be kept: %s", type(error).__name__)

    def _on_kept(self, message: messages.KeptMessage) -> None:
        if not isinstance(self.state, Seated) or self.state.sitting.welcome is None:
            # Kept until the session is open: the link delivers each message only once. Without a welcome it belongs to
            # no session.
            if self._greeting is not None:
                self._greeting.early.append(message)
            return
        seated = self.state
        seated.sitting.apply(message)
        if isinstance(message, messages.SessionOver):
            self.state = seated.over()
        self.shown_changed.emit(seated.sitting.shown)
        self.refresh()
        if not self.shown_elsewhere:
            self.confirm(message.seq)

    @while_seated
    def confirm(self, seated: Seated, seq: int) -> None:
        """What came up to this message is on the screen: that is what the ack says."""
        seated.sitting.confirmed = seq
        self._link.ack(seq)
        self._close_when_safe()

    def _close_when_safe(self) -> None:
        if isinstance(self.state, Over) and not self.state.sitting.open_form and self.state.sitting.all_safe:
            self._leave(self.state, closed=self.state.sitting.folder)

    def _on_left(self, closed: SpoolFolder | None, future: Future[None]) -> None:
        if isinstance(self.state, Vacant):
            self.state.letting_go = False
        try:
            future.result()
        except OSError as error:
            log.warning("the spool cannot be closed: %s", type(error).__name__)
            if closed is not None:
                QTimer.singleShot(self._close_again_ms, self, partial(self._close_again, closed))

    def _close_again(self, folder: SpoolFolder) -> None:
        """Once there is space; unless the other station has begun the session anew from a backup."""
        state = self.state
        if not isinstance(state, SittingDown) and not (isinstance(state, Seated) and state.sitting.folder == folder):
            self._background.run(partial(self._spool.close, folder, self.space), partial(self._on_left, folder))

    def _leave(self, seated: Seated, closed: SpoolFolder | None = None) -> None:
        """Let the session's files go; a folder that is `closed` is marked and removed after that."""
        self.state = Vacant(letting_go=True)
        # Without a session nobody is waiting for an answer.
        self._apart.stop()
        if self._contact == "apart":
            self._contact = "down"
        self.left.emit()
        self.microphone.close()

        def let_go() -> None:
            # In the background: closing waits for the disk.
            seated.sitting.keeper.close()
            if closed is not None:
                self._spool.close(closed, self.space)

        self._background.run(let_go, partial(self._on_left, closed))

    # -- what is to be seen ----------------------------------------------------------------------------

    @Slot(int)
    def _on_released(self, turn: int) -> None:
        self.refresh()
        self.one_moment_wanted.emit(turn)

    def _be_apart_soon(self) -> None:
        if self._contact != "apart":
            self._set_contact("down")

    def _set_contact(self, contact: Contact) -> None:
        self._contact = contact
        # Without a session nobody is waiting for an answer.
        if contact != "down" or isinstance(self.state, Vacant):
            self._apart.stop()
        elif not self._apart.isActive():
            self._apart.start()
        self.refresh()

    @property
    def _around(self) -> StationConditions:
        microphone = self.microphone
        return StationConditions(microphone.readiness, self._contact, microphone.gone, microphone.absent)

    @Slot()
    def refresh(self) -> None:
        """Announce the view that follows from what is true now."""
        view = view_of(self.state, self._around, self.view)
        # Only a change is announced: every paint costs.
        if view != self.view:
            self.view = view
            self.view_changed.emit(view)
