"""Instruments: the bundled ones, and what a lab's own may say wrong."""

from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.session.questionnaires.instrument import Instrument, bundled_instruments, load_instrument, load_instruments
from curtain.session.study.languages import bundled_languages

GOOD = """
id = "mine"
title = { en = "Mine", de = "Meins" }
[[items]]
id = "hear"
kind = "choice"
text = { en = "Could you hear?", de = "Konnten Sie hören?" }
options = [{ id = "yes", text = { en = "Yes" } }, { id = "no", text = { en = "No" } }]
[[items]]
id = "easy"
kind = "scale"
low = 1
high = 7
low_text = { en = "Hard" }
high_text = { en = "Easy" }
[[items]]
id = "note"
kind = "free"
text = { en = "Anything else?" }
"""


def _load(folder: Path, text: str) -> Instrument:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return load_instrument("mine.toml", folder)


def test_the_bundled_instruments_are_asked_of_subject_and_wizard(tmp_path: Path) -> None:
    asked = {one.id: one.asks for one in load_instruments(bundled_instruments(), tmp_path)}
    assert asked == {
        "debriefing": "subject", "nasa-tlx": "wizard", "subject-data": "subject", "sus": "subject",
        "ueq-s": "subject",
    }  # fmt: skip


@pytest.mark.parametrize("name", bundled_instruments())
def test_a_bundled_instrument_speaks_every_language_throughout(name: str, tmp_path: Path) -> None:
    instrument = load_instrument(name, tmp_path)
    wordings = [words for one in instrument.items for words in (instrument.title, *one.wordings)]
    assert all(words.get(language) for words in wordings for language in bundled_languages())


def test_nothing_that_the_subject_is_asked_hints_at_a_person(tmp_path: Path) -> None:
    hints = ("wizard", "human", "operator", "mensch", "zauber")
    for instrument in load_instruments(bundled_instruments(), tmp_path):
        if instrument.asks == "subject":
            read = [text.lower() for one in instrument.items for words in one.wordings for text in words.values()]
            # “Most people” of the SUS are users.
            plain = [text.replace("die meisten menschen", "") for text in read]
            assert not [text for text in plain if any(hint in text for hint in hints)], instrument.id


@pytest.mark.parametrize(
    ("wrong", "right", "sentence"),
    [
        ('kind = "free"', 'kind = "essay"', "“kind” is “essay”; it must be choice, free, scale or text."),
        ("high = 7", "high = 1", "a scale must have from 2 to 101 steps"),
        ("high = 7", "high = 7\nstep = 4", "do not reach “high”"),
        (', { id = "no", text = { en = "No" } }', "", "a choice needs two options or more"),
        ('id = "note"', 'id = "easy"', "the item “easy” stands twice"),
        ('{ en = "Anything else?" }', '{ de = "Noch etwas?" }', "every text needs a wording in “en”"),
        ('text = { en = "Anything else?" }', "", "“text” is missing"),
        ('kind = "free"', 'kind = "text"\nrequired = true', "a text is only read; take “required” out"),
        ('id = "mine"', 'id = "sus"', "a questionnaire “sus” comes with Curtain"),
        ('id = "mine"', 'id = "a.b"', "“id” must be a short name"),
        ('title = { en = "Mine", de = "Meins" }', "", "“title” is missing"),
        ('title = {', 'titel = {', "Did you mean “title”?"),
        ('title = {', 'title = ', "is not readable as TOML"),
    ],
)  # fmt: skip
def test_a_broken_instrument_is_one_sentence(wrong: str, right: str, sentence: str, tmp_path: Path) -> None:
    assert wrong in GOOD
    with pytest.raises(CurtainError) as caught:
        _load(tmp_path, GOOD.replace(wrong, right))
    assert sentence in str(caught.value)
    assert "mine.toml" in str(caught.value)
    assert "\n" not in str(caught.value).strip()


def test_a_questionnaire_of_thousands_of_items_is_one_sentence(tmp_path: Path) -> None:
    items = (f'[[items]]\nid = "i{n}"\nkind = "free"\ntext = {{ en = "?" }}\n' for n in range(5_000))
    with pytest.raises(CurtainError, match=r"mine\.toml, line 4: “items” must be a list of 1 to 500 items\.") as caught:
        _load(tmp_path, GOOD + "".join(items))
    assert "\n" not in str(caught.value).strip() and len(str(caught.value)) < 300


def test_unknown_absent_and_double_questionnaires_are_named(tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match=r"There is no questionnaire “suss”\. Take debriefing"):
        load_instrument("suss", tmp_path)
    with pytest.raises(CurtainError, match=r"absent\.toml cannot be read"):
        load_instrument("absent.toml", tmp_path)
    _load(tmp_path, GOOD)
    with pytest.raises(CurtainError, match="Two questionnaires have the id “mine”"):
        load_instruments(("mine.toml", "./mine.toml"), tmp_path)
