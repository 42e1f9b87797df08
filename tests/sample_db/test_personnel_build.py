"""What must hold so that all answers printed in papers/000 come out at once, whatever the seed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import pairwise
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


def one(ask: Ask, sql: str) -> Any:
    [[value]] = ask(sql)
    return value


def column(ask: Ask, sql: str) -> list[Any]:
    return [value for (value,) in ask(sql)]


# --- the people and who they report to (papers/000 appendix B, sections 3.1 and 3.2) ---


def test_there_are_423_employees(world: Ask) -> None:
    assert one(world, "SELECT COUNT(*) FROM employee") == 423


def test_supervision_is_a_tree_with_one_root(world: Ask) -> None:
    reached = one(
        world,
        "WITH RECURSIVE below(id) AS (SELECT employee_id FROM employee WHERE supervisor_id IS NULL UNION ALL "
        "SELECT employee_id FROM employee JOIN below ON supervisor_id = id) SELECT COUNT(*) FROM below",
    )
    assert one(world, "SELECT COUNT(*) FROM employee WHERE supervisor_id IS NULL") == 1
    assert reached == 423


def test_the_18_managers_have_the_printed_numbers_of_reports_which_sum_to_422(world: Ask) -> None:
    counts = world(
        "SELECT boss.last_name, COUNT(*) FROM employee AS boss JOIN employee AS report "
        "ON report.supervisor_id = boss.employee_id GROUP BY boss.employee_id, boss.last_name"
    )
    assert len(counts) == 18
    assert dict(counts) == PRINTED_COUNTS
    assert sum(PRINTED_COUNTS.values()) == 422


def test_department_45_is_seaborn_and_the_47_who_report_to_him(world: Ask) -> None:
    in_45 = set(column(world, "SELECT employee_id FROM employee WHERE department = 45"))
    group = set(column(world, "SELECT employee_id FROM employee WHERE last_name = 'SEABORN' OR supervisor_id = "
                              "(SELECT employee_id FROM employee WHERE last_name = 'SEABORN')"))  # fmt: skip
    assert in_45 == group
    assert len(in_45) == 48


def test_no_printed_surname_is_borne_by_anybody_who_is_not_printed(world: Ask) -> None:
    single = ["LEASE", "VASQUEZ", "NASH", "TAI", "HAYES", "GRAHAM", "YOUNG", "JONES"]
    for name in {*PRINTED_COUNTS, *SENIOR_SCIENTISTS, *single}:
        assert one(world, f"SELECT COUNT(*) FROM employee WHERE last_name = '{name}'") == 1, name
    assert one(world, "SELECT COUNT(*) FROM employee WHERE last_name = 'SMITH'") == 2


def test_no_two_people_have_the_same_full_name(world: Ask) -> None:
    assert one(world, "SELECT COUNT(*) FROM (SELECT DISTINCT first_name, last_name FROM employee)") == 423


# --- pay ---


def test_the_managers_earn_2331300_together_and_level_31_averages_270275(world: Ask) -> None:
    assert one(world, f"SELECT SUM(salary) FROM {MANAGERS}") == 2_331_300
    assert one(world, "SELECT AVG(salary) FROM employee WHERE level = 31") == 270_275.0


def test_level_31_is_four_managers_who_leave_89300_on_average_for_the_other_fourteen(world: Ask) -> None:
    assert one(world, f"SELECT COUNT(*) FROM {MANAGERS} WHERE level = 31") == 4
    assert one(world, "SELECT COUNT(*) FROM employee WHERE level = 31") == 4
    assert one(world, f"SELECT AVG(salary) FROM {MANAGERS} WHERE level < 31") == 89_300.0


def test_managers_from_harvard_average_72400_from_different_salaries_each_counted_once(world: Ask) -> None:
    rows = world(
        f"SELECT manager.employee_id, salary FROM {MANAGERS} AS manager JOIN degree USING (employee_id) "
        "JOIN school USING (school_code) WHERE school_name = 'HARVARD UNIVERSITY'"
    )
    salaries = [salary for _, salary in rows]
    assert sum(salaries) / len(salaries) == 72_400.0
    assert len(set(salaries)) == len(salaries) > 1
    assert len({employee for employee, _ in rows}) == len(rows)


def test_clerks_exist_and_none_makes_over_50000(world: Ask) -> None:
    assert one(world, "SELECT COUNT(*) FROM employee WHERE job_title LIKE '%CLERK%'") > 10
    assert one(world, "SELECT MAX(salary) FROM employee WHERE job_title LIKE '%CLERK%'") <= 50_000


def test_pay_rises_with_level(world: Ask) -> None:
    bands = world("SELECT MIN(salary), MAX(salary) FROM employee GROUP BY level ORDER BY level")
    assert all(below[1] < above[0] for below, above in pairwise(bands))


def test_department_45_has_chief_scientists_above_and_below_70000(world: Ask) -> None:
    chiefs = column(world, "SELECT salary FROM employee WHERE department = 45 AND job_title = 'CHIEF SCIENTIST'")
    assert min(chiefs) <= 70_000 < max(chiefs)


# --- titles ---


def test_the_senior_scientists_are_nine_of_whom_burruss_and_seaborn_are_managers(world: Ask) -> None:
    rule = "job_title = 'SENIOR SCIENTIST'"
    assert column(world, f"SELECT last_name FROM employee WHERE {rule} ORDER BY 1") == SENIOR_SCIENTISTS
    assert column(world, f"SELECT last_name FROM {MANAGERS} WHERE {rule} ORDER BY 1") == ["BURRUSS", "SEABORN"]


def test_the_female_scientists_of_every_title_are_20(world: Ask) -> None:
    rule = "sex = 'F' AND job_title LIKE '%SCIENTIST%'"
    assert one(world, f"SELECT COUNT(*) FROM employee WHERE {rule}") == 20
    assert one(world, f"SELECT COUNT(DISTINCT job_title) FROM employee WHERE {rule}") > 1


def test_department_20_is_staffed_and_its_programmers_are_elsewhere(world: Ask) -> None:
    assert one(world, "SELECT COUNT(*) FROM employee WHERE department = 20") > 50
    departments = column(world, "SELECT DISTINCT department FROM employee WHERE job_title LIKE '%PROGRAMMER%'")
    assert departments and 20 not in departments


def test_the_titles_supervisor_and_project_manager_make_nobody_a_manager(world: Ask) -> None:
    titled = "job_title IN ('SUPERVISOR', 'PROJECT MANAGER')"
    assert one(world, f"SELECT COUNT(*) FROM employee WHERE {titled}") > one(
        world, f"SELECT COUNT(*) FROM {MANAGERS} WHERE {titled}"
    )


# --- single people ---


def test_lease_was_hired_on_6_october_1952_at_18_or_more_and_works_in_department_10(world: Ask) -> None:
    [[born, hired, department, phone]] = world(
        "SELECT birth_date, hire_date, department, work_phone FROM employee "
        "WHERE first_name = 'SHARON' AND last_name = 'LEASE'"
    )
    assert str(hired) == "1952-10-06"
    assert born.year <= 1934
    assert (department, phone) == (10, "6218")


def test_hayes_is_not_in_department_10(world: Ask) -> None:
    assert one(world, "SELECT department FROM employee WHERE first_name = 'PAUL' AND last_name = 'HAYES'") != 10


def test_mary_smith_is_one_woman_who_makes_52000_and_no_clerk(world: Ask) -> None:
    [row] = world("SELECT sex, salary, job_title FROM employee WHERE first_name = 'MARY' AND last_name = 'SMITH'")
    assert row[:2] == ("F", 52_000)
    assert "CLERK" not in row[2]


def test_paul_tai_is_4456_and_no_clerk(world: Ask) -> None:
    [[employee_id, title]] = world(
        "SELECT employee_id, job_title FROM employee WHERE first_name = 'PAUL' AND last_name = 'TAI'"
    )
    assert employee_id == 4456
    assert "CLERK" not in title


def test_smith_and_jones_of_section_2_both_make_40000(world: Ask) -> None:
    rows = world("SELECT employee_id, last_name, salary FROM employee WHERE employee_id IN (2341, 5573) ORDER BY 1")
    assert rows == [(2341, "SMITH", 40_000), (5573, "JONES", 40_000)]


def test_4322_and_5267_are_in_department_44(world: Ask) -> None:
    assert {4322, 5267} <= set(column(world, "SELECT employee_id FROM employee WHERE department = 44"))


# --- ethnic groups, homes, degrees ---


def test_the_three_hispanic_employees_are_the_printed_ones_and_vasquez_is_not_guessed_to_be(world: Ask) -> None:
    hispanic = column(world, "SELECT employee_id FROM employee WHERE ethnic_group = 'HISPANIC' ORDER BY 1")
    assert hispanic == [1468, 4688, 6213]
    [[vasquez, group]] = world("SELECT employee_id, ethnic_group FROM employee WHERE last_name = 'VASQUEZ'")
    assert vasquez in (1028, 1458, 2099)
    assert group != "HISPANIC"


def test_department_11_has_black_hispanic_and_white_members_and_no_other(world: Ask) -> None:
    groups = column(world, "SELECT DISTINCT ethnic_group FROM employee WHERE department = 11 ORDER BY 1")
    assert groups == ["BLACK", "HISPANIC", "WHITE"]
    assert one(world, "SELECT COUNT(DISTINCT ethnic_group) FROM employee") > 3


def test_irving_has_the_eight_printed_phones_and_at_least_one_nil(world: Ask) -> None:
    phones = column(world, "SELECT home_phone FROM employee WHERE city = 'IRVING'")
    assert None in phones
    assert sorted(phone for phone in phones if phone) == [
        "214-484-3185", "214-492-3575", "214-545-0306", "214-625-4682",
        "214-646-4192", "214-665-5043", "214-696-8397", "214-884-1708",
    ]  # fmt: skip


def test_the_attorneys_are_the_owners_of_two_printed_phones_young_without_one_and_others(world: Ask) -> None:
    rows = world("SELECT last_name, city, home_phone FROM employee WHERE job_title = 'ATTORNEY'")
    at_irving = {phone for _, city, phone in rows if city == "IRVING"}
    assert ("YOUNG", "IRVING", None) in rows
    assert at_irving == {None, "214-545-0306", "214-665-5043"}
    assert len(rows) > 3


def test_the_fifteen_accountants_live_in_different_streets(world: Ask) -> None:
    streets = column(world, "SELECT street FROM employee WHERE job_title LIKE '%ACCOUNTANT%'")
    assert len(set(streets)) == len(streets) == 15


def test_45_people_hold_a_phd_and_2099_is_one_of_them(world: Ask) -> None:
    holders = column(world, "SELECT DISTINCT employee_id FROM degree WHERE degree = 'PHD'")
    assert len(holders) == 45
    assert 2099 in holders


def test_the_printed_schools_exist_and_none_of_them_is_harvard(world: Ask) -> None:
    names = column(world, "SELECT school_name FROM school WHERE school_code IN (3434, 3514, 3761, 2074)")
    assert len(names) == 4
    assert not any("HARVARD" in name for name in names)


# --- it is a world one can believe ---


def test_nobody_was_hired_before_18_or_after_the_as_of_date_or_works_beyond_65(world: Ask) -> None:
    assert one(world, "SELECT MIN(DATE_DIFF('day', birth_date, hire_date)) FROM employee") >= 18 * 365.25
    assert str(one(world, "SELECT MAX(hire_date) FROM employee")) <= "1989-08-19"
    assert one(world, "SELECT MAX(DATE_DIFF('day', birth_date, DATE '1989-08-19')) FROM employee") <= 65 * 365.25


def test_people_were_hired_on_weekdays_in_the_order_of_their_numbers(world: Ask) -> None:
    days = column(world, "SELECT hire_date FROM employee ORDER BY employee_id")
    assert days == sorted(days)
    assert all(day.weekday() < 5 for day in days)


def test_degrees_were_earned_between_18_and_the_as_of_date_in_order(world: Ask) -> None:
    assert one(world, "SELECT MIN(year - YEAR(birth_date)) FROM degree JOIN employee USING (employee_id)") >= 18
    assert one(world, "SELECT MAX(year) FROM degree") <= 1989
    later = "SELECT COUNT(*) FROM degree AS a JOIN degree AS b USING (employee_id) WHERE b.year > a.year"
    assert one(world, f"{later} AND a.degree = 'PHD'") == 0


def test_numbers_that_identify_somebody_are_given_once(world: Ask) -> None:
    for name in ("ssn", "work_phone"):
        assert one(world, f"SELECT COUNT(DISTINCT {name}) FROM employee") == 423
    assert one(world, "SELECT COUNT(home_phone) = COUNT(DISTINCT home_phone) FROM employee")


def test_no_generated_number_can_be_that_of_a_living_person(world: Ask) -> None:
    assert one(world, "SELECT COUNT(*) FROM employee WHERE ssn NOT LIKE '9__-__-____'") == 0
    assert one(world, "SELECT COUNT(*) FROM employee WHERE city <> 'IRVING' AND home_phone NOT LIKE '%-555-____'") == 0


def test_sex_and_ethnic_group_go_with_no_first_or_last_name_alone(world: Ask) -> None:
    surnames = column(world, "SELECT COUNT(DISTINCT ethnic_group) FROM employee GROUP BY last_name")
    first_names = column(world, "SELECT COUNT(DISTINCT sex) FROM employee GROUP BY first_name")
    assert sum(groups > 1 for groups in surnames) > 10
    assert sum(sexes > 1 for sexes in first_names) > 3


def test_text_is_in_upper_case(world: Ask) -> None:
    for table, names in {"employee": ["last_name", "first_name", "job_title", "street", "city", "sex", "ethnic_group"],
                         "school": ["school_name"], "department": ["department_name"]}.items():  # fmt: skip
        for name in names:
            assert one(world, f"SELECT COUNT(*) FROM {table} WHERE {name} <> UPPER({name})") == 0, name


# --- the file ---


def test_the_same_seed_gives_the_same_rows_everywhere() -> None:
    digest = hashlib.sha256(repr(sorted(draw_tables(1989).items())).encode()).hexdigest()
    assert digest == "bf353079a191f166feb0fd6ce3fb59b6d2b479a8f4dfa0a5acc0e797c8dddd1a"


def test_another_seed_gives_other_people() -> None:
    assert draw_tables(1989)["employee"] != draw_tables(2)["employee"]


def test_the_database_has_the_tables_and_columns_of_the_contract(ask: Ask) -> None:
    found = ask(
        "SELECT table_name, string_agg(column_name, ' ' ORDER BY column_index) FROM duckdb_columns() "
        "WHERE NOT internal GROUP BY ALL"
    )
    assert dict(found) == {
        "country": "country_code country_name",
        "degree": "employee_id degree school_code major_code year",
        "department": "department department_name division",
        "division": "division division_name",
        "employee": "employee_id last_name first_name ssn sex ethnic_group birth_date hire_date job_title level salary "
        "department supervisor_id work_phone home_phone street city state_code country_code",
        "major": "major_code major_name",
        "school": "school_code school_name state_code country_code",
        "state": "state_code state_name",
    }


def test_building_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    build(tmp_path / "p.duckdb", progress=lambda what, done: told.append((what, done)))
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert {f"writing {table}" for table in TABLES} <= {what for what, _ in told}


def test_building_over_a_database_that_is_there_changes_nothing(personnel_file: Path) -> None:
    before = personnel_file.read_bytes()
    with pytest.raises(duckdb.Error):
        build(personnel_file)
    assert personnel_file.read_bytes() == before
