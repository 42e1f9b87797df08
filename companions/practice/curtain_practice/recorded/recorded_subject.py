"""In place of the link: a subject that asks what was recorded, and shows at once whatever it is sent."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

from curtain.audio.wav import WavFormat, header, mono_at, read_wav
from curtain.base.clock import Clock
from curtain.link import messages
from curtain.link.qt import SessionLink
from curtain.session.events import subject_events as subject
from curtain.session.journal.journal import Journal
from curtain.session.study import ids


class RecordedSubject(SessionLink):
    """The wizard's end of a link without another end: no socket, one journal in `folder`."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        super().__init__()
        self._folder = folder
        self._clock = clock
        self._journal: Journal | None = None
        self._session_id = ""
        self._turn = 0
        self._files: dict[str, bytes] = {}

    def listen(self, name: str = "") -> None:
        """The subject is there from the beginning."""
        self._soon(lambda: self.subject_joined.emit(messages.Hello()))

    def close(self) -> None:
        """Let the journal go."""
        if self._journal is not None:
            self._journal.close()

    def welcome(self, answer: messages.Message) -> None:
        """The session has begun: its own record begins."""
        if isinstance(answer, messages.Welcome) and self._journal is None:
            self._session_id = answer.session_id
            self._journal = Journal(self._folder / "subject.jsonl", self._clock)
            self._write(subject.SubjectEpoch(number=1, app_version="0", pid=1, session_id=answer.session_id))

    def send(self, message: messages.Message) -> bool:
        """Take a message: what is shown counts as shown, and a recording that is asked for comes."""
        seq = getattr(message, "seq", None)
        if seq is not None:
            self._soon(lambda: self.acked.emit(seq))
        if isinstance(message, messages.WantAudio):
            data = self._files.get(message.utterance_id, b"")
            piece = data[message.offset : message.offset + message.length]
            chunk = messages.AudioChunk(
                utterance_id=message.utterance_id, offset=message.offset, total=len(data), data=piece
            )
            self._soon(lambda: self.received.emit(chunk))
        return True

    def ask(self, recording: Path) -> int:
        """Ask with this recording; the number of the turn. The talk key comes up in this moment.

        Raises CurtainError.
        """
        wav, frames, rate = _as_wav(recording)
        now = self._begin_turn()
        utterance = ids.utterance_id(self._session_id, self._turn)
        self._files[utterance] = wav
        held_ms = frames * 1000 // rate
        self._write(subject.KeyDown(source="key", pressed_ns=now - held_ms * 1_000_000), self._turn)
        self._write(subject.KeyUp(released_ns=now, held_ms=held_ms), self._turn)
        digest = hashlib.sha256(wav).hexdigest()
        saved = subject.TakeSaved(
            utterance_id=utterance, frames=frames, sample_rate=rate, sha256=digest, peak_dbfs=-9.0
        )
        self._write(saved, self._turn)
        return self._turn

    def ask_typed(self, text: str) -> int:
        """Ask with this text, as if it had just been entered; the number of the turn."""
        now = self._begin_turn()
        self._write(subject.TurnTyped(text=text, began_ns=now, entered_ns=now), self._turn)
        return self._turn

    def _begin_turn(self) -> int:
        self._turn += 1
        return self._clock.monotonic_ns()

    def _write(self, fact: Any, turn: int | None = None) -> None:
        assert self._journal is not None
        entry = self._journal.append(fact, turn).result()
        line = messages.JournalLine(seq=entry.seq, line=self._journal.line_of(entry.seq))
        self._soon(lambda: self.received.emit(line))

    def _soon(self, act: Callable[[], object]) -> None:
        # As from a socket: never inside the call that asked for it.
        QTimer.singleShot(0, self, act)


def _as_wav(recording: Path) -> tuple[bytes, int, int]:
    """The bytes of a plain WAV file of one channel, its frames and its rate in Hz. Raises CurtainError."""
    sound = read_wav(recording)
    samples = mono_at(sound, sound.sample_rate)
    form = WavFormat(sound.sample_rate, 1)
    return header(form, len(samples)) + samples.astype("<i2").tobytes(), len(samples), sound.sample_rate
