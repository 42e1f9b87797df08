"""The only types that cross the curtain: one union per receiving role.

The subject's decoder knows `ToSubject` alone, and no type in it can carry SQL, a draft, an attempt or an
error text. Messages with `seq` are kept: sent again after a reconnect until acknowledged, delivered once and
in order. The others are of the moment and may be lost.
"""

from __future__ import annotations

from typing import Literal

import msgspec

PROTOCOL = (1, 0)
MAGIC = "curtain"


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", forbid_unknown_fields=False):
    """Base of everything that crosses the link."""


# -- both ways -----------------------------------------------------------------------------------------


class Ping(Message, tag="ping"):
    sent_ns: int


class Pong(Message, tag="pong"):
    sent_ns: int
    answered_ns: int


class Ack(Message, tag="ack"):
    """Everything up to `seq` is safe on the other side: fsynced at the wizard's, on screen at the subject's."""

    seq: int


# -- to the wizard -------------------------------------------------------------------------------------


class Hello(Message, tag="hello"):
    """The first frame, from the subject. `have` is the last kept sequence number it has applied (0 after a start)."""

    magic: str = MAGIC
    major: int = PROTOCOL[0]
    minor: int = PROTOCOL[1]
    role: Literal["subject"] = "subject"
    session_id: str = ""
    epoch: int = 0
    have: int = 0


class JournalLine(Message, tag="journal_line"):
    """One line of the subject's journal, byte for byte; `seq` is the line's own sequence number."""

    seq: int
    line: bytes


class AudioChunk(Message, tag="audio_chunk"):
    """Bytes of the finished WAV file of one utterance, on request; `total` is the file's length in bytes."""

    utterance_id: str
    offset: int
    total: int
    data: bytes


class StationStatus(Message, tag="station_status"):
    """Twice a second while the stream is open. `level_dbfs` is the loudest of the last half second."""

    microphone: str
    microphone_ok: bool
    recording: bool
    level_dbfs: float
    clipped: bool = False
    disk_hours: float = 0.0


class Goodbye(Message, tag="goodbye"):
    """The subject's window is closed on purpose."""


ToWizard = Hello | JournalLine | AudioChunk | StationStatus | Goodbye | Ping | Pong | Ack


# -- to the subject ------------------------------------------------------------------------------------


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is read: headings and cell texts; `numeric` columns are right-aligned; `total` rows exist."""

    headings: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    total: int


class Waiting(Message, tag="waiting"):
    """The hello is accepted, but no session has begun."""


class Refused(Message, tag="refused"):
    """The hello is not accepted. The code is for logs; the screen shows its neutral text."""

    code: Literal["version", "in_use", "session"]


class Welcome(Message, tag="welcome"):
    """A session has begun, consent is confirmed. `audio_have` maps each utterance
    that is safe at the wizard's station to its SHA-256; `journal_have` is the last line of the subject's journal there."""

    session_id: str
    talk_key: str
    microphone: str
    title: str
    briefing: str
    database_description: str
    pilot: bool = False
    journal_have: int = 0
    audio_have: dict[str, str] = {}
    texts: dict[str, str] = {}


class WantAudio(Message, tag="want_audio"):
    """Send up to `length` bytes of this utterance's file from `offset`."""

    utterance_id: str
    offset: int
    length: int


class AudioSafe(Message, tag="audio_safe"):
    """This utterance's file is verified and fsynced at the wizard's station."""

    utterance_id: str
    sha256: str


class ScenarioShown(Message, tag="scenario_shown"):
    seq: int
    scenario_id: str
    number: int
    of: int
    practice: bool
    text: str
    asks_answer: bool = True


class QueryShown(Message, tag="query_shown"):
    seq: int
    turn: int
    text: str


class AnswerShown(Message, tag="answer_shown"):
    """`corrects` marks an answer that takes the place of the turn's earlier one."""

    seq: int
    turn: int
    table: Table
    corrects: bool = False


class MessageShown(Message, tag="message_shown"):
    seq: int
    turn: int
    text: str
    corrects: bool = False


class ScenarioOver(Message, tag="scenario_over"):
    seq: int
    scenario_id: str


class PauseShown(Message, tag="pause_shown"):
    seq: int
    paused: bool


class SessionOver(Message, tag="session_over"):
    """The closing page. Once all is acknowledged and every utterance is safe, the spool may go."""

    seq: int
    text: str


ToSubject = (
    Waiting
    | Refused
    | Welcome
    | WantAudio
    | AudioSafe
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
