"""What a transcription was before something of it was taken back."""

import pytest

from wizard_app.desk.turn.control import QueryEdits


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
