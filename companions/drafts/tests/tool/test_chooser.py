"""Answered questions and the rules in one list: which stands first, how sure it may be, and what a store teaches."""

import numpy as np
import pytest

from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import Asked, Draft, Example, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.ranking.candidate import FEATURES, START
from curtain_drafts.tool.ranking.ranker import Group
from curtain_drafts.tool.ranking.training import Learned


def drafted(pack: Pack, store: list[Example], request: Request) -> list[Draft]:
    return list(LocalDrafter(pack, database(pack), store).drafts(request))


CHEAP = "SELECT ferry_id FROM ferry WHERE price < 10"
FAST = "SELECT ferry_id FROM ferry WHERE departure_time < 800"


@pytest.mark.parametrize(("scenario", "sql"), [("spring", CHEAP), ("autumn", FAST)])
def test_what_was_answered_in_the_same_scenario_comes_first(pack: Pack, scenario: str, sql: str) -> None:
    store = [
        Example("which boats would suit a student", CHEAP, id="1", scenario="spring"),
        Example("which boats would suit a nurse", FAST, id="2", scenario="autumn"),
    ]
    drafts = drafted(pack, store, Request("boats that suit her best", scenario=scenario))
    assert drafts[0].example is not None and drafts[0].example.sql == sql


def test_the_first_of_the_other_source_stands_second(pack: Pack) -> None:
    asked = "how many boats sail", "how many of these boats sail", "how many boats go to sea"
    store = [Example(question, f"SELECT {n} + COUNT(*) FROM ferry", id=str(n)) for n, question in enumerate(asked)]
    drafts = drafted(pack, store, Request("how many ferries sail"))
    assert {draft.example is None for draft in drafts[:2]} == {True, False}
    assert [draft.confidence for draft in drafts] == sorted((draft.confidence for draft in drafts), reverse=True)


@pytest.mark.parametrize("question", ["how many ferries are there", "ferries that cost less than 20", "all islands"])
def test_the_first_subject_gets_no_sure_draft(pack: Pack, question: str) -> None:
    drafts = drafted(pack, [], Request(question))
    assert drafts and max(draft.confidence for draft in drafts) <= 0.78


@pytest.mark.parametrize(
    ("question", "sql", "learnt"),
    [
        (
            "now list the companies of all ferries to skye",
            "SELECT company_code FROM ferry WHERE to_island = 'SK'",
            True,
        ),
        ("and the ones that are cheap", f"{CHEAP} AND to_island = 'SK'", False),
        ("list the companies of all ferries", "SELECT company_code FROM ferry WHERE to_island = 'SK'", False),
    ],
)
def test_a_later_turn_that_needs_no_turn_before_it_is_found_in_other_words(
    pack: Pack, question: str, sql: str, learnt: bool
) -> None:
    before = (Asked("what goes to skye", "SELECT ferry_id FROM ferry WHERE to_island = 'SK'"),)
    drafts = drafted(pack, [Example(question, sql, before, "1")], Request(f"{question} i would like to see"))
    assert any(draft.example is not None for draft in drafts) == learnt


def asked(nearest_is_right: bool) -> Group:
    """A question with the nearest example's statement and one put together; the first weights prefer this."""
    features = np.zeros((2, len(FEATURES)))
    features[0, FEATURES.index("alike")] = 0.5
    features[1, FEATURES.index("answered")] = 1.0
    return Group(features, np.array([nearest_is_right, not nearest_is_right]))


@pytest.mark.parametrize(("new_like_known", "learns"), [(True, True), (False, False)])
def test_weights_are_learned_only_where_known_and_new_questions_gain(new_like_known: bool, learns: bool) -> None:
    learned = Learned.of({})
    by_lot, by_statement = ([[asked(right)] * 40] * 4 for right in (True, new_like_known))
    learned.tune([by_lot, by_statement])
    assert (learned.ranker.tolist() != list(START)) == learns
