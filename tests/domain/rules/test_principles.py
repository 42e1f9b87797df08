"""Which rules a query and a statement touch, and what breaks one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, PackError, database, load_pack
from curtain.domain.rules.principles import (
    RuleBook,
    UnknownRuleBook,
    load_rules,
    rule_books,
    touching,
    under_rule_book,
    warnings,
)
from curtain.domain.worker.worker import Facts, SqlWorker
from tests.domain.club import write_club
from tests.domain.conftest import MakePack

AIR = """
rule_book = 1991

[[principle]]
id = "2.16"
words = []
columns = []
check = "arithmetic"
reading = "Answers that need arithmetic are not interpreted."

[[principle]]
id = "2.4.4"
words = ["morning", "early morning"]
columns = []
check = ["period", "sorting"]
reading = "End points of a period are left out."

[[principle]]
id = "2.3.8"
words = ["fare", "fares"]
columns = ["visit.hours"]
check = "together"
tables = ["visit", "member"]
reading = "A question about fares is one about fares for flights."

[[principle]]
id = "B.2.11"
words = ["stops"]
until = 1990
replaced_by = "2.2.3"
reading = "The final stop is a stop."

[[principle]]
id = "2.2.3"
words = ["stops"]
also = ["2.2.4"]
since = 1991
reading = "Only the stops on the way are stops."
"""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = write_club(tmp_path_factory.mktemp("packs") / "club")
    (folder / "principles.toml").write_text(AIR, "utf-8")
    periods = {"morning": {"begin": 0, "end": 1200}, "early morning": {"begin": 0, "end": 800}}
    return replace(load_pack(folder), periods=periods)


@pytest.fixture(scope="module")
def personnel() -> Pack:
    return load_pack("personnel")


@pytest.fixture(scope="module")
def looks(personnel: Pack) -> Iterator[SqlWorker]:
    worker = SqlWorker(database(personnel), personnel, with_spare=False)
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def club_looks(club: Pack, cache: Path) -> Iterator[SqlWorker]:
    worker = SqlWorker(database(club, cache), club, with_spare=False)
    yield worker
    worker.close()


def facts(worker: SqlWorker, sql: str) -> Facts | None:
    return worker.look(sql).result(timeout=30)


def ids(book: RuleBook, query: str, found: Facts | None = None) -> list[str]:
    return [touch.rule.id for touch in touching(book, query, found)]


@pytest.mark.parametrize(
    ("query", "rules"),
    [
        ("List the home phones of people in Irving", ["S-8.missing", "T1.employees", "S-3.imperative"]),
        ("What is Paul Tai's phone number?", ["T2.telephone", "S-3.wh", "S-3.yes-no"]),
        ("the CLERKS", ["S-6.clerk"]),
        ("clerkship", []),
        ("", []),
    ],
)
def test_words_of_a_query_call_for_rules_and_longer_ones_come_first(
    personnel: Pack, query: str, rules: list[str]
) -> None:
    assert ids(load_rules(personnel), query) == rules


def test_columns_of_a_statement_call_for_rules_too(personnel: Pack, looks: SqlWorker) -> None:
    found = facts(looks, "SELECT e.city FROM employee e WHERE e.employee_id IN (SELECT supervisor_id FROM employee)")

    assert ids(load_rules(personnel), "which cities", found) == ["S-3.wh", "T1.employees", "S-6.manager"]


@pytest.mark.parametrize(
    ("query", "sql", "warned"),
    [
        ("which clerks", "SELECT last_name FROM employee WHERE job_title LIKE '%CLERK%'", []),
        ("which employees", "SELECT last_name FROM employee WHERE level > 3",
         ["T1.employees: More than one employee may have the same last name; add employee_id."]),
        ("the names of all employees", "SELECT last_name FROM employee", []),
        ("which employees", "SELECT COUNT(last_name) FROM employee", []),
        ("what departments are there", "SELECT department_name FROM department",
         ["T1.departments: More than one department may have the same department name; add department."]),
        ("what degrees are there", "SELECT DISTINCT degree, school_code FROM degree",
         ["T1.degrees: degree.employee_id is missing: "
          "the key is degree.degree, degree.employee_id and degree.school_code."]),
        ("who has a degree", "SELECT DISTINCT employee_id FROM degree", []),
        ("the scientists", "SELECT employee_id FROM employee WHERE 'SCIENTIST' = job_title",
         ["S-6.scientist: employee.job_title is to contain SCIENTIST: LIKE '%SCIENTIST%'."]),
        ("the staff scientists", "SELECT employee_id FROM employee WHERE job_title = 'STAFF SCIENTIST'", []),
        ("the managers", "SELECT employee_id FROM employee WHERE job_title LIKE '%MANAGER%'",
         ["S-6.manager: The statement does not use employee.supervisor_id."]),
        ("Tai's phone", "SELECT home_phone FROM employee WHERE last_name = 'TAI'",
         ["T2.telephone: The statement does not use employee.work_phone."]),
        ("Tai's home phone", "SELECT home_phone FROM employee WHERE last_name = 'TAI'", []),
        ("everybody", "SELECT employee_id FROM employee ORDER BY last_name",
         ["S-8.sorting: The statement sorts; the order of rows means nothing in an answer."]),
        ("the best paid", "SELECT employee_id FROM employee ORDER BY salary DESC LIMIT 1",
         ["S-8.sorting: LIMIT may cut off rows that are equal; a comparison with MIN or MAX keeps them all."]),
        ("the best paid", "SELECT employee_id FROM (SELECT * FROM employee ORDER BY salary LIMIT 1) x",
         ["S-8.sorting: LIMIT may cut off rows that are equal; a comparison with MIN or MAX keeps them all."]),
        ("list the employees", "SELECT ssn FROM employee",
         ["T1.employees: employee.employee_id is missing: it is the key."]),
        ("list the employees and their salaries", "SELECT salary FROM employee", []),
        ("when were the employees hired", "SELECT hire_date FROM employee", []),
        ("the cities where employees live", "SELECT DISTINCT city FROM employee", []),
        ("the departments with such employees", "SELECT DISTINCT department FROM employee", []),
        ("the managers", "SELECT employee_id FROM", []),
    ],
)  # fmt: skip
def test_a_statement_that_breaks_a_rule_is_reported_in_one_sentence(
    personnel: Pack, looks: SqlWorker, query: str, sql: str, warned: list[str]
) -> None:
    found = warnings(personnel, load_rules(personnel), query, facts(looks, sql))
    assert [f"{one.rule}: {one.sentence}" for one in found] == warned


@pytest.mark.parametrize(
    ("query", "sql", "warned"),
    [
        ("how much in all", "SELECT SUM(fee) FROM member", ["The statement computes with SUM."]),
        ("how many", "SELECT COUNT(*), MAX(fee) FROM member", []),
        ("in the morning", "SELECT m.member_id FROM member m WHERE fee BETWEEN 0 AND 1200",
         ["The end points do not belong to the morning; member.fee <= 1200 takes one in."]),
        ("in the early morning", "SELECT m.member_id FROM member m WHERE fee <= 1200", []),
        ("in the early morning", "SELECT m.member_id FROM member m WHERE 800 >= fee",
         ["The end points do not belong to the early morning; member.fee <= 800 takes one in."]),
        ("in the morning", "SELECT m.member_id FROM member m WHERE fee >= 0 AND fee < 1200", []),
        ("in the morning", "SELECT m.member_id FROM member m WHERE NOT fee >= 1200", []),
        ("in the morning", "SELECT m.member_id FROM member m WHERE NOT (m.city = 'ROME' OR 1200 < fee)",
         ["The end points do not belong to the morning; member.fee <= 1200 takes one in."]),
        ("in the morning", "SELECT m.member_id FROM member m WHERE fee NOT BETWEEN 5 AND 1200", []),
        ("the fares", "SELECT hours FROM visit", ["The statement shows visit without member."]),
        ("the fares", "SELECT hours FROM visit JOIN member USING (member_id)", []),
    ],
)  # fmt: skip
def test_arithmetic_end_points_and_things_that_belong_together_are_looked_at(
    club: Pack, club_looks: SqlWorker, query: str, sql: str, warned: list[str]
) -> None:
    found = warnings(club, load_rules(club), query, facts(club_looks, sql))
    assert [one.sentence for one in found] == warned


def test_no_example_of_the_personnel_pack_breaks_its_own_rules(personnel: Pack, looks: SqlWorker) -> None:
    book = load_rules(personnel)
    alarms = {
        example.question: [one.sentence for one in found]
        for example in personnel.examples()
        if (found := warnings(personnel, book, example.question, facts(looks, example.sql)))
    }
    assert alarms == {}


def test_words_with_columns_of_the_statement_come_before_longer_words_without(
    personnel: Pack, looks: SqlWorker
) -> None:
    query = "which managers are programmers"
    found = facts(looks, "SELECT employee_id FROM employee WHERE job_title LIKE '%PROGRAMMER%'")
    assert ids(load_rules(personnel), query)[:2] == ["S-6.programmer", "S-6.manager"]
    found = facts(looks, "SELECT supervisor_id FROM employee")
    assert ids(load_rules(personnel), query, found)[:2] == ["S-6.manager", "S-6.programmer"]


def test_a_number_leads_to_the_rule_that_holds(club: Pack) -> None:
    book, old = load_rules(club), load_rules(club, 1990)
    assert [rule and rule.id for rule in map(book.find, ["2.2.3", "2.2.4", "B.2.11", "9"])] == ["2.2.3"] * 3 + [None]
    assert [rule and rule.id for rule in map(old.find, ["B.2.11", "2.2.3"])] == ["B.2.11", None]
    assert book.other_numbers(book.rules[-1]) == ["2.2.4", "B.2.11"]


def test_a_year_brings_its_rules_its_notation_and_its_yes_and_no() -> None:
    air = load_pack("atis")
    old, new = under_rule_book(air, 1990, "x"), under_rule_book(air, 1993, "x")
    assert (load_rules(old).year, old.dialect, old.yes_no) == (1990, "1990", "boolean")
    assert (load_rules(new).year, new.dialect, new.yes_no) == (1993, air.dialect, air.yes_no)
    assert under_rule_book(air, None, "x") == air
    assert (rule_books(air), load_rules(air).year) == ([1990, 1991, 1992, 1993], 1992)


def test_an_unknown_year_is_one_sentence_with_the_key_and_the_years_known(
    club: Pack, personnel: Pack, make_pack: MakePack
) -> None:
    with pytest.raises(UnknownRuleBook) as raised:
        under_rule_book(load_pack("atis"), 1988, "“rule_book” in study.toml")
    assert str(raised.value) == (
        "“rule_book” in study.toml: the domain “atis” has no rule-book of 1988; known are 1990, 1991, 1992 and 1993."
    )
    with pytest.raises(UnknownRuleBook, match="known are 1989"):
        under_rule_book(personnel, 1990, "x")
    with pytest.raises(UnknownRuleBook, match="known are 1990 and 1991"):
        under_rule_book(club, 1992, "x")
    with pytest.raises(UnknownRuleBook, match="it has none"):
        under_rule_book(load_pack(make_pack()), 1992, "x")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[principle]]\nid = "1"\nreading = "x"\nwhy = "y"\n', "principle 1 cannot be read: “why” is not known here"),
        ('rulebook = 1992\n', "Did you mean “rule_book”"),
        ('minimum = "all"\n', "all"),
        ('[rule_books]\nold = {}\n', "“old”, which is no year"),
        ('rule_book = 1989\n[rule_books]\n1990 = {}\n', "rule_book is 1989, which is not among"),
        ('[rule_books]\n1990 = { dialect = "1985" }\n', "1985"),
        ('[[principle]]\nid = "1"\nreading = "x"\n' * 2, "the number 1 stands for another principle, too"),
        ('[[principle]]\nid = "1"\nreading = "x"\n[[principle]]\nid = "2"\nreading = "x"\nalso = ["1"]\n',
         "principle 2: the number 1 stands for another principle"),
        ('[[principle]]\nid = "1"\nreading = "x"\nuntil = 1990\nreplaced_by = "2"\n',
         "replaced by 2, which is no principle here"),
        ('[[principle]]\nid = "1"\nreading = "x"\nuntil = 1990\nreplaced_by = "2"\n'
         '[[principle]]\nid = "2"\nreading = "x"\nsince = 1992\n', "2 does not hold in 1991"),
        ('[[principle]]\nid = "1"\n', "principle 1 cannot be read"),
        ('[[principle]]\nid = "1"\nreading = "x"\ncheck = "spelling"\n', "which is none of arithmetic"),
        ("principle = [3]\n", "principle 1 cannot be read"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_read_is_named(make_pack: MakePack, text: str, problem: str) -> None:
    folder = make_pack()
    (folder / "principles.toml").write_text(text, "utf-8")
    with pytest.raises(PackError, match=problem):
        load_rules(load_pack(folder))


LIMITED = "LIMIT without ORDER BY keeps whichever rows come first, which may be others another time."
OF_EACH = "This says yes or no of each row, and one yes is enough; a condition in WHERE says it plainer."
AMONG_OTHERS = "Any row makes the answer a yes, also one that says no: put the condition into WHERE."


@pytest.mark.parametrize(
    ("query", "sql", "warned"),
    [
        ("some people", "SELECT fee FROM member LIMIT 3", [LIMITED]),
        ("some people", "SELECT fee FROM member WHERE fee IN (SELECT fee FROM member LIMIT 3)", [LIMITED]),
        ("some people", "SELECT fee FROM member ORDER BY fee LIMIT 3", []),
        ("how many people", "SELECT COUNT(*) FROM member LIMIT 1", []),
        ("some people", "SELECT fee FROM member WHERE EXISTS (SELECT 1 FROM visit LIMIT 1)", []),
        ("is number 3 from rome", "SELECT city = 'ROME' FROM member WHERE member_id = 3", [OF_EACH]),
        ("is number 3 from rome", "SELECT (NOT city LIKE 'R%') FROM member", [OF_EACH]),
        ("is number 3 from rome", "SELECT member_id, city = 'ROME' FROM member", [AMONG_OTHERS]),
        ("is number 3 from rome", "SELECT COUNT(*) > 0 FROM member", []),
        ("is number 3 from rome", "SELECT COUNT(*) > 0 FROM member GROUP BY city", [OF_EACH]),
        ("is number 3 from rome", "SELECT EXISTS (SELECT 1 FROM member)", []),
        ("which are from rome", "SELECT city = 'ROME' FROM member", []),
    ],
)
def test_what_holds_in_any_domain_is_warned_of_under_the_name_of_sql(
    club: Pack, club_looks: SqlWorker, query: str, sql: str, warned: list[str]
) -> None:
    found = warnings(club, load_rules(club), query, facts(club_looks, sql))
    assert [one.sentence for one in found if one.rule == "SQL"] == warned
