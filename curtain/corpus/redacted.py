"""What may leave of an utterance: recordings with silence where something is redacted, and texts without it.

When in doubt, less leaves: a text span without a span of the recording silences the whole recording (0 to 0 ms says
that it is not heard), and a detailed transcription in which the redacted words are not found is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curtain.corpus.sro import lsn_of_query, tokens
from curtain.corpus.utterance import Redaction, Reference, Utterance
from curtain.errors import CurtainError

__all__ = ["NoRecording", "redacted_query", "redacted_references", "redacted_sro", "redacted_text", "samples"]

_SHORTEST_ALONE = 4
_LITERALS = re.compile(r"'((?:[^']|'')*)'|(?<![\w.])(\d[\w.]*)")
Range = tuple[int, int, str]


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
    for start, end in _silences(utterance.redactions, len(sound), rate):
        sound[start:end] = 0
    return (sound[:, 0] if sound.shape[1] == 1 else sound), rate


def _read(utterance: Utterance) -> tuple[Any, int]:
    import soundfile  # loads a library: only when a file is read

    try:
        sound, rate = soundfile.read(utterance.audio, dtype="int16", always_2d=True)
    except (OSError, soundfile.SoundFileError) as fault:
        raise NoRecording(f"{utterance.audio} cannot be read as sound: {fault}.") from fault
    return sound, int(rate)


def _silences(redactions: Iterable[Redaction], frames: int, rate: int) -> list[tuple[int, int]]:
    """Spans in frames, rounded outwards."""
    spans = []
    for one in redactions:
        start, end = one.start_ms, one.end_ms
        if start is None and end is None:
            spans.append((0, frames))
        else:
            stop = frames if end is None else -(-end * rate // 1000)
            spans.append((max(0, (start or 0) * rate // 1000), max(0, stop)))
    return spans


# -- texts ---------------------------------------------------------------------------------------------


def redacted_query(query: str | None, redactions: Sequence[Redaction]) -> str | None:
    """The query with its redacted spans replaced."""
    return None if query is None else _replace(query, _own_ranges(query, redactions, "query"))


def redacted_sro(sro: str | None, query: str | None, redactions: Sequence[Redaction]) -> str | None:
    """The transcription without what was redacted in it or in the query; None if that is not found in it."""
    if sro is None:
        return None
    ranges = _own_ranges(sro, redactions, "sro")
    covered = _covered(query, redactions)
    found = [_places(sro, words) for words in covered]
    if not all(found) and not ranges:
        return None
    replacement = redactions[0].replacement if redactions else ""
    ranges += [(start, end, replacement) for places in found for start, end in places]
    return _replace(sro, ranges)


def redacted_text(text: str | None, query: str | None, redactions: Sequence[Redaction]) -> str | None:
    """A note or a sentence without the words that were redacted in the query, also where only one of them stands."""
    covered = _covered(query, redactions)
    if text is None or not covered:
        return text
    alone = [[word] for words in covered for word in words if len(word) >= _SHORTEST_ALONE]
    for words in sorted([*covered, *alone], key=len, reverse=True):
        pattern = r"(?<!\w)" + r"\W+".join(map(re.escape, words)) + r"(?!\w)"
        text = re.sub(pattern, lambda _: redactions[0].replacement, text, flags=re.IGNORECASE)
    return text


def redacted_references(
    references: tuple[Reference, ...], query: str | None, redactions: Sequence[Redaction]
) -> tuple[Reference, ...]:
    """No reference where a statement quotes a redacted word: without it the statement would mean something else."""
    secret = {word for words in _covered(query, redactions) for word in words}
    for one in references:
        if secret & {word for sql in (one.sql_min, one.sql_max) for word in _quoted_words(sql or "")}:
            return ()
    return references


def _quoted_words(sql: str) -> set[str]:
    quoted = (text or number for text, number in _LITERALS.findall(sql))
    return {word for text in quoted for word in re.findall(r"\w+", text.upper())}


def _covered(query: str | None, redactions: Sequence[Redaction]) -> list[list[str]]:
    """The words of each redacted span of the query, upper case."""
    spans = ((query or "")[start:end] for start, end, _ in _own_ranges(query or "", redactions, "query"))
    return [words for span in spans if (words := re.findall(r"\w+", lsn_of_query(span)))]


def _own_ranges(text: str, redactions: Sequence[Redaction], name: str) -> list[Range]:
    ranges = []
    for one in redactions:
        if one.in_text == name and (one.start_char is not None or one.end_char is not None):
            start = max(0, one.start_char or 0)
            end = len(text) if one.end_char is None else min(one.end_char, len(text))
            if start < end:
                ranges.append((start, end, one.replacement))
    return ranges


def _places(sro: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where these words follow one another among the words of a transcription, whatever markers are between."""
    spoken = [(re.findall(r"\w+", token.word.upper()), token) for token in tokens(sro) if token.word]
    flat = [(word, token) for parts, token in spoken for word in parts]
    places = []
    for at in range(len(flat) - len(words) + 1):
        if [word for word, _ in flat[at : at + len(words)]] == list(words):
            places.append((flat[at][1].start, flat[at + len(words) - 1][1].end))
    return places


def _replace(text: str, ranges: Iterable[Range]) -> str:
    """Spans that touch one another become one."""
    merged: list[Range] = []
    for start, end, replacement in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((start, end, replacement))
    for start, end, replacement in reversed(merged):
        text = text[:start] + replacement + text[end:]
    return text
