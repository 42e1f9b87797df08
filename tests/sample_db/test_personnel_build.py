"""What must hold so that all answers printed in papers/000 come out at once, whatever the seed."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sample_db.personnel.build import TABLES, build, draw_tables

Ask = Callable[[str], list[tuple[Any, ...]]]

MANAGERS = "(SELECT * FROM employee WHERE employee_id IN (SELECT supervisor_id FROM employee))"
PRINTED_COUNTS = {
    "GRAY": 71, "BRADY": 1, "JACOBSON": 40, "BEEK": 4, "EASTON": 3, "BOFF": 1, "BANDANZA": 8, "BURRUSS": 20,
    "MCGLEW": 96, "FRANKLIN": 12, "PAYNE": 24, "BUONO": 5, "MACLEAN": 28, "LANDER": 4, "FAY": 29, "SEABORN": 47,
    "LI": 3, "DI": 26,
}  # fmt: skip
SENIOR_SCIENTISTS = [
    "BURRUSS", "CAVANAUGH", "KANYUCK", "KINGSLEY", "MESSENGER", "SEABORN", "SPATOLA", "SYKLEY", "ZENTZ",
]  # fmt: skip
PRINTED_PHONES = [
    "214-484-3185", "214-492-3575", "214-545-0306", "214-625-4682",
    "214-646-4192", "214-665-5043", "214-696-8397", "214-884-1708", None,
]  # fmt: skip
NAMED = ["LEASE", "VASQUEZ", "NASH", "TAI", "HAYES", "GRAHAM", "YOUNG", "JONES"]
NOBODY_ELSE = [*PRINTED_COUNTS, *SENIOR_SCIENTISTS, *NAMED]
UPPER = {
    "employee": ("last_name", "first_name", "job_title", "street", "city", "sex", "ethnic_group"),
    "school": ("school_name",), "department": ("department_name",),
}  # fmt: skip


# What is true of every world: a claim, a statement, and the rows that it gives.
FACTS: list[tuple[str, str, list[Any]]] = [
    # The people and who they report to: papers/000 appendix B, sections 3.1 and 3.2.
    ("There are 423 employees, and no two have the same full name.",
     "SELECT COUNT(*), COUNT(DISTINCT (first_name, last_name)) FROM employee", [(423, 423)]),
    ("Supervision is a tree with one root.",
     "WITH RECURSIVE below(id) AS (SELECT employee_id FROM employee WHERE supervisor_id IS NULL UNION ALL "
     "SELECT employee_id FROM employee JOIN below ON supervisor_id = id) SELECT COUNT(*), (SELECT COUNT(*) FROM "
     "employee WHERE supervisor_id IS NULL) FROM below", [(423, 1)]),
    ("The 18 managers have the printed numbers of reports.",
     "SELECT boss.last_name, COUNT(*) FROM employee AS boss JOIN employee AS report ON report.supervisor_id = "
     "boss.employee_id GROUP BY boss.employee_id, boss.last_name ORDER BY 1", sorted(PRINTED_COUNTS.items())),
    ("Department 45 is Seaborn and the 47 who report to him.",
     "SELECT COUNT(*) FILTER (one.last_name = 'SEABORN' OR boss.last_name = 'SEABORN'), COUNT(*) FILTER "
     "(one.department = 45), COUNT(*) FROM employee AS one LEFT JOIN employee AS boss ON one.supervisor_id = "
     "boss.employee_id WHERE one.department = 45 OR one.last_name = 'SEABORN' OR boss.last_name = 'SEABORN'",
     [(48, 48, 48)]),
    ("No printed surname is borne by anybody who is not printed.",
     "SELECT last_name, COUNT(*) FROM employee GROUP BY 1 HAVING last_name = 'SMITH' OR COUNT(*) > 1 AND last_name IN "
     f"{tuple(NOBODY_ELSE)}", [("SMITH", 2)]),
    ("Everybody whose surname is printed is there.",
     f"SELECT COUNT(DISTINCT last_name) FROM employee WHERE last_name IN {tuple(NOBODY_ELSE)}",
     [(len(set(NOBODY_ELSE)),)]),
    # Pay.
    ("The managers earn 2,331,300 together; four of level 31 leave 89,300 on average for the others.",
     "SELECT SUM(salary), COUNT(*) FILTER (level = 31), AVG(salary) FILTER (level < 31) "
     f"FROM {MANAGERS}", [(2_331_300, 4, 89_300.0)]),
    ("Level 31 is these four, and averages 270,275.",
     "SELECT COUNT(*), AVG(salary) FROM employee WHERE level = 31", [(4, 270_275.0)]),
    ("Managers from Harvard average 72,400 from different salaries, each counted once.",
     "SELECT AVG(salary), COUNT(*) > 1, COUNT(DISTINCT salary) = COUNT(*), COUNT(DISTINCT employee_id) = COUNT(*) "
     f"FROM {MANAGERS} JOIN degree USING (employee_id) JOIN school USING (school_code) "
     "WHERE school_name = 'HARVARD UNIVERSITY'", [(72_400.0, True, True, True)]),
    ("There are clerks, and none makes over 50,000.",
     "SELECT COUNT(*) > 10, MAX(salary) <= 50000 FROM employee WHERE job_title LIKE '%CLERK%'", [(True, True)]),
    ("Pay rises with level.",
     "SELECT COUNT(*) FROM employee AS low JOIN employee AS high ON low.level < high.level "
     "WHERE low.salary >= high.salary", [(0,)]),
    ("Department 45 has chief scientists above and below 70,000.",
     "SELECT MIN(salary) <= 70000, MAX(salary) > 70000 FROM employee "
     "WHERE department = 45 AND job_title = 'CHIEF SCIENTIST'", [(True, True)]),
    # Titles.
    ("The senior scientists are nine.",
     "SELECT last_name FROM employee WHERE job_title = 'SENIOR SCIENTIST' ORDER BY 1",
     [(name,) for name in SENIOR_SCIENTISTS]),
    ("Of the senior scientists, Burruss and Seaborn are managers.",
     f"SELECT last_name FROM {MANAGERS} WHERE job_title = 'SENIOR SCIENTIST' ORDER BY 1", [("BURRUSS",), ("SEABORN",)]),
    ("The female scientists of every title are 20.",
     "SELECT COUNT(*), COUNT(DISTINCT job_title) > 1 FROM employee WHERE sex = 'F' AND job_title LIKE '%SCIENTIST%'",
     [(20, True)]),
    ("Department 20 is staffed and its programmers are elsewhere.",
     "SELECT COUNT(*) FILTER (department = 20) > 50, COUNT(*) FILTER (department = 20 AND job_title LIKE "
     "'%PROGRAMMER%'), COUNT(*) FILTER (job_title LIKE '%PROGRAMMER%') > 0 FROM employee", [(True, 0, True)]),
    ("The titles supervisor and project manager make nobody a manager.",
     "SELECT COUNT(*) > 0 FROM employee WHERE job_title IN ('SUPERVISOR', 'PROJECT MANAGER') AND employee_id NOT IN "
     f"(SELECT employee_id FROM {MANAGERS})", [(True,)]),
    # Single people.
    ("Lease was hired on 6 October 1952 at 18 or more and works in department 10.",
     "SELECT hire_date = DATE '1952-10-06', YEAR(birth_date) <= 1934, department, work_phone FROM employee "
     "WHERE first_name = 'SHARON' AND last_name = 'LEASE'", [(True, True, 10, "6218")]),
    ("Hayes is not in department 10.",
     "SELECT department <> 10 FROM employee WHERE first_name = 'PAUL' AND last_name = 'HAYES'", [(True,)]),
    ("Mary Smith is one woman who makes 52,000 and no clerk.",
     "SELECT sex, salary, job_title LIKE '%CLERK%' FROM employee WHERE first_name = 'MARY' AND last_name = 'SMITH'",
     [("F", 52_000, False)]),
    ("Paul Tai is 4456 and no clerk.",
     "SELECT employee_id, job_title LIKE '%CLERK%' FROM employee WHERE first_name = 'PAUL' AND last_name = 'TAI'",
     [(4456, False)]),
    ("Smith and Jones of section 2 both make 40,000.",
     "SELECT employee_id, last_name, salary FROM employee WHERE employee_id IN (2341, 5573) ORDER BY 1",
     [(2341, "SMITH", 40_000), (5573, "JONES", 40_000)]),
    ("4322 and 5267 are in department 44.",
     "SELECT department FROM employee WHERE employee_id IN (4322, 5267)", [(44,), (44,)]),
    # Ethnic groups, homes, degrees.
    ("The three Hispanic employees are the printed ones.",
     "SELECT employee_id FROM employee WHERE ethnic_group = 'HISPANIC' ORDER BY 1", [(1468,), (4688,), (6213,)]),
    ("Vasquez is not guessed to be Hispanic.",
     "SELECT employee_id IN (1028, 1458, 2099), ethnic_group <> 'HISPANIC' FROM employee WHERE last_name = 'VASQUEZ'",
     [(True, True)]),
    ("Department 11 has Black, Hispanic and White members and no other.",
     "SELECT DISTINCT ethnic_group FROM employee WHERE department = 11 ORDER BY 1",
     [("BLACK",), ("HISPANIC",), ("WHITE",)]),
    ("There are other ethnic groups.", "SELECT COUNT(DISTINCT ethnic_group) > 3 FROM employee", [(True,)]),
    ("Irving has the eight printed phones and at least one that is missing.",
     "SELECT DISTINCT home_phone FROM employee WHERE city = 'IRVING' ORDER BY 1 NULLS LAST",
     [(phone,) for phone in PRINTED_PHONES]),
    ("Of the attorneys, two own printed phones in Irving; Young has none there.",
     "SELECT DISTINCT home_phone, last_name = 'YOUNG' AND home_phone IS NULL FROM employee "
     "WHERE job_title = 'ATTORNEY' AND city = 'IRVING' AND (home_phone IS NOT NULL OR last_name = 'YOUNG') ORDER BY 1",
     [("214-545-0306", False), ("214-665-5043", False), (None, True)]),
    ("There are other attorneys.", "SELECT COUNT(*) > 3 FROM employee WHERE job_title = 'ATTORNEY'", [(True,)]),
    ("The fifteen accountants live in different streets.",
     "SELECT COUNT(*), COUNT(DISTINCT street) FROM employee WHERE job_title LIKE '%ACCOUNTANT%'", [(15, 15)]),
    ("45 people hold a Ph.D., and 2099 is one of them.",
     "SELECT COUNT(DISTINCT employee_id), MAX(employee_id = 2099) FROM degree WHERE degree = 'PHD'", [(45, True)]),
    ("The printed schools exist, and none of them is Harvard.",
     "SELECT COUNT(*), MAX(school_name LIKE '%HARVARD%') FROM school WHERE school_code IN (3434, 3514, 3761, 2074)",
     [(4, False)]),
    # It is a world one can believe.
    ("Nobody was hired before 18 or after the as-of date, or works beyond 65.",
     "SELECT MIN(DATE_DIFF('day', birth_date, hire_date)) >= 18 * 365.25, MAX(hire_date) <= DATE '1989-08-19', "
     "MAX(DATE_DIFF('day', birth_date, DATE '1989-08-19')) <= 65 * 365.25 FROM employee", [(True, True, True)]),
    ("People were hired on weekdays.", "SELECT COUNT(*) FROM employee WHERE ISODOW(hire_date) > 5", [(0,)]),
    ("People were hired in the order of their numbers.",
     "SELECT COUNT(*) FROM employee AS a JOIN employee AS b ON a.employee_id < b.employee_id "
     "WHERE a.hire_date > b.hire_date", [(0,)]),
    ("Degrees were earned between 18 and the as-of date.",
     "SELECT MIN(year - YEAR(birth_date)) >= 18, MAX(year) <= 1989 FROM degree JOIN employee USING (employee_id)",
     [(True, True)]),
    ("A Ph.D. comes last.",
     "SELECT COUNT(*) FROM degree AS a JOIN degree AS b USING (employee_id) WHERE b.year > a.year AND a.degree = 'PHD'",
     [(0,)]),
    ("Numbers that identify somebody are given once.",
     "SELECT COUNT(DISTINCT ssn), COUNT(DISTINCT work_phone), COUNT(home_phone) = COUNT(DISTINCT home_phone) "
     "FROM employee", [(423, 423, True)]),
    ("No generated number can be that of a living person.",
     "SELECT COUNT(*) FROM employee WHERE ssn NOT LIKE '9__-__-____' OR city <> 'IRVING' AND "
     "home_phone NOT LIKE '%-555-____'", [(0,)]),
    ("Sex and ethnic group go with no first or last name alone.",
     "SELECT (SELECT COUNT(*) > 10 FROM (SELECT 1 FROM employee GROUP BY last_name HAVING COUNT(DISTINCT ethnic_group) "
     "> 1)), (SELECT COUNT(*) > 3 FROM (SELECT 1 FROM employee GROUP BY first_name HAVING COUNT(DISTINCT sex) > 1))",
     [(True, True)]),
    *((f"{table}.{name} is in upper case.", f"SELECT COUNT(*) FROM {table} WHERE {name} <> UPPER({name})", [(0,)])
      for table, names in UPPER.items() for name in names),
]  # fmt: skip


def test_what_the_papers_print_and_what_one_can_believe_is_true_of_every_world(world: Ask) -> None:
    found = {claim: world(sql) for claim, sql, _ in FACTS}
    assert found == {claim: rows for claim, _, rows in FACTS}
    assert sum(PRINTED_COUNTS.values()) == 422


# --- the file ---


def test_the_same_seed_gives_the_same_rows_everywhere_and_another_one_other_people() -> None:
    digest = hashlib.sha256(repr(sorted(draw_tables(1989).items())).encode()).hexdigest()
    assert digest == "bf353079a191f166feb0fd6ce3fb59b6d2b479a8f4dfa0a5acc0e797c8dddd1a"
    assert draw_tables(1989)["employee"] != draw_tables(2)["employee"]


def test_building_tells_how_far_it_is(tmp_path: Path) -> None:
    reported: list[tuple[str, float]] = []
    build(tmp_path / "p.duckdb", progress=lambda what, done: reported.append((what, done)))
    shares = [done for _, done in reported]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert {f"writing {table}" for table in TABLES} <= {what for what, _ in reported}


def test_building_over_a_database_that_is_there_changes_nothing(personnel_file: Path) -> None:
    before = personnel_file.read_bytes()
    with pytest.raises(duckdb.Error):
        build(personnel_file)
    assert personnel_file.read_bytes() == before
