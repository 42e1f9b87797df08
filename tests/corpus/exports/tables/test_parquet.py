"""The utterance table comes back from Parquet, through DuckDB, as it went in."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from curtain.base.hearing import HeardWord
from curtain.corpus.exports.run import export
from curtain.corpus.exports.utterance_table import COLUMNS, sql_type
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference, Session, Utterance
from tests.corpus.exports.small import HeldCorpus, session, utterance

Exported = Callable[[str], Path]
NESTED = {"context": ContextLink, "references": Reference, "redactions": Redaction, "heard_words": HeardWord}
LISTS = ("tags", "site_tags", "reasons", "notes", "annotators")
FILES = {"README.md", "CITATION.cff", "utterances.jsonl", "utterances.parquet", "EXPORT.json"}


def table(path: Path) -> list[dict[str, Any]]:
    found = duckdb.sql("SELECT * FROM read_parquet($path)", params={"path": str(path)})
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def utterance_of(row: Mapping[str, Any], bundle: Path) -> Utterance:
    """The value that a row stands for."""
    known = {field.name: row[field.name] for field in fields(Utterance)}
    known |= {name: tuple(kind(**part) for part in row[name]) for name, kind in NESTED.items()}
    known |= {name: tuple(row[name]) for name in LISTS}
    known["times"] = tuple((one["name"], one["ms"]) for one in row["times"])
    known["audio"] = bundle / row["audio"] if row["audio"] else None
    return Utterance(**known)


@pytest.fixture(scope="session")
def everything(split_toy: Path) -> BundleCorpus:
    return open_corpus([split_toy], Filters(pilot=True, practice=True, live=True))


def test_parquet_through_duckdb_gives_the_same_utterances(everything: BundleCorpus, tmp_path: Path) -> None:
    export(everything, "parquet", tmp_path / "out")
    paths = {one.session_id: one.path for one in everything.sessions()}
    rows = table(tmp_path / "out" / "utterances.parquet")
    said = [one for found in everything.sessions() for one in found.utterances]
    assert [utterance_of(row, paths[row["session_id"]]) for row in rows] == said
    assert [row["duration_s"] for row in rows] == [one.duration_s for one in said]


def test_each_row_tells_its_session(exported: Exported, corpus: BundleCorpus) -> None:
    sessions = {one.session_id: one for one in corpus.sessions()}
    for row in table(exported("parquet") / "utterances.parquet"):
        of: Session = sessions[row["session_id"]]
        assert (row["site"], row["domain"], row["dialect"], row["rule_book"]) == (
            of.site, of.domain, of.dialect, of.rule_book,
        )  # fmt: skip
        assert tuple(row["wizard_ids"]) == of.wizard_ids


def test_json_lines_say_what_parquet_says(exported: Exported) -> None:
    lines = (exported("parquet") / "utterances.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == table(exported("parquet") / "utterances.parquet")


def test_other_readers_of_parquet_find_the_same_columns(exported: Exported) -> None:
    path = exported("parquet") / "utterances.parquet"
    assert pq.read_table(path).column_names == list(COLUMNS)
    assert pq.read_table(path).to_pylist() == table(path)
    described = duckdb.sql("DESCRIBE SELECT * FROM read_parquet($path)", params={"path": str(path)}).fetchall()
    plain = duckdb.sql(f"DESCRIBE SELECT {', '.join(f'NULL::{sql_type(s)}' for s in COLUMNS.values())}").fetchall()
    assert [row[1] for row in described] == [row[1] for row in plain]


ODD_TEXT = [
    "", " ", "a\nb\r\n\tc", 'say "x" \\ y', "\x00\x1f", "\u2028", "北京 é 😀", "x" * 3_000_000, "null", "'", "{}",
]  # fmt: skip


@pytest.mark.parametrize("text", ODD_TEXT, ids=lambda text: repr(text[:8]))
def test_texts_of_any_kind_come_back(tmp_path: Path, text: str) -> None:
    one = utterance(
        None, query=text, notes=(text, text), references=(Reference(text, None, weight=0.1),), times=((text, 1),)
    )
    held = HeldCorpus([session(one, replace(one, turn=2, query=None, references=()))])
    export(held, "parquet", tmp_path / "out")
    rows = table(tmp_path / "out" / "utterances.parquet")
    assert [utterance_of(row, tmp_path) for row in rows] == list(held.given[0].utterances)


ODD_FOLDERS = ("[lab] *x?", "ü 'quoted' \"twice\"", "a%20b")


@pytest.mark.parametrize("folder", ODD_FOLDERS)
def test_the_folder_may_have_any_name(tmp_path: Path, folder: str) -> None:
    out = tmp_path / folder / "out"
    export(HeldCorpus([session(utterance(None))]), "parquet", out)
    assert pq.read_table(out / "utterances.parquet").num_rows == 1
    assert {path.name for path in out.iterdir()} == FILES


@pytest.mark.soak
@pytest.mark.parametrize("folder", ODD_FOLDERS)
def test_more_than_memory_holds_is_put_aside_in_a_folder_of_any_name(tmp_path: Path, folder: str) -> None:
    out = tmp_path / folder / "out"
    text = random.Random(1).randbytes(1_500_000).hex()
    many = [utterance(None, f"e00-01-{at:03}", turn=at, message=f"{at}{text}") for at in range(100)]
    export(HeldCorpus([session(*many)]), "parquet", out)
    found = duckdb.sql("SELECT count(*) FROM read_parquet($path)", params={"path": str(out / "utterances.parquet")})
    assert found.fetchall() == [(100,)]
    assert {path.name for path in out.iterdir()} == FILES


def test_an_answer_may_be_as_large_as_answers_get(tmp_path: Path) -> None:
    largest = "(" + "(1 2 3) " * (2 * 1024 * 1024) + ")"
    few = [utterance(None, f"e00-01-{at:03}", turn=at) for at in range(1, 4)]
    few[1] = replace(few[1], references=(Reference("SELECT 1", largest, "SELECT 1", largest),) * 2)
    export(HeldCorpus([session(*few)]), "parquet", tmp_path / "out")
    query = 'SELECT "references"[2].cas_max = $largest FROM read_parquet($path) WHERE turn = 2'
    values = {"largest": largest, "path": str(tmp_path / "out" / "utterances.parquet")}
    assert duckdb.sql(query, params=values).fetchall() == [(True,)]
