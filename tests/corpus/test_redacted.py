"""What may leave of a redacted utterance; in doubt less leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from curtain.corpus.reading import read_session
from curtain.corpus.redacted import (
    NoRecording,
    redacted_query,
    redacted_references,
    redacted_sro,
    redacted_text,
    samples,
)
from curtain.corpus.utterance import Redaction, Reference, Utterance

QUERY = "this is quill speaking where is department 45"


def span(words: str, query: str = QUERY, **more: int | None) -> Redaction:
    start = query.index(words)
    return Redaction("name", start_char=start, end_char=start + len(words), **more)  # type: ignore[arg-type]


QUILL = span("quill", start_ms=100, end_ms=200)

TRANSCRIPTIONS = [
    ("this is quill speaking", "this is [redacted] speaking"),
    ("this is *quill* speaking", "this is [redacted] speaking"),
    ("QUILL [cough] it is quill", "[redacted] [cough] it is [redacted]"),
    ("this is qui- !quill: speaking", "this is qui- [redacted] speaking"),
    ("this is kwill speaking", None),
    ("", None),
]


@pytest.mark.parametrize(("sro", "left"), TRANSCRIPTIONS)
def test_the_redacted_words_go_from_the_transcription_or_all_of_it_goes(sro: str, left: str | None) -> None:
    assert redacted_sro(sro, QUERY, [QUILL]) == left


def test_a_span_marked_in_the_transcription_itself_needs_no_search() -> None:
    own = Redaction("name", 100, 200, 8, 13, in_text="sro")
    assert redacted_sro("this is kwill speaking", QUERY, [QUILL, own]) == "this is [redacted] speaking"


def test_words_over_several_pieces_are_found_whatever_marks_are_between() -> None:
    two = span("quill speaking", start_ms=0, end_ms=1)
    assert redacted_sro("is quill [uh] <speaking> now", QUERY, [two]) == "is [redacted] now"


def test_spans_that_overlap_become_one() -> None:
    spans = [span("is quill"), span("quill speaking")]
    assert redacted_query(QUERY, spans) == "this [redacted] where is department 45"


NOTES = [
    ("QUILL laughs", "[redacted] laughs"),
    ("quilling is a craft", "quilling is a craft"),
    ("nothing here", "nothing here"),
]


@pytest.mark.parametrize(("note", "left"), NOTES)
def test_notes_lose_the_words_too(note: str, left: str) -> None:
    assert redacted_text(note, QUERY, [QUILL]) == left


STATEMENTS = [
    ("SELECT 1 FROM employee WHERE last_name = 'QUILL'", False),
    ("SELECT 1 FROM employee WHERE last_name LIKE '%quill %'", False),
    ("SELECT quill FROM employee", True),
    ("SELECT 1 FROM employee WHERE last_name = 'O''QUILLE'", True),
]


@pytest.mark.parametrize(("sql", "stays"), STATEMENTS)
def test_a_reference_whose_statement_quotes_a_redacted_word_is_withheld(sql: str, stays: bool) -> None:
    references = (Reference("SELECT 1", "((1))"), Reference(sql, "((2))"))
    assert redacted_references(references, QUERY, [QUILL]) == (references if stays else ())


def recorded(folder: Path, redactions: tuple[Redaction, ...], channels: int = 1) -> Utterance:
    sound = np.full((16000, channels), 1000, dtype=np.int16)
    soundfile.write(folder / "a.wav", sound, 16000, subtype="PCM_16")
    return Utterance("e00-01-001", "e00-01", "e00", 1, audio=folder / "a.wav", redactions=redactions)


SILENCES = [
    ((), 0, 0),
    ((Redaction("noise", 100, 250),), 1600, 4000),
    ((Redaction("noise", 999, None),), 15984, 16000),
    ((Redaction("noise", 900, 5000),), 14400, 16000),
    ((replace(QUILL, start_ms=0, end_ms=0),), 0, 0),
    ((span("quill"),), 0, 16000),
]


@pytest.mark.parametrize(("redactions", "start", "end"), SILENCES)
def test_redacted_sound_is_silence_of_equal_length(
    tmp_path: Path, redactions: tuple[Redaction, ...], start: int, end: int
) -> None:
    sound, rate = samples(recorded(tmp_path, redactions))
    assert (sound.dtype, sound.shape, rate) == (np.int16, (16000,), 16000)
    assert not sound[start:end].any() and sound[:start].all() and sound[end:].all()


def test_all_channels_are_silenced(tmp_path: Path) -> None:
    sound, _ = samples(recorded(tmp_path, (Redaction("noise", 0, 500),), channels=2))
    assert sound.shape == (16000, 2) and not sound[:8000].any() and sound[8000:].all()


def test_the_file_itself_is_not_touched(tmp_path: Path) -> None:
    one = recorded(tmp_path, (Redaction("noise", 0, 500),))
    before = (tmp_path / "a.wav").read_bytes()
    samples(one)
    assert (tmp_path / "a.wav").read_bytes() == before


def test_a_recording_that_is_missing_or_broken_is_told(tmp_path: Path) -> None:
    one = recorded(tmp_path, ())
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    for broken in (one, replace(one, audio=tmp_path / "b.wav"), replace(one, audio=None)):
        with pytest.raises(NoRecording):
            samples(broken)


def test_nothing_of_a_redacted_name_is_in_the_utterance_view(toy: Path) -> None:
    session = read_session(toy / "sessions" / "0a1-01")
    one = next(one for one in session.utterances if one.redactions)
    assert one.query == "this is [redacted] speaking what is the name of department 45"
    assert "quill" not in repr(session).lower()
    assert one.references and one.sro is not None and one.sro.startswith("this is [redacted]")


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-3, 33), st.integers(-3, 33)), max_size=4))
def test_no_redacted_sign_stays_and_no_other_goes(query: str, places: list[tuple[int, int]]) -> None:
    spans = [Redaction("x", start_char=start, end_char=end, replacement="\0") for start, end in places]
    left = redacted_query(query, spans)
    hidden = {at for start, end in places for at in range(max(0, start), min(len(query), max(0, end)))}
    assert left is not None
    assert left.replace("\0", "") == "".join(c for at, c in enumerate(query) if at not in hidden).replace("\0", "")
