"""What crosses between the session's wizard station (the host) and another chair: one union per receiving end.

These may hold SQL. So they are no part of `link/messages.py`, and the subject's station never imports this file.
"""

from typing import Annotated, Any, Literal

import msgspec

from curtain.session.roles import Chair, Part

CHAIR_PROTOCOL = 1
CHAIR_MAGIC = "curtain-chair"
# The limits are checked when a frame is read: a number may meet a Qt signal, a text a field on a screen.
WizardId = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{1,64}\Z")]
TurnNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
RequestNumber = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
TypedText = Annotated[str, msgspec.Meta(max_length=20_000)]


class ChairMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="t"):
    """Base of all messages between chairs."""


class ChairHello(ChairMessage, frozen=True, tag="chair_hello"):
    """The first message of a chair: who sits there, and as what."""

    wizard_id: WizardId
    chair: Chair
    # Of the program that dials: with it a desk takes its own place again, and nobody else's. An earlier one has none.
    secret: Annotated[str, msgspec.Meta(max_length=64)] = ""
    magic: str = CHAIR_MAGIC
    version: int = CHAIR_PROTOCOL


class ChairRequest(ChairMessage, frozen=True, kw_only=True):
    """A wish about one part of one turn. The answer carries the same `number`."""

    number: RequestNumber
    turn: TurnNumber
    part: Part


class TakePart(ChairRequest, frozen=True, tag="take"):
    """I work on this part."""


class HandPartOver(ChairRequest, frozen=True, tag="hand_over"):
    """`to` works on this part from here on."""

    to: WizardId


class ReturnPart(ChairRequest, frozen=True, tag="return"):
    """Anybody may take this part."""


class TypePart(ChairRequest, frozen=True, tag="type"):
    """What stands in my field for this part: a query, or a statement."""

    text: TypedText


AnyRequest = TakePart | HandPartOver | ReturnPart | TypePart


class WishedFact(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of the wizard's journal that a chair wishes to be written, as the journal would hold it."""

    turn: TurnNumber | None = None
    type: Annotated[str, msgspec.Meta(max_length=64)]
    data: dict[str, Any]


class WriteFacts(ChairMessage, frozen=True, kw_only=True, tag="write"):
    """Write these in one piece: what somebody did at the desk of this chair."""

    number: RequestNumber
    facts: Annotated[list[WishedFact], msgspec.Meta(max_length=32)]


class WantTake(ChairMessage, frozen=True, kw_only=True, tag="want_take"):
    """Send up to `length` bytes of the recording of an utterance from `offset`."""

    utterance_id: Annotated[str, msgspec.Meta(max_length=64)]
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**40)]
    length: Annotated[int, msgspec.Meta(ge=0, le=4 * 1024 * 1024)]


# A part is done by what is written for it, never by a word about it.
ToHost = ChairHello | AnyRequest | WriteFacts | WantTake


class ChairWelcome(ChairMessage, frozen=True, tag="chair_welcome"):
    """The chair is in. `SessionHere` and the lines of before follow while a session is open."""

    wizard_id: WizardId
    chair: Chair


class ChairRefused(ChairMessage, frozen=True, tag="chair_refused"):
    """The chair may not join; the sentence is for the person who sits there."""

    code: Literal["version", "in_use", "late", "no_hello"]
    sentence: str


class RequestGranted(ChairMessage, frozen=True, tag="granted"):
    """The wish with this number is fulfilled; its facts came before this message."""

    number: RequestNumber


class RequestRefused(ChairMessage, frozen=True, tag="not_granted"):
    """The wish with this number cannot be fulfilled, and why: a sentence for the person who sits there."""

    number: RequestNumber
    sentence: str


class SessionHere(ChairMessage, frozen=True, kw_only=True, tag="session"):
    """The session that the chair now follows; its lines come behind this. "" as `session_id`: none is open."""

    session_id: str = ""
    identity: str = ""
    domain: str = ""


class SessionLine(ChairMessage, frozen=True, kw_only=True, tag="line"):
    """A line that is on disk at the host, of its own journal or of its copy of the subject's."""

    of: Literal["wizard", "subject"]
    seq: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    line: bytes


class TakePiece(ChairMessage, frozen=True, kw_only=True, tag="take_piece"):
    """Bytes of a recording; `total` is 0 if the host does not have it."""

    utterance_id: str
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**40)]
    total: Annotated[int, msgspec.Meta(ge=0, le=2**40)]
    data: bytes


class LivePiece(ChairMessage, frozen=True, kw_only=True, tag="live_piece"):
    """Sound of a turn while it is spoken: 16-bit little-endian samples of one channel from `frame` on, `rate` Hz.

    Empty: no more comes. A piece that a slow connection does not take is left out; the recording comes by itself.
    """

    turn: TurnNumber
    frame: Annotated[int, msgspec.Meta(ge=0, le=2**40)]
    rate: Annotated[int, msgspec.Meta(ge=8000, le=192_000)]
    data: Annotated[bytes, msgspec.Meta(max_length=1024 * 1024)]


ToChair = (
    LivePiece | ChairWelcome | ChairRefused | RequestGranted | RequestRefused | SessionHere | SessionLine | TakePiece
)
