"""Figures are offered as they are usually said."""

import pytest

from curtain.base.speech.spoken_forms import spoken_forms
from curtain.corpus.annotation.sro import check_sro

SAID = [
    ("flights at 5:20", "flights at five twenty"),
    ("at 5:00", "at five o'clock"),
    ("at 5:05 pm", "at five oh five p m"),
    ("at 7am", "at seven a m"),
    ("at 17:30", "at seventeen thirty"),
    ("over $50,000", "over fifty thousand dollars"),
    ("for $1", "for one dollar"),
    ("for $5.50", "for five dollars and fifty cents"),
    ("over $5 million", "over five million dollars"),
    ("department 45", "department forty five"),
    ("more than 50000", "more than fifty thousand"),
    ("more than 123456", "more than one hundred twenty three thousand four hundred fifty six"),
    ("flight 281", "flight two eighty one"),
    ("flight 505", "flight five oh five"),
    ("flight 100", "flight one hundred"),
    ("281 people", "two hundred eighty one people"),
    ("flight 1825", "flight eighteen twenty five"),
    ("in 1989", "in nineteen eighty nine"),
    ("in 1900", "in nineteen hundred"),
    ("in 2000", "in two thousand"),
    ("on the 1st", "on the first"),
    ("on the 22nd of may", "on the twenty second of may"),
    ("the 30th", "the thirtieth"),
    ("the 12th", "the twelfth"),
    ("50%", "fifty percent"),
    ("4.5 stars", "four point five stars"),
    ("call 555-1204", "call five five five one two oh four"),
    ("zip 07102", "zip oh seven one oh two"),
    ("a B747", "a B seven forty seven"),
    ("a *45* <10> [cough] 0", "a *forty five* <ten> [cough] zero"),
    ("1000000 people", "one oh oh oh oh oh oh people"),
    ("1,000,000 people", "one million people"),
    (r"a \5 stays", r"a \5 stays"),
    ("no figures", "no figures"),
]  # fmt: skip


def spoken(text: str) -> str:
    for one in reversed(spoken_forms(text)):
        text = text[: one.start] + one.words + text[one.end :]
    return text


@pytest.mark.parametrize(("text", "said"), SAID)
def test_figures_as_they_are_said(text: str, said: str) -> None:
    assert spoken(text) == said


@pytest.mark.parametrize("text", [text for text, _ in SAID] + ["12:99 1-800-555 3rd9 $ 5 9999999999999999 ١٢"])
def test_what_is_offered_leaves_no_figure_to_mend(text: str) -> None:
    assert not [problem for problem in check_sro(spoken(text)) if problem.blocks]
