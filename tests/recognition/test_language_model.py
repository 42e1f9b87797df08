"""What speech recognition is told to expect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.recognition.language_model import LanguageModel, cut_dictionary, model_of, spoken_words, varied

KNOWN = {
    "flights": ["F L AY T S"], "to": ["T UW", "T AH"], "boston": ["B AA S T AH N"], "a": ["AH", "EY"], "b": ["B IY"],
    "w": ["D AH B AH L Y UW"], "i": ["AY"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Show me flights, please!", "show me flights please"),
        ("What’s Paul's salary?", "what's paul's salary"),
        ("flight 7", "flight seven"),
        ("flight 40", "flight forty"),
        ("flight 217", "flight two hundred seventeen"),
        ("flight 1039", "flight ten thirty nine"),
        ("in 1989 and 1905", "in nineteen eighty nine and nineteen oh five"),
        ("in 2000 and 2004", "in two thousand and two thousand four"),
        ("more than $1,500", "more than dollars fifteen hundred"),
        ("0920", "zero nine two zero"),
        ("extension 12345", "extension one two three four five"),
        ("5:30 p.m.", "five thirty p m"),
        ("733/72S", "seven hundred thirty three seventy two s"),
        ("", ""),
        ("¿何人?", ""),
    ],
)
def test_a_question_is_written_as_it_is_spoken(question: str, words: str) -> None:
    assert spoken_words(question) == words.split()


sentences = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=8)


@given(sentences)
def test_after_each_word_the_probabilities_of_all_words_sum_to_one(given_sentences: list[list[str]]) -> None:
    model = LanguageModel(given_sentences)
    for first in ["<s>", *model.words]:
        total = sum(model.probability(first, second) for second in [*model.words, "</s>"])
        after = [pair[1] for pair in _pairs(given_sentences) if pair[0] == first]
        # Where every word was seen to follow, what is kept back for the unseen is given to nobody.
        kept_back = 0.5 * len(set(after)) / len(after) if len(set(after)) > len(model.words) else 0.0
        assert math.isclose(total, 1.0 - kept_back, rel_tol=1e-9)


def _pairs(given_sentences: list[list[str]]) -> list[tuple[str, str]]:
    return [pair for words in given_sentences for pair in pairwise(["<s>", *words, "</s>"])]


def test_the_model_is_written_as_recognisers_read_it() -> None:
    lines = LanguageModel([["flights", "to", "boston"]]).arpa().splitlines()
    assert lines[:4] == ["\\data\\", "ngram 1=5", "ngram 2=4", ""]
    assert lines[lines.index("\\2-grams:") + 1].split()[1:] == ["<s>", "flights"]
    assert lines[-1] == "\\end\\"
    assert len([line for line in lines if len(line.split()) == 3 and line.split()[2] == "boston"]) == 1


def test_the_dictionary_is_cut_to_the_words_and_short_names_are_spelt() -> None:
    assert cut_dictionary(["to", "bwi"], KNOWN) == "to T UW\nto(2) T AH\nbwi B IY D AH B AH L Y UW AY\n"


def test_a_question_is_cut_where_a_word_cannot_be_pronounced() -> None:
    model = model_of([["flights", "to", "xanadu", "boston"]], KNOWN)
    assert model.words == ["boston", "flights", "to"]
    assert model.probability("to", "</s>") > model.probability("to", "boston")


def test_where_one_of_a_group_was_said_any_of_it_is_expected() -> None:
    cities: Sequence[Sequence[str]] = [["boston"], ["san", "francisco"], ["tampa"]]
    found = varied([["to", "boston"], ["hello"]], [cities], 3)
    assert found == [["to", "boston"], ["to", "boston"], ["to", "san", "francisco"], ["to", "tampa"], ["hello"]]
