"""Rows as the subject reads them: one for each thing, in the order of the minimum, never beyond the maximum."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from curtain.domain.display.plan import ReadColumn, ReadingPlan
from curtain.domain.display.reading import OutsideMaximum, Row, ensure_within, read_rows
from curtain.domain.pack.formats import Formats, formatted, read_formats

PLAN = ReadingPlan((ReadColumn(1, "Name"), ReadColumn(2, "City")), rows_by=(0,))


def cells(rows: list[Row], minimum: list[Row], plan: ReadingPlan = PLAN) -> list[list[tuple[object, ...]]]:
    return read_rows(plan, rows, minimum).rows


def test_rows_come_in_the_order_of_the_minimum() -> None:
    rows = [(1, "A", "X"), (2, "B", "Y"), (3, "C", None)]
    assert cells(rows, [(3,), (1,), (2,)]) == [[("C",), (None,)], [("A",), ("X",)], [("B",), ("Y",)]]


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


# Formats by example: what 1234.5, 6 October 1952 and 9:05 in the morning look like.


@pytest.mark.parametrize(
    ("value", "example", "text"),
    [
        (296, "$1,234", "$296"),
        (1234567, "$1,234", "$1,234,567"),
        (Decimal("296.50"), "$1,234", "$296.50"),
        (296, "1.234,50 €", "296,00 €"),
        (98765.4, "1.234,50 €", "98.765,40 €"),
        (-1200, "1 234", "-1 200"),
        (1234, "1234", "1234"),
        (0.25, "1,234", "0.25"),
        (905, "9:05", "9:05"),
        (905, "09.05 Uhr", "09.05 Uhr"),
        (1310, "9:05 am", "1:10 pm"),
        (0, "9:05 am", "12:00 am"),
        (1200, "9:05 a.m.", "12:00 p.m."),
        (2400, "9:05 AM", "12:00 AM"),
        (2345, "9:05 AM", "11:45 PM"),
        (time(23, 5), "09:05", "23:05"),
        (date(1989, 8, 19), "6 Oct 1952", "19 Aug 1989"),
        (date(1989, 8, 9), "06.10.1952", "09.08.1989"),
        (date(1989, 8, 9), "10/06/52", "08/09/89"),
        (date(1989, 8, 9), "October 6, 1952", "August 9, 1989"),
        (date(1989, 8, 9), "1952年10月6日", "1989年08月9日"),
        (datetime(1989, 8, 9, 12), "6 Oct 1952", "9 Aug 1989"),
    ],
)
def test_a_value_is_written_as_its_example(value: object, example: str, text: str) -> None:
    assert formatted(value, example) == text


@pytest.mark.parametrize(
    ("value", "example"),
    [("BOSTON", "$1,234"), (None, "$1,234"), (True, "$1,234"), (975, "9:05"), (date(1989, 8, 9), "9:05"),
     (float("nan"), "1,234"), (3000, "9:05")],
)  # fmt: skip
def test_a_value_of_another_kind_is_left_as_it_is(value: object, example: str) -> None:
    assert formatted(value, example) is None


def test_the_formats_of_a_pack_are_read() -> None:
    formats = read_formats({"DATE": "06.10.1952", "BOOLEAN": ["Ja", "Nein", "Unbekannt"], "fare.Cost": "$1,234"})
    assert formats == Formats({"fare.cost": "$1,234"}, date="06.10.1952", truth=("Ja", "Nein", "Unbekannt"))
    assert formats.of_column("fare.cost") == "$1,234" and formats.of_column("flight.cost") == ""


@pytest.mark.parametrize(
    "written", [{"cost": "dollars"}, {"cost": ["$1,234"]}, {"BOOLEAN": ["Yes", "No"]}, {"BOOLEAN": "Yes"}]
)
def test_a_format_that_is_no_example_is_refused(written: dict[str, str | list[str]]) -> None:
    with pytest.raises(ValueError, match="must be"):
        read_formats(written)
