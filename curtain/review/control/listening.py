"""The recording of the open turn, heard as it may leave: with silence where something is hidden."""

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.qt.background import Background
from curtain.qt.listen_control import ListenControl, OpenedSound

_ANY_LENGTH = 10**9  # ms


class TakeListening:
    """Gives the listening the file to play: the recording, or a copy in `scratch` that has the silences."""

    def __init__(self, background: Background, listen: ListenControl, scratch: Path, output: str | None) -> None:
        """`background` must do one thing after the other, and be the one that `listen` plays on."""
        self._background = background
        self.listen = listen
        self._scratch = scratch
        self._sound = OpenedSound(background, listen, output)
        self._number = self._shown = 0
        self._start: float | None = None
        self.with_secrets = False

    def begin(self) -> None:
        """Open the output, away from the window."""
        self._sound.begin()

    def show(self, utterance: Utterance, redactions: Sequence[Redaction], play: bool) -> None:
        """Another turn, or other silences in it."""
        # The copy is made on another thread: by then another turn may be open, and its sound must not be replaced.
        self._number += 1
        self._start = None
        number, wav = self._number, utterance.audio
        if wav is None or self.with_secrets or not redactions:
            self._take_up(number, wav, play)
            return
        hidden = replace(utterance, redactions=tuple(redactions))
        self._background.run(
            lambda: silenced(hidden, self._scratch), lambda future: self._on_silenced(number, future, play)
        )

    def play_from(self, seconds: float) -> None:
        """Play the turn that was shown last from here, if it has a recording; as soon as its copy is made."""
        self._start = seconds
        if self._shown == self._number:
            self.listen.choose_place(seconds)
            self.listen.play()

    def _take_up(self, number: int, wav: Path | None, play: bool) -> None:
        self._shown = number
        self.listen.show_take(number, wav, play and self._start is None)
        if self._start is not None:
            self.play_from(self._start)

    def _on_silenced(self, number: int, future: Future[Path], play: bool) -> None:
        if number != self._number:
            return
        try:
            self._take_up(number, future.result(), play)
        except CurtainError as error:
            self.listen.show_take(number, None, False)
            self.listen.problem.emit(str(error))


def silenced(utterance: Utterance, folder: Path) -> Path:
    """A copy of the recording with silence where something is hidden. Raises CurtainError."""
    from curtain.audio.wav import silenced_copy

    spans = repr([(one.start_ms, one.end_ms) for one in utterance.redactions]).encode()
    # The spans are in the name, so that hiding and showing again finds the earlier copy.
    path = folder / f"{utterance.utterance_id}-{hashlib.sha256(spans).hexdigest()[:12]}.wav"
    if not path.exists() and utterance.audio is not None:
        silenced_copy(utterance.audio, [one.silence(_ANY_LENGTH, 1000) for one in utterance.redactions], path)
    return path
