"""The newest recording as it is spoken, kept until its file is wanted: then little or nothing is left to fetch."""

from dataclasses import dataclass

from curtain.link.messages import LiveSound
from wizard_app.desk.session.subject.quota import Announced

# Two minutes of speech of 16 kHz, the longest hold. What is beyond is fetched from the file.
MOST_EARLY = 4 * 1024 * 1024


@dataclass(frozen=True)
class FileStart:
    """How the file of a recording begins; `whole`: nothing follows."""

    data: bytes
    whole: bool


class EarlySound:
    """Keeps the sound of one turn, from its first frame to the first gap, at most 4 MiB.

    Nobody vouches for it: whoever makes a file of it compares the SHA-256.
    """

    def __init__(self) -> None:
        self._turn = 0
        self._rate = 0
        self._samples = bytearray()

    def keep(self, sound: LiveSound) -> None:
        """More of a recording; its first frame begins it anew."""
        if sound.frame == 0 and sound.data:
            self._turn, self._rate, self._samples = sound.turn, sound.rate, bytearray()
        follows = sound.turn == self._turn and sound.rate == self._rate and sound.frame * 2 == len(self._samples)
        if follows and len(self._samples) + len(sound.data) <= MOST_EARLY:
            self._samples += sound.data

    def file_start(self, turn: int, take: Announced) -> FileStart | None:
        """The first bytes of this recording's file, as far as they have come; None if nothing has."""
        from curtain.audio.wav import SAMPLE_BYTES, WavFormat, header  # brings numpy, which nobody needs at the start

        if turn != self._turn or take.sample_rate != self._rate or not self._samples:
            return None
        # The recording is cut at the end of its tail; more may have been heard.
        samples = bytes(self._samples[: take.frames * SAMPLE_BYTES])
        whole = len(samples) == take.frames * SAMPLE_BYTES
        return FileStart(header(WavFormat(self._rate), take.frames) + samples, whole)
