"""Which queries are literally yes/no questions (001, rule 2.11; 003, B.2.12)."""

import pytest

from curtain.domain.maximum.yes_no import is_yes_no


@pytest.mark.parametrize(
    "query",
    [
        "Are there any clerks who make over $50000?", "Does Sharon Lease work in department 10?",
        "is Mary Graham a scientist", "uh are there flights from Boston to Philly",
        "okay so do you have a flight that leaves before six", "Can I fly nonstop to Denver on Sunday?",
        "isn't there an earlier one", "Did Martha Nash join before Jose Vasquez?",
        "is there anybody who lives in Plano or Irving", "Have all the attorneys a home phone?",
        "Don’t any flights serve dinner?",
    ],
)  # fmt: skip
def test_a_query_that_begins_with_a_verb_is_a_yes_no_question(query: str) -> None:
    assert is_yes_no(query)


@pytest.mark.parametrize(
    "query",
    [
        "", "   ", "Which chief scientists make more than $70000?", "show me whether there are flights",
        "Can you show me the clerks?", "could you please list the flights to Denver",
        "uh would you uh tell me which airlines fly to Atlanta", "may I see the fares",
        "can we get the flights on Sunday", "do you know when the first flight leaves",
        "What's Sharon Lease's salary?", "is it a 727 or a 757", "How many people are there?",
        "I want to know if there is a flight", "no show me the other ones",
    ],
)  # fmt: skip
def test_an_order_or_another_question_is_none_however_polite(query: str) -> None:
    assert not is_yes_no(query)


def test_the_examples_of_the_personnel_pack_are_told_apart() -> None:
    from curtain.domain.pack.pack import load_pack

    examples = load_pack("personnel").examples()
    asked = {example.question for example in examples if is_yes_no(example.question)}
    truths = {example.question for example in examples if (example.answer or "").lower() in ("true", "false")}
    assert asked == truths
