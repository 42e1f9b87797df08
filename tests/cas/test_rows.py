"""From Python rows, DuckDB results and other libraries' tables to an answer."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.cas import CasError, Relation, from_rows, from_table, from_value, parse, write


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
        (1e22, "10000000000000000000000.0"),
        (1.5e-7, "0.00000015"),
        (-0.0, "0.0"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0.0"),
        ("", '""'),
    ],
)
def test_unusual_values_are_written_out(value: object, text: str):
    assert write(from_rows([(value,), (value,)])) == f"(({text}) ({text}))"


def test_an_integer_longer_than_python_likes_to_print_is_written_out():
    assert write(from_rows([(10**5000,)])) == f"((1{'0' * 5000}))"


REFUSED = [
    ([("a",), ('say "a"',)], "row 2, column 1: a string with a double quote"),
    ([("a\0b",)], "row 1, column 1: a string with a NUL character"),
    ([(1, 2.0), (1, float("inf"))], "row 2, column 2: inf is no number"),
    ([(1, float("nan"))], "row 1, column 2: nan is no number"),
    ([(Decimal("NaN"),)], "row 1, column 1: NaN is no number"),
    ([(1,), (None,), ("a",)], "row 3, column 1: expected a number as above in this column, found a string"),
    ([(True,), (1,)], "row 2, column 1: expected a boolean as above in this column, found a number"),
    ([(1, 2), (1,)], "row 2 has 1 values, the first row has 2"),
    ([()], "row 1 has no values"),
    ([(b"x",)], "row 1, column 1: a value of type bytes cannot be said"),
    ([([1],)], "row 1, column 1: a value of type list cannot be said"),
]


@pytest.mark.parametrize(("rows", "message"), REFUSED)
def test_what_cannot_be_said_is_refused_by_row_and_column(rows: list[tuple[object, ...]], message: str):
    with pytest.raises(CasError) as raised:
        from_rows(rows)
    assert message in str(raised.value)


def test_a_year_beyond_two_digits_is_refused_in_1989():
    with pytest.raises(CasError, match="row 1, column 1: the year of 2001-01-01"):
        from_rows([(date(2001, 1, 1),)], "1989")


def test_dates_and_strings_do_not_mix_in_1989():
    with pytest.raises(CasError, match="row 2, column 1: expected a string as above in this column, found a date"):
        from_rows([("SMITH",), ("04-jul-89",)], "1989")


@given(st.lists(st.tuples(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans()), max_size=6))
def test_rows_survive_the_way_through_the_notation(rows: list[tuple[int, float, bool]]):
    read = [tuple(row) for row in parse(write(from_rows(rows))).values()]
    assert [(one, float(two), three) for one, two, three in read] == [(a, b + 0.0, c) for a, b, c in rows]


def test_no_rows_are_the_empty_relation():
    assert from_rows([]) == Relation() == parse("()")


def test_a_duckdb_result_becomes_an_answer():
    with duckdb.connect() as connection:
        result = connection.execute(
            "select i, 'F' || i, i / 4, cast(i as decimal(9, 2)), i = 1, case when i > 1 then i end, sum(i) over () "
            "from range(3) t(i) order by i"
        )
        assert write(from_table(result)) == (
            '((0 "F0" 0.0 0.0 FALSE NIL 3) (1 "F1" 0.25 1.0 TRUE NIL 3) (2 "F2" 0.5 2.0 FALSE 2 3))'
        )
        assert write(from_table(connection.sql("select 1, 'a'"))) == '((1 "a"))'
        assert from_table(connection.sql("select 1 where false")) == Relation()


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


def test_a_pandas_table_has_nil_where_values_are_missing():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2], "b": [1.5, None], "c": ["x", None], "d": [True, False]})
    assert write(from_table(frame)) == '((1 1.5 "x" TRUE) (2 NIL NIL FALSE))'
    assert from_table(frame.iloc[:0]) == Relation()


def test_an_arrow_table_has_nil_where_values_are_missing():
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"a": [1, 2], "b": [1.5, None], "c": ["x", None]})
    assert write(from_table(table)) == '((1 1.5 "x") (2 NIL NIL))'


def test_a_scalar_of_numpy_is_the_value_it_holds():
    numpy = pytest.importorskip("numpy")
    row = (numpy.int64(3), numpy.float64(2.5), numpy.bool_(True), numpy.str_("a"))
    assert write(from_rows([row])) == '((3 2.5 TRUE "a"))'


def test_what_is_no_table_is_refused():
    with pytest.raises(CasError, match="A value of type int is no table"):
        from_table(5)
