"""The personnel pack's own examples: asked word for word they are answered as they are; asked the other way round they
are no ground to be sure."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import load_pack
from curtain.drafting.drafter.local import LocalDrafter, hub_of
from curtain.drafting.query.opposites import denies_anything
from curtain.drafting.query.words import words_of
from curtain.drafting.sql.kernels import skeleton
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.values import Example, Request


def test_examples_asked_again_are_answered_as_they_are(personnel: LocalDrafter) -> None:
    pack = load_pack("personnel")
    examples = pack.examples()
    parser = Parser(pack.tables, hub_of(pack, [Example(one.question, one.sql) for one in examples]), pack.keys.primary)
    other = [one.question for one in examples if not is_answered(personnel, parser, one.question, one.sql)]
    assert len(other) <= len(examples) // 50, other
    assert not [question for question in other if denies_anything(words_of(question))]


def is_answered(drafter: LocalDrafter, parser: Parser, question: str, sql: str) -> bool:
    drafts = drafter.drafts(Request(question))
    one, two = (parser.parse(written) for written in (drafts[0].sql if drafts else "", sql))
    return one is not None and two is not None and skeleton(one) == skeleton(two)


def test_other_values_take_the_places_of_the_examples(personnel: LocalDrafter) -> None:
    found = personnel.drafts(Request("List the degrees of Martha Nash, Sharon Lease, and Jose Vasquez."))[0].sql
    for first, last in (("MARTHA", "NASH"), ("SHARON", "LEASE"), ("JOSE", "VASQUEZ")):
        assert f"first_name = '{first}' AND last_name = '{last}'" in found


@pytest.mark.parametrize(
    "question",
    [
        "who earns less than his or her supervisor",
        "which employees have two degrees from different schools",
    ],
)
def test_the_contrary_of_an_example_is_never_sure(personnel: LocalDrafter, question: str) -> None:
    assert all(draft.confidence < 0.5 for draft in personnel.drafts(Request(question)))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("did martha nash join after jose vasquez", "hire_date > (SELECT MAX("),
        (
            "list the employees whose job title is supervisor and who are managers",
            "= 'SUPERVISOR' AND employee_id IN (SELECT supervisor_id",
        ),
        ("list the employees whose job title is supervisor", "WHERE job_title = 'SUPERVISOR'"),
    ],
)
def test_the_contrary_of_an_example_is_put_together_from_the_schema(
    personnel: LocalDrafter, question: str, said: str
) -> None:
    first, *rest = personnel.drafts(Request(question))
    assert said in first.sql
    assert all(draft.confidence < 0.5 for draft in rest)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many people aren't engineers", "NOT LIKE '%ENGINEER%'"),
        ("who in department 45 was not born before 1930", "employee.birth_date >= DATE '1930-01-01'"),
        ("how many employees don't have an mba", "FROM employee WHERE employee.employee_id NOT IN"),
        ("who was hired on 4 march 1985", "hire_date = CAST('1985-03-04' AS DATE)"),
    ],
)
def test_what_a_question_denies_or_compares_is_so(personnel: LocalDrafter, question: str, said: str) -> None:
    assert said in personnel.drafts(Request(question))[0].sql
