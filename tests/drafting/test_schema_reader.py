"""Drafts from the schema alone: the first of them, judged by its answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, PackError, database, load_pack
from curtain.drafting.query.lexicon import load_lexicon
from curtain.drafting.query.recognise import Recogniser
from curtain.drafting.schema.pack_schema import Schema, schema_of
from curtain.drafting.schema.reader import SchemaDraft, from_schema
from curtain.drafting.sql.statements import write
from tests.drafting.answers import opened_file, rows_of
from tests.drafting.ferry_pack import write_pack
from tests.drafting.theatre_pack import write_sqlite as write_theatre

Ask = Callable[[str], list[SchemaDraft]]
Rows = set[tuple[object, ...]]


def _asks(pack: Pack, path: Path) -> tuple[Ask, Schema]:
    lexicon = load_lexicon(pack, path)
    schema = schema_of(pack, lexicon)
    recogniser = Recogniser(lexicon, pack.periods, pack.as_of)
    return (lambda question: from_schema(recogniser.read(question), schema)), schema


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(write_pack(tmp_path_factory.mktemp("ferries") / "ferries"))


@pytest.fixture(scope="module")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("theatre")
    new_pack(write_theatre(folder / "theatre.sqlite"), folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")


@pytest.fixture(scope="module")
def ask_theatre(theatre: Pack) -> Ask:
    return _asks(theatre, theatre.folder / "database.duckdb")[0]


@pytest.fixture(scope="module")
def ask_bikes(bikes: Pack) -> Ask:
    return _asks(bikes, bikes.folder / "database.duckdb")[0]


@pytest.fixture(scope="module")
def ask_ferries(ferries: Pack) -> Ask:
    return _asks(ferries, ferries.folder / "database.duckdb")[0]


@pytest.fixture(scope="module")
def personnel_path() -> Path:
    return database(load_pack("personnel"))


@pytest.fixture(scope="module")
def ask_personnel(personnel_path: Path) -> Ask:
    return _asks(load_pack("personnel"), personnel_path)[0]


BIKES = [
    ("the first rental", "SELECT id FROM rentals WHERE start_date = (SELECT MIN(start_date) FROM rentals)"),
    ("which bikes are red", "SELECT id FROM bikes WHERE color = 'red'"),
    ("bikes 3, 4 and 17", "SELECT id FROM bikes WHERE id IN (3, 4, 17)"),
    ("which bikes aren't black", "SELECT id FROM bikes WHERE color <> 'black'"),
    ("list the bikes other than Acorn", "SELECT id FROM bikes WHERE brand <> 'Acorn'"),
    ("bikes cheaper than 400", "SELECT id FROM bikes WHERE price < 400"),
    ("bikes that cost 450 or more", "SELECT id FROM bikes WHERE price >= 450"),
    ("bikes with at most 8 gears", "SELECT id FROM bikes WHERE gears <= 8"),
    ("which bikes weigh exactly 10 kilos", "SELECT id FROM bikes WHERE weight_kg = 10"),
    ("bikes between 300 and 600 dollars", "SELECT id FROM bikes WHERE price BETWEEN 300 AND 600"),
    ("what is the cheapest bike", "SELECT id FROM bikes WHERE price = (SELECT MIN(price) FROM bikes)"),
    (
        "the heaviest red bike",
        "SELECT id FROM bikes WHERE color = 'red' AND weight_kg = "
        "(SELECT MAX(weight_kg) FROM bikes WHERE color = 'red')",
    ),
    ("what is the highest price", "SELECT MAX(price) FROM bikes"),
    ("how many green bikes are there", "SELECT COUNT(*) FROM bikes WHERE color = 'green'"),
    ("how many different models are there", "SELECT COUNT(DISTINCT model) FROM bikes"),
    ("what is the average price of the Drake bikes", "SELECT AVG(price) FROM bikes WHERE brand = 'Drake'"),
    ("average price per color", "SELECT color, AVG(price) FROM bikes GROUP BY color"),
    ("how many bikes does each shop have", "SELECT shop_id, COUNT(*) FROM bikes GROUP BY shop_id"),
    ("bikes that are blue or white", "SELECT id FROM bikes WHERE color IN ('blue', 'white')"),
    ("which shops have more than 7 bikes", "SELECT shop_id FROM bikes GROUP BY 1 HAVING COUNT(*) > 7"),
    ("what do the Drake bikes cost in total", "SELECT SUM(price) FROM bikes WHERE brand = 'Drake'"),
    ("shops with over 1 red bikes", "SELECT shop_id FROM bikes WHERE color = 'red' GROUP BY 1 HAVING COUNT(*) > 1"),
    ("brands with more than 9 bikes", "SELECT brand FROM bikes GROUP BY 1 HAVING COUNT(*) > 9"),
    ("bikes heavier than the average", "SELECT id FROM bikes WHERE weight_kg > (SELECT AVG(weight_kg) FROM bikes)"),
    ("how many gears on average", "SELECT AVG(gears) FROM bikes"),
    ("how many days in total", "SELECT SUM(days) FROM rentals"),
    ("bikes with at least 15 gears under 500", "SELECT id FROM bikes WHERE gears >= 15 AND price < 500"),
    ("bikes above price 500", "SELECT id FROM bikes WHERE price > 500"),
    (
        "which customers over 40 rented a bike",
        "SELECT id FROM customers WHERE birth_date < current_date - INTERVAL 40 YEAR AND id IN "
        "(SELECT customer_id FROM rentals)",
    ),
    ("shops opened before 2000", "SELECT id FROM shops WHERE opened < DATE '2000-01-01'"),
    ("customers born after 1980", "SELECT id FROM customers WHERE birth_date > DATE '1980-12-31'"),
    ("which shops have no bikes", "SELECT id FROM shops WHERE id NOT IN (SELECT shop_id FROM bikes)"),
    ("customers born after 1970", "SELECT id FROM customers WHERE birth_date > DATE '1970-12-31'"),
    (
        "customers born in march 1962",
        "SELECT id FROM customers WHERE birth_date >= DATE '1962-03-01' AND birth_date < DATE '1962-04-01'",
    ),
    ("customers born before march 1962", "SELECT id FROM customers WHERE birth_date < DATE '1962-03-01'"),
    ("customers born after april 1968", "SELECT id FROM customers WHERE birth_date > DATE '1968-04-30'"),
    ("customers born on 1968-04-13", "SELECT id FROM customers WHERE birth_date = DATE '1968-04-13'"),
    ("shops that opened between 1990 and 2000", "SELECT id FROM shops WHERE YEAR(opened) BETWEEN 1990 AND 2000"),
    ("bikes in Harbor Bikes", "SELECT b.id FROM bikes b, shops s WHERE s.id = shop_id AND name = 'Harbor Bikes'"),
    ("where does Ada Quill live", "SELECT city FROM customers WHERE name = 'Ada Quill'"),
    ("when was Ada Quill born", "SELECT birth_date FROM customers WHERE name = 'Ada Quill'"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), BIKES)
def test_a_pack_without_examples_answers_plain_questions(bikes: Pack, ask_bikes: Ask, question: str, sql: str) -> None:
    path = bikes.folder / "database.duckdb"
    wanted = rows_of(path, sql)
    drafts = ask_bikes(question)
    assert wanted
    assert drafts and rows_of(path, write(drafts[0].statement)) == wanted, write(drafts[0].statement)


FERRIES = [
    ("ferries from Mull to Skye", "f.island_name = 'MULL' AND t.island_name = 'SKYE'"),
    ("ferries to Eigg from Iona", "f.island_name = 'IONA' AND t.island_name = 'EIGG'"),
    ("ferries that do not go to Skye", "t.island_name <> 'SKYE'"),
    ("ferries without stops", "stops = 0"),
    ("ferries without stops from Mull", "stops = 0 AND f.island_name = 'MULL'"),
    ("ferries not in the morning", "NOT (departure_time >= 0 AND departure_time < 1200)"),
    ("ferries after 11 am", "departure_time > 1100"),
    ("morning ferries", "departure_time > 0 AND departure_time < 1200"),
    ("ferries on Friday or Sunday", "day_name IN ('FRIDAY', 'SUNDAY')"),
    ("ferries of the Red Line under 25", "company_name = 'RED LINE' AND price < 25"),
    ("the cheapest ferry from Mull", "f.island_name = 'MULL' AND price = 15"),
]


@pytest.mark.parametrize(("question", "where"), FERRIES)
def test_prepositions_tell_which_of_two_references_is_meant(
    ferries: Pack, ask_ferries: Ask, question: str, where: str
) -> None:
    path = ferries.folder / "database.duckdb"
    joined = (
        "SELECT ferry_id FROM ferry, island f, island t, company WHERE from_island = f.island_code AND "
        "to_island = t.island_code AND ferry.company_code = company.company_code AND "
    )
    wanted = rows_of(path, joined + where)
    drafts = ask_ferries(question)
    assert wanted
    assert drafts and rows_of(path, write(drafts[0].statement)) == wanted, write(drafts[0].statement)


MENTORED_BY_ANNA = "SELECT actor_id FROM actor WHERE mentor_id = 1"
THEATRE = [
    ("who has a mentor", "SELECT actor_id FROM actor WHERE mentor_id IS NOT NULL"),
    ("actors without a mentor", "SELECT actor_id FROM actor WHERE mentor_id IS NULL"),
    ("who is mentored by nobody", "SELECT actor_id FROM actor WHERE mentor_id IS NULL"),
    ("does anna abbott have a mentor", "SELECT actor_id FROM actor WHERE FALSE"),
    ("does sam rowe have a mentor", "SELECT 2"),
    ("is anna abbott a mentor", "SELECT 1"),
    ("which actors are mentors", "SELECT DISTINCT mentor_id FROM actor WHERE mentor_id IS NOT NULL"),
    ("who mentors anyone", "SELECT DISTINCT mentor_id FROM actor WHERE mentor_id IS NOT NULL"),
    ("actors who dont mentor anyone", "SELECT unnest([3, 4, 6, 7, 8])"),
    ("who mentors nobody", "SELECT unnest([3, 4, 6, 7, 8])"),
    ("who has never mentored anyone", "SELECT unnest([3, 4, 6, 7, 8])"),
    ("who mentors max rowe", "SELECT 5"),
    ("who is the mentor of max rowe", "SELECT 5"),
    ("max rowe's mentor", "SELECT 5"),
    ("who does anna abbott mentor", MENTORED_BY_ANNA),
    ("who is mentored by anna abbott", MENTORED_BY_ANNA),
    ("actors whose mentor is anna abbott", MENTORED_BY_ANNA),
    ("who has anna abbott as a mentor", MENTORED_BY_ANNA),
    ("how many actors does anna abbott mentor", "SELECT 2"),
    ("who plays the witch in faust", "SELECT actor_id FROM role WHERE play_id = 1 AND part = 'witch'"),
    ("who plays the king in hamlet", "SELECT actor_id FROM role WHERE play_id = 2 AND part = 'king'"),
    ("who plays the king", "SELECT actor_id FROM role WHERE part = 'king'"),
    ("who graduated in 1981", "SELECT actor_id FROM diploma WHERE year = 1981"),
    ("who got a diploma before 1980", "SELECT actor_id FROM diploma WHERE year < 1980"),
    ("who studied drama after 1985", "SELECT actor_id FROM diploma WHERE subject = 'drama' AND year > 1985"),
    ("women", "SELECT actor_id FROM actor WHERE gender = 'F'"),
    ("how many men have a mentor", "SELECT 3"),
    ("which actors are female", "SELECT actor_id FROM actor WHERE gender = 'F'"),
    ("women who are not mentors", "SELECT unnest([3, 7])"),
    ("oldest actor", "SELECT 1"),
    ("the oldest man", "SELECT 2"),
    ("youngest actor", "SELECT 8"),
    ("newest actor", "SELECT 1"),
    ("who plays in faust", "SELECT actor_id FROM role WHERE play_id = 1"),
]


@pytest.mark.parametrize(("question", "sql"), THEATRE)
def test_a_pack_of_people_and_what_they_did_is_read(theatre: Pack, ask_theatre: Ask, question: str, sql: str) -> None:
    path = theatre.folder / "database.duckdb"
    drafts = ask_theatre(question)
    assert drafts and rows_of(path, write(drafts[0].statement)) == rows_of(path, sql), write(drafts[0].statement)


@pytest.mark.parametrize(
    ("born", "question", "where"),
    [
        ("born", "oldest player", "born = (SELECT MIN(players_1.born) FROM players AS players_1)"),
        ("birth_year", "newest player", "joined = (SELECT MAX(players_1.joined) FROM players AS players_1)"),
        ("age", "youngest player", "age = (SELECT MIN(players_1.age) FROM players AS players_1)"),
        ("age", "players older than 30", "age > 30"),
        ("birth_year", "players older than 30", "birth_year < 1970"),
        ("born", "players younger than 30", "born > 1970"),
        ("age", "players over 30", "age > 30"),
        ("birth_year", "players over 30", "birth_year < 1970"),
        ("birth_year", "players between 20 and 30", "birth_year BETWEEN 1970 AND 1980"),
        ("born", "players aged 30", "born = 1970"),
        ("born", "female players", "sex = 'F'"),
    ],
)
def test_ages_are_read_from_whatever_column_tells_them(tmp_path: Path, born: str, question: str, where: str) -> None:
    with duckdb.connect(str(tmp_path / "club.duckdb")) as database:
        database.execute(f"CREATE TABLE players (id INTEGER PRIMARY KEY, sex TEXT, {born} INTEGER, joined DATE)")
        database.execute("INSERT INTO players VALUES (1, 'F', 1960, '1990-01-01'), (2, 'M', 1970, '1989-01-01')")
    new_pack(tmp_path / "club.duckdb", tmp_path / "pack", lambda what, share: None)
    pack = replace(load_pack(tmp_path / "pack"), as_of=date(2000, 1, 1))
    ask, _ = _asks(pack, pack.folder / "database.duckdb")
    assert write(ask(question)[0].statement) == f"SELECT players.id FROM players WHERE players.{where}"


def test_where_two_kinds_of_people_may_be_meant_both_are_offered_and_none_is_sure(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "gym.duckdb")) as database:
        for table in ("trainers", "members"):
            database.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, gender TEXT, age INTEGER)")
            database.execute(f"INSERT INTO {table} VALUES (1, 'F', 40), (2, 'M', 50)")
    new_pack(tmp_path / "gym.duckdb", tmp_path / "pack", lambda what, share: None)
    ask, _ = _asks(load_pack(tmp_path / "pack"), tmp_path / "pack" / "database.duckdb")
    for question in ("women", "how many women are there", "women over 40", "who is over 40"):
        first, second = ask(question)[:2]
        assert {first.statement.root, second.statement.root} == {"trainers", "members"}, question
        assert max(first.confidence, second.confidence) <= 0.5, question
    for question in ("members who are women", "female members"):
        first = ask(question)[0]
        assert write(first.statement) == "SELECT members.id FROM members WHERE members.gender = 'F'"
        assert first.confidence > 0.5, question


PERSONNEL = [
    (
        "who works in departments 43 or 44",
        "SELECT employee.employee_id FROM employee WHERE employee.department IN (43, 44)",
    ),
    (
        "employees without a home phone",
        "SELECT employee.employee_id FROM employee WHERE employee.home_phone IS NULL",
    ),
    (
        "who does not have a degree from Harvard",
        "SELECT employee.employee_id FROM employee WHERE employee.employee_id NOT IN (SELECT degree.employee_id "
        "FROM degree WHERE degree.school_code = 2155 AND degree.employee_id IS NOT NULL)",
    ),
    (
        "who does not report to Joseph Seaborn",
        # Also who reports to nobody.
        "SELECT employee.employee_id FROM employee WHERE employee.employee_id NOT IN (SELECT employee_1.employee_id "
        "FROM employee AS employee_1, employee AS employee_2 WHERE employee_1.supervisor_id = employee_2.employee_id "
        "AND employee_2.first_name = 'JOSEPH' AND employee_2.last_name = 'SEABORN')",
    ),
    (
        "who is not older than 40",
        "SELECT employee.employee_id FROM employee WHERE employee.birth_date >= DATE '1949-08-19'",
    ),
    (
        "tell me the phone number of Martha Nash",
        "SELECT DISTINCT employee.work_phone FROM employee WHERE employee.first_name = 'MARTHA' AND "
        "employee.last_name = 'NASH'",
    ),
    (
        "who was born on October 6 1952",
        "SELECT employee.employee_id FROM employee WHERE employee.birth_date = DATE '1952-10-06'",
    ),
    (
        "who was hired between 1960 and 1965",
        "SELECT employee.employee_id FROM employee "
        "WHERE employee.hire_date >= DATE '1960-01-01' AND employee.hire_date < DATE '1966-01-01'",
    ),
    (
        "who was hired in 1960 or 1963",
        "SELECT employee.employee_id FROM employee WHERE (employee.hire_date >= DATE '1960-01-01' AND "
        "employee.hire_date < DATE '1961-01-01' OR employee.hire_date >= DATE '1963-01-01' AND "
        "employee.hire_date < DATE '1964-01-01')",
    ),
    (
        "who was hired in the sixties",
        "SELECT employee.employee_id FROM employee WHERE employee.hire_date >= DATE '1960-01-01' AND "
        "employee.hire_date < DATE '1970-01-01'",
    ),
    (
        "engineers hired after 1980",
        "SELECT employee.employee_id FROM employee WHERE employee.job_title LIKE '%ENGINEER%' AND "
        "employee.hire_date >= DATE '1981-01-01'",
    ),
    (
        "who was hired no later than 1960",
        "SELECT employee.employee_id FROM employee WHERE employee.hire_date < DATE '1961-01-01'",
    ),
    (
        "who was hired after the 1960s",
        "SELECT employee.employee_id FROM employee WHERE employee.hire_date >= DATE '1970-01-01'",
    ),
    (
        "who was not hired in the 60's",
        "SELECT employee.employee_id FROM employee WHERE (employee.hire_date < DATE '1960-01-01' OR "
        "employee.hire_date >= DATE '1970-01-01')",
    ),
    (
        "how many degrees are from the seventies",
        "SELECT COUNT(*) FROM degree WHERE degree.year BETWEEN 1970 AND 1979",
    ),
    (
        "who was hired before 1960 or after 1980",
        "SELECT employee.employee_id FROM employee WHERE (employee.hire_date < DATE '1960-01-01' OR "
        "employee.hire_date >= DATE '1981-01-01')",
    ),
    (
        "who earns less than 20000 or more than 90000",
        "SELECT employee.employee_id FROM employee WHERE (employee.salary < 20000 OR employee.salary > 90000)",
    ),
    (
        "who was hired after 1960 and earns more than 90000",
        "SELECT employee.employee_id FROM employee WHERE employee.hire_date >= DATE '1961-01-01' AND "
        "employee.salary > 90000",
    ),
    ("which people do not live in Irving", "SELECT employee.employee_id FROM employee WHERE employee.city <> 'IRVING'"),
    ("who earns less than 30 grand", "SELECT employee.employee_id FROM employee WHERE employee.salary < 30000"),
    ("list the people in department ten", "SELECT employee.employee_id FROM employee WHERE employee.department = 10"),
    (
        "who supervises more than ten people",
        "SELECT employee.employee_id FROM employee WHERE employee.employee_id IN (SELECT employee_1.supervisor_id "
        "FROM employee AS employee_1 GROUP BY employee_1.supervisor_id HAVING COUNT(*) > 10)",
    ),
    (
        "whose supervisor is Seaborn",
        "SELECT employee_1.employee_id FROM employee AS employee_1, employee AS employee_2 "
        "WHERE employee_1.supervisor_id = employee_2.employee_id AND employee_2.last_name = 'SEABORN'",
    ),
    ("who has no supervisor", "SELECT employee.employee_id FROM employee WHERE employee.supervisor_id IS NULL"),
    *(
        (question, f"SELECT employee.employee_id FROM employee WHERE {more}employee.employee_id NOT IN (SELECT "
        "employee_1.supervisor_id FROM employee AS employee_1 WHERE employee_1.supervisor_id IS NOT NULL)")
        for question, more in (
            ("who is not a manager", ""),
            ("who isn't a supervisor", ""),
            ("non managers in legal", "employee.department = 12 AND "),
            ("which people in legal are not managers", "employee.department = 12 AND "),
            ("who in sales is not a manager", "employee.department = 32 AND "),
            ("women who are not managers", "employee.sex = 'F' AND "),
            ("secretaries who are not managers", "employee.job_title = 'SECRETARY' AND "),
            ("who doesn't manage anybody", ""),
            ("who manages no one", ""),
            ("who manages no one in legal", "employee.department = 12 AND "),
        )
    ),
    *(
        (question, f"SELECT employee.employee_id FROM employee WHERE {more}employee.supervisor_id IS {said}NULL")
        for question, more, said in (
            ("who has a supervisor", "", "NOT "),
            ("employees with a boss", "", "NOT "),
            ("who is supervised", "", "NOT "),
            ("employees in legal without a boss", "employee.department = 12 AND ", ""),
            ("who isn't supervised by anyone", "", ""),
        )
    ),
    (
        "how many women are not managers",
        "SELECT COUNT(*) FROM employee WHERE employee.sex = 'F' AND employee.employee_id NOT IN (SELECT "
        "employee_1.supervisor_id FROM employee AS employee_1 WHERE employee_1.supervisor_id IS NOT NULL)",
    ),
    (
        "who has Joseph Seaborn as supervisor",
        "SELECT employee_1.employee_id FROM employee AS employee_1, employee AS employee_2 WHERE "
        "employee_1.supervisor_id = employee_2.employee_id AND employee_2.first_name = 'JOSEPH' AND "
        "employee_2.last_name = 'SEABORN'",
    ),
    (
        "who has a degree in 1975",
        "SELECT DISTINCT employee.employee_id FROM employee, degree WHERE employee.employee_id = degree.employee_id "
        "AND degree.year = 1975",
    ),
    (
        "who studied physics",
        "SELECT DISTINCT employee.employee_id FROM employee, degree, major, school WHERE employee.employee_id = "
        "degree.employee_id AND degree.major_code = major.major_code AND degree.school_code = school.school_code AND "
        "major.major_name = 'PHYSICS'",
    ),
    *(
        (question, "SELECT DISTINCT employee.employee_id FROM employee, degree WHERE employee.employee_id = "
        f"degree.employee_id AND {said}")
        for question, said in (
            ("who graduated in 1975", "degree.year = 1975"),
            ("who graduated after 1985", "degree.year > 1985"),
            ("who got a degree before 1960", "degree.year < 1960"),
            ("who finished their mba after 1980", "degree.degree = 'MBA' AND degree.year > 1980"),
            ("who graduated from harvard in 1970", "degree.school_code = 2155 AND degree.year = 1970"),
            ("employees born before 1950 with a degree", "employee.birth_date < DATE '1950-01-01'"),
            ("who has a degree and was hired after 1985", "employee.hire_date >= DATE '1986-01-01'"),
            (
                "who was born before 1950 and graduated after 1970",
                "employee.birth_date < DATE '1950-01-01' AND degree.year > 1970",
            ),
        )
    ),
    (
        "who studied physics in 1975",
        "SELECT DISTINCT employee.employee_id FROM employee, degree, major, school WHERE employee.employee_id = "
        "degree.employee_id AND degree.major_code = major.major_code AND degree.school_code = school.school_code AND "
        "major.major_name = 'PHYSICS' AND degree.year = 1975",
    ),
    (
        "who did not graduate in 1975",
        "SELECT employee.employee_id FROM employee WHERE employee.employee_id NOT IN (SELECT degree.employee_id "
        "FROM degree WHERE degree.year = 1975 AND degree.employee_id IS NOT NULL)",
    ),
    *(
        (question, f"SELECT employee.employee_id FROM employee WHERE {which}")
        for question, which in (
            (
                "newest employee",
                "employee.hire_date = (SELECT MAX(employee_1.hire_date) FROM employee AS employee_1)",
            ),
            (
                "oldest employee",
                "employee.birth_date = (SELECT MIN(employee_1.birth_date) FROM employee AS employee_1)",
            ),
        )
    ),
    ("employee 1975", "SELECT employee.employee_id FROM employee WHERE employee.employee_id = 1975"),
    ("who has no home phone", "SELECT employee.employee_id FROM employee WHERE employee.home_phone IS NULL"),
]  # fmt: skip


@pytest.mark.parametrize("question", ["bikes without a shop", "bikes that are not assigned to a shop"])
def test_what_belongs_to_nothing_refers_to_nothing(ask_bikes: Ask, question: str) -> None:
    assert write(ask_bikes(question)[0].statement) == "SELECT bikes.id FROM bikes WHERE bikes.shop_id IS NULL"


@pytest.mark.parametrize(("question", "sql"), PERSONNEL)
def test_comparisons_and_denials_that_no_example_has_are_read(ask_personnel: Ask, question: str, sql: str) -> None:
    drafts = ask_personnel(question)
    assert drafts and write(drafts[0].statement) == sql


ODD = [
    "",
    "?!",
    "a" * 10_000,
    "which bikes " * 900,
    "SELECT * FROM bikes WHERE price < 400",
    "drop table bikes",
    "quels vélos sont rouges",
    "どの自転車が赤いですか",
    "xyzzy plugh",
    "Robert'); DROP TABLE bikes;--",
]


@pytest.mark.parametrize("text", ODD)
def test_odd_input_gives_no_drafts_at_once(ask_bikes: Ask, text: str) -> None:
    ask_bikes("which bikes are red")
    began = time.process_time()
    assert ask_bikes(text) == []
    assert time.process_time() - began < 0.1


WORDS = [
    "which",
    "bikes",
    "are",
    "red",
    "not",
    "most",
    "per",
    "between",
    "and",
    "400",
    "than",
    "shop",
    "who",
    "rented",
    "cheapest",
    "by",
    "or",
    "in",
    "York",
    "1970",
    "no",
    "each",
    "how",
    "many",
]


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=12))
def test_whatever_is_said_drafts_run_and_are_ranked(words: list[str], bikes: Pack, ask_bikes: Ask) -> None:
    drafts = ask_bikes(" ".join(words))
    confidences = [draft.confidence for draft in drafts]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0 <= one <= 1 for one in confidences)
    with opened_file(bikes.folder / "database.duckdb") as connection:
        for draft in drafts:
            connection.execute(f"EXPLAIN {write(draft.statement)}")


SAID = (
    *("who", "which", "managers", "supervises", "departments", "degrees", "no", "not", "without", "more than", "ten"),
    *(
        "Harvard",
        "Irving",
        "Paul",
        "Tai",
        "1960",
        "in",
        "level",
        "31",
        "most",
        "average",
        "salary",
        "each",
        "and",
        "or",
    ),
    *("scientists", "born", "before", "the", "of", "supervisor", "whose", "is", "department", "45", "TX", "October 6"),
)


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.sampled_from(SAID), max_size=12))
def test_a_larger_schema_gives_no_statement_that_cannot_run(
    words: list[str], ask_personnel: Ask, personnel_path: Path
) -> None:
    with opened_file(personnel_path) as connection:
        for draft in ask_personnel(" ".join(words)):
            connection.execute(f"EXPLAIN {write(draft.statement)}")


def test_a_draft_tells_what_it_used_and_how_much_it_explains(ask_bikes: Ask) -> None:
    best = ask_bikes("red bikes under 500 with a frobnicator")[0]
    assert best.used == (0, 1)
    assert best.explained == pytest.approx(4 / 5, abs=0.21)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[words]\n"ferry.colour" = ["paint"]\n', "ferry.colour"),
        ('[words]\nboat = ["vessel"]\n', "boat"),
        ('[words]\nferry = "boat"\n', "must hold lists of words in quotes"),
    ],
)
def test_words_for_what_is_not_there_are_refused_in_one_sentence(tmp_path: Path, text: str, fault: str) -> None:
    folder = write_pack(tmp_path / "ferries")
    (folder / "lexicon.toml").write_text(text)
    with pytest.raises(PackError, match=fault):
        load_lexicon(load_pack(folder), folder / "database.duckdb")


def test_words_of_the_lexicon_name_tables_and_columns(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "ferries")
    (folder / "lexicon.toml").write_text('[words]\nferry = ["boat"]\n"ferry.price" = ["toll"]\n')
    ask, _ = _asks(load_pack(folder), folder / "database.duckdb")
    first = write(ask("which boats have a toll of less than 16")[0].statement)
    assert first == "SELECT ferry.ferry_id FROM ferry WHERE ferry.price < 16"


def test_where_nobody_stands_above_others_names_are_compared_as_well(ask_bikes: Ask) -> None:
    assert "MIN(" in write(ask_bikes("bikes cheaper than Acorn")[0].statement)
