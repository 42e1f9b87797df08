"""What is said in the toy corpus: 6 sessions of 4 speakers and a pilot, with every class, every category and every tag.

Statements are over the personnel database, and their answers in `tests/data/toy_answers.jsonl` are its own.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Said:
    """One turn. `context` counts turns back, with `text` or `answer`; `first` is the statement that was sent before a
    correction; `tries` failed before. `redact` is a part of the query; `readings` are (statement, weight, reads)."""

    query: str | None
    sql: str | None = None
    eval_class: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    context: tuple[tuple[int, str], ...] = ()
    message: tuple[str, str, str] | None = None
    blanks: dict[str, str] = field(default_factory=dict)
    first: str | None = None
    tries: tuple[str, ...] = ()
    readings: tuple[tuple[str, float, str], ...] = ()
    yes_no: bool = False
    cancelled: bool = False
    cleared: bool = False
    practice: bool = False
    sro: str | None = None
    redact: str | None = None
    note: str | None = None
    nl_input: str | None = None
    reasons: tuple[str, ...] = ()
    site_tags: tuple[str, ...] = ()
    lost: bool = False
    clipped: int = 0
    other: dict[str, Any] | None = None
    """What a second annotator says of the category where it differs."""
    ruled: dict[str, Any] | None = None
    """What the adjudicator says of it."""
    open: bool = False
    annotated: bool = True
    typed: bool = False
    """The subject typed it in place of speaking."""


@dataclass(frozen=True)
class Sitting:
    """A session: who, on which day, with which scenario, and whether it is closed."""

    session_id: str
    day: str
    scenario: str
    turns: tuple[Said, ...]
    consent: str = "c-2026-1"
    wizards: tuple[str, ...] = ("w1",)
    closed: bool = True
    pilot: bool = False
    rule_book: int = 1992
    solution: tuple[str, str] | None = None
    questionnaire: dict[str, str] = field(default_factory=dict)


def alone(query: str, sql: str, *tags: str, **more: Any) -> Said:
    """Class A, category 0."""
    return Said(query, sql, "A", "0", tags, **more)


def after(query: str, sql: str, category: str, *links: tuple[int, str], **more: Any) -> Said:
    """Depends on earlier turns; class D1 if that is the turn before alone."""
    eval_class = more.pop("eval_class", "D1" if {back for back, _ in links} == {1} else "D")
    return Said(query, sql, eval_class, category, more.pop("tags", ()), tuple(links), **more)


def out(query: str | None, *tags: str, **more: Any) -> Said:
    """Class X."""
    message = more.pop("message", UNABLE if not more.get("sql") else None)
    return Said(query, more.pop("sql", None), "X", "X", tags, message=message, **more)


UNABLE = ("unable", "Sorry, the system is unable to answer your query", "no_answer")
NO_INFORMATION = ("no_information", "No information is available on {}", "no_answer")


def no_information(topic: str) -> tuple[str, str, str]:
    return (NO_INFORMATION[0], NO_INFORMATION[1].format(topic), NO_INFORMATION[2])


def salary(first: str, last: str) -> str:
    return f"SELECT salary FROM employee WHERE first_name = '{first}' AND last_name = '{last}'"


CLERKS = "SELECT employee_id, salary FROM employee WHERE job_title LIKE '%CLERK%'"
MANAGERS = "SELECT employee_id FROM employee WHERE employee_id IN (SELECT supervisor_id FROM employee)"
SCIENTISTS = "SELECT COUNT(*) FROM employee WHERE job_title LIKE '%SCIENTIST%'"

SITTINGS = (
    Sitting("e00-01", "2026-03-02", "balance", (
        alone("who is the president of the company", "SELECT employee_id FROM employee WHERE job_title = 'PRESIDENT'",
              "wh-question", practice=True),
        alone("What is Mary Smith's salary?", salary("MARY", "SMITH"), "wh-question",
              sro="what is mary smith's salary ."),
        after("How about Paul Tai?", salary("PAUL", "TAI"), "2", (1, "text"), sro="[uh] how about <paula> paul tai"),
        alone("Who is Mary Graham's supervisor?",
              "SELECT supervisor_id FROM employee WHERE first_name = 'MARY' AND last_name = 'GRAHAM'", "wh-question"),
        after("What is his salary?", "SELECT salary FROM employee WHERE employee_id = 1931", "3", (1, "answer"),
              tags=("wh-question",)),
        after("And what is her job title?",
              "SELECT job_title FROM employee WHERE first_name = 'MARY' AND last_name = 'GRAHAM'", "3", (2, "text")),
        out("Book me a meeting with her", "book", message=("not_a_query",
            "The system retrieves information only. It is unable to book a meeting", "no_answer")),
        alone("Is Paul Tai a clerk?", "SELECT COUNT(*) > 0 FROM employee WHERE first_name = 'PAUL' AND "
              "last_name = 'TAI' AND job_title LIKE '%CLERK%'", "yes/no", yes_no=True),
        out(None, "cancelled", cancelled=True, reasons=("no_database_answer",)),
        alone("List the clerks with their salaries.", CLERKS, sro="list the cler- clerks [lip_smack] with their "
              "sala:ries ~", tries=("SELECT clerk FROM employee",), note="Second try; the subject waited."),
        out("Tell me about Mary Smith", "hopelessly-vague", message=("too_vague",
            "Your query is too general. Please state what you want to know about Mary Smith", "no_answer")),
        alone("How many scientists are there in department 45?",
              "SELECT COUNT(*) FROM employee WHERE job_title LIKE '%SCIENTIST%' AND department = 45", "wh-question",
              nl_input="how many scientists in department 45"),
    ), solution=("52000", "typed"), questionnaire={"easy": "yes", "comment": "Schön, “quick”"}),
    Sitting("e00-02", "2026-03-04", "wallet", (
        alone("what does josé vásquez earn – in dollars?", salary("JOSE", "VASQUEZ"), "wh-question",
              sro="what does josé vásquez !earn [<cough] in dollars"),
        after("and which city does he live in", "SELECT city FROM employee WHERE first_name = 'JOSE' AND "
              "last_name = 'VASQUEZ'", "1", (1, "text"), tags=("ungrammatical",)),
        alone("List the managers.", MANAGERS, other={"category": "X", "eval_class": "X", "tags": ["underspecified"]},
              ruled={"category": "0", "eval_class": "A", "tags": []}),
        after("Which of those are women?", f"{MANAGERS} AND sex = 'F'", "3", (1, "answer"), tags=("wh-question",)),
        after("which of them make more than 50000", f"{MANAGERS} AND sex = 'F' AND salary > 50000", "3",
              (1, "answer"), (2, "answer"), eval_class="D", tags=("wh-question",)),
        alone("Show me the female managers who make more than $50000. Do you know them?",
              f"{MANAGERS} AND sex = 'F' AND salary > 50000", "multi-sentence"),
        out("what is the difference of all salaries divided by seven squared", "arithmetic",
            sql="SELECT MAX(salary) - MIN(salary) FROM employee"),
        Said("Who lives in Arlington?", "SELECT employee_id FROM employee WHERE city = 'ARLINGTON'", "A", "X",
             ("testably-ambiguous", "wh-question"), readings=(
                 ("SELECT employee_id FROM employee WHERE city = 'ARLINGTON'", 2.0, "any"),
                 ("SELECT employee_id FROM employee WHERE city = 'ARLINGTON' AND state_code = 'TX'", 1.0, "any"),
                 ("SELECT employee_id FROM employee WHERE city = 'ARLINGTON' AND state_code = 'VA'", 1.0, "any")),
             reasons=("ambiguous",)),
        Said("Give me the employees who have three degrees and live on the moon",
             "SELECT employee_id FROM employee WHERE city = 'MOON'", "A", "X", ("presupposition-failure",),
             reasons=("presupposition_failure",)),
        out("ORIGIN DALLAS SALARY 50000 LIST", "ill-formed", message=UNABLE),
        alone("Who is the youngest employee?",
              "SELECT employee_id FROM employee WHERE birth_date = (SELECT MAX(birth_date) FROM employee)",
              first="SELECT MAX(birth_date) FROM employee", clipped=12),
    ), solution=("JOSE VASQUEZ", "spoken")),
    Sitting("0a1-01", "2026-03-05", "call-list", (
        alone("What is Sharon Lease's phone number?",
              "SELECT work_phone FROM employee WHERE first_name = 'SHARON' AND last_name = 'LEASE'", "wh-question"),
        after("Her home phone?", "SELECT home_phone FROM employee WHERE first_name = 'SHARON' AND "
              "last_name = 'LEASE'", "2", (1, "text"), tags=("ungrammatical",)),
        alone("List the home phone numbers of all the attorneys.",
              "SELECT DISTINCT home_phone FROM employee WHERE job_title = 'ATTORNEY'"),
        out("and their", "trunc-utt", sro="and their ~", sql="SELECT DISTINCT work_phone FROM employee "
            "WHERE job_title = 'ATTORNEY'", lost=True),
        after("and their addresses", "SELECT DISTINCT street FROM employee WHERE job_title = 'ATTORNEY'", "3",
              (2, "text"), eval_class="D1", tags=("ungrammatical",)),
        alone("this is quill speaking what is the name of department 45",
              "SELECT department_name FROM department WHERE department = 45", redact="quill",
              sro="this is *quill* speaking [noise/] what is the name [/noise] of department forty five"),
        out("yes the second one", "responding", message=UNABLE),
        out("what is the password of the system", "uncooperative", "unanswerable",
            message=("no_meta_information", "No information about the information itself is available", "no_answer")),
        alone("Which employees have no home phone?", "SELECT employee_id FROM employee WHERE home_phone IS NULL",
              "wh-question"),
        after("List the states", "SELECT DISTINCT state_code FROM employee WHERE home_phone IS NULL", "3",
              (1, "answer"), readings=(
                  ("SELECT DISTINCT state_code FROM employee WHERE home_phone IS NULL", 2.0, "with_context"),
                  ("SELECT DISTINCT state_code FROM employee", 1.0, "without_context"))),
        alone("Who lives in Oklahoma?", "SELECT employee_id FROM employee JOIN state USING (state_code) "
              "WHERE state_name = 'OKLAHOMA'", "wh-question"),
    ), consent="c-2026-2", wizards=("w2", "zwei/ö")),
    Sitting("0a1-02", "2026-03-09", "span", (
        alone("Which managers supervise more than 40 people?", "SELECT supervisor_id FROM employee WHERE "
              "supervisor_id IS NOT NULL GROUP BY supervisor_id HAVING COUNT(*) > 40", "wh-question"),
        after("What are their names?", "SELECT employee_id, last_name FROM employee WHERE employee_id IN "
              "(1184, 1931, 2217)", "3", (1, "answer"), tags=("wh-question",)),
        alone("How many people report to Seaborn?", "SELECT COUNT(*) FROM employee AS report JOIN employee AS boss "
              "ON report.supervisor_id = boss.employee_id WHERE boss.last_name = 'SEABORN'", cleared=True),
        after("What is Seaborn's salary, and that of her people?",
              "SELECT salary FROM employee WHERE last_name = 'SEABORN'", "1", (1, "text"), tags=("multi-sentence",)),
        out("What is the home address of the president's dog", "disallowed", message=no_information("dogs")),
        out("List the phone number of Richard Young at home", "bad-db", sql="SELECT home_phone FROM employee "
            "WHERE first_name = 'RICHARD' AND last_name = 'YOUNG'", reasons=("no_data",)),
        alone("Who has no supervisor?", "SELECT employee_id FROM employee WHERE supervisor_id IS NULL",
              "wh-question", first="SELECT employee_id FROM employee WHERE supervisor_id = 1103"),
        out("show me", "underspecified", message=UNABLE, other={"tags": ["trunc-utt"], "category": "X",
            "eval_class": "X"}, ruled={"tags": ["underspecified"]}),
        alone('list the "programmers" (all of them), 50 % or more; please', "SELECT employee_id FROM employee WHERE "
              "job_title LIKE '%PROGRAMMER%'", site_tags=("odd-signs",)),
        alone("who lives in " + ", or in ".join(["Plano", "Irving", "Mesquite", "Durant"] * 8) + " then",
              "SELECT employee_id FROM employee WHERE city IN ('PLANO', 'IRVING', 'MESQUITE', 'DURANT')"),
        Said("who lives in münchen or 北京", None, None, None, message=no_information("münchen 🙂"), annotated=False),
    ), consent="c-2026-2"),
    Sitting("zz9-01", "2026-03-10", "neighbour", (
        alone("How many women work here?", "SELECT COUNT(*) FROM employee WHERE sex = 'F'"),
        alone("Does Sharon Lease work in department 10?", "SELECT COUNT(*) > 0 FROM employee WHERE "
              "first_name = 'SHARON' AND last_name = 'LEASE' AND department = 10", "yes/no", yes_no=True),
        after("And Paul Hayes?", "SELECT COUNT(*) > 0 FROM employee WHERE first_name = 'PAUL' AND "
              "last_name = 'HAYES' AND department = 10", "2", (1, "text"), tags=("yes/no",), yes_no=True),
        alone("How many scientists are there?", SCIENTISTS, "wh-question"),
        after("How many of them are women?", f"{SCIENTISTS} AND sex = 'F'", "1", (1, "text")),
        after("How many are men?", f"{SCIENTISTS} AND sex = 'M'", "3", (2, "text"), eval_class="D"),
        alone("What percentage of the scientists are women?", "SELECT ROUND(SUM(CASE WHEN sex = 'F' THEN 1 ELSE 0 END)"
              " / COUNT(*), 4) FROM employee WHERE job_title LIKE '%SCIENTIST%'", "wh-question"),
        out("sort them by name", "unanswerable", message=UNABLE, reasons=("sorting",)),
        alone("What is the average salary of people with a PhD?", "SELECT AVG(salary) FROM employee WHERE employee_id "
              "IN (SELECT employee_id FROM degree WHERE degree = 'PHD')", "wh-question"),
        alone("Who earns more than his or her supervisor?", "SELECT employee.employee_id FROM employee JOIN employee "
              "AS boss ON boss.employee_id = employee.supervisor_id WHERE employee.salary > boss.salary"),
        out("what can you do", "unanswerable", message=("no_meta_information",
            "No information about the information itself is available", "no_answer")),
    ), consent="", solution=("NOTHING", "typed")),
    Sitting("m10-01", "2026-03-11", "visitor", (
        alone("How many departments does each division have?", "SELECT division, COUNT(*) FROM department "
              "GROUP BY division"),
        alone("Which departments have fewer than 10 employees?", "SELECT department FROM employee GROUP BY department "
              "HAVING COUNT(*) < 10", "wh-question"),
        after("What are they called?", "SELECT department, department_name FROM department WHERE department IN "
              "(10, 12, 13)", "3", (1, "answer")),
        alone("Who has a birthday in October in department 11?", "SELECT employee_id FROM employee WHERE "
              "department = 11 AND MONTH(birth_date) = 10"),
        alone("When was Martha Nash born?", "SELECT birth_date FROM employee WHERE first_name = 'MARTHA' AND "
              "last_name = 'NASH'", "wh-question"),
        out("thank you", "unanswerable", message=("not_understood", "Your query was not understood. Please put it in "
            "other words", "no_answer")),
        Said("Is Mary Smith a manager?", "SELECT COUNT(*) > 0 FROM employee WHERE first_name = 'MARY' AND "
             "last_name = 'SMITH' AND employee_id IN (SELECT supervisor_id FROM employee)", None, None,
             yes_no=True, annotated=False),
        Said("What is the payroll of the operations division?", "SELECT SUM(salary) FROM employee JOIN department "
             "USING (department) JOIN division USING (division) WHERE division_name = 'OPERATIONS'", annotated=False),
        Said("Which major is most common", "SELECT major_code FROM degree GROUP BY major_code HAVING COUNT(*) >= ALL "
             "(SELECT COUNT(*) FROM degree GROUP BY major_code)", annotated=False),
        Said("Show me all the divisions.", "SELECT division FROM division", annotated=False),
        Said("and one more thing", None, open=True, annotated=False),
    ), wizards=("w2",), closed=False, rule_book=1989),
    Sitting("p00-01", "2026-02-27", "team", (
        alone("Show me a list of all the departments.", "SELECT department FROM department"),
        alone("Count the people in department 43.", "SELECT COUNT(*) FROM employee WHERE department = 43"),
    ), consent="trial", pilot=True),
)  # fmt: skip


def statements() -> list[tuple[str, bool]]:
    """Every statement that is sent or is a reading, with whether it answers a yes/no question; each once."""
    found: dict[str, bool] = {}
    for sitting in SITTINGS:
        for said in sitting.turns:
            for sql in (said.sql, said.first, *(reading[0] for reading in said.readings)):
                if sql is not None:
                    found[sql] = said.yes_no
    return list(found.items())
