"""The recording of the open turn, heard as it may leave: with silence where something is hidden."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.qt.background import Background
from curtain.qt.listen_control import ListenControl, in_plain_words, open_player

if TYPE_CHECKING:
    from curtain.audio.playback import Player


class TakeListening:
    """Gives the listening the file to play: the recording, or a copy in `scratch` that has the silences."""

    def __init__(self, background: Background, listen: ListenControl, scratch: Path, output: str | None) -> None:
        """`background` must do one thing after the other, and be the one that `listen` plays on."""
        self._background = background
        self.listen = listen
        self._scratch = scratch
        self._sound = OpenedSound(background, listen, output)
        self._number = 0
        self.with_secrets = False

    def begin(self) -> None:
        """Open the output, away from the window."""
        self._sound.begin()

    def show(self, utterance: Utterance, redactions: Sequence[Redaction], play: bool) -> None:
        """Another turn, or other silences in it."""
        # The copy is made on another thread: by then another turn may be open, and its sound must not be replaced.
        self._number += 1
        number, wav = self._number, utterance.audio
        if wav is None or self.with_secrets or not redactions:
            self.listen.show_take(number, wav, play)
            return
        hidden = replace(utterance, redactions=tuple(redactions))
        self._background.run(
            lambda: silenced(hidden, self._scratch), lambda future: self._on_silenced(number, future, play)
        )

    def _on_silenced(self, number: int, future: Future[Path], play: bool) -> None:
        if number != self._number:
            return
        try:
            self.listen.show_take(number, future.result(), play)
        except CurtainError as error:
            self.listen.show_take(number, None, False)
            self.listen.trouble.emit(str(error))


class OpenedSound:
    """Opens the output on another thread, anew when it was lost, and gives the listening its player."""

    def __init__(self, background: Background, listen: ListenControl, output: str | None) -> None:
        """`background` must be the one that `listen` plays on."""
        self._background = background
        self.listen = listen
        self._output = output
        listen.reopen_requested.connect(self._reopen)

    def begin(self) -> None:
        """Open the output, away from the window."""
        self._background.run(lambda: open_player(self._output, self.listen), self._on_player)

    def _reopen(self) -> None:
        self._background.run(lambda: open_player(self._output, self.listen, anew=True), self._on_player)

    def _on_player(self, future: Future[Player]) -> None:
        from curtain.audio.levels import envelope

        try:
            self.listen.set_player(future.result(), envelope)
        except CurtainError as error:
            self.listen.trouble.emit(in_plain_words(error))


def silenced(utterance: Utterance, folder: Path) -> Path:
    """A copy of the recording with silence where something is hidden. Raises CurtainError."""
    from curtain.audio.wav import WavFormat, header
    from curtain.corpus.redaction.utterances import samples

    spans = repr([(one.start_ms, one.end_ms) for one in utterance.redactions]).encode()
    # The spans are in the name, so that hiding and showing again finds the earlier copy.
    path = folder / f"{utterance.utterance_id}-{hashlib.sha256(spans).hexdigest()[:12]}.wav"
    if not path.exists():
        sound, rate = samples(utterance)
        channels = 1 if sound.ndim == 1 else sound.shape[1]
        path.write_bytes(header(WavFormat(rate, channels), len(sound)) + sound.tobytes())
    return path
