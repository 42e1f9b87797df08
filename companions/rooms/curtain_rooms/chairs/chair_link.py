"""A joined chair's end: the host's lines come as if a subject's station had sent them, and wishes go out.

The session is folded from those lines; what is done here is wished for there. A station that joins is paired once with
the code, and then known.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from secrets import token_hex
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.scratch import ScratchFolder
from curtain.link import messages
from curtain.link.heartbeat import Tie
from curtain.link.wire import LinkSocket
from curtain.ports.seat import JoinedLink
from curtain.qt.background import Background
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.wizard_events import DraftShown, NotHeard, TakeHeard, WizardFact, WordsHeard
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import BadLine, parse_line
from curtain.session.roles import MAY_HOLD, Chair
from curtain.session.study.study import Study
from curtain_rooms.chairs import messages as chair_messages
from curtain_rooms.chairs.messages import SessionHere, WizardId
from curtain_rooms.chairs.peer import chair_end
from curtain_rooms.chairs.wire import ChairWire
from curtain_rooms.network.dialler import NetworkDialler, PairingCall, read_address
from curtain_rooms.network.identity import own_station
from wizard_app.desk.session.control import SessionControl, while_open
from wizard_app.desk.session.open_session import OpenSession, wizard_fact
from wizard_app.desk.session.progress import Facts, SessionProgress, with_wizard_fact
from wizard_app.desk.session.session_files import StationStart
from wizard_app.desk.session.states import Idle, Running
from wizard_app.desk.session.subject.quota import Announced
from wizard_app.desk.session.unsent import read_unsent
from wizard_app.keys.table import key_of


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


AGAIN_MS = 2000


class ChairLink(JoinedLink):
    """In place of the link to a subject's station.

    `session_here(SessionHere)`, then `wizard_line(seq, line)` in their order; the subject's lines come as `received`.
    `refused(sentence)`: a wish was not fulfilled, or this chair may not join. `linked(up)`. `not_written(turns)`: what
    was wished to be written about these turns is not in the journal. `host_tied(Tie)`: how the host's clock stands to
    this one's.
    """

    session_here = Signal(object)
    wizard_line = Signal(object, bytes)
    refused = Signal(str)
    not_written = Signal(list)
    host_tied = Signal(object)

    def __init__(self, dialler: PairingDialler, who: str, chair: Chair, clock: Clock) -> None:
        super().__init__()
        self._dialler = dialler
        self.who = who
        self.chair = chair
        self._clock = clock
        self._secret = token_hex(16)
        self._wire: ChairWire | None = None
        self._number = 0
        self._wished: dict[int, list[int | None]] = {}
        self._final = False
        self._again = QTimer(self, singleShot=True, interval=AGAIN_MS)
        self._again.timeout.connect(dialler.dial)
        dialler.connected.connect(self._on_connected)
        dialler.failed.connect(self._on_failed)

    def session(self, *parts: Any) -> ChairSession:
        """The session as the host shows it."""
        return ChairSession(*parts)

    @property
    def up(self) -> bool:
        """Whether the host is connected."""
        return self._wire is not None

    def listen(self, name: str = "") -> None:
        """Dial the host; again and again until it answers."""
        self._dialler.dial()

    def begin_again(self, have: int) -> None:
        """The host sends every line when the chair joins anew."""
        if self._wire is not None:
            self._wire.close()

    def send(self, message: messages.Message) -> bool:
        """What is for the subject is sent by the host; recordings are asked from it."""
        if isinstance(message, messages.WantAudio):
            self._send(
                chair_messages.WantTake(utterance_id=message.utterance_id, offset=message.offset, length=message.length)
            )
        return self.up

    def close(self) -> None:
        """Leave the session."""
        self._final = True
        self._again.stop()
        if self._wire is not None:
            self._wire.close()

    def write(self, facts: list[tuple[WizardFact, int | None]]) -> None:
        """Ask the host to journal these in one piece."""
        self._number += 1
        wished = [_wished(fact, turn) for fact, turn in facts]
        self._wished[self._number] = [turn for _, turn in facts]
        self._send(chair_messages.WriteFacts(number=self._number, facts=wished))

    def ask(self, wish: Callable[[int], chair_messages.AnyRequest]) -> None:
        """Send a wish about a part; `wish` makes it with its number."""
        self._number += 1
        self._send(wish(self._number))

    @Slot(object)
    def _on_connected(self, socket: LinkSocket) -> None:
        wire = self._wire = ChairWire(socket, chair_end(self._clock.monotonic_ns()), self._clock.monotonic_ns, self)
        wire.came.connect(self._on_message)
        wire.gone.connect(self._on_gone)
        wire.tied.connect(self.host_tied)
        wire.send(chair_messages.ChairHello(wizard_id=self.who, chair=self.chair, secret=self._secret))
        wire.read()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if not self._final:
            self.refused.emit(sentence)
            self._again.start()

    @Slot(object, str)
    def _on_gone(self, wire: ChairWire, _why: str) -> None:
        if wire is not self._wire:
            return
        self._wire = None
        # Nobody knows whether these were written; the lines that come with the next link say so.
        self._wished.clear()
        self.linked.emit(False)
        self.lost.emit()
        if not self._final:
            self._again.start()

    @Slot(object, object)
    def _on_message(self, _wire: ChairWire, message: chair_messages.ToChair) -> None:
        match message:
            case chair_messages.ChairWelcome():
                self.linked.emit(True)
            case chair_messages.ChairRefused():
                self.refused.emit(message.sentence)
            case chair_messages.RequestRefused():
                self.not_written.emit(self._wished.pop(message.number, []))
                self.refused.emit(message.sentence)
            case chair_messages.SessionHere():
                self.session_here.emit(message)
            case chair_messages.SessionLine(of="wizard"):
                self.wizard_line.emit(message.seq, message.line)
            case chair_messages.SessionLine():
                self.received.emit(messages.JournalLine(seq=message.seq, line=message.line))
            case chair_messages.TakePiece():
                self.received.emit(
                    messages.AudioChunk(
                        utterance_id=message.utterance_id, offset=message.offset, total=message.total,
                        data=message.data,
                    )
                )  # fmt: skip
            case chair_messages.LivePiece():
                # Who answers works on another question by then.
                if self.chair != "answerer":
                    self.received.emit(
                        messages.LiveSound(turn=message.turn, frame=message.frame, rate=message.rate, data=message.data)
                    )
            case chair_messages.RequestGranted():
                self._wished.pop(message.number, None)

    def _send(self, message: chair_messages.ChairMessage) -> None:
        if self._wire is not None:
            self._wire.send(message)
        else:
            self.refused.emit("The session’s own station is not connected. What you typed stays here.")


def _wished(fact: WizardFact, turn: int | None) -> chair_messages.WishedFact:
    data = msgspec.to_builtins(fact)
    return chair_messages.WishedFact(turn=turn, type=data.pop("type"), data=data)


_SHOWN = (
    " The session’s own station shows a code for each role under “Other chairs”, and during a session "
    f"with {key_of('other_desks')}."
)


class PairingDialler(QObject):
    """Dials the session's own station; with a code it pairs first, until that station has accepted or refused it."""

    connected = Signal(object)
    failed = Signal(str)

    def __init__(self, address: str, code: str, who: str, chair: Chair, clock: Clock) -> None:
        """Raises CurtainError."""
        super().__init__()
        self._host, self._port = read_address(address)
        self._chair: Chair = chair
        self._code = code.replace(" ", "")
        self._clock = clock
        self._identity, self._trust = own_station("chair", who)
        self._dialler = NetworkDialler(self._host, self._port, self._identity, self._trust, self)
        self._dialler.connected.connect(self.connected)
        self._dialler.failed.connect(self._on_failed)

    @Slot()
    def dial(self) -> None:
        """Try once; `connected(socket)` or `failed(sentence)` follows."""
        if self._code:
            self._pair()
        else:
            self._dialler.dial()

    def _pair(self) -> None:
        call = PairingCall(
            self._host, self._port, self._code, self._identity, self._trust, self._clock.wall_utc, self, self._chair
        )
        call.paired.connect(self._on_paired)
        call.failed.connect(partial(self._on_pairing_failed, call))
        call.begin()

    @Slot(object)
    def _on_paired(self, _station: object) -> None:
        self._code = ""
        self._dialler.dial()

    def _on_pairing_failed(self, call: PairingCall, sentence: str) -> None:
        # A code that is not shown now, or a station that does not answer yet, says nothing about the code.
        if call.why not in (None, "closed"):
            self._code = ""
        self.failed.emit(sentence + _SHOWN if call.why is not None else sentence)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.failed.emit(f"{sentence} Start again with --code.{_SHOWN}" if self._dialler.needs_code else sentence)


def joined_link(address: str, code: str, who: str, chair: Chair, clock: Clock) -> ChairLink:
    """The link of a chair to the session's own station. Raises CurtainError."""
    try:
        msgspec.convert(who, WizardId)
    except msgspec.ValidationError as error:
        # It names a folder, and the other station refuses a hello with another one.
        raise CurtainError(f"“{who}” is no id here. Take 1 to 64 letters, digits and “-”.") from error
    dialler = PairingDialler(address, code, who, chair, clock)
    link = ChairLink(dialler, who, chair, clock)
    dialler.setParent(link)
    return link
