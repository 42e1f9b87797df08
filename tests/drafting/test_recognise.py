"""Values that are found in a query as a whole."""

from __future__ import annotations

from datetime import date

import pytest

from curtain.drafting.lexicon import Lexicon
from curtain.drafting.recognise import Recogniser


@pytest.mark.parametrize(
    ("query", "times"),
    [
        ("leaving between 10 and 2", ["1000", "1400"]),
        ("leaving between 4 and 5 pm", ["1600", "1700"]),
        ("leaving between 7 and 9", ["700", "900"]),
        ("leaving between 10 pm and 2 am", ["2200", "200"]),
        ("leaving after 10 and arriving at 2", ["1000", "200"]),
    ],
)
def test_a_span_of_time_ends_after_it_begins_unless_both_halves_of_the_day_are_said(
    query: str, times: list[str]
) -> None:
    found = Recogniser(Lexicon(has_times=True), {}, date(1992, 1, 1)).read(query).found
    assert [one.form("#time") for one in found] == times
