from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard_app.draft_sketch import sketch, sketches

FLIGHTS = (
    "SELECT DISTINCT flight.flight_id FROM flight, airport_service AS a1, city AS c1, airport_service AS a2, city AS c2"
    " WHERE flight.from_airport = a1.airport_code AND a1.city_code = c1.city_code AND c1.city_name = 'BOSTON'"
    " AND flight.to_airport = a2.airport_code AND a2.city_code = c2.city_code AND c2.city_name = 'ST. PAUL'"
)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (FLIGHTS, "flight_id: from BOSTON, to ST. PAUL"),
        (FLIGHTS + " AND flight.airline_code = 'CO'", "flight_id: from BOSTON, to ST. PAUL, airline code CO"),
        ("SELECT COUNT(*) FROM employee WHERE department = 45", "count: department 45"),
        (
            "select avg(salary), department from employee group by department",
            "avg salary, department: for each department",
        ),
        ("SELECT salary FROM employee WHERE salary BETWEEN 10 AND 20", "salary: salary 10-20"),
        ("SELECT a FROM t WHERE b IN ('X', 'Y') AND NOT c LIKE '%Z%'", "a: b X or Y, c not like %Z%"),
        ("SELECT a FROM t WHERE b NOT IN ('X', 'Y')", "a: b not X or Y"),
        ("SELECT a FROM t WHERE cost = (SELECT MIN(cost) FROM t)", "a: cost lowest"),
        ("SELECT a FROM t WHERE b IS NULL", "a: b null"),
        ("SELECT a FROM d WHERE day_number = 3 AND year = 1991 AND month_number = 11", "a: date 1991-11-03"),
        ("SELECT a FROM d WHERE month_number = 11", "a: month number 11"),
        ("SELECT a FROM t ORDER BY b DESC LIMIT 1", "a: highest b first"),
        ("SELECT a FROM t WHERE name = 'O''HARE'", "a: name O'HARE"),
        ("SELECT a, b, c, d FROM t WHERE a = 1", "a, b + 2: a 1"),
        ("SELECT sum(CASE WHEN sex = 'M' THEN 1 ELSE 0 END) > sum(b) FROM t", "sum > sum b: sex M"),
        ("SELECT d FROM t GROUP BY d HAVING avg(s) >= ALL (SELECT avg(s) FROM t)", "d: avg s highest, for each d"),
        ("SELECT a FROM t WHERE hired > DATE '1952-10-06'", "a: hired > 1952-10-06"),
        ("SELECT a FROM t WHERE CAST(hired AS DATE) < CAST('1952-10-06' AS DATE)", "a: hired < 1952-10-06"),
        ("SELECT a FROM t WHERE d BETWEEN DATE '1960-01-01' AND DATE '1965-12-31'", "a: d 1960-01-01 to 1965-12-31"),
        ("SELECT a FROM t WHERE DATE_DIFF('year', born, hired) > 30", "a: years born to hired > 30"),
        ("SELECT a FROM t WHERE YEAR(hired) = 1975", "a: year hired 1975"),
        ("SELECT COUNT(*) > 0 FROM t WHERE sex = 'F'", "whether any: sex F"),
        ("SELECT COUNT(*) = 0 FROM t WHERE sex = 'F'", "whether none: sex F"),
        ("SELECT EXISTS (SELECT 1 FROM t WHERE sex = 'F')", "whether any: sex F"),
        ("SELECT COUNT(*) > 10 FROM t", "count > 10: all of t"),
        ("SELECT 100 * sum(CASE WHEN sex = 'F' THEN 1 END) / COUNT(*) FROM t", "100 * sum / count: sex F"),
        ("SELECT d FROM t GROUP BY d HAVING COUNT(*) > 10", "d: count > 10, for each d"),
        ("SELECT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.a = t.a)", "a: no u"),
        ("SELECT a FROM t WHERE EXISTS (SELECT * FROM u WHERE u.a = t.a AND u.b = 'X')", "a: b X, with u"),
        ("SELECT a FROM t WHERE a NOT IN (SELECT u.a FROM u WHERE u.b = 'X')", "a: not b X, not in u"),
        ("SELECT a FROM t WHERE a IN (SELECT boss FROM t)", "a: a any boss, in t"),
        (
            "SELECT a FROM t WHERE s > (SELECT AVG(s) FROM t) AND b IS NOT NULL AND c = -5",
            "a: s > the avg, b not null, c -5",
        ),
        ("SELECT city_name FROM city", "city_name: all of city"),
        ("", ""),
        ("not SQL at all", "not SQL at all"),
    ],
)
def test_a_statement_is_told_by_what_it_asks_for_and_the_values_it_is_asked_of(sql: str, told: str) -> None:
    assert sketch(sql) == told


def test_a_value_of_a_joined_table_is_told_by_the_column_it_hangs_on() -> None:
    sql = (
        "SELECT report.employee_id FROM employee AS report JOIN employee AS boss"
        " ON report.supervisor_id = boss.employee_id WHERE boss.last_name = 'LANDER'"
    )
    assert sketch(sql) == "employee_id: supervisor id LANDER"


def test_statements_that_would_read_alike_tell_what_only_they_have() -> None:
    joined = "SELECT a FROM t JOIN school ON t.x = school.x WHERE a = 1"
    told = sketches(["SELECT a FROM t WHERE a = 1", joined, "SELECT b FROM t"])
    assert told == ["[plain]  a: a 1", "[join school on x =]  a: a 1", "b: all of t"]


@given(st.text(max_size=300) | st.text("SELECT WHERE=<>'().,AND in between", max_size=200).map("SELECT ".__add__))
def test_no_text_at_all_is_too_odd_for_a_sketch(sql: str) -> None:
    assert len(sketch(sql)) <= 400
    assert len(sketches([sql, sql + " x"])) == 2
