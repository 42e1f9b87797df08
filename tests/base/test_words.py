"""Words in every script, and the encoding of a text that is not UTF-8."""

from __future__ import annotations

import json

import pytest

from curtain.base.terminal import print_error, print_line, print_table, shown, shown_name
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


# Texts from outside reach the terminal as texts.


@pytest.mark.parametrize("control", ["\x1b", "\x07", "\r", "\x7f", "\x9b", "\u202e", "\u2028"])
def test_a_control_character_is_shown_as_an_escape(control: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_line(f"a{control}[31mb")
    print_error(f"a{control}[31mb")
    seen = capsys.readouterr()
    assert seen.out == seen.err == f"a\\u{ord(control):04x}[31mb\n"


def test_a_line_of_json_keeps_its_meaning() -> None:
    line = json.dumps({"id": "a\x9b1m\x1b[0m"}, ensure_ascii=False)
    assert json.loads(shown(line)) == json.loads(line)
    assert shown(line).isprintable()


def test_other_letters_tabs_and_lines_stay() -> None:
    assert shown("Größe\t→ 👩‍🔬\r\n2 km") == "Größe\t→ 👩‍🔬\n2 km"


def test_a_table_takes_no_cell_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["[b]x", "n"], [["[/b]", ":smile:"], ["[bold]", "\x1b[2J"]], [False, True])
    out = capsys.readouterr().out
    assert all(part in out for part in ("[b]x", "[/b]", ":smile:", "[bold]", "\\u001b[2J"))


def test_a_name_in_a_sentence_stays_on_its_line_and_is_cut_where_it_is_asked() -> None:
    assert shown_name("audio\n\x1b[2J\udcff.wav") == "audio\\u000a\\u001b[2J\\udcff.wav"
    assert shown_name("e00-01-001", 3) == "e00…"
