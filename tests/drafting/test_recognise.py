"""Values that are found in a query as a whole."""

from __future__ import annotations

from datetime import date

import pytest

from curtain.drafting.query.lexicon import Lexicon
from curtain.drafting.query.recognise import Recogniser


@pytest.mark.parametrize(
    ("query", "times"),
    [
        ("leaving between 10 and 2", ["1000", "1400"]),
        ("leaving between 4 and 5 pm", ["1600", "1700"]),
        ("leaving between 7 and 9", ["700", "900"]),
        ("leaving between 10 pm and 2 am", ["2200", "200"]),
        ("leaving after 10 and arriving at 2", ["1000", "200"]),
        ("leaving between midnight and 6 am", ["0", "600"]),
    ],
)
def test_a_span_of_time_ends_after_it_begins_unless_both_halves_of_the_day_are_said(
    query: str, times: list[str]
) -> None:
    found = Recogniser(Lexicon(has_times=True), {}, date(1992, 1, 1)).read(query).found
    assert [one.form("#time") for one in found] == times


@pytest.mark.parametrize(
    ("query", "time"),
    [
        ("after midnight", "0"),
        ("later than midnight", "0"),
        ("before midnight", "2400"),
        ("until midnight", "2400"),
        ("at midnight", "0"),
        ("between 10 pm and midnight", "2200 2400"),
    ],
)
def test_a_day_begins_after_midnight_and_ends_before_it(query: str, time: str) -> None:
    found = Recogniser(Lexicon(has_times=True), {}, date(1992, 1, 1)).read(query).found
    assert [one.form("#time") for one in found] == time.split()


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("flights costing between 200 and 300", ["number", "number"]),
        ("flights between 200 and 300 dollars", ["number", "number"]),
        ("fares under 500", ["number"]),
        ("a price of at most 800", ["number"]),
        ("flights leaving between 200 and 300", ["time", "time"]),
        ("fares for flights after 900", ["time"]),
        ("the fare before 9 am", ["time"]),
        ("fares under 5:30", ["time"]),
    ],
)
def test_a_number_beside_a_word_for_money_is_no_time(query: str, kinds: list[str]) -> None:
    found = Recogniser(Lexicon(has_times=True), {}, date(1992, 1, 1)).read(query).found
    assert [one.kind for one in found] == kinds


@pytest.mark.parametrize(
    ("query", "decades"),
    [
        ("born in the fifties", ["1950"]),
        ("born in the nineteen fifties", ["1950"]),
        ("born in the 1950s or the 60's", ["1950", "1960"]),
        ("people in their fifties", []),
        ("salaries in the 50 000s", []),
        ("born in 1950", []),
    ],
)
def test_decades_are_read_as_ten_years(query: str, decades: list[str]) -> None:
    found = Recogniser(Lexicon(), {}, date(1992, 1, 1)).read(query).found
    assert [one.form("#decade") for one in found if one.form("#decade")] == decades
