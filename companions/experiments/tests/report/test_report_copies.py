"""A report over altered copies: what was sent, beside what annotators wrote, on each copy."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.domain.pack.pack import named_pack
from curtain.domain.pack.store import database
from curtain.session.bundle.bundle import Bundle
from curtain_experiments.commands.report import ReportOptions, report_run
from curtain_score.files.json_lines import BadFile
from curtain_score.sql.alteration import make_copies, shapes_of
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

BY_CHANCE, TWO_READINGS, BROKEN, LIVE = "e00-01-003", "e00-01-004", "e00-01-005", "e00-01-006"
LATER = Clock(wall=lambda: datetime(2026, 9, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def copies(tmp_path_factory) -> Path:
    pack, folder = named_pack("personnel"), tmp_path_factory.mktemp("copies")
    make_copies(database(pack), shapes_of(pack), folder, 2, seed=1)
    return folder


@pytest.fixture(scope="module")
def study(tmp_path_factory, copies: Path) -> Path:
    """Five answers: right, right by chance, right by a second reading, with a broken reference, not annotated."""
    sitting = next(one for one in SITTINGS if one.session_id == "e00-01")
    turns = [replace(said, annotated=said.annotated and turn < 6) for turn, said in enumerate(sitting.turns[:6], 1)]
    folder = make_toy(tmp_path_factory.mktemp("copied") / "toy", sittings=[replace(sitting, turns=tuple(turns))])
    sent = sent_in(folder)
    with duckdb.connect(str(sorted(copies.iterdir())[0]), read_only=True) as first:
        (by_chance,) = first.execute(sent[BY_CHANCE]).fetchone() or (None,)
    annotate_again(folder, BY_CHANCE, [f"SELECT {by_chance}"])
    annotate_again(folder, TWO_READINGS, ["SELECT -1", sent[TWO_READINGS]])
    annotate_again(folder, BROKEN, ["SELECT nothing FROM nowhere"])
    return folder


def sent_in(study: Path) -> dict[str, str]:
    sessions = open_corpus([study], Filters(live=True)).sessions()
    return {one.utterance_id: one.sent_sql for session in sessions for one in session.utterances if one.sent_sql}


def annotate_again(study: Path, utterance: str, statements: list[str]) -> None:
    references = [{"sql_min": sql, "cas_min": "((1))", "cas_max": "((1))"} for sql in statements]
    row = new_row(utterance, "sql", {"references": references, "yes_no": False}, "w3", LATER, status="final")
    Layers(Bundle(study / "sessions" / "e00-01")).add_all([row])


def reported(study: Path, copies: Path, out: Path) -> list[str]:
    sentences: list[str] = []
    assert report_run(out, ReportOptions(studies=(study,), copies=copies), say=sentences.append) == 0
    return sentences


@pytest.fixture(scope="module")
def report(study: Path, copies: Path, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("report")
    reported(study, copies, out)
    return out


def test_what_was_sent_stays_when_an_annotator_has_another_statement(study: Path):
    session = next(iter(open_corpus([study], Filters(live=True)).sessions()))
    turn = next(one for one in session.utterances if one.utterance_id == BROKEN)
    assert turn.references[0].sql_min == "SELECT nothing FROM nowhere"
    assert turn.sent_sql == "SELECT salary FROM employee WHERE employee_id = 1931"


def test_each_query_says_on_how_many_copies_it_is_right(report: Path):
    text = (report / "queries.csv").read_text("utf-8-sig")
    rows = {row["utterance"]: row for row in csv.DictReader(text.splitlines())}
    counts = {key: (row["copies_right"], row["copies"]) for key, row in rows.items()}
    assert counts == {
        "e00-01-002": ("2", "2"), BY_CHANCE: ("1", "2"), TWO_READINGS: ("2", "2"), BROKEN: ("", ""), LIVE: ("", "")
    }  # fmt: skip


def test_the_json_and_the_page_say_it_too(report: Path):
    (figures,) = json.loads((report / "report.json").read_text("utf-8"))["copies"]
    assert (figures["judged"], figures["right_everywhere"], figures["unannotated"]) == (3, 2, 1)
    page = (report / "report.html").read_text("utf-8")
    assert "Altered copies of the database" in page
    assert f"{BY_CHANCE}: right on 1 of 2" in page
    assert "not judged: no annotated statement" in page
    assert f"{BROKEN}: The gold statement cannot run" in page


def test_the_same_report_gives_the_same_bytes(study: Path, copies: Path, report: Path, tmp_path: Path):
    reported(study, copies, tmp_path)
    for name in ("report.html", "report.json", "queries.csv"):
        assert (tmp_path / name).read_bytes() == (report / name).read_bytes(), name


def test_a_statement_that_quotes_a_hidden_word_does_not_leave(tmp_path: Path):
    sitting = next(one for one in SITTINGS if one.session_id == "e00-01")
    study = make_toy(tmp_path / "toy", sittings=[replace(sitting, turns=sitting.turns[:3])])
    assert "SMITH" in sent_in(study)["e00-01-002"]
    query = sitting.turns[1].query or ""
    start = query.lower().index("smith")
    span = {"kind": "name", "start_ms": 320, "end_ms": 480, "start_char": start, "end_char": start + len("smith")}
    row = new_row("e00-01-002", "redaction", {"spans": [span]}, "w3", LATER, status="final")
    Layers(Bundle(study / "sessions" / "e00-01")).add_all([row])
    assert list(sent_in(study)) == ["e00-01-003"]


@pytest.mark.parametrize(
    ("options", "fault", "words"),
    [
        ({"runs": True}, CurtainError, "a file of runs holds no statements"),
        ({"copies": "empty"}, BadFile, "holds no copies; make them with “curtain domain copies”"),
        ({"copies": "absent"}, BadFile, "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(study, copies, tmp_path, options, fault, words):
    (tmp_path / "empty").mkdir()
    runs = tmp_path / "runs.csv"
    runs.write_text("subject,scenario,condition\ne01,one,a\n", "utf-8")
    place = tmp_path / options["copies"] if "copies" in options else copies
    material = ReportOptions(runs=runs) if "runs" in options else ReportOptions(studies=(study,))
    with pytest.raises(fault, match=words):
        report_run(tmp_path / "out", replace(material, copies=place), say=lambda sentence: None)
    assert not (tmp_path / "out").exists()
