"""Words in every script, and the encoding of a text that is not UTF-8."""

import pytest

from curtain.base.text_file import advice_on_encoding
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


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Größe", "cp1252"), ("Albarracín", "cp1252"), ("Größe", "cp850"), ("москва и Киев", "cp1251"),
     ("Αθήνα και Πάτρα", "cp1253"), ("Γιώργος", "cp1253"), ("Война и мир", "cp1251"), ("שלום עולם ירושלים", "cp1255"),
     ("مرحبا", "cp1256"), ("北京 上海 广州", "gb18030")],
)  # fmt: skip
def test_the_likeliest_encoding_is_offered_first_with_what_it_reads(text: str, encoding: str) -> None:
    offered = advice_on_encoding([text.encode(encoding)])
    assert offered.startswith(f"--encoding {encoding}, which reads “{text.split()[0]}”")
