"""Statements taken apart and put together again."""

from __future__ import annotations

import pytest

from curtain.drafting.sql.parsing import Parser, pieces_of
from curtain.drafting.sql.statements import write

TABLES = {
    "flight": {"flight_id": "INTEGER", "from_airport": "VARCHAR", "to_airport": "VARCHAR", "departure_time": "INTEGER"},
    "service": {"airport_code": "VARCHAR", "city_code": "VARCHAR"},
    "city": {"city_code": "VARCHAR", "city_name": "VARCHAR", "state_code": "VARCHAR"},
}
KEYS = {"flight": ("flight_id",), "city": ("city_code",), "service": ("city_code", "airport_code")}

FROM = (
    "SELECT DISTINCT flight.flight_id FROM flight, service AS s, city AS c WHERE flight.from_airport = s.airport_code "
    "AND s.city_code = c.city_code AND c.city_name = 'BOSTON'"
)


def key(sql: str) -> str:
    statement = Parser(TABLES, "flight", KEYS).parse(sql)
    assert statement is not None
    return statement.key


@pytest.mark.parametrize(
    "other",
    [
        FROM.replace(" c ", " town ").replace("c.", "town."),
        "SELECT DISTINCT F1.FLIGHT_ID FROM CITY C0, SERVICE S0, FLIGHT F1 WHERE (C0.CITY_NAME = 'BOSTON' AND "
        "S0.CITY_CODE = C0.CITY_CODE) AND S0.AIRPORT_CODE = F1.FROM_AIRPORT",
        "SELECT DISTINCT flight_id FROM flight JOIN service ON from_airport = airport_code JOIN city USING (city_code) "
        "WHERE city_name = 'BOSTON'",
    ],
)
def test_aliases_order_and_spelling_of_joins_do_not_count(other: str) -> None:
    assert key(other) == key(FROM)


@pytest.mark.parametrize(
    "other",
    [
        FROM.replace("from_airport", "to_airport"),
        FROM.replace("BOSTON", "DENVER"),
        FROM.replace("DISTINCT ", ""),
        FROM + " AND c.state_code = 'MA'",
    ],
)
def test_what_answers_otherwise_is_another_statement(other: str) -> None:
    assert key(other) != key(FROM)


def test_two_bounds_of_a_column_are_one_clause() -> None:
    one = "SELECT flight_id FROM flight WHERE departure_time >= 900 AND departure_time <= 1000"
    assert key(one) == key("SELECT flight_id FROM flight WHERE departure_time BETWEEN 900 AND 1000")


def test_rows_reached_by_a_key_are_one_node() -> None:
    tables = FROM.replace("city AS c WHERE", "city AS c, city AS d WHERE")
    again = f"{tables} AND s.city_code = d.city_code AND d.state_code = 'MA'"
    assert key(again) == key(FROM + " AND c.state_code = 'MA'")


@pytest.mark.parametrize(
    "sql",
    [
        FROM,
        "SELECT COUNT(*) FROM flight WHERE departure_time < 900 OR departure_time > 2000",
        "SELECT flight_id FROM flight WHERE departure_time = (SELECT MIN(f.departure_time) FROM flight AS f, "
        "service AS s WHERE f.to_airport = s.airport_code AND s.city_code = 'BBOS') AND NOT from_airport IS NULL",
        "SELECT from_airport, COUNT(*) FROM flight GROUP BY from_airport HAVING COUNT(*) > 3 "
        "ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT c.city_name FROM city AS c WHERE NOT EXISTS "
        "(SELECT 1 FROM service AS s WHERE s.city_code = c.city_code)",
        "SELECT city_name FROM city WHERE city_name LIKE '%O''HARE%'",
        "SELECT flight_id FROM flight WHERE departure_time > 900 UNION SELECT flight_id FROM flight",
        "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM flight GROUP BY from_airport) AS t",
    ],
)
def test_what_is_written_again_is_the_same(sql: str) -> None:
    parser = Parser(TABLES, "flight", KEYS)
    statement = parser.parse(sql)
    assert statement is not None
    again = parser.parse(write(statement))
    assert again is not None
    assert again.key == statement.key


@pytest.mark.parametrize(
    "text", ["", "what is this", "DELETE FROM flight", "SELECT FROM WHERE '", "UPDATE city SET a = 1"]
)
def test_what_is_no_select_is_none_or_text(text: str) -> None:
    statement = Parser(TABLES).parse(text)
    assert statement is None or statement.root == ""


def test_the_text_between_literals_and_the_literals_make_the_statement() -> None:
    assert pieces_of("SELECT 1 FROM city WHERE city_name = 'A''B'") == ("SELECT ", " FROM city WHERE city_name = ", "")
