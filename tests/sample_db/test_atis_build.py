"""What must hold of the air travel database, whatever the seed: sizes, keys, references, times, places, fares."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from curtain.domain.pack.pack import content_sha256, load_pack
from sample_db.atis.build import TABLES, build

Ask = Callable[[str], list[tuple[Any, ...]]]

# The 25 tables and columns of the database of ATIS-3, which published statements name.
CONTRACT = {
    "aircraft": "aircraft_code aircraft_description manufacturer basic_type engines propulsion wide_body "
    "wing_span length "
    "weight capacity pay_load cruising_speed range_miles pressurized",
    "airline": "airline_code airline_name note",
    "airport": "airport_code airport_name airport_location state_code country_name time_zone_code minimum_connect_time",
    "airport_service": "city_code airport_code miles_distant direction minutes_distant",
    "city": "city_code city_name state_code country_name time_zone_code",
    "class_of_service": "booking_class rank class_description",
    "code_description": "code description",
    "compartment_class": "compartment class_type",
    "date_day": "month_number day_number year day_name",
    "days": "days_code day_name",
    "dual_carrier": "main_airline low_flight_number high_flight_number dual_airline service_name",
    "equipment_sequence": "aircraft_code_sequence aircraft_code",
    "fare": "fare_id from_airport to_airport fare_basis_code fare_airline restriction_code one_direction_cost "
    "round_trip_cost round_trip_required",
    "fare_basis": "fare_basis_code booking_class class_type premium economy discounted night season basis_days",
    "flight": "flight_id flight_days from_airport to_airport departure_time arrival_time airline_flight airline_code "
    "flight_number aircraft_code_sequence meal_code stops connections dual_carrier time_elapsed",
    "flight_fare": "flight_id fare_id",
    "flight_leg": "flight_id leg_number leg_flight",
    "flight_stop": "flight_id stop_number stop_days stop_airport arrival_time arrival_airline arrival_flight_number "
    "departure_time departure_airline departure_flight_number stop_time",
    "food_service": "meal_code meal_number compartment meal_description",
    "ground_service": "city_code airport_code transport_type ground_fare",
    "month": "month_number month_name",
    "restriction": "restriction_code advance_purchase stopovers saturday_stay_required minimum_stay maximum_stay "
    "application no_discounts",
    "state": "state_code state_name country_name",
    "time_interval": "period begin_time end_time",
    "time_zone": "time_zone_code time_zone_name hours_from_gmt",
}

# References that cannot be declared, because the other side is no key by itself.
REFERENCES = [
    ("flight.flight_days", "days.days_code"),
    ("flight_stop.stop_days", "days.days_code"),
    ("fare_basis.basis_days", "days.days_code"),
    ("flight.aircraft_code_sequence", "equipment_sequence.aircraft_code_sequence"),
    ("flight.meal_code", "food_service.meal_code"),
    ("food_service.compartment", "compartment_class.compartment"),
    ("fare_basis.class_type", "compartment_class.class_type"),
    ("city.country_name", "state.country_name"),
]

MINUTES = "({0} // 100 * 60 + {0} % 100)"


def one(ask: Ask, sql: str) -> Any:
    [[value]] = ask(sql)
    return value


def test_the_tables_and_columns_are_those_of_the_contract(ask_atis: Ask) -> None:
    found = ask_atis(
        "SELECT table_name, string_agg(column_name, ' ' ORDER BY column_index) FROM duckdb_columns() "
        "WHERE NOT internal GROUP BY ALL"
    )
    assert dict(found) == CONTRACT


def test_the_world_has_the_size_of_atis_3(atis_world: Ask) -> None:
    """Field guide 5.2: 46 cities, 52 airports, 23,457 flights."""
    assert one(atis_world, "SELECT COUNT(*) FROM city") == 46
    assert one(atis_world, "SELECT COUNT(*) FROM airport") == 52
    assert one(atis_world, "SELECT COUNT(*) FROM flight") == 23_457


def test_no_table_is_empty(atis_world: Ask) -> None:
    assert [table for table in TABLES if one(atis_world, f"SELECT COUNT(*) FROM {table}") == 0] == []


@pytest.mark.parametrize(("column", "target"), REFERENCES)
def test_every_reference_has_its_other_side(column: str, target: str, atis_world: Ask) -> None:
    table, name = column.split(".")
    other, key = target.split(".")
    missing = f"SELECT DISTINCT {name} FROM {table} WHERE {name} NOT IN (SELECT {key} FROM {other})"
    assert atis_world(missing) == []


def test_a_flight_id_cannot_be_taken_for_a_flight_number(atis_world: Ask) -> None:
    """papers/003 appendix B: “flight N” is a flight number up to 9999 and a flight code from 100000 up."""
    assert one(atis_world, "SELECT MIN(flight_id) FROM flight") >= 100_000
    assert one(atis_world, "SELECT MAX(flight_number) FROM flight") <= 9_999


def test_one_airline_uses_a_number_for_one_trip(atis_world: Ask) -> None:
    twice = atis_world(
        "SELECT airline_code, flight_number, from_airport, to_airport FROM flight WHERE connections = 0 "
        "GROUP BY ALL HAVING COUNT(*) > 1"
    )
    assert twice == []


# --- times ---


def test_the_elapsed_time_is_what_the_clocks_of_both_airports_say(atis_world: Ask) -> None:
    wrong = atis_world(
        f"SELECT flight_id FROM flight JOIN airport a ON from_airport = a.airport_code JOIN time_zone x ON "
        f"a.time_zone_code = x.time_zone_code JOIN airport b ON to_airport = b.airport_code JOIN time_zone y ON "
        f"b.time_zone_code = y.time_zone_code WHERE ({MINUTES.format('arrival_time')} - "
        f"{MINUTES.format('departure_time')} "
        f"- 60 * (y.hours_from_gmt - x.hours_from_gmt) - time_elapsed) % 1440 <> 0"
    )
    assert wrong == []


def test_times_are_clock_times(atis_world: Ask) -> None:
    for column in ("departure_time", "arrival_time"):
        rule = f"{column} NOT BETWEEN 0 AND 2359 OR {column} % 100 > 59"
        assert one(atis_world, f"SELECT COUNT(*) FROM flight WHERE {rule}") == 0
        assert one(atis_world, f"SELECT COUNT(*) FROM flight_stop WHERE {rule}") == 0


def test_nobody_flies_faster_or_much_slower_than_aircraft_do(atis_world: Ask) -> None:
    """Nonstop: San Francisco to Boston takes about five and three quarter hours, and longer back."""
    [[east]] = atis_world(
        "SELECT MIN(time_elapsed) FROM flight WHERE from_airport = 'SFO' AND to_airport = 'BOS' AND stops = 0"
    )
    [[west]] = atis_world(
        "SELECT MIN(time_elapsed) FROM flight WHERE from_airport = 'BOS' AND to_airport = 'SFO' AND stops = 0"
    )
    assert 300 < east < west < 400
    assert one(atis_world, "SELECT MIN(time_elapsed) FROM flight") >= 25
    assert one(atis_world, "SELECT MAX(time_elapsed) FROM flight") < 16 * 60


def test_flights_leave_in_banks_and_hardly_at_night(atis_world: Ask) -> None:
    by_hour = dict(atis_world("SELECT departure_time // 100, COUNT(*) FROM flight WHERE connections = 0 GROUP BY ALL"))
    assert min(by_hour[hour] for hour in (7, 8, 17, 18)) > 3 * max(by_hour.get(hour, 0) for hour in (1, 2, 3, 4, 23))
    quarters = atis_world(
        "SELECT COUNT(*) FROM flight WHERE from_airport = 'ATL' AND airline_code = 'DL' AND connections = 0 "
        "GROUP BY departure_time // 100, departure_time % 100 // 30"
    )
    assert max(quarters)[0] > 3 * min(quarters)[0]


def test_overnight_flights_arrive_on_the_next_day(atis_world: Ask) -> None:
    rule = "departure_time > 2100 AND arrival_time < 900 AND from_airport IN ('LAX', 'SFO', 'SEA') AND stops = 0"
    assert one(atis_world, f"SELECT COUNT(*) FROM flight WHERE {rule}") > 5


# --- legs, stops and connections ---


def test_a_flight_has_one_leg_more_than_stops(atis_world: Ask) -> None:
    legs = "SELECT flight_id, COUNT(*) AS legs, MAX(leg_number) AS last FROM flight_leg GROUP BY ALL"
    assert (
        atis_world(
            f"SELECT flight_id FROM flight JOIN ({legs}) USING (flight_id) WHERE NOT legs = stops + 1 OR last <> legs"
        )
        == []
    )
    assert one(atis_world, "SELECT COUNT(*) FROM flight WHERE flight_id NOT IN (SELECT flight_id FROM flight_leg)") == 0
    stops = "SELECT flight_id, COUNT(*) AS n FROM flight_stop GROUP BY ALL"
    assert (
        atis_world(f"SELECT flight_id FROM flight LEFT JOIN ({stops}) USING (flight_id) WHERE COALESCE(n, 0) <> stops")
        == []
    )


def test_legs_follow_one_another_from_the_start_to_the_end_of_the_flight(atis_world: Ask) -> None:
    broken = atis_world(
        "SELECT flight_id FROM flight JOIN flight_leg USING (flight_id) JOIN flight leg ON leg.flight_id = leg_flight "
        "LEFT JOIN flight_stop before ON before.flight_id = flight.flight_id AND before.stop_number = leg_number - 1 "
        "LEFT JOIN flight_stop after ON after.flight_id = flight.flight_id AND after.stop_number = leg_number "
        "WHERE leg.stops > 0 OR leg.from_airport <> COALESCE(before.stop_airport, flight.from_airport) "
        "OR leg.to_airport <> COALESCE(after.stop_airport, flight.to_airport) "
        "OR leg.arrival_time <> COALESCE(after.arrival_time, flight.arrival_time) "
        "OR leg.departure_time <> COALESCE(before.departure_time, flight.departure_time)"
    )
    assert broken == []


def test_a_flight_goes_only_on_days_on_which_all_its_legs_go(atis_world: Ask) -> None:
    alone = atis_world(
        "SELECT flight_id FROM flight f JOIN days d ON d.days_code = f.flight_days JOIN flight_leg USING (flight_id) "
        "JOIN flight leg ON leg.flight_id = leg_flight LEFT JOIN days e ON e.days_code = leg.flight_days "
        "AND e.day_name = d.day_name WHERE e.day_name IS NULL"
    )
    assert alone == []


def test_a_change_of_plane_is_a_change_of_number_and_leaves_time_for_it(atis_world: Ask) -> None:
    changes = "arrival_airline <> departure_airline OR arrival_flight_number <> departure_flight_number"
    count = f"SELECT flight_id, COUNT(*) FILTER ({changes}) AS n FROM flight_stop GROUP BY ALL"
    assert atis_world(f"SELECT flight_id FROM flight JOIN ({count}) USING (flight_id) WHERE n <> connections") == []
    hasty = f"SELECT COUNT(*) FROM flight_stop JOIN airport ON stop_airport = airport_code WHERE ({changes}) AND "
    assert one(atis_world, f"{hasty} stop_time < minimum_connect_time") == 0


def test_nobody_passes_the_same_airport_twice(atis_world: Ask) -> None:
    rule = "stop_airport IN (from_airport, to_airport)"
    assert one(atis_world, f"SELECT COUNT(*) FROM flight JOIN flight_stop USING (flight_id) WHERE {rule}") == 0
    assert one(atis_world, "SELECT COUNT(*) FROM flight WHERE from_airport = to_airport") == 0


def test_nearly_all_pairs_of_airports_can_be_travelled(atis_world: Ask) -> None:
    assert one(atis_world, "SELECT COUNT(DISTINCT (from_airport, to_airport)) FROM flight") > 0.9 * 52 * 51


def test_flights_sold_by_one_airline_and_flown_by_another_have_its_numbers(atis_world: Ask) -> None:
    outside = atis_world(
        "SELECT flight_id FROM flight WHERE connections = 0 AND (dual_carrier = 'YES') <> EXISTS (SELECT 1 FROM "
        "dual_carrier d "
        "WHERE d.main_airline = airline_code AND flight_number BETWEEN low_flight_number AND high_flight_number)"
    )
    assert outside == []


# --- aircraft and meals ---


def test_no_leg_is_longer_than_its_aircraft_flies(atis_world: Ask) -> None:
    """At its cruising speed, with half an hour for taxiing and climbing."""
    far = atis_world(
        "SELECT DISTINCT aircraft_code, from_airport, to_airport FROM flight JOIN aircraft ON aircraft_code = "
        "aircraft_code_sequence WHERE stops = 0 AND (time_elapsed - 35) * cruising_speed > 66 * range_miles"
    )
    assert far == []


def test_a_sequence_names_the_aircraft_of_the_legs_in_turn(atis_world: Ask) -> None:
    wrong = atis_world(
        "SELECT flight_id FROM flight f JOIN flight_leg USING (flight_id) JOIN flight leg ON leg.flight_id = "
        "leg_flight "
        "WHERE leg.aircraft_code_sequence NOT IN (SELECT aircraft_code FROM equipment_sequence e "
        "WHERE e.aircraft_code_sequence = f.aircraft_code_sequence)"
    )
    assert wrong == []


def test_breakfast_is_served_in_the_morning_and_dinner_in_the_evening(atis_world: Ask) -> None:
    rule = (
        "SELECT COUNT(*) FROM flight WHERE stops = 0 AND meal_code LIKE '{}%' AND departure_time NOT BETWEEN {} AND {}"
    )
    assert one(atis_world, rule.format("B", 500, 930)) == 0
    assert one(atis_world, rule.format("L", 1030, 1330)) == 0
    assert one(atis_world, rule.format("D", 1600, 2000)) == 0


def test_flights_without_a_meal_have_none_rather_than_an_empty_code(atis_world: Ask) -> None:
    assert one(atis_world, "SELECT COUNT(*) FROM flight WHERE meal_code IS NULL") > 1000
    assert one(atis_world, "SELECT COUNT(*) FROM flight WHERE meal_code = ''") == 0


# --- fares ---


def test_every_flight_has_a_fare_of_its_own_airports_and_airline(atis_world: Ask) -> None:
    assert (
        one(atis_world, "SELECT COUNT(*) FROM flight WHERE flight_id NOT IN (SELECT flight_id FROM flight_fare)") == 0
    )
    foreign = (
        "SELECT COUNT(*) FROM flight_fare JOIN fare USING (fare_id) JOIN flight USING (flight_id) WHERE "
        "(fare.from_airport, fare.to_airport, fare_airline) <> (flight.from_airport, flight.to_airport, airline_code)"
    )
    assert one(atis_world, foreign) == 0
    assert one(atis_world, "SELECT COUNT(*) FROM fare WHERE fare_id NOT IN (SELECT fare_id FROM flight_fare)") == 0


def test_a_round_trip_costs_twice_one_direction_where_there_is_one(atis_world: Ask) -> None:
    assert one(atis_world, "SELECT COUNT(*) FROM fare WHERE round_trip_cost <> 2 * one_direction_cost") == 0
    assert (
        one(atis_world, "SELECT COUNT(*) FROM fare WHERE round_trip_required = 'YES' AND round_trip_cost IS NULL") == 0
    )
    assert one(atis_world, "SELECT COUNT(*) FROM fare WHERE round_trip_cost IS NULL") > 1000


def test_fares_grow_with_distance(atis_world: Ask) -> None:
    """Full coach, from Boston ever further west."""
    coach = "SELECT AVG(one_direction_cost) FROM fare WHERE from_airport = 'BOS' AND fare_basis_code = 'Y'"
    averages = [one(atis_world, f"{coach} AND to_airport = '{end}'") for end in ("LGA", "CLE", "DEN", "SFO")]
    assert averages == sorted(averages)
    assert averages[0] * 2 < averages[-1]


def test_fares_fall_with_the_days_to_buy_ahead(atis_world: Ask) -> None:
    fares = "fare JOIN fare_basis USING (fare_basis_code) LEFT JOIN restriction USING (restriction_code)"
    coach = f"SELECT AVG(one_direction_cost) FROM {fares} WHERE class_type = 'COACH' AND night = 'NO'"
    rules = ["restriction_code IS NULL", "advance_purchase < 7", "advance_purchase = 14", "advance_purchase = 21"]
    averages = [one(atis_world, f"{coach} AND {rule}") for rule in rules]
    assert averages == sorted(averages, reverse=True)


def test_first_class_costs_more_than_business_and_business_more_than_coach(atis_world: Ask) -> None:
    costs = dict(
        atis_world(
            "SELECT fare_basis_code, AVG(one_direction_cost) FROM fare WHERE (from_airport, to_airport) = "
            "('JFK', 'LAX') "
            "AND fare_basis_code IN ('F', 'C', 'Y', 'QX') GROUP BY ALL"
        )
    )
    assert costs["F"] > costs["C"] > costs["Y"] > costs["QX"]


def test_night_fares_are_for_flights_at_night(atis_world: Ask) -> None:
    rule = "night = 'YES' AND departure_time BETWEEN 500 AND 2059"
    joined = (
        "flight_fare JOIN flight USING (flight_id) JOIN fare USING (fare_id) JOIN fare_basis USING (fare_basis_code)"
    )
    assert one(atis_world, f"SELECT COUNT(*) FROM {joined} WHERE {rule}") == 0


# --- the calendar ---


def test_the_as_of_date_is_a_monday_in_spring_1992_and_the_calendar_is_right(ask_atis: Ask) -> None:
    assert load_pack("atis").as_of.strftime("%A %d %B %Y") == "Monday 20 April 1992"
    april = "SELECT day_name FROM date_day WHERE year = 1992 AND month_number = 4 AND day_number IN (20, 25, 26)"
    assert ask_atis(f"{april} ORDER BY day_number") == [("MONDAY",), ("SATURDAY",), ("SUNDAY",)]


def test_the_calendar_holds_every_date_once(ask_atis: Ask) -> None:
    assert one(ask_atis, "SELECT COUNT(*) FROM date_day") == 4 * 365 + 1
    assert one(ask_atis, "SELECT COUNT(*) FROM date_day WHERE month_number = 2 AND day_number = 29") == 1


def test_periods_of_the_day_are_those_of_the_principles(ask_atis: Ask) -> None:
    """papers/001, 2.4.4."""
    found = {period: (begin, end) for period, begin, end in ask_atis("SELECT * FROM time_interval")}
    expected = {"MORNING": (0, 1200), "AFTERNOON": (1200, 1800), "EVENING": (1800, 2200), "DAY": (600, 1800),
                "NIGHT": (1800, 600), "EARLY MORNING": (0, 800)}  # fmt: skip
    assert expected.items() <= found.items()


# --- the file ---


def test_the_same_seed_gives_the_same_world_everywhere(atis_file: Path) -> None:
    assert content_sha256(atis_file) == "0d8121c22a1bc692d1e200682980def96de83e0552ca7189835cde691e5d8a98"


def test_another_seed_gives_another_timetable_over_the_same_places(ask_atis: Ask, other_atis_file: Path) -> None:
    with duckdb.connect(str(other_atis_file), read_only=True) as connection:
        for same in ("city", "airport", "aircraft", "airline"):
            assert connection.execute(f"SELECT * FROM {same}").fetchall() == ask_atis(f"SELECT * FROM {same}")
        for other in ("flight", "fare"):
            assert connection.execute(f"SELECT * FROM {other}").fetchall() != ask_atis(f"SELECT * FROM {other}")


def test_building_tells_how_far_it_is(atis_progress: list[tuple[str, float]]) -> None:
    shares = [done for _, done in atis_progress]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert {f"writing {table}" for table in TABLES} <= {what for what, _ in atis_progress}


def test_building_over_a_database_that_is_there_changes_nothing(other_atis_file: Path, tmp_path: Path) -> None:
    there = Path(shutil.copy(other_atis_file, tmp_path))
    with pytest.raises(duckdb.Error):
        build(there, seed=3)
    assert there.read_bytes() == other_atis_file.read_bytes()
