"""What may leave of an utterance besides its query and transcription (for these `redaction.texts`): recordings
with silence where something is redacted, and other texts and references without the hidden words.

When in doubt, less leaves: a text span without a span of the recording silences the whole recording; 0 to 0 ms says
that it is not heard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from curtain.base.errors import CurtainError
from curtain.corpus.model.utterance import REDACTED, Reference, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords, pieces_of_text, words_of

if TYPE_CHECKING:
    # Loading numpy takes longer than reading a session, and every process that reads sessions imports this.
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["NoRecording", "redacted_references", "redacted_text", "samples"]

_LITERALS = re.compile(r"'((?:[^']|'')*)'|(?<![\w.])(\d[\w.]*)")


class NoRecording(CurtainError):
    """There is no recording of this utterance, or it cannot be read."""


# -- sound ---------------------------------------------------------------------------------------------


def samples(utterance: Utterance) -> tuple[NDArray[np.int16], int]:
    """The samples as they may leave, and the rate in Hz. Shape (frames,), or (frames, channels) beyond one channel.

    Redacted spans are silence of equal length. Raises NoRecording.
    """
    if utterance.audio is None:
        raise NoRecording(f"The utterance {utterance.utterance_id} has no recording.")
    sound, rate = _read(utterance)
    for redaction in utterance.redactions:
        start, end = redaction.silence(len(sound), rate)
        sound[start:end] = 0
    return (sound[:, 0] if sound.shape[1] == 1 else sound), rate


def _read(utterance: Utterance) -> tuple[Any, int]:
    import soundfile  # loads a library: only when a file is read

    try:
        sound, rate = soundfile.read(utterance.audio, dtype="int16", always_2d=True)
    except (OSError, soundfile.SoundFileError) as fault:
        raise NoRecording(f"{utterance.audio} cannot be read as sound: {fault}.") from fault
    return sound, int(rate)


# -- texts ---------------------------------------------------------------------------------------------


def redacted_text(text: str | None, hidden: HiddenWords) -> str | None:
    """A note or a sentence without the hidden words, also where only one of them stands."""
    if text is None or not hidden.phrases:
        return text
    for start, end in reversed(hidden.places(pieces_of_text(text))):
        text = text[:start] + REDACTED + text[end:]
    return text


def redacted_references(references: tuple[Reference, ...], hidden: HiddenWords) -> tuple[Reference, ...]:
    """No reference where a statement quotes a hidden word: without it the statement would mean something else."""
    secret = hidden.all_forms
    if not secret:
        return references
    for reference in references:
        if any(
            secret & words_of(quoted) for sql in (reference.sql_min, reference.sql_max) for quoted in _quoted(sql or "")
        ):
            # All readings: those left over would tell which one is missing.
            return ()
    return references


def _quoted(sql: str) -> list[str]:
    return [text.replace("''", "'") or number for text, number in _LITERALS.findall(sql)]
