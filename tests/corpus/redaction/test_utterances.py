"""What may leave of a redacted utterance, and in no byte what is hidden in one turn; in doubt less leaves."""

import gzip
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from curtain.base.errors import CurtainError
from curtain.commands.cli import app
from curtain.corpus.exports.run import export
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.corpus import open_corpus, withheld
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_for_annotation, read_session, session_without_secrets
from curtain.corpus.model.utterance import Redaction, Reference, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.texts import hidden_in
from curtain.corpus.redaction.utterances import TurnSecrets, redacted_references, redacted_text, samples
from curtain.session.study.study import load_study
from curtain_drafts.desk.examples import answered_turns
from curtain_practice.course import course_of
from tests.corpus.formats import FORMATS
from tests.corpus.test_hidden_in_sessions import hide, say
from tests.corpus.toy import known_answers, make_toy
from tests.corpus.toy_turns import Said, Sitting, after, alone

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


def test_a_recording_that_is_missing_or_broken_is_reported(tmp_path: Path) -> None:
    one = recorded(tmp_path, ())
    (tmp_path / "a.wav").write_bytes(b"RIFF")
    for broken in (one, replace(one, audio=tmp_path / "b.wav"), replace(one, audio=None)):
        with pytest.raises(CurtainError, match="recording"):
            samples(broken)


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


# Hidden as it was said; in the query; as the database has it; as it is written in notes, answers and messages.
CANARIES: dict[str, tuple[str, str, str, list[str]]] = {
    "one by one": ("seven three one nine", "7319", "7319", ["7319", "7 3 1 9", "73-19", "seven three one nine"]),
    "a number": ("seven thousand three hundred and nineteen", "7319", "7319", ["7319", "7,319", "7.319"]),
    "a year": ("nineteen seventy three", "1973", "'%1973%'", ["in 1973", "born 1973", "nineteen seventy-three"]),
    "a telephone number": ("five five five one two three seven", "555-1237", "'%1237'", ["5551237", "555 12 37"]),
    "a room with a letter": ("seven thirty one k", "731K", "'731K'", ["731K", "731 k", "731-K"]),
    "a time": ("five twenty three", "17:23", "'17:23:00'", ["17:23", "5:23"]),
    "money": ("seven thousand three hundred nineteen dollars", "$7,319", "7319", ["$7,319.00", "7319 dollars"]),
    "letters": ("q u i l l", "Quill", "'QUILL'", ["Quill", "QUILL", "Q U I L L", "q.u.i.l.l", "Quill's", "quills"]),
    "a name that is spelled in the query": ("quill", "Q U I L L", "'QUI%'", ["Q-u-i-l-l", "quill"]),
    "accents apart": ("josé núñez", "Jose Nunez", "'NUNEZ'", ["Jose\u0301 Nu\u0301n\u0303ez", "NUÑEZ", "Nunez"]),
    "an umlaut": ("zmüllerz", "Zmuellerz", "'ZMUELLERZ'", ["ZMÜLLERZ", "Zmullerz", "zmuellerz"]),
    "a code of the database": ("zanzibar", "Zanzibar", "'ZNZB'", ["Zanzibar", "ZNZB", "ZANZIBAR"]),
    "a word that was heard otherwise": ("kwill", "Quill", "'QUILL'", ["Quill", "quill"]),
    "hyphens": ("anne-marie zwick", "Annemarie Zwick", "'ZWICK'", ["Anne Marie Zwick", "Zwick", "Annemarie"]),
    "German": ("siebentausenddreihundertneunzehn", "7319", "7319", ["7319", "7.319"]),
    "Spanish": ("siete mil trescientos diecinueve", "7319", "7319", ["7319", "siete mil trescientos diecinueve"]),
    "Chinese": ("七千三百一十九", "7319", "7319", ["7319", "七千三百一十九"]),
    "a language without a table of numbers": ("sept mille trois cent dix-neuf", "7319", "7319", ["7319"]),
}  # fmt: skip
NAMES = list(CANARIES)
PLAIN = "SELECT job_title FROM employee WHERE first_name = 'MARY' AND last_name = 'GRAHAM'"


def _sitting(number: int) -> Sitting:
    said, query, value, written = CANARIES[NAMES[number]]
    sql = f"SELECT city FROM employee WHERE last_name = {value}"
    everything = "; ".join([query, *written])
    return Sitting(f"e{number:02}-01", "2026-03-02", "balance", (
        alone(f"Where is the office of {query} please", sql, sro=f"where is the office of {said} please",
              note=f"asked for {everything}", nl_input=f"office of {query}", tries=(f"SELECT 1 WHERE {value}",),
              first=f"SELECT employee_id FROM employee WHERE last_name = {value}"),
        Said("and the second office", None, "X", "X", message=(
            "no_information", f"Nothing is known about {everything}", "no_answer"), blanks={"topic": everything}),
        after("where is that", f"SELECT state FROM employee WHERE last_name = {value}", "3", (2, "answer")),
        alone("what is the job title of mary graham", PLAIN, "wh-question"),
    ), solution=(everything, "typed"), questionnaire={"comment": everything})  # fmt: skip


def _answers(sittings: list[Sitting]) -> dict[str, Any]:
    answers = {PLAIN: known_answers()[PLAIN]}
    for number, sitting in enumerate(sittings):
        _, query, _, written = CANARIES[NAMES[number]]
        for said in sitting.turns:
            for sql in {said.sql, said.first} - {None, PLAIN}:
                cells = [[one] for one in (query, *written)]
                cas = "(" + " ".join(f'("{cell}")' for (cell,) in cells) + ")"
                answers[sql] = {
                    "sql": sql, "cas_min": cas, "cas_max": cas, "sql_max": sql, "max_error": None, "total": len(cells),
                    "rows": cells,
                }  # fmt: skip
    return answers


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session for each canary, hidden in the first turn and written everywhere."""
    folder = tmp_path_factory.mktemp("hidden") / "study"
    sittings = [_sitting(number) for number in range(len(CANARIES))]
    make_toy(folder, sittings=sittings, answers=_answers(sittings))
    for number, (said, *_) in enumerate(CANARIES.values()):
        start = len("where is the office of ")
        span = {"kind": "name", "start_ms": 100, "end_ms": 200, "start_char": start, "end_char": start + len(said)}
        say(folder, f"e{number:02}-01-001", "redaction", {"spans": [{**span, "in_text": "sro"}]})
    return folder


def _text(path: Path) -> str:
    """All that a folder's files hold, also where they are compressed, in small letters."""
    return "\n".join(_texts(path)).lower()


def _texts(path: Path) -> Iterator[str]:
    for file in sorted(one for one in path.rglob("*") if one.is_file()):
        data = file.read_bytes()
        if file.suffix == ".wav":
            continue
        if file.suffix == ".parquet":
            data = repr(duckdb.sql(f"SELECT * FROM '{file}'").fetchall()).encode()
        elif file.suffix == ".gz":
            data = gzip.decompress(data)
        yield data.decode("utf-8", "replace")


def _leaks(text: str, name: str) -> list[str]:
    _, query, value, written = CANARIES[name]
    needles = {form.lower() for one in (query, value.strip("'%"), *written) for form in _normal_forms(one)}
    return [one for one in needles if one in text and not _by_chance(one, text)]


def _normal_forms(text: str) -> set[str]:
    return {unicodedata.normalize(form, text) for form in ("NFC", "NFD")}


def _by_chance(needle: str, text: str) -> bool:
    """Every place of some figures lies inside of a longer row of letters and figures, such as a checksum."""
    return needle.isalnum() and not re.search(rf"(?<![0-9a-z]){re.escape(needle)}(?![0-9a-z])", text)


@pytest.mark.parametrize("format_name", [one.name for one in FORMATS])
def test_no_format_holds_what_is_hidden(study: Path, tmp_path: Path, format_name: str) -> None:
    export(open_corpus([study], Filters(live=True)), format_name, tmp_path / "out")
    text = _text(tmp_path / "out")
    assert "mary graham" in text
    assert {name: leaks for name in NAMES if (leaks := _leaks(text, name))} == {}


def test_no_utterance_and_no_exercise_holds_what_is_hidden(study: Path) -> None:
    course = msgspec.json.encode(course_of(open_corpus([study], Filters(live=True)), "A course", "personnel")).decode()
    for number, name in enumerate(NAMES):
        session = study / "sessions" / f"e{number:02}-01"
        assert _leaks(repr(read_for_annotation(session)).lower(), name), "What is looked for must be there."
        assert _leaks(f"{read_session(session)!r}\n{course}".lower(), name) == [], name


COMMANDS = {
    "report": ["report", "STUDY", "--out", "OUT"],
    "packets": ["judge", "new", "STUDY", "--judges", "ann,ben", "--out", "OUT"],
    "test set": ["export", "STUDY", "--format", "parquet", "--blind", "--out", "OUT", "--include-live"],
    "questionnaires": ["questionnaires", "STUDY", "--out", "OUT"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_what_is_hidden(study: Path, tmp_path: Path, command: str) -> None:
    out = tmp_path / "there"
    arguments = [one.replace("STUDY", str(study)).replace("OUT", str(out)) for one in COMMANDS[command]]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    text = _text(tmp_path)
    assert {name: leaks for name in NAMES if (leaks := _leaks(text, name))} == {}


def test_turns_print_nothing_that_is_hidden(study: Path) -> None:
    for number, name in list(enumerate(NAMES))[::6]:
        done = CliRunner().invoke(app, ["turns", str(study / "sessions" / f"e{number:02}-01")])
        assert done.exit_code == 0 and [json.loads(line) for line in done.stdout.splitlines()]
        assert _leaks(done.stdout.lower(), name) == [], name
