"""One list of several drafters' drafts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.drafting.serving.checks import Checked
from curtain.drafting.serving.pending_request import merge
from curtain.drafting.values import Draft


def checked(sql: str, confidence: float, key: str = "") -> Checked:
    return Checked(Draft(sql, confidence), key or sql)


def sqls(merged: tuple[Checked, ...]) -> list[str]:
    return [one.draft.sql for one in merged]


def test_the_surer_draft_comes_first_and_of_equals_the_earlier_drafters() -> None:
    one, other = [checked("a", 0.9), checked("b", 0.5)], [checked("c", 0.5), checked("d", 0.4)]
    assert sqls(merge([one, other], 3)) == ["a", "b", "c"]


def test_a_statement_that_two_drafters_found_comes_once_where_it_is_surest() -> None:
    assert sqls(merge([[checked("a", 0.3, "x")], [checked("A", 0.6, "x"), checked("b", 0.1)]], 5)) == ["A", "b"]


def test_what_is_shown_keeps_its_order_and_new_drafts_come_where_they_belong() -> None:
    shown = merge([[checked("a", 0.5), checked("b", 0.4), checked("c", 0.1)]], 3)
    assert sqls(merge([[checked("z", 0.9)], [one for one in shown]], 3, shown)) == ["z", "a", "b"]


def test_what_two_drafters_say_is_likelier_than_what_one_says_more_surely() -> None:
    merged = merge([[checked("a", 0.6), checked("b", 0.5)], [checked("b", 0.5)]], 5)
    assert sqls(merged) == ["b", "a"]
    assert merged[0].draft.confidence == pytest.approx(0.75)


def test_a_drafter_that_is_trusted_little_stands_behind() -> None:
    sure, other = replace(checked("a", 0.9).draft, drafter="chat"), checked("b", 0.5)
    merged = merge([[Checked(sure, "a")], [other]], 5, trust=lambda drafter: 0.3 if drafter == "chat" else 1.0)
    assert sqls(merged) == ["b", "a"]


drafts = st.lists(st.builds(checked, st.sampled_from("abcdefgh"), st.floats(0, 1)), max_size=6)


@given(st.lists(drafts, max_size=3), st.integers(1, 6))
def test_no_statement_comes_twice_none_is_made_up_and_the_surest_is_there(found: list[list[Checked]], n: int) -> None:
    merged = merge(found, n)
    given_keys = {one.key for drafts in found for one in drafts}
    assert len(merged) == min(n, len(given_keys))
    assert len({one.key for one in merged}) == len(merged)
    heads = [drafts[0].draft.confidence for drafts in found if drafts]
    assert not heads or merged[0].draft.confidence >= max(heads) - 1e-4
