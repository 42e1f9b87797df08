"""A joined chair's end: the host's lines come as if a subject's station had sent them, and wishes go out."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QTimer, Signal, Slot

from curtain.base.clock import Clock
from curtain.link import messages
from curtain.link.wire import LinkSocket
from curtain.ports.seat import JoinedLink
from curtain.session.chairs import messages as chair_messages
from curtain.session.events.wizard_events import WizardFact
from curtain.session.roles import Chair
from curtain_rooms.chairs.peer import chair_end
from curtain_rooms.chairs.wire import ChairWire

if TYPE_CHECKING:
    from curtain_rooms.chairs.chair_session import ChairSession
    from curtain_rooms.chairs.joining import PairingDialler

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
        from curtain_rooms.chairs.chair_session import ChairSession

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
