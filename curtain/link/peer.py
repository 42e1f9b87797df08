"""What both ends of a connection do alike: frames, order, acks, signs of life. Bytes in, events and bytes out."""

import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import msgspec

from curtain.link.delivery import Delivered, KeptOut, Resend
from curtain.link.events import Acked, ClockTied, Closed, Happened, MessageTooLong, Received, Why
from curtain.link.framing import CAP, Frames, ProtocolError, frame
from curtain.link.heartbeat import ClockTie, Pulse, Tie, Timings
from curtain.link.messages import Ack, AudioChunk, KeptMessage, LiveSound, Message, Ping, Pong, StationStatus, ToSubject

log = logging.getLogger(__name__)


_FOR_THE_SUBJECT = msgspec.msgpack.Decoder(ToSubject)


def can_cross(message: Message) -> bool:
    """Whether the subject's station takes this message: a number or a length beyond its limits would end the link."""
    try:
        payload = msgspec.msgpack.encode(message)
        _FOR_THE_SUBJECT.decode(payload)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return False
    return len(payload) <= CAP


class Peer(ABC):
    """One end of one connection. Nothing the other side sends makes it raise."""

    def __init__(self, decoder: msgspec.msgpack.Decoder[Any], resend: Resend, now: int, timings: Timings) -> None:
        self._decoder = decoder
        self._encoder = msgspec.msgpack.Encoder()
        self._frames = Frames(self._cap)
        self._outbox = FrameQueue()
        self._kept = KeptOut(resend)
        self._pulse = Pulse(timings, now)
        self._tie = ClockTie()
        self._acked = 0
        self._greeted = False
        self.over = False
        self.accepted = False

    @property
    # A refusal is written before the connection goes.
    def finished(self) -> bool:
        """Over, and nothing is left to write: the connection can be dropped."""
        return self.over and self._outbox.empty()

    def receive(self, data: bytes, now: int) -> list[Happened]:
        """Take what was read. After a problem the rest is ignored."""
        if self.over:
            return []
        happened: list[Happened] = []
        try:
            for payload in self._frames.feed(data):
                happened += self._on_payload(payload, now)
                if self.over:
                    break
        except ProtocolError as error:
            # Its words alone: whoever keeps the record of a log would keep what was read with the error.
            sentence = str(error)
            log.warning("the link is closed: %s", sentence)
            happened += self._close("fault", sentence)
        return happened

    def tick(self, now: int) -> list[Happened]:
        """To be called several times a second: pings, and notices silence."""
        if self.over:
            return []
        # Before the ping: a dead connection gets none.
        if self._pulse.silent_too_long(now):
            return self._close("silence")
        if self._greeted and self._pulse.ping_due(now):
            self._tie.asked(now)
            self._put_latest(Ping(sent_ns=now))
        # The journal's own thread may have written what was announced too early.
        self._kept.look_again()
        return []

    def send(self, message: Message) -> bool:
        """Queue a message. False if it will not go out: not connected so far, or too much waits already.

        A kept message must be in the journal first and comes with rising `seq`. It is never refused for good:
        before the welcome, or while the queue is full, it stays in the journal and is fetched by `resend`.
        An audio chunk that does not fit into the window is refused, so that its sender waits to be asked again.

        Raises:
            MessageTooLong: over the cap of a frame.
        """
        if self.over or not self.accepted:
            return False
        if isinstance(message, KeptMessage):
            return self._send_kept(message)
        if isinstance(message, StationStatus):
            self._put_latest(message)
            return True
        encoded = self._encode(message)
        lane, most = FramePriority.CONTROL, TRANSIENT_LIMIT - 1
        if isinstance(message, LiveSound):
            lane, most = FramePriority.LIVE, LIVE_LIMIT - len(encoded)
        elif isinstance(message, AudioChunk):
            lane, most = FramePriority.AUDIO, AUDIO_LIMIT - len(encoded)
        if self._outbox.waiting(lane) > most:
            return False
        self._outbox.put(encoded, lane)
        return True

    def ack(self, seq: int) -> None:
        """The other side's kept messages up to `seq` are safe here."""
        self._delivered().mark_safe(seq)
        # Nothing to say before a line came.
        if self._kept.started and not self.over and self._delivered().safe:
            self._put_latest(Ack(seq=self._delivered().safe))

    def take_outgoing(self, most: int) -> bytes:
        """Up to `most` bytes that may be written now."""
        while self._has_room() and (message := self._kept.next()) is not None:
            try:
                self._outbox.put(self._encode(message))
            except MessageTooLong:
                # Left out and logged: it would stand in the way of all lines after it.
                log.error("journal line %d is too long for the link and was left out", message.seq)
        return self._outbox.take(most)

    @abstractmethod
    def hang_up(self) -> None:
        """The connection is gone, or shall go."""

    @abstractmethod
    def _cap(self) -> int: ...

    @abstractmethod
    def _delivered(self) -> Delivered: ...

    @abstractmethod
    def _on_payload(self, payload: bytes, now: int) -> Iterator[Happened]: ...

    @abstractmethod
    def _tied(self, tie: Tie) -> ClockTied: ...

    def _close(self, why: Why, detail: str = "") -> list[Happened]:
        """Over. Only a refusal is still worth writing."""
        self.over = True
        self._frames.forget()
        # To a peer that broke the protocol or fell silent nothing is worth writing.
        if why != "refused":
            self._outbox = FrameQueue()
        return [Closed(why, detail)]

    def _decode(self, payload: bytes) -> Any:
        return decode(self._decoder, payload)

    def _on_common(self, message: Message, now: int) -> Iterator[Happened]:
        """What is the same at both ends, once the hello is accepted."""
        match message:
            case Ping():
                self._put_latest(Pong(sent_ns=message.sent_ns, answered_ns=now))
            case Pong():
                if tie := self._tie.answered(message.sent_ns, message.answered_ns, now):
                    yield self._tied(tie)
            case Ack():
                yield from self._on_ack(message.seq)
            case KeptMessage():
                yield from self._on_kept(message)
            case _:
                yield Received(message)

    def _on_ack(self, seq: int) -> Iterator[Happened]:
        # An ack may arrive late, behind a newer one.
        if seq > self._acked:
            self._acked = seq
            yield Acked(seq)

    def _on_kept(self, message: KeptMessage) -> Iterator[Happened]:
        if not self._kept.started:
            raise ProtocolError("a kept message before the welcome")
        if self._delivered().leaves_hole(message):
            raise ProtocolError(f"line {message.seq} after line {self._delivered().seq}")
        if self._delivered().is_new(message):
            yield Received(message)

    def _send_kept(self, message: KeptMessage) -> bool:
        # Encoded even if it waits: its sender must hear at once that it is too long.
        encoded = self._encode(message)
        if self._kept.offer(message, self._has_room()):
            self._outbox.put(encoded)
        return self._kept.started

    def _has_room(self) -> bool:
        """Whether a kept message may join the queue."""
        return self._outbox.waiting(FramePriority.CONTROL) < ROOM

    def _put_latest(self, message: Message) -> None:
        self._outbox.put_latest(type(message).__name__, self._encode(message))

    def _put_handshake(self, message: Message) -> None:
        self._outbox.put(self._encode(message), FramePriority.HANDSHAKE)

    def _encode(self, message: Message) -> bytes:
        payload = self._encoder.encode(message)
        if len(payload) > CAP:
            raise MessageTooLong(message, len(payload))
        return frame(payload)


def decode(decoder: msgspec.msgpack.Decoder[Any], payload: bytes) -> Any:
    """Read a payload that anyone may have written.

    Raises:
        ProtocolError: it is no message of this role. Broken text and deep nesting are not msgspec's own errors.
    """
    try:
        return decoder.decode(payload)
    # msgspec lets these two through for text that is no UTF-8 and for deep nesting.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(f"no message: {error}") from error


# What has been queued cannot be reordered by the journal any more: keep it short.
ROOM = 128 * 1024  # kept messages beyond this wait in their journal
TRANSIENT_LIMIT = 512 * 1024  # a peer that does not read loses what is of the moment
# Some two seconds at 16 kHz: what is older is no longer live.
LIVE_LIMIT = 64 * 1024
AUDIO_LIMIT = 1024 * 1024 + 64 * 1024  # a window of 1 MiB and the frames around it


class FramePriority(IntEnum):
    """Whole frames of a lower lane go first."""

    HANDSHAKE = 0
    CONTROL = 1
    LIVE = 2
    AUDIO = 3


class FrameQueue:
    """Encoded frames of one connection."""

    def __init__(self) -> None:
        self._lanes: dict[FramePriority, deque[bytes]] = {lane: deque() for lane in FramePriority}
        self._sizes = {lane: 0 for lane in FramePriority}
        self._latest: dict[str, bytes] = {}
        self._begun = memoryview(b"")

    def put(self, frame: bytes, lane: FramePriority = FramePriority.CONTROL) -> None:
        """Queue an encoded frame at the end of its lane. It is not refused here: ask `waiting` first."""
        self._lanes[lane].append(frame)
        self._sizes[lane] += len(frame)

    def put_latest(self, kind: str, frame: bytes) -> None:
        """Only the newest of a kind is worth sending: acks, pings, the state of the station."""
        self._latest[kind] = frame

    def waiting(self, lane: FramePriority) -> int:
        """How many bytes wait in a lane."""
        return self._sizes[lane]

    def empty(self) -> bool:
        """Whether every byte was taken, also of the frame that was cut."""
        return not (self._begun or self._latest or any(self._lanes.values()))

    def take(self, most: int) -> bytes:
        """Up to `most` bytes to be written now. A frame that is cut here goes on with the next call."""
        taken = bytearray()
        while len(taken) < most and (self._begun or self._next_frame()):
            # Cut anywhere: the rest of a begun frame always goes before any other.
            piece = self._begun[: most - len(taken)]
            taken += piece
            self._begun = self._begun[len(piece) :]
        return bytes(taken)

    def _next_frame(self) -> bool:
        frame = (
            # Signs of life before control: a long queue must not make the other side think that we died.
            self._pop(FramePriority.HANDSHAKE)
            or self._pop_latest()
            or self._pop(FramePriority.CONTROL)
            or self._pop(FramePriority.LIVE)
            or self._pop(FramePriority.AUDIO)
        )
        self._begun = memoryview(frame)
        return bool(frame)

    def _pop(self, lane: FramePriority) -> bytes:
        if not self._lanes[lane]:
            return b""
        frame = self._lanes[lane].popleft()
        self._sizes[lane] -= len(frame)
        return frame

    def _pop_latest(self) -> bytes:
        if not self._latest:
            return b""
        # The kind that was put first and not yet sent; a newer frame of a kind keeps its place.
        return self._latest.pop(next(iter(self._latest)))
