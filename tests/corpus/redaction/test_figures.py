"""Numbers as they are said are the figures that people write."""

import pytest

from curtain.corpus.model.utterance import Redaction
from curtain.corpus.redaction.figures import forms_of_figures, knows_numbers_of, numbers_in, plain_letters
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.texts import hidden_in
from curtain.corpus.redaction.utterances import TurnSecrets

SPOKEN = [
    ("forty five", ["45"]), ("four five", ["4", "5"]), ("nineteen ninety", ["19", "90"]),
    ("two thousand five", ["2005"]), ("three hundred and five", ["305"]),
    ("one hundred twenty three thousand", ["123000"]), ("seven oh seven", ["7", "0", "7"]),
    ("twenty first third", ["21", "3"]), ("five and six", ["5", "6"]), ("oh show me", []), ("and y und", []),
    ("fünfundvierzig", ["45"]), ("fünf und vierzig", ["45"]), ("neunzehnhundertneunzig", ["1990"]),
    ("eintausendzwei", ["1002"]), ("treinta y cinco", ["35"]), ("veinticinco", ["25"]),
    ("mil novecientos noventa", ["1990"]), ("四 十 五", ["45"]), ("七 三 一", ["731"]), ("两 万 三 千", ["23000"]),
]  # fmt: skip


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


@pytest.mark.parametrize(
    ("language", "known"),
    [("en", True), ("de", True), ("es", True), ("zh", True), ("zh-Hans", True), ("texts/de.toml", True),
     ("fr", False), ("it", False), ("pt-BR", False), ("nl", False), ("und", False), ("texts/ours.toml", False)],
)  # fmt: skip
def test_where_number_words_are_not_known_every_figure_of_another_turn_is_withheld(language: str, known: bool) -> None:
    hidden = HiddenWords.of_all(
        [hidden_in("qui est au quarante-cinq", None, [Redaction("name", start_char=11, end_char=24)])]
    )
    secrets = TurnSecrets(hidden, any_figure=not knows_numbers_of(language))
    assert secrets.text("no figure here") == "no figure here"
    assert (secrets.text("he asks for 45") == "he asks for 45") is known
    assert secrets.may_leave("SELECT name FROM employee WHERE room = 45", "((12))") is known


@pytest.mark.parametrize(
    ("said", "written"),
    [("who came in may", "05"), ("wer kam im März", "03"), ("quién llegó en diciembre", "12"), ("en août", "08")],
)
def test_a_hidden_month_is_hidden_as_a_number_too(said: str, written: str) -> None:
    start = said.rindex(" ") + 1
    hidden = HiddenWords.of_all([hidden_in(said, None, [Redaction("name", start_char=start, end_char=len(said))])])
    note = TurnSecrets(hidden).text(f"born on 1964-{written}-07")
    assert note == "born on [redacted]"


@pytest.mark.parametrize(
    ("said", "note", "leaves"),
    [("где Петров", "Петрову не дозвониться", False), ("gdzie Kowalski", "pytał o Kowalskiego", False),
     ("где Иван", "спросил Ивана", False), ("wo ist Jansen", "Jansens Büro", False),
     ("where is quillard", "asks about the queue", True), ("где Петров", "спросил о петле", True)],
)  # fmt: skip
def test_a_note_with_a_case_of_a_hidden_name_is_withheld(said: str, note: str, leaves: bool) -> None:
    start = said.rindex(" ") + 1
    hidden = HiddenWords.of_all([hidden_in(said, None, [Redaction("name", start_char=start, end_char=len(said))])])
    assert (TurnSecrets(hidden).note(note) == note) is leaves
