"""The subject is heard while they speak, as long as nothing else is listened to."""

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from curtain.audio.live_voice import LiveVoice
from curtain.link.messages import LiveSound
from curtain.qt.listen_control import ListenControl
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.turn.control import TurnControl

_LOOK_EVERY_MS = 50


class LiveListening(QObject):
    """`began(turn)`: speech is on its way to the output. Then `heard(turn)`: all of it was heard, or `missed(turn)`:
    not all, so that the recording is to be played as if nothing had been heard."""

    began = Signal(int)
    heard = Signal(int)
    missed = Signal(int)

    def __init__(self, session: SessionControl, turns: TurnControl, listen: ListenControl, parent: QObject) -> None:
        super().__init__(parent)
        self._turns = turns
        self._listen = listen
        self._voice: LiveVoice | None = None
        self._heard: set[int] = set()
        self.turn = 0
        """The turn that is heard now, or 0."""
        self._looking = QTimer(self, interval=_LOOK_EVERY_MS)
        self._looking.timeout.connect(self._look)
        session.live_sound_came.connect(self._on_sound)
        session.link_changed.connect(self._on_link_changed)
        session.opened.connect(self._heard.clear)

    def covers(self, turn: int) -> bool:
        """Whether this turn was heard whole while it was spoken, or is heard now."""
        return turn == self.turn or turn in self._heard

    def _on_sound(self, sound: LiveSound) -> None:
        if self._voice is None and sound.frame == 0 and sound.data and self._is_free_for(sound.turn):
            self._begin(sound)
        if self._voice is None or sound.turn != self.turn:
            return
        if sound.data:
            # The other side is not trusted: half a sample is left out.
            self._voice.feed(sound.frame, np.frombuffer(sound.data[: len(sound.data) // 2 * 2], "<i2").astype(np.int16))
        else:
            self._voice.end()

    def _is_free_for(self, turn: int) -> bool:
        """Speech in the middle of the work on another question would hinder it; its recording plays in its turn."""
        at_work = self._turns.turn
        return not self._listen.playing and (at_work is None or at_work.number == turn) and turn not in self._heard

    def _begin(self, sound: LiveSound) -> None:
        self._voice, self.turn = LiveVoice(sound.rate), sound.turn
        self._listen.hear_live(self._voice)
        self._looking.start()
        self.began.emit(sound.turn)

    def _on_link_changed(self, up: bool) -> None:
        if not up and self._voice is not None:
            self._voice.give_up()

    # By looking: the end comes on the output's own thread.
    def _look(self) -> None:
        voice, turn = self._voice, self.turn
        if voice is None or not voice.over:
            return
        self._looking.stop()
        self._voice, self.turn = None, 0
        if voice.whole:
            self._heard.add(turn)
            self.heard.emit(turn)
        else:
            self.missed.emit(turn)
