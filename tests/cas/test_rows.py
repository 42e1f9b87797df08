"""From Python rows, DuckDB results and other libraries' tables to an answer."""

import sqlite3
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from curtain.cas import CasError, Relation, compare, from_rows, from_table, from_value, parse, write


def test_each_python_type_has_its_notation():
    row = (7, 2.0, Decimal("2.50"), Decimal("12"), "BOS ", True, None, date(1989, 7, 4), time(9, 20))
    assert write(from_rows([row])) == '((7 2.0 2.5 12 "BOS" TRUE NIL "1989-07-04" "09:20:00"))'


def test_a_date_is_written_as_the_dialect_has_it():
    assert write(from_rows([(date(1952, 10, 6),)], "1989")) == '(("06-OCT-52"))'
    assert write(from_rows([(date(1952, 10, 6),)], "1990")) == '(("1952-10-06"))'
    assert write(from_value(datetime(1952, 10, 6, 9, 20), "1989")) == '"1952-10-06 09:20:00"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e22, "10000000000000000000000.0"), (1.5e-7, "0.00000015"), (-0.0, "0.0"), (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0.0"), ("", '""'),
    ],
)  # fmt: skip
def test_unusual_values_are_written_out(value: object, text: str):
    assert write(from_rows([(value,), (value,)])) == f"(({text}) ({text}))"


def test_an_integer_longer_than_python_likes_to_print_is_written_out():
    assert write(from_rows([(10**5000,)])) == f"((1{'0' * 5000}))"


REFUSED = [
    ([("a",), ('say "a"',)], "row 2, column 1: a string with a double quote"),
    ([("a",), ('"',)], "row 2, column 1: a string with a double quote"),
    ([(7,), (None,), ('a"b',)], "row 3, column 1: a string with a double quote"),
    ([("a\0b",)], "row 1, column 1: a string with a NUL character"),
    ([(1, 2.0), (1, float("inf"))], "row 2, column 2: inf is no number"),
    ([(1, float("nan"))], "row 1, column 2: nan is no number"),
    ([(Decimal("NaN"),)], "row 1, column 1: nan is no number"),
    ([(1,), (None,), ("a",)], "row 3, column 1: expected a number as above in this column, found a string"),
    ([(True,), (1,)], "row 2, column 1: expected a boolean as above in this column, found a number"),
    ([(1, 2), (1,)], "row 2 has 1 values, the first row has 2"),
    ([()], "row 1 has no values"),
    ([(b"x",)], "row 1, column 1: a value of type bytes cannot be written"),
    ([([1],)], "row 1, column 1: a value of type list cannot be written"),
]


@pytest.mark.parametrize(("rows", "message"), REFUSED)
def test_what_cannot_be_said_is_refused_by_row_and_column(rows: list[tuple[object, ...]], message: str):
    with pytest.raises(CasError) as raised:
        write(from_rows(rows))
    assert message in str(raised.value)


def test_a_year_beyond_two_digits_is_refused_in_1989():
    with pytest.raises(CasError, match="row 1, column 1: the year of 2001-01-01"):
        write(from_rows([(date(2001, 1, 1),)], "1989"))


def test_dates_and_strings_do_not_mix_in_1989():
    with pytest.raises(CasError, match="row 2, column 1: expected a string as above in this column, found a date"):
        write(from_rows([("SMITH",), ("04-jul-89",)], "1989"), "1989")


UNSAYABLE = [
    '5" pipe', float("inf"), float("-inf"), float("nan"), Decimal("NaN"), b"x", bytearray(b"x"), [1, "a"], {"a": 1},
    {1, 2}, UUID(int=7), timedelta(days=1, seconds=5), "a\0b", 1 + 2j, date(2001, 1, 1), object(),
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["1989", "1990", "1992"])
def test_values_beside_the_notation_are_compared_and_nothing_raises(dialect: str):
    for value in UNSAYABLE:
        reference = from_rows([(1, value), (2, None)], dialect)
        assert compare(from_rows([(None, "extra", 2), (value, "extra", 1)], dialect), reference, dialect=dialect)
        assert not compare(from_rows([(1, "other"), (2, None)], dialect), reference, dialect=dialect)
        assert compare(from_rows([(value, 48)], dialect), "48", dialect=dialect)


def test_rows_by_name_are_compared_by_their_values():
    assert not compare(from_table([{"a": 1}]), from_table([{"a": 2}]))
    assert not compare(from_rows([{"a": 1}]), from_rows([{"a": 2}]))
    assert write(from_rows([{"a": 1, "b": "x"}, {"b": "y", "a": 2}])) == '((1 "x") (2 "y"))'


def test_a_dictionary_cursor_gives_values():
    with sqlite3.connect(":memory:") as connection:
        connection.row_factory = lambda cursor, row: {
            name[0]: value for name, value in zip(cursor.description, row, strict=True)
        }
        assert write(from_table(connection.execute("select 1 as a, 'x' as b"))) == '((1 "x"))'
    connection.close()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (5, "A value of type int is no table"),
        ("abc", "A value of type str is no table"),
        (b"abc", "A value of type bytes is no table"),
        ({1, 2}, "A value of type set is no table"),
        (["abc"], "row 1 is a value of type str, not a row of values"),
        ([(1,), 2], "row 2 is a value of type int"),
        ([{"a": 1}, {"b": 1}], "row 2 has other names than the first row"),
        ({"a": "abc"}, "The column “a” is a value of type str"),
        ({"a": [1], "b": [1, 2]}, "“a” has 1, “b” has 2 values"),
    ],
)
def test_what_has_no_rows_is_refused(rows: object, message: str):
    with pytest.raises(CasError) as raised:
        from_table(rows)
    assert message in str(raised.value)


def test_integers_that_pandas_made_floats_are_told_apart():
    pandas = pytest.importorskip("pandas")
    one, two = pandas.DataFrame({"id": [100001, None]}), pandas.DataFrame({"id": [100002, None]})
    assert one["id"].dtype.kind == "f"
    assert not compare(from_table(one), from_table(two))
    assert write(from_table(pandas.DataFrame({"fare": [1.5, 2.0, None]}))) == "((1.5) (2.0) (NIL))"


def test_no_rows_are_the_empty_relation():
    assert from_rows([]) == Relation() == parse("()")


class ArrowColumn:
    def __init__(self, values: list[object]) -> None:
        self._values = values

    def to_pylist(self) -> list[object]:
        return self._values


class ArrowTable:
    """What an Arrow table can do, as far as it is asked."""

    columns = (ArrowColumn([1, 2]), ArrowColumn(["a", None]))

    def to_pydict(self) -> dict[str, list[object]]:
        raise AssertionError("two columns may have one name")


class PolarsTable:
    """What a polars table can do, as far as it is asked."""

    def rows(self) -> list[tuple[object, ...]]:
        return [(1, "a"), (2, None)]


@pytest.mark.parametrize("table", [ArrowTable(), PolarsTable(), [[1, "a"], [2, None]], iter([(1, "a"), (2, None)])])
def test_tables_are_known_by_what_they_can_do(table: object):
    assert write(from_table(table)) == '((1 "a") (2 NIL))'


@pytest.mark.parametrize("rows", [{(1, 2): 3}, {(1, 2)}, "ab", b"ab"])
def test_what_has_keys_or_letters_is_no_list_of_rows(rows: Any) -> None:
    with pytest.raises(CasError, match="is no list of rows"):
        from_rows(rows)
