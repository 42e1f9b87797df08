"""Recordings on their way out: as they were recorded, or with silence where something is redacted."""

import io
import shutil
from dataclasses import dataclass
from pathlib import Path

from curtain.corpus.model.utterance import Session, Utterance
from curtain.corpus.redaction.utterances import samples

SILENCED = "its recording is hidden as a whole"
TYPED = "typed, so without a recording"
SILENT = "the consent does not cover keeping the recordings"


@dataclass(frozen=True)
class OutgoingRecording:
    """The recording of an utterance as it may leave. `frames` and `rate` are those of the file."""

    utterance: Utterance
    frames: int
    rate: int

    @property
    def seconds(self) -> float:
        """The length of the recording, in seconds."""
        return self.frames / self.rate

    def wav(self) -> bytes:
        """A whole WAV file. Raises CurtainError, OSError."""
        if self.utterance.redactions or self.utterance.audio is None:
            return encoded(self.utterance)
        return self.utterance.audio.read_bytes()

    def copy(self, target: Path) -> None:
        """Write the WAV file to a new path; never a link, so that nothing done to the export reaches the original."""
        if self.utterance.redactions or self.utterance.audio is None:
            target.write_bytes(encoded(self.utterance))
        else:
            shutil.copyfile(self.utterance.audio, target)


def recording_of(session: Session, utterance: Utterance) -> OutgoingRecording | str:
    """The recording, or in plain words why there is none to give: the reason under which the utterance is dropped."""
    import soundfile

    if utterance.modality == "text":
        return TYPED
    if utterance.audio is None:
        return "without a recording" if session.may_keep_audio else SILENT
    try:
        with soundfile.SoundFile(utterance.audio) as file:
            recording = OutgoingRecording(utterance, file.frames, file.samplerate)
    except (OSError, soundfile.SoundFileError):
        return "recording cannot be read"
    if recording.frames == 0:
        return "empty recording"
    # A file of another length is another recording, or part of one: its words would not fit.
    if utterance.frames not in (None, recording.frames):
        return "recording is not as long as its journal says"
    return recording


def audible_recording_of(session: Session, utterance: Utterance) -> OutgoingRecording | str:
    """The same for whoever trains on it: nothing is learnt from words over a recording that is all silence."""
    return SILENCED if utterance.redacted == "whole" else recording_of(session, utterance)


def encoded(utterance: Utterance) -> bytes:
    """A WAV file of the samples as they may leave, PCM 16 bits. Raises CurtainError, OSError."""
    import soundfile

    sound, rate = samples(utterance)
    file = io.BytesIO()
    soundfile.write(file, sound, rate, format="WAV", subtype="PCM_16")
    return file.getvalue()
