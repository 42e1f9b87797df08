"""Words in every script."""

import pytest

from curtain.base.words import is_word, without_accents, words_in

WORDS = ["straße", "Łódź", "Αθήνα", "й", "שָׁלוֹם", "مُحَمَّد", "हिन्दी", "ที่นี่", "顧客", "한국", "می‌روم"]


def test_a_word_of_any_script_stays_whole() -> None:
    assert words_in(" ,".join(WORDS)) == WORDS
    assert [word for word in WORDS if not is_word(word)] == []


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Cañón", "Canon"), ("Αθήνα", "Αθηνα"), ("Gro\u0308ße", "Große"), ("ｉｄ", "id"), ("İd", "Id"),
     ("й", "й"), ("हिन्दी", "हिन्दी"), ("が", "が"), ("한국", "한국")],
)  # fmt: skip
def test_accents_leave_latin_and_greek_letters_alone(text: str, plain: str) -> None:
    assert without_accents(text) == plain
