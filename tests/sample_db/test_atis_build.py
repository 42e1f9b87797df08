"""What must hold of the air travel database, whatever the seed: sizes, keys, references, times, places, fares."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from curtain.domain.pack.pack import content_sha256, load_pack
from sample_db.atis.build import TABLES, build

Ask = Callable[[str], list[tuple[Any, ...]]]

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


# What is true of every world: a claim, a statement, and the rows that it gives.
CHANGES = "arrival_airline <> departure_airline OR arrival_flight_number <> departure_flight_number"
NO_CLOCK_TIME = "{0} NOT BETWEEN 0 AND 2359 OR {0} % 100 > 59"
ELAPSED = "SELECT {}(time_elapsed) FROM flight WHERE stops = 0 AND from_airport = '{}' AND to_airport = '{}'"
PER_FLIGHT = "SELECT flight_id, COUNT(*) AS n, MAX({}) AS last FROM {} GROUP BY ALL"
FARES = "fare JOIN fare_basis USING (fare_basis_code) LEFT JOIN restriction USING (restriction_code)"
YES, NONE = [(True,)], [(0,)]
FACTS: list[tuple[str, str, list[Any]]] = [
    ("The world has the size of that of ATIS-3 (field guide 5.2).",
     "SELECT (SELECT COUNT(*) FROM city), (SELECT COUNT(*) FROM airport), (SELECT COUNT(*) FROM flight)",
     [(46, 52, 23_457)]),
    *((f"{table} is not empty.", f"SELECT COUNT(*) > 0 FROM {table}", YES) for table in TABLES),
    *((f"{place} has its other side in {key}.",
       f"SELECT DISTINCT {place} FROM {place.split('.')[0]} WHERE {place} NOT IN "
       f"(SELECT {key} FROM {key.split('.')[0]})", []) for place, key in REFERENCES),
    ("A flight id cannot be taken for a flight number: papers/003 appendix B has numbers up to 9999.",
     "SELECT MIN(flight_id) >= 100000, MAX(flight_number) <= 9999 FROM flight", [(True, True)]),
    ("One airline uses a number for one trip.",
     "SELECT airline_code, flight_number, from_airport, to_airport FROM flight WHERE connections = 0 "
     "GROUP BY ALL HAVING COUNT(*) > 1", []),
    # Times.
    ("The elapsed time is what the clocks of both airports say.",
     "SELECT flight_id FROM flight JOIN airport a ON from_airport = a.airport_code JOIN time_zone x ON "
     "a.time_zone_code = x.time_zone_code JOIN airport b ON to_airport = b.airport_code JOIN time_zone y ON "
     f"b.time_zone_code = y.time_zone_code WHERE ({MINUTES.format('arrival_time')} - "
     f"{MINUTES.format('departure_time')} - 60 * (y.hours_from_gmt - x.hours_from_gmt) - time_elapsed) "
     "% 1440 <> 0", []),
    *((f"{column} of {table} is a clock time.",
       f"SELECT COUNT(*) FROM {table} WHERE {NO_CLOCK_TIME.format(column)}", NONE)
      for table in ("flight", "flight_stop") for column in ("departure_time", "arrival_time")),
    ("Nonstop, San Francisco to Boston takes about five and three quarter hours, and longer back.",
     f"SELECT 300 < east, east < west, west < 400 FROM ({ELAPSED.format('MIN', 'SFO', 'BOS')}) AS a(east), "
     f"({ELAPSED.format('MIN', 'BOS', 'SFO')}) AS b(west)", [(True, True, True)]),
    ("Nobody flies much faster or slower than aircraft do.",
     "SELECT MIN(time_elapsed) >= 25, MAX(time_elapsed) < 16 * 60 FROM flight", [(True, True)]),
    ("Overnight flights arrive on the next day.",
     "SELECT COUNT(*) > 5 FROM flight WHERE departure_time > 2100 AND arrival_time < 900 "
     "AND from_airport IN ('LAX', 'SFO', 'SEA') AND stops = 0", YES),
    # Legs, stops and connections.
    ("A flight has one leg more than stops.",
     f"SELECT flight_id FROM flight LEFT JOIN ({PER_FLIGHT.format('leg_number', 'flight_leg')}) USING (flight_id) "
     "WHERE n IS DISTINCT FROM stops + 1 OR last <> n", []),
    ("A flight has as many stops as it says.",
     f"SELECT flight_id FROM flight LEFT JOIN ({PER_FLIGHT.format('1', 'flight_stop')}) USING (flight_id) "
     "WHERE COALESCE(n, 0) <> stops", []),
    ("Legs follow one another from the start to the end of the flight.",
     "SELECT flight_id FROM flight JOIN flight_leg USING (flight_id) JOIN flight leg ON leg.flight_id = leg_flight "
     "LEFT JOIN flight_stop before ON before.flight_id = flight.flight_id AND before.stop_number = leg_number - 1 "
     "LEFT JOIN flight_stop after ON after.flight_id = flight.flight_id AND after.stop_number = leg_number "
     "WHERE leg.stops > 0 OR leg.from_airport <> COALESCE(before.stop_airport, flight.from_airport) "
     "OR leg.to_airport <> COALESCE(after.stop_airport, flight.to_airport) "
     "OR leg.arrival_time <> COALESCE(after.arrival_time, flight.arrival_time) "
     "OR leg.departure_time <> COALESCE(before.departure_time, flight.departure_time)", []),
    ("A flight goes only on days on which all its legs go.",
     "SELECT flight_id FROM flight f JOIN days d ON d.days_code = f.flight_days JOIN flight_leg USING (flight_id) "
     "JOIN flight leg ON leg.flight_id = leg_flight LEFT JOIN days e ON e.days_code = leg.flight_days "
     "AND e.day_name = d.day_name WHERE e.day_name IS NULL", []),
    ("A change of plane is a change of number.",
     f"SELECT flight_id FROM flight JOIN (SELECT flight_id, COUNT(*) FILTER ({CHANGES}) AS n FROM flight_stop "
     "GROUP BY ALL) USING (flight_id) WHERE n <> connections", []),
    ("A change of plane has time enough.",
     f"SELECT COUNT(*) FROM flight_stop JOIN airport ON stop_airport = airport_code WHERE ({CHANGES}) "
     "AND stop_time < minimum_connect_time", NONE),
    ("Nobody passes the same airport twice.",
     "SELECT COUNT(*) FROM flight LEFT JOIN flight_stop USING (flight_id) WHERE stop_airport IN (from_airport, "
     "to_airport) OR from_airport = to_airport", NONE),
    ("Nearly all pairs of airports can be travelled.",
     "SELECT COUNT(DISTINCT (from_airport, to_airport)) > 0.9 * 52 * 51 FROM flight", YES),
    ("Flights sold by one airline and flown by another have its numbers.",
     "SELECT flight_id FROM flight WHERE connections = 0 AND (dual_carrier = 'YES') <> EXISTS (SELECT 1 FROM "
     "dual_carrier d WHERE d.main_airline = airline_code AND flight_number BETWEEN low_flight_number AND "
     "high_flight_number)", []),
    # Aircraft and meals.
    ("No leg is longer than its aircraft flies at its cruising speed, with half an hour for taxiing and climbing.",
     "SELECT DISTINCT aircraft_code, from_airport, to_airport FROM flight JOIN aircraft ON aircraft_code = "
     "aircraft_code_sequence WHERE stops = 0 AND (time_elapsed - 35) * cruising_speed > 66 * range_miles", []),
    ("A sequence names the aircraft of the legs in turn.",
     "SELECT flight_id FROM flight f JOIN flight_leg USING (flight_id) JOIN flight leg ON leg.flight_id = leg_flight "
     "WHERE leg.aircraft_code_sequence NOT IN (SELECT aircraft_code FROM equipment_sequence e "
     "WHERE e.aircraft_code_sequence = f.aircraft_code_sequence)", []),
    *((f"{meal} is served in its hours.",
       f"SELECT COUNT(*) FROM flight WHERE stops = 0 AND meal_code LIKE '{meal[0]}%' AND departure_time NOT BETWEEN "
       f"{begin} AND {end}", NONE)
      for meal, begin, end in (("Breakfast", 500, 930), ("Lunch", 1030, 1330), ("Dinner", 1600, 2000))),
    ("Flights without a meal have none rather than an empty code.",
     "SELECT COUNT(*) FILTER (meal_code IS NULL) > 1000, COUNT(*) FILTER (meal_code = '') FROM flight", [(True, 0)]),
    # Fares.
    ("Every flight has a fare, and every fare a flight.",
     "SELECT (SELECT COUNT(*) FROM flight WHERE flight_id NOT IN (SELECT flight_id FROM flight_fare)), "
     "(SELECT COUNT(*) FROM fare WHERE fare_id NOT IN (SELECT fare_id FROM flight_fare))", [(0, 0)]),
    ("The fare of a flight is one of its own airports and airline.",
     "SELECT COUNT(*) FROM flight_fare JOIN fare USING (fare_id) JOIN flight USING (flight_id) WHERE "
     "(fare.from_airport, fare.to_airport, fare_airline) <> (flight.from_airport, flight.to_airport, "
     "airline_code)", NONE),
    ("A round trip costs twice one direction where there is one.",
     "SELECT COUNT(*) FILTER (round_trip_cost <> 2 * one_direction_cost OR round_trip_required = 'YES' AND "
     "round_trip_cost IS NULL), COUNT(*) FILTER (round_trip_cost IS NULL) > 1000 FROM fare", [(0, True)]),
    ("Full coach from Boston grows with distance.",
     "SELECT to_airport FROM fare WHERE from_airport = 'BOS' AND fare_basis_code = 'Y' AND to_airport IN "
     "('LGA', 'CLE', 'DEN', 'SFO') GROUP BY 1 ORDER BY AVG(one_direction_cost)",
     [("LGA",), ("CLE",), ("DEN",), ("SFO",)]),
    ("San Francisco costs more than twice as much as New York.",
     "SELECT AVG(one_direction_cost) FILTER (to_airport = 'SFO') > 2 * AVG(one_direction_cost) FILTER (to_airport = "
     "'LGA') FROM fare WHERE from_airport = 'BOS' AND fare_basis_code = 'Y'", YES),
    ("Fares fall with the days to buy ahead.",
     "SELECT CASE WHEN advance_purchase < 7 THEN 1 ELSE COALESCE(advance_purchase, 0) END AS days "
     f"FROM {FARES} WHERE class_type = 'COACH' AND night = 'NO' AND (restriction_code IS NULL OR advance_purchase < 7 "
     "OR advance_purchase IN (14, 21)) GROUP BY days ORDER BY AVG(one_direction_cost) DESC",
     [(0,), (1,), (14,), (21,)]),
    ("First class costs more than business and business more than coach.",
     "SELECT fare_basis_code FROM fare WHERE (from_airport, to_airport) = ('JFK', 'LAX') AND fare_basis_code IN "
     "('F', 'C', 'Y', 'QX') GROUP BY 1 ORDER BY AVG(one_direction_cost) DESC", [("F",), ("C",), ("Y",), ("QX",)]),
    ("Night fares are for flights at night.",
     "SELECT COUNT(*) FROM flight_fare JOIN flight USING (flight_id) JOIN fare USING (fare_id) JOIN fare_basis "
     "USING (fare_basis_code) WHERE night = 'YES' AND departure_time BETWEEN 500 AND 2059", NONE),
]  # fmt: skip


def test_what_was_said_of_atis_3_and_what_one_can_believe_is_true_of_every_world(atis_world: Ask) -> None:
    found = {claim: atis_world(sql) for claim, sql, _ in FACTS}
    assert found == {claim: rows for claim, _, rows in FACTS}


def test_flights_leave_in_banks_and_hardly_at_night(atis_world: Ask) -> None:
    by_hour = dict(atis_world("SELECT departure_time // 100, COUNT(*) FROM flight WHERE connections = 0 GROUP BY ALL"))
    assert min(by_hour[hour] for hour in (7, 8, 17, 18)) > 3 * max(by_hour.get(hour, 0) for hour in (1, 2, 3, 4, 23))
    quarters = atis_world(
        "SELECT COUNT(*) FROM flight WHERE from_airport = 'ATL' AND airline_code = 'DL' AND connections = 0 "
        "GROUP BY departure_time // 100, departure_time % 100 // 30"
    )
    assert max(quarters)[0] > 3 * min(quarters)[0]


# --- the calendar ---


def test_the_as_of_date_is_a_monday_in_spring_1992_and_the_calendar_holds_every_date_once(ask_atis: Ask) -> None:
    assert load_pack("atis").as_of.strftime("%A %d %B %Y") == "Monday 20 April 1992"
    april = "SELECT day_name FROM date_day WHERE year = 1992 AND month_number = 4 AND day_number IN (20, 25, 26)"
    assert ask_atis(f"{april} ORDER BY day_number") == [("MONDAY",), ("SATURDAY",), ("SUNDAY",)]
    leap = "COUNT(*) FILTER (month_number = 2 AND day_number = 29)"
    assert ask_atis(f"SELECT COUNT(*), {leap} FROM date_day") == [(4 * 365 + 1, 1)]


# --- the file ---


def test_the_same_seed_gives_the_same_world_everywhere(atis_file: Path) -> None:
    assert content_sha256(atis_file) == "0d8121c22a1bc692d1e200682980def96de83e0552ca7189835cde691e5d8a98"


def test_another_seed_gives_another_timetable_over_the_same_places(ask_atis: Ask, other_atis_file: Path) -> None:
    with duckdb.connect(str(other_atis_file), read_only=True) as connection:
        for same in ("city", "airport", "aircraft", "airline"):
            assert connection.execute(f"SELECT * FROM {same}").fetchall() == ask_atis(f"SELECT * FROM {same}")
        for other in ("flight", "fare"):
            assert connection.execute(f"SELECT * FROM {other}").fetchall() != ask_atis(f"SELECT * FROM {other}")


def test_building_tells_how_far_it_is(other_atis_file: Path) -> None:
    told = json.loads(other_atis_file.with_suffix(".json").read_text("utf-8"))
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert {f"writing {table}" for table in TABLES} <= {what for what, _ in told}


def test_building_over_a_database_that_is_there_changes_nothing(other_atis_file: Path, tmp_path: Path) -> None:
    there = Path(shutil.copy(other_atis_file, tmp_path))
    with pytest.raises(duckdb.Error):
        build(there, seed=3)
    assert there.read_bytes() == other_atis_file.read_bytes()
