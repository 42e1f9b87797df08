from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.domain.pack.pack import load_pack
from curtain.drafting.query.comparisons import COMPARING
from curtain.drafting.query.lexicon import Lexicon, load_lexicon
from curtain.drafting.query.words import split_words
from curtain.drafting.schema.misspelled import corrected, distance, known_of, known_words, nearest
from curtain.drafting.schema.pack_schema import schema_of
from tests.drafting import ferry_pack as ferries

KNOWN = known_words(
    ["boston", "denver", "department", "employee", "austin", "dallas", "ferry", "island", "morning", "salary"],
    ["which", "there", "show", "from", "hire"],
)
LETTERS = st.text("abcde", min_size=0, max_size=9)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("bostn", "boston"),
        ("departmnt", "department"),
        ("depratment", "department"),
        ("deprtmnt", "department"),
        ("employe", "employee"),
        ("austen", "austin"),
        ("slaary", "salary"),
        ("boston", None),  # right as it is
        ("whihc", None),  # no target: only known to be right
        ("hired", None),  # a form of a known word
        ("bstn", None),  # two letters of a short word
        ("dals", None),  # too short to tell
        ("zzzzzzz", None),
        ("b0ston", None),
        ("", None),
    ],
)
def test_a_misspelled_word_stands_for_the_one_known_word_that_is_near(said: str, meant: str | None) -> None:
    assert nearest(said, KNOWN) == meant


def test_of_two_near_words_none_is_taken_unless_the_first_letter_decides() -> None:
    assert nearest("hasty", known_words(["pasty", "nasty"])) is None
    assert nearest("dusky", known_words(["dusty", "husky"])) == "dusty"


def test_words_keep_their_places_when_they_are_corrected() -> None:
    words = split_words("flights to Bostn, please")
    assert [(word.text, word.start, word.end) for word in corrected(words, KNOWN)] == [
        ("flights", 0, 7),
        ("to", 8, 10),
        ("boston", 11, 16),
        ("please", 18, 24),
    ]


def test_the_words_of_a_domain_may_be_meant_and_those_of_any_domain_are_let_be(tmp_path: Path) -> None:
    pack = load_pack(ferries.write_pack(tmp_path / "ferries"))
    lexicon = load_lexicon(pack, pack.folder / "database.duckdb")
    known = known_of(schema_of(pack, lexicon), lexicon, [one.question for one in ferries.examples()])
    said = "ferreis from Skey to Eigg on fridya wich cost most expensve departures twelve"
    found = " ".join(word.text for word in corrected(split_words(said), known))
    assert found == "ferries from skey to eigg on friday wich cost most expensve departures twelve"


@given(LETTERS, LETTERS)
def test_distance_is_symmetric_and_zero_for_equal_words_alone(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)


@given(st.sampled_from(["department", "employee", "morning"]), st.integers(0, 8))
def test_a_word_without_one_letter_is_found(word: str, place: int) -> None:
    said = word[:place] + word[place + 1 :]
    assert nearest(said, KNOWN) in (word, None if said in KNOWN.words else word)


@pytest.mark.parametrize(
    "word",
    [
        "least",
        "later",
        "lower",
        "older",
        "oldest",
        "cheapest",
        "higher",
        "fewer",
        "latest",
        "within",
        *sorted(COMPARING),
    ],
)
def test_words_that_compare_are_spelt_right_in_every_domain(word: str) -> None:
    pack = load_pack("personnel")
    lexicon = Lexicon(words={"employee": ("water", "lasts", "lover", "alder", "highest", "fever", "wither", "beast")})
    assert nearest(word, known_of(schema_of(pack, lexicon), lexicon)) is None
