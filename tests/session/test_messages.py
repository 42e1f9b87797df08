"""Canned messages: the eleven of the base set, their blanks, and what makes a file unusable."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from curtain.base.errors import CurtainError
from curtain.base.terminal import without_hidden_signs
from curtain.session.study.messages import BadBlank, bundled_sets, load_message_set


def good(**changes: str) -> str:
    keys = {
        "id": '"a"', "number": "50", "text": '"No {x} today"', "blanks": '["x"]', "counts_as": '"no_answer"',
        "when": '"w"',
    }  # fmt: skip
    return "[[message]]\n" + "".join(f"{key} = {value}\n" for key, value in (keys | changes).items() if value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_the_base_set_has_eleven_messages_numbered_from_one() -> None:
    assert [message.number for message in load_message_set("base").messages] == list(range(1, 12))


def test_three_wordings_are_those_of_the_paper() -> None:
    """Boisen et al. 1989, section 6.2; each with a full stop, as a sentence has."""
    first, second, third = load_message_set("base").messages[:3]
    assert first.fill({"topic": "the weather"}) == "No information is available on the weather."
    assert second.fill({}) == "No information about the information itself is available."
    assert third.fill({}) == "Sorry, the system is unable to answer your query."


def test_the_end_of_a_scenario_is_acknowledged_without_counting_as_no_answer() -> None:
    noted = load_message_set("base").by_id["answer_noted"]
    assert (noted.fill({}), noted.counts_as) == ("Thank you. Your answer has been noted.", "neutral")


def test_every_bundled_set_can_be_loaded_alone_and_all_together() -> None:
    assert set(bundled_sets()) >= {"base", "personnel", "atis"}
    for name in bundled_sets():
        assert len(load_message_set(name).messages) >= 11
    # A set in another language has the ids of the English one: a study takes the one or the other.
    together = load_message_set([name for name in bundled_sets() if "-" not in name]).messages
    assert len({message.id for message in together}) == len(together)


def test_no_message_keeps_a_sign_that_nobody_sees(tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    text = 'text = "So\\u202Erry, {what}.\\uFEFF"\nblanks = ["what"]\ncounts_as = "neutral"\nwhen = "w"\n'
    file.write_text(f'[[message]]\nnumber = 1\nid = "m"\n{text}', "utf-8")
    message = load_message_set(file).messages[0]
    assert (message.text, message.fill({"what": "\u200bit\x07"})) == ("Sorry, {what}.", "Sorry, it.")


@pytest.mark.parametrize("name", bundled_sets())
def test_no_bundled_message_gives_the_wizard_away(name: str) -> None:
    for message in load_message_set(name).messages:
        words = message.text.casefold().replace(".", " ").replace(",", " ").split()
        assert not {"i", "me", "my", "we", "us", "our", "error", "sql", "wizard", "operator", "person"} & set(words)
        assert "!" not in message.text and message.source and message.when.endswith(".")


@pytest.mark.parametrize(
    ("blanks", "named"), [({}, "topic"), ({"topic": "  \n"}, "topic"), ({"topic": "a", "b": "c"}, "b")]
)
def test_a_blank_that_is_missing_empty_or_unknown_is_named(blanks: dict[str, str], named: str) -> None:
    with pytest.raises(BadBlank, match=f"“{named}”"):
        load_message_set("base").messages[0].fill(blanks)


@given(st.text(min_size=1).map(without_hidden_signs).filter(lambda text: text.split()))
def test_a_blank_takes_any_words_as_they_are_on_one_line(words: str) -> None:
    filled = load_message_set("base").messages[0].fill({"topic": words})
    sentence = "No information is available on " + " ".join(words.split()) + "."
    assert filled == (sentence[:-1] if sentence[-2] in ".?!…" else sentence)


@pytest.mark.parametrize("name", bundled_sets())
def test_every_bundled_message_ends_with_a_full_stop(name: str) -> None:
    assert not load_message_set(name).unended


@pytest.mark.parametrize(
    ("text", "ends"), [("Sorry", False), ("Sorry.", True), ("“Sorry.”", True), ("抱歉。", True), ("Which one?", True)]
)
def test_what_ends_as_a_sentence(text: str, ends: bool) -> None:
    assert structs.replace(load_message_set("base").messages[0], text=text, blanks=()).ends_as_sentence == ends


def test_a_digit_with_which_another_number_begins_is_no_favourite(folder: Path) -> None:
    (folder / "lab.toml").write_text('extends = "base"\n' + good(number="31"), encoding="utf-8")
    assert sorted(load_message_set("base").favourites) == ["3", "7", "8", "9"]
    assert sorted(load_message_set(folder / "lab.toml").favourites) == ["7", "8", "9"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("3", 3), ("1", 1), ("11", 11), ("02", 2), ("sorry, the", 3), ("SORRY", 3), ("answer_n", 11), ("general", 6),
        ("", 1),
    ],
)  # fmt: skip
def test_a_message_is_found_by_its_number_or_the_letters_a_word_begins_with(typed: str, first: int) -> None:
    assert load_message_set("base").find(typed)[0].number == first


def test_letters_that_no_word_begins_with_find_nothing() -> None:
    assert load_message_set("base").find("xyz") == []


REFUSALS = {
    "no id": (good(id=""), "message 1 from the top: “id” is missing; add it: a name of a-z"),
    "no number": (good(number=""), "message “a”: “number” is missing"),
    "no situation": (good(when=""), "message “a”: “when” is missing"),
    "an id that is no id": (good(id='"A b"'), "message “A b”: “id” must be a name of a-z"),
    "an empty text": (good(text='" "', blanks="[]"), "message “a”: “text” must be a text"),
    "a number that is text": (good(number='"5"'), "message “a”: “number” must be a whole number"),
    "a number that is true": (good(number="true"), "message “a”: “number” must be a whole number"),
    "number 0": (good(number="0"), "message “a”: “number” must be a whole number"),
    "a blank not declared": (good(blanks="[]"), "message “a”: the blank “x” is not declared"),
    "a blank not used": (good(blanks='["x", "y"]'), "message “a”: the blank “y” does not occur"),
    "a blank declared twice": (good(blanks='["x", "x"]'), "message “a”: a blank is declared twice"),
    "blanks that are no list": (good(blanks='"x"'), "message “a”: “blanks” must be a list"),
    "a key of two letters": (good(key='"ab"'), "message “a”: “key” must be one small letter or one digit"),
    "a key that is taken": (good(key='"u"') + good(id='"b"', number="51", key='"u"'), "the key u is taken already"),
    "a lone brace": (good(text='"No {x} { today"'), "message “a”: the text has a brace"),
    "a blank that reaches into Python": (good(text='"{x.__class__}"'), "message “a”: the text has a brace"),
    "an unknown key": (good(tone='"soft"'), "message “a”: “tone” is not known"),
    "counts_as wrong": (good(counts_as='"maybe"'), "message “a”: “counts_as” is “maybe”; it must be neutral or"),
    "a double id": (good() + good(number="51"), "message “a”: the id is taken already"),
    "a double number": (good() + good(id='"b"'), "message “b”: the number 50 is taken already by “a”"),
    "an id of the extended set": (
        'extends = "base"\n' + good(id='"unable"'),
        "message “unable”: the id is taken already by base.toml",
    ),
    "a number of the extended set": (
        'extends = "base"\n' + good(number="3"),
        "the number 3 is taken already by “unable” of base.toml",
    ),
    "an unknown key of the file": ("titel = 1\n" + good(), "line 1: “titel” is not known here. Did you mean “title”"),
    "unreadable TOML": ("title = \n" + good(), "not readable as TOML: Invalid value (at line 1"),
    "extends a number": ("extends = 3\n" + good(), "line 1: “extends” must be the name of a set"),
    "extends an unknown set": ('extends = "bse"\n' + good(), "There is no message set “bse”. It is extended by"),
    "extends a missing file": ('extends = "gone.toml"\n' + good(), "gone.toml cannot be read: No such file"),
    "messages that are no tables": ("message = 3\n", "each message begins with the line [[message]]"),
    "no message at all": ("", "holds no message"),
    "nested beyond reason": ("x = " + "[" * 5000, "not readable as TOML"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_broken_file_is_refused_with_its_name_the_message_and_the_problem(folder: Path, case: str) -> None:
    text, shown = REFUSALS[case]
    (folder / "lab.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CurtainError) as refusal:
        load_message_set(folder / "lab.toml")
    assert "lab.toml" in str(refusal.value) and shown in str(refusal.value)


def test_a_circle_of_sets_is_refused_with_its_way_round(folder: Path) -> None:
    (folder / "a.toml").write_text('extends = "b.toml"')
    (folder / "b.toml").write_text('extends = "a.toml"')
    with pytest.raises(CurtainError, match=r"a\.toml -> .*b\.toml -> .*a\.toml"):
        load_message_set(folder / "a.toml")


def test_a_set_reached_on_two_ways_counts_once(folder: Path) -> None:
    (folder / "lab.toml").write_text('extends = ["personnel", "atis"]\n' + good(number="60"))
    assert load_message_set(["base", folder / "lab.toml"]).by_id["a"].number == 60


def test_a_file_that_is_not_text_is_refused_with_its_line(folder: Path) -> None:
    (folder / "lab.toml").write_bytes(b'title = "a"\n# \xff\n')
    with pytest.raises(CurtainError, match="line 2: the text is not UTF-8"):
        load_message_set(folder / "lab.toml")


@pytest.mark.parametrize("name", [name for name in bundled_sets() if "-" in name])
def test_a_set_in_another_language_has_the_same_messages_with_the_same_blanks(name: str) -> None:
    english = load_message_set([name.partition("-")[0]]).messages
    translated = load_message_set([name]).messages
    assert [(one.id, one.number, one.key, one.blanks, one.counts_as) for one in translated] == [
        (one.id, one.number, one.key, one.blanks, one.counts_as) for one in english
    ]
    assert all(there.text != here.text for there, here in zip(translated, english, strict=True))


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(CurtainError, match=r"Bundled are: atis, .*, base, base-de, .*, personnel"):
        load_message_set(["nope"])
