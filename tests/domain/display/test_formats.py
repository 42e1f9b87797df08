"""Formats by example: what 1234.5, 6 October 1952 and 9:05 in the morning look like."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from curtain.domain.pack.formats import Formats, formatted, read_formats


@pytest.mark.parametrize(
    ("value", "example", "text"),
    [
        (296, "$1,234", "$296"), (1234567, "$1,234", "$1,234,567"), (Decimal("296.50"), "$1,234", "$296.50"),
        (296, "1.234,50 €", "296,00 €"), (98765.4, "1.234,50 €", "98.765,40 €"), (-1200, "1 234", "-1 200"),
        (1234, "1234", "1234"), (0.25, "1,234", "0.25"), (905, "9:05", "9:05"), (905, "09.05 Uhr", "09.05 Uhr"),
        (1310, "9:05 am", "1:10 pm"), (0, "9:05 am", "12:00 am"), (1200, "9:05 a.m.", "12:00 p.m."),
        (2400, "9:05 AM", "12:00 AM"), (2345, "9:05 AM", "11:45 PM"), (time(23, 5), "09:05", "23:05"),
        (date(1989, 8, 19), "6 Oct 1952", "19 Aug 1989"), (date(1989, 8, 9), "06.10.1952", "09.08.1989"),
        (date(1989, 8, 9), "10/06/52", "08/09/89"), (date(1989, 8, 9), "October 6, 1952", "August 9, 1989"),
        (date(1989, 8, 9), "1952年10月6日", "1989年08月9日"), (datetime(1989, 8, 9, 12), "6 Oct 1952", "9 Aug 1989"),
    ],
)  # fmt: skip
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
