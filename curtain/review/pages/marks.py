"""Marking a part of the recording by ear, and hiding what is marked."""

from collections.abc import Callable, Sequence

from curtain.corpus.model.utterance import Redaction
from curtain.qt.listen_control import ListenControl
from curtain.review.panels.text_field import TextField
from curtain.review.panels.wave_view import Part, WaveView


class Marking:
    """Holds the marked part; the curves show it, and listening keeps to it."""

    def __init__(self, listen: ListenControl, waves: Sequence[WaveView], on_marked: Callable[[], None]) -> None:
        self._listen = listen
        self._waves = waves
        self._on_marked = on_marked
        self._begun_at: float | None = None
        self.part: Part | None = None
        for wave in waves:
            wave.part_marked.connect(self.mark)

    def mark(self, part: Part | None) -> None:
        """This part, or none."""
        self.part = part
        self._begun_at = None
        self._listen.choose_part(part)
        for wave in self._waves:
            wave.show_part(part)
        self._on_marked()

    def forget(self) -> None:
        """Another recording."""
        self.part = self._begun_at = None
        for wave in self._waves:
            wave.show_part(None)

    def begin_here(self) -> None:
        """The part begins where it plays now, and reaches to its end, or that of the recording."""
        start, end = self._listen.place, self.part[1] if self.part else self._listen.seconds
        # Begun behind the old end: the part then reaches to the end of the recording.
        if end <= start:
            end = self._listen.seconds
        self.mark((start, end) if end > start else None)
        self._begun_at = start

    def end_here(self) -> None:
        """The part ends where it plays now."""
        start = self.part[0] if self.part else 0.0
        if self._begun_at is not None:
            start = self._begun_at
        end = self._listen.place
        self.mark((start, end) if end > start else self.part)

    def as_redaction(self, query: TextField, sro: TextField) -> Redaction | None:
        """What is marked in the recording and in one of the texts, as one; None if nothing is."""
        chosen = sro.chosen or query.chosen
        if self.part is None and chosen is None:
            return None
        start, end = (round(1000 * second) for second in self.part) if self.part else (None, None)
        first, last = chosen or (None, None)
        return Redaction("private", start, end, first, last, in_text="sro" if sro.chosen else "query")
