"""Numbers, times and dates as people say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.drafting.query.clock_words import date_at, shifted, time_at
from curtain.drafting.query.words import number_at, ordinal_at, split_words, words_of


@pytest.mark.parametrize(
    ("said", "number", "size"),
    [
        ("four five nine", 459, 3),
        ("twenty seven", 27, 2),
        ("two ninety six", 296, 3),
        ("four hundred and fifty dollars", 450, 4),
        ("seventeen sixty five", 1765, 3),
        ("eleven oh five", 1105, 3),
        ("one thousand nineteen", 1019, 3),
        ("$50,000", 50000, 1),
        ("50 thousand", 50000, 2),
        ("40 and 45 thousand", 40000, 1),
        ("forty to forty five thousand", 40000, 1),
        ("20 or 25k", 20000, 1),
        ("40 and 45", 40, 1),
        ("50 and 2 thousand", 50, 1),
        ("40 thousand and 2 million", 40000, 2),
        ("747", 747, 1),
    ],
)
def test_a_number_is_read_as_it_is_said(said: str, number: float, size: int) -> None:
    assert number_at(split_words(said), 0) == (number, size)


@pytest.mark.parametrize(("said", "rank"), [("twenty first", (21, 2)), ("4th", (4, 2)), ("thirtieth", (30, 1))])
def test_a_rank_is_read_as_it_is_said(said: str, rank: tuple[int, int]) -> None:
    assert ordinal_at(split_words(said), 0) == rank


@pytest.mark.parametrize("said", ["flights", "oh", "and five", "hundred"])
def test_what_is_no_number_is_none(said: str) -> None:
    assert number_at(split_words(said), 0) is None


@pytest.mark.parametrize(
    ("query", "at", "hhmm"),
    [
        ("after six p m", 1, 1800),
        ("before 10am", 1, 1000),
        ("at 6:30 pm", 1, 1830),
        ("seven thirty in the evening", 0, 1930),
        ("half past five in the evening", 0, 1730),
        ("a quarter to six pm", 0, 1745),
        ("8 o'clock in the morning", 0, 800),
        ("around noon", 1, 1200),
        ("12 am", 0, 0),
        ("between 4 and 5 pm", 1, 1600),
        ("after 1700", 1, 1700),
        ("leaving at 838", 2, 838),
        ("by midnight", 1, 2400),
    ],
)
def test_a_time_is_read_as_it_is_said(query: str, at: int, hhmm: int) -> None:
    found = time_at(split_words(query), at)
    assert found is not None
    assert found.hhmm == hhmm


@pytest.mark.parametrize(("query", "at"), [("flight 459", 1), ("boeing 747", 1), ("25 people", 0), ("at 99", 1)])
def test_other_numbers_are_no_times(query: str, at: int) -> None:
    assert time_at(split_words(query), at) is None


@pytest.mark.parametrize(
    ("query", "at", "date"),
    [
        ("april 25th", 0, (4, 25, 0)),
        ("july twenty third", 0, (7, 23, 0)),
        ("the fourth of july", 0, (7, 4, 0)),
        ("july ninth 1992", 0, (7, 9, 1992)),
        ("in june", 1, (6, 0, 0)),
        ("on sunday the fourth", 2, (0, 4, 0)),
        ("hired on 1985-03-04", 2, (3, 4, 1985)),
        ("in march 1985", 1, (3, 0, 1985)),
        ("may 1980", 0, (5, 0, 1980)),
    ],
)
def test_a_date_is_read_as_it_is_said(query: str, at: int, date: tuple[int, int, int]) -> None:
    found = date_at(split_words(query), at)
    assert found is not None
    assert (found.month, found.day, found.year) == date


@pytest.mark.parametrize("query", ["may i fly", "march on", "first class"])
def test_other_words_are_no_dates(query: str) -> None:
    assert date_at(split_words(query), 0) is None


def test_words_have_no_case_apostrophes_or_possessives() -> None:
    assert words_of("Tai's O'Hare, St. Louis at 6pm") == ("tai", "ohare", "st", "louis", "at", "6", "pm")


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    words = split_words(text)
    for at, word in enumerate(words):
        assert text[word.start : word.end]
        for reader in (number_at, ordinal_at, time_at, date_at):
            reader(words, at)


@given(st.integers(0, 23), st.integers(0, 59), st.integers(-720, 720))
def test_a_shifted_time_is_a_time_and_shifts_back(hour: int, minute: int, by: int) -> None:
    later = shifted(hour * 100 + minute, by)
    assert 0 <= later % 100 < 60
    assert shifted(later, -by) % 2400 == hour * 100 + minute
