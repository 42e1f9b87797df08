"""What the recogniser makes of recorded turns: a first transcription where nobody wrote one, and the times of words.

Both stand in the transcription layer as a draft of the recogniser. So they count as nobody's text, and no export of
utterances has them.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Literal

from curtain.base.clock import Clock
from curtain.base.edit_distance import alignment
from curtain.base.hearing import HeardWord, Hearing
from curtain.base.words import words_in
from curtain.corpus.annotation.layers import Layers, StandingRows, new_row
from curtain.corpus.annotation.letters import lower, upper
from curtain.corpus.annotation.row import Layer, LayerRow
from curtain.corpus.model.utterance import Session, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.ids import split_utterance_id

BY = "recogniser"
# Whisper's times of words are off by up to this. Rather a part of a neighbour is silent than a hidden word is heard.
_MARGIN_MS = 300
_LAYER: Layer = "transcription"

What = Literal["transcribed", "timed", "not_heard"]
TimedWords = list[tuple[str, int, int]]
"""Words with start and end in ms from the start of their recording."""
Hear = Callable[[Path], "Future[Hearing]"]
Align = Callable[[Path, Sequence[str]], "Future[Hearing]"]


def of_recogniser(standing: StandingRows, utterance_id: str) -> LayerRow | None:
    """The recogniser's last row of a turn: `sro`, `lsn`, in `times` start and end of each word in ms, and of words that
    it heard itself their `confidences` from 0 to 1."""
    rows = [row for row in standing.by_utterance.get(utterance_id, ()) if row.by == BY]
    return rows[-1] if rows else None


def write_first_words(session: Session, hear: Hear, align: Align, clock: Clock) -> Iterator[tuple[str, What]]:
    """Goes through the turns with a recording that have no words or whose words have no times, and yields each with
    what was done. A person's text is never replaced: it gets its times.

    Raises CurtainError if a row cannot be written.
    """
    layers = Layers(Bundle(session.path))
    for utterance in session.utterances:
        text = _text(utterance, session.language)
        before = of_recogniser(layers.standing(_LAYER), utterance.utterance_id)
        if utterance.audio is None or (before is not None and text in (None, before.value.get("sro"))):
            continue
        heard = (hear(utterance.audio) if text is None else align(utterance.audio, text.split())).result()
        if heard.words:
            layers.add(_row(utterance, heard, text, session.language, before, clock))
        yield utterance.utterance_id, ("not_heard" if not heard.words else "transcribed" if text is None else "timed")


def times_of_words(session: Session) -> dict[int, TimedWords]:
    """The words of each turn, by its number, where its text is still the one whose times were found.

    None of a turn in which a word is hidden.
    """
    rows: dict[int, LayerRow] = {}
    for row in Layers(Bundle(session.path)).rows(_LAYER):
        if row.by == BY:
            # A corpus may give the session another id; the number of the turn stays.
            rows[split_utterance_id(row.utterance_id)[1]] = row
    by_turn: dict[int, TimedWords] = {}
    for utterance in session.utterances:
        row_of_turn = rows.get(utterance.turn)
        words = (_text(utterance, session.language) or "").split()
        if row_of_turn is None or utterance.redactions or words != str(row_of_turn.value.get("sro")).split():
            continue
        by_turn[utterance.turn] = timed_words(row_of_turn, ())
    return by_turn


def timed_words(row: LayerRow | None, heard: Sequence[HeardWord]) -> TimedWords:
    """The words of a turn with their times in the recording: of the recogniser's row, else those heard live."""
    if row is not None:
        words, times = str(row.value.get("sro", "")).split(), row.value.get("times", [])
        return [(word, *span) for word, span in zip(words, times, strict=True)] if len(words) == len(times) else []
    return [(word.text, round(1000 * word.start_s), round(1000 * word.end_s)) for word in heard]


def draft_words(row: LayerRow) -> tuple[HeardWord, ...]:
    """The words of the recogniser's draft with their confidences; none of a draft of an earlier version."""
    timed, confidences = timed_words(row, ()), row.value.get("confidences", ())
    if len(timed) != len(confidences):
        return ()
    spoken = zip(timed, confidences, strict=True)
    return tuple(HeardWord(word, start / 1000, end / 1000, sure) for (word, start, end), sure in spoken)


def sound_of(text: str, first: int, last: int, timed: TimedWords) -> tuple[int, int | None] | None:
    """The sound of `text[first:last]` in ms from the start of the recording; None if no time is known.

    It reaches from the word before that was heard as it is written to the one behind, so that nothing depends on how
    the words themselves were heard, and `_MARGIN_MS` into both. An end of None is the recording's.
    """
    if not timed:
        return None
    before, behind = words_in(text[:first].lower()), words_in(text[last:].lower())
    written = [*before, *words_in(text[first:last].lower()), *behind]
    heard = ["".join(words_in(word.lower())) for word, _, _ in timed]
    pairs = [(at, to) for at, to in alignment(written, heard) if at is not None and to is not None]
    same = [(at, to) for at, to in pairs if written[at] == heard[to]]
    ends = [timed[to][2] for at, to in same if at < len(before)]
    starts = [timed[to][1] for at, to in same if at >= len(written) - len(behind)]
    return max(0, ends[-1] - _MARGIN_MS) if ends else 0, starts[0] + _MARGIN_MS if starts else None


def _text(utterance: Utterance, language: str) -> str | None:
    """What a person wrote, in small letters; None if nobody has."""
    return lower(utterance.lsn, language) if utterance.lsn else None


def _row(
    utterance: Utterance, heard: Hearing, text: str | None, language: str, before: LayerRow | None, clock: Clock
) -> LayerRow:
    words = heard.text if text is None else text
    times = [[start, end] for _, start, end in timed_words(None, heard.words)]
    value: dict[str, Any] = {"sro": words, "lsn": upper(words, language), "times": times,
             "model": heard.model, "version": heard.version}  # fmt: skip
    if text is None:
        value["confidences"] = [round(word.confidence, 3) for word in heard.words]
    supersedes = before.id if before is not None else None
    return new_row(utterance.utterance_id, _LAYER, value, BY, clock, supersedes=supersedes, status="draft")
