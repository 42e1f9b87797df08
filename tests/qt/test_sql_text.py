import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.qt.sql_text import EditorSchema, coloured, completions

SCHEMA = EditorSchema(
    tables={"employee": ("employee_id", "last_name", "department"), "department": ("department", "department_name")},
    values={("employee", "last_name"): ("GRAHAM", "O'BRIEN", "WALTERS")},
)


def items(before: str, after: str = "") -> tuple[str, ...]:
    return completions(before, after, SCHEMA).items


def test_columns_of_the_tables_in_use_come_first() -> None:
    assert items("SELECT d", " FROM department")[:2] == ("department", "department_name")
    assert items("SELECT last", " FROM employee") == ("last_name",)


def test_after_an_alias_only_its_columns_are_offered() -> None:
    assert items("SELECT e. FROM employee e WHERE e.") == ("employee_id", "last_name", "department")
    assert items("SELECT x.") == ()


@pytest.mark.parametrize(
    "before",
    ["WHERE last_name = '", "WHERE e.last_name='", "WHERE last_name IN ('GRAHAM', '", "WHERE last_name LIKE '"],
)
def test_inside_quotes_the_values_of_the_column_are_offered(before: str) -> None:
    offered = completions(before, "", SCHEMA)
    assert offered.items == ("GRAHAM", "O''BRIEN", "WALTERS")
    assert offered.closing == "'"


def test_a_quote_that_stands_already_is_not_typed_again() -> None:
    assert completions("WHERE last_name = 'GR", "'", SCHEMA).closing == ""
    assert completions("WHERE last_name = 'GR", "'", SCHEMA).typed == 2


@pytest.mark.parametrize("before", ["-- sel", "SELECT 'GRAHAM' -- e", "/* emp", "SELECT 'x", "SELECT last_name"])
def test_nothing_is_offered_in_comments_in_other_strings_and_for_whole_words(before: str) -> None:
    assert items(before) == ()


def test_words_that_contain_the_letters_come_after_those_that_begin_with_them() -> None:
    assert items("SELECT name", " FROM employee, department")[:2] == ("last_name", "department_name")


def test_every_kind_of_word_is_told_apart() -> None:
    kinds = [one.kind.value for one in coloured("SELECT n, 1.5, 'a''b' FROM t -- end")]
    assert kinds == ["word", "sign", "number", "sign", "string", "word", "comment"]


@given(st.text(alphabet="abe.'\"-/*(), \n=fromin", max_size=60), st.text(alphabet="a', from\n", max_size=10))
def test_any_half_written_statement_is_borne(before: str, after: str) -> None:
    offered = completions(before, after, SCHEMA)
    assert 0 <= offered.typed <= len(before)
