"""The recogniser that errs on purpose: its rate, its words, and that it always errs the same."""

from collections import Counter
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.edit_distance import edits
from curtain.domain.pack.pack import load_pack
from curtain.systems.noise.recogniser import hear
from curtain.systems.noise.vocabulary import HeardVocabulary, vocabulary_of, words_in

DOMAIN = HeardVocabulary(
    words_in(["show me the flights from boston to denver on the third of may in 45 minutes or 54"])
)


@pytest.mark.parametrize("rate", [0.05, pytest.param(0.15, marks=pytest.mark.soak), 0.30])
def test_the_measured_rate_is_the_set_rate_within_two_points(rate: float) -> None:
    pack = load_pack("personnel")
    vocabulary = vocabulary_of(pack)
    questions = list(islice(cycle(one.question for one in pack.examples()), 2000))
    errors = words = 0
    for number, text in enumerate(questions):
        heard = hear(text, rate, f"1992 e00-01-{number}", vocabulary)
        words += len(text.split())
        errors += edits(text.casefold().split(), heard.text.casefold().split())
    assert abs(errors / words - rate) < 0.02


def test_the_same_utterance_gets_the_same_errors_and_another_gets_others() -> None:
    text = "show me the flights from boston to denver on the third of may"
    drawn = {hear(text, 0.3, "1992 e00-01-001", DOMAIN).text for _ in range(5)}
    others = {hear(text, 0.3, f"1992 e00-01-{number:03}", DOMAIN).text for number in range(20)}
    assert len(drawn) == 1
    assert len(others) > 10


@given(st.text(max_size=80), st.floats(0, 0.9), st.text(max_size=5))
def test_no_text_becomes_empty_and_the_errors_are_counted_as_sclite_does(text: str, rate: float, key: str) -> None:
    heard = hear(text, rate, key, DOMAIN)
    assert bool(heard.text.split()) == bool(text.split())
    before, after = text.casefold().split(), heard.text.casefold().split()
    assert heard.errors == edits(before, after)


def test_a_rate_of_nothing_leaves_every_sign_as_it_is() -> None:
    assert hear("Show  me, the FLIGHTS!", 0.0, "k", DOMAIN).text == "Show  me, the FLIGHTS!"


def test_numbers_are_taken_for_numbers_and_words_for_those_that_look_alike() -> None:
    assert [word for word, _ in DOMAIN.nearest("45")] == ["54"]
    assert DOMAIN.nearest("Than")[0] == ("the", 0.5)


def test_three_of_five_errors_replace_a_word_one_leaves_it_out_and_one_puts_one_in() -> None:
    text = " ".join(DOMAIN.domain)
    heard = [hear(text, 0.05, str(key), DOMAIN) for key in range(1000)]
    single = Counter(len(one.text.split()) - len(DOMAIN.domain) for one in heard if one.errors == 1)
    assert [round(5 * single[by] / single.total()) for by in (0, -1, 1)] == [3, 1, 1]
