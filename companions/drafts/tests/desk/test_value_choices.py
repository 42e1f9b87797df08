import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_drafts.desk.value_choices import ShownChip, moved, shown_chips, with_choice, without_choice
from curtain_drafts.drafting.values import ALSO, ASKS, BEFORE, SHOWS, Chip, Choice, Value
from tests.wizard_app.draft_stand_in import city

DALLAS = Value("city.city_name", "DALLAS", "Dallas")
QUERY = "from boston to denver"
BOSTON = Choice(5, 11, "boston", DALLAS)
DENVER = Choice(15, 21, "denver", None)
EARLIER = Choice(-1, -1, "the morning", None)


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (QUERY, (BOSTON, DENVER)),
        ("flights from boston to denver", (Choice(13, 19, "boston", DALLAS), Choice(23, 29, "denver", None))),
        ("from boston to denver on sunday", (BOSTON, DENVER)),
        ("from boston or to denver", (BOSTON, Choice(18, 24, "denver", None))),
        ("from boston to", (BOSTON,)),
        ("from bostons to denver", (Choice(16, 22, "denver", None),)),
        ("from austin to denver", (DENVER,)),
        ("", ()),
    ],
)
def test_a_choice_keeps_to_its_words_while_the_query_is_edited_elsewhere(after: str, kept: tuple[Choice, ...]) -> None:
    # What an earlier turn said outlasts every edit.
    assert moved((BOSTON, DENVER, EARLIER), QUERY, after) == (*kept, EARLIER)


@pytest.mark.parametrize(
    ("said", "kind", "label", "reported"),
    [
        ("department 45", "department", "SPEECH AND LANGUAGE", "department 45: SPEECH AND LANGUAGE"),
        ("45", "department", "SPEECH AND LANGUAGE", "department 45: SPEECH AND LANGUAGE"),
        ("female", "sex", "F", "sex female: F"),
        ("nineteen sixty", "date", "1960", "date nineteen sixty: 1960"),
        ("1961", "date", "1960", "date 1961: 1960"),
        ("paul", "name", "PAULA", "name paul: PAULA"),
        ("boston", "city", "Boston", "city Boston"),
        ("st paul", "city", "St. Paul", "city St. Paul"),
        ("chief scientists", "job", "CHIEF SCIENTIST", "job CHIEF SCIENTIST"),
        ("secretaries", "job", "SECRETARY", "job SECRETARY"),
        ("o'hare", "airport", "CHICAGO O'HARE", "airport CHICAGO O'HARE"),
        ("größere Städte", "city", "ΑΘΗΝΑ", "city größere Städte: ΑΘΗΝΑ"),
        ("", "date", "today", "date today"),
    ],
)
def test_a_value_is_reported_with_the_words_that_were_said_where_these_differ(
    said: str, kind: str, label: str, reported: str
) -> None:
    assert ShownChip(Chip(0, len(said), said, kind, Value("t.c", label, label))).in_words == reported


def test_the_parts_of_a_draft_say_what_they_are_and_something_is_always_shown() -> None:
    parts = [(BEFORE, "department 45"), (ASKS, "a list"), (SHOWS, "salary"), (ALSO, "…")]
    chips = [Chip(-1, -1, label, kind, Value(kind, label, label)) for kind, label in parts]
    shown = shown_chips(chips, (), [])
    assert [one.in_words for one in shown] == [
        "from before: department 45", "asks for a list", "shows salary", "also show …",
    ]  # fmt: skip
    assert [(one.carried, one.fixed) for one in shown] == [(True, False), (False, True), (False, True), (False, True)]
    swapped = shown_chips(chips, with_choice((), chips[2], Value("employee.city", "employee.city", "city")), [])[2]
    assert (swapped.in_words, swapped.fixed) == ("shows city", False)


@given(st.text(), st.text(), st.integers(0, 30), st.integers(0, 30))
def test_whatever_is_edited_a_choice_that_is_kept_stands_at_its_words(
    before: str, after: str, start: int, length: int
) -> None:
    said = before[start : start + length]
    kept = moved((Choice(start, start + len(said), said, None),), before, after)
    assert all(after[one.start : one.end] == one.said for one in kept) or before == after


def test_swapping_again_takes_the_place_of_the_first_choice_and_putting_back_leaves_none() -> None:
    chip = city(5, 11, "boston", "BOSTON", "DALLAS")
    choices = with_choice(with_choice((), chip, DALLAS), chip, None)
    assert choices == (Choice(5, 11, "boston", None),)
    assert without_choice(choices, chip) == ()


def test_a_removed_value_stays_in_sight_so_that_it_can_be_brought_back() -> None:
    boston, denver = city(5, 11, "boston", "BOSTON"), city(15, 21, "denver", "DENVER")
    shown = shown_chips([denver], with_choice((), boston, None), [boston, denver])
    assert [(one.in_words, one.removed) for one in shown] == [("city boston", True), ("city Denver", False)]
