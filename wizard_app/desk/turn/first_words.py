"""A first transcription of what was said, offered in the empty query field; it is never sent by itself."""

from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.hearing import Hearing
from curtain.link.messages import LiveSound
from curtain.ports.ear import OpenEar
from curtain.qt.background import Background
from curtain.session.events.wizard_events import NotHeard, WordsHeard
from curtain.session.study.study import Study
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.scenarios import condition_of_turn
from wizard_app.desk.turn.control import TurnControl
from wizard_app.desk.turn.offered_text import OfferedText

# A session that was ended waits so long for what is still being heard.
PATIENCE_MS = 3000


class FirstWords(QObject):
    """Asks for each take once, offers what was heard while its turn is worked on, and journals it whenever it comes, or
    why it did not.

    `growing(turn, Hearing)`: so much was heard of a turn that is being spoken. `offered(turn, Hearing)`: this was heard
    of the turn at work; without a word if the recogniser made none out, or failed. `failed(sentence)`: why it did.
    """

    growing = Signal(int, object)
    offered = Signal(int, object)
    failed = Signal(str)
    _grew = Signal(int, object)

    def __init__(
        self, session: SessionControl, turns: TurnControl, background: Background, study: Study,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._turns = turns
        self._background = background
        self._study = study
        self._transcriber: OpenEar | None = None
        self._problem = ""
        self._heard: dict[int, Hearing] = {}
        self._asked: set[int] = set()
        self._worked_on: set[int] = set()
        self._journaled: set[int] = set()
        session.opened.connect(self._begin_session)
        self._live_turn, self._live_frames = 0, 0
        session.live_sound_came.connect(self._on_live_sound)
        # The transcriber says so on a thread of its own.
        self._grew.connect(self._on_grown)
        session.take_here.connect(self._on_take_here)
        turns.turn_changed.connect(self._on_turn_changed)
        session.progress_changed.connect(self._keep_all)
        self._also_awaited, session.ending.also_awaited = session.ending.also_awaited, self._awaited
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._give_reasons)

    def set_transcriber(self, transcriber: OpenEar) -> None:
        """The transcriber is ready; the open turn is asked for now."""
        self._transcriber = transcriber
        transcriber.on_growing = self._grew.emit
        self._on_turn_changed()
        self._keep_all()

    def close(self) -> None:
        """End the transcriber, if there is one."""
        if self._transcriber is not None:
            self._transcriber.close()

    def wanted(self, turn: int) -> bool:
        """Whether the wizard is offered words of this turn: as its condition says, else the study."""
        return self._study.transcribes_under(condition_of_turn(self._session.progress, turn))

    def _begin_session(self) -> None:
        for kept in (self._heard, self._asked, self._worked_on, self._journaled):
            kept.clear()
        # Before a restart they may have been replied to and not heard yet.
        self._worked_on |= {one.number for one in self._session.progress.in_order if one.sent or one.query is not None}

    @Slot()
    def _on_turn_changed(self) -> None:
        turn = self._turns.turn
        if turn is not None:
            self._worked_on.add(turn.number)
            self._ask(turn.number)
            self._offer(turn.number)

    @Slot(int)
    def _on_take_here(self, turn: int) -> None:
        self._ask(turn)
        self._keep_all()

    @Slot(object)
    def _on_live_sound(self, sound: LiveSound) -> None:
        """Hand over what is spoken, up to the first gap: the recording has the rest."""
        if self._transcriber is None:
            return
        if sound.frame == 0 and sound.data and self.wanted(sound.turn):
            self._live_turn, self._live_frames = sound.turn, 0
            self._expect()
            self._transcriber.begin(sound.turn)
        if sound.turn == self._live_turn and sound.frame == self._live_frames:
            self._transcriber.more(sound.turn, sound.data, sound.rate)
            self._live_frames += len(sound.data) // 2
        else:
            self._live_turn = 0

    @Slot(int, object)
    def _on_grown(self, turn: int, hearing: Hearing) -> None:
        if turn not in self._heard:
            self.growing.emit(turn, hearing)

    def _expect(self) -> None:
        """A question like those of the scenario and like the last ones."""
        progress = self._session.progress
        queries = [one.query for one in progress.in_order if one.query is not None]
        assert self._transcriber is not None
        self._transcriber.expect(progress.scenario.scenario_id if progress.scenario else "", queries)

    def _ask(self, turn: int) -> None:
        wav = self._session.take_path(turn)
        if self._transcriber is not None and wav is not None and turn not in self._asked and self.wanted(turn):
            self._asked.add(turn)
            if turn != self._live_turn:
                self._expect()
            done = partial(self._on_words, self._session.session, turn)
            self._background.when_done(self._transcriber.finish(turn, wav), done)

    def _on_words(self, session: OpenSession | None, turn: int, future: Future[Hearing]) -> None:
        if session is not self._session.session:
            # Of a session that is over: another one may have a turn of this number.
            return
        self._heard[turn] = hearing = future.result()
        assert self._transcriber is not None
        before, self._problem = self._problem, "" if hearing.model else self._transcriber.problem
        self._offer(turn)
        if self._problem not in ("", before):
            self.failed.emit(self._problem)

    def _offer(self, turn: int) -> None:
        """Only on its own turn, and only as long as nobody has sent anything."""
        if turn in self._heard and self._waits(turn):
            self.offered.emit(turn, self._heard[turn])
        self._keep(turn)

    def _waits(self, turn: int) -> bool:
        """Whether words of this turn can be offered now."""
        current = self._turns.turn
        return current is not None and current.number == turn and not self._turns.correcting and current.query is None

    @Slot()
    def _keep_all(self) -> None:
        """A reply that was sent is known only when it is on the disk, and a hearing may come before or after."""
        for turn in self._unkept():
            self._ask(turn)
            self._keep(turn)
        if self._session.closing and not self._patience.isActive() and self._unkept():
            self._patience.start(PATIENCE_MS if self._transcriber is not None else 0)

    def _keep(self, turn: int) -> None:
        """Journal what was heard as soon as it is shown, or can be shown no more."""
        hearing, now = self._heard.get(turn), self._session.progress.turns.get(turn)
        if hearing is None or now is None or turn not in self._unkept():
            return
        waits, fields = self._waits(turn), self._turns.fields
        if not hearing.model:
            self._write(turn, NotHeard(reason=self._problem or "The recogniser failed."))
        elif waits or now.query is not None or now.sent or self._session.closing:
            # Words that were put away while they came had been seen.
            shown = waits and bool(fields.past or OfferedText(hearing, whole=True, typed=fields.query).rest)
            fact = WordsHeard(
                words=hearing.words, model=hearing.model, version=hearing.version, decoding_s=hearing.decoding_s,
                shown=shown,
            )  # fmt: skip
            self._write(turn, fact)

    def _write(self, turn: int, fact: WordsHeard | NotHeard) -> None:
        self._journaled.add(turn)
        self._session.write([(fact, turn)])

    def _unkept(self) -> list[int]:
        """The turns worked on here whose recording is here, and of whose words the journal says nothing."""
        turns = self._session.progress.turns
        return [
            number
            for number in sorted(self._worked_on - self._journaled)
            if number in turns and not turns[number].recognised_here and self.wanted(number)
            and self._session.take_path(number) is not None
        ]  # fmt: skip

    def _awaited(self) -> list[str]:
        waits = self._patience.isActive() and bool(self._unkept())
        return [*self._also_awaited(), *(["the recogniser"] if waits else [])]

    def _give_reasons(self) -> None:
        reason = "The session ended before it was heard."
        for turn in self._unkept():
            self._write(turn, NotHeard(reason=reason if turn in self._asked else "The recogniser was not ready."))
