"""A pack from somebody's database: it works at once, whatever the database came in."""

import gzip
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb
import pytest

from curtain.base.errors import CurtainError
from curtain.domain.pack.keys import ForeignKey
from curtain.domain.pack.pack import database, load_pack
from curtain.domain.rules.principles import load_rules
from curtain.domain.worker.answer import answer_statement
from curtain.domain.worker.worker import SqlWorker
from curtain.rehearsal.script import read_script
from curtain.rehearsal.stage import check_against
from curtain.session.study.messages import load_message_set
from curtain_packs.guesses import heading_of, singular
from curtain_packs.new_pack import NewPack, new_pack
from curtain_packs.sources import SourceError, Wishes, plain_name

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


def _write(file: Path, header: list[str], rows: Sequence[tuple[object, ...]]) -> None:
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


def quiet(what: str, share: float) -> None:
    """Nobody watches the progress."""


def of_sqlite(folder: Path, script: str, damage: Callable[[sqlite3.Connection], None] = lambda _: None) -> NewPack:
    """The pack of a SQLite file that this script writes."""
    with closing(sqlite3.connect(folder / "b.sqlite")) as lite:
        lite.executescript(script)
        damage(lite)
        lite.commit()
    return new_pack(folder / "b.sqlite", folder / "pack", quiet)


Kind = tuple[str, Callable[[Path], Path]]


KINDS: list[Kind] = [("csv", in_csv), ("parquet", in_parquet), ("b.sqlite", in_sqlite), ("b.duckdb", in_duckdb)]


@pytest.fixture(scope="module", params=KINDS, ids=["CSV", "Parquet", "SQLite", "DuckDB"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewPack:
    name, make = request.param
    folder = tmp_path_factory.mktemp("made")
    return new_pack(make(folder / name), folder / "bakery", quiet)


def test_a_new_pack_works_at_once_and_its_demo_can_be_played(made: NewPack) -> None:
    pack = load_pack(made.folder)
    steps = read_script(made.folder / "demo.jsonl")
    check_against(steps, pack, load_message_set(["base"]))
    with closing(SqlWorker(database(pack), pack, with_spare=False)) as worker:
        result = worker.run("SELECT bread_name FROM breads WHERE baker_id = 1").result(timeout=30)
        answers = [worker.run(one.sql).result(timeout=30).cas_min for one in pack.examples()]
        demo = [worker.run(sql).result(timeout=30).error for step in steps for sql in step.statements]

    assert (made.tables, made.rows) == (3, 16)
    assert (result.error, result.cas_min) == (None, '(("Rye"))')
    assert result.headings == ["Bread name"]
    assert '"007"' in (result.cas_max or "")
    assert answers == [f"(({one.answer}))" for one in pack.examples()]
    assert load_rules(pack).rules == ()
    assert ([step.do for step in steps], demo) == (["scenario", "turn", "turn", "turn"], [None] * 3)
    assert sorted(one.practice for one in pack.scenarios) == [False, True]


def test_keys_types_headings_and_what_may_be_told_are_read_or_guessed(made: NewPack) -> None:
    pack = load_pack(made.folder)

    assert pack.keys.primary == {"bakers": ("baker_id",), "breads": ("bread_code",), "sale": ("day", "bread_code")}
    assert set(pack.keys.references) == {
        ForeignKey("bakers", ("boss_id",), "bakers", ("baker_id",)),
        ForeignKey("breads", ("baker_id",), "bakers", ("baker_id",)),
        ForeignKey("sale", ("bread_code",), "breads", ("bread_code",)),
    }
    assert pack.codes == {"bakers.baker_id": "bakers.name", "breads.bread_code": "breads.bread_name"}
    assert (pack.headings["name"], pack.headings["bread_code"]) == ("Baker name", "Bread code")
    assert pack.maximum["breads"][-1] == "bakers.name"
    assert pack.problems_of_entities == []
    assert (pack.tables["breads"]["bread_code"], pack.tables["bakers"]["since"]) == ("VARCHAR", "DATE")


def test_columns_by_which_somebody_can_be_reached_are_private(tmp_path: Path) -> None:
    header = ["p_nr", "name", "Phone", "e_mail", "reach", "since", "code", "note"]
    rows = [
        (1, "Ann", "12", "x", "ann@lab.example", "2020-01-02", "12-34", "ann@lab.example"),
        (2, "Ben", "34", "y", "+49 30 1234-567", "2021-03-04", "12-34", "none"),
    ]
    (tmp_path / "csv").mkdir()
    _write(tmp_path / "csv" / "people.csv", header, rows)
    new_pack(tmp_path / "csv", tmp_path / "pack", quiet)
    pack = load_pack(tmp_path / "pack")
    assert pack.private == {"people.phone", "people.e_mail", "people.reach"}
    # Nobody is invited to ask for them; and two people can have one name, so the number in front is the key.
    assert "it knows: p number, people name, since, people code, note." in pack.description
    assert pack.keys.primary == {"people": ("p_nr",)}


def test_neither_part_of_a_name_nor_what_two_rows_have_tells_a_code(tmp_path: Path) -> None:
    script = (
        "CREATE TABLE actors (actor_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);"
        "INSERT INTO actors VALUES (1, 'Anna', 'Abbott'), (2, 'Sam', 'Rowe');"
        "CREATE TABLE plays (play_id INTEGER PRIMARY KEY, title TEXT, label TEXT);"
        "INSERT INTO plays VALUES (1, 'Faust', 'A'), (2, 'Faust', 'B');"
        "CREATE TABLE songs (song_id INTEGER PRIMARY KEY, title TEXT);"
        "INSERT INTO songs VALUES (1, 'Dawn'), (2, 'Dawn');"
    )
    made = of_sqlite(tmp_path, script)
    assert load_pack(made.folder).codes == {"plays.play_id": "plays.label"}


def test_what_cannot_be_shown_is_left_out_and_reported(tmp_path: Path) -> None:
    lite = new_pack(in_sqlite(tmp_path / "b.sqlite"), tmp_path / "one", quiet)
    source = in_duckdb(tmp_path / "b.duckdb")
    with duckdb.connect(str(source)) as db:
        db.execute("CREATE VIEW cheap AS SELECT * FROM breads WHERE price < 2")
    duck = new_pack(source, tmp_path / "two", quiet)

    assert list(load_pack(lite.folder).tables["bakers"]) == ["baker_id", "name", "region", "boss_id", "since", "master"]
    assert load_pack(lite.folder).tables["bakers"]["master"] == "BOOLEAN"
    assert "bakers.photo holds bytes and was left out." in lite.notes
    assert "The table unused has no rows and was left out." in lite.notes
    assert "bakers.tags holds lists, rows or lengths of time; it is kept as text." in duck.notes
    assert "The view cheap was left out: a pack holds tables." in duck.notes


def test_rows_of_nothing_are_rows_too(tmp_path: Path) -> None:
    made = of_sqlite(tmp_path, "CREATE TABLE t (x); INSERT INTO t VALUES (NULL), ('a,\"b\"\n'), (''), (NULL);")
    counted = "SELECT COUNT(*), COUNT(x), COUNT(CASE WHEN x = '' THEN 1 END) FROM t"

    assert answer_statement(load_pack(made.folder), counted).cas_min == "((4 2 1))"


def test_rows_that_cannot_be_told_apart_are_told(tmp_path: Path) -> None:
    (tmp_path / "twice.csv").write_text("a,b\n1,x\n1,x\n")
    made = new_pack(tmp_path / "twice.csv", tmp_path / "pack", quiet)

    assert made.notes == ("No column or pair of columns identifies a row of twice.",)
    assert answer_statement(load_pack(made.folder), "SELECT a FROM twice").cas_min == "((1) (1))"


def test_the_source_is_left_as_it_is_and_a_folder_that_is_there_too(tmp_path: Path) -> None:
    source = in_sqlite(tmp_path / "b.sqlite")
    before = source.read_bytes()
    new_pack(source, tmp_path / "pack", quiet)
    with pytest.raises(CurtainError, match="is there already"):
        new_pack(source, tmp_path / "pack", quiet)
    assert source.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.sqlite", "pack"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("none.db", None, "There is nothing at"),
        ("", None, "no CSV or Parquet file"),
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
    with pytest.raises(SourceError, match=sentence):
        new_pack(tmp_path / name, tmp_path / "pack", quiet)
    assert not (tmp_path / "pack").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (["a,b,c", *["1,2,3"] * 300, "1,2,3,extra", *["1,2,3"] * 300], "line 302 has 4 fields, and line 1 has 3"),
        (["id,name", "1,a", "2", "3,c", "4,d"], "line 3 has 1 field, and line 1 has 2"),
        (["a,b,c", "1,2", "3,4,5,6"], "line 2 has 2 fields, and line 1 has 3"),
        (["a;b;c", "1;2;3", "1;2"], "line 3 has 2 fields, and line 1 has 3"),
        (['a,b', '1,"two', 'lines"', '"1",2,3'], "line 4 has 3 fields, and line 1 has 2"),
        (gzip.compress(b"a,b\n1,2\n3\n"), "line 3 has 1 field, and line 1 has 2"),
        (gzip.compress(b"a,b\n1,2\n" * 9999)[:-20], "cannot be unpacked: it is damaged or cut short"),
        (b"a,b\n1,2\n", "cannot be unpacked: it is damaged or cut short"),
    ],
    ids=["one field too many", "one too few", "every line different", "semicolons", "after a text of two lines",
         "a packed line too short", "packed and cut short", "not packed"],
)  # fmt: skip
def test_a_line_of_a_csv_file_that_does_not_fit_is_named_and_nothing_is_written(
    tmp_path: Path, content: list[str] | bytes, sentence: str
) -> None:
    name = "t.csv.gz" if isinstance(content, bytes) else "t.csv"
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else "\n".join([*content, ""]).encode())
    with pytest.raises(SourceError, match=rf"t\.csv.* {sentence}\."):
        new_pack(tmp_path / name, tmp_path / "pack", quiet)
    assert not (tmp_path / "pack").exists()


@pytest.mark.parametrize(
    ("name", "text", "columns", "notes"),
    [
        ("t.csv", "remark\none, two\nthree\n", ["remark"], ()),
        ("t.csv", 'a,b\n1,"x\ny, ""z"""\n2,w\n\n', ["a", "b"],
         ("Texts with a double quote or the sign NUL cannot be written in an answer; "
              "t.b has some, such as “x\\u000ay, \"z\"” (rows: 1).",)),
        ("t.tsv", "a\tb\n1\tx\n2\ty, z\n", ["a", "b"], ()),
        ("t.csv", "# from the archive\n\na,b,c\n1,2,3\n4,5,6\n", ["a", "b", "c"],
         ("t.csv: the text before line 3 was taken for comments and left out.",)),
        ("t.csv", "1,x\n2,y\n3,z\n", ["column0", "column1"],
         ("t.csv has no line with the names of its columns; they are called column0 and so on. "
              "If line 1 holds the names, add --header 1.",)),
    ],
)  # fmt: skip
def test_what_fits_in_a_csv_file_is_read_and_what_is_no_row_is_reported(
    tmp_path: Path, name: str, text: str, columns: list[str], notes: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    made = new_pack(tmp_path / name, tmp_path / "pack", quiet)
    assert (list(load_pack(made.folder).tables["t"]), made.notes) == (columns, notes)


def test_tables_of_a_search_and_rows_without_their_other_side_are_reported(tmp_path: Path) -> None:
    script = """
        CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO parent VALUES (1, 'a'), (2, 'b');
        CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent);
        INSERT INTO child VALUES (1, 1), (2, 99), (3, NULL);
        CREATE VIRTUAL TABLE page USING fts5(body); INSERT INTO page VALUES ('hello');
    """
    made = of_sqlite(tmp_path, script)
    assert list(load_pack(made.folder).tables) == ["parent", "child", "page"]
    assert "child.parent refers to parent.id, and 1 row has a value there that is not in it." in made.notes
    assert [
        note for note in made.notes if note.startswith("Tables that SQLite keeps for a search were left out: page_")
    ]


def test_no_plain_name_is_a_word_that_duckdb_wants_in_quotes() -> None:
    query = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')"
    with duckdb.connect() as connection:
        words = {word for (word,) in connection.execute(query).fetchall()}
    assert "group" in words
    assert not words & {plain_name(word) for word in words}


@pytest.mark.parametrize(
    ("name", "taken", "plain"),
    [
        ("Baker ID", (), "baker_id"), ("  % of all ", (), "of_all"), ("2nd", (), "c_2nd"), ("Größe", (), "grosse"),
        ("Cañón", (), "canon"), ("顧客", (), "顧客"), ("%", (), "column_"), ("Group", (), "group_"),
        ("semi", ("semi_",), "semi__2"), ("a", ("a", "a_2"), "a_3"),
    ],
)  # fmt: skip
def test_names_become_plain(name: str, taken: tuple[str, ...], plain: str) -> None:
    assert plain_name(name, taken) == plain


@pytest.mark.parametrize(
    ("table", "column", "heading"),
    [
        *(("t", written, written) for written in ("Größe (m²)", "Umsatz €", "Künstler-Nr.", "Baker ID")),
        ("city", "name", "City name"),
        ("cities", "id", "City number"),
        ("employee", "dept_no", "Department number"),
        ("team", "max_price", "Highest price"),
        ("termin", "termin_nr", "Termin number"),
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
    made = new_pack(source, tmp_path / "pack", quiet)
    assert load_pack(made.folder).as_of in (date(1992, 12, 31), date(1993, 1, 1))


def test_a_full_disk_is_reported_and_nothing_is_left(tmp_path: Path, small_disk: Path) -> None:
    with pytest.raises(CurtainError, match=r"pack is full: nothing was written\. Make room"):
        new_pack(in_csv(tmp_path / "shop"), small_disk / "pack", quiet)
    assert not list(small_disk.iterdir())


def test_a_heading_is_the_one_that_was_wished(tmp_path: Path) -> None:
    source = in_csv(tmp_path / "csv")
    made = new_pack(source, tmp_path / "pack", quiet, Wishes(headings={"sale.pieces": "Loaves = all"}))
    text = (made.folder / "domain.toml").read_text("utf-8")
    assert load_pack(made.folder).headings["pieces"] == "Loaves = all"
    assert "# What stands above a column of an answer" in text
    with pytest.raises(CurtainError, match=r"--heading sale\.piece: there is no such column"):
        new_pack(source, tmp_path / "other", quiet, Wishes(headings={"sale.piece": "x"}))
    assert not (tmp_path / "other").exists()


def test_a_wide_table_is_told_whole_and_its_money_adds_up_and_keeps_its_sign(tmp_path: Path) -> None:
    names = ["id", *(f"part {number}" for number in range(8)), "price"]
    rows = (f'{at},{",".join("abcdefgh")},"{price}"' for at, price in enumerate(("$1,092.61", "$238.90"), 1))
    (tmp_path / "thing.csv").write_text("\n".join([",".join(names), *rows]) + "\n", "utf-8")
    made = new_pack(tmp_path / "thing.csv", tmp_path / "pack", quiet)
    pack = load_pack(made.folder)
    assert [len(columns) for columns in pack.maximum.values()] == [10]
    assert "part 7, price" in pack.description
    result = answer_statement(pack, "SELECT sum(price), max(price) FROM thing")
    assert result.cas_min == "((1331.51 1092.61))"
    assert pack.formats.of_column("thing.price") == "$1,234"


def _absent_module(lite: sqlite3.Connection) -> None:
    lite.execute("PRAGMA writable_schema = ON")
    statement = "CREATE VIRTUAL TABLE places USING x()"
    lite.execute("INSERT INTO sqlite_master VALUES ('table', 'places', 'places', 0, ?)", (statement,))


def _computed(lite: sqlite3.Connection) -> None:
    lite.create_function("theirs", 1, lambda value: value, deterministic=True)
    lite.execute("CREATE TABLE shop (id INTEGER PRIMARY KEY, x AS (theirs(id)), twice AS (2 * id))")
    lite.execute("INSERT INTO shop VALUES (7)")


def _no_statement(lite: sqlite3.Connection) -> None:
    lite.execute("CREATE TABLE lost (a)")
    lite.execute("PRAGMA writable_schema = ON")
    lite.execute("UPDATE sqlite_master SET sql = 'CREATE TABEL lost (a' WHERE name = 'lost'")


def _views_and_triggers(lite: sqlite3.Connection) -> None:
    lite.execute("CREATE VIEW old AS SELECT * FROM gone")
    lite.execute("CREATE TRIGGER t AFTER INSERT ON town BEGIN SELECT theirs(1); END")


BROKEN: dict[str, tuple[Callable[[sqlite3.Connection], None], str]] = {
    "a module that is not here": (_absent_module, "The table places was left out: no such module: x."),
    "a function of another program": (_computed, "shop.x was left out: unknown function: theirs()."),
    "no statement": (_no_statement, "The table lost was left out: no such table: lost."),
    "a view and a trigger": (_views_and_triggers, "The view old was left out: a pack holds tables."),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_sqlite_cannot_read_is_left_out_with_a_sentence_and_the_rest_comes_over(tmp_path: Path, case: str) -> None:
    damage, note = BROKEN[case]
    town = "CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO town VALUES (1, 'a'), (2, 'b');"
    made = of_sqlite(tmp_path, town, damage)
    assert note in made.notes
    with duckdb.connect(str(made.folder / "database.duckdb"), read_only=True) as kept:
        assert kept.execute("SELECT count(*) FROM town").fetchall() == [(2,)]


def test_a_damaged_table_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "b.sqlite")) as lite:
        lite.execute("CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT)")
        lite.execute("INSERT INTO town VALUES (1, 'a'), (2, 'b')")
        lite.execute("CREATE TABLE big (a)")
        lite.executemany("INSERT INTO big VALUES (?)", [("x" * 3000,)] * 20)
        lite.commit()
    data = bytearray((tmp_path / "b.sqlite").read_bytes())
    data[4 * 4096 : 5 * 4096] = b"\xff" * 4096
    (tmp_path / "b.sqlite").write_bytes(data)
    made = new_pack(tmp_path / "b.sqlite", tmp_path / "pack", quiet)
    assert (made.tables, made.notes) == (1, ("The table big was left out: database disk image is malformed.",))


def test_values_that_no_answer_can_hold_are_reported(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "s.duckdb")) as db:
        db.execute("CREATE TABLE t AS SELECT 1 AS id, '24\" monitor' AS name, 'nan'::DOUBLE AS x, 'a' || chr(0) AS z")
    notes = new_pack(tmp_path / "s.duckdb", tmp_path / "pack", quiet).notes
    quotes = "Texts with a double quote or the sign NUL cannot be written in an answer; t."
    assert f'{quotes}name has some, such as “24" monitor” (rows: 1).' in notes
    assert f"{quotes}z has some, such as “a\\u0000” (rows: 1)." in notes
    assert "Numbers that are infinite or undefined cannot be written in an answer; t.x has" in " ".join(notes)
