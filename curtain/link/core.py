"""The two ends of the link without sockets or clock: bytes and times in, events and bytes out.

One peer serves one connection. What outlives a connection is handed in: `Seat` at the wizard's station,
`Delivered` at the subject's, and on both sides `resend`, which reads the owner's journal.
Times are monotonic nanoseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

import msgspec

from curtain.base.terminal import without_hidden_signs
from curtain.link import messages
from curtain.link.delivery import Delivered, Resend
from curtain.link.events import BoothReport, ClockTied, Code, Happened, Joined, Received, TurnedAway, Why
from curtain.link.framing import CAP, CAP_BEFORE_HELLO, ProtocolError
from curtain.link.heartbeat import SECOND, Tie, Timings
from curtain.link.peer import Peer, decode

Judge = Callable[[messages.Hello], messages.HelloRefused | None]
"""The refusal of a hello before it is announced to anybody, or None."""


def _any_hello(hello: messages.Hello) -> messages.HelloRefused | None:
    return None


@dataclass
class Seat:
    """The one place for a subject: who has it, who may take it, and how far the subject's journal lines came."""

    delivered: Delivered = field(default_factory=Delivered)
    holder: WizardPeer | None = None
    judge: Judge = _any_hello
    bound: str | None = None
    """The mark of the connection with which the session began: no other certificate goes on with it."""
    expected: str | None = None
    """Whom the wizard has called to the place before a session: nobody takes it sooner."""
    others: set[str] = field(default_factory=set)
    """The marks of booths that asked while another one had the place."""
    for_newcomer: bool = False
    """The wizard lets a new station into the running session: none of the booths that only wait for the next one."""

    def take(self, peer: WizardPeer, hello: messages.Hello) -> messages.HelloRefused | None:
        """The refusal if the peer may not have the seat."""
        holder = self.holder if self.holder is not None and not self.holder.over else None
        # After a cut in one direction this end still holds a connection that the other one has given up.
        is_taken = holder is not None and not holder.is_older_link_of(peer, hello)
        if is_taken and peer.mark:
            self.others.add(peer.mark)
        if self.bound is not None and peer.mark != self.bound:
            # Another booth waits for the next session and problems nobody, also while this session's own is away. One
            # that nobody has seen may be its new computer.
            waits = is_taken or (peer.mark in self.others and not hello.session_id)
            return messages.HelloRefused(code="in_use" if waits else "seat")
        if self.for_newcomer and peer.mark in self.others:
            return messages.HelloRefused(code="in_use")
        if refused := self.judge(hello):
            return refused
        if self.bound is None and self.expected not in (None, peer.mark):
            return messages.HelloRefused(code="in_use")
        # A holder that is over only waits for its socket to close: it does not block a quick reconnect.
        if is_taken:
            return messages.HelloRefused(code="in_use")
        if holder is not None:
            holder.hang_up()
        self.holder, self.expected, self.for_newcomer = peer, None, False
        return None

    def leave(self, peer: WizardPeer) -> None:
        """Free the seat, if this peer has it; the leaving of any other changes nothing."""
        if self.holder is peer:
            self.holder = None


class _Greeting(msgspec.Struct, frozen=True, tag_field="t", tag="hello"):
    """What a hello of any version has."""

    magic: str
    major: int
    minor: int


class WizardPeer(Peer):
    """The listening end. It judges the hello; the owner answers it with `answer`."""

    def __init__(self, seat: Seat, resend: Resend, now: int, timings: Timings | None = None, mark: str = "") -> None:
        """`mark` names the certificate of this connection, "" on this machine."""
        timings = timings or Timings()
        self.mark = mark
        super().__init__(msgspec.msgpack.Decoder(messages.ToWizard), resend, now, timings)
        self._greeting = msgspec.msgpack.Decoder(_Greeting)
        self._seat = seat
        self._hello: messages.Hello | None = None
        self._session: messages.SessionName | None = None
        self._secret = ""
        self._hello_by = now + int(timings.hello * SECOND)

    def answer(self, answer: messages.Waiting | messages.Welcome | messages.HelloRefused) -> list[Happened]:
        """Answer the hello; a `Waiting` may be followed by a `Welcome` once a session begins.

        A hello from another session is refused. A second session needs a second connection: lines of the
        first may be on their way, and the subject's station dials again by itself.
        """
        if self._hello is None or self.over:
            return []
        if isinstance(answer, messages.HelloRefused):
            return self._refuse(answer, self._hello.session_id)
        return self._welcome(answer, self._hello) if isinstance(answer, messages.Welcome) else self._accept(answer)

    def is_older_link_of(self, peer: WizardPeer, hello: messages.Hello) -> bool:
        """Whether this hello, on the connection of another peer, comes from the very station that this one serves."""
        same = peer.mark == self.mark and hello.session == self._session
        return same and bool(self._secret) and compare_digest(hello.secret, self._secret)

    def hang_up(self) -> None:
        """The connection is gone: the seat is free."""
        self.over = True
        self._seat.leave(self)

    def tick(self, now: int) -> list[Happened]:
        """As `Peer.tick`; also closes a connection that says no hello in time."""
        # A connection that says nothing holds one of the few places for strangers.
        if self._hello is None and not self.over and now >= self._hello_by:
            return self._close("silence", "no hello")
        return super().tick(now)

    def send(self, message: messages.Message) -> bool:
        """As `Peer.send`; False also for a peer without the seat, whose events are not the subject's."""
        return self._seat.holder is self and super().send(message)

    def _cap(self) -> int:
        # Until the hello is right anybody may be talking: 4 KiB hold a hello.
        return CAP_BEFORE_HELLO if self._hello is None else CAP

    def _delivered(self) -> Delivered:
        return self._seat.delivered

    def _tied(self, tie: Tie) -> ClockTied:
        return ClockTied(tie.offset_ns, tie.rtt_ns)

    def _close(self, why: Why, detail: str = "") -> list[Happened]:
        self._seat.leave(self)
        return super()._close(why, detail)

    def _on_payload(self, payload: bytes, now: int) -> Iterator[Happened]:
        if self._hello is None:
            yield from self._on_greeting(payload, now)
            return
        message = self._decode(payload)
        if isinstance(message, messages.Hello):
            raise ProtocolError("a second hello")
        self._pulse.heard(now)
        yield from self._on_common(message, now)

    def _on_greeting(self, payload: bytes, now: int) -> Iterator[Happened]:
        # Only the fields that never change: a hello of another version must still be understood as one.
        greeting = decode(self._greeting, payload)
        if greeting.magic != messages.MAGIC:
            raise ProtocolError("not one of our stations")
        if greeting.major != messages.PROTOCOL[0]:
            yield from self._refuse(messages.HelloRefused(code="version"), f"{greeting.major}.{greeting.minor}")
            return
        hello = self._decode(payload)
        if hello.calls and self.mark:
            yield BoothReport(self.mark, "calls")
        if refused := self._seat.take(self, hello):
            yield from self._turn_away(refused, hello)
            return
        self._hello = hello
        self._greeted = True
        self._pulse.heard(now)
        if self.mark:
            yield BoothReport(self.mark, "sits")
        yield Joined(hello)

    def _accept(self, answer: messages.Waiting | messages.Welcome) -> list[Happened]:
        self.accepted = True
        self._put_handshake(answer)
        return []

    def _welcome(self, answer: messages.Welcome, hello: messages.Hello) -> list[Happened]:
        if self._session not in (None, answer.session):
            return self._close("another_session")
        if hello.session_id and hello.session != answer.session:
            # The station holds a spool of another session: its lines must not get into this one.
            return self._refuse(messages.HelloRefused(code="session"), hello.session_id)
        self._accept(answer)
        # A second welcome of the same session must not start the lines again.
        if self._session is None:
            self._session, self._secret = answer.session, answer.secret
            self._seat.bound = self.mark
            self._seat.delivered.begin(answer.session, answer.journal_have)
            # Without a session the station has nothing, whatever its `have` says.
            self._kept.start(hello.have if hello.session_id else 0)
        return []

    def _turn_away(self, refused: messages.HelloRefused, hello: messages.Hello) -> Iterator[Happened]:
        """Several booths are no problem: the list of booths says which ones wait."""
        happened = self._refuse(refused, hello.session_id)
        waits = refused.code == "in_use" and self.mark
        yield from [BoothReport(self.mark, "waits"), *happened[1:]] if waits else happened

    def _refuse(self, refused: messages.HelloRefused, what: str = "") -> list[Happened]:
        self._put_handshake(refused)
        sentence = _sentence(refused.code, what)
        return [TurnedAway(refused.code, sentence), *self._close("refused", refused.code)]


def _sentence(code: Code, what: str) -> str:
    ours = ".".join(map(str, messages.PROTOCOL))
    match code:
        case "version":
            return (
                f"The subject's station speaks link version {what}, this one {ours}. Install the same Curtain on both."
            )
        case "in_use":
            return "A second subject's station asked to join. Close it, or the first one."
        case "session":
            return (
                f"The subject's station still belongs to session {what}, perhaps of another study. "
                "End or resume that one first, or start the subject's station again."
            )
        case "quota":
            return (
                "The subject’s station sent more lines than a session has in this time and has to wait. "
                "What came whole is kept. If this goes on, close the session and look for the program that sends them."
            )
        case "seat":
            return "A subject's station without this session's key wants to join. If it is yours, let it in."


def _visible(value: Any) -> Any:
    match value:
        case str():
            return without_hidden_signs(value)
        case dict():
            return {_visible(key): _visible(each) for key, each in value.items()}
        case list():
            return [_visible(each) for each in value]
        case _:
            return value


class SubjectPeer(Peer):
    """The dialling end. `hello.have` is raised to what was delivered in this process."""

    def __init__(
        self, hello: messages.Hello, delivered: Delivered, resend: Resend, now: int, timings: Timings | None = None
    ) -> None:
        super().__init__(msgspec.msgpack.Decoder(messages.ToSubject), resend, now, timings or Timings())
        self._hello = hello
        self._received = delivered
        # One session a connection: kept numbers of two sessions cannot be distinguished.
        self._session: messages.SessionName | None = None
        delivered_seq = delivered.seq if hello.session == delivered.session else 0
        self._put_handshake(msgspec.structs.replace(hello, have=max(hello.have, delivered_seq)))

    def hang_up(self) -> None:
        """The connection is gone."""
        self.over = True

    def _cap(self) -> int:
        return CAP  # the welcome carries the briefing, and it is we who dialled

    def _decode(self, payload: bytes) -> Any:
        """No sign that nobody sees reaches the subject's screen, whoever wrote it."""
        message = super()._decode(payload)
        plain = msgspec.to_builtins(message)
        seen = _visible(plain)
        return message if seen == plain else msgspec.convert(seen, messages.ToSubject)

    def _delivered(self) -> Delivered:
        return self._received

    def _tied(self, tie: Tie) -> ClockTied:
        # Measured as the subject's clock minus the wizard's; the event has one sign for both ends.
        return ClockTied(-tie.offset_ns, tie.rtt_ns)

    def _on_payload(self, payload: bytes, now: int) -> Iterator[Happened]:
        message = self._decode(payload)
        self._pulse.heard(now)
        match message:
            case messages.HelloRefused():
                yield TurnedAway(message.code, "", messages.SessionName(message.session_id, message.identity))
                yield from self._close("refused", message.code)
            case messages.Waiting() | messages.Welcome():
                yield from self._on_accepted(message)
            case _:
                yield from self._on_common(message, now)

    def _on_accepted(self, message: messages.Waiting | messages.Welcome) -> Iterator[Happened]:
        if not self.accepted:
            # Once: a welcome follows a waiting on the same connection.
            self._greeted = self.accepted = True
            yield Joined(self._hello)
        if isinstance(message, messages.Welcome):
            self._on_welcome(message)
        # Received before the ack: the owner must know the session before it hears what of it is safe.
        yield Received(message)
        if isinstance(message, messages.Welcome):
            yield from self._on_ack(message.journal_have)

    def _on_welcome(self, welcome: messages.Welcome) -> None:
        if self._session not in (None, welcome.session):
            raise ProtocolError("another session on the same connection")
        if self._session is None:
            self._session = welcome.session
            same = self._hello.session == welcome.session
            self._received.begin(welcome.session, self._hello.have if same else 0)
            self._kept.start(welcome.journal_have)
            self.ack(self._received.safe)  # the ack of the last connection may have been lost with it
