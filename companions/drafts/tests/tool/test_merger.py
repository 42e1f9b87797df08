"""One list of several drafters' drafts."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_drafts.drafting.values import Draft
from curtain_drafts.tool.serving.pending_request import Trust, merge


def checked(sql: str, confidence: float, key: str = "", answer: str = "") -> Draft:
    return Draft(sql, confidence, key=key or sql, answer=answer)


def sqls(merged: tuple[Draft, ...]) -> list[str]:
    return [one.sql for one in merged]


def test_the_surer_draft_comes_first_and_of_equals_the_earlier_drafters() -> None:
    one, other = [checked("a", 0.9), checked("b", 0.5)], [checked("c", 0.5), checked("d", 0.4)]
    assert sqls(merge([one, other], 3)) == ["a", "b", "c"]


def test_a_statement_that_two_drafters_found_comes_once_where_it_is_surest() -> None:
    assert sqls(merge([[checked("a", 0.3, "x")], [checked("A", 0.6, "x"), checked("b", 0.1)]], 5)) == ["A", "b"]
    # The answer of one of them is not known yet.
    assert sqls(merge([[checked("a", 0.5)], [checked("a", 0.5, "x", answer="x")]], 5)) == ["a"]


def test_what_comes_late_stands_where_it_would_have_stood_and_an_answer_keeps_its_statement() -> None:
    ours, late = [checked("a", 0.5, "x"), checked("b", 0.4), checked("c", 0.1)], [checked("z", 0.9)]
    shown = merge([ours], 3)
    assert sqls(merge([late, ours], 3, shown)) == sqls(merge([late, ours], 3)) == ["z", "a", "b"]
    assert sqls(merge([[checked("A", 0.9, "x")], ours], 3, shown))[0] == "a"
    assert sqls(merge([[checked("c", 0.9)], ours], 3, shown))[0] == "c"


def test_drafts_of_one_drafter_with_one_answer_add_up_and_one_alone_keeps_its_confidences() -> None:
    merged = merge([[checked("a", 0.5), checked("b", 0.3, "x"), checked("B", 0.3, "x")]], 5)
    assert [(one.sql, one.confidence) for one in merged] == [("b", 0.6), ("a", 0.5)]


def test_agreement_makes_surer_and_contradiction_less_sure() -> None:
    alone, agreed = merge([[checked("a", 0.6)]], 5), merge([[checked("a", 0.6)], [checked("a", 0.6)]], 5)
    apart = merge([[checked("a", 0.6)], [checked("b", 0.6)]], 5)
    assert agreed[0].confidence > 0.85 > alone[0].confidence == 0.6 > apart[0].confidence


def test_a_drafter_that_is_trusted_little_stands_behind() -> None:
    sure, other = replace(checked("a", 0.9), drafter="chat"), checked("b", 0.5)
    merged = merge([[sure], [other]], 5, trust=lambda drafter, sure: 0.3 if drafter == "chat" else sure)
    assert sqls(merged) == ["b", "a"]


def test_a_drafter_that_nobody_measured_may_lead_and_is_never_sure(tmp_path: Path) -> None:
    """Nor does it make another one surer or less sure, or lead before one that says more than half."""
    trust = Trust(tmp_path / "trust.json", {"chat": "chat some-model"})
    model, ours = replace(checked("a", 0.95), drafter="chat"), checked("b", 0.6)
    for sure, order in ((0.6, ["b", "a"]), (0.3, ["a", "b"])):
        merged = merge([[replace(ours, confidence=sure)], [model]], 5, (), trust.of, trust.measured)
        said = {one.sql: one.confidence for one in merged}
        assert list(said) == order and said["b"] == sure and said["a"] <= 0.5
    agreed = merge([[ours], [replace(model, key="b")]], 5, (), trust.of, trust.measured)
    assert [one.confidence for one in agreed] == [0.6]
    for _ in range(30):
        trust.learn({"chat": [model]}, model)
    again = Trust(tmp_path / "trust.json", {"chat": "chat some-model"})
    assert merge([[model]], 5, (), again.of, again.measured)[0].confidence > 0.9
    assert not Trust(tmp_path / "trust.json", {"chat": "chat other"}).measured("chat")


def test_a_draft_that_answers_nothing_is_not_likely_and_holds_no_other_back() -> None:
    merged = merge([[checked("a", 0.9, answer="nothing"), checked("b", 0.7), checked("c", 0.1)]], 5)
    assert [(one.sql, one.confidence) for one in merged] == [("b", 0.7), ("a", 0.59), ("c", 0.1)]


def test_drafters_are_trusted_by_their_answers_beside_how_sure_they_were(tmp_path: Path) -> None:
    """However the answer is spelt. A model that is right less often than ours does not lead because it says more."""
    path = tmp_path / "trust.json"
    # What an earlier version wrote.
    path.write_text('{"chat": [54, 29], "ours": [1, 2.5]}')
    trust = Trust(path)
    assert trust.of("chat", 0.95) == 0.95 and trust.of("ours", 1.0) == 1.0
    said = {"chat": [checked("select 1", 0.95, "one", "1")], "ours": [checked("SELECT 2", 0.64, "two")]}
    one, two = checked("SELECT 1 + 0", 1.0, "uno", "1"), checked("SELECT 2", 1.0, "two", "2")
    for answered in (two, two, two, two, two, one, two, two, two, two) * 4:
        trust.learn(said, answered)
    assert trust.of("chat", 0.95) == Trust(path).of("chat", 0.95) == pytest.approx(0.1, abs=0.1)
    assert trust.of("ours", 0.64) == pytest.approx(0.9, abs=0.05)
    assert trust.of("ours", 0.3) < trust.of("ours", 0.64) < trust.of("ours", 1.0) <= 0.99
    for _ in range(80):
        trust.learn(said, one)
    # What was long ago counts less.
    assert trust.of("chat", 0.95) > 0.8 > 0.3 > trust.of("ours", 0.64)


drafts = st.lists(st.builds(checked, st.sampled_from("abcdefgh"), st.floats(0, 1)), max_size=6)


@given(st.lists(drafts, max_size=3), st.integers(1, 6))
def test_no_statement_comes_twice_none_is_made_up_and_chances_sum_to_one(found: list[list[Draft]], n: int) -> None:
    merged = merge(found, n)
    given_keys = {one.key for drafts in found for one in drafts}
    assert len(merged) == min(n, len(given_keys))
    assert len({one.key for one in merged}) == len(merged)
    confidences = [one.confidence for one in merged]
    assert confidences == sorted(confidences, reverse=True)
    # Each is rounded to three digits.
    assert sum(map(bool, found)) < 2 or sum(confidences) < 1 + 0.000501 * len(confidences)
