import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, PackError, bundled_packs, load_pack

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
        "import sys; import curtain.domain.pack.pack, curtain.domain.worker.worker, curtain.domain.worker.answer;"
        "print([name for name in ('duckdb', 'sqlglot', 'numpy', 'PySide6') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
