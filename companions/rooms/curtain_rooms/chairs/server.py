"""The session's own station serves the other chairs: it writes for them what they may write, and shows them all."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.clock import Clock
from curtain.domain.wire import Result
from curtain.link.messages import LiveSound
from curtain.link.qt import STRANGERS
from curtain.link.wire import LinkSocket
from curtain.qt.background import Background
from curtain.session.chairs.table import ChairLine
from curtain.session.events.wizard_events import AnswerSent, PartDone, StatementRun, WizardFact, named, read
from curtain.session.journal.lines import JournalEntry, UnreadableFact
from curtain_rooms.chairs import messages as chair_messages
from curtain_rooms.chairs.fact_check import answer_in, check_again, check_fact, check_turn
from curtain_rooms.chairs.host import ChairHost, HostStep
from curtain_rooms.chairs.peer import host_end
from curtain_rooms.chairs.rules import NotGranted, check_from_chair, recalled
from curtain_rooms.chairs.wire import ChairPace, ChairWire
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.progress import Facts

if TYPE_CHECKING:
    from curtain.domain.worker.worker import SqlWorker

log = logging.getLogger(__name__)

_ENOUGH_WAITS = 512 * 1024
_LARGEST_PIECE = 256 * 1024
_NOT_ON_DISK = "The session’s own station could not keep that. Look at its disk, then send it again."


class _Guest:
    """One connected chair: what it has not been sent of the session yet, a line at a time."""

    def __init__(self, granted: str, pace: ChairPace) -> None:
        self.wire: ChairWire
        self.granted = granted
        self.pace = pace
        # While a statement of this chair runs again, what follows it waits.
        self.busy = False
        self.hurries = False
        self.unsent: deque[Callable[[], chair_messages.ChairMessage]] = deque()
        self.wanted: dict[int, chair_messages.WantTake] = {}


class ChairServer(QObject):
    """`changed`: who is here, or who holds what, is another. `notice` is a sentence for the person at this desk.

    `write` stands in place of the session's own: once others have joined, the host's desk keeps the same rules.
    """

    changed = Signal()
    notice = Signal(str)

    def __init__(self, session: SessionControl, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._clock = clock
        self._host = ChairHost()
        self._numbers = count(1)
        self._guests: dict[int, _Guest] = {}
        self._runs: dict[int, list[StatementRun]] = {}
        self._paces: dict[str, ChairPace] = {}
        self._checked_by: tuple[SqlWorker, Background] | None = None
        session.opened.connect(self._on_opened)
        session.closed.connect(self._on_closed)
        session.write_failed.connect(self._on_write_failed)
        session.line_written.connect(self._on_line_written)
        session.line_copied.connect(self._on_line_copied)
        session.take_here.connect(self._on_take_here)
        session.live_sound_came.connect(self._on_live_sound)

    @property
    def has_guests(self) -> bool:
        """Whether somebody has joined."""
        return self._host.has_guests

    @property
    def own_id(self) -> str:
        """Who sits at this desk."""
        opened = self._session.progress.opened
        return opened.wizard_ids[0] if opened is not None and opened.wizard_ids else "wizard"

    def check_with(self, worker: SqlWorker, background: Background) -> None:
        """The database over which an answer of another desk is worked out again before its rows are shown."""
        self._checked_by = worker, background

    def take_in(self, socket: LinkSocket, granted: str = "", mark: str = "") -> None:
        """Serve one more chair; its pairing, known by `mark`, grants the chair `granted`. It may say it is another
        one."""
        now = self._clock.monotonic_ns
        strangers = [guest for number, guest in self._guests.items() if self._host.name_of(number) is None]
        if len(strangers) >= STRANGERS:
            strangers[0].wire.close()
        number = next(self._numbers)
        # A desk that dials again brings its pace along.
        pace = self._paces.setdefault(mark, ChairPace(now)) if mark else ChairPace(now)
        guest = self._guests[number] = _Guest(granted, pace)
        wire = guest.wire = ChairWire(socket, host_end(now()), now, self, partial(self._takes, number, guest))
        wire.came.connect(lambda _wire, message: self._on_message(number, message))
        wire.drained.connect(lambda _wire: self._go_on(number))
        wire.gone.connect(lambda _wire, _why: self._on_gone(number))
        wire.read()

    def _takes(self, number: int, guest: _Guest, message: chair_messages.ChairMessage) -> bool:
        takes = not guest.busy and guest.pace.takes(message)
        if not (takes or guest.busy or guest.hurries):
            guest.hurries = True
            sentence = self.tr("“{0}” sends more than a person can. It is taken in more slowly.")
            self.notice.emit(sentence.format(self._host.name_of(number) or "?"))
        return takes

    def write(self, facts: Facts) -> None:
        """Journal what the person at this desk did; what belongs to another chair is refused in a sentence."""
        self._remember(facts)
        if not self.has_guests:
            # Others may have sat here before: then each line says whose doing it was.
            together = bool(self._host.table.chairs)
            self._session.write([(named(fact, self.own_id), turn) for fact, turn in facts] if together else facts)
            # Who joins later must not do it a second time.
            self._host.remember([line for line in recalled(facts, self.own_id) if isinstance(line.fact, PartDone)])
            return
        self._settle()
        try:
            whole = self._host.around(self.own_id, facts)
        except NotGranted as refused:
            self.notice.emit(str(refused))
            return
        self._session.write(whole)

    def decide(self, wish: Any) -> None:
        """A wish of this desk about one part, such as to take it or to hand it over."""
        self._settle()
        try:
            self._journal(self._host.decide(self.own_id, wish))
        except NotGranted as refused:
            self.notice.emit(str(refused))

    # -- what chairs say ---------------------------------------------------------------------------------

    def _on_message(self, number: int, message: chair_messages.ToHost) -> None:
        self._settle()
        match message:
            case chair_messages.WriteFacts():
                self._on_write(number, message)
            case chair_messages.WantTake():
                self._on_take_wanted(number, message)
            case chair_messages.ChairHello():
                self._on_hello(number, message)
            case _ if self._host.name_of(number) is None:
                self._carry_out(self._host.receive(number, message))
            case _:
                try:
                    check_turn(self._session.progress, message.turn, message.part)
                except NotGranted as refused:
                    self._refuse(number, message.number, refused)
                else:
                    self._carry_out(self._host.receive(number, message))

    def _on_hello(self, number: int, hello: chair_messages.ChairHello) -> None:
        was_here, guest = self._host.name_of(number) is not None, self._guests.get(number)
        self._carry_out(self._host.receive(number, hello, guest.granted if guest is not None else ""))
        if not was_here and self._host.name_of(number) is not None:
            self._show_session(number)

    def _on_write(self, number: int, wish: chair_messages.WriteFacts) -> None:
        if self._host.name_of(number) is None:
            return
        try:
            facts = [(_fact(one), one.turn) for one in wish.facts]
            for fact, turn in facts:
                session = self._session
                runs = self._runs.get(turn or 0, [])
                check_fact(fact, turn, session.progress, session.texts.messages, session.outbox(session.progress), runs)
            answer = answer_in(facts, is_open=self._checked_by is not None)
        except (NotGranted, UnreadableFact) as refused:
            self._refuse(number, wish.number, refused)
            return
        if answer is None:
            self._write_for(number, wish.number, facts)
        else:
            self._run_again(number, wish.number, facts, answer)

    def _run_again(self, number: int, wish: int, facts: Facts, sent: AnswerSent, sql_max: str = "") -> None:
        """An answerer could show any text as a table: the rows must be those that this station gets."""
        guest = self._guests.get(number)
        if guest is None or self._checked_by is None:
            return
        guest.busy = True
        worker, background = self._checked_by
        done = partial(self._on_ran_again, self._session.session, number, wish, facts, sent, sql_max)
        background.when_done(worker.run(sent.sql, sent.yes_no, sql_max), done)

    def _on_ran_again(
        self, session: OpenSession | None, number: int, wish: int, facts: Facts, sent: AnswerSent, sql_max: str,
        future: Future[Result],
    ) -> None:  # fmt: skip
        guest, run = self._guests.get(number), future.result()
        if guest is None:
            return
        guest.busy = False
        if session is not self._session.session:
            log.info("an answer of another desk came for a session that is over")
        elif not sql_max and sent.sql_max not in (None, run.sql_max):
            # A maximum that somebody wrote at that desk.
            self._run_again(number, wish, facts, sent, sent.sql_max or "")
        else:
            self._write_if_same(number, wish, facts, sent, run)
        guest.wire.read()

    def _write_if_same(self, number: int, wish: int, facts: Facts, sent: AnswerSent, run: Result) -> None:
        try:
            check_again(sent, run)
        except NotGranted as refused:
            self._refuse(number, wish, refused)
        else:
            self._write_for(number, wish, facts)

    def _write_for(self, number: int, wish: int, facts: Facts) -> None:
        try:
            whole = self._host.around(self._host.name_of(number) or "", facts)
        except NotGranted as refused:
            self._refuse(number, wish, refused)
            return
        self._remember(facts)
        self._session.write(whole, partial(self._on_wish_written, number, wish))

    def _refuse(self, number: int, wish: int, refused: Exception) -> None:
        self._send(number, chair_messages.RequestRefused(number=wish, sentence=str(refused)))

    def _on_wish_written(self, number: int, wish: int, on_disk: bool) -> None:
        answer = (
            chair_messages.RequestGranted(number=wish)
            if on_disk
            else chair_messages.RequestRefused(number=wish, sentence=_NOT_ON_DISK)
        )
        self._send(number, answer)

    def _on_take_wanted(self, number: int, wanted: chair_messages.WantTake) -> None:
        guest = self._guests.get(number)
        takes = {
            turn.take.utterance_id: turn.number for turn in self._session.progress.in_order if turn.take is not None
        }
        turn = takes.get(wanted.utterance_id)
        if guest is None or self._host.name_of(number) is None:
            return
        path = self._session.take_path(turn) if turn is not None else None
        if path is None and turn is not None:
            # It is on its way here itself: a chair reads of a take before the host has its file.
            guest.wanted[turn] = wanted
            return
        total, data = _read_piece(path, wanted) if path is not None else (0, b"")
        guest.wire.send(
            chair_messages.TakePiece(utterance_id=wanted.utterance_id, offset=wanted.offset, total=total, data=data)
        )

    @Slot(int, object)
    def _on_take_here(self, turn: int, _path: object) -> None:
        for number, guest in list(self._guests.items()):
            if (wanted := guest.wanted.pop(turn, None)) is not None:
                self._on_take_wanted(number, wanted)

    @Slot(object)
    def _on_live_sound(self, sound: LiveSound) -> None:
        piece = chair_messages.LivePiece(turn=sound.turn, frame=sound.frame, rate=sound.rate, data=sound.data)
        for number, guest in list(self._guests.items()):
            # What is late is of no use: the lines of the journal go first, and the recording follows.
            if self._host.name_of(number) is not None and guest.wire.peer.waiting < _ENOUGH_WAITS:
                guest.wire.send(piece)

    def _on_gone(self, number: int) -> None:
        step = self._host.drop(number)
        self._guests.pop(number, None)
        self._carry_out(step)
        self.changed.emit()

    # -- what chairs see ---------------------------------------------------------------------------------

    @Slot()
    def _on_opened(self) -> None:
        self._begin(ChairHost(self._recalled(), self.own_id))
        for number in list(self._guests):
            self._show_session(number)

    def _begin(self, host: ChairHost) -> None:
        """Those who are connected sit at `host` from here on."""
        before, self._host = self._host, host
        self._carry_out(host.begin(before))

    def _settle(self) -> None:
        """Who is here has a chair in the journal, also where a full disk did not take the line that said so."""
        if self._session.running:
            self._carry_out(self._host.seat_all())

    def _recalled(self) -> list[ChairLine]:
        session = self._session.session
        history = [] if session is None else [(fact, turn) for _, turn, fact in session.facts_after(0)]
        self._runs.clear()
        self._remember(history)
        return recalled(history, self.own_id)

    def _remember(self, facts: Iterable[tuple[object, int | None]]) -> None:
        for fact, turn in facts:
            if isinstance(fact, StatementRun) and turn is not None:
                self._runs.setdefault(turn, []).append(fact)

    @Slot(list)
    def _on_write_failed(self, _turns: list[int | None]) -> None:
        """Nothing that was granted is on the disk: parts are as the journal has them."""
        self._host.recall(self._recalled())
        self.changed.emit()

    @Slot(object)
    def _on_closed(self, _session: object) -> None:
        self._begin(ChairHost())
        for number in list(self._guests):
            self._send(number, chair_messages.SessionHere())

    def _show_session(self, number: int) -> None:
        session, guest = self._session.session, self._guests.get(number)
        if guest is None or session is None:
            return
        opened = session.progress.opened
        about = chair_messages.SessionHere(
            session_id=session.session_id,
            identity=session.identity,
            domain=(opened.domain or "") if opened is not None else "",
        )
        guest.unsent.append(lambda: about)
        for seq, line in session.journal.lines_after(0):
            guest.unsent.append(_line_of("wizard", seq, line))
        for seq, line in session.replica.lines_after(0):
            guest.unsent.append(_line_of("subject", seq, line))
        self._go_on(number)

    @Slot(int)
    def _on_line_written(self, seq: int) -> None:
        session = self._session.session
        if session is None or not self._guests:
            return
        self._show_all(_line_of("wizard", seq, session.journal.line_of(seq)))

    @Slot(int, bytes)
    def _on_line_copied(self, seq: int, line: bytes) -> None:
        self._show_all(_line_of("subject", seq, line))

    def _show_all(self, message: Callable[[], chair_messages.ChairMessage]) -> None:
        for number, guest in list(self._guests.items()):
            if self._host.name_of(number) is not None:
                # Behind what this chair has not seen yet: lines come in their order.
                guest.unsent.append(message)
                self._go_on(number)

    def _go_on(self, number: int) -> None:
        guest = self._guests.get(number)
        while guest is not None and guest.unsent and guest.wire.peer.waiting < _ENOUGH_WAITS:
            guest.wire.send(guest.unsent.popleft()())

    # -- inner -------------------------------------------------------------------------------------------

    def _carry_out(self, step: HostStep) -> None:
        self._journal(step.lines)
        for number, message in step.letters:
            self._send(number, message)
        for number in step.closed:
            if (guest := self._guests.get(number)) is not None:
                guest.wire.close("refused")

    def _journal(self, lines: Iterable[ChairLine]) -> None:
        facts: Facts = [(line.fact, line.turn) for line in lines]
        if facts:
            self._session.write(facts)
            self.changed.emit()

    def _send(self, number: int, message: chair_messages.ChairMessage) -> None:
        if (guest := self._guests.get(number)) is not None:
            guest.wire.send(message)


def _read_piece(path: Path, wanted: chair_messages.WantTake) -> tuple[int, bytes]:
    """How long the file is, and the bytes that are wanted; (0, b"") if it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(wanted.offset)
            return path.stat().st_size, file.read(min(wanted.length, _LARGEST_PIECE))
    except OSError:
        return 0, b""


def _line_of(of: Literal["wizard", "subject"], seq: int, line: bytes) -> Callable[[], chair_messages.ChairMessage]:
    return lambda: chair_messages.SessionLine(of=of, seq=seq, line=line)


def _fact(wished: chair_messages.WishedFact) -> WizardFact:
    """Raises UnreadableFact for one that no wizard's journal holds, and NotGranted for one of the station alone."""
    fact = read(JournalEntry(seq=0, type=wished.type, turn=wished.turn, t_ns=0, wall_utc="", data=wished.data))
    if fact is None:
        raise UnreadableFact(f"A chair cannot write “{wished.type}”.")
    check_from_chair(fact)
    return fact
