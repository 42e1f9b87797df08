"""What is hidden in the transcription of one turn is in no byte that leaves, however it is written elsewhere."""

import gzip
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from typer.testing import CliRunner

from curtain.commands.cli import app
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_for_annotation, read_session
from curtain_practice.course import course_of
from tests.corpus.formats import FORMATS
from tests.corpus.test_hidden_in_sessions import say
from tests.corpus.toy import known_answers, make_toy
from tests.corpus.toy_turns import Said, Sitting, after, alone

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
    for number, name in enumerate(NAMES):
        done = CliRunner().invoke(app, ["turns", str(study / "sessions" / f"e{number:02}-01")])
        assert done.exit_code == 0 and [json.loads(line) for line in done.stdout.splitlines()]
        assert _leaks(done.stdout.lower(), name) == [], name
