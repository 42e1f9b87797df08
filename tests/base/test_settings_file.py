"""What msgspec finds wrong in a settings file, in a sentence that says where and what to write instead."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from curtain.base.errors import CurtainError
from curtain.base.settings_file import convert, parse, toml_text


class Ferry(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    decks: Annotated[int, Meta(ge=1, description="a whole number from 1")]
    ports: list[str] = []

    def __post_init__(self) -> None:
        if self.decks == 13:
            raise ValueError("no ferry has 13 decks")


class Harbour(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[
        str, Meta(description="a name that is no shouting", extra={"fits": lambda name: not name.isupper()})
    ]
    open: bool = True
    tide: Literal["high", "low"] = "high"
    signs: dict[str, str] = {}
    ferry: list[Ferry] = []


FERRY = '[[ferry]]\nid = "f1"\ndecks = 2\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "h.toml: “name” is missing; add it: a name that is no shouting."),
        ("\nname = 3", "h.toml, line 2: “name” must be a name that is no shouting."),
        ('name = "OBAN"', "h.toml, line 1: “name” must be a name that is no shouting."),
        ("name = 'a'\nopen = 1", "h.toml, line 2: “open” must be true or false."),
        ("name = 'a'\nopne = true", "h.toml, line 2: “opne” is not known here. Did you mean “open”?"),
        (
            "name = 'a'\nzzz = true",
            "h.toml, line 2: “zzz” is not known here. Known are: name, open, tide, signs, ferry.",
        ),
        ("name = 'a'\ntide = 'ebb'", "h.toml, line 2: “tide” is “ebb”; it must be high or low."),
        ("name = 'a'\nsigns = []", "h.toml, line 2: “signs” must be a table."),
        ("name = 'a'\n[signs]\nexit = 1", "h.toml, line 2: every entry of “signs” must be a text in quotes."),
        ("name = 'a'\nferry = 1", "h.toml, line 2: “ferry” must be a list."),
        ("name = 'a'\nferry = [1]", "h.toml, ferry 1 from the top: “ferry” must be a table."),
        (f"name = 'a'\n{FERRY}[[ferry]]\ndecks = 1", "h.toml, ferry 2 from the top: “id” is missing; add it."),
        (f"name = 'a'\n{FERRY}deks = 1", "h.toml, ferry “f1”: “deks” is not known here. Did you mean “decks”?"),
        (f"name = 'a'\n{FERRY}ports = [1]", "h.toml, ferry “f1”: every entry of “ports” must be a text in quotes."),
        (f"name = 'a'\n{FERRY.replace('2', '0')}", "h.toml, ferry “f1”: “decks” must be a whole number from 1."),
        (f"name = 'a'\n{FERRY.replace('2', '13')}", "h.toml, ferry “f1”: no ferry has 13 decks."),
    ],
)
def test_a_problem_is_reported_with_its_place_and_what_to_write(text: str, sentence: str) -> None:
    with pytest.raises(CurtainError) as refusal:
        convert("h.toml", text, parse("h.toml", text), Harbour)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("text", ["", 'a "b" \\ c', "tab\tand\nline", "\x1f\x7f\x9f\u2028", "größe 航班"])
def test_any_text_can_be_written_as_toml(text: str) -> None:
    assert parse("a.toml", f"one = {toml_text(text)}\nall = {toml_text([text, text])}") == {
        "one": text,
        "all": [text] * 2,
    }
