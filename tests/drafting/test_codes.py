"""Codes that are words of a question as well count where the words beside them say so; of several the one said."""

from __future__ import annotations

from datetime import date

import pytest

from curtain.drafting.query.lexicon import Lexicon, Meaning
from curtain.drafting.query.recognise import Recogniser

AIRLINES = {"us": "USAIR", "as": "ALASKA AIRLINES", "ac": "AIR CANADA"}


@pytest.fixture
def recogniser() -> Recogniser:
    lexicon = Lexicon(tables=frozenset(["flight", "airline"]))
    for code, name in AIRLINES.items():
        lexicon.codes[code] = [Meaning("airline", name, {"airline.name": name, "airline.airline_code": code.upper()})]
    for meal in ("//S", "S", "/D/S", "D/S"):
        lexicon.add(tuple(meal.lower().replace("/", " ").split()), Meaning("meal", meal, {"food.meal_code": meal}))
    return Recogniser(lexicon, {}, date(1992, 1, 1))


@pytest.mark.parametrize(
    ("question", "airlines"),
    [
        ("what airline is us", ["USAIR"]),
        ("what airlines are ac and as", ["AIR CANADA", "ALASKA AIRLINES"]),
        ("fares of us flight 3357", ["USAIR"]),
        ("what is as", ["ALASKA AIRLINES"]),
        ("what does us mean", ["USAIR"]),
        ("show us flight 281", []),
        ("show us flights at 8", []),
        ("is it as cheap as 100", []),
        ("who of us was hired in 1985", []),
    ],
)
def test_a_short_word_is_a_code_where_its_neighbours_say_so(
    recogniser: Recogniser, question: str, airlines: list[str]
) -> None:
    found = recogniser.read(question).found
    assert [one.meanings[0].label for one in found if one.kind == "airline"] == airlines


@pytest.mark.parametrize(("said", "meal"), [("s", "S"), ("d/s", "D/S"), ("/d/s", "/D/S")])
def test_of_codes_with_the_same_letters_the_one_that_was_said_comes_first(
    recogniser: Recogniser, said: str, meal: str
) -> None:
    [found] = recogniser.read(f"explain meal {said}").found
    assert found.form("food.meal_code") == meal
