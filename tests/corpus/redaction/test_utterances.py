"""What may leave of a redacted utterance; in doubt less leaves."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain.base.errors import CurtainError
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.corpus import withheld
from curtain.corpus.model.examples import answered_turns
from curtain.corpus.model.reader import read_session, session_without_secrets
from curtain.corpus.model.utterance import Redaction, Reference, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.texts import hidden_in
from curtain.corpus.redaction.utterances import TurnSecrets, redacted_references, redacted_text, samples
from curtain.session.study.study import load_study
from tests.corpus.test_hidden_in_sessions import hide, say

QUERY = "this is quill speaking where is department 45"


def span(words: str, query: str = QUERY, **more: int | None) -> Redaction:
    start = query.index(words)
    return Redaction("name", start_char=start, end_char=start + len(words), **more)  # type: ignore[arg-type]


QUILL = span("quill", start_ms=100, end_ms=200)

QUILL_HIDDEN = hidden_in(QUERY, None, [QUILL])
NAME = "this is Zbigniew O'Xylo, salary of Paul Tai"
NAME_HIDDEN = hidden_in(NAME, None, [span("Zbigniew O'Xylo", NAME)])
YORK_HIDDEN = hidden_in("in new york", None, [span("new york", "in new york")])

NOTES = [
    (QUILL_HIDDEN, "QUILL laughs", "[redacted] laughs"),
    (QUILL_HIDDEN, "it is Quill's, _quill_", "it is [redacted], _[redacted]_"),
    (QUILL_HIDDEN, "quilling is a craft", "quilling is a craft"),
    (QUILL_HIDDEN, "nothing here", "nothing here"),
    (QUILL_HIDDEN, "q u i-ll: mail zquill@lab.org", "[redacted]: mail [redacted]@lab.org"),
    (NAME_HIDDEN, "zbigniew oxylo, O’Xylo and XYLO", "[redacted], [redacted] and [redacted]"),
    (NAME_HIDDEN, "Zbígniew o xylo said o", "[redacted] said o"),
    (NAME_HIDDEN, "ZbigniewOXylo zbi- z- zest", "[redacted] [redacted] z- zest"),
    (YORK_HIDDEN, "a new York, york; new york", "a [redacted], [redacted]; [redacted]"),
    (YORK_HIDDEN, "a new idea", "a new idea"),
]


@pytest.mark.parametrize(("hidden", "note", "left"), NOTES)
def test_notes_lose_the_words_too_also_one_by_one(hidden: HiddenWords, note: str, left: str) -> None:
    assert redacted_text(note, hidden) == left


STATEMENTS = [
    ("SELECT 1 FROM employee WHERE last_name = 'QUILL'", False),
    ("SELECT 1 FROM employee WHERE last_name LIKE '%quill %'", False),
    ("SELECT quill FROM employee", True),
    ("SELECT 1 FROM employee WHERE last_name = 'O''QUILLE'", True),
]


@pytest.mark.parametrize(("sql", "stays"), STATEMENTS)
def test_a_reference_whose_statement_quotes_a_redacted_word_is_withheld(sql: str, stays: bool) -> None:
    references = (Reference("SELECT 1", "((1))"), Reference(sql, "((2))"))
    assert redacted_references(references, TurnSecrets(QUILL_HIDDEN)) == (references if stays else ())


def recorded(folder: Path, redactions: tuple[Redaction, ...], channels: int = 1) -> Utterance:
    sound = np.full((16000, channels), 1000, dtype=np.int16)
    soundfile.write(folder / "a.wav", sound, 16000, subtype="PCM_16")
    return Utterance("e00-01-001", "e00-01", "e00", 1, audio=folder / "a.wav", redactions=redactions)


SILENCES = [
    ((), 0, 0), ((Redaction("noise", 100, 250),), 1600, 4000), ((Redaction("noise", 999, None),), 15984, 16000),
    ((Redaction("noise", 900, 5000),), 14400, 16000), ((replace(QUILL, start_ms=0, end_ms=0),), 0, 0),
    ((span("quill"),), 0, 16000),
]  # fmt: skip


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


def test_a_recording_that_is_missing_or_broken_is_reported(tmp_path: Path) -> None:
    one = recorded(tmp_path, ())
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    for broken in (one, replace(one, audio=tmp_path / "b.wav"), replace(one, audio=None)):
        with pytest.raises(CurtainError, match="recording"):
            samples(broken)


def test_nothing_of_a_redacted_name_is_in_the_utterance_view(toy: Path) -> None:
    session = read_session(toy / "sessions" / "0a1-01")
    one = next(one for one in session.utterances if one.redactions)
    assert one.query == "this is [redacted] speaking what is the name of department 45"
    assert "quill" not in repr(session).lower()
    assert one.references and one.sro is not None and one.sro.startswith("this is [redacted]")


def _hide(study: Path) -> None:
    say(study, "e00-01-002", "transcription", {"sro": "is that mary graham", "lsn": ""})
    hide(study, "e00-01-002", "is that mary graham", "graham", "sro")


def _tear(study: Path) -> None:
    with (study / "sessions" / "e00-01" / "annotations" / "redaction.jsonl").open("ab") as layer:
        layer.write(b"{")


def _withdraw(study: Path) -> None:
    note_consents(study, [NotedConsent(session_id="e00-01", scopes=[])])


# What happens to the session besides a hidden word; the turns of which nothing is learned, None for all; a problem.
KEPT_BACK: dict[str, tuple[Callable[[Path], object], set[int] | None, str]] = {
    "only that": (lambda study: None, {2, 3, 4, 5, 6}, ""),
    "a torn layer": (_tear, None, "e00-01: .* is damaged"),
    "the layer is gone": (
        lambda study: (study / "sessions/e00-01/annotations/redaction.jsonl").unlink(), None, "The file is missing",
    ),
    "the speaker withdraws": (_withdraw, None, ""),
    "the withdrawal is gone": (
        lambda study: [_withdraw(study), (study / "consents.jsonl").unlink()], None, "learn nothing of the sessions",
    ),
    "who answered was to be disclosed": (
        lambda study: (study / "study.toml").write_text('domain = "personnel"\ndisclose = true\n'), None, "",
    ),
    "a journal with a damaged line": (
        lambda study: (study / "sessions/e00-01/wizard.events.jsonl").write_bytes(
            (study / "sessions/e00-01/wizard.events.jsonl").read_bytes().replace(b"query_sent", b"query_lost", 1)
        ), None, "e00-01: .* is damaged",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KEPT_BACK)
def test_drafts_learn_only_what_would_leave_an_export_whole(own_toy: Path, case: str) -> None:
    before, _ = answered_turns(load_study(own_toy))
    all_turns = {int(one.utterance_id[-3:]) for one in before if one.utterance_id.startswith("e00-01-")}
    assert {2, 3, 4, 5, 6} < all_turns
    _hide(own_toy)
    harm, kept_back, problem = KEPT_BACK[case]
    harm(own_toy)
    learned, problems = answered_turns(load_study(own_toy))
    of_session = {int(one.utterance_id[-3:]) for one in learned if one.utterance_id.startswith("e00-01-")}
    assert of_session == (set() if kept_back is None else all_turns - kept_back)
    assert "graham" not in str([one for one in learned if one.utterance_id.startswith("e00-01-")]).lower()
    assert re.search(problem, " ".join(problems)) if problem else not problems


@dataclass(frozen=True, slots=True)
class Wider(Utterance):
    """An utterance with a field that no rule knows yet."""

    doubt: str | None = None


@pytest.mark.parametrize("how", ["blind", "redacted"])
def test_a_field_that_no_rule_knows_stays_where_it_is(toy: Path, how: str) -> None:
    seen = read_session(next(one.path for one in load_study(toy).sessions() if one.session_id == "e00-01"))
    wide = [Wider(**{one.name: getattr(row, one.name) for one in fields(row)}) for row in seen.utterances]
    wide = [replace(row, query=QUERY, sro=None, redactions=(QUILL,), doubt="it was Quill") for row in wide]
    session = replace(seen, utterances=tuple(wide))
    left = withheld(session) if how == "blind" else session_without_secrets(session, {})
    assert {row.doubt for row in left.utterances} == {None}  # type: ignore[attr-defined]
    assert [row.turn for row in left.utterances] == [row.turn for row in wide]
