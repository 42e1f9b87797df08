"""Words that were heard stand grey behind what is typed: each stays in sight or in place, also what is taken back."""

from collections.abc import Callable

import pytest

from curtain.base.hearing import HeardWord, Hearing
from wizard_app.desk.turn.control import QueryEdits
from wizard_app.desk.turn.offered_text import OfferedText

HEARD = "show me flights from austin? to denver"
"""A question mark stands behind a doubtful word."""


def hearing_of(text: str) -> Hearing:
    words = [word.rstrip("?") for word in text.split()]
    doubts = [0.3 if word.endswith("?") else 0.9 for word in text.split()]
    heard = (HeardWord(word, at, at + 0.5, doubt) for at, (word, doubt) in enumerate(zip(words, doubts, strict=True)))
    return Hearing(tuple(heard), "tiny.en", "test 1", 0.1)


def offered(typed: str, heard: str = HEARD, *, whole: bool = True) -> OfferedText:
    return OfferedText(hearing_of(heard), whole).with_typed(typed)


TYPED = {
    "": "show me flights from austin to denver",
    "s": "how me flights from austin to denver",
    "SHOW": " me flights from austin to denver",
    "show ": "me flights from austin to denver",
    "show  me": " flights from austin to denver",
    "list": " me flights from austin to denver",
    "list m": "e flights from austin to denver",
    "show flights": " from austin to denver",
    "show me the flights": " from austin to denver",
    "show me flights from b": " to denver",
    "show me flights from boston ": "to denver",
    "show me flights from boston to denver": "",
    "Show me flights, from Austin to Denver?": "",
    "something else altogether that is much longer than heard": "",
    "😀": " me flights from austin to denver",
}


@pytest.mark.parametrize(("typed", "rest"), TYPED.items())
def test_what_is_typed_takes_the_place_of_words_and_the_rest_stays(typed: str, rest: str) -> None:
    assert offered(typed).rest == rest


def test_words_from_right_to_left_are_words_too() -> None:
    assert offered("هل من ", "هل رحلات من بوسطن").rest == "بوسطن"


Keys = Callable[[OfferedText], OfferedText]


def doubt(offer: OfferedText) -> OfferedText:
    found = offer.next_doubt(len(offer.typed))
    return offer if found is None else offer.taken_to(found)


def letters(text: str) -> Keys:
    return lambda offer: offer.with_typed(offer.typed + text)


def instead(word: str, text: str) -> Keys:
    return lambda offer: offer.with_typed(offer.typed.removesuffix(word) + text)


TAB, DEL, ESC = OfferedText.taken, OfferedText.without_next, OfferedText.as_heard
PRESSED: dict[str, tuple[list[Keys], str, str]] = {
    "taken": ([TAB], "show me flights from austin to denver", ""),
    "taken behind letters": ([letters("list "), TAB], "list me flights from austin to denver", ""),
    "to the doubt": ([doubt], "show me flights from austin", " to denver"),
    "another word for it": ([doubt, instead("austin", "b")], "show me flights from b", " to denver"),
    "and taken": ([doubt, instead("austin", "boston"), TAB], "show me flights from boston to denver", ""),
    "a word less": ([DEL], "", "me flights from austin to denver"),
    "a word less in the middle": ([letters("show "), DEL], "show ", "flights from austin to denver"),
    "as heard": ([letters("x y z"), DEL, ESC], "", "show me flights from austin to denver"),
    "as heard, when it was taken": ([TAB, ESC], "", "show me flights from austin to denver"),
    "taken and deleted": ([TAB, lambda offer: offer.with_typed("")], "", ""),
    "two words less": ([letters("show "), DEL, DEL, letters("from")], "show from", " austin to denver"),
    "another for two": ([letters("show "), DEL, DEL, letters("all")], "show all", " from austin to denver"),
    "no word of those that come": ([OfferedText.without_all, letters("in")], "in", ""),
    "nothing is left to drop": ([TAB, DEL], "show me flights from austin to denver", ""),
}


@pytest.mark.parametrize(("keys", "typed", "rest"), PRESSED.values(), ids=PRESSED)
def test_keys(keys: list[Keys], typed: str, rest: str) -> None:
    offer = offered("")
    for press in keys:
        offer = press(offer)
    assert (offer.typed, offer.rest) == (typed, rest)


@pytest.mark.parametrize("press", [TAB, DEL, doubt])
def test_words_that_still_come_are_not_taken(press: Keys) -> None:
    offer = offered("show ", whole=False)
    assert press(offer) == offer and not offer.can_take


@pytest.mark.parametrize(
    ("typed", "doubts"),
    [
        ("", ["austin"]), ("show me flights from austin", ["austin"]), ("show us flights from ", ["austin"]),
        ("show me flights from boston", []),
    ],
)  # fmt: skip
def test_a_doubtful_word_is_one_until_another_stands_there(typed: str, doubts: list[str]) -> None:
    offer = offered(typed)
    assert [offer.shown[one.start : one.end] for one in offer.doubts] == doubts


def test_doubtful_words_are_gone_through_in_a_circle() -> None:
    offer = offered("", "a? b c? d")
    first = offer.next_doubt(0)
    assert first is not None and first.word.text == "a"
    second = offer.taken_to(first).next_doubt(first.end)
    assert second is not None and (second.word.text, second.word.start_s) == ("c", 2)
    again = offer.taken_to(second).next_doubt(second.end)
    assert again == first


def typed(*states: str) -> QueryEdits:
    edits = QueryEdits()
    for state in states:
        edits.show(state)
    return edits


@pytest.mark.parametrize(
    ("states", "kept"),
    [
        (["s", "sh", "show", "show me"], []),
        (["show flits", "show flit", "show fli", "show flights"], ["show flits"]),
        (["show flights", "show me flights", "show me the flights"], ["show flights"]),
        (["a b", "a", "a c", "a", "a d"], ["a b", "a c"]),
        (["show ", "show flights", ""], ["show flights"]),
        (["one", "two"], ["one"]),
        (["one", "one", ""], ["one"]),
    ],
)
def test_a_text_is_kept_when_something_of_it_is_taken_back(states: list[str], kept: list[str]) -> None:
    assert typed(*states).take("something else") == kept


def test_the_text_that_is_sent_is_no_earlier_one_and_nothing_is_told_twice() -> None:
    edits = typed("show flights", "show", "show flights")
    assert edits.take("show flights") == []
    edits.show("show")
    assert edits.take("show") == []
    edits.show("show fares")
    edits.show("show")
    assert edits.take("show") == ["show fares"]
