"""Pairing with a short code, without sockets or clock: messages in, messages out.

A person reads the code on the wizard's screen and types it at the subject's. Both sides run SPAKE2 (RFC 9382; the
`spake2` package) over it, with the certificates of both ends of *this* TLS connection as identities. Somebody in the
middle has a certificate of his own, so both sides come to different keys, he learns nothing about the code, and one
wrong guess costs one try.

    subject -> wizard   PairStart   SPAKE2 element, its certificate, its name
    wizard -> subject   PairReply   SPAKE2 element, its proof, its name
    subject -> wizard   PairProof   its proof
    wizard -> subject   PairDone    or PairRefused at any step
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
from spake2 import SPAKE2_A, SPAKE2_B, SPAKEError
from spake2.ed25519_basic import NotOnCurve

from curtain.link.framing import Frames, ProtocolError, frame
from curtain_rooms.network.identity import fingerprint, station_name

CODE_DIGITS = 6
_CODE_LIFE_NS = 10 * 60 * 1_000_000_000
_CLOSED_NS = 60 * 1_000_000_000
# Seventeen hours: after a night it is open again.
_MOST_DOUBLINGS = 10
_MOST_WRONG = 5
_MOST_CERTIFICATE = 8 * 1024

Refusal = Literal["closed", "wrong_code", "old_code", "bad_message"]


class PairStart(msgspec.Struct, frozen=True, tag_field="t", tag="pair_start"):
    """The subject's first message. A desk that joins a session names the chair whose code it was given."""

    element: bytes
    certificate: bytes
    name: str
    chair: str = ""


class PairReply(msgspec.Struct, frozen=True, tag_field="t", tag="pair_reply"):
    """The wizard's answer; its certificate is the one of the connection."""

    element: bytes
    proof: bytes
    name: str


class PairProof(msgspec.Struct, frozen=True, tag_field="t", tag="pair_proof"):
    """That the subject has the same key."""

    proof: bytes


class PairDone(msgspec.Struct, frozen=True, tag_field="t", tag="pair_done"):
    """Both know each other."""


class PairRefused(msgspec.Struct, frozen=True, tag_field="t", tag="pair_refused"):
    """Not this time; `why` is for a sentence."""

    why: Refusal


PairMessage = PairStart | PairReply | PairProof | PairDone | PairRefused


@dataclass(frozen=True)
class PairedWith:
    """The station at the other end, proved to have known the code (of `chair`)."""

    name: str
    certificate: bytes
    chair: str = ""


class PairingError(Exception):
    """This try is over; `why` as in `PairRefused`."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why: Refusal = why


def new_code() -> str:
    """Six digits from the system's own randomness."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


class CodeDesk:
    """The wizard's codes: how long they live, and how often they may be guessed. Times are monotonic nanoseconds.

    Five wrong codes close pairing for a minute, and then other codes are shown. Each further five close it for twice
    as long: whoever guesses for a day has less than 60 guesses at six digits. `chairs` have a code each, so the code
    that a desk was given says what it may be; a subject's station has the chair "".
    """

    def __init__(self, now: int, code: str | None = None, chairs: Sequence[str] = ("",)) -> None:
        self._chairs = tuple(chairs)
        self._wrong = self.wrong_in_all = 0
        self._closures = 0
        self._closed_until: int | None = None
        # Nobody can read a code that no screen shows, so nobody who was given one asks then.
        self.in_sight = True
        self.renew(now)
        if code is not None:
            self.codes = dict.fromkeys(self._chairs, code)

    @property
    def code(self) -> str:
        """The only code, or that of the first chair."""
        return self.codes[self._chairs[0]]

    def open_at(self, now: int) -> bool:
        """Whether a try may begin; codes that have grown old are replaced first."""
        if self._closed_until is not None:
            if now < self._closed_until:
                return False
            self._closed_until = None
            self.renew(now)
        elif now - self._made_at >= _CODE_LIFE_NS:
            self.renew(now)
        return self.in_sight

    def renew(self, now: int) -> None:
        """Other codes, as after a successful pairing: each is used once."""
        codes = dict[str, str]()
        while len(codes) < len(self._chairs):
            codes[new_code()] = self._chairs[len(codes)]
        self.codes = {chair: code for code, chair in codes.items()}
        self._made_at, self._wrong = now, 0

    def begin_try(self, now: int, chair: str = "") -> str:
        """The code for one try, which is counted as wrong until it is proved right. Raises PairingError."""
        if not self.open_at(now):
            raise PairingError("closed")
        # Counted now: whoever hangs up after the reply has made a guess, too.
        self._wrong += 1
        self.wrong_in_all += 1
        if self._wrong >= _MOST_WRONG:
            self._closed_until = now + _CLOSED_NS * 2**self._closures
            self._closures = min(self._closures + 1, _MOST_DOUBLINGS)
        if chair not in self.codes:
            raise PairingError("wrong_code")
        return self.codes[chair]

    def proved(self, now: int) -> None:
        """The try was right: the code is used up."""
        self._closed_until = None
        self._closures = self.wrong_in_all = 0
        self.renew(now)

    def seconds_closed(self, now: int) -> float:
        """How long pairing stays closed; 0 if it is open."""
        return max(0.0, ((self._closed_until or now) - now) / 1_000_000_000)


class WizardPairing:
    """The wizard's end of one try. Give it each message; it returns the answer."""

    def __init__(self, desk: CodeDesk, name: str, certificate: bytes) -> None:
        """`certificate` is this end's on this connection."""
        self._desk = desk
        self._name = name
        self._certificate = certificate
        self._keys: _ProofKeys | None = None
        self._other: PairedWith | None = None
        self.paired: PairedWith | None = None

    def take(self, message: PairMessage, now: int) -> PairMessage:
        """The answer to one message. Raises PairingError: send it and hang up."""
        if isinstance(message, PairStart) and self._keys is None:
            return self._start(message, now)
        if isinstance(message, PairProof) and self._keys is not None and self._other is not None:
            if not hmac.compare_digest(message.proof, self._keys.of_subject):
                raise PairingError("wrong_code")
            self._desk.proved(now)
            self.paired = self._other
            return PairDone()
        raise PairingError("bad_message")

    def _start(self, start: PairStart, now: int) -> PairReply:
        if not 0 < len(start.certificate) <= _MOST_CERTIFICATE:
            raise PairingError("bad_message")
        code = self._desk.begin_try(now, start.chair)
        exchange = SPAKE2_B(code.encode(), idA=_identity(start.certificate), idB=_identity(self._certificate))
        element = exchange.start()
        self._keys = _finish(exchange, start.element, start.certificate, self._certificate)
        self._other = PairedWith(station_name(start.name), start.certificate, start.chair)
        return PairReply(element, self._keys.of_wizard, self._name)


class SubjectPairing:
    """The subject's end of one try."""

    def __init__(
        self, code: str, name: str, own_certificate: bytes, wizard_certificate: bytes, chair: str = ""
    ) -> None:
        """`wizard_certificate` is the other end's on this connection, as TLS showed it; `chair` whose code it is."""
        digits = "".join(filter(str.isdigit, code))
        self._own = own_certificate
        self._other = wizard_certificate
        self._name = name
        self._chair = chair
        self._exchange = SPAKE2_A(digits.encode(), idA=_identity(own_certificate), idB=_identity(wizard_certificate))
        self._proved = ""
        self.paired: PairedWith | None = None

    def begin(self) -> PairStart:
        """The first message."""
        return PairStart(self._exchange.start(), self._own, self._name, self._chair)

    def take(self, message: PairMessage) -> PairProof | None:
        """The answer to one message; None once both are paired. Raises PairingError."""
        if isinstance(message, PairRefused):
            raise PairingError(message.why)
        if isinstance(message, PairReply) and not self._proved:
            keys = _finish(self._exchange, message.element, self._own, self._other)
            # The wizard proves first: somebody in the middle gets no proof of ours to try codes against.
            if not hmac.compare_digest(message.proof, keys.of_wizard):
                raise PairingError("wrong_code")
            self._proved = station_name(message.name)
            return PairProof(keys.of_subject)
        if isinstance(message, PairDone) and self._proved:
            self.paired = PairedWith(self._proved, self._other)
            return None
        raise PairingError("bad_message")


@dataclass(frozen=True)
class _ProofKeys:
    of_subject: bytes
    of_wizard: bytes


def _identity(certificate: bytes) -> bytes:
    return fingerprint(certificate).encode()


def _finish(exchange: SPAKE2_A | SPAKE2_B, element: bytes, subject: bytes, wizard: bytes) -> _ProofKeys:
    """Both proofs from the shared key. Raises PairingError for an element that is none."""
    try:
        key = exchange.finish(element)
    except (SPAKEError, NotOnCurve, ValueError, AssertionError, IndexError) as error:
        # The package asserts on what comes from the network.
        raise PairingError("bad_message") from error
    bound = b"|".join((_identity(subject), _identity(wizard)))
    proofs = [hmac.new(key, side + bound, hashlib.sha256).digest() for side in (b"subject ", b"wizard ")]
    return _ProofKeys(proofs[0], proofs[1])


_FRAME_CAP = 16 * 1024
_DECODER = msgspec.msgpack.Decoder(PairMessage)


def pair_frame(message: PairMessage) -> bytes:
    """One message for the wire."""
    return frame(msgspec.msgpack.encode(message))


class PairFrames:
    """Cuts a stream into messages."""

    def __init__(self) -> None:
        self._frames = Frames(lambda: _FRAME_CAP)

    def feed(self, data: bytes) -> Iterator[PairMessage]:
        """The messages that are whole now. Raises PairingError for anything else."""
        try:
            for payload in self._frames.feed(data):
                yield _DECODER.decode(payload)
        except (ProtocolError, msgspec.DecodeError) as error:
            raise PairingError("bad_message") from error
