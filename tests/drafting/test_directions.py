"""“From Mull” is not to Mull."""

from __future__ import annotations

import pytest

from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.schema.directions import directions_in
from curtain.drafting.values import Request

FROM = "ferry>from_island=island.island_code.island_name = <island.island_name>"
TO = "ferry>to_island=island.island_code.island_name = <island.island_name>"
STOP = "ferry>ferry_id=stop.ferry_id>island=island.island_code.island_name = <island.island_name>"
LEAVES = "ferry.departure_time >= <#begin>"
ARRIVES = "ferry.arrival_time >= <#begin>"
COMPANY = "ferry.company_code = <company.company_code>"


@pytest.mark.parametrize(
    ("question", "doing", "turned"),
    [
        ("ferries from mull to skye", {0: FROM, 1: TO}, False),
        ("ferries from mull to skye", {0: TO, 1: FROM}, True),
        ("ferries from mull to skye", {1: FROM}, True),
        ("ferries to skye leaving mull", {0: FROM, 1: TO}, True),
        ("ferries mull skye", {0: TO, 1: FROM}, False),
        ("ferries from mull to skye", {0: FROM, 1: STOP}, False),
        ("ferries from red line to skye", {0: COMPANY, 1: TO}, False),
        ("ferries from mull to skye and back to mull", {0: TO, 1: TO}, False),
    ],
)
def test_a_name_said_with_one_direction_does_not_go_the_other(
    drafter: LocalDrafter, question: str, doing: dict[int, str], turned: bool
) -> None:
    assert directions_in(drafter._recogniser.read(question)).turned_about(doing) is turned


@pytest.mark.parametrize(
    ("question", "doing", "turned"),
    [
        ("ferries leaving mull in the evening", {1: LEAVES}, False),
        ("ferries leaving mull in the evening", {1: ARRIVES}, True),
        ("ferries leaving mull and arriving on skye in the evening", {2: ARRIVES}, False),
        ("ferries leaving mull and arriving on skye in the evening", {2: LEAVES}, True),
        ("evening ferries leaving mull", {0: ARRIVES}, False),
        ("ferries from mull in the evening", {1: ARRIVES}, False),
    ],
)
def test_a_time_goes_with_the_verb_before_it(
    drafter: LocalDrafter, question: str, doing: dict[int, str], turned: bool
) -> None:
    assert directions_in(drafter._recogniser.read(question)).turned_about(doing) is turned


@pytest.mark.parametrize(
    ("question", "doing", "strayed"),
    [
        ("ferries from mull to skye", {0: FROM, 1: TO}, False),
        ("ferries from mull to skye", {0: FROM, 1: STOP}, True),
        ("ferries from mull to skye", {0: FROM}, True),
        ("ferries mull skye", {0: FROM}, False),
    ],
)
def test_a_name_said_with_a_direction_is_not_left_out(
    drafter: LocalDrafter, question: str, doing: dict[int, str], strayed: bool
) -> None:
    assert directions_in(drafter._recogniser.read(question)).strayed(doing, {0: FROM, 1: TO}) is strayed


def test_drafts_that_go_the_other_way_come_last_and_are_never_likely(drafter: LocalDrafter) -> None:
    drafts = drafter.drafts(Request("evening ferries from mull to skye", n=40))
    wrong = [place for place, one in enumerate(drafts) if "island_1.island_name = 'SKYE'" in one.sql]
    assert wrong and min(wrong) > 2
    assert all(drafts[place].confidence <= 0.1 for place in wrong)
