"""One session at this station: its journal, takes and screen, from the welcome to the closing page."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from curtain.audio.wav import to_int16
from curtain.base.errors import CurtainError
from curtain.base.hearing import Input
from curtain.link import messages
from curtain.qt.background import Background
from curtain.session.events.subject_events import DISCLOSURE, EndedBy, FormFilled, TurnTyped
from curtain.session.study.ids import utterance_id
from subject_app.session.journal_writer import JournalWriter
from subject_app.session.past_events import Past
from subject_app.session.recovery import OpenedSession
from subject_app.session.screen_state import ScreenState
from subject_app.session.spool import SpoolFolder
from subject_app.talk.takes import Takes

if TYPE_CHECKING:
    from curtain.link.qt import SubjectLink


class Sitting:
    """What is true of the session now. Decides nothing about windows, devices or the link."""

    def __init__(
        self, opened: OpenedSession, background: Background, link: SubjectLink, refused: Callable[[CurtainError], None]
    ) -> None:
        past = opened.past
        self.folder = opened.folder
        self.past: Past = past
        self.keeper = JournalWriter(opened.journal, background, link, refused)
        self.takes = Takes(opened.folder, self.keeper, background, past.last_turn)
        self.live = LiveSpeech(opened.folder.session_id, link.send)
        self.uploads = Uploads(opened.folder, background, link)
        typed = {number: turn.typed for number, turn in past.turns.items() if turn.typed is not None}
        self.shown = ScreenState(cleared=past.cleared, typed=typed)
        self._typing_since_ns: int | None = None
        self.secret = opened.secret
        self.welcome: messages.Welcome | None = None
        self.awaiting: set[int] = set(past.awaiting)
        self.audio: dict[str, str] = dict(past.takes)
        self.safe: dict[str, str] = {}
        self.acked = self.confirmed = 0
        self.paused = False
        self._went_back_to = ""
        self.cut_short: EndedBy = "key"
        self.soundless = False
        self._hearing = False
        self._seen = past.seen
        self.takes.released.connect(self._on_released)
        self.takes.withdrawn.connect(self.awaiting.discard)
        self.takes.saved.connect(self._on_saved)
        self.takes.channel_saved.connect(self._on_channel_saved)
        self.takes.soundless.connect(self._on_soundless)
        self.takes.begun.connect(self.live.begin)
        self.takes.withdrawn.connect(self.live.end)
        self.takes.saved.connect(self.live.end)

    @property
    def session(self) -> messages.SessionName:
        """Which session this is."""
        return self.folder.session

    def welcomed(self, welcome: messages.Welcome) -> None:
        """Take up the welcome, also a later one of the same session."""
        self.welcome = welcome
        self.live.wanted = welcome.live_sound
        # A welcome comes at each reconnect, so it only adds.
        self.safe |= welcome.audio_have
        self.acked = max(self.acked, welcome.journal_have)

    def go_on_from(self, before: Sitting) -> None:
        """The same session in this process, over a repaired record: what the screen shows does not come again."""
        self.shown, self.paused, self.confirmed = before.shown, before.paused, before.confirmed

    def apply(self, message: messages.KeptMessage) -> None:
        """One more message that is to be seen."""
        before = self.shown
        self.shown = before.after(message)
        if isinstance(message, messages.PauseShown):
            self.paused = message.paused
        self._settle(before, message)

    @property
    def open_form(self) -> messages.Form | None:
        """The questionnaire that the subject has to fill in now, or went back to."""
        forms = self.shown.forms
        back = next((form for form in forms if form.name == self._went_back_to), None)
        return back or next((form for form in forms if form.name not in self.past.forms), None)

    @property
    def form_place(self) -> tuple[int, int]:
        """Which questionnaire of how many that is, from 1; (0, 0) without one."""
        names = [form.name for form in self.shown.forms]
        return (names.index(self.open_form.name) + 1, len(names)) if self.open_form is not None else (0, 0)

    @property
    def form_before(self) -> str:
        """The questionnaire to go back to; "" if there is none. Who read who answered changes no answer any more."""
        place, _ = self.form_place
        names = [form.name for form in self.shown.forms]
        return names[place - 2] if place > 1 and names[place - 1] != DISCLOSURE else ""

    def go_back(self) -> None:
        """To the questionnaire before. What is answered there anew counts in place of the earlier answer."""
        self._went_back_to = self.form_before or self._went_back_to

    @property
    def input(self) -> Input:
        """How the subject asks now: in the task on the screen, before one in the session."""
        if self.shown.scenario is not None:
            return self.shown.scenario.input
        return self.welcome.input if self.welcome is not None else "speech"

    @property
    def task_runs(self) -> bool:
        """A task is on the screen that is not over: before it and behind it a question would belong to none."""
        return self.shown.scenario is not None and not self.shown.scenario_over

    def begin_typing(self, now_ns: int) -> None:
        """The first sign came into the empty field."""
        self._typing_since_ns = now_ns

    def ask(self, text: str, now_ns: int) -> None:
        """The subject typed a question and pressed Enter."""
        began_ns, self._typing_since_ns = self._typing_since_ns or now_ns, None
        fact = TurnTyped(text=text, began_ns=min(began_ns, now_ns), entered_ns=now_ns)
        if turn := self.takes.enter(fact):
            self.shown = self.shown.asked(turn, text)

    def forget_last_press(self) -> None:
        """The next question begins: what became of the last one is no longer news."""
        self.cut_short = "key"
        self.soundless = self._hearing = False

    def hear(self) -> bool:
        """Sound came; whether it is the first since the talk key went down."""
        before, self._hearing = self._hearing, self._hearing or bool(self.takes.open_turn)
        return self._hearing != before

    @property
    def listening(self) -> bool:
        """Whether a question is being spoken and sound has come since the talk key went down."""
        return self._hearing and bool(self.takes.open_turn)

    def fill_form(self, form: str, values: dict[str, str], complete: bool = True) -> None:
        """The subject answered a form, or went on from it."""
        if complete and form == self._went_back_to:
            # Forward as one came back: through those that were filled in before.
            names = [one.name for one in self.shown.forms]
            after = names[names.index(form) + 1 :][:1]
            self._went_back_to = after[0] if after and after[0] in self.past.forms else ""
        fact = FormFilled(form=form, values=values, complete=complete)
        self.past.fill(fact)
        self.keeper.record(fact)

    def note_safe(self, message: messages.AudioSafe) -> None:
        """The other station holds this recording."""
        self.safe[message.utterance_id] = message.sha256

    @property
    def all_safe(self) -> bool:
        """The other station holds every line and every utterance, and knows that the screen shows what it sent."""
        quiet = self.takes.settled and self.keeper.settled
        # By content: a recording of the same name from another start would not do.
        heard = all(self.safe.get(utterance) == sha for utterance, sha in self.audio.items())
        return quiet and heard and self.acked >= self.keeper.last_seq and self.confirmed >= self.shown.seq

    def _settle(self, before: ScreenState, message: messages.KeptMessage) -> None:
        # Also where the subject started over since: after a restart it comes again and is not shown.
        if isinstance(message, messages.AnswerShown | messages.MessageShown):
            self.awaiting.discard(message.turn)
        # What was asked before the task ended gets no answer. Shown again after a restart, it ends nothing.
        ended = (self.shown.scenario, self.shown.scenario_over) != (before.scenario, before.scenario_over)
        if ended and message.seq > self._seen:
            self.awaiting.clear()

    def _on_released(self, turn: int) -> None:
        # The answer can come before the key is certainly up.
        if not self.shown.exchange(turn).answered:
            self.awaiting.add(turn)

    def _on_soundless(self, turn: int) -> None:
        # The subject may speak again already, and this time be heard.
        self.soundless = turn == self.takes.last_turn

    def _on_channel_saved(self, recording: str, sha256: str) -> None:
        self.audio[recording] = sha256

    def _on_saved(self, turn: int, utterance_id: str, sha256: str) -> None:
        self.audio[utterance_id] = sha256


class LiveSpeech:
    """Sends the sound of the open turn by `send`, until its recording is saved or withdrawn.

    Nothing is sent again: what the link does not take is missing, and the recording comes by itself.
    """

    def __init__(self, session_id: str, send: Callable[[messages.Message], object]) -> None:
        self.wanted = False
        self._session_id = session_id
        self._send = send
        self._turn = 0
        self._next = 0
        self._rate = 16000

    def begin(self, turn: int) -> None:
        """The key went down. What still comes of the turn before is not sent any more."""
        self.end(self._turn)
        self._turn, self._next = turn, 0

    def pass_on(self, utterance: str, frame: int, samples: NDArray[np.int16], rate: int) -> None:
        """More of a recording: samples of shape (frames, channels) from this frame on, `rate` Hz."""
        # The microphone test records too, and so does the tail of a turn that is over.
        if not self.wanted or not self._turn or utterance != utterance_id(self._session_id, self._turn):
            return
        mono = samples[:, 0] if samples.shape[1] == 1 else to_int16(samples.mean(axis=1))
        self._next, self._rate = frame + len(mono), rate
        self._send(messages.LiveSound(turn=self._turn, frame=frame, rate=rate, data=mono.astype("<i2").tobytes()))

    def end(self, turn: int) -> None:
        """The recording of this turn is saved or withdrawn."""
        if turn != self._turn:
            return
        if self.wanted and self._next:
            self._send(messages.LiveSound(turn=turn, frame=self._next, rate=self._rate, data=b""))
        self._turn = self._next = 0


log = logging.getLogger(__name__)

CHUNK = 64 * 1024
Piece = tuple[int, bytes]
"""How long the recording is in bytes, and some of them."""


class Uploads:
    """One piece is read at a time, in the background, so that memory and window stay free."""

    def __init__(self, folder: SpoolFolder, background: Background, link: SubjectLink) -> None:
        self._folder = folder
        self._background = background
        self._link = link
        self._wanted: deque[messages.WantAudio] = deque()
        self._busy = False

    def want(self, wanted: messages.WantAudio) -> None:
        """Queue a wish; it is answered when those before it are."""
        self._wanted.append(wanted)
        self._next()

    def forget(self) -> None:
        """The link is gone: who still wants something asks again."""
        self._wanted.clear()

    def _next(self) -> None:
        if self._busy or not self._wanted:
            return
        self._busy = True
        wanted = self._wanted.popleft()
        self._background.run(lambda: self._read(wanted), lambda future: self._on_read(wanted, future))

    def _read(self, wanted: messages.WantAudio) -> Piece:
        path = self._folder.audio_of(wanted.utterance_id)
        with path.open("rb") as file:
            total = file.seek(0, 2)
            file.seek(wanted.offset)
            # Never more than a frame of the link takes.
            return total, file.read(min(CHUNK, wanted.length))

    def _on_read(self, wanted: messages.WantAudio, future: Future[Piece]) -> None:
        self._busy = False
        try:
            piece = future.result()
        except FileNotFoundError:
            # A total of nothing says that there is no such recording, so that nobody waits for it.
            log.warning("%s is not in the spool", wanted.utterance_id)
            self._give(wanted, (0, b""))
        except OSError as error:
            log.warning("%s cannot be read: %s", wanted.utterance_id, type(error).__name__)
        else:
            self._give(wanted, piece)
        self._next()

    def _give(self, wanted: messages.WantAudio, piece: Piece) -> None:
        total, data = piece
        chunk = messages.AudioChunk(utterance_id=wanted.utterance_id, offset=wanted.offset, total=total, data=data)
        length, offset = wanted.length - len(data), wanted.offset + len(data)
        # A piece that the window refuses is asked for again by the other station.
        if self._link.send(chunk) and data and length > 0 and offset < total:
            rest = messages.WantAudio(utterance_id=wanted.utterance_id, offset=offset, length=length)
            # At the head: one recording is finished before the next one.
            self._wanted.appendleft(rest)
