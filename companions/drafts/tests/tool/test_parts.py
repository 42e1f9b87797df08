"""A wrong draft becomes right with one key: its parts are chips, and a choice about one changes the statement."""

import pytest

from curtain.domain.code_names import code_names
from curtain.domain.pack.keys import ForeignKey, Keys
from curtain_drafts.drafting.values import BEFORE, Asked, Chip, Choice, Draft, Request, Value
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.drafter.parts import Finisher

TABLES = {
    "employee": {"id": "INTEGER", "name": "VARCHAR", "salary": "INTEGER", "sex": "VARCHAR", "department": "INTEGER"},
    "department": {"department": "INTEGER", "title": "VARCHAR"},
}
KEYS = Keys(
    {"employee": ("id",), "department": ("department",)},
    (ForeignKey("employee", ("department",), "department", ("department",)),),
)
CODES = {"department.department": "department.title", "employee.sex": {"F": "female", "M": "male"}}
NAMES = code_names(CODES, KEYS, lambda sql: [(45, "SPEECH"), (9, "9")])
FINISHER = Finisher(TABLES, KEYS.primary, SqlReader(TABLES, "", KEYS.primary), NAMES)
SALARIES = "SELECT employee.salary FROM employee WHERE employee.department = 45 AND employee.salary > 30000"


def finished(sql: str, *choices: Choice, before: str = "", chips: tuple[Chip, ...] = ()) -> Draft:
    previous = (Asked("", before),) if before else ()
    return FINISHER.finished([Draft(sql, 0.5, chips)], Request("?", previous, choices))[0]


def chosen(sql: str, said: str, label: str | None) -> str:
    """The statement after the wizard has put what reads `label` in the place of the part `said`, or taken that out."""
    chip = next(one for one in finished(sql).chips if one.said == said)
    value = next(one for one in chip.others if one.label == label) if label is not None else None
    return finished(sql, Choice(-1, -1, said, value)).sql


@pytest.mark.parametrize(
    ("sql", "said", "label", "then"),
    [
        (SALARIES, "department 45", None, "SELECT employee.salary FROM employee WHERE employee.salary > 30000"),
        (SALARIES, "department 45", "department not 45 (SPEECH)", SALARIES.replace("= 45", "<> 45")),
        (SALARIES, "salary above 30000", "salary at most 30000", SALARIES.replace(">", "<=")),
        (SALARIES, "salary", "name", SALARIES.replace("employee.salary FROM", "employee.name FROM")),
        (SALARIES, "salary", None, SALARIES),
        (SALARIES, "+1", "name", SALARIES.replace(" FROM", ", employee.name FROM")),
        (SALARIES, "a list", "how many", SALARIES.replace("employee.salary FROM", "COUNT(*) FROM")),
        (SALARIES, "a list", "the average", SALARIES.replace("employee.salary FROM", "AVG(employee.salary) FROM")),
        ("SELECT COUNT(*) FROM employee", "how many", "a list", "SELECT employee.id FROM employee"),
        ("SELECT AVG(salary) FROM employee", "the average", "the lowest", "SELECT MIN(employee.salary) FROM employee"),
        ("SELECT AVG(salary) FROM employee", "+1", "sex",
         "SELECT AVG(employee.salary), employee.sex FROM employee GROUP BY employee.sex"),
        ("SELECT name FROM employee WHERE salary = (SELECT MAX(salary) FROM employee)", "salary highest",
         "salary lowest", "SELECT employee.name FROM employee WHERE employee.salary = "
         "(SELECT MIN(employee_1.salary) FROM employee AS employee_1)"),
        ("SELECT name FROM employee WHERE sex = 'F' AND salary = (SELECT MAX(salary) FROM employee WHERE sex = 'F')",
         "sex F", None, "SELECT employee.name FROM employee WHERE employee.salary = "
         "(SELECT MAX(employee_1.salary) FROM employee AS employee_1)"),
    ],
)  # fmt: skip
def test_one_choice_makes_a_wrong_part_right(sql: str, said: str, label: str | None, then: str) -> None:
    assert chosen(sql, said, label) == then


def test_without_a_choice_a_draft_stays_as_it_was_written() -> None:
    sql = "select  salary\nfrom employee"
    assert finished(sql).sql == sql
    assert finished("SELECT 1 UNION SELECT 2", Choice(-1, -1, "salary", None)).sql == "SELECT 1 UNION SELECT 2"


def test_a_statement_that_is_nested_too_deep_stays_as_it_is() -> None:
    deep = f"SELECT name FROM employee WHERE {'NOT (' * 900}sex = 'F'{')' * 900}"
    assert [draft.sql for draft in FINISHER.finished([Draft(deep, 0.5)], Request("?"))] == [deep]


def test_two_drafts_that_a_choice_makes_one_stand_once() -> None:
    drafts = [Draft(SALARIES, 0.6), Draft(SALARIES.replace("= 45", "<> 45"), 0.4)]
    choices = tuple(Choice(-1, -1, said, None) for said in ("department 45", "department not 45"))
    assert len(FINISHER.finished(drafts, Request("?", (), choices))) == 1


@pytest.mark.parametrize(("said_now", "carried"), [((), ["department 45 (SPEECH)"]), (("45",), []), (("SPEECH",), [])])
def test_a_condition_of_the_turn_before_is_marked_unless_it_is_said_again(
    said_now: tuple[str, ...], carried: list[str]
) -> None:
    chips = tuple(Chip(0, 1, text, "department", Value("department.department", text, text)) for text in said_now)
    draft = finished(SALARIES, before="SELECT name FROM employee WHERE department = 45", chips=chips)
    assert [one.value.label for one in draft.chips if one.kind == BEFORE] == carried


def test_codes_have_their_names_beside_them_in_sketch_and_chips() -> None:
    female = Chip(0, 5, "women", "sex", Value("employee.sex", "F", "F"))
    draft = finished("SELECT name FROM employee WHERE sex = 'F' AND department = 9", chips=(female,))
    assert draft.sketch == "name of employees with sex F (female) and department 9"
    assert draft.chips[0].value.label == "F (female)"


def test_the_sketch_names_the_table_whose_columns_are_shown() -> None:
    sql = "SELECT title FROM employee, department WHERE employee.department = department.department AND salary > 3"
    assert finished(sql).sketch == "title of departments with salary above 3"
