"""Numbers as they are said are the figures that people write."""

from __future__ import annotations

import pytest

from curtain.corpus.redaction.figures import forms_of_figures, numbers_in, plain_letters

SPOKEN = [
    ("forty five", ["45"]),
    ("four five", ["4", "5"]),
    ("nineteen ninety", ["19", "90"]),
    ("two thousand five", ["2005"]),
    ("three hundred and five", ["305"]),
    ("one hundred twenty three thousand", ["123000"]),
    ("seven oh seven", ["7", "0", "7"]),
    ("twenty first third", ["21", "3"]),
    ("five and six", ["5", "6"]),
    ("oh show me", []),
    ("and y und", []),
    ("fünfundvierzig", ["45"]),
    ("fünf und vierzig", ["45"]),
    ("neunzehnhundertneunzig", ["1990"]),
    ("eintausendzwei", ["1002"]),
    ("treinta y cinco", ["35"]),
    ("veinticinco", ["25"]),
    ("mil novecientos noventa", ["1990"]),
    ("四 十 五", ["45"]),
    ("七 三 一", ["731"]),
    ("两 万 三 千", ["23000"]),
]


@pytest.mark.parametrize(("words", "figures"), SPOKEN)
def test_number_words_are_figures(words: str, figures: list[str]) -> None:
    assert [number for number, _, _ in numbers_in([plain_letters(word) for word in words.split()])] == figures


@pytest.mark.parametrize(("figures", "forms"), [("520", {"520", "1720"}), ("1205", {"1205"}), ("575", {"575"})])
def test_a_time_is_also_one_of_24_hours(figures: str, forms: set[str]) -> None:
    assert forms_of_figures(figures) == forms


@pytest.mark.parametrize(
    "spellings", [("Müller", "MUELLER", "mu\u0308ller"), ("Łódź", "lodz"), ("Straße", "STRASSE"), ("Ørsted", "orsted")]
)
def test_spellings_of_one_name_have_the_same_plain_letters(spellings: tuple[str, ...]) -> None:
    assert len({plain_letters(name) for name in spellings}) == 1
