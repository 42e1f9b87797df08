"""A wizard's station without a window: it listens, keeps what it gets, and says what a test lets it say."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject

from curtain.base.table import Table
from curtain.link.messages import (
    AnswerShown,
    AudioChunk,
    AudioSafe,
    Goodbye,
    Hello,
    JournalLine,
    KeptMessage,
    Message,
    MessageShown,
    PauseShown,
    QueryShown,
    ScenarioOver,
    ScenarioShown,
    SessionOver,
    StationStatus,
    WantAudio,
    Welcome,
)
from curtain.link.qt import WizardLink
from curtain.session.journal.lines import JournalEntry, parse_line

IDENTITY = "1" * 32
WELCOME = Welcome(
    session_id="e00-01",
    identity=IDENTITY,
    secret="2" * 32,
    talk_key="space",
    microphone="",
    title="Finding people",
    briefing="You will work on four tasks by talking to the system on this computer. Each task is about the "
    "people of one company. There is no hurry, and it is the system that is tried out, not you.",
    database_description="The system knows 600 employees: their names, jobs, departments, salaries, degrees and "
    "supervisors, as of 1 June 1989.",
)


class FakeWizard(QObject):
    """`sent` are the kept messages so far; `entries` what came of the subject's journal; `audio` whole files."""

    def __init__(self, welcome: Welcome = WELCOME, fetches_audio: bool = True) -> None:
        super().__init__()
        self.welcome_with = welcome
        self.fetches_audio = fetches_audio
        self.sent: list[KeptMessage] = []
        self.hellos: list[Hello] = []
        self.lines: list[bytes] = []
        self.statuses: list[StationStatus] = []
        self.audio: dict[str, bytes] = {}
        self.safe: dict[str, str] = {}
        self.goodbyes = 0
        self.link = WizardLink(self._after)
        self.link.subject_joined.connect(self._on_joined)
        self.link.received.connect(self._on_received)

    def listen(self, name: str, folder: Path | None = None) -> None:
        self.link.listen(name, folder)

    @property
    def entries(self) -> list[JournalEntry]:
        return [parse_line(line) for line in self.lines]

    def types(self, turn: int | None = None) -> list[str]:
        return [entry.type for entry in self.entries if turn is None or entry.turn == turn]

    def say(self, kind: type[KeptMessage], **fields: object) -> KeptMessage:
        message = kind(seq=10 * (len(self.sent) + 1), **fields)
        self.sent.append(message)
        self.link.send(message)
        return message

    def scenario(self, text: str, number: int = 1, of: int = 4, practice: bool = False) -> KeptMessage:
        return self.say(ScenarioShown, scenario_id=f"s{number}", number=number, of=of, practice=practice, text=text)

    def query(self, turn: int, text: str) -> KeptMessage:
        return self.say(QueryShown, turn=turn, text=text)

    def answer(self, turn: int, table: Table, corrects: bool = False) -> KeptMessage:
        return self.say(AnswerShown, turn=turn, table=table, corrects=corrects)

    def message(self, turn: int, text: str, corrects: bool = False) -> KeptMessage:
        return self.say(MessageShown, turn=turn, text=text, corrects=corrects)

    def scenario_over(self, number: int = 1) -> KeptMessage:
        return self.say(ScenarioOver, scenario_id=f"s{number}")

    def pause(self, paused: bool) -> KeptMessage:
        return self.say(PauseShown, paused=paused)

    def end(self, text: str = "Thank you for taking part.") -> KeptMessage:
        return self.say(SessionOver, text=text)

    def _after(self, seq: int) -> Iterator[Message]:
        return iter([message for message in self.sent if message.seq > seq])

    def _on_joined(self, hello: Hello) -> None:
        self.hellos.append(hello)
        self.link.welcome(
            msgspec.structs.replace(self.welcome_with, journal_have=len(self.lines), audio_have=dict(self.safe))
        )

    def _on_received(self, message: Message) -> None:
        match message:
            case JournalLine():
                self._on_line(message)
            case AudioChunk():
                self._on_chunk(message)
            case StationStatus():
                self.statuses.append(message)
            case Goodbye():
                self.goodbyes += 1

    def _on_line(self, message: JournalLine) -> None:
        assert message.seq == len(self.lines) + 1
        self.lines.append(message.line)
        self.link.ack(message.seq)
        entry = parse_line(message.line)
        if self.fetches_audio and entry.type in ("take_saved", "take_recovered"):
            self.fetch(entry.data["utterance_id"])

    def fetch(self, utterance_id: str, length: int = 256 * 1024) -> None:
        have = len(self.audio.setdefault(utterance_id, b""))
        self.link.send(WantAudio(utterance_id=utterance_id, offset=have, length=length))

    def _on_chunk(self, chunk: AudioChunk) -> None:
        self.audio[chunk.utterance_id] += chunk.data
        if len(self.audio[chunk.utterance_id]) == chunk.total:
            digest = hashlib.sha256(self.audio[chunk.utterance_id]).hexdigest()
            self.safe[chunk.utterance_id] = digest
            self.link.send(AudioSafe(utterance_id=chunk.utterance_id, sha256=digest))
