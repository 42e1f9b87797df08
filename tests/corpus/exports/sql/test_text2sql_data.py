"""The form of text2sql-data: its keys, its variables, and each query with all its questions."""

import json
import os
import re
import subprocess
import sys
from functools import partial

import duckdb
import pytest

from curtain.corpus.exports.sql import text2sql_data
from curtain.corpus.exports.sql.text2sql_words import statement_of
from curtain.corpus.model.utterance import Reference
from tests.corpus.given import corpus, session, utterance, written_by

exported = partial(written_by, text2sql_data.write)


ALONE = {"eval_class": "A", "class_from": "annotated"}


@pytest.fixture(scope="module")
def made(given_toy, tmp_path_factory):
    return exported(given_toy, tmp_path_factory.mktemp("text2sql") / "out")


def with_values(text, variables):
    for name, value in variables.items():
        text = text.replace(name, value)
    return text


def test_entries_have_the_keys_of_the_form(made):
    folder, _ = made
    entries = json.loads((folder / "personnel.json").read_text("utf-8"))
    assert len(entries) > 20
    for entry in entries:
        assert set(entry) == {"comments", "old-name", "query-split", "sentences", "sql", "variables"}
        assert (entry["comments"], entry["old-name"]) == ([], "")
        assert entry["query-split"] in ("train", "dev", "test")
        assert all(set(one) == {"name", "type", "example", "location"} for one in entry["variables"])
        for sentence in entry["sentences"]:
            assert {"text", "variables", "question-split"} <= set(sentence)
            assert set(sentence["variables"]) == {one["name"] for one in entry["variables"]}


def known_utterances(given):
    return {one.utterance_id: one for kept in given.sessions() for one in kept.utterances}


def best_first(one):
    return [reading.sql_min for reading in sorted(one.references, key=lambda reading: -reading.weight)]


def plain(text):
    """A question without what the values of the database may change in it: case, and the commas of figures."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", " ".join(text.split())).casefold()


def test_questions_come_back_when_values_are_put_in(made, given_toy):
    folder, shown = made
    known = known_utterances(given_toy)
    sentences = [
        one for entry in json.loads((folder / "personnel.json").read_text("utf-8")) for one in entry["sentences"]
    ]
    for sentence in sentences:
        one = known[sentence["utterance-id"]]
        assert plain(with_values(sentence["text"], sentence["variables"])) == plain(one.query)
    assert len(sentences) == shown.utterances > 20
    assert shown.utterances + sum(shown.dropped.values()) == len(known)


def test_a_query_filled_with_the_values_of_a_question_answers_as_its_reference(made, given_toy):
    folder, shown = made
    known, asked = known_utterances(given_toy), 0
    with duckdb.connect(str(given_toy.database("personnel")), read_only=True) as database:
        for entry in json.loads((folder / "personnel.json").read_text("utf-8")):
            for sentence in entry["sentences"]:
                filled = [with_values(sql, sentence["variables"]) for sql in entry["sql"]]
                references = best_first(known[sentence["utterance-id"]])
                assert [rows(database, sql) for sql in filled] == [rows(database, sql) for sql in references]
                asked += 1
    assert asked == shown.utterances


def test_the_values_of_an_entry_are_its_first_question_s(made):
    for entry in json.loads((made[0] / "personnel.json").read_text("utf-8")):
        assert {one["name"]: one["example"] for one in entry["variables"]} == entry["sentences"][0]["variables"]


def rows(database, sql):
    return sorted(map(repr, database.execute(sql).fetchall()))


def words_outside_quotes(sql):
    return re.sub(r"""'[^']*'|"[^"]*\"""", "''", sql).split()


def test_brackets_words_and_signs_are_tokens_between_spaces(made):
    for entry in json.loads((made[0] / "personnel.json").read_text("utf-8")):
        names = {one["name"] for one in entry["variables"]}
        for sql in entry["sql"]:
            words = words_outside_quotes(sql)
            assert (words[0], words[-1]) == ("SELECT", ";")
            for word in words:
                assert word in names or word == word.upper()
                assert (
                    word in ("(", ")", ",", "=", ">", "<")
                    or not set(word[:-1]) & set("(),=<>")
                    or word in (">=", "<=", "<>")
                )
            assert sum(word.endswith("(") for word in words) == words.count(")")


def test_the_tokens_of_a_statement_are_those_of_the_form():
    sql = """select count(*), e."Last name" from employee e where name in ('PLANO','O''HARE') and pay>=1.5 and
        x is not null and f(a,(select min(y) from t)) <> -3 -- why
        and d = now();"""
    assert statement_of(sql).text() == (
        """SELECT COUNT( * ) , E."Last name" FROM EMPLOYEE E WHERE NAME IN ( 'PLANO' , 'O''HARE' ) AND PAY >= 1.5 """
        "AND X IS NOT NULL AND F ( A , ( SELECT MIN( Y ) FROM T ) ) <> - 3 AND D = NOW() ;"
    )


def test_values_know_the_column_they_are_compared_to():
    sql = "SELECT a FROM t WHERE city IN ('PLANO', 'MOON') AND pay BETWEEN 1 AND 2 AND t.name NOT LIKE '%X%' LIMIT 5"
    assert [(one.value, one.column) for one in statement_of(sql).literals()] == [
        ("PLANO", "city"), ("MOON", "city"), ("1", "pay"), ("2", "pay"), ("X", "name"), ("5", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sql", ["WITH t AS (SELECT 1 AS a) SELECT a FROM t", "SELECT 1 UNION SELECT 2", "FROM employee", "(SELECT 1)"]
)
def test_a_statement_that_the_tools_of_the_form_cannot_read_is_left_out_and_counted(tmp_path, given_toy, sql):
    one = utterance(1, query="Who?", references=(Reference(sql, "1"),), **ALONE)
    _, shown = exported(corpus(session(one), personnel=given_toy.database("personnel")), tmp_path / "out")
    assert (shown.utterances, list(shown.dropped.values())) == (0, [1])
    assert next(iter(shown.dropped)).startswith("the tools of text2sql-data cannot read it: ")


def test_no_name_of_a_value_stands_in_another_or_in_the_words(tmp_path, given_toy):
    """The form replaces names wherever they stand, so that `pay1` would spoil `pay10`."""
    figures = [str(1000 + number) for number in range(12)]
    asked = utterance(1, query=f"Is pay0 the word, or {', '.join(figures)}?", split="train", **ALONE,
                      references=(Reference(f"SELECT a FROM t WHERE pay IN ({', '.join(figures)})", "1"),))  # fmt: skip
    (entry,) = entries_of(tmp_path / "out", given_toy, asked)
    names = list(entry["sentences"][0]["variables"])
    assert len(names) == 12 and "pay0" not in names
    assert not [(one, other) for one in names for other in names if one != other and one in other]
    assert with_values(entry["sentences"][0]["text"], entry["sentences"][0]["variables"]) == asked.query


@pytest.mark.soak
def test_the_tools_of_the_repository_read_what_we_write(made, given_toy, tmp_path):
    """`CURTAIN_TEXT2SQL_TOOLS` names the folder `tools` of a checkout of jkkummerfeld/text2sql-data."""
    tools = os.environ.get("CURTAIN_TEXT2SQL_TOOLS")
    if not tools:
        pytest.skip("Set CURTAIN_TEXT2SQL_TOOLS to the folder `tools` of a checkout of jkkummerfeld/text2sql-data.")
    file, shown = made[0] / "personnel.json", made[1]
    stats = run_tool(tools, "corpus_stats.py", str(file))
    assert f"sentences {shown.utterances}" in stats.splitlines()
    flat = run_tool(tools, "json_to_flat.py", "--to_stdout", str(tmp_path / "flat"), given=str(file))
    assert_answers_are_the_references(flat.splitlines(), file, given_toy)


def run_tool(tools, name, *arguments, given=""):
    command = [sys.executable, f"{tools}/{name}", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_answers_are_the_references(lines, file, given_toy):
    known = known_utterances(given_toy)
    ids = [one["utterance-id"] for entry in json.loads(file.read_text("utf-8")) for one in entry["sentences"]]
    assert len(lines) == len(ids) > 20
    with duckdb.connect(str(given_toy.database("personnel")), read_only=True) as database:
        for line, name in zip(lines, ids, strict=True):
            text, _, sql = line.partition(" ||| ")
            assert plain(text) == plain(known[name].query)
            assert rows(database, sql) == rows(database, best_first(known[name])[0])


def test_questions_that_differ_in_values_share_a_query(tmp_path, given_toy):
    asked = [
        utterance(number, query=f"Where does {name} live?", split="train", **ALONE,
                  references=(Reference(f"SELECT city FROM employee WHERE last_name = '{name.upper()}'", "1"),))
        for number, name in enumerate(["Lease", "Van Dyke"], 1)
    ]  # fmt: skip
    folder, _ = exported(corpus(session(*asked), personnel=given_toy.database("personnel")), tmp_path / "out")
    (entry,) = json.loads((folder / "personnel.json").read_text("utf-8"))
    assert entry["sql"] == ["SELECT CITY FROM EMPLOYEE WHERE LAST_NAME = 'last_name0' ;"]
    assert [one["text"] for one in entry["sentences"]] == ["Where does last_name0 live?"] * 2
    assert [one["variables"] for one in entry["sentences"]] == [{"last_name0": "LEASE"}, {"last_name0": "VAN DYKE"}]
    assert [one["question-split"] for one in entry["sentences"]] == ["train", "train"]


def test_the_schema_names_every_column(made):
    folder, _ = made
    lines = (folder / "personnel-schema.csv").read_text("utf-8").splitlines()
    assert lines[0] == "Table Name,Field Name,Is Primary Key,Is Foreign Key,Type"
    assert "degree,employee_id,y,y,integer" in lines
    assert "employee,hire_date,n,n,date" in lines


def test_nothing_else_is_left_in_the_folder(made):
    assert sorted(path.name for path in made[0].iterdir()) == ["personnel-schema.csv", "personnel.json"]


def entries_of(folder, given_toy, *asked):
    made, _ = exported(corpus(session(*asked), personnel=given_toy.database("personnel")), folder)
    return json.loads((made / "personnel.json").read_text("utf-8"))


def test_questions_that_differ_in_figures_share_a_query(tmp_path, given_toy):
    asked = [
        utterance(number, query=f"Who in department {department} earns over {said}?", split=split, **ALONE,
                  references=(Reference(f"SELECT name FROM worker WHERE dept45 = {department} AND pay > {pay}", "1"),))
        for number, (department, said, pay, split) in enumerate(
            [("45", "30,000", "30000", "train"), ("7", "250.5", "250.5", "test")], 1)
    ]  # fmt: skip
    (entry,) = entries_of(tmp_path / "out", given_toy, *asked)
    assert entry["sql"] == ["SELECT NAME FROM WORKER WHERE DEPT45 = dept450 AND PAY > pay0 ;"]
    assert [one["text"] for one in entry["sentences"]] == ["Who in department dept450 earns over pay0?"] * 2
    assert [one["variables"] for one in entry["sentences"]] == [
        {"dept450": "45", "pay0": "30000"}, {"dept450": "7", "pay0": "250.5"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("Who earns most?", "SELECT NAME FROM EMPLOYEE ORDER BY PAY DESC LIMIT 1"),
        ("Who was hired in 1985?", "SELECT NAME FROM EMPLOYEE WHERE HIRE_DATE >= '1985-01-01'"),
        ("Who sits in 4.5?", "SELECT NAME FROM EMPLOYEE WHERE ROOM = 5 OR FLOOR = 4"),
    ],
)
def test_figures_that_stand_only_in_the_query_stay(tmp_path, given_toy, said, sql):
    one = utterance(1, query=said, references=(Reference(sql, "1"),), **ALONE)
    (entry,) = entries_of(tmp_path / "out", given_toy, one)
    assert (entry["sql"], entry["sentences"][0]["text"], entry["variables"]) == ([f"{sql} ;"], said, [])
