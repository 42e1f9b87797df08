"""Builds the ATIS database: a synthetic world of the size of ATIS-3, in which the shipped scenarios can be solved.

Places, airlines, aircraft and rules are data (`data/`); the timetable and the fares are drawn. The same seed gives the
same rows on every machine and version of Python. What scenarios stand on is planted and reserved, whatever the seed.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING or __package__:
    from . import calendar_days, connections, fares, geography, listing, planted, timetable, trips
    from .dice import Dice
else:  # a copied folder is no package: Curtain runs this file with the folder on the path
    import calendar_days
    import connections
    import fares
    import geography
    import listing
    import planted
    import timetable
    import trips
    from dice import Dice

FOLDER = Path(__file__).resolve().parent
FLIGHTS = 23_457  # as many as the ATIS-3 database had (field guide 5.2)
FIRST_DATE, LAST_DATE = date(1990, 1, 1), date(1993, 12, 31)
TABLES = (
    "time_zone", "state", "city", "airport", "airport_service", "ground_service", "airline", "dual_carrier", "aircraft",
    "equipment_sequence", "month", "date_day", "days", "time_interval", "code_description", "compartment_class",
    "food_service", "class_of_service", "fare_basis", "restriction", "flight", "flight_leg", "flight_stop", "fare",
    "flight_fare",
)  # fmt: skip
PLAIN = (
    "time_zone", "state", "city", "airport_service", "ground_service", "airline", "dual_carrier", "aircraft",
    "time_interval", "code_description", "compartment_class", "class_of_service", "fare_basis", "restriction",
)  # fmt: skip

Row = tuple[Any, ...]
Tables = dict[str, list[Row]]
Report = Callable[[str, float], None]


def build(path: Path, seed: int = 1992, progress: Report | None = None) -> None:
    """Writes the database to `path`, a DuckDB file that must not exist yet; calls progress(what, done 0..1)."""
    report = progress or (lambda what, done: None)
    with duckdb.connect(str(path)) as connection, TemporaryDirectory() as folder:
        connection.execute((FOLDER / "schema.sql").read_text(encoding="utf-8"))
        tables = draw_tables(seed, report)
        for done, name in enumerate(TABLES):
            report(f"writing {name}", 0.6 + 0.4 * done / len(TABLES))
            _load(connection, name, tables[name], Path(folder) / f"{name}.csv")
    report("done", 1.0)


def _load(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Row], file: Path) -> None:
    """Through a file: a hundred times as fast as row by row. An empty cell is NULL."""
    with open(file, "x", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    connection.execute(f"COPY {table} FROM '{str(file).replace(chr(39), chr(39) * 2)}' (HEADER false, NULLSTR '')")


def draw_tables(seed: int, report: Report = lambda what, done: None) -> Tables:
    """All rows of all tables; NULL is None."""
    world = geography.Map(map(_airport, _read_csv("airport")))
    report("drawing the timetable", 0.0)
    flown = draw_trips(world, seed)
    report("looking for connections", 0.15)
    flights = listing.in_order(draw_flights(world, flown))
    listed = listing.Listing(flights, world, calendar_days.clock_of, calendar_days.days_code)
    tables = {name: _plain_rows(name) for name in PLAIN}
    tables["airport"] = [row[:7] for row in _plain_rows("airport")]
    report("listing the flights", 0.35)
    tables["flight"] = list(listed.flight_rows())
    tables["flight_leg"] = list(listed.leg_rows())
    tables["flight_stop"] = list(listed.stop_rows())
    report("drawing the fares", 0.45)
    tables["fare"], tables["flight_fare"] = draw_fares(world, listed, Dice(seed, "fares"))
    return tables | _derived(tables)


# --- flights ---


def draw_trips(world: geography.Map, seed: int) -> list[trips.Trip]:
    """The trips of all airlines, those that scenarios stand on among them."""
    network = _read_toml("network")
    banks = {hub: [calendar_days.minutes_of(time) for time in times.split()] for hub, times in network["banks"].items()}
    kept = planted.Reservations(_read_csv("reserved"))
    fixed = planted.trips(_read_csv("planted_trip"), timetable.Leg, calendar_days.days_of)
    drawn = list(fixed)
    for code, entry in network["airline"].items():
        drawing = timetable.Drawing(world, banks, set(_jets()), Dice(seed, f"legs of {code}"))
        airline = timetable.read_airline(code, entry)
        legs = list(drawing.legs(airline))
        if code in network["overnight"]["airlines"].split():
            legs += drawing.overnight(airline, network["overnight"]["stations"].split())
        joining = trips.Joining(world, _jets(), kept.holds, Dice(seed, f"trips of {code}"))
        joined = joining.trips(leg for leg in legs if not kept.holds((leg,)))
        used = {trip[0].number for trip in fixed if trip[0].airline == code}
        drawn += trips.numbered(joined, _operated(code), used, Dice(seed, f"numbers of {code}"))
    return drawn


def draw_flights(world: geography.Map, flown: Sequence[trips.Trip]) -> list[listing.Flight]:
    """Every stretch of every trip, and connections until there are as many flights as in ATIS-3."""
    direct = [stretch for trip in flown for stretch in trips.stretches(trip)]
    fixed = [listing.connection(journey) for journey in planted.connections(_read_csv("planted_connection"), flown)]
    flights = [*map(listing.Flight, direct), *fixed]
    kept = planted.Reservations(_read_csv("reserved"))
    connecting = connections.Connecting(world, direct, trips.leads_on, kept.holds)
    possible = _connections(world, connecting)
    taken = {flight.legs for flight in fixed}
    chosen = connections.allotted(possible, _demand(world, direct), FLIGHTS - len(flights))
    return flights + [flight for flight in map(listing.connection, chosen) if flight.legs not in taken]


def _connections(world: geography.Map, connecting: connections.Connecting) -> dict[tuple[str, str], list[Any]]:
    """By market, the largest first; two changes only where one is not enough."""
    markets = [(a, b) for a in world.airports for b in world.airports if a != b]
    markets.sort(key=lambda market: (-_weight(world, market), market))
    once = {market: connecting.once(*market) for market in markets}
    return {market: journeys or connecting.twice(*market, once) for market, journeys in once.items()}


def _demand(world: geography.Map, direct: Iterable[trips.Trip]) -> dict[tuple[str, str], int]:
    """How many connections a market calls for, as a share: more between large airports, fewer where many go straight.
    Between the cities of the 1990 pilot all that is worth listing is listed."""
    demand = {(a, b): 4 + _weight(world, (a, b)) for a in world.airports for b in world.airports if a != b}
    for stretch in direct:
        market = (stretch[0].start, stretch[-1].end)
        demand[market] = max(4, demand[market] - 3)
    pilot = _read_toml("network")["pilot"]["airports"].split()
    return demand | {(a, b): 5 * _weight(world, (a, b)) for a in pilot for b in pilot if a != b}


def _weight(world: geography.Map, market: tuple[str, str]) -> int:
    return world.airports[market[0]].size * world.airports[market[1]].size


@cache
def _jets() -> dict[str, int]:
    """Range in miles of every jet."""
    rows = _read_csv("aircraft")
    return {row["aircraft_code"]: int(row["range_miles"]) for row in rows if row["propulsion"] == "JET"}


def _operated(airline: str) -> dict[str, list[range]]:
    """The numbers under which others fly for an airline."""
    numbers_of: dict[str, list[range]] = {}
    for row in _read_csv("dual_carrier"):
        if row["main_airline"] == airline:
            numbers = range(int(row["low_flight_number"]), int(row["high_flight_number"]) + 1)
            numbers_of.setdefault(row["dual_airline"], []).append(numbers)
    return numbers_of


# --- fares ---


def draw_fares(world: geography.Map, listed: listing.Listing, dice: Dice) -> tuple[list[Row], list[Row]]:
    """Rows of `fare` and of `flight_fare`."""
    rules = [fares.read_rule(row) for row in _read_csv("fare_rule")]
    fixed = [fares.read_fixed(row, rules) for row in _read_csv("planted_fare")]
    pricing = fares.Pricing(world, rules, fixed, dice)
    wide = frozenset(row["aircraft_code"] for row in _read_csv("aircraft") if row["wide_body"] == "YES")
    features = partial(fares.features, jets=_jets(), wide=wide, world=world)
    fare_rows: list[Row] = []
    links: list[Row] = []
    for sold, flights in _by_airline(listed.flights).items():
        of_flight = [(listed.id_of(flight), features(flight)) for flight in flights]
        for fare in pricing.fares(sold, frozenset().union(*(has for _, has in of_flight))):
            having = [flight_id for flight_id, has in of_flight if fare.needs <= has]
            if having:
                fare_rows.append(_fare_row(len(fare_rows) + 1, fare))
                links += [(flight_id, len(fare_rows)) for flight_id in having]
    return fare_rows, links


def _by_airline(flights: Iterable[listing.Flight]) -> dict[fares.Sold, list[listing.Flight]]:
    sold: dict[fares.Sold, list[listing.Flight]] = {}
    for flight in flights:
        sold.setdefault((*flight.market, flight.airline), []).append(flight)
    return sold


def _fare_row(fare_id: int, fare: fares.Fare) -> Row:
    required = "YES" if fare.round_trip_required else "NO"
    start, end, airline = fare.sold
    costs = (fare.one_direction, fare.round_trip)
    return (fare_id, start, end, fare.basis, airline, fare.restriction or None, *costs, required)


# --- tables that follow from others ---


def _derived(tables: Tables) -> Tables:
    sequences = sorted({row[9] for row in tables["flight"]} | {row[0] for row in tables["aircraft"]})
    meals = sorted(
        {row[10] for row in tables["flight"] if row[10]} | {row["meal_code"] for row in _read_csv("known_meal")}
    )
    codes = {row[1] for row in tables["flight"]} | {row[8] for row in tables["fare_basis"]}
    return {
        "equipment_sequence": [(code, part) for code in sequences for part in sorted(set(code.split("/")))],
        "food_service": [row for code in meals for row in _food(code)],
        "days": calendar_days.days_rows(codes | set(calendar_days.ABBREVIATIONS)),
        "month": list(enumerate(calendar_days.MONTHS, start=1)),
        "date_day": list(calendar_days.date_rows(FIRST_DATE, LAST_DATE)),
    }


def _food(code: str) -> Iterator[Row]:
    """Each letter is a meal, the slashes stand between legs; business class eats what first class eats."""
    meals = {row["letter"]: row for row in _read_csv("meal")}
    for number, letter in enumerate(code.replace("/", ""), start=1):
        served = {"F": meals[letter]["first"], "C": meals[letter]["first"], "Y": meals[letter]["coach"]}
        yield from ((code, number, compartment, meal) for compartment, meal in served.items() if meal)


# --- the data files ---


def _airport(row: dict[str, str]) -> geography.Airport:
    zones = {zone["time_zone_code"]: int(zone["hours_from_gmt"]) for zone in _read_csv("time_zone")}
    return geography.Airport(
        code=row["airport_code"],
        latitude=float(row["latitude"]),
        longitude=float(row["longitude"]),
        zone=zones[row["time_zone_code"]],
        connect=int(row["minimum_connect_time"]),
        size=int(row["size"]),
    )


@cache
def _read_csv(name: str) -> list[dict[str, str]]:
    with open(FOLDER / "data" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / "data" / f"{name}.toml").read_text(encoding="utf-8"))


def _plain_rows(table: str) -> list[Row]:
    """Rows of a data file that is a table: nothing is NULL."""
    return [tuple(value or None for value in row.values()) for row in _read_csv(table)]
