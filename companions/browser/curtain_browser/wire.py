"""The only types that cross between the page and the gateway: one union for each direction.

From the page come events in one numbered order. The page keeps each one until the gateway acknowledges its number,
and says it again after a break. `n` is that number, from 1, without a hole. `ms` is when it happened: milliseconds
on the page's clock (`performance.timeOrigin + performance.now()`), which jumps with each `life` of the page.

`ClockReading` alone has no number: it is of the moment and may be lost. Text frames are JSON; sound is binary.
"""

import math
import struct
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from curtain.base.errors import CurtainError
from curtain.base.hearing import Input
from curtain.link.messages import ScenarioShown
from subject_app.session.screen_state import Exchange
from subject_app.sitting.view import View

LONGEST_TEXT = 16_384
"""Bytes of one text frame from the page."""
MOST_FRAMES = 4096
"""Of sound in one binary frame."""
LONGEST_FRAME = max(LONGEST_TEXT, 24 + 2 * MOST_FRAMES)
"""Bytes of any frame from the page: the server refuses a longer one before it is read."""

LARGEST = 2**53 - 1
N = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Ms = Annotated[float, msgspec.Meta(ge=0, lt=1e15)]
Short = Annotated[str, msgspec.Meta(max_length=200)]
Long = Annotated[str, msgspec.Meta(max_length=2000)]
Token = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]


class FrameRefused(CurtainError):
    """A frame that no page of ours sends."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", forbid_unknown_fields=True):
    """Base of the numbered events."""

    n: N
    ms: Ms


class Mic(Event, frozen=True, kw_only=True, tag="mic"):
    """The microphone as the page has it now. It is the first event of each `life` (each load of the page), and begins a
    new count of frames wherever `state` is `ready`: sound after it is of this stream.

    `names` are the microphones that the browser lists. `processing` is what the browser reports of echo cancellation,
    noise suppression and gain control, None where it says nothing. `latency_ms` is None where it gives none.
    """

    life: Token
    state: Literal["opening", "none", "denied", "ready", "lost"]
    name: Short = ""
    rate: Annotated[int, msgspec.Meta(ge=0, le=192_000)] = 0
    names: Annotated[list[Short], msgspec.Meta(max_length=32)] = []
    echo_cancellation: bool | None = None
    noise_suppression: bool | None = None
    auto_gain_control: bool | None = None
    latency_ms: Annotated[float, msgspec.Meta(ge=0, le=10_000)] | None = None
    agent: Short = ""


class Down(Event, frozen=True, kw_only=True, tag="down"):
    """The talk key, or the button, went down. Repeats are passed over by the page."""

    by: Literal["key", "button"]


class Up(Event, frozen=True, kw_only=True, tag="up"):
    """The hold ended, and why."""

    why: Literal["key", "focus_lost", "page_left"] = "key"


class Act(Event, frozen=True, kw_only=True, tag="act"):
    """One thing that the subject did, most of them `SubjectActs`. Nothing else can be asked for.

    `form`, `item` and `value` are of `answer_item`; `finish_form` has `form`; `ask`, `report_solution` and
    `choose_microphone` have `value`. `played`: the microphone test was played to its end (`value` "" if it was heard,
    else “silent”).
    """

    do: Literal[
        "cancel", "begin_typing", "ask", "choose_microphone", "finish_mic_test", "finish_briefing", "answer_item",
        "finish_form", "go_back_to_form", "start_over", "call_for_help", "report_solution", "played",
    ]  # fmt: skip
    form: Short = ""
    item: Short = ""
    value: Long = ""


class PagePainted(Event, frozen=True, kw_only=True, tag="painted"):
    """It was on the screen at `ms`. “One moment” is drawn by the page itself: its turn is that of the last `up`, or of
    the last `ask`, before it in the order, and `seq` and `turn` are 0. The page may report the same thing again."""

    what: Literal["one_moment", "scenario", "query", "answer", "message"]
    seq: Seq = 0
    turn: Seq = 0


class ClockReading(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", tag="clock", forbid_unknown_fields=True):
    """The answer to a `PageAsk`: its number, and what the page's clock said on its arrival. `hidden`: another tab or
    window covers the page. `last` is the newest number that the page has given."""

    life: Token
    ask: N
    ms: Ms
    hidden: bool = False
    last: Annotated[int, msgspec.Meta(ge=0, le=LARGEST)] = 0


@dataclass(frozen=True)
class PageSound:
    """Sound of the microphone: `samples` of shape (frames,) int16, from frame `first` of the stream on. `ms` is when
    the page had it, a little after its last frame was taken in."""

    n: int
    ms: float
    first: int
    samples: NDArray[np.int16]


FromPage = Mic | Down | Up | Act | PagePainted | ClockReading
_HEAD = struct.Struct("<Qdq")
_from_page: msgspec.json.Decoder[FromPage] = msgspec.json.Decoder(FromPage)


def read_text(frame: str | bytes) -> FromPage:
    """A text frame from the page. Raises `FrameRefused`."""
    if len(frame) > LONGEST_TEXT:
        raise FrameRefused("A message from the page is too long.")
    try:
        return _from_page.decode(frame)
    except (msgspec.DecodeError, RecursionError) as error:
        raise FrameRefused("A message from the page cannot be read.") from error


def read_sound(frame: bytes) -> PageSound:
    """A binary frame from the page: number (u64), time (f64), first frame (i64), then int16, all little-endian. Raises
    `FrameRefused`."""
    size = len(frame) - _HEAD.size
    if not 0 < size <= 2 * MOST_FRAMES or size % 2:
        raise FrameRefused("Sound from the page has another size than sound has.")
    n, ms, first = _HEAD.unpack_from(frame)
    if not (1 <= n <= LARGEST and math.isfinite(ms) and 0 <= ms < 1e15 and 0 <= first <= LARGEST):
        raise FrameRefused("Sound from the page has no place in its order.")
    return PageSound(n, ms, first, np.frombuffer(frame, "<i2", offset=_HEAD.size).astype(np.int16))


class ToThePage(msgspec.Struct, frozen=True, kw_only=True, tag_field="t"):
    """Base of what the gateway sends."""


class PageWelcome(ToThePage, frozen=True, kw_only=True, tag="welcome"):
    """The first frame of a connection, and again when a session has begun.

    `box` names the page's store (random, the same for this seat's whole session), and `have` is the last number of it
    that is safe here. `texts` are all sentences by their keys, of the station and of the page. `seated`: a session is
    open, and the rest is of it. Without `speaks` no microphone is opened.
    """

    box: Token
    have: int
    language: str
    texts: dict[str, str]
    seated: bool = False
    speaks: bool = True
    talk_key: str = "space"
    title: str = ""
    briefing: str = ""
    database: str = ""
    pilot: bool = False
    voice: str = ""
    input: Input = "speech"


class PageScreen(ToThePage, frozen=True, kw_only=True, tag="view"):
    """What to show, whenever any of it changed. `readiness` and `heard` are the values of `Readiness` and
    `MicTestStage`; `answers` what was answered so far in `view.form`; `noted` the answer to the task just noted.
    `through`: the last `down`, `up` or `act` that this view follows; of what comes after it the page knows better."""

    view: View
    readiness: str = "opening"
    missing: str = ""
    heard: str = "nothing"
    answers: dict[str, str] = {}
    noted: str = ""
    through: int = 0


class Shown(ToThePage, frozen=True, kw_only=True, tag="shown"):
    """What crossed the curtain: the task, the newest exchange, the earlier ones (the latest first), the last page."""

    scenario: ScenarioShown | None = None
    scenario_over: bool = False
    current: Exchange | None = None
    earlier: list[Exchange] = []
    closing: str = ""


class PageAsk(ToThePage, frozen=True, kw_only=True, tag="ask"):
    """Asks the page's clock, twice a second; answered at once with a `ClockReading`."""

    ask: int


class PageAck(ToThePage, frozen=True, kw_only=True, tag="ack"):
    """Everything up to `n` is fsynced here: the page forgets it."""

    n: int


class Bye(ToThePage, frozen=True, kw_only=True, tag="bye"):
    """Nothing more comes: the session is `over` and all is safe, or the page is `elsewhere` in a newer tab. The page
    deletes what it kept if it is over, says so, and does not call again."""

    why: Literal["over", "elsewhere"]


ToPage = PageWelcome | PageScreen | Shown | PageAsk | PageAck | Bye
_to_page = msgspec.json.Encoder()


def write(message: ToPage) -> str:
    """A text frame for the page."""
    return _to_page.encode(message).decode()
