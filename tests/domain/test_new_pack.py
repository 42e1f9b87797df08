"""A pack from somebody's database: it works at once, whatever the database came in."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import pytest

from curtain.domain.answer import answer_statement
from curtain.domain.guessing import heading_of, singular
from curtain.domain.keys import Reference
from curtain.domain.new_pack import NewPack, PackThere, new_pack
from curtain.domain.pack import database, load_pack
from curtain.domain.principles import load_rules
from curtain.domain.sources import SourceFault, plain_name
from curtain.domain.worker import SqlWorker

BAKERS = [(1, "ANNE", "North", None, "1990-02-01"), (2, "BEN", "North", 1, "1991-03-01"), (3, "CARA", "South", 1, "")]
BREADS = [("007", "Rye", 3.5, 1), ("010", "Wheat", 2.0, 2), ("011", 'The "Big" one', 4.25, 2), ("012", "Oat", 1.0, 3)]
SALES = [(day, code, 10 * day) for day in (1, 2, 3) for code in ("007", "010", "011")]


def in_csv(folder: Path) -> Path:
    folder.mkdir()
    _write(folder / "Bakers.csv", ["Baker ID", "Name", "Region", "Boss ID", "Since"], BAKERS)
    _write(folder / "breads.csv", ["bread_code", "bread_name", "price", "baker_id"], BREADS)
    _write(folder / "sale.csv", ["day", "bread_code", "pieces"], SALES)
    (folder / "notes.txt").write_text("not a table")
    return folder


def _write(file: Path, header: list[str], rows: list[tuple[object, ...]]) -> None:
    def cell(value: object) -> str:
        return (
            "" if value is None else '"' + str(value).replace('"', '""') + '"' if isinstance(value, str) else str(value)
        )

    file.write_text("\n".join([",".join(header), *(",".join(map(cell, row)) for row in rows)]) + "\n", "utf-8")


def in_parquet(folder: Path) -> Path:
    csv = in_csv(folder.with_name("as-csv"))
    folder.mkdir()
    for file in csv.glob("*.csv"):
        duckdb.sql(f"COPY (SELECT * FROM read_csv('{file}')) TO '{folder / file.stem}.parquet'")
    return folder


def in_sqlite(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            """
            CREATE TABLE Bakers ("Baker ID" INTEGER PRIMARY KEY, Name TEXT, Region TEXT,
                                 "Boss ID" INTEGER REFERENCES Bakers, Since DATE, photo BLOB, master BOOLEAN);
            CREATE TABLE breads (bread_code TEXT PRIMARY KEY, bread_name, price NUMERIC,
                                 baker_id INTEGER REFERENCES Bakers ("Baker ID"));
            CREATE TABLE sale (day INT, bread_code TEXT REFERENCES breads, pieces INT, PRIMARY KEY (day, bread_code));
            CREATE TABLE unused (x);
            """
        )
        db.executemany("INSERT INTO Bakers VALUES (?, ?, ?, ?, nullif(?, ''), x'00', 1)", BAKERS)
        db.executemany("INSERT INTO breads VALUES (?, ?, ?, ?)", BREADS)
        db.executemany("INSERT INTO sale VALUES (?, ?, ?)", SALES)
        db.commit()
    return path


def in_duckdb(path: Path) -> Path:
    csv = in_csv(path.with_name("as-csv"))
    with duckdb.connect(str(path)) as db:
        db.execute('CREATE TABLE "Bakers" ("Baker ID" INTEGER PRIMARY KEY, "Name" VARCHAR, "Region" VARCHAR, '
                   '"Boss ID" INTEGER, "Since" DATE, tags VARCHAR[])')  # fmt: skip
        db.execute("CREATE TABLE breads (bread_code VARCHAR PRIMARY KEY, bread_name VARCHAR, price DECIMAL(6, 2), "
                   'baker_id INTEGER REFERENCES "Bakers" ("Baker ID"))')  # fmt: skip
        db.execute(f"INSERT INTO \"Bakers\" SELECT *, ['a'] FROM read_csv('{csv / 'Bakers.csv'}')")
        db.execute(f"INSERT INTO breads SELECT * FROM read_csv('{csv / 'breads.csv'}')")
        db.execute(f"CREATE TABLE sale AS SELECT * FROM read_csv('{csv / 'sale.csv'}')")
    return path


Kind = tuple[str, Callable[[Path], Path]]


KINDS: list[Kind] = [("csv", in_csv), ("parquet", in_parquet), ("b.sqlite", in_sqlite), ("b.duckdb", in_duckdb)]


@pytest.fixture(scope="module", params=KINDS, ids=["CSV", "Parquet", "SQLite", "DuckDB"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewPack:
    name, make = request.param
    folder = tmp_path_factory.mktemp("made")
    return new_pack(make(folder / name), folder / "bakery", lambda what, share: None)


def test_a_new_pack_works_at_once(made: NewPack) -> None:
    pack = load_pack(made.folder)
    with closing(SqlWorker(database(pack), pack)) as worker:
        result = worker.run("SELECT bread_name FROM breads WHERE baker_id = 1").result(timeout=30)
        answers = [worker.run(one.sql).result(timeout=30).cas_min for one in pack.examples()]

    assert (made.tables, made.rows) == (3, 16)
    assert (result.error, result.cas_min) == (None, '(("Rye"))')
    assert result.headings == ["Bread name"]
    assert '"007"' in (result.cas_max or "")
    assert answers == [f"(({one.answer}))" for one in pack.examples()]
    assert load_rules(pack).rules == ()
    assert sorted(one.practice for one in pack.scenarios) == [False, True]


def test_keys_and_references_are_read_or_found(made: NewPack) -> None:
    keys = load_pack(made.folder).keys

    assert keys.primary == {"bakers": ("baker_id",), "breads": ("bread_code",), "sale": ("day", "bread_code")}
    assert set(keys.references) == {
        Reference("bakers", ("boss_id",), "bakers", ("baker_id",)),
        Reference("breads", ("baker_id",), "bakers", ("baker_id",)),
        Reference("sale", ("bread_code",), "breads", ("bread_code",)),
    }


def test_codes_headings_and_what_may_be_told_are_guessed(made: NewPack) -> None:
    pack = load_pack(made.folder)

    assert pack.codes == {"bakers.baker_id": "bakers.name", "breads.bread_code": "breads.bread_name"}
    assert (pack.headings["name"], pack.headings["bread_code"]) == ("Baker name", "Bread code")
    assert pack.maximum["breads"][-1] == "bakers.name"
    assert pack.faults_of_entities == []


def test_a_code_with_leading_zeros_stays_a_text_and_dates_are_dates(made: NewPack) -> None:
    tables = load_pack(made.folder).tables

    assert tables["breads"]["bread_code"] == "VARCHAR"
    assert tables["bakers"]["since"] == "DATE"


def test_what_cannot_be_shown_is_left_out_and_told(tmp_path: Path) -> None:
    lite = new_pack(in_sqlite(tmp_path / "b.sqlite"), tmp_path / "one", lambda what, share: None)
    duck = new_pack(in_duckdb(tmp_path / "b.duckdb"), tmp_path / "two", lambda what, share: None)

    assert list(load_pack(lite.folder).tables["bakers"]) == ["baker_id", "name", "region", "boss_id", "since", "master"]
    assert load_pack(lite.folder).tables["bakers"]["master"] == "BOOLEAN"
    assert "bakers.photo holds bytes and was left out." in lite.notes
    assert "The table unused has no rows and was left out." in lite.notes
    assert "bakers.tags holds lists, rows or lengths of time; it is kept as text." in duck.notes


def test_rows_of_nothing_are_rows_too(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "b.sqlite")) as db:
        db.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (NULL), ('a,\"b\"\n'), (''), (NULL);")
    made = new_pack(tmp_path / "b.sqlite", tmp_path / "pack", lambda what, share: None)
    counted = "SELECT COUNT(*), COUNT(x), COUNT(CASE WHEN x = '' THEN 1 END) FROM t"

    assert answer_statement(load_pack(made.folder), counted).cas_min == "((4 2 1))"


def test_rows_that_cannot_be_told_apart_are_told(tmp_path: Path) -> None:
    (tmp_path / "twice.csv").write_text("a,b\n1,x\n1,x\n")
    made = new_pack(tmp_path / "twice.csv", tmp_path / "pack", lambda what, share: None)

    assert made.notes == ("No column or pair of columns identifies a row of twice.",)
    assert answer_statement(load_pack(made.folder), "SELECT a FROM twice").cas_min == "((1) (1))"


def test_the_source_is_left_as_it_is_and_a_folder_that_is_there_too(tmp_path: Path) -> None:
    source = in_sqlite(tmp_path / "b.sqlite")
    before = source.read_bytes()
    new_pack(source, tmp_path / "pack", lambda what, share: None)
    with pytest.raises(PackThere, match="is there already"):
        new_pack(source, tmp_path / "pack", lambda what, share: None)
    assert source.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.sqlite", "pack"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.db", None, "There is nothing at"),
        ("text.db", b"hello", "neither a DuckDB nor a SQLite file"),
        ("broken.sqlite", b"SQLite format 3\0" + b"x" * 200, "cannot be read"),
        ("broken.duckdb", b"\0" * 8 + b"DUCK" + b"\0" * 5000, "cannot be read"),
        ("empty.csv", b"", "holds no table"),
        ("broken.parquet", b"PAR1", "cannot be read"),
    ],
)
def test_what_is_no_database_gets_one_sentence_and_leaves_nothing_behind(
    tmp_path: Path, name: str, content: bytes | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceFault, match=sentence):
        new_pack(tmp_path / name, tmp_path / "pack", lambda what, share: None)
    assert not (tmp_path / "pack").exists()


def test_a_folder_without_tables_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceFault, match="no CSV or Parquet file"):
        new_pack(tmp_path, tmp_path / "pack", lambda what, share: None)


@pytest.mark.parametrize(
    ("name", "taken", "plain"),
    [
        ("Baker ID", (), "baker_id"),
        ("  % of all ", (), "of_all"),
        ("2nd", (), "c_2nd"),
        ("größe", (), "gr_e"),
        ("Ελλάδα", (), "column"),
        ("a", ("a", "a_2"), "a_3"),
    ],
)
def test_names_become_plain(name: str, taken: tuple[str, ...], plain: str) -> None:
    assert plain_name(name, taken) == plain


@pytest.mark.parametrize(
    ("table", "column", "heading"),
    [
        ("city", "name", "City name"),
        ("cities", "id", "City number"),
        ("employee", "dept_no", "Department number"),
        ("team", "max_price", "Highest price"),
    ],
)
def test_headings_are_guessed_from_names(table: str, column: str, heading: str) -> None:
    assert heading_of(table, column) == heading


def test_a_plural_is_one_of_many() -> None:
    assert [singular(one) for one in ("cities", "boxes", "address", "status", "teams", "city")] == [
        "city", "box", "address", "status", "team", "city",
    ]  # fmt: skip


def test_the_as_of_date_is_the_day_of_the_last_change(tmp_path: Path) -> None:
    import os

    source = in_csv(tmp_path / "csv")
    for file in source.iterdir():
        os.utime(file, (725846400, 725846400))
    made = new_pack(source, tmp_path / "pack", lambda what, share: None)
    assert load_pack(made.folder).as_of in (date(1992, 12, 31), date(1993, 1, 1))
