"""Rows as the subject reads them: one for each thing, in the order of the minimum, never beyond the maximum."""

import pytest

from curtain.domain.display.plan import ReadColumn, ReadingPlan
from curtain.domain.display.reading import OutsideMaximum, Row, ensure_within, in_order, read_rows

PLAN = ReadingPlan((ReadColumn(1, "Name"), ReadColumn(2, "City")), rows_by=(0,))


def cells(rows: list[Row], minimum: list[Row], plan: ReadingPlan = PLAN) -> list[list[tuple[object, ...]]]:
    return read_rows(plan, rows, minimum).rows


def test_rows_come_in_the_order_of_the_minimum() -> None:
    rows = [(1, "A", "X"), (2, "B", "Y"), (3, "C", None)]
    assert cells(rows, [(3,), (1,), (2,)]) == [[("C",), (None,)], [("A",), ("X",)], [("B",), ("Y",)]]


def test_where_the_statement_gives_no_order_they_come_by_what_is_shown_and_what_is_missing_comes_last() -> None:
    rows: list[Row] = [(1, "de Vries", "X"), (2, None, "Y"), (3, "DEAN", "Z"), (4, "ADA", "X"), (5, "DEAN", None)]
    shown = read_rows(PLAN, rows, [(5,), (4,), (3,), (2,), (1,)], ordered=False).rows
    names = [("ADA",), ("de Vries",), ("DEAN",), ("DEAN",), (None,)]
    assert [name for name, _ in shown] == names
    assert [city for name, city in shown if name == ("DEAN",)] == [("Z",), (None,)]
    assert in_order([(10, "b"), (9, "c"), (None, "a"), (9, "a")]) == [(9, "a"), (9, "c"), (10, "b"), (None, "a")]


def test_two_things_of_one_name_are_two_rows() -> None:
    assert cells([(1, "A", "X"), (2, "A", "X")], [(1,), (2,)]) == [[("A",), ("X",)]] * 2


def test_several_values_of_one_thing_share_a_cell() -> None:
    assert cells([(1, "A", "Y"), (1, "A", "X")], [(1,)]) == [[("A",), ("X", "Y")]]


def test_values_that_belong_together_keep_their_rows() -> None:
    # In one cell each, “A” would stand beside “Y”, which no row of the maximum says.
    assert cells([(1, "A", "X"), (1, "B", "Y")], [(1,)]) == [[("A",), ("X",)], [("B",), ("Y",)]]


def test_many_values_keep_their_rows() -> None:
    rows: list[Row] = [(1, "A", city) for city in "STUVWXYZ"]
    assert len(cells(rows, [(1,)])) == len(rows)


@pytest.mark.parametrize(
    "shown", [[[("A",), ("Y",)]], [[("C",), ("X",)]], [[("A",), (None,)]], [[("A", "B"), ("X", "Y")]]]
)
def test_what_no_row_of_the_maximum_says_is_refused(shown: list[list[tuple[object, ...]]]) -> None:
    rows: list[Row] = [(1, "A", "X"), (2, "B", "Y")]
    ensure_within([[("A",), ("X",)], [("B",), ("Y",)]], PLAN, rows)
    with pytest.raises(OutsideMaximum):
        ensure_within(shown, PLAN, rows)
