"""Hours of a follow-up without a half of the day, and denials that take something out of what was asked before."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Draft, Request
from tests.drafting.answers import rows

TO_DENVER = (
    "SELECT DISTINCT flight.flight_id FROM flight, airport_service, city WHERE flight.to_airport = "
    "airport_service.airport_code AND airport_service.city_code = city.city_code AND city.city_name = 'DENVER'"
)
LEAVES, ARRIVES = "flight.departure_time", "flight.arrival_time"
ALL = "SELECT employee_id FROM employee WHERE"
BEFORE_1980 = f"{ALL} hire_date < DATE '1980-01-01'"
IN_1985 = f"{ALL} hire_date >= DATE '1985-01-01' AND hire_date < DATE '1986-01-01'"
IN_1986 = IN_1985.replace("1986", "1987").replace("1985", "1986")


@pytest.fixture(scope="module")
def atis() -> LocalDrafter:
    pack = load_pack("atis")
    return LocalDrafter(pack, database(pack), [])


def after(drafter: LocalDrafter, before: str, question: str) -> Draft:
    return next(iter(drafter.drafts(Request(question, (Asked("", before),)))))


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        (f"{LEAVES} > 1700", "before 7", f"{LEAVES} > 1700 AND {LEAVES} < 1900"),
        (f"{LEAVES} > 1700", "after 8", f"{LEAVES} > 2000"),
        (f"{LEAVES} > 1700", "after 8 am", f"{LEAVES} > 800"),
        (f"{LEAVES} > 1700", "between 6 and 8", f"{LEAVES} BETWEEN 1800 AND 2000"),
        (f"{LEAVES} > 1700", "arriving before 9", f"{LEAVES} > 1700 AND {ARRIVES} < 2100"),
        (f"{ARRIVES} < 1700", "leaving after 8", f"{ARRIVES} < 1700 AND {LEAVES} > 800"),
        (f"{LEAVES} > 1800 AND {LEAVES} < 2200", "at 7", f"{LEAVES} = 1900"),
        (f"{LEAVES} > 900", "before 1", f"{LEAVES} > 900 AND {LEAVES} < 1300"),
        (f"{LEAVES} = 800", "at 9", f"{LEAVES} = 900"),
        (f"{LEAVES} < 1200", "not at 8", f"{LEAVES} < 1200 AND {LEAVES} <> 800"),
        (f"{LEAVES} < 1200", "not before 8", f"{LEAVES} < 1200 AND {LEAVES} >= 800"),
    ],
)
def test_an_hour_is_in_the_half_of_the_day_that_was_spoken_of(
    atis: LocalDrafter, before: str, question: str, wanted: str
) -> None:
    first = after(atis, f"{TO_DENVER} AND {before}", question)
    assert rows("atis", first.sql) == rows("atis", f"{TO_DENVER} AND {wanted}"), first.sql


def test_the_other_half_of_the_day_is_offered(atis: LocalDrafter) -> None:
    chips = after(atis, f"{TO_DENVER} AND {LEAVES} > 1700", "before 7").chips
    (chip,) = (one for one in chips if one.said == "7")
    assert chip.value.label == "19:00"
    assert "7:00" in [other.label for other in chip.others]


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        (BEFORE_1980, "not in 1975", f"{BEFORE_1980} AND YEAR(hire_date) <> 1975"),
        (IN_1985, "not in 1986", f"{ALL} NOT YEAR(hire_date) = 1986"),
        (f"{IN_1985} OR YEAR(hire_date) = 1986", "not in 1986", IN_1985),
        (f"{ALL} YEAR(hire_date) = 1985", "not in 1986", f"{ALL} YEAR(hire_date) <> 1986"),
        (f"{ALL} salary > 50000", "not 60000", f"{ALL} salary > 50000 AND salary <> 60000"),
        (f"{ALL} department IN (10, 45)", "not in 45", f"{ALL} department = 10"),
        (f"{ALL} department = 45", "not in department 10", f"{ALL} department <> 10"),
    ],
)
@pytest.mark.parametrize("taught", [True, False])
def test_a_denial_takes_out_of_what_was_asked_before(
    personnel: LocalDrafter, untaught: LocalDrafter, taught: bool, before: str, question: str, wanted: str
) -> None:
    first = after(personnel if taught else untaught, before, question)
    assert rows("personnel", first.sql) == rows("personnel", wanted), first.sql


def test_the_name_of_a_column_is_no_condition_that_one_example_had(personnel: LocalDrafter) -> None:
    first = after(personnel, f"SELECT salary FROM {ALL.split('FROM ')[1]} last_name = 'TAI'", "and age")
    assert "birth_date" in first.sql.split(" FROM ")[0]
