from datetime import date, datetime, time
from decimal import Decimal

import pytest

from curtain.domain.pack.cells import display_rows, text_of


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
