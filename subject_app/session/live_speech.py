"""What is being said, sent on while it is said, for whoever asked for it in the welcome."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from curtain.audio.wav import to_int16
from curtain.link.messages import LiveSound, Message
from curtain.session.study.ids import utterance_id


class LiveSpeech:
    """Sends the sound of the open turn by `send`, until its recording is saved or withdrawn.

    Nothing is sent again: what the link does not take is missing, and the recording comes by itself.
    """

    def __init__(self, session_id: str, send: Callable[[Message], object]) -> None:
        self.wanted = False
        self._session_id = session_id
        self._send = send
        self._turn = 0
        self._next = 0
        self._rate = 16000

    def begin(self, turn: int) -> None:
        """The key went down. What still comes of the turn before is not sent any more."""
        self.end(self._turn)
        self._turn, self._next = turn, 0

    def pass_on(self, utterance: str, frame: int, samples: NDArray[np.int16], rate: int) -> None:
        """More of a recording: samples of shape (frames, channels) from this frame on, `rate` Hz."""
        # The microphone test records too, and so does the tail of a turn that is over.
        if not self.wanted or not self._turn or utterance != utterance_id(self._session_id, self._turn):
            return
        mono = samples[:, 0] if samples.shape[1] == 1 else to_int16(samples.mean(axis=1))
        self._next, self._rate = frame + len(mono), rate
        self._send(LiveSound(turn=self._turn, frame=frame, rate=rate, data=mono.astype("<i2").tobytes()))

    def end(self, turn: int) -> None:
        """The recording of this turn is saved or withdrawn."""
        if turn != self._turn:
            return
        if self.wanted and self._next:
            self._send(LiveSound(turn=turn, frame=self._next, rate=self._rate, data=b""))
        self._turn = self._next = 0
