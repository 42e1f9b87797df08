from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, PackError, bundled_packs, load_pack
from curtain.domain.pack.schema import SchemaFault, read_schema
from curtain.domain.worker.worker import SqlWorker

MakePack = Callable[..., Path]


def test_a_pack_is_what_its_folder_says(pack: Pack) -> None:
    assert (pack.name, pack.title, pack.as_of, pack.dialect) == ("workshop", "Workshop", date(1989, 8, 19), "1989")
    assert list(pack.tables) == ["dept", "person"]
    assert pack.tables["person"]["salary"] == "DECIMAL(9,2)"
    assert pack.headings["person.id"] == "Number"
    assert pack.canonical == {"person": ["person.id"]}


def test_a_pack_has_a_name_that_is_found_from_every_folder(
    make_pack: MakePack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = make_pack()
    monkeypatch.chdir(folder.parent)
    named = load_pack("workshop").lasting_name
    (folder.parent / "personnel").mkdir()
    (folder.parent / "personnel" / "domain.toml").write_text("")
    bundled = load_pack("personnel").lasting_name
    monkeypatch.chdir(tmp_path)

    assert load_pack(named).folder == folder
    assert bundled == "personnel"


def test_a_scenario_holds_nothing_of_its_solution(pack: Pack) -> None:
    scenario = pack.scenario("one")

    assert scenario.text == "Find out."
    assert "SELECT" not in repr(scenario)
    assert pack.solution("one") is not None
    assert pack.solution("one").accepted == ["one"]  # type: ignore[union-attr]


def test_examples_and_principles_are_read_when_asked_for(pack: Pack) -> None:
    assert [example.answer for example in pack.examples()] == ["40"]
    assert pack.principles() == {}


def test_headings_may_be_written_with_or_without_quotes(make_pack: MakePack) -> None:
    pack = load_pack(make_pack(domain='title = "X"\nas_of = 1989-08-19\n[headings]\nperson.id = "A"\nname = "B"\n'))

    assert pack.headings == {"person.id": "A", "name": "B"}


@pytest.mark.parametrize(
    ("changed", "file", "fault"),
    [
        ({"domain": "title ="}, "domain.toml", "is not TOML"),
        ({"domain": 'title = "X"\n'}, "domain.toml", "“as_of” is missing; add it"),
        ({"domain": ("title =", "titel =")}, "domain.toml", "titel"),
        (
            {"domain": ("title =", "briefing_examples = []\ntitle =")},
            "domain.toml",
            "“briefing_examples” is not known here",
        ),
        ({"domain": ('"1989"', '"1991"')}, "domain.toml", "1991"),
        ({"domain": ('"boolean"', '"maybe"')}, "domain.toml", "maybe"),
        ({"domain": ("born =", "bron =")}, "domain.toml", "bron"),
        ({"domain": ('"Name"', "5")}, "domain.toml", "“name” is not a text"),
        ({"schema": "CREATE TABLE person (id)"}, "schema.sql", "“id” of table “person” has no type"),
        ({"schema": "SELECT 1"}, "schema.sql", "no CREATE TABLE"),
        ({"schema": None}, "schema.sql", "cannot be read"),
        ({"scenarios": 'id = "one"'}, "one.toml", "“title” is missing; add it"),
        ({"scenarios": 'id = "1"\ntitle = "x"\ntext = "x"\nsql = "SELECT 1"'}, "one.toml", "“sql” is not known here"),
        ({"scenarios": 'id = "1"\ntitle = "x"\ntext = "x"\nkind = "ajar"'}, "one.toml", "ajar"),
    ],
)
def test_a_broken_pack_is_refused_with_its_file_and_fault(
    make_pack: MakePack, changed: dict[str, str | tuple[str, str] | None], file: str, fault: str
) -> None:
    with pytest.raises(PackError) as caught:
        load_pack(make_pack(**changed))

    assert file in str(caught.value)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_line_of_examples_is_named(make_pack: MakePack) -> None:
    with pytest.raises(PackError, match=r"examples\.jsonl: line 2"):
        load_pack(make_pack(examples='{"question": "a", "sql": "b"}\n{"question"\n')).examples()


def test_a_name_that_is_no_pack_is_reported_with_those_there_are(tmp_path: Path) -> None:
    for name in ("nowhere", str(tmp_path), tmp_path / "nothing", ""):
        with pytest.raises(PackError, match="no domain pack"):
            load_pack(name)


@pytest.mark.parametrize("name", bundled_packs())
def test_every_bundled_pack_can_be_loaded(name: str) -> None:
    pack = load_pack(name)

    assert pack.tables
    assert pack.scenarios
    assert all(pack.solution(scenario.id) for scenario in pack.scenarios if scenario.kind == "closed")
    assert pack.examples()


def test_neither_packs_nor_the_worker_import_what_is_slow() -> None:
    check = (
        "import sys; import curtain.domain.pack.pack, curtain.domain.worker.worker, curtain.domain.answer;"
        "print([name for name in ('duckdb', 'sqlglot', 'numpy', 'PySide6') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def test_tables_columns_and_types_are_read_in_lower_case_and_in_order() -> None:
    tables = read_schema('CREATE TABLE Flight (Flight_ID INTEGER, "To" VARCHAR NOT NULL, fare DECIMAL(9, 2) NULL);')

    assert tables == {"flight": {"flight_id": "INTEGER", "to": "VARCHAR", "fare": "DECIMAL(9,2)"}}
    assert list(tables["flight"]) == ["flight_id", "to", "fare"]


def test_constraints_comments_and_other_statements_are_no_columns() -> None:
    text = """
    -- CREATE TABLE ghost (x INTEGER);
    CREATE INDEX i ON a (b);
    CREATE TABLE IF NOT EXISTS a (
        b INTEGER PRIMARY KEY, /* c INTEGER, */ d VARCHAR DEFAULT 'x, y; z',
        PRIMARY KEY (b), FOREIGN KEY (d) REFERENCES e (f), CHECK (b > 0), UNIQUE (b, d)
    );
    """
    assert read_schema(text) == {"a": {"b": "INTEGER", "d": "VARCHAR"}}


@pytest.mark.parametrize(
    "text",
    ["CREATE TABLE", "CREATE TABLE a", "CREATE TABLE a ()", "CREATE TABLE a (b)", "CREATE TABLE a AS SELECT 1"],
)
def test_a_table_that_cannot_be_read_is_a_fault(text: str) -> None:
    with pytest.raises(SchemaFault):
        read_schema(text)


@pytest.mark.parametrize(
    ("sql", "headings"),
    [
        ("SELECT id, name, born, salary FROM person", ["Number", "Name", "Date of birth", "Salary"]),
        ("SELECT name FROM dept", ["Department"]),
        ("SELECT p.name, d.name FROM person p, dept d", ["Name", "Department"]),
        ("SELECT a.name, b.name FROM person a, person b", ["Name", "Name (2)"]),
        ("SELECT * FROM dept", ["Department number", "Department"]),
        ("SELECT d.* FROM person p JOIN dept d USING (dept)", ["Department number", "Department"]),
        ("SELECT * EXCLUDE (id, born, starts, salary, share, active) FROM person", ["Name", "Department number"]),
        ("SELECT * EXCLUDE (id, born, starts, salary, share, active) FROM person JOIN dept USING (dept)",
         ["Name", "Department number", "Department"]),
        ("SELECT count(*) FROM person", ["Count"]),
        ("SELECT count(DISTINCT dept) FROM person", ["Count"]),
        ("SELECT avg(salary), sum(salary), median(salary) FROM person",
         ["Average salary", "Total salary", "Median salary"]),
        ("SELECT min(salary), max(born), min(name), max(starts) FROM person",
         ["Lowest salary", "Latest date of birth", "Name (first)", "Latest starts"]),
        ("SELECT round(avg(salary)), CAST(id AS VARCHAR), upper(name), coalesce(born, NULL) FROM person GROUP BY ALL",
         ["Average salary", "Number", "Name", "Date of birth"]),
        ("SELECT year(born), salary * 2, 1, 'x' FROM person",
         ["Year of date of birth", "Value", "Value (2)", "Value (3)"]),
        ("SELECT salary AS pay_per_day, salary AS born, 1 AS \"a;b\" FROM person",
         ["Pay per day", "Date of birth", "Value"]),
        ("SELECT date_diff('year', born, DATE '1989-08-19'), date_diff('day', born, born) FROM person",
         ["Years", "Days"]),
        ("SELECT count(*) > 3 FROM person", ["Answer"]),
        ("SELECT EXISTS (SELECT 1 FROM person)", ["Answer"]),
        ("SELECT name LIKE 'N%' FROM person", ["Answer"]),
        ("SELECT (SELECT max(salary) FROM person)", ["Highest salary"]),
        ("WITH w AS (SELECT dept, avg(salary) FROM person GROUP BY dept) SELECT * FROM w",
         ["Department number", "Average salary"]),
        ("WITH w(a, b) AS (SELECT dept, id FROM person) SELECT b, a FROM w", ["B", "A"]),
        ("SELECT x.name, x.n FROM (SELECT name, count(*) AS n FROM dept GROUP BY name) x", ["Department", "N"]),
        ("SELECT name FROM person UNION SELECT name FROM dept", ["Name"]),
        ("SELECT rank() OVER (ORDER BY salary), sum(salary) OVER () FROM person", ["Rank", "Total salary"]),
        ("VALUES (1, 2)", ["Value", "Value (2)"]),
        ("SELECT * FROM (VALUES (1, 2)) AS v (left_side, b)", ["Left side", "B"]),
        ("SELECT COLUMNS('^(id|name)$') FROM person", ["Id", "Name"]),
        ("SELECT CASE WHEN active THEN 'x' END, -salary FROM person", ["Value", "Value (2)"]),
    ],
)  # fmt: skip
def test_headings_are_the_words_of_the_pack_and_never_sql(worker: SqlWorker, sql: str, headings: list[str]) -> None:
    result = worker.run(sql).result(timeout=6)

    assert result.error is None
    assert result.headings == headings
