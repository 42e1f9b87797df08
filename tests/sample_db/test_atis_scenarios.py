"""The scenarios of the air travel pack: the closed ones have one answer under every reading, in more than one world."""

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


def test_the_five_published_scenarios_are_there_a_dozen_of_ours_of_each_kind_and_readings_of_every_closed_one() -> None:
    """papers/004, “Pilot” and table 3."""
    kinds = [one.kind for one in PACK.scenarios if one.id not in PUBLISHED and not one.practice]
    assert {one.id for one in PACK.scenarios} >= PUBLISHED
    assert min(kinds.count("closed"), kinds.count("open")) >= 12
    assert set(READINGS) == {scenario.id for scenario in CLOSED}


@pytest.mark.parametrize("scenario", CLOSED, ids=name_of)
def test_every_reading_comes_to_the_one_answer_and_a_near_miss_to_something_else(
    scenario: Scenario, atis_world: Ask
) -> None:
    readings, solution = READINGS[scenario.id], PACK.solution(scenario.id)
    assert compare(from_rows(atis_world(solution.sql), "1992"), solution.answer, dialect="1992").is_correct
    for sql, answer in readings.one:
        assert set(atis_world(sql)) == answer, sql
    # What the traveller would like best does not exist.
    for sql in readings.none:
        assert atis_world(sql) == [], sql
    answers = [answer for _, answer in readings.one]
    assert readings.other
    for sql in readings.other:
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
