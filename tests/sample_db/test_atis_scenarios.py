"""The scenarios of the air travel pack: the closed ones have one answer under every reading, in more than one world."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from curtain.cas import compare, from_rows
from curtain.domain.pack.pack import Scenario, load_pack
from tests.sample_db.atis_readings import READINGS

Ask = Callable[[str], list[tuple[Any, ...]]]

PACK = load_pack("atis")
CLOSED = [scenario for scenario in PACK.scenarios if scenario.kind == "closed"]
PUBLISHED = {"pilot", "philadelphia-dallas", "boston-san-francisco", "atlanta-baltimore", "pittsburgh-atlanta"}


def name_of(scenario: Scenario) -> str:
    return scenario.id


def test_the_five_published_scenarios_are_there_a_practice_one_and_a_dozen_of_ours_of_each_kind() -> None:
    """papers/004, “Pilot” and table 3."""
    ours = [one for one in PACK.scenarios if one.id not in PUBLISHED and not one.practice]
    kinds = [one.kind for one in ours]
    assert {one.id for one in PACK.scenarios} >= PUBLISHED
    assert [one.practice for one in PACK.scenarios].count(True) == 1
    assert min(kinds.count("closed"), kinds.count("open")) >= 12


def test_every_closed_scenario_has_its_readings() -> None:
    assert set(READINGS) == {scenario.id for scenario in CLOSED}


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_every_reading_comes_to_the_one_answer(scenario: Scenario, atis_world: Ask) -> None:
    for sql, answer in READINGS[scenario.id].one:
        assert set(atis_world(sql)) == answer, sql


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_what_the_traveller_would_like_best_does_not_exist(scenario: Scenario, atis_world: Ask) -> None:
    for sql in READINGS[scenario.id].none:
        assert atis_world(sql) == [], sql


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_a_near_miss_exists_and_is_something_else(scenario: Scenario, atis_world: Ask) -> None:
    answers = [answer for _, answer in READINGS[scenario.id].one]
    assert READINGS[scenario.id].other
    for sql in READINGS[scenario.id].other:
        found = set(atis_world(sql))
        assert found and found not in answers, sql


def test_no_first_class_fare_from_pittsburgh_to_atlanta_is_twice_a_coach_fare(atis_world: Ask) -> None:
    """A coach fare at half the regular one would make the scenario trivial; a nearer one is barred."""
    rows = atis_world(
        "SELECT DISTINCT one_direction_cost, class_type, advance_purchase FROM fare JOIN fare_basis USING "
        "(fare_basis_code) "
        "LEFT JOIN restriction USING (restriction_code) WHERE from_airport = 'PIT' AND to_airport = 'ATL'"
    )
    [first] = {cost for cost, kind, _ in rows if kind == "FIRST"}
    coach = {cost: ahead for cost, kind, ahead in rows if kind == "COACH"}
    assert first not in {2 * cost for cost in coach}
    assert [ahead for cost, ahead in coach.items() if 0 < abs(first - 2 * cost) < first - 2 * 186] == [14, 14]


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_the_solution_gives_the_stated_answer_in_every_world(scenario: Scenario, atis_world: Ask) -> None:
    solution = PACK.solution(scenario.id)
    assert compare(from_rows(atis_world(solution.sql), "1992"), solution.answer, dialect="1992").is_correct
    assert solution.accepted
    assert not re.search(r"\b(LIMIT|FIRST_VALUE|ANY_VALUE)\b", solution.sql)


@pytest.mark.parametrize("scenario", PACK.scenarios, ids=name_of)
def test_a_scenario_cannot_be_read_aloud_as_a_query(scenario: Scenario) -> None:
    """papers/004: worded so that reading the instructions verbatim gets no response."""
    sentences = re.split(r"(?<=[.?!:])\s+", scenario.text)
    opening = r"(?i)(show|list|give|which|who|what|when|where|how|count|is|are|does|do|did|display|tell me)\b"
    assert "?" not in scenario.text
    assert not [sentence for sentence in sentences if re.match(opening, sentence)]
    assert not re.search(r"\b(table|column|record|SELECT)\b", scenario.text)


@pytest.mark.parametrize("scenario", PACK.scenarios, ids=name_of)
def test_a_scenario_does_not_hold_its_own_solution(scenario: Scenario) -> None:
    solution = PACK.solution(scenario.id)
    told = solution.accepted if solution else []
    assert not [wording for wording in told if re.search(rf"\b{re.escape(wording)}\b", scenario.text)]


def test_closed_scenarios_ask_an_answer_and_have_a_solution_and_open_ones_neither() -> None:
    for scenario in PACK.scenarios:
        assert scenario.asks_answer == (scenario.kind == "closed") == (PACK.solution(scenario.id) is not None)
