"""What a pack says of its database, with the words of another language, and the packs that come with Curtain."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path

import pytest

from curtain.domain.pack.cells import display_rows, text_of
from curtain.domain.pack.pack import Pack, PackError, bundled_packs, load_pack, loading_problems
from curtain.domain.pack.schema import SchemaError, read_schema

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
    assert pack.solution("one").accepted == ["one"]  # type: ignore[union-attr]


def test_examples_and_principles_are_read_when_asked_for(pack: Pack) -> None:
    assert [example.answer for example in pack.examples()] == ["40"]
    assert pack.principles() == {}


def test_headings_may_be_written_with_or_without_quotes(make_pack: MakePack) -> None:
    pack = load_pack(make_pack(domain='title = "X"\nas_of = 1989-08-19\n[headings]\nperson.id = "A"\nname = "B"\n'))

    assert pack.headings == {"person.id": "A", "name": "B"}


@pytest.mark.parametrize(
    ("changed", "file", "problem"),
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
        ({"domain": ("[headings]", '[units]\nsalary = "USD"\n[headings]')}, "domain.toml", "[units] names “salary”"),
        ({"domain": ("[headings]", '[units]\nperson.salary = "US $"\n[headings]')}, "domain.toml", "the unit “US $”"),
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
def test_a_broken_pack_is_refused_with_its_file_and_problem(
    make_pack: MakePack, changed: dict[str, str | tuple[str, str] | None], file: str, problem: str
) -> None:
    with pytest.raises(PackError) as caught:
        load_pack(make_pack(**changed))

    assert file in str(caught.value)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_line_of_examples_is_named(make_pack: MakePack) -> None:
    with pytest.raises(PackError, match=r"examples\.jsonl: line 2"):
        load_pack(make_pack(examples='{"question": "a", "sql": "b"}\n{"question"\n')).examples()


def test_a_name_that_is_no_pack_is_reported_with_those_there_are(tmp_path: Path) -> None:
    for name in ("nowhere", str(tmp_path), tmp_path / "nothing", ""):
        with pytest.raises(PackError, match="no domain pack"):
            load_pack(name)


def test_neither_packs_nor_the_worker_import_what_is_slow() -> None:
    check = (
        "import sys; import curtain.domain.pack.pack, curtain.domain.worker.worker, curtain.domain.worker.answer;"
        "print([name for name in ('duckdb', 'sqlglot', 'numpy', 'PySide6') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def words_of(pack: Pack) -> dict[str, str]:
    """Everything that a subject reads, by its place."""
    words = {"title": pack.title, "description": pack.description, **pack.headings}
    words |= {f"readable {entity} {at}": heading for entity, shown in pack.readable.items()
              for at, heading in enumerate(shown)}  # fmt: skip
    return words | {f"{one.id} {part}": getattr(one, part) for one in pack.scenarios for part in ("title", "text")}


@pytest.mark.parametrize("name", bundled_packs())
def test_a_bundled_pack_is_german_throughout(name: str) -> None:
    english, german = load_pack(name), load_pack(name).in_language("de")
    # The same in both languages.
    same = {"Premium", "Economy", "Code", "Service"}
    before, after = words_of(english), words_of(german)
    assert before.keys() == after.keys()
    assert [place for place, words in after.items() if words == before[place] and words not in same] == []
    assert german.formats.truth == ("Ja", "Nein", "Unbekannt")
    assert [one.id for one in german.scenarios] == [one.id for one in english.scenarios]
    assert {entity: list(shown.values()) for entity, shown in german.readable.items()} == {
        entity: list(shown.values()) for entity, shown in english.readable.items()
    }


def test_a_language_without_a_file_leaves_the_pack_as_it_is() -> None:
    pack = load_pack("personnel")
    assert pack.in_language("fr") is pack
    assert pack.in_language("und") is pack


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[scenarios.no-such]\ntitle = "x"', "[scenarios] names “no-such”, which is no scenario of this pack"),
        ('[headings]\nno_such = "x"', "[headings] names “no_such”, which is no column of schema.sql"),
        ("title = 3", "“title” must be a text in quotes"),
        ('boolean = ["Ja"]', "boolean"),
    ],
)
def test_a_wrong_file_is_named_when_the_pack_is_checked(tmp_path: Path, text: str, problem: str) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(load_pack("personnel").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "languages" / "de.toml").write_text(text, "utf-8")
    (one,) = loading_problems(folder)
    assert isinstance(one, PackError)
    assert problem in str(one)
    assert str(folder / "languages" / "de.toml") in str(one)


def test_what_the_file_leaves_out_stays(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(load_pack("personnel").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "languages" / "de.toml").write_text('title = "Leute"', "utf-8")
    pack = load_pack(folder)
    assert pack.in_language("de").title == "Leute"
    assert {**words_of(pack.in_language("de")), "title": pack.title} == words_of(pack)


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
    "text", ["CREATE TABLE", "CREATE TABLE a", "CREATE TABLE a ()", "CREATE TABLE a (b)", "CREATE TABLE a AS SELECT 1"]
)
def test_a_table_that_cannot_be_read_is_a_problem(text: str) -> None:
    with pytest.raises(SchemaError):
        read_schema(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"), (True, "yes"), (False, "no"), (0, "0"), (1_234_567, "1234567"), (-5, "-5"),
        (36.86789869952088, "36.8679"), (270275.0, "270275"), (0.10638297872340426, "0.1064"),
        (0.000012345678, "0.00001235"), (1e22, "10000000000000000000000"), (1e-300, "0"), (-0.0, "0"),
        (Decimal("52000.00"), "52000"), (Decimal("1.50"), "1.5"), (Decimal("1E+3"), "1000"),
        (float("inf"), "infinite"), (float("nan"), "not a number"), (date(1952, 10, 6), "6 Oct 1952"),
        (time(9, 5), "9:05"), (time(23, 0, 7), "23:00:07"), (datetime(1989, 8, 19, 0, 0), "19 Aug 1989, 0:00"),
        ("  as it stands\n", "  as it stands\n"), ("", ""),
    ],
)  # fmt: skip
def test_a_value_is_shown_as_a_person_reads_it(value: object, text: str) -> None:
    assert text_of(value) == text


def test_rows_are_shown_as_long_as_they_fit() -> None:
    rows = [("é" * 10, number) for number in range(9)]

    assert len(display_rows(rows, 21 * 4)) == 4
    assert len(display_rows(rows, 21 * 4 - 1)) == 3
    assert display_rows([], 10) == []


def test_a_first_row_that_is_too_long_is_cut_and_says_so() -> None:
    [[text, number]] = display_rows([("€" * 1000, 5)], 100)

    assert text.endswith("…")
    assert len(text.encode() + number.encode()) <= 100
    assert number == "5"
