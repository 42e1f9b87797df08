"""`curtain answer` on examples of the bundled packs: what it prints is what is stored."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from curtain.cas import Alternatives, compare, parse
from curtain.commands.cli import app
from curtain.domain.pack.pack import PackExample, bundled_packs, load_pack

EVERY = 1000


def some(examples: tuple[PackExample, ...]) -> list[PackExample]:
    """A few of all kinds; the others are run without the command."""
    yes_no = [one for one in examples if one.yes_no][:1]
    of_other_years = [one for one in examples if one.rule_book][-1:]
    return [*examples[::EVERY], *yes_no, *of_other_years]


CASES = [(name, example) for name in bundled_packs() for example in some(load_pack(name).examples())]


def answer(domain: str, sql: str, *more: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["answer", "--domain", domain, "--sql", sql, "--json", *more])
    assert done.exit_code == 0, done.output
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


@pytest.mark.parametrize(("domain", "example"), CASES, ids=lambda one: getattr(one, "question", one))
def test_the_printed_answer_is_the_stored_one(domain: str, example: PackExample) -> None:
    dialect = load_pack(domain).dialect
    year = ["--rule-book", str(example.rule_book)] if example.rule_book else []
    printed = answer(domain, example.sql, *(["--yes-no"] if example.yes_no else []), *year)
    found = parse(printed["cas_min"], dialect)
    for form in found.answers if isinstance(found, Alternatives) else (found,):
        assert compare(form, example.answer or "", dialect=dialect).is_correct
    assert printed["cas_max"] is not None
    assert printed["sql_max"]


def test_a_yes_no_question_is_answered_as_the_rule_book_says() -> None:
    sql = "SELECT airline_code FROM airline WHERE airline_code = 'DL'"
    assert answer("atis", sql, "--yes-no")["cas_min"] == '(TRUE OR (("DL")))'
    assert answer("atis", sql, "--yes-no", "--rule-book", "1990")["cas_min"] == "TRUE"
    assert answer("personnel", "SELECT 1 WHERE 1 = 2", "--yes-no")["cas_min"] == "FALSE"


@pytest.mark.parametrize(
    ("sql", "more", "printed_text"),
    [
        ("SELECT employee_id FROM employee LIMIT 3", [], "LIMIT without ORDER BY"),
        ("SELECT salary > 9000 FROM employee", ["--yes-no"], "one yes is enough"),
        ("SELECT salary > 9000 FROM employee", [], ""),
    ],
)
def test_what_may_not_be_meant_is_reported_beside_the_answer(sql: str, more: list[str], printed_text: str) -> None:
    done = CliRunner().invoke(app, ["answer", "--domain", "personnel", "--sql", sql, "--json", *more])

    assert json.loads(done.stdout)["cas_min"]
    assert printed_text in done.stderr and bool(done.stderr) == bool(printed_text)


def test_a_cell_with_a_nul_is_named() -> None:
    shown = "This answer cannot be written down: row 1, column 2: a string with a NUL character "
    assert answer("personnel", "SELECT 1, 'a' || chr(0)")["cas_error"].startswith(shown)


def test_a_flight_may_be_told_with_the_cities_and_airports_of_both_ends() -> None:
    printed = answer("atis", "SELECT flight_id FROM flight WHERE flight_id = 101716")
    shown = '((101716 "BOSTON" "DENVER" "LOGAN INTERNATIONAL" "STAPLETON INTERNATIONAL"))'
    assert compare(shown, printed["cas_min"], printed["cas_max"]).is_correct
    assert not compare('((101716 "DENVER" "ATLANTA"))', printed["cas_min"], printed["cas_max"]).is_correct
