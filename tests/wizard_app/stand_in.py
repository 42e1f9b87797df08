"""A subject's station without window or microphone: a real journal, a real link, real WAV files."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import soundfile
from PySide6.QtCore import QObject

from curtain.base.clock import Clock
from curtain.link.messages import (
    AudioChunk,
    Hello,
    JournalLine,
    LinesBack,
    Message,
    StationStatus,
    WantAudio,
    WantLines,
    Welcome,
)
from curtain.link.qt import SubjectLink
from curtain.session.events import subject_events as events
from curtain.session.journal.journal import Journal, sum_of_lines
from curtain.session.journal.lines import parse_line
from curtain.session.study import ids

CHUNK = 64 * 1024


def write_tone(path: Path, seconds: float, rate: int = 16000) -> None:
    """A tone that swells and fades, as a voice does."""
    at = np.arange(round(seconds * rate))
    swell = np.sin(np.pi * at / len(at)) * np.sin(at / 7)
    soundfile.write(path, (12000 * swell).round().astype("<i2"), rate)


class StandIn(QObject):
    """Speaks on command, journals as the real station does, and remembers what it was shown."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        super().__init__()
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.clock = clock or Clock()
        self.journal: Journal | None = None
        self.session_id = ""
        self.turn = 0
        self.welcome: Welcome | None = None
        self.shown: list[Message] = []
        self.damaged_once: set[str] = set()
        self.gone: set[str] = set()
        # The record that came back, and in how many pieces.
        self.back: list[bytes] = []
        self.pieces = 0
        # What came while the record was still on its way back.
        self._unpainted: list[tuple[Message, int]] = []
        # What is said once in the place of a line; a line that never goes out whole, and how often it went out.
        self.rude: dict[int, Callable[[bytes], bytes]] = {}
        self.damaged_line = 0
        self.damaged_sent = 0
        self.link = SubjectLink(self._hello, self._resend, self.clock.monotonic_ns)
        self.link.received.connect(self._on_received)

    def dial(self, name: str, run_folder: Path | None = None) -> None:
        self.link.dial(name, run_folder)

    def close(self) -> None:
        self.link.close()
        if self.journal is not None:
            self.journal.close()

    def fact(self, fact: msgspec.Struct, turn: int | None = None) -> None:
        """Journal and announce."""
        entry = self.journal.append(fact, turn).result()
        self.link.send(self._line(entry.seq, self.journal.line_of(entry.seq)))

    def press(self) -> int:
        self.turn += 1
        self.fact(events.KeyDown(source="key", pressed_ns=self.clock.monotonic_ns()), self.turn)
        return self.turn

    def release(self, seconds: float = 0.3, peak_dbfs: float = -9.0, ended_by: events.EndedBy = "key") -> None:
        released_ns, held_ms = self.clock.monotonic_ns(), round(seconds * 1000)
        self.fact(events.KeyUp(released_ns=released_ns, held_ms=held_ms, ended_by=ended_by), self.turn)
        utterance = ids.utterance_id(self.session_id, self.turn)
        wav = self.wav_of(utterance)
        write_tone(wav, seconds)
        saved = events.TakeSaved(
            utterance_id=utterance, frames=round(seconds * 16000), sample_rate=16000,
            sha256=hashlib.sha256(wav.read_bytes()).hexdigest(), peak_dbfs=peak_dbfs,
        )  # fmt: skip
        self.fact(saved, self.turn)

    def record_beside(self, channel: events.Channel, rate: int = 48000) -> Path:
        """Another recording of the turn that was spoken last."""
        fact = events.ChannelSaved(
            utterance_id=ids.utterance_id(self.session_id, self.turn), frames=rate, sample_rate=rate, sha256="",
            peak_dbfs=-9.0, channel=channel, microphone="Room",
        )  # fmt: skip
        wav = self.wav_of(fact.recording)
        wav.parent.mkdir(exist_ok=True)
        write_tone(wav, 1.0, rate)
        self.fact(msgspec.structs.replace(fact, sha256=hashlib.sha256(wav.read_bytes()).hexdigest()), self.turn)
        return wav

    def speak(self, seconds: float = 0.3) -> int:
        self.press()
        self.release(seconds)
        return self.turn

    def wav_of(self, utterance: str) -> Path:
        return self.folder / f"{utterance}.wav"

    def report_status(self, **values: object) -> None:
        status = StationStatus(
            microphone="Headset", microphone_ok=True, recording=True, level_dbfs=-20.0, disk_hours=41.0
        )
        self.link.send(msgspec.structs.replace(status, **values))

    def shown_of(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.shown if isinstance(message, kind)]

    # -- inner -------------------------------------------------------------------------------------------

    def _hello(self) -> Hello:
        known = self.welcome if self.session_id else None
        if known is None:
            return Hello(epoch=1)
        return Hello(session_id=known.session_id, identity=known.identity, secret=known.secret, epoch=1, bound=True)

    def _resend(self, after: int) -> Iterator[JournalLine]:
        lines = self.journal.lines_after(after) if self.journal is not None else ()
        return (self._line(seq, line) for seq, line in lines)

    def _line(self, seq: int, line: bytes) -> JournalLine:
        if seq == self.damaged_line:
            self.damaged_sent += 1
            line = line[:-20] + b"X" * 20
        alter = self.rude.pop(seq, None)
        return JournalLine(seq=seq, line=alter(line) if alter else line)

    def _on_received(self, message: Message) -> None:
        self.shown.append(message)
        seq = getattr(message, "seq", None)
        if isinstance(message, Welcome):
            self._on_welcome(message)
        elif isinstance(message, LinesBack):
            self._on_lines_back(message)
        elif isinstance(message, WantAudio):
            self._send_audio(message)
        elif seq is not None:
            self._paint(message, seq)

    def _on_welcome(self, welcome: Welcome) -> None:
        self.welcome = welcome
        if self.session_id == welcome.session_id:
            return
        if welcome.journal_have and welcome.journal_sum:
            self.back = []
            self.link.send(WantLines(after=0))
            return
        self._begin(welcome)

    def _on_lines_back(self, back: LinesBack) -> None:
        assert self.welcome is not None and back.after == len(self.back)
        self.pieces += 1
        self.back += back.lines
        if len(self.back) < self.welcome.journal_have:
            self.link.send(WantLines(after=len(self.back)))
            return
        assert sum_of_lines(self.back) == self.welcome.journal_sum
        self._path(self.welcome).write_bytes(b"".join(self.back))
        self.turn = max(parse_line(line).turn or 0 for line in self.back)
        self._begin(self.welcome)

    def _path(self, welcome: Welcome) -> Path:
        return self.folder / f"{welcome.session_id}.jsonl"

    def _begin(self, welcome: Welcome) -> None:
        self.session_id = welcome.session_id
        self.journal = Journal(self._path(welcome), self.clock)
        epoch = events.SubjectEpoch(
            number=1, app_version="0", pid=1, session_id=welcome.session_id, identity=welcome.identity
        )
        self.fact(epoch)
        waiting, self._unpainted = self._unpainted, []
        for message, seq in waiting:
            self._paint(message, seq)

    def _paint(self, message: Message, seq: int) -> None:
        if self.journal is None:
            self._unpainted.append((message, seq))
            return
        kinds = {"AnswerShown": "answer", "MessageShown": "message", "QueryShown": "query", "ScenarioShown": "scenario"}
        what = kinds.get(type(message).__name__)
        if what is not None:
            self.fact(events.Painted(what=what, id=seq), getattr(message, "turn", None))  # type: ignore[arg-type]
        self.link.ack(seq)

    def _send_audio(self, want: WantAudio) -> None:
        if want.utterance_id in self.gone:
            self.link.send(AudioChunk(utterance_id=want.utterance_id, offset=want.offset, total=0, data=b""))
            return
        data = self.wav_of(want.utterance_id).read_bytes()
        sent = data
        if want.utterance_id in self.damaged_once:
            self.damaged_once.remove(want.utterance_id)
            sent = data[:100] + b"\0\0\0\0" + data[104:]
        for offset in range(want.offset, min(len(data), want.offset + want.length), CHUNK):
            piece = sent[offset : min(offset + CHUNK, want.offset + want.length)]
            chunk = AudioChunk(utterance_id=want.utterance_id, offset=offset, total=len(data), data=piece)
            self.link.send(chunk)
