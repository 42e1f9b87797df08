"""The ways in which the closed scenarios of the air travel pack can be read: sets of statements for each of them.

papers/004, table 3 and “Pilot”; what can go wrong is said at each. `one` statements must all give the same one answer,
`none` statements nothing, `other` statements something else: a near miss, so that half a reading does not solve it.
"""

from dataclasses import dataclass, field
from itertools import product

OF_FLIGHTS = "airport_code IN (SELECT from_airport FROM flight)"
CITY = "{column} IN (SELECT airport_code FROM airport_service JOIN city USING (city_code) WHERE city_name = '{city}')"


@dataclass(frozen=True)
class Readings:
    """`one`: statement -> the rows that it must give; the other two as said above."""

    one: list[tuple[str, set[tuple[object, ...]]]]
    other: list[str] = field(default_factory=list)
    none: list[str] = field(default_factory=list)


def at(column: str, city: str) -> str:
    return CITY.format(column=column, city=city)


# --- pilot and scenario 1: Philadelphia to a city by way of Atlanta, with breakfast ---

STOPS = [
    "EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id AND s.stop_airport = 'ATL')",
    f"EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id AND {at('s.stop_airport', 'ATLANTA')})",
    "f.stops = 1 AND EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id AND s.stop_airport = 'ATL')",
    "f.connections = 0 AND EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id "
    "AND s.stop_airport = 'ATL')",
    "f.connections = 1 AND EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id "
    "AND s.stop_airport = 'ATL')",
    "EXISTS (SELECT 1 FROM flight_leg l JOIN flight g ON g.flight_id = l.leg_flight WHERE l.flight_id = f.flight_id "
    "AND g.to_airport = 'ATL')",
    "EXISTS (SELECT 1 FROM flight_leg l JOIN flight g ON g.flight_id = l.leg_flight WHERE l.flight_id = f.flight_id "
    "AND g.from_airport = 'ATL')",
]
BREAKFASTS = [
    "f.meal_code IN (SELECT meal_code FROM food_service WHERE meal_description = 'BREAKFAST')",
    "f.meal_code IN (SELECT meal_code FROM food_service WHERE meal_description = 'BREAKFAST' AND compartment = 'Y')",
    "f.meal_code IN (SELECT meal_code FROM food_service WHERE meal_description = 'BREAKFAST' AND meal_number = 1)",
    "f.meal_code LIKE '%B%'",
    "f.meal_code LIKE 'B%'",
    "EXISTS (SELECT 1 FROM flight_leg l JOIN flight g ON g.flight_id = l.leg_flight JOIN food_service m ON "
    "m.meal_code = g.meal_code WHERE l.flight_id = f.flight_id AND m.meal_description = 'BREAKFAST')",
]
KINDS = "e.aircraft_code, a.basic_type, a.aircraft_description"  # none of them splits the answer
FLOWN = (
    "SELECT DISTINCT {kind} FROM flight f JOIN equipment_sequence e USING (aircraft_code_sequence) JOIN aircraft a ON "
    "a.aircraft_code = e.aircraft_code WHERE {start} AND {end} AND {more}"
)


def _by_way_of_atlanta(end_city: str, end_airport: str, *kinds: str) -> Readings:
    start = [at("f.from_airport", "PHILADELPHIA"), "f.from_airport = 'PHL'"]
    end = [at("f.to_airport", end_city), f"f.to_airport = '{end_airport}'"]
    answer: set[tuple[object, ...]] = {kinds}
    one = [
        (FLOWN.format(kind=KINDS, start=s, end=e, more=f"{stop} AND {meal}"), answer)
        for s, e in zip(start, end, strict=True)
        for stop, meal in product(STOPS, BREAKFASTS)
    ]
    near = [
        STOPS[0], f"{STOPS[0]} AND f.meal_code NOT LIKE '%B%'", f"f.stops = 0 AND {BREAKFASTS[0]}", BREAKFASTS[0],
        f"f.stops > 0 AND {BREAKFASTS[0]}",
    ]  # fmt: skip
    other = [FLOWN.format(kind=KINDS, start=start[0], end=end[0], more=more) for more in near]
    to_atlanta = FLOWN.format(kind=KINDS, start=start[0], end=at("f.to_airport", "ATLANTA"), more=BREAKFASTS[0])
    return Readings(one, [*other, to_atlanta])


# --- scenario 2: Continental, Boston and San Francisco ---

CONTINENTAL = [
    "f.airline_code = 'CO'",
    "f.airline_code IN (SELECT airline_code FROM airline WHERE airline_name LIKE 'CONTINENTAL%')",
    "f.airline_flight LIKE 'CO %'",
    "f.airline_flight LIKE '%CO %'",
    "(f.airline_code = 'CO' OR EXISTS (SELECT 1 FROM flight_stop s WHERE s.flight_id = f.flight_id AND "
    "'CO' IN (s.arrival_airline, s.departure_airline)))",
    "f.airline_code = 'CO' AND f.dual_carrier = 'NO'",
]
BAY = "{} IN ('SFO', 'OAK', 'SJC')"


def _on(day: int) -> list[str]:
    name = ["WEDNESDAY", "SATURDAY", "SUNDAY"][[29, 25, 26].index(day)]
    dated = f"SELECT day_name FROM date_day WHERE month_number = 4 AND day_number = {day} AND year = 1992"
    return [
        f"f.flight_days IN (SELECT days_code FROM days WHERE day_name IN ({dated}))",
        f"f.flight_days IN (SELECT days_code FROM days WHERE day_name = '{name}')",
        f"(f.flight_days = 'DAILY' OR f.flight_days LIKE '%{name[:2]}%')",
    ]


OUT = [
    f"{at('f.from_airport', 'BOSTON')} AND {at('f.to_airport', 'SAN FRANCISCO')}",
    f"f.from_airport = 'BOS' AND {BAY.format('f.to_airport')}",
]
BACK = [
    f"{at('f.to_airport', 'BOSTON')} AND {at('f.from_airport', 'SAN FRANCISCO')}",
    f"f.to_airport = 'BOS' AND {BAY.format('f.from_airport')}",
]
WEEKEND = [
    "f.flight_days IN (SELECT days_code FROM days WHERE day_name IN ('SATURDAY', 'SUNDAY'))",
    "f.flight_days IN (SELECT days_code FROM days JOIN date_day USING (day_name) WHERE month_number = 4 AND "
    "day_number BETWEEN 25 AND 26 AND year = 1992)",
]
BY_DAY = ["TRUE", "f.departure_time BETWEEN 600 AND 1800", "f.connections = 0"]
EVENING = [
    "f.departure_time BETWEEN 1800 AND 2200", "f.departure_time >= 1800", "f.arrival_time BETWEEN 1800 AND 2200",
    "f.arrival_time >= 1800", "f.departure_time >= 2200", "f.arrival_time < f.departure_time",
    "(f.departure_time >= 1700 OR f.departure_time < 600)",
]  # fmt: skip


def _numbers(*conditions: str) -> str:
    return "SELECT DISTINCT f.flight_number FROM flight f WHERE " + " AND ".join(conditions)


def _miles() -> Readings:
    there: set[tuple[object, ...]] = {(1267,)}
    back: set[tuple[object, ...]] = {(1272,)}
    one = [(_numbers(o, c, d, t), there) for o, c, d, t in product(OUT, CONTINENTAL, [*_on(26), *WEEKEND], BY_DAY[:1])]
    one += [(_numbers(b, c, d, t), back) for b, c, d, t in product(BACK, CONTINENTAL, _on(29), BY_DAY[:1])]
    one += [(_numbers(OUT[0], CONTINENTAL[3], _on(26)[0], t), there) for t in BY_DAY]
    one += [(_numbers(BACK[0], CONTINENTAL[3], _on(29)[0], t), back) for t in BY_DAY]
    none = [_numbers(o, c, d) for o, c, d in product(OUT, CONTINENTAL, _on(25))]
    none += [_numbers(b, c, d, e) for b, c, d, e in product(BACK, CONTINENTAL[3:5], _on(29), EVENING)]
    other = [
        _numbers(OUT[0], CONTINENTAL[0]), _numbers(BACK[0], CONTINENTAL[0]),
        _numbers(BACK[0], CONTINENTAL[0], EVENING[1]), _numbers(OUT[0], _on(25)[0]),
        _numbers(OUT[0], "f.flight_days = 'DAILY'"), _numbers(BACK[0], _on(29)[0], EVENING[0]),
        _numbers(OUT[0], CONTINENTAL[0], "f.connections = 1"),
    ]  # fmt: skip
    return Readings(one, other, none)


# --- scenario 3: Atlanta to Baltimore on a 757 around seven ---

A_757 = [
    "f.aircraft_code_sequence = '757'",
    "f.aircraft_code_sequence LIKE '%757%'",
    "f.aircraft_code_sequence IN (SELECT aircraft_code_sequence FROM equipment_sequence WHERE aircraft_code = '757')",
    "f.aircraft_code_sequence IN (SELECT aircraft_code_sequence FROM equipment_sequence JOIN aircraft USING "
    "(aircraft_code) WHERE basic_type = '757')",
    "f.aircraft_code_sequence IN (SELECT aircraft_code_sequence FROM equipment_sequence JOIN aircraft USING "
    "(aircraft_code) WHERE basic_type = '757' AND manufacturer = 'BOEING')",
]
AROUND_SEVEN = [
    "f.arrival_time BETWEEN 1845 AND 1915", "f.arrival_time BETWEEN 1830 AND 1930",
    "f.arrival_time BETWEEN 1800 AND 2000", "f.arrival_time > 1800 AND f.arrival_time < 2200",
]  # fmt: skip
TO_BALTIMORE = [
    f"{at('f.from_airport', 'ATLANTA')} AND {at('f.to_airport', 'BALTIMORE')}",
    "f.from_airport = 'ATL' AND f.to_airport = 'BWI'",
]
MEAL = "SELECT DISTINCT f.flight_number, m.meal_description FROM flight f JOIN food_service m USING (meal_code) WHERE "


def _supper() -> Readings:
    compartments = ["TRUE", "m.compartment = 'Y'", "m.compartment = 'F'", "m.meal_number = 1"]
    one: list[tuple[str, set[tuple[object, ...]]]] = [
        (MEAL + " AND ".join(parts), {(748, "DINNER")})
        for parts in product(TO_BALTIMORE, A_757, AROUND_SEVEN, compartments)
    ]
    other = [
        MEAL + f"{TO_BALTIMORE[1]} AND {A_757[0]}",
        MEAL + f"{TO_BALTIMORE[1]} AND {AROUND_SEVEN[1]}",
        MEAL + f"f.from_airport = 'ATL' AND f.to_airport IN ('DCA', 'IAD') AND {A_757[0]} AND {AROUND_SEVEN[0]}",
    ]
    return Readings(one, other)


# --- scenario 4: two in coach on one first class allowance ---

RESTRICTED = [
    "r.restriction_code IS NULL",
    "r.advance_purchase IS NULL AND COALESCE(r.saturday_stay_required, 'NO') = 'NO'",
    "(r.advance_purchase IS NULL OR r.advance_purchase < 7)",
    "(r.advance_purchase IS NULL OR r.advance_purchase <= 7)",
    "COALESCE(r.advance_purchase, 0) = 0",
]
COACH = ["b.class_type = 'COACH'", "b.class_type IN ('COACH', 'THRIFT')"]
REGULAR = ["b.class_type = 'FIRST'", "b.booking_class = 'F'", "f.fare_basis_code = 'F'"]
FARE = "fare f JOIN fare_basis b USING (fare_basis_code) LEFT JOIN restriction r USING (restriction_code)"
SOLD = "f.from_airport = 'PIT' AND f.to_airport = 'ATL'"
COSTS = {"one_direction_cost": 186, "round_trip_cost": 372}
FLYING = (
    "f.fare_id IN (SELECT fare_id FROM flight_fare JOIN flight USING (flight_id) WHERE flight_days IN (SELECT "
    "days_code "
    "FROM days JOIN date_day USING (day_name) WHERE month_number = 4 AND day_number = {day} AND year = 1992))"
)


def _nearest(cost: str, first: str, coach: str, restricted: str, more: str) -> list[str]:
    """By distance on both sides, and from below."""
    allowance = f"(SELECT MIN(f.{cost}) FROM {FARE} WHERE {SOLD} AND {first})"
    among = f"FROM {FARE} WHERE {SOLD} AND {coach} AND {restricted} AND {more}"
    gap = f"ABS({allowance} - 2 * f.{cost})"
    below = f"SELECT MAX(f.{cost}) {among} AND 2 * f.{cost} <= {allowance}"
    return [f"SELECT DISTINCT f.{cost} {among} AND {gap} = (SELECT MIN({gap}) {among})", below]


def _allowance() -> Readings:
    days = ["TRUE", FLYING.format(day=27), "f.fare_airline = 'US'"]
    cases = [*product(COSTS.items(), REGULAR[:1], COACH, RESTRICTED, days)]
    cases += product(COSTS.items(), REGULAR[1:], COACH[:1], RESTRICTED, days[:1])
    one: list[tuple[str, set[tuple[object, ...]]]] = [
        (sql, {(answer,)})
        for (cost, answer), first, coach, restricted, day in cases
        for sql in _nearest(cost, first, coach, restricted, day)
    ]
    other = _nearest("one_direction_cost", REGULAR[0], COACH[0], "TRUE", "TRUE")
    return Readings(one, other)


# --- ours ---


def _ours() -> dict[str, Readings]:
    late = "SELECT {} FROM flight WHERE from_airport = 'CLE' AND to_airport = 'MEM'"
    wide = (
        f"FROM flight f JOIN equipment_sequence USING (aircraft_code_sequence) JOIN aircraft a USING (aircraft_code) "
        f"WHERE {at('f.from_airport', 'KANSAS CITY')} AND {at('f.to_airport', 'BOSTON')} AND "
    )
    fares = "FROM fare f LEFT JOIN restriction r USING (restriction_code)"
    free = f"{fares} WHERE f.from_airport = 'CMH' AND f.to_airport = 'MCO'"
    turboprops = "FROM aircraft WHERE propulsion = 'TURBOPROP' AND wing_span {} 72"
    flown = "aircraft_code IN (SELECT aircraft_code FROM equipment_sequence JOIN flight USING (aircraft_code_sequence))"
    chicago = "FROM airport_service JOIN city USING (city_code) WHERE city_name = 'CHICAGO'"
    continental = "SELECT DISTINCT dual_airline FROM dual_carrier WHERE "
    washington = "FROM ground_service JOIN city USING (city_code) WHERE city_name = 'WASHINGTON' AND "
    return {
        "late-supper": Readings(
            [
                (late.format("MAX(departure_time)"), {(2125,)}),
                (late.format("MAX(departure_time)") + " AND stops = 0", {(2125,)}),
                (late.format("MAX(departure_time)") + " AND arrival_time > departure_time", {(2125,)}),
                (late.format("MAX(departure_time)") + f" AND {_on(25)[1].replace('f.', '')}", {(2125,)}),
            ],
            [late.format("MAX(arrival_time)"), late.format("MAX(departure_time)") + " AND connections > 0"],
        ),
        "elbow-room": Readings(
            [
                (f"SELECT DISTINCT f.flight_number {wide} {condition}", {(742,)})
                for condition in (
                    "a.wide_body = 'YES'",
                    "a.wide_body = 'YES' AND f.connections = 0",
                    "a.wide_body = 'YES' AND f.stops = 0",
                )
            ],
            [f"SELECT DISTINCT f.flight_number {wide} f.stops = 0"],
        ),
        "no-strings": Readings(
            [
                (f"SELECT MIN(f.one_direction_cost) {free} AND {condition}", {(183,)})
                for condition in (
                    "f.restriction_code IS NULL",
                    "r.advance_purchase IS NULL AND COALESCE(r.saturday_stay_required, 'NO') = 'NO'",
                    "COALESCE(r.advance_purchase, 0) = 0 AND f.round_trip_required = 'NO'",
                )
            ],
            [
                f"SELECT MIN(f.one_direction_cost) {free}",
                f"SELECT MIN(f.one_direction_cost) {free} AND r.advance_purchase IS NULL",
                f"SELECT MIN(f.one_direction_cost) {free} AND COALESCE(r.saturday_stay_required, 'NO') = 'NO'",
            ],
        ),
        "hangar": Readings(
            [
                (
                    f"SELECT aircraft_code {turboprops.format(sign)} AND {more} AND capacity >= ALL "
                    f"(SELECT capacity {turboprops.format(sign)} AND {more})",
                    {("SF3",)},
                )
                for sign in ("<", "<=")
                for more in ("TRUE", flown, "pressurized = 'YES'")
            ],
            [
                "SELECT ARG_MAX(aircraft_code, capacity) FROM aircraft WHERE propulsion = 'TURBOPROP'",
                "SELECT ARG_MAX(aircraft_code, wing_span) FROM aircraft WHERE propulsion = 'JET' AND capacity < 80",
                "SELECT ARG_MIN(aircraft_code, capacity) FROM aircraft WHERE propulsion = 'TURBOPROP'",
            ],
        ),
        "island": Readings(
            [
                ("SELECT aircraft_code FROM aircraft WHERE range_miles >= 5000 AND engines <= 2", {("767",)}),
                ("SELECT ARG_MAX(basic_type, range_miles) FROM aircraft WHERE engines = 2", {("767",)}),
            ],
            ["SELECT ARG_MAX(aircraft_code, range_miles) FROM aircraft"],
        ),
        "petty-cash": Readings(
            [(f"SELECT airport_code {washington} transport_type = 'LIMOUSINE' AND ground_fare < 6", {("DCA",)})],
            [f"SELECT airport_code {washington} ground_fare <= 9"],
        ),
        "short-change": Readings(
            [
                (
                    "SELECT ARG_MIN(airport_code, minimum_connect_time) FROM airport WHERE airport_code IN "
                    "('JFK', 'LGA', 'EWR')",
                    {("LGA",)},
                ),
                (
                    "SELECT ARG_MIN(airport_code, minimum_connect_time) FROM airport WHERE airport_location = "
                    "'NEW YORK'",
                    {("LGA",)},
                ),
            ],
            ["SELECT ARG_MIN(airport_code, minimum_connect_time) FROM airport"],
        ),
        "courtroom": Readings(
            [
                (f"SELECT airport_code {chicago} AND {column} <= ALL (SELECT {column} {chicago})", {("MDW",)})
                for column in ("minutes_distant", "miles_distant")
            ],
            [
                f"SELECT airport_code {chicago} AND minutes_distant > 40",
                "SELECT ARG_MIN(airport_code, minutes_distant) FROM airport_service",
            ],
        ),
        "suitcase": Readings(
            [
                (
                    continental + "main_airline = 'CO' AND 2950 BETWEEN low_flight_number AND high_flight_number",
                    {("RU",)},
                ),
                (continental + "main_airline = 'CO'", {("RU",)}),
                (continental + "service_name LIKE 'CONTINENTAL%'", {("RU",)}),
                (
                    continental + "main_airline IN (SELECT airline_code FROM airline WHERE airline_name LIKE "
                    "'CONTINENTAL%') AND low_flight_number < 2950 AND high_flight_number > 2950",
                    {("RU",)},
                ),
                ("SELECT airline_code FROM airline WHERE note LIKE '%CO'", {("RU",)}),
            ],
            [
                continental + "2950 BETWEEN low_flight_number AND high_flight_number",
                "SELECT airline_code FROM airline WHERE airline_name LIKE 'CONTINENTAL%'",
            ],
        ),
        "pressure": Readings(
            [
                ("SELECT aircraft_code FROM aircraft WHERE pressurized <> 'YES'", {("SH6",)}),
                ("SELECT basic_type FROM aircraft WHERE pressurized = 'NO' AND propulsion = 'TURBOPROP'", {("SH360",)}),
                ("SELECT manufacturer FROM aircraft WHERE pressurized = 'NO'", {("SHORTS",)}),
            ],
            [
                "SELECT aircraft_code FROM aircraft WHERE propulsion = 'TURBOPROP'",
                "SELECT ARG_MIN(aircraft_code, capacity) FROM aircraft",
            ],
        ),
        "inspector": Readings(
            [
                (
                    f"SELECT {place} FROM {table} GROUP BY ALL HAVING COUNT({what}) >= ALL "
                    f"(SELECT COUNT({what}) FROM {table} GROUP BY {place})",
                    {("CA",)},
                )
                for place, table, what in (
                    ("state_code", "airport", "*"),
                    ("state_code", "airport", "DISTINCT airport_location"),
                    ("state_code", "city JOIN airport_service USING (city_code)", "DISTINCT airport_code"),
                    ("state_code", "city", "*"),
                    ("state_code", f"(SELECT * FROM airport WHERE {OF_FLIGHTS})", "*"),
                )
            ],
            [
                "SELECT state_code FROM airport GROUP BY ALL HAVING COUNT(*) = 4",
                "SELECT ARG_MAX(state_code, minimum_connect_time) FROM airport",
            ],
        ),
        "ticket-stub": Readings(
            [
                ("SELECT advance_purchase FROM restriction WHERE restriction_code LIKE '%AP/68%'", {(21,)}),
                (
                    "SELECT DISTINCT advance_purchase FROM fare JOIN restriction USING (restriction_code) WHERE "
                    "restriction_code = 'AP/68'",
                    {(21,)},
                ),
            ],
            [
                "SELECT minimum_stay FROM restriction WHERE restriction_code = 'AP/68'",
                "SELECT maximum_stay + 1 FROM restriction WHERE restriction_code = 'AP/80'",
            ],
        ),
        "practice": Readings(
            [
                (
                    "SELECT ARG_MIN(transport_type, ground_fare), MIN(ground_fare) FROM ground_service "
                    "WHERE airport_code = 'BOS'",
                    {("RAPID TRANSIT", 1)},
                )
            ],
            ["SELECT transport_type, ground_fare FROM ground_service WHERE airport_code = 'BOS'"],
        ),
    }


READINGS: dict[str, Readings] = {
    "pilot": _by_way_of_atlanta("DENVER", "DEN", "L10", "L1011", "LOCKHEED L-1011 TRISTAR"),
    "philadelphia-dallas": _by_way_of_atlanta("DALLAS", "DFW", "72S", "727", "BOEING 727-200"),
    "boston-san-francisco": _miles(),
    "atlanta-baltimore": _supper(),
    "pittsburgh-atlanta": _allowance(),
    **_ours(),
}
