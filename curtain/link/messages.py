"""The only types that cross the curtain: one union per receiving role.

The subject's decoder knows `ToSubject` alone, and no type in it can carry SQL, a draft, an attempt or an
error text. `KeptMessage` messages are sent again after a reconnect until acknowledged, delivered once and in
order. The others are of the moment and may be lost.

A minor version may add fields (those who do not know them ignore them), and a type of message only if a station sends
it to those alone that asked for it by such a field.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec

from curtain.base.hearing import Input
from curtain.base.table import Table

# Raise the major for what an old station cannot do without, the minor for new fields.
PROTOCOL = (2, 6)
MAGIC = "curtain"

# Checked when a frame is read: an id becomes the name of a file or folder on the other side.
Id = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{1,64}\Z")]
# A file of an utterance: its take, or another recording of it in a folder of its own.
Recording = Annotated[str, msgspec.Meta(pattern=r"\A((wide|second)/)?[A-Za-z0-9-]{1,64}\Z")]
IdOrNone = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9-]{0,64}\Z")]
# Sixteen random bytes in hex, made when a session is opened. A session of an earlier Curtain has none.
Token = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{32})?\Z")]
# Of all lines of a journal up to one of them; "" where none was made.
Sum = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{16})?\Z")]
# A signal of Qt carries 32 bits: a larger number would raise in the middle of the window.
LARGEST_NUMBER = 2**31 - 1
Seq = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_NUMBER)]
Number = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)]
Count = Annotated[int, msgspec.Meta(ge=0)]
# Samples a second of a sound device.
Rate = Annotated[int, msgspec.Meta(ge=8000, le=192_000)]


MicrophoneState = Literal["opening", "choose", "missing", "none", "unusable", "ready", "lost", "unused"]
DiskProblem = Literal["", "full", "failing"]
Absent = Literal["voice", "second_microphone", "screen"]
MicrophoneTest = Literal["", "waiting", "speaking", "silent", "quiet", "good", "loud"]


class SessionName(NamedTuple):
    """Which session is meant. Ids are chosen by people and come again in other studies; identities do not."""

    session_id: str = ""
    identity: str = ""


NO_SESSION = SessionName()


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", forbid_unknown_fields=False):
    """Base of everything that crosses the link."""


class KeptMessage(Message, frozen=True, kw_only=True):
    """A message that stands for a journal line. `seq` rises; towards the wizard without a hole, towards the
    subject with holes (the wizard's journal has lines that never cross)."""

    seq: Seq


# -- both ways -----------------------------------------------------------------------------------------


class Ping(Message, frozen=True, tag="ping"):
    """A sign of life, and a question: `sent_ns` is the asker's monotonic clock and comes back in the pong."""

    sent_ns: int


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a ping: its stamp, and the answerer's own monotonic clock."""

    sent_ns: int
    answered_ns: int


class Ack(Message, frozen=True, tag="ack"):
    """Everything up to `seq` is safe on the other side: fsynced at the wizard's, on screen at the subject's."""

    seq: Count


# -- to the wizard -------------------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="hello"):
    """The first frame, from the subject. `have` is the last kept sequence number it has applied (0 after a start).

    A station that comes back to its session names it, its identity and the secret that the welcome gave. `bound`: it
    leaves that session for no other one, since it is at work in it. `calls`: who sits there asks for help. `wall_utc`
    is what the clock of its computer says; nothing is computed with it.
    """

    magic: str = MAGIC
    major: int = PROTOCOL[0]
    minor: int = PROTOCOL[1]
    role: Literal["subject"] = "subject"
    session_id: IdOrNone = ""
    identity: Token = ""
    secret: Token = ""
    epoch: Count = 0
    have: Count = 0
    bound: bool = False
    calls: bool = False
    wall_utc: Annotated[str, msgspec.Meta(max_length=32)] = ""

    @property
    def session(self) -> SessionName:
        """The session that the station wants to come back to; `NO_SESSION` at a first start."""
        return SessionName(self.session_id, self.identity)


class JournalLine(KeptMessage, frozen=True, tag="journal_line"):
    """One line of the subject's journal, byte for byte; `seq` is the line's own sequence number."""

    line: bytes


class AudioChunk(Message, frozen=True, tag="audio_chunk"):
    """Bytes of the finished WAV file of one utterance, on request; `total` is the file's length in bytes, 0 if
    there is no such file."""

    utterance_id: Recording
    offset: Count
    total: Count
    data: bytes


class LiveSound(Message, frozen=True, tag="live_sound"):
    """Sound of a turn while it is being spoken, only if the welcome asks for it (`live_sound`).

    `data` holds 16-bit little-endian samples of one channel, the first of them number `frame` of the turn's recording.
    Empty: no more comes. What is missing of it comes by `AudioChunk`, and the file's SHA-256 says whether it is right.
    """

    turn: Seq
    frame: Count
    rate: Rate
    data: bytes


class StationStatus(Message, frozen=True, tag="station_status", omit_defaults=True):
    """Twice a second from the microphone test on. `level_dbfs` is the loudest of the last half second.

    `microphone_state` says why there is no sound, `test` what the microphone test made of the subject's voice; it is
    empty when that page is left. `disk_hours` is None while nobody has looked yet; 0.0 is a full disk. `disk_problem`
    reports that the disk did not take what was to be written: it is full, or it fails. `absent` is what the study asks
    for and this station does not have.
    """

    microphone: str
    microphone_ok: bool
    recording: bool
    level_dbfs: float
    clipped: bool = False
    disk_hours: float | None = None
    microphone_state: MicrophoneState = "ready"
    test: MicrophoneTest = ""
    disk_problem: DiskProblem = msgspec.field(name="disk_trouble", default="")
    absent: list[Absent] = []


class Declined(Message, frozen=True, kw_only=True, tag="declined"):
    """The welcome cannot be taken up: `behind`: this station holds less of the session than the wizard's;
    `differs`: both hold lines of the same numbers that are not the same; `unusable`: its folder does not open;
    `elsewhere`: it is in another session."""

    session_id: Id
    identity: Token = ""
    reason: Literal["behind", "differs", "unusable", "elsewhere"]


class WantLines(Message, frozen=True, tag="want_lines"):
    """This station's journal lost lines that the wizard's station still holds: send those after this one back."""

    after: Count


class Goodbye(Message, frozen=True, tag="goodbye"):
    """The subject's window is closed on purpose."""


ToWizard = (
    Hello | JournalLine | AudioChunk | LiveSound | StationStatus | Declined | WantLines | Goodbye | Ping | Pong | Ack
)


# -- to the subject ------------------------------------------------------------------------------------


class Waiting(Message, frozen=True, tag="waiting"):
    """The hello is accepted, but no session has begun."""


class HelloRefused(Message, frozen=True, tag="refused"):
    """The hello is not accepted: another version, the seat is taken, another session, a session that another station
    began, or more came than people can say in the time (`quota`; it may come again later). The screen shows its own
    neutral text for each.

    With `seat` the session is named, so that a station whose spool holds it comes back with its secret.
    """

    code: Literal["version", "in_use", "session", "seat", "quota"]
    session_id: IdOrNone = ""
    identity: Token = ""


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """A session has begun, consent is confirmed. `audio_have` maps each utterance that is safe at the wizard's
    station to its SHA-256; `journal_have` is the last line of the subject's journal there, and `journal_sum` the sum of
    the lines up to it ("": not known). The subject's station sends nothing before it has compared both with its own.
    With `replaces` it puts its own record aside and takes the one of the wizard's station. The station that shows the
    `secret` again when it reconnects is the one that began the session. `voice` is the language in which answers are
    said aloud, empty if they are not. `live_sound` asks for `LiveSound`. `input`: how the subject asks in the whole
    session; with `text` no microphone is opened. Without `must_speak` each task takes typed questions, so the session
    goes on where there is none. In both cases the station reports its microphone as `unused`."""

    session_id: Id
    identity: Token = ""
    secret: Token = ""
    talk_key: str
    microphone: str
    title: str
    briefing: str
    database_description: str
    pilot: bool = False
    journal_have: Count = 0
    journal_sum: Sum = ""
    replaces: bool = False
    audio_have: dict[Recording, str] = {}
    texts: dict[str, str] = {}
    voice: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{0,3}\Z")] = ""
    live_sound: bool = False
    input: Input = "speech"
    must_speak: bool = True
    recording_rate: Rate = 16000
    second_microphone: str = ""

    @property
    def session(self) -> SessionName:
        """The session that has begun."""
        return SessionName(self.session_id, self.identity)


class WantAudio(Message, frozen=True, tag="want_audio"):
    """Send up to `length` bytes of this utterance's file from `offset`."""

    utterance_id: Recording
    offset: Count
    length: Count


class AudioSafe(Message, frozen=True, tag="audio_safe"):
    """This utterance's file is verified and fsynced at the wizard's station."""

    utterance_id: Recording
    sha256: str


class LinesBack(Message, frozen=True, tag="lines_back"):
    """Lines of the subject's own journal after `after`, byte for byte; empty if there are no more."""

    after: Count
    lines: list[bytes]


class FormItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a questionnaire in the subject's language; `labels` are the words of `values`, and `low` and `high`
    those of the two ends of a scale. Nobody goes on from a `required` item without an answer."""

    id: str
    kind: Literal["text", "scale", "choice", "free"]
    text: str = ""
    values: list[str] = []
    labels: list[str] = []
    low: str = ""
    high: str = ""
    required: bool = False


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A questionnaire for the subject. `name` is its id, with “@” and the scenario's id if it is of a scenario."""

    name: str
    title: str
    items: list[FormItem]

    @property
    def questions(self) -> list[FormItem]:
        """The items that ask for an answer; free text may be left out unless it is required."""
        return [one for one in self.items if one.kind in ("scale", "choice") or one.required]

    def unanswered(self, answers: Mapping[str, str]) -> list[FormItem]:
        """The questions without an answer; `answers` are by item."""
        return [one for one in self.questions if not answers.get(one.id)]


class ScenarioShown(KeptMessage, frozen=True, tag="scenario_shown"):
    """Show the text of scenario `number` of `of`. Without `asks_answer` the subject is not asked to note a solution.
    `input` is how they ask; a station of before 2.6 lets them speak."""

    scenario_id: str
    number: Number
    of: Number
    practice: bool
    text: str
    asks_answer: bool = True
    input: Input = "speech"


class QueryShown(KeptMessage, frozen=True, tag="query_shown"):
    """The wizard's transcription of the turn's utterance."""

    turn: Number
    text: str


class AnswerShown(KeptMessage, frozen=True, tag="answer_shown"):
    """`corrects` marks an answer that takes the place of the turn's earlier one."""

    turn: Number
    table: Table
    corrects: bool = False


class MessageShown(KeptMessage, frozen=True, tag="message_shown"):
    """A canned message as the answer of a turn; `corrects` as in `AnswerShown`."""

    turn: Number
    text: str
    corrects: bool = False


class ScenarioOver(KeptMessage, frozen=True, tag="scenario_over"):
    """The scenario has ended, solved or not. The subject now fills in `forms`, one after the other.

    They come no earlier: the last of them may reveal what the subject must not know before.
    """

    scenario_id: str
    forms: list[Form] = []


class PauseShown(KeptMessage, frozen=True, tag="pause_shown"):
    """A pause begins or ends."""

    paused: bool


class SessionOver(KeptMessage, frozen=True, tag="session_over"):
    """The closing page, after `forms`. Once all is acknowledged and every utterance is safe, the spool may go.

    A session that ends before its last scenario has here what would have followed that one.
    """

    text: str
    forms: list[Form] = []


ToSubject = (
    Waiting
    | HelloRefused
    | Welcome
    | WantAudio
    | AudioSafe
    | LinesBack
    | ScenarioShown
    | QueryShown
    | AnswerShown
    | MessageShown
    | ScenarioOver
    | PauseShown
    | SessionOver
    | Ping
    | Pong
    | Ack
)
