"""Files as people have them: every row comes over as it is, or a sentence says where and what to do."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from curtain.domain.pack.pack import database, load_pack
from curtain.domain.worker.answer import answer_statement
from curtain_drafts.drafting.values import Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_packs.guessed_encoding import advice_on_encoding
from curtain_packs.new_pack import new_pack
from curtain_packs.sources import SourceError, Wishes, bring, tables_of

NAMES = ["Größe", "Łódź", "Ταινία", "фильмАктёра", "שם", "اسم", "हिन्दी", "ชื่อ", "编号", "ИмяID"]


def brought(source: Path, wishes: Wishes | None = None) -> tuple[dict[str, str], list[tuple[object, ...]], list[str]]:
    """The columns of the first table with their types, its rows as texts, and the notes."""
    with duckdb.connect() as into:
        notes = bring(source, into, lambda what, share: None, wishes or Wishes()).notes
        table, columns = next(tables_of(into))
        rows = into.execute(f'SELECT * FROM "{table}"').fetchall()
    return columns, [tuple(None if cell is None else str(cell) for cell in row) for row in rows], notes


def in_sqlite(path: Path, script: str, *rows: tuple[object, ...]) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.execute(script)
        for row in rows:
            db.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(row))})", row)
        db.commit()
    return path


@pytest.mark.parametrize(
    ("text", "columns", "rows", "note"),
    [
        ("id,n\n1,a\n#2,b\n", ["id", "n"], [("1", "a"), ("#2", "b")],
         "t.id holds numbers such as 1 and texts such as “#2”; it is kept as text."),
        ("id,n\n1,a\n# checked, twice, by us\n2,b\n", ["id", "n"], [("1", "a"), ("2", "b")],
         "t.csv: 1 line beginning with “#”, with another number of fields than the table, left out; line 3."),
        ("#id,n\n1,a\n", ["id", "n"], [("1", "a")], ""),
        ("sep=;\nid;n\n1;a\n", ["id", "n"], [("1", "a")], ""),
        ("\ufeffsep=;\r\nid;n\r\n1;a\r\n", ["id", "n"], [("1", "a")], ""),
        ("id,n\n1,a\n,\n,,,\n2,b\n", ["id", "n"], [("1", "a"), ("2", "b")],
         "t.csv: 2 lines without any value left out; the first is line 3."),
        ("id,n,,\n1,a,,\n2,b\n", ["id", "n"], [("1", "a"), ("2", "b")], ""),
        ("Report of May,,\n,,\nid,n,m\n1,a,b\n", ["id", "n", "m"], [("1", "a", "b")],
         "t.csv: the text before line 3 was taken for comments and left out."),
        ("place,2021\nA,3.5\nB,4\n", ["place", "c_2021"], [("A", "3.5"), ("B", "4.0")], ""),
        ("place,2020,2021\nA,2000,1990\n", ["place", "c_2020", "c_2021"], [("A", "2000", "1990")], ""),
        (",n\n1,a\n", ["column0", "n"], [("1", "a")], ""),
        ("n;x\na;1,50\nb;2,25\n", ["n", "x"], [("a", "1.50"), ("b", "2.25")],
         "t.x holds numbers such as 1,50: the comma is the decimal sign; they are kept as numbers."),
        ("n;n\na;1,50\nb;2,25\n", ["n", "n_2"], [("a", "1.50"), ("b", "2.25")],
         "t.n_2 holds numbers such as 1,50: the comma is the decimal sign; they are kept as numbers."),
        ('n,x\n"a\r\nb",1\n"c ""d""",2\n', ["n", "x"], [("a\r\nb", "1"), ('c "d"', "2")], ""),
        ("n,x\n'a, b',1\n'c',2\n", ["n", "x"], [("a, b", "1"), ("c", "2")], ""),
        ("n,x\n007,12345678901234567890\n008,2\n", ["n", "x"],
         [("007", "12345678901234567890"), ("008", "2")],
         "t.x holds numbers such as 2 and texts such as “12345678901234567890”; it is kept as text."),
        (f"n,x\na,{'y' * 3_000_000}\n", ["n", "x"], [("a", "y" * 3_000_000)], ""),
    ],
)  # fmt: skip
def test_every_line_of_a_csv_file_is_a_row_or_is_reported(
    tmp_path: Path, text: str, columns: list[str], rows: list[tuple[str, ...]], note: str
) -> None:
    (tmp_path / "t.csv").write_text(text, "utf-8", newline="")
    found = brought(tmp_path / "t.csv")
    assert (list(found[0]), found[1], found[2]) == (columns, rows, [note] if note else [])


@pytest.mark.parametrize(
    ("values", "wish", "kind", "first", "note"),
    [
        (["2020-01-02T03:04:05+02:00", "2020-06-02T03:04:05-0500"], "", "TIMESTAMP", "2020-01-02 01:04:05", "as UTC"),
        (["2020-01-02 03:04:05Z"], "", "TIMESTAMP", "2020-01-02 03:04:05", "as UTC"),
        (["2020-01-02 03:04+02", "2020-01-02 03:04"], "", "VARCHAR", "2020-01-02 03:04+02", "and without an offset"),
        (["01/02/2020", "03/04/2020"], "", "VARCHAR", "01/02/2020", "Add --dates dmy or --dates mdy"),
        (["01/02/2020", "03/04/2020"], "dmy", "DATE", "2020-02-01", ""),
        (["01/02/2020", "03/04/2020"], "mdy", "DATE", "2020-01-02", ""),
        (["01/02/2020"], "text", "VARCHAR", "01/02/2020", ""),
        (["01/02/2020", "13/02/2020"], "", "DATE", "2020-02-01", "such as 13/02/2020; they were read as day, month"),
        (["1.2.2020"], "", "DATE", "2020-02-01", "they were read as day, month, year"),
        (["1/31/2020 2:05 PM"], "", "TIMESTAMP", "2020-01-31 14:05:00", "they were read as month, day, year"),
        (["31/01/2020", "01/31/2020"], "", "VARCHAR", "31/01/2020", "in no one order; it is kept as text"),
        (["2020-01-02", "2020/01/03"], "", "DATE", "2020-01-02", ""),
        (["2020-01-02", "2020-01-02 10:30"], "", "TIMESTAMP", "2020-01-02 00:00:00", ""),
        (["9:05", "10:30:00"], "", "TIME", "09:05:00", ""),
        (["true", "FALSE"], "", "BOOLEAN", "True", ""),
        (["1e3", "2"], "", "DOUBLE", "1000.0", ""),
        (["1", "NA"], "", "VARCHAR", "1", "t.x holds numbers such as 1 and texts such as “NA”; it is kept as text"),
    ],
)  # fmt: skip
def test_a_column_of_a_csv_file_is_what_all_its_values_are(
    tmp_path: Path, values: list[str], wish: str, kind: str, first: str, note: str
) -> None:
    (tmp_path / "t.csv").write_text("\n".join(["x;y", *(f"{value};a" for value in values)]), "utf-8")
    columns, rows, notes = brought(tmp_path / "t.csv", Wishes(dates={"": wish}))
    assert (columns["x"], rows[0][0]) == (kind, first)
    assert len(notes) == bool(note) and note in " ".join(notes)


NUMBERS: list[tuple[str, str, str, str]] = [
    ("10 237,65 | 980,00 | 1 000,5", "DECIMAL(18,2)", "10237.65 980.00 1000.50",
     "1 000,5: the blank groups thousands; the"),
    ("10\u00a0237,65 | 980", "DECIMAL(18,2)", "10237.65 980.00",
     "the blank groups thousands; the comma is the decimal"),
    ("10\u202f237.65 | 980", "DECIMAL(18,2)", "10237.65 980.00", "the blank groups thousands; they are kept"),
    ("10'237.65 | 980", "DECIMAL(18,2)", "10237.65 980.00", "the apostrophe groups thousands"),
    ("10’237 | 980", "BIGINT", "10237 980", "the apostrophe groups thousands"),
    ("1,23,456.78 | 10", "DECIMAL(18,2)", "123456.78 10.00", "the comma groups thousands"),
    ("1.234,50 | 980", "DECIMAL(18,2)", "1234.50 980.00", "the point groups thousands; the comma is the decimal sign"),
    ("1.234 | 980", "DECIMAL(18,3)", "1.234 980.000",
     "the point is the decimal sign; if that is wrong, add --decimal comma"),
    ("1,234 | 980", "BIGINT", "1234 980", "the comma groups thousands; if that is wrong, add --decimal comma"),
    ("1.5 | 1.234", "DECIMAL(18,3)", "1.500 1.234", ""),
    ("0.123 | 12", "DECIMAL(18,3)", "0.123 12.000", ""),
    ("$10 | $9 | $100", "BIGINT", "10 9 100",
     "x holds numbers such as $10: “$” is in [formats]; they are kept as numbers."),
    ("$10 | 9", "BIGINT", "10 9", "“$” is in [formats]"),
    ("10 € | 9,5 €", "DECIMAL(18,1)", "10.0 9.5", "the comma is the decimal sign; “€” is in [formats]"),
    ("EUR 10 | 9.50 eur", "DECIMAL(18,2)", "10.00 9.50", "is in [formats]"),
    ("CHF 1'200.- | CHF 50.-", "BIGINT", "1200 50", "the apostrophe groups thousands; “CHF” is left out"),
    ("100,- kr | 50,- kr", "BIGINT", "100 50", "“kr” is left out"),
    ("85 % | 12.5%", "DECIMAL(18,1)", "85.0 12.5", "“%” is in [formats]"),
    ("7,5 kg | 12 kg", "DECIMAL(18,1)", "7.5 12.0", "“kg” is in [formats]"),
    ("(12.00) | ($3.50) | 5", "DECIMAL(18,2)", "-12.00 -3.50 5.00", "brackets mean less than zero"),
    ("-$5 | $-6 | \u22127 | 8-", "BIGINT", "-5 -6 -7 -8", "a minus at the end means less than zero"),
    ("１２３ | ٤٥", "BIGINT", "123 45", ""),
    ("123456789012345678.12 | 1", "DECIMAL(38,2)", "123456789012345678.12 1.00", ""),
    ("1.23456 | 2", "DOUBLE", "1.23456 2.0", ""),
    ("$10 | €9", "VARCHAR", "$10 €9", "holds numbers with different signs, “$” and “€”; it is kept as text"),
    ("85% | 0.9", "VARCHAR", "85% 0.9", "different signs, none and “%”; it is kept as text"),
    ("1.5 | 2,5", "VARCHAR", "1.5 2,5", "in different notations, such as 1.5 and 2,5; it is kept as text"),
    ("10 | n/a | 20", "VARCHAR", "10 n/a 20", "holds numbers such as 10 and texts such as “n/a”; it is kept as text"),
    ("0920 | 1745", "VARCHAR", "0920 1745", ""),
]  # fmt: skip
"""The values of a column, its type, what is kept, and a part of the note."""


@pytest.mark.parametrize(("values", "kind", "kept", "note"), NUMBERS)
def test_numbers_are_read_as_people_write_them_or_a_note_says_why_not(
    tmp_path: Path, values: str, kind: str, kept: str, note: str
) -> None:
    (tmp_path / "t.csv").write_text("".join(f"{one}|a\n" for one in ("x", *values.split(" | "))), "utf-8")
    columns, rows, notes = brought(tmp_path / "t.csv")
    assert (columns["x"], " ".join(str(row[0]) for row in rows)) == (kind, kept)
    assert len(notes) == bool(note) and note in " ".join(notes)


@pytest.mark.parametrize(("separator", "wish", "kept"), [
    ("|", "", "1.234"), (";", "", "1234"), (";", "point", "1.234"), ("|", "comma", "1234"),
])  # fmt: skip
def test_a_point_that_may_group_thousands_is_read_as_the_file_or_a_person_says(
    tmp_path: Path, separator: str, wish: str, kept: str
) -> None:
    (tmp_path / "t.csv").write_text(f"x{separator}y\n1.234{separator}a\n980{separator}b\n")
    _, rows, notes = brought(tmp_path / "t.csv", Wishes(decimal={"t.csv": wish}))
    assert rows[0][0] == kept and "if that is wrong, add --decimal" in notes[0]


@pytest.mark.parametrize(("declared", "values", "kind", "kept"), [
    ("DECIMAL(10,2)", [238.9, 1092.61], "DECIMAL(18,2)", "238.90"), ("NUMERIC", [0.1, 2], "DECIMAL(18,1)", "0.1"),
    ("NUMERIC", [1e300, 0.5], "DOUBLE", "1e+300"), ("TEXT", ["$10", "$9"], "BIGINT", "10"),
    ("TEXT", ["10", "9.5"], "VARCHAR", "10"), ("DECIMAL", ["12,50", "3,25"], "DECIMAL(18,2)", "12.50"),
    ("DATETIME", ["2020-01-02T03:04:05+02:00"], "TIMESTAMP", "2020-01-02 01:04:05"),
    ("DATE", ["2020-01-02 03:04:05"], "TIMESTAMP", "2020-01-02 03:04:05"),
    ("TIMETZ", ["10:00:00+02"], "VARCHAR", "10:00:00+02"), ("INTEGER", [2**62], "BIGINT", str(2**62)),
    ("REAL", [0.1], "DOUBLE", "0.1"),
])  # fmt: skip
def test_what_sqlite_declares_exact_adds_up_exactly_and_no_value_is_changed_by_its_type(
    tmp_path: Path, declared: str, values: list[object], kind: str, kept: str
) -> None:
    source = in_sqlite(tmp_path / "t.sqlite", f"CREATE TABLE t (x {declared})", *((value,) for value in values))
    columns, rows, _ = brought(source)
    assert (columns["x"], rows[0][0], len(rows)) == (kind, kept, len(values))


def test_a_header_line_can_be_named_for_one_file_or_for_all(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,2\n3,4\n")
    assert brought(tmp_path / "t.csv")[0].keys() == {"column0", "column1"}
    assert brought(tmp_path / "t.csv", Wishes(header={"": "1"}))[0].keys() == {"c_1", "c_2"}
    named_for_one = Wishes(header={"": "1", "t.csv": "0"})
    assert len(brought(tmp_path / "t.csv", named_for_one)[1]) == 2
    with pytest.raises(SourceError, match="nothing in line 9"):
        brought(tmp_path / "t.csv", Wishes(header={"": "9"}))


@pytest.mark.parametrize("wishes", [
    Wishes(header={"": "x"}), Wishes(dates={"": "ymd"}), Wishes(encoding={"": "nonsense"}), Wishes(decimal={"": "x"}),
    Wishes(encoding={"": "hex"}), Wishes(encoding={"": "undefined"}),
])  # fmt: skip
def test_a_wish_that_makes_no_sense_gets_a_sentence(tmp_path: Path, wishes: Wishes) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match=r"^--\w+ \w+: "):
        brought(tmp_path / "t.csv", wishes)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_csv_file_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "t.csv").write_text("name,x\nGröße,1\n", encoding)
    if encoding == "cp1252":
        with pytest.raises(SourceError, match=r"line 2 is not UTF-8 .*--encoding cp1252, which reads “Größe”"):
            brought(tmp_path / "t.csv")
    wishes = Wishes(encoding={"": encoding if encoding == "cp1252" else ""})
    assert brought(tmp_path / "t.csv", wishes)[1] == [("Größe", "1")]


BINARY = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1" + bytes(range(256)) * 3


@pytest.mark.parametrize("encoding", ["", "cp1252", "cp1251", "mac_roman", "gb18030", "utf-16-le", "utf-16", "utf-32"])
@pytest.mark.parametrize("data", [BINARY, b"a,b\n\x81\x8d,1\n\x98,\xff\n", b"\xff\xfea", b"\xff\xfea\0\0\xd8a\0"])
def test_what_is_no_text_gets_one_sentence_in_every_encoding(tmp_path: Path, data: bytes, encoding: str) -> None:
    (tmp_path / "fine.csv").write_text("a,b\n1,2\n")
    (tmp_path / "t.csv").write_bytes(data)
    try:
        brought(tmp_path, Wishes(encoding={"t.csv": encoding}))
    except SourceError as error:
        assert re.search(r"t\.csv (is no text|is not [\w-]+ text|holds)|t\.csv, line \d is not UTF-8", str(error))
        assert data != BINARY or encoding in ("utf-16", "utf-16-le") or "is no text: it holds bytes" in str(error)
    else:
        assert encoding == "mac_roman"


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_left_out_by_name(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "fine.csv").write_text("a,b\n1,2\n")
    (tmp_path / "none.csv").write_bytes(data)
    assert brought(tmp_path)[2] == ["none.csv is empty and was left out."]


def test_what_other_programs_leave_in_a_folder_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    for name in ("._t.csv", "~$t.csv"):
        (tmp_path / name).write_bytes(b"\0\5\26\7\xff")
    assert brought(tmp_path)[1] == [("1", "2")]


def test_texts_of_sqlite_come_over_as_they_are(tmp_path: Path) -> None:
    texts = ["20th Ave\r\nApt 2", "\r", 'a "b", c\n', "x" * 3_000_000, "a\0b", ""]
    source = in_sqlite(tmp_path / "t.sqlite", 'CREATE TABLE t ("" INTEGER, x TEXT)', *enumerate(texts))
    columns, rows, notes = brought(source)
    assert list(columns) == ["column_", "x"]
    assert [text for _, text in rows] == [text.replace("\0", "") for text in texts]
    assert notes == ["t.x held the sign NUL, which was taken out (rows: 1)."]


@pytest.mark.parametrize(
    ("declared", "value", "kind", "note"),
    [
        ("DATE", "bad", "VARCHAR", "t.x is declared DATE and holds values such as “bad”; it is kept as text."),
        ("DATE", "", "VARCHAR", "t.x is declared DATE and holds empty texts; it is kept as text."),
        ("DATETIME", "2020-13-45", "VARCHAR",
         "t.x is declared DATETIME and holds values such as “2020-13-45”; it is kept as text."),
        ("INTEGER", "many", "VARCHAR", "t.x is declared INTEGER and holds values such as “many”; it is kept as text."),
        ("BOOLEAN", 7, "BIGINT", "t.x is declared BOOLEAN and holds values such as “7”; it is kept as a number."),
        ("DATE", "2020-12-31", "DATE", ""),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_its_declaration_costs_the_type_and_nothing_else(
    tmp_path: Path, declared: str, value: object, kind: str, note: str
) -> None:
    fitting = 1 if declared in ("INTEGER", "BOOLEAN") else "1990-01-02"
    made = f"CREATE TABLE t (id INTEGER PRIMARY KEY, x {declared})"
    columns, rows, notes = brought(in_sqlite(tmp_path / "t.sqlite", made, (1, fitting), (2, value), (3, None)))
    assert (columns["x"], notes) == (kind, [note] if note else [])
    assert [x is None for _, x in rows] == [False, False, True]


def test_a_time_with_a_zone_is_kept_as_utc(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as db:
        db.execute("CREATE TABLE t AS SELECT TIMETZ '10:00:00+02' AS x, TIMESTAMPTZ '2020-01-02 03:04:05+02' AS y")
    columns, rows, notes = brought(tmp_path / "t.duckdb")
    assert columns == {"x": "TIME", "y": "TIMESTAMP"}
    assert rows == [("08:00:00", "2020-01-02 01:04:05")]
    assert notes == ["t.x had a time zone; it is kept as UTC.", "t.y had a time zone; it is kept as UTC."]


def test_a_text_of_sqlite_that_is_not_utf8_is_named_and_an_encoding_reads_it(tmp_path: Path) -> None:
    source = in_sqlite(tmp_path / "t.sqlite", "CREATE TABLE t (id INTEGER, n TEXT)", (1, "a"))
    with closing(sqlite3.connect(source)) as db:
        db.execute("INSERT INTO t VALUES (2, CAST(x'4772F6DF65' AS TEXT))")
        db.commit()
    with pytest.raises(SourceError, match=r"row 2 of the table t .* column n .*--encoding cp1252, which reads “Größe”"):
        brought(source)
    _, rows, notes = brought(source, Wishes(encoding={"": "cp1252"}))
    assert rows == [("1", "a"), ("2", "Größe")]
    assert notes == ["t.n has texts that are not UTF-8; they were read as cp1252 (rows: 1)."]


def test_a_name_that_is_not_utf8_gets_a_sentence(tmp_path: Path) -> None:
    source = in_sqlite(tmp_path / "t.sqlite", "CREATE TABLE t (id INTEGER, nXX TEXT)", (1, "a"))
    source.write_bytes(source.read_bytes().replace(b"nXX", b"n\xf6\xdf"))
    with pytest.raises(SourceError, match=r"t\.sqlite has a name that is not UTF-8 text: “n\\xf6\\xdf”"):
        brought(source)


def test_names_of_every_script_are_headings_and_can_be_asked_for(tmp_path: Path) -> None:
    listed = ", ".join(f'"{name}" TEXT' for name in NAMES)
    script = f'CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, {listed})'
    source = in_sqlite(tmp_path / "t.sqlite", script, (1, *map(str, range(10))), (2, *map(str, range(10, 20))))
    with closing(sqlite3.connect(source)) as db:
        db.execute('ALTER TABLE t RENAME TO "Студенты группы"')
    pack = load_pack(new_pack(source, tmp_path / "pack", lambda what, share: None).folder)
    columns = list(pack.tables["студенты_группы"])
    answer = answer_statement(pack, f"SELECT {', '.join(columns[1:])} FROM студенты_группы")

    assert answer.error is None
    assert answer.headings == [
        "Größe", "Łódź", "Ταινία", "Фильм актёра", "שם", "اسم", "हिन्दी", "ชื่อ", "编号", "Имя number",
    ]  # fmt: skip
    assert pack.headings["id"] == "Студенты группы number"
    drafter = LocalDrafter(pack, database(pack), [])
    assert drafter.drafts(Request("show हिन्दी and шׁם of студенты группы"))


def test_progress_names_each_table_while_it_is_read_and_looked_at(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.csv").write_text("a,b\n1,x\n2,y\n")
    steps: list[tuple[str, float]] = []
    new_pack(tmp_path, tmp_path / "pack", lambda what, share: steps.append((what, share)))
    assert [share for _, share in steps] == sorted(share for _, share in steps)
    for name in ("one", "two", "three"):
        assert {f"reading {name}.csv", f"looking for the key of {name}"} <= {what for what, _ in steps}


@pytest.mark.parametrize("kind", ["csv", "parquet", "duckdb", "sqlite"])
def test_a_table_of_too_many_columns_is_refused_in_one_sentence(tmp_path: Path, kind: str) -> None:
    source = tmp_path / f"wide.{kind}"
    wide = f"CREATE TABLE wide AS SELECT {', '.join(f'{number} AS c{number}' for number in range(1001))}"
    if kind == "sqlite":
        in_sqlite(source, wide)
    with duckdb.connect(str(tmp_path / "wide.duckdb")) as db:
        db.execute(wide)
        if kind in ("csv", "parquet"):
            db.execute(f"COPY wide TO '{source}' (FORMAT {kind})")
    with pytest.raises(SourceError, match=rf"{source}.* has 1,001 columns, and a table of a pack can have 1,000\."):
        brought(source)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Größe", "cp1252"), ("Albarracín", "cp1252"), ("Größe", "cp850"), ("москва и Киев", "cp1251"),
     ("Αθήνα και Πάτρα", "cp1253"), ("Γιώργος", "cp1253"), ("Война и мир", "cp1251"), ("שלום עולם ירושלים", "cp1255"),
     ("مرحبا", "cp1256"), ("北京 上海 广州", "gb18030")],
)  # fmt: skip
def test_the_likeliest_encoding_is_offered_first_with_what_it_reads(text: str, encoding: str) -> None:
    offered = advice_on_encoding([text.encode(encoding)])
    assert offered.startswith(f"--encoding {encoding}, which reads “{text.split()[0]}”")
