"""What a pack lacks, in plain words."""

import json
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.domain.pack.lexicon import read_pack_lexicon
from curtain.domain.pack.pack import PackError, bundled_packs, database, load_pack
from curtain_packs import command
from curtain_packs.check import findings_of_tables, look_over
from curtain_packs.findings import Weight, of_file
from tests.domain.conftest import BUILD, DOMAIN, SCHEMA, MakePack

# Builds the tables as they are, whatever schema.sql says of them.
WITHOUT_SCHEMA = BUILD.replace('(Path(__file__).parent / "schema.sql").read_text()', repr(SCHEMA))
HOW_MANY, WHO = '{"question": "how many", "sql": ', '{"question": "who", "sql": '
ONE = "SELECT id FROM person WHERE id = 1"
SCENARIO = 'id = "one"\ntitle = "One"\ntext = "x"\n'


def shown(folder: Path, cache: Path, weight: Weight) -> list[str]:
    return [f"{one.file}: {one.text}" for one in look_over(folder, cache) if one.weight is weight]


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({"domain": None}, ["no domain pack here"]),
        ({"domain": ('dialect = "1989"', 'dialect = "1988"'), "schema": None},
         ["domain.toml: “dialect” is “1988”", "schema.sql: cannot be read"]),
        ({"domain": ("[canonical]", '[maximum]\nperson = ["person.shoe"]\n[vague]\nage = "person.age"\n[canonical]'),
          "solutions": "sql = \n",
          "examples": [HOW_MANY + '"SELECT count(*) FROM person", "answer": "41"}',
                       HOW_MANY + '"SELECT count(*) FROM persons"}', HOW_MANY + '"SELECT 1", "answer": "((1"}',
                       f'{WHO}"{ONE}", "context": ["whom"]}}', f'{WHO}"{ONE}", "rule_book": 1990}}',
                       f'{{"question": "is it", "sql": "{ONE}0", "yes_no": true, "answer": "false"}}',
                       WHO + '"SELECT 1", "other": ["SELECT 2"], "answer": "1"}']},
         ["domain.toml: [vague] names person.age, and there is no such column.",
          "domain.toml: [maximum] person: “person.shoe” leads to no column.",
          "solutions/one.toml: is not TOML",
          "examples.jsonl: “who”: its context “whom” is no question of this file.",
          "examples.jsonl: “who”: there is no rule-book of 1990.",
          "examples.jsonl: “how many”: the answer is another one now: ",
          "examples.jsonl: “how many”: There is no table “persons”",
          "examples.jsonl: “how many”: its answer cannot be read",
          "examples.jsonl: “is it”: the answer is another one now: ",
          "examples.jsonl: “who”: the answer is another one now: "]),
        ({"examples": [HOW_MANY + '"SELECT 1", "anser": "1"}'], "solutions": 'sql = "SELECT nothing"\n'},
         ["solutions/one.toml: Its SQL does not run",
          "examples.jsonl: line 1: “anser” is not known here. Did you mean “answer”?"]),
        ({"solutions": 'sql = "SELECT 1"\nanswer = "2"\n', "schema": ("CHECK (id > 0)", "PRIMARY KEY (dept)"),
          "build": WITHOUT_SCHEMA},
         ["schema.sql: dept is no key of person: rows share it, or it is empty in some.",
          "solutions/one.toml: Its SQL and its answer do not fit: "]),
    ],
)  # fmt: skip
def test_what_does_not_work_is_a_problem(
    make_pack: MakePack, cache: Path, changed: dict[str, Any], problems: list[str]
) -> None:
    changed |= {"examples": "\n".join(changed["examples"])} if "examples" in changed else {}
    found = shown(make_pack(**changed), cache, Weight.PROBLEM)
    assert [problem for text, problem in zip(found, problems, strict=True) if problem not in text] == []


@pytest.mark.parametrize(
    ("changed", "lacks"),
    [
        ({"domain": DOMAIN.replace('name = "Name"', "").replace("description", "# description"),
          "scenarios": None, "solutions": None},
         ["domain.toml: There is no description for the subject to read.",
          "domain.toml: [headings] says nothing of person.name, person.starts, person.salary, person.share and 1 more; "
          "the subject reads the name of the column.",
          "scenarios: There is no scenario, so a session has nothing to work on."]),
        ({"solutions": None,
          "schema": SCHEMA.replace("-- who works where", "CREATE TABEL cat (id INTEGER);")
                          .replace("share DOUBLE", "share INT")
                          .replace("REFERENCES dept (dept)", "REFERENCES person (salary)"),
          "build": WITHOUT_SCHEMA.replace('f"DEPT {number}"', 'f"\\"{number}\\""')},
         ["principles.toml: There are no principles of interpretation: two wizards may answer differently.",
          "domain.toml: [canonical] does not say what identifies a row of dept.",
          "domain.toml: [maximum] shows nothing of person but the key: nothing else may be shown.",
          "solutions: No solution is given for one.",
          "schema.sql: “CREATE TABEL cat ...” was passed over: only CREATE TABLE is read.",
          "schema.sql: person.share is INT here and DOUBLE in the database.",
          "schema.sql: Not every row has its other side in the reference between person.dept and person.salary: "
          "40 have none.",
          "database: Texts with a double quote or the sign NUL cannot be written in an answer; "
          "there are some in dept.name."]),
        ({"scenarios": f"{SCENARIO}asks_answer = true\n", "solutions": 'sql = "SELECT id FROM person WHERE id > 99"\n',
          "examples": None},
         ["scenarios/one.toml: It does not say kind; a scenario is taken for a closed one whose subject hands in an "
          "answer.",
          "solutions/one.toml: Its SQL finds nothing.",
          "examples.jsonl: There are no questions with their SQL to begin with."]),
        ({"scenarios": f"{SCENARIO}practice = true\n"},
         ["scenarios: There is a scenario for practice only, so a session cannot begin."]),
        ({"scenarios": f'{SCENARIO.replace("one", "own-wish")}kind = "open"\n', "solutions": None},
         ["scenarios: There are only the scenarios that were written by themselves."]),
    ],
)  # fmt: skip
def test_what_would_be_better_there_is_reported(
    make_pack: MakePack, cache: Path, changed: dict[str, Any], lacks: list[str]
) -> None:
    found = look_over(make_pack(**changed), cache)
    assert set(lacks) <= {f"{one.file}: {one.text}" for one in found if one.weight is Weight.LACK}
    assert not [one for one in found if one.weight is Weight.PROBLEM]


def test_files_that_cannot_be_loaded_are_reported_all_at_once(make_pack: MakePack, cache: Path) -> None:
    folder = make_pack(domain=('"1989"', '"1988"'), schema="CREATE TABLE cat;", scenarios='id = "one"\nname = "x"\n')
    (folder / "scenarios" / "two.toml").write_text("id = ", "utf-8")
    assert [one.partition(":")[0] for one in shown(folder, cache, Weight.PROBLEM)] == [
        "domain.toml", "schema.sql", "scenarios/one.toml", "scenarios/two.toml",
    ]  # fmt: skip


def test_what_the_files_say_is_reported_when_the_database_cannot_be_built(make_pack: MakePack, cache: Path) -> None:
    folder = make_pack(
        build="raise ValueError('no tables today')", domain=("[canonical]", "[vague]\na = 'b.c'\n[canonical]")
    )
    (folder / "lexicon.toml").write_text("%% garbage", "utf-8")
    problems = shown(folder, cache, Weight.PROBLEM)
    assert [one.partition(":")[0] for one in problems] == ["build.py", "domain.toml", "lexicon.toml"]


@pytest.mark.parametrize("name", bundled_packs())
def test_the_schema_of_a_bundled_pack_says_of_its_tables_what_is_so(name: str) -> None:
    pack = load_pack(name)
    assert list(findings_of_tables(pack, database(pack))) == []


def test_readings_contexts_and_yes_no_questions_that_fit_are_no_problems(make_pack: MakePack, cache: Path) -> None:
    lines = [
        '{"question": "is it", "sql": "SELECT id FROM person WHERE id = 99", "yes_no": true, "answer": "false"}',
        '{"question": "who", "sql": "SELECT 1", "other": ["SELECT 2"], "answer": "(1 OR 2)", "context": ["is it"]}',
    ]
    folder = make_pack(domain=('dialect = "1989"', 'dialect = "1992"'), examples="\n".join(lines))
    assert shown(folder, cache, Weight.PROBLEM) == []


def test_the_example_of_a_rule_that_nobody_runs_is_reported(make_pack: MakePack, cache: Path) -> None:
    folder = make_pack()
    rule = '[[principle]]\nid = "7"\nreading = "x"\nexample.question = "why"\nexample.sql = "SELECT 1"\n'
    (folder / "principles.toml").write_text(rule, "utf-8")
    assert "principles.toml: The example is not in examples.jsonl: 7." in shown(folder, cache, Weight.LACK)


def test_the_check_ends_with_1_only_if_something_does_not_work(
    make_pack: MakePack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent))
    assert command.check(str(make_pack())) == 0
    assert "lack principles.toml: There are no principles" in capsys.readouterr().out
    assert command.check(str(make_pack(schema=None)), as_json=True) == 1
    [found] = json.loads(capsys.readouterr().out)
    assert (found["weight"], found["file"]) == ("fault", "schema.sql")


def test_a_database_is_built_where_it_is_wanted_and_never_over_another(
    make_pack: MakePack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(make_pack())
    assert command.build(folder, tmp_path / "one.duckdb") == 0
    assert command.build(folder, tmp_path / "two.duckdb", seed=2) == 0
    assert (tmp_path / "one.duckdb").read_bytes() != (tmp_path / "two.duckdb").read_bytes()
    assert capsys.readouterr().out.split() == [str(tmp_path / "one.duckdb"), str(tmp_path / "two.duckdb")]
    with pytest.raises(CurtainError, match="is there already"):
        command.build(folder, tmp_path / "one.duckdb")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.duckdb", "two.duckdb"]


def test_a_pack_without_a_build_has_nothing_to_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("id,name\n1,a\n2,b\n3,c\n")
    assert command.new(tmp_path / "t.csv", tmp_path / "pack") == 0
    assert "tables 1, rows 3" in capsys.readouterr().out
    with pytest.raises(CurtainError, match=r"no build\.py"):
        command.build(str(tmp_path / "pack"), tmp_path / "x.duckdb", seed=3)
    assert command.build(str(tmp_path / "pack"), tmp_path / "x.duckdb") == 0


@pytest.mark.parametrize(
    ("text", "told_of_it"),
    [
        ("%% garbage", "lexicon.toml: is not TOML"),
        ('["person.shoe"]\n44 = ["big"]\n', "lexicon.toml: names “person.shoe”, which is no column of schema.sql."),
        ('[words]\npersons = ["people"]\n', "lexicon.toml: has words for “persons”"),
        ('words = "people"\n', "lexicon.toml: a table of words must hold lists of words in quotes"),
        ('[words]\nperson = "people"\n', "lexicon.toml: a table of words must hold lists of words in quotes"),
        ("a = " + "[" * 100 + "]" * 100, "lexicon.toml: is not TOML: it is nested too deeply"),
    ],
)
def test_a_lexicon_that_drafts_cannot_use_is_a_problem(make_pack: MakePack, text: str, told_of_it: str) -> None:
    (lexicon := make_pack() / "lexicon.toml").write_text(text, "utf-8")
    with pytest.raises(PackError) as refused:
        read_pack_lexicon(load_pack(lexicon.parent))
    finding = of_file(refused.value)
    assert f"{finding.file}: {finding.text}".startswith(told_of_it)


@pytest.mark.parametrize("junk", [b"no database", b"SQLite format 3\0" + bytes(8000)])
def test_a_file_that_is_no_database_is_one_problem_and_read_once(make_pack: MakePack, cache: Path, junk: bytes) -> None:
    question = '{"question": "q%d", "sql": "SELECT id FROM person WHERE id = %d", "answer": "1"}\n'
    folder = make_pack(build=None, examples="".join(question % (n, n) for n in range(200)))
    (folder / "database.duckdb").write_bytes(junk)
    problems = shown(folder, cache, Weight.PROBLEM)
    assert len([problem for problem in problems if "database.duckdb" in problem]) == len(problems) == 1
