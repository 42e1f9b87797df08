"""A session along one line of time: what stands when on each tier, and one recording of it all.

The line begins where the session began, or with its first sound. A pause of more than ten minutes (a session that was
continued the next day) is shortened to ten, for all tiers and the recording alike; the events say so.
"""

import wave
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curtain.corpus.annotation.first_words import times_of_words
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session, Utterance
from curtain_corpora.exports.names import Names

LONGEST_PAUSE_MS = 600_000
_LONGEST_TEXT = 2_000
_SHOWN_MS = 5_000
_SILENCE_FRAMES = 1 << 16


@dataclass(frozen=True)
class TierInterval:
    """From `start` to `end` in ms, with the utterance it belongs to."""

    start: int
    end: int
    text: str
    utterance: Utterance


@dataclass(frozen=True)
class Point:
    """A moment with a text, in milliseconds from the start of the timeline."""

    ms: int
    text: str


@dataclass(frozen=True)
class Timeline:
    """Tiers of a session: intervals of one tier never overlap and are at least 1 ms long, points are apart. `words`
    are those of turns whose words have times (`curtain ear transcribe`) and none of them hidden. `sounds`
    are utterances with the ms at which their recordings begin; `left_out` have no place in time."""

    subject: tuple[TierInterval, ...]
    wizard_shown: tuple[TierInterval, ...]
    events: tuple[Point, ...]
    words: tuple[TierInterval, ...]
    sounds: tuple[tuple[int, Utterance], ...]
    left_out: tuple[Utterance, ...]

    @property
    def end(self) -> int:
        """Where everything is over, in ms."""
        ends = [one.end for one in (*self.subject, *self.wizard_shown)] + [one.ms + 1 for one in self.events]
        sounds = [start + _length(one) for start, one in self.sounds]
        return max([1, *ends, *sounds])


def timelines(corpus: Corpus, folder: Path, progress: ExportProgress) -> Iterator[tuple[str, Timeline]]:
    """Of each session its safe name and its timeline; `<name>.wav` is written here."""
    names = Names()
    for session in corpus.sessions():
        name, timeline = names.of(session.session_id), _placed(session)
        _write_mix(timeline, folder / f"{name}.wav")
        yield name, timeline
        progress.wrote(len(session.utterances) - len(timeline.left_out))
        for _ in timeline.left_out:
            progress.dropped_one("has no place in time")
    names.write(folder)


def _placed(session: Session) -> Timeline:
    """The timeline of a session."""
    spans = {one.utterance_id: span for one in session.utterances if (span := _span(one)) is not None}
    there = sorted(
        (one for one in session.utterances if one.utterance_id in spans), key=lambda one: spans[one.utterance_id]
    )
    shifts, pauses = _shifts([spans[one.utterance_id] for one in there])
    moved = list(zip(there, shifts, strict=True))
    subject = [
        TierInterval(*_moved(spans[one.utterance_id], shift), one.query or one.lsn or "", one) for one, shift in moved
    ]
    shown = [interval for one, shift in moved for interval in _shown(one, shift)]
    sounds = [(spans[one.utterance_id][0] + shift, one) for one, shift in moved if one.audio is not None]
    times = times_of_words(session)
    words = [
        TierInterval(begin + start, begin + max(end, start + 1), word, utterance)
        for begin, utterance in sounds
        for word, start, end in times.get(utterance.turn, ())
    ]
    events = [Point(ms + shift, f"{one.turn} {name}") for one, shift in moved for name, ms in one.times]
    return Timeline(
        subject=_apart(subject),
        wizard_shown=_apart(shown),
        events=_points([*events, *pauses]),
        words=_apart(words),
        sounds=tuple(sounds),
        left_out=tuple(one for one in session.utterances if one.utterance_id not in spans),
    )


def _span(utterance: Utterance) -> tuple[int, int] | None:
    """Where the recording is, or where the key was down, or the first moment that is known."""
    times = dict(utterance.times)
    if utterance.start_ms is not None:
        end = utterance.end_ms if utterance.end_ms is not None else utterance.start_ms + _length(utterance)
        return utterance.start_ms, max(utterance.start_ms + 1, end)
    begin = times.get("key_down", min(times.values(), default=None))
    if begin is None:
        return None
    return begin, max(begin + 1, times.get("key_up", begin) if utterance.audio is None else begin + _length(utterance))


def _length(utterance: Utterance) -> int:
    return round(1000 * (utterance.duration_s or 0.0))


def _shifts(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[Point]]:
    """By how much each utterance moves, and where pauses were shortened."""
    shift = -min([0, *(start for start, _ in spans)])
    shifts: list[int] = []
    pauses: list[Point] = []
    last = 0
    for start, end in spans:
        too_long = start - last - LONGEST_PAUSE_MS
        if too_long > 0:
            pauses.append(Point(last + shift + LONGEST_PAUSE_MS // 2, f"pause shortened by {too_long // 1000} s"))
            shift -= too_long
        shifts.append(shift)
        last = max(last, end)
    return shifts, pauses


def _moved(span: tuple[int, int], shift: int) -> tuple[int, int]:
    return span[0] + shift, span[1] + shift


def _shown(utterance: Utterance, shift: int) -> Iterator[TierInterval]:
    """What the wizard had put on the subject's screen: a message, or an answer with its table where it is known."""
    times = dict(utterance.times)
    at = times.get("painted", times.get("answer_sent", times.get("message_sent")))
    if at is None or utterance.outcome not in ("answer", "message"):
        return
    answers = [reading.cas_min for reading in utterance.references if reading.cas_min]
    text = utterance.message if utterance.outcome == "message" else (answers[0] if answers else "")
    yield TierInterval(max(0, at + shift), max(0, at + shift) + _SHOWN_MS, _short(text or utterance.outcome), utterance)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"


def _apart(intervals: Iterable[TierInterval]) -> tuple[TierInterval, ...]:
    """In order, each ending where the next begins at the latest."""
    ordered: list[TierInterval] = []
    for interval in sorted(intervals, key=lambda one: (one.start, one.end)):
        if ordered and interval.start <= ordered[-1].start:
            interval = replace(interval, start=ordered[-1].start + 1, end=max(interval.end, ordered[-1].start + 2))
        if ordered and ordered[-1].end > interval.start:
            ordered[-1] = replace(ordered[-1], end=interval.start)
        ordered.append(interval)
    return tuple(ordered)


def _points(points: Iterable[Point]) -> tuple[Point, ...]:
    """One point for all that happened in a millisecond."""
    at: dict[int, list[str]] = {}
    for point in points:
        # Praat refuses two points at one time.
        at.setdefault(max(0, point.ms), []).append(point.text)
    return tuple(Point(ms, "; ".join(at[ms])) for ms in sorted(at))


def printable(text: str) -> str:
    """The text with a mark in place of what Praat and other readers cannot hold."""
    return "".join(sign if sign in "\t\n" or _is_plain(sign) else "\ufffd" for sign in text.replace("\r", "\n"))


def _is_plain(sign: str) -> bool:
    code = ord(sign)
    return code >= 0x20 and not 0x7F <= code <= 0x9F and not 0xD800 <= code <= 0xDFFF and code not in (0xFFFE, 0xFFFF)


def _write_mix(timeline: Timeline, path: Path) -> None:
    """All recordings where they belong on the line, silence between them; one channel, written piece by piece.

    Where the session has no recording, there is no file. Raises CurtainError.
    """
    if not timeline.sounds:
        return
    # One file has one rate; other recordings of the session are resampled to that of the first.
    rate = timeline.sounds[0][1].sample_rate_hz or 16_000
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        at = 0
        for start, sound in timeline.sounds:
            at = _add(file, at, round(start * rate / 1000), _heard(sound, rate))
        _silence(file, round(timeline.end * rate / 1000) - at)


def _heard(utterance: Utterance, rate: int) -> Any:
    """The samples as they may leave, one channel at this rate."""
    import numpy as np

    from curtain.corpus.redaction.utterances import samples

    sound, own_rate = samples(utterance)
    if sound.ndim > 1:
        # The mean, since a sum of two loud channels would be clipped.
        sound = sound.mean(axis=1).astype(np.int16)
    if own_rate == rate:
        return sound
    import soxr

    return soxr.resample(sound, own_rate, rate)


def _add(file: wave.Wave_write, at: int, start: int, sound: Any) -> int:
    # Takes that follow one another closely share their edges: what was written already is the same sound.
    _silence(file, start - at)
    fresh = sound[max(0, at - start) :]
    file.writeframesraw(fresh.astype("<i2").tobytes())
    return max(at, start) + len(fresh)


def _silence(file: wave.Wave_write, frames: int) -> None:
    while frames > 0:
        piece = min(frames, _SILENCE_FRAMES)
        file.writeframesraw(bytes(2 * piece))
        frames -= piece
