"""One end of a connection between two wizard's stations: bytes and times in, messages and bytes out. No sockets."""

from typing import Any

import msgspec

from curtain.link.framing import CAP, CAP_BEFORE_HELLO, Frames, ProtocolError, frame
from curtain.link.heartbeat import SECOND, ClockTie, Pulse, Tie, Timings
from curtain.link.messages import Ping, Pong
from curtain.link.peer import decode
from curtain_rooms.chairs.messages import ChairHello, ChairMessage, ChairWelcome, ToChair, ToHost

MOST_WAITING = 4 * 1024 * 1024
"""Bytes that may wait for a slow reader before the connection is given up."""


class ChairPeer:
    """Cuts, checks and counts what comes, and keeps the connection alive. Nothing the other side sends makes it raise.

    `over` says why the connection is to be closed; "" while it stands. Write what waits before closing. `tie` is how
    the other side's clock stands to ours, None before it is known.
    """

    def __init__(self, receives: Any, greets: type[ChairMessage], now: int, timings: Timings | None = None) -> None:
        """`receives` is the union of this end, `greets` the first message that the other side must send."""
        timings = timings or Timings()
        self._decoder = msgspec.msgpack.Decoder(receives | Ping | Pong)
        self._greets = greets
        self._greeted = False
        # A stranger may send a hello and no more; the host's end gives more room once it came.
        self._frames = Frames(lambda: CAP if self._greeted else CAP_BEFORE_HELLO)
        self._pulse = Pulse(timings, now)
        self._greet_by = now + int(timings.hello * SECOND)
        self._waiting = bytearray()
        self._clock = ClockTie()
        self.tie: Tie | None = None
        self.over = ""

    def receive(self, data: bytes, now: int) -> list[ChairMessage]:
        """The messages that are whole now. After a problem the rest is left aside."""
        messages: list[ChairMessage] = []
        if self.over:
            return messages
        try:
            for payload in self._frames.feed(data):
                message = self._take(decode(self._decoder, payload), now)
                if message is not None:
                    messages.append(message)
        except ProtocolError as error:
            self.over = str(error)
        return messages

    def send(self, message: ChairMessage | Ping | Pong) -> None:
        """Queue a message. A reader that is too slow ends the connection, joins anew and reads from the start."""
        if self.over:
            return
        self._waiting += frame(msgspec.msgpack.encode(message))
        if len(self._waiting) > MOST_WAITING:
            self.over = "the other station reads too slowly"

    @property
    def waiting(self) -> int:
        """How many bytes wait to be written."""
        return len(self._waiting)

    def take_outgoing(self, most: int) -> bytes:
        """Up to `most` bytes that may be written now."""
        data = bytes(self._waiting[:most])
        del self._waiting[:most]
        return data

    def heard(self, now: int) -> None:
        """The other side is there, though nothing of it is read now."""
        self._pulse.heard(now)

    def tick(self, now: int) -> None:
        """To be called several times a second: asks for signs of life, and notices silence."""
        if not self._greeted and now >= self._greet_by:
            self.over = self.over or "no hello"
        if self._pulse.silent_too_long(now):
            self.over = self.over or "silence"
        if self._greeted and not self.over and self._pulse.ping_due(now):
            self._clock.asked(now)
            self.send(Ping(sent_ns=now))

    def _take(self, message: Any, now: int) -> ChairMessage | None:
        if isinstance(message, self._greets):
            self._greeted = True
        self._pulse.heard(now)
        if isinstance(message, Ping) and self._greeted:
            self.send(Pong(sent_ns=message.sent_ns, answered_ns=now))
        if isinstance(message, Pong):
            self.tie = self._clock.answered(message.sent_ns, message.answered_ns, now) or self.tie
        return message if isinstance(message, ChairMessage) else None


def host_end(now: int, timings: Timings | None = None) -> ChairPeer:
    """The end at the session's wizard station, for one chair."""
    return ChairPeer(ToHost, ChairHello, now, timings)


def chair_end(now: int, timings: Timings | None = None) -> ChairPeer:
    """The end at a joining station. A refusal may come in place of the welcome."""
    return ChairPeer(ToChair, ChairWelcome, now, timings)
