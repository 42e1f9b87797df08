"""A statement in one line: what it asks for and the values it is asked of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.domain.pack.pack import load_pack
from curtain_drafts.tool.algebra.description import sketched
from curtain_drafts.tool.algebra.reading import SqlReader

TABLES = {
    "t": "a b c d e s x y z cost name größe boss boss_id t_id start_date hired born id day_number hire_date sex salary"
    " city_code airport_code transport_type ground_fare remark",
    "u": "a b c x",
    "f": "a from_x to_x",
    "s": "x a",
    "d": "a year month_number day_number",
    "customers": "customer_id",
    "employee": "employee_id salary supervisor_id last_name department sex",
    "flight": "flight_id from_airport to_airport airline_code cost",
    "airport_service": "airport_code city_code",
    "city": "city_code city_name airport_code transport_type ground_fare remark",
}
KEYS = {"employee": ("employee_id",), "t": ("t_id",), "city": ("city_code",)}
FLIGHTS = (
    "SELECT DISTINCT flight.flight_id FROM flight, airport_service AS a1, city AS c1, airport_service AS a2, city AS c2"
    " WHERE flight.from_airport = a1.airport_code AND a1.city_code = c1.city_code AND c1.city_name = 'BOSTON'"
    " AND flight.to_airport = a2.airport_code AND a2.city_code = c2.city_code AND c2.city_name = 'ST. PAUL'"
)
BOSS = "FROM employee JOIN employee AS boss ON boss.employee_id = employee.supervisor_id"
# The digits of a rounding are left out, and whether there are any stands in words.
SILENT = re.compile(r", \d\)|COUNT\(\*\) [>=] 0")
# Days divided by those of a year are years.
YEARS = re.compile(r"'day'((?:, [^/]*)\)) / 365\.25")
VALUE = re.compile(r"'(?:[^']|'')*'|(?<![\w.])\d+(?:\.\d+)?")
WORDS = [
    *("(", ")", ",", "=", "*", "-", "5", "'x'", "a.b", "SELECT", "FROM", "WHERE", "NOT", "AND", "OR", "IN", "BETWEEN"),
    *("CASE", "WHEN", "THEN", "END", "UNION", "WITH", "EXISTS", "ALL", "MIN", "COUNT", "AS", "JOIN", "ON", "LIMIT"),
]
DEEP = ["(", "NOT ", "(SELECT a FROM t WHERE a IN ", "CASE WHEN ", "a AND ", "UNION SELECT a "]
STATEMENTS = [(example.sql, name) for name in ("personnel", "atis") for example in load_pack(name).examples()]


@pytest.fixture(scope="module")
def reader() -> SqlReader:
    tables = {table: dict.fromkeys(columns.split(), "VARCHAR") for table, columns in TABLES.items()}
    tables["t"]["my col"] = "INTEGER"
    return SqlReader(tables, "", KEYS)


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        (FLIGHTS, "flight id from BOSTON to ST. PAUL"),
        (FLIGHTS + " AND flight.airline_code = 'CO'", "flight id from BOSTON to ST. PAUL with airline code CO"),
        (
            FLIGHTS + " AND flight.cost = (SELECT MIN(f.cost) FROM flight AS f, airport_service AS a3, city AS c3 WHERE"
            " f.from_airport = a3.airport_code AND a3.city_code = c3.city_code AND c3.city_name = 'BOSTON')",
            "flight id from BOSTON to ST. PAUL with cost lowest",
        ),
        ("SELECT COUNT(*) FROM employee WHERE department = 45", "how many employees with department 45"),
        (
            "select avg(salary), department from employee group by department",
            "average salary and department of employees, for each department",
        ),
        # Comparisons
        ("SELECT salary FROM employee WHERE salary BETWEEN 10 AND 20", "salary of employees with salary 10-20"),
        ("SELECT a FROM t WHERE b NOT BETWEEN 1 AND 5 AND c = -5", "a of ts with b not 1-5 and c -5"),
        ("SELECT a FROM t WHERE b IN ('X', 'Y') AND NOT c LIKE '%Z%'", "a of ts with b X or Y and c not like %Z%"),
        ("SELECT a FROM t WHERE b IN (1, 2, 3, 4, 5, 6)", "a of ts with b 1 or 2 or 3 or 4 or 5 or 6"),
        ("SELECT a FROM t WHERE b NOT IN ('X', 'Y')", "a of ts with b not X or Y"),
        ("SELECT a FROM t WHERE b IS NULL", "a of ts with b null"),
        ("SELECT a FROM t WHERE b IS NOT NULL", "a of ts with b not null"),
        ("SELECT a FROM t WHERE b IS NOT DISTINCT FROM 5", "a of ts with b IS NOT DISTINCT FROM 5"),
        ("SELECT a FROM t WHERE name = 'O''HARE'", "a of ts with name O'HARE"),
        (
            "SELECT a FROM t WHERE x = 'Россия' AND größe > 3 AND \"my col\" = 2",
            "a of ts with x Россия, größe above 3 and my col 2",
        ),
        ("SELECT a FROM t WHERE b % 2 = 0", "a of ts with b % 2 = 0"),
        (
            f"SELECT employee.employee_id {BOSS} WHERE employee.salary > boss.salary",
            "employee id with employee.salary > supervisor.salary",
        ),
        (
            "SELECT a.x FROM t AS a, t AS b WHERE a.boss_id = b.t_id AND b.start_date < a.start_date",
            "x of ts with boss.start_date < t.start_date",
        ),
        ("SELECT a.x FROM t AS a, t AS b WHERE a.y > b.y", "x of ts with t.y > other_t.y"),
        (
            "SELECT id FROM t WHERE DATE_DIFF('DAY', hired, CAST('1989-08-19' AS DATE)) / 365.25 > 10",
            "id of ts with years from hired to 1989-08-19 above 10",
        ),
        (
            "SELECT ROUND(AVG(DATE_DIFF('day', born, DATE '1989-08-19')) / 365.25, 2) FROM t WHERE a = 1",
            "average years from born to 1989-08-19 of ts with a 1",
        ),
        ("SELECT id FROM t WHERE DATE_DIFF('day', a, b) / 7 > 2", "id of ts with DATE_DIFF('DAY', a, b) / 7 above 2"),
        (
            f"SELECT boss.last_name {BOSS} WHERE employee.last_name = 'TAI'",
            "last name of employees as supervisor of employees with last name TAI",
        ),
        # Dates
        ("SELECT a FROM d WHERE day_number = 3 AND year = 1991 AND month_number = 11", "a of ds with date 1991-11-03"),
        ("SELECT a FROM d WHERE month_number = 11", "a of ds with month number 11"),
        ("SELECT a FROM t WHERE hired > DATE '1952-10-06'", "a of ts with hired after 1952-10-06"),
        (
            "SELECT a FROM t WHERE CAST(hired AS DATE) < CAST('1952-10-06' AS DATE)",
            "a of ts with hired before 1952-10-06",
        ),
        ("SELECT a FROM t WHERE hired::DATE = '1952-10-06'", "a of ts with hired 1952-10-06"),
        (
            "SELECT a FROM t WHERE d BETWEEN DATE '1960-01-01' AND DATE '1965-12-31'",
            "a of ts with d 1960-01-01 to 1965-12-31",
        ),
        ("SELECT a FROM t WHERE YEAR(hire_date) = 1975", "a of ts with YEAR(hire_date) = 1975"),
        # NOT, OR
        ("SELECT a FROM t WHERE b = 1 OR c = 2", "a of ts with (b 1 or c 2)"),
        ("SELECT a FROM t WHERE (b = 1 OR c = 2) AND d = 3", "a of ts with (b 1 or c 2) and d 3"),
        ("SELECT a FROM t WHERE b = 1 AND c = 2 OR d BETWEEN 3 AND 4", "a of ts with (b 1 and c 2 or d 3-4)"),
        ("SELECT a FROM t WHERE NOT (b = 1 OR c = 2)", "a of ts with not (b 1 or c 2)"),
        ("SELECT a FROM t WHERE NOT b = 1", "a of ts with b not 1"),
        (
            "SELECT a FROM f, s WHERE f.from_x = s.x OR f.to_x = s.x",
            "a of fs with (f.from_x = other_s.x or f.to_x = other_s.x)",
        ),
        # Counting
        ("SELECT COUNT(*) > 0 FROM t WHERE sex = 'F'", "whether any t with sex F"),
        ("SELECT COUNT(*) = 0 FROM t WHERE sex = 'F'", "whether no t with sex F"),
        ("SELECT COUNT(*) > 10 FROM t", "COUNT(*) > 10 of all ts"),
        ("SELECT COUNT(DISTINCT a) FROM t", "number of distinct a of all ts"),
        (
            "SELECT 100 * sum(CASE WHEN sex = 'F' THEN 1 END) / COUNT(*) FROM t",
            "(100 * SUM(CASE WHEN sex = 'F' THEN 1 END)) / COUNT(*) of all ts",
        ),
        ("SELECT d FROM t GROUP BY d HAVING COUNT(*) > 10", "d of ts with count above 10, for each d"),
        # SELECTs within
        ("SELECT a FROM t WHERE cost = (SELECT MIN(cost) FROM t)", "a of ts with cost lowest"),
        ("SELECT a FROM t WHERE b = 5 AND c = (SELECT MAX(c) FROM t)", "a of ts with b 5 and c highest of all"),
        ("SELECT a FROM t WHERE b = 5 AND c = (SELECT MAX(c) FROM t WHERE b = 5)", "a of ts with b 5 and c highest"),
        (
            "SELECT a FROM t WHERE b = 5 AND c = (SELECT MAX(c) FROM t WHERE d = 6)",
            "a of ts with b 5 and c highest of all with d 6",
        ),
        (
            "SELECT a FROM t WHERE s > (SELECT AVG(s) FROM t) AND b = 2",
            "a of ts with s > (SELECT AVG(t.s) FROM t) and b 2",
        ),
        (
            "SELECT a FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.a = t.a)",
            "a of ts with not EXISTS(SELECT * FROM u WHERE u.a = t.a)",
        ),
        ("SELECT a FROM t WHERE a IN (SELECT boss FROM t)", "a of ts with a IN (SELECT t.boss FROM t)"),
        (
            "SELECT a FROM t WHERE d = (SELECT d FROM t WHERE b = 'X')",
            "a of ts with d = (SELECT t.d FROM t WHERE t.b = 'X')",
        ),
        # Order, columns
        ("SELECT a FROM t ORDER BY b DESC LIMIT 1", "a of all ts, the highest b first, only 1"),
        ("SELECT a, b, c, d FROM t WHERE a = 1", "a, b, c and d of ts with a 1"),
        (
            "SELECT city_code, airport_code, transport_type, ground_fare, remark FROM t",
            "transport type, ground fare + 3 of all ts",
        ),
        ("SELECT city_name FROM city", "city name of all cities"),
        ("SELECT customer_id FROM customers", "customer id of all customers"),
    ],
)
def test_a_statement_is_shown_by_what_it_asks_for_and_the_values_it_is_asked_of(
    reader: SqlReader, sql: str, text: str
) -> None:
    assert sketched(sql, reader) == text


@pytest.mark.parametrize(
    "sql",
    [
        "", "not SQL at all", "WITH x AS (SELECT a FROM t WHERE b = 3) SELECT a FROM x WHERE a > 2",
        "SELECT a FROM (SELECT a FROM t WHERE b = 7) AS s WHERE a < 9", "SELECT a FROM t ORDER BY b LIMIT 3 OFFSET 2",
        "SELECT a FROM unknown_table", "SELECT a FROM t WHERE b = 1 UNION SELECT a FROM u WHERE c = 2",
    ],
)  # fmt: skip
def test_what_cannot_be_taken_apart_stands_as_it_is(reader: SqlReader, sql: str) -> None:
    assert sketched(sql, reader) == sql


def test_no_value_of_an_answered_question_is_lost() -> None:
    packs = {name: load_pack(name) for name in ("personnel", "atis")}
    readers = {name: SqlReader(pack.tables, "", pack.keys.primary) for name, pack in packs.items()}
    for sql, name in STATEMENTS:
        text = sketched(sql, readers[name])
        values = VALUE.findall(SILENT.sub("", YEARS.sub(r"'year'\1", sql)))
        assert [value for value in values if not shows(value, text)] == [], sql


def shows(value: str, text: str) -> bool:
    """As a word of its own; months and days may have a 0 before them, units stand in the plural."""
    plain = value.strip("'").replace("''", "'")
    return re.search(rf"(?i)(?<![1-9A-Za-z])0*{re.escape(plain.lstrip('0') or '0')}s?(?!\w)", text) is not None


@given(
    st.text(max_size=300)
    | st.text("SELECT WHERE=<>'().,AND in between", max_size=200).map("SELECT ".__add__)
    | st.lists(st.sampled_from(WORDS)).map(lambda words: f"SELECT {' '.join(words)}")
)
def test_no_text_at_all_is_too_odd_for_a_sketch(reader: SqlReader, sql: str) -> None:
    assert len(sketched(sql, reader)) <= 1_000


@pytest.mark.parametrize("part", DEEP)
@pytest.mark.parametrize("times", [7, 1_000])
def test_a_statement_however_deep_has_a_sketch(reader: SqlReader, part: str, times: int) -> None:
    assert len(sketched("SELECT a FROM t WHERE " + part * times, reader)) <= 1_000
