"""Questions that go on from the turn before: each an edit of its statement."""

from __future__ import annotations

import time

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.followups.followups import leans, stands_alone
from curtain.drafting.learned.evidence import Evidence, sure
from curtain.drafting.query.recognise import Reading
from curtain.drafting.query.words import split_words
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.values import Asked, Example, Request
from tests.drafting import cinema_pack
from tests.drafting import ferry_pack as ferries
from tests.drafting.following import MULL_SKYE, after, least, same


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("the cheapest one", least("price")),
        ("which of them is the most expensive", least("price", "MAX")),
        ("which one leaves last", least("departure_time", "MAX")),
        ("the one with the fewest stops", least("stops")),
    ],
)
def test_a_superlative_looks_among_the_rows_of_the_turn_before(
    drafter: LocalDrafter, pack: Pack, question: str, sql: str
) -> None:
    assert same(pack, after(drafter, question, MULL_SKYE), sql)


@pytest.mark.parametrize("question", ["and the return ferries", "now going the other way", "the way back please"])
def test_from_and_to_are_turned_round(drafter: LocalDrafter, pack: Pack, question: str) -> None:
    friday = " AND ferry.day_name = 'FRIDAY'"
    found = after(drafter, question, ferries.between("MULL", "SKYE", friday))
    assert same(pack, found, ferries.between("SKYE", "MULL", friday))


@pytest.mark.parametrize(
    ("question", "before", "sql"),
    [
        ("and on sunday", " AND ferry.day_name = 'FRIDAY'", " AND ferry.day_name = 'SUNDAY'"),
        ("after 5 pm", " AND ferry.departure_time > 1300", " AND ferry.departure_time > 1700"),
        ("what about before 9 am", " AND ferry.departure_time < 700", " AND ferry.departure_time < 900"),
        ("not on red line", " AND ferry.company_code = 'RL'", " AND ferry.company_code <> 'RL'"),
        ("how about kestrel", " AND ferry.company_code <> 'RL'", " AND ferry.company_code = 'KS'"),
        ("under 20", " AND ferry.price < 30", " AND ferry.price < 20"),
        ("not before noon", "", " AND ferry.departure_time >= 1200"),
        ("not after 5 pm", "", " AND ferry.departure_time <= 1700"),
        ("not in the morning", "", " AND NOT ferry.departure_time BETWEEN 0 AND 1200"),
        ("and on red line or kestrel", "", " AND ferry.company_code IN ('RL', 'KS')"),
    ],
)
def test_what_contradicts_a_condition_takes_its_place(
    drafter: LocalDrafter, pack: Pack, question: str, before: str, sql: str
) -> None:
    found = after(drafter, question, ferries.between("MULL", "SKYE", before))
    assert same(pack, found, ferries.between("MULL", "SKYE", sql))


@pytest.mark.parametrize(
    "question", ["how about blue line", "and on red line", "kestrel instead", "on blue line or red line", "not kestrel"]
)
@pytest.mark.parametrize("before", ["= 'RL'", "<> 'BL'", "IN ('RL', 'BL')"])
def test_no_column_is_ever_to_equal_two_values(drafter: LocalDrafter, pack: Pack, question: str, before: str) -> None:
    asked = (Asked("", ferries.between("MULL", "SKYE", f" AND ferry.company_code {before}")),)
    parser = Parser(pack.tables, "ferry", pack.keys.primary)
    for draft in drafter.drafts(Request(question, asked)):
        statement = parser.parse(draft.sql)
        assert statement is not None
        equal = [c.key for c in statement.clauses if c.key.startswith("ferry.company_code = ")]
        assert len(equal) < 2


def test_bounds_that_can_hold_together_are_both_kept_of_those(drafter: LocalDrafter, pack: Pack) -> None:
    before = ferries.between("MULL", "SKYE", " AND ferry.departure_time > 1300")
    found = after(drafter, "which of those leave before 5 pm", before)
    more = " AND ferry.departure_time > 1300 AND ferry.departure_time < 1700"
    assert same(pack, found, ferries.between("MULL", "SKYE", more))


@pytest.mark.parametrize(
    ("question", "column", "names"),
    [("and from eigg or iona", "from_island", "'EIGG', 'IONA'"), ("to eigg or iona", "to_island", "'EIGG', 'IONA'")],
)
def test_what_is_named_in_one_breath_does_the_same(
    drafter: LocalDrafter, question: str, column: str, names: str
) -> None:
    found = after(drafter, question, MULL_SKYE)
    table = found.partition(f"ferry.{column} = ")[2].partition(".")[0]
    assert f"{table}.island_name IN ({names})" in found


@pytest.mark.parametrize(
    ("question", "head", "more"),
    [
        ("how many are there", "COUNT(*)", ""),
        ("how many of them are nonstop", "COUNT(*)", " AND ferry.stops = 0"),
        ("what do they cost", "DISTINCT ferry.price", ""),
        ("when do they leave", "DISTINCT ferry.departure_time", ""),
        ("what is their average price", "AVG(ferry.price)", ""),
    ],
)
def test_something_else_is_asked_of_the_same_rows(
    drafter: LocalDrafter, pack: Pack, question: str, head: str, more: str
) -> None:
    found = after(drafter, question, MULL_SKYE)
    sql = ferries.between("MULL", "SKYE", more).replace("DISTINCT ferry.ferry_id", head)
    assert same(pack, found, sql)


def test_a_table_that_is_asked_for_is_joined(drafter: LocalDrafter, pack: Pack) -> None:
    found = after(drafter, "which companies are those", MULL_SKYE)
    sql = MULL_SKYE.replace("ferry.ferry_id", "company.company_code").replace("FROM ferry", "FROM company, ferry")
    assert same(pack, found, f"{sql} AND ferry.company_code = company.company_code")


@pytest.mark.parametrize(
    ("question", "tail"),
    [("sort them by price", "ORDER BY ferry.price"), ("order them by stops descending", "ORDER BY ferry.stops DESC")],
)
def test_rows_are_sorted(drafter: LocalDrafter, question: str, tail: str) -> None:
    assert after(drafter, question, MULL_SKYE).endswith(tail)


def test_the_first_few_are_sorted_and_cut(drafter: LocalDrafter) -> None:
    assert after(drafter, "the two cheapest ones", MULL_SKYE).endswith("ORDER BY ferry.price LIMIT 2")


@pytest.fixture(scope="module")
def without_examples(pack: Pack) -> LocalDrafter:
    return LocalDrafter(pack, database(pack), [])


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("the cheapest one", least("price")),
        ("and to iona", ferries.between("MULL", "IONA")),
        ("and from eigg", ferries.between("EIGG", "SKYE")),
        ("the way back", ferries.between("SKYE", "MULL")),
        ("only those after 5 pm", ferries.between("MULL", "SKYE", " AND ferry.departure_time > 1700")),
        ("with no stops", ferries.between("MULL", "SKYE", " AND ferry.stops = 0")),
        ("for under 20", ferries.between("MULL", "SKYE", " AND ferry.price < 20")),
        ("what do they cost", MULL_SKYE.replace("ferry.ferry_id", "ferry.price")),
        ("how many are there", MULL_SKYE.replace("DISTINCT ferry.ferry_id", "COUNT(*)")),
    ],
)
def test_a_pack_without_examples_has_its_schema_to_go_by(
    without_examples: LocalDrafter, pack: Pack, question: str, sql: str
) -> None:
    assert same(pack, after(without_examples, question, MULL_SKYE), sql)


@pytest.fixture(scope="module")
def cinema(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(cinema_pack.write_pack(tmp_path_factory.mktemp("packs") / "cinema"))


@pytest.fixture(scope="module")
def films(cinema: Pack) -> LocalDrafter:
    return LocalDrafter(cinema, database(cinema), [])


FILMS = "SELECT film.film_id FROM film"
ON_TUESDAY = (
    "SELECT DISTINCT film.film_id FROM film, showing WHERE film.film_id = showing.film_id "
    "AND showing.day_name = 'TUESDAY'"
)


@pytest.mark.parametrize(
    ("question", "before", "sql"),
    [
        ("longer than 2 hours", FILMS, f"{FILMS} WHERE film.running_minutes > 120"),
        ("which take less than two hours", FILMS, f"{FILMS} WHERE film.running_minutes < 120"),
        ("under 100 minutes", FILMS, f"{FILMS} WHERE film.running_minutes < 100"),
        ("under 2 hours", ON_TUESDAY, f"{ON_TUESDAY} AND film.running_minutes < 120"),
        ("with breaks under 15 minutes", ON_TUESDAY, f"{ON_TUESDAY} AND showing.break_minutes < 15"),
    ],
)
def test_hours_are_those_of_what_is_asked_about_in_its_minutes(
    films: LocalDrafter, cinema: Pack, question: str, before: str, sql: str
) -> None:
    assert same(cinema, after(films, question, before), sql, "film")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("not from leeds", "SELECT guest_id FROM guest WHERE home_town <> 'LEEDS'"),
        ("only those from leeds", "SELECT guest_id FROM guest WHERE home_town = 'LEEDS'"),
    ],
)
def test_a_name_is_looked_for_near_what_is_asked_about(
    films: LocalDrafter, cinema: Pack, question: str, sql: str
) -> None:
    assert same(cinema, after(films, question, "SELECT guest_id FROM guest"), sql, "guest")


def test_a_name_that_only_another_table_has_is_found_there(films: LocalDrafter) -> None:
    assert "hall.hall_name = 'ODEON'" in after(films, "at the odeon", "SELECT guest_id FROM guest")


IN_2020 = f"{FILMS} WHERE film.premiere >= DATE '2020-01-01' AND film.premiere < DATE '2021-01-01'"


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (IN_2020, "film.premiere < CAST('2021-01-01' AS DATE) AND "),
        (
            f"{FILMS} WHERE film.premiere BETWEEN '2020-01-01' AND '2020-12-31'",
            "film.premiere BETWEEN '2020-01-01' AND '2020-12-31' AND ",
        ),
        (f"{FILMS} WHERE YEAR(film.premiere) = 2020", "YEAR(film.premiere) = 2020 AND "),
        (f"{FILMS} WHERE film.premiere > DATE '2020-05-04'", ""),
    ],
)
def test_a_day_without_a_year_is_in_that_of_the_turn_before(
    films: LocalDrafter, cinema: Pack, before: str, kept: str
) -> None:
    wanted = f"{FILMS} WHERE {kept}film.premiere >= CAST('2020-06-01' AS DATE)"
    assert same(cinema, after(films, "on or after june 1", before), wanted, "film")


@pytest.mark.parametrize("before", [FILMS, f"{FILMS} WHERE film.premiere > DATE '2019-12-31'"])
@pytest.mark.parametrize("question", ["on or after june 1", "who was born on or after june 1", "before june 1"])
def test_a_day_of_which_nothing_tells_the_year_is_never_sure(films: LocalDrafter, before: str, question: str) -> None:
    drafts = films.drafts(Request(question, (Asked("", before),)))
    assert drafts
    assert all(draft.confidence <= 0.5 for draft in drafts)
    assert films.drafts(Request("on or after june 1 2020", (Asked("", before),)))[0].confidence > 0.8


def test_a_year_is_that_of_its_own_column(personnel: LocalDrafter) -> None:
    draft = personnel.drafts(Request("born on or after june 1", (Asked("", HIRED),)))[0]
    assert "employee.birth_date >= " in draft.sql
    assert draft.confidence <= 0.5


def test_a_day_with_its_year_is_that_day(films: LocalDrafter, cinema: Pack) -> None:
    wanted = f"{FILMS} WHERE film.premiere = CAST('2020-06-12' AS DATE)"
    assert same(cinema, after(films, "on june 12", IN_2020), wanted, "film")


def test_an_or_needs_no_examples(films: LocalDrafter, cinema: Pack) -> None:
    guests = "SELECT guest_id FROM guest WHERE home_town = 'YORK'"
    wanted = guests.replace("= 'YORK'", "IN ('YORK', 'LEEDS')")
    assert same(cinema, after(films, "or from leeds", guests), wanted, "guest")
    shown = "SELECT showing_id FROM showing WHERE day_name = 'MONDAY'"
    either = "(day_name = 'MONDAY' OR hall_id IN (SELECT hall_id FROM hall WHERE city = 'LEEDS'))"
    found = after(films, "or in leeds", shown)
    assert same(cinema, found, f"SELECT showing_id FROM showing WHERE {either}", "showing")


def test_a_few_examples_do_not_say_what_most_questions_are_about(pack: Pack) -> None:
    counts = [
        Example(f"how many rows are there in {name}", f"SELECT COUNT(*) FROM {name}") for name in ("island", "ferry")
    ]
    drafter = LocalDrafter(pack, database(pack), counts)
    assert same(pack, after(drafter, "the way back", MULL_SKYE), ferries.between("SKYE", "MULL"))


def test_a_turn_that_cannot_be_taken_apart_gives_way_to_the_one_before(drafter: LocalDrafter, pack: Pack) -> None:
    found = after(drafter, "only the nonstop ones", MULL_SKYE, "SELECT 1 UNION SELECT 2")
    assert same(pack, found, ferries.between("MULL", "SKYE", " AND ferry.stops = 0"))


@pytest.mark.parametrize(
    "before",
    [
        "SELECT ferry_id FROM ferry WHERE stops = 0 UNION SELECT ferry_id FROM ferry WHERE price < 10",
        "SELECT ferry_id FROM ferry EXCEPT SELECT ferry_id FROM ferry WHERE price < 10",
        "WITH cheap AS (SELECT ferry_id FROM ferry WHERE price < 10) SELECT ferry_id FROM cheap",
        "SELECT company_code FROM ferry GROUP BY company_code HAVING COUNT(*) > 1",
        "SELECT ferry_id FROM ferry ORDER BY price LIMIT 2",
    ],
)
@pytest.mark.parametrize("question", ["which of those are nonstop", "and their prices", "how many of them are there"])
def test_what_leans_on_a_turn_that_is_lost_is_never_sure(drafter: LocalDrafter, question: str, before: str) -> None:
    drafts = drafter.drafts(Request(question, (Asked("", before),)))
    assert all(draft.confidence <= 0.5 for draft in drafts)


ALL = "SELECT employee_id FROM employee"
D45 = f"{ALL} WHERE department = 45"
HIRED = f"{ALL} WHERE hire_date >= DATE '1970-01-01' AND hire_date < DATE '1971-01-01'"
COUNTED = "SELECT department, COUNT(*) FROM employee GROUP BY department"


@pytest.mark.parametrize(
    ("question", "before", "sql"),
    [
        ("which of those are managers", D45, f"{D45} AND employee_id IN (SELECT supervisor_id FROM employee)"),
        (
            "those who are not managers",
            D45,
            f"{D45} AND NOT employee_id IN (SELECT supervisor_id FROM employee WHERE NOT supervisor_id IS NULL)",
        ),
        ("how many of them are women", D45, "SELECT COUNT(*) FROM employee WHERE department = 45 AND sex = 'F'"),
        ("only the ones hired after 1975", D45, f"{D45} AND hire_date > CAST('1975-12-31' AS DATE)"),
        ("what do they earn", D45, "SELECT DISTINCT salary FROM employee WHERE department = 45"),
        ("and in department ten", D45, "SELECT employee_id FROM employee WHERE department = 10"),
        ("not the women", D45, f"{D45} AND sex <> 'F'"),
        (
            "and those who don't have a phd",
            D45,
            f"{D45} AND employee_id NOT IN "
            "(SELECT employee_id FROM degree WHERE degree = 'PHD' AND employee_id IS NOT NULL)",
        ),
        ("except Mary Smith", D45, f"{D45} AND (first_name <> 'MARY' OR last_name <> 'SMITH')"),
        ("in which cities do they live", D45, "SELECT DISTINCT city FROM employee WHERE department = 45"),
        (
            "how about Paul Tai",
            "SELECT work_phone FROM employee WHERE employee_id = 5573",
            "SELECT work_phone FROM employee WHERE first_name = 'PAUL' AND last_name = 'TAI'",
        ),
        (
            "the highest paid of them",
            D45,
            f"{D45} AND salary = (SELECT MAX(salary) FROM employee WHERE department = 45)",
        ),
        (
            "the youngest one",
            D45,
            f"{D45} AND birth_date = (SELECT MAX(birth_date) FROM employee WHERE department = 45)",
        ),
        ("those in Plano or Garland", D45, f"{D45} AND city IN ('PLANO', 'GARLAND')"),
        ("how about 1973", HIRED, f"{ALL} WHERE hire_date BETWEEN '1973-01-01' AND '1973-12-31'"),
        (
            "in 1972 or 1973",
            HIRED,
            f"{ALL} WHERE ((hire_date BETWEEN '1972-01-01' AND '1972-12-31') OR "
            "(hire_date BETWEEN '1973-01-01' AND '1973-12-31'))",
        ),
        (
            "hired before 1965 or after 1980",
            D45,
            f"{D45} AND ((hire_date < CAST('1965-01-01' AS DATE)) OR (hire_date > CAST('1980-12-31' AS DATE)))",
        ),
        ("hired between 1970 and 1975", D45, f"{D45} AND hire_date BETWEEN '1970-01-01' AND '1975-12-31'"),
        ("born before 1930", HIRED, f"{HIRED} AND birth_date < CAST('1930-01-01' AS DATE)"),
        ("and before 1965", HIRED, f"{ALL} WHERE hire_date < CAST('1965-01-01' AS DATE)"),
    ],
)
def test_follow_ups_over_the_shipped_personnel_pack(
    personnel: LocalDrafter, question: str, before: str, sql: str
) -> None:
    assert same(load_pack("personnel"), after(personnel, question, before), sql, "employee")


AFTER_1985 = "hire_date > CAST('1985-12-31' AS DATE)"
WITH_PHD = "employee_id IN (SELECT employee_id FROM degree WHERE degree = 'PHD')"


@pytest.mark.parametrize(
    ("question", "before", "where"),
    [
        # Another value of the same column.
        ("or in sales", D45, "department IN (45, 32)"),
        ("or in sales or planning", D45, "department IN (45, 32, 13)"),
        (
            "or in planning",
            f"{ALL} WHERE department IN (45, 32) AND sex = 'F'",
            "sex = 'F' AND department IN (45, 32, 13)",
        ),
        (
            "or before 1965",
            f"{ALL} WHERE {AFTER_1985}",
            f"(({AFTER_1985}) OR (hire_date < CAST('1965-01-01' AS DATE)))",
        ),
        (
            "or in 1972",
            HIRED,
            "((hire_date >= DATE '1970-01-01' AND hire_date < DATE '1971-01-01') OR "
            "(hire_date BETWEEN '1972-01-01' AND '1972-12-31'))",
        ),
        # Neither of two.
        ("or in sales", D45.replace("=", "<>"), "department <> 45 AND department <> 32"),
        # Of another column: beside the only condition.
        ("or hired after 1985", D45, f"((department = 45) OR ({AFTER_1985}))"),
        ("or a phd", D45, f"(department = 45 OR {WITH_PHD})"),
        # Something else in its place.
        ("or rather in sales", D45, "department = 32"),
        ("or just the women", D45, "department = 45 AND sex = 'F'"),
    ],
)
def test_an_or_at_the_head_asks_for_more(personnel: LocalDrafter, question: str, before: str, where: str) -> None:
    pack = load_pack("personnel")
    found = after(personnel, question, before).replace("SELECT DISTINCT", "SELECT")
    assert same(pack, found, f"{ALL} WHERE {where}", "employee")


def test_an_or_stands_beside_what_was_added_last(personnel: LocalDrafter) -> None:
    found = after(personnel, "or hired after 1985", D45, f"{D45} AND sex = 'F'")
    wanted = f"{D45} AND ((sex = 'F') OR ({AFTER_1985}))"
    assert same(load_pack("personnel"), found, wanted, "employee")


@pytest.mark.parametrize(
    "before",
    [f"{D45} AND sex = 'F'", D45.replace("=", "<>"), ALL, f"{D45} AND level = (SELECT MAX(level) FROM employee)"],
)
def test_an_or_that_may_stand_beside_several_is_never_sure(personnel: LocalDrafter, before: str) -> None:
    drafts = personnel.drafts(Request("or hired after 1985", (Asked("", before),)))
    assert all(draft.confidence <= 0.5 for draft in drafts)


@pytest.mark.parametrize(
    ("question", "born"),
    [
        ("older than 50", "< CAST('1939-08-19' AS DATE)"),
        ("younger than 30", "> CAST('1959-08-19' AS DATE)"),
        ("50 or older", "<= CAST('1939-08-19' AS DATE)"),
        ("not older than 50", ">= CAST('1939-08-19' AS DATE)"),
    ],
)
def test_an_age_is_that_of_a_birth_and_never_money(personnel: LocalDrafter, question: str, born: str) -> None:
    pack = load_pack("personnel")
    assert same(pack, after(personnel, question, D45), f"{D45} AND birth_date {born}", "employee")
    drafts = personnel.drafts(Request(question, (Asked("", D45),)))
    assert not any("salary" in draft.sql or "last_name" in draft.sql for draft in drafts if draft.confidence > 0.2)


@pytest.mark.parametrize(
    ("question", "before", "where"),
    [
        ("older than 5 years", FILMS, " WHERE film.premiere < CAST('2019-05-20' AS DATE)"),
        # Nothing tells the age of a showing, and years of halls are no ages.
        ("older than 50", "SELECT showing_id FROM showing WHERE break_minutes > 3", None),
        ("older than 50", "SELECT hall_id FROM hall", None),
    ],
)
def test_what_has_no_age_is_no_older(
    films: LocalDrafter, cinema: Pack, question: str, before: str, where: str | None
) -> None:
    drafts = films.drafts(Request(question, (Asked("", before),)))
    changed = [draft.sql for draft in drafts if draft.because == "the question before, changed"]
    assert len(changed) == (where is not None)
    assert all(same(cinema, sql, f"{before}{where}", "film") for sql in changed)


def test_both_of_several_things_are_asked_of_those_before(personnel: LocalDrafter) -> None:
    found = after(personnel, "only those with both a ba and a jd", D45)
    each = (f"employee_id IN (SELECT employee_id FROM degree WHERE degree = '{name}')" for name in ("BA", "JD"))
    wanted = f"{D45} AND {' AND '.join(each)}"
    assert same(load_pack("personnel"), found.replace("SELECT DISTINCT", "SELECT"), wanted, "employee")


@pytest.mark.parametrize("shown", ["degree.degree, employee.employee_id", "employee.employee_id"])
def test_where_both_cannot_be_said_no_draft_is_sure(personnel: LocalDrafter, shown: str) -> None:
    before = f"SELECT {shown} FROM employee JOIN degree USING (employee_id) WHERE degree.year > 1970"
    for question in ("only those with both a ba and a jd", "or both a ba and a jd"):
        drafts = personnel.drafts(Request(question, (Asked("", before),)))
        assert all(draft.confidence <= 0.5 for draft in drafts)


@pytest.mark.parametrize(
    "question", ["more than 40", "only those with more than 40", "which has the most", "at least 3"]
)
def test_a_number_that_may_be_said_of_groups_is_never_sure(personnel: LocalDrafter, question: str) -> None:
    drafts = personnel.drafts(Request(question, (Asked("", COUNTED),)))
    assert all(draft.confidence <= 0.5 for draft in drafts)


@pytest.mark.parametrize(
    ("question", "name"), [("who is the best paid employee", "BEST"), ("young employees", "YOUNG")]
)
def test_an_adjective_is_nobody_s_name(personnel: LocalDrafter, question: str, name: str) -> None:
    drafts = personnel.drafts(Request(question))
    assert all(f"'{name}'" not in draft.sql or draft.confidence < 0.25 for draft in drafts)
    assert f"last_name = '{name}'" in personnel.drafts(Request(f"employees called {name.title()}"))[0].sql


def test_a_condition_of_the_rows_in_groups_is_added(personnel: LocalDrafter) -> None:
    draft = personnel.drafts(Request("and for women", (Asked("", COUNTED),)))[0]
    assert "WHERE employee.sex = 'F' GROUP BY" in draft.sql


def test_what_leans_on_a_union_is_not_answered_of_everybody(personnel: LocalDrafter) -> None:
    asked = (Asked("", f"{D45} UNION {D45.replace('45', '44')}"),)
    for question in ("which of those are women", "only those in Plano"):
        assert all(draft.confidence <= 0.5 for draft in personnel.drafts(Request(question, asked)))


def test_two_names_that_share_an_example_are_both_kept(personnel: LocalDrafter) -> None:
    draft = personnel.drafts(Request("how many people report to Seaborn or Hayes"))[0]
    assert "last_name IN ('SEABORN', 'HAYES')" in draft.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "how many degrees does Paul Tai have",
            "SELECT COUNT(*) FROM employee JOIN degree USING (employee_id) "
            "WHERE first_name = 'PAUL' AND last_name = 'TAI'",
        ),
        (
            "how many attorneys make less than 50000",
            "SELECT COUNT(*) FROM employee WHERE job_title = 'ATTORNEY' AND salary < 50000",
        ),
    ],
)
def test_what_asks_how_many_counts_first(personnel: LocalDrafter, question: str, sql: str) -> None:
    parser = Parser(load_pack("personnel").tables, "employee", load_pack("personnel").keys.primary)
    one, two = parser.parse(personnel.drafts(Request(question))[0].sql), parser.parse(sql)
    assert one is not None and two is not None
    assert sorted(clause.key for clause in one.clauses) == sorted(clause.key for clause in two.clauses)
    assert one.head == two.head


@pytest.mark.parametrize(
    ("text", "points_back"),
    [
        ("the cheapest one", True),
        ("which of those serve breakfast", True),
        ("what does that cost", True),
        ("how many are there", True),
        ("at level 20 or above", True),
        ("their names please", True),
        ("list the clerks and their salaries", False),
        ("how many seats are there on it in first class", True),
        ("how many booking classes are there", False),
        ("who earns more than his or her supervisor", False),
    ],
)
def test_words_point_back_or_stand_alone(text: str, points_back: bool) -> None:
    reading = Reading(text, tuple(split_words(text)), ())
    assert leans(reading) == points_back
    assert not (points_back and stands_alone(reading))


@pytest.mark.parametrize("worse", [{"words": 1.0}, {"values": 1.0}, {"first": 0.0}, {"whole": 1.0}, {"leans": 0.0}])
def test_less_evidence_is_less_sure(worse: dict[str, float]) -> None:
    best = dict(share=0.9, words=0.0, values=0.0, first=1.0, guessed=0.0, leans=1.0, whole=0.0, several=0.0, rows=0.0)
    assert 0 < sure(Evidence(**best | worse)) < sure(Evidence(**best)) < 1


def test_a_withdrawn_example_shows_nothing_any_more(pack: Pack) -> None:
    words = "which of those are moonlit"
    more = [
        Example(f"moonlit ferries from mull to {to}", f"SELECT ferry_id FROM ferry WHERE stops = {n}", id=f"m{n}")
        for n, to in ((2, "skye"), (2, "iona"))
    ]
    drafter = LocalDrafter(pack, database(pack), [*ferries.examples(), *more])
    assert "stops = 2" in after(drafter, words, MULL_SKYE)
    drafter.withdraw("m2")
    assert all("stops = 2" not in draft.sql for draft in drafter.drafts(Request(words, (Asked("", MULL_SKYE),))))


@pytest.mark.parametrize("previous", ["", "DROP TABLE ferry", "SELECT", "SELECT * FROM nowhere", "SELECT 1", "(" * 400])
@pytest.mark.parametrize(
    "question", ["the cheapest one", "not", "and", "sort them by", "or " * 300, "how many", "back"]
)
def test_odd_turns_before_are_answered_at_once_and_without_error(
    drafter: LocalDrafter, previous: str, question: str
) -> None:
    began = time.process_time()
    drafts = drafter.drafts(Request(question, (Asked("", previous), Asked("", MULL_SKYE), Asked("", previous))))
    assert time.process_time() - began < 0.5
    assert all(draft.sql.startswith(("SELECT", "(SELECT")) for draft in drafts)
