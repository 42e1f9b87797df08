"""A stated answer against the accepted wordings of a scenario."""

import pytest

from curtain.corpus.model.domains import Domains
from curtain.corpus.model.solutions import accepted_solutions, judged_solution

BOEING = ("Boeing 727", "727", "a Boeing seven twenty seven")


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("Boeing 727", "correct"),
        ("End scenario. The answer is BOEING 727.", "correct"),
        ("it is a boeing seven twenty seven, I think", "correct"),
        ("the 727!", "correct"),
        ("Boeing 7270", "incorrect"),
        ("Boeing 757", "incorrect"),
        ("Bo 7 27", "incorrect"),
        ("", "none"),
        ("   ", "none"),
        (None, "none"),
    ],
)
def test_a_statement_is_correct_if_it_holds_an_accepted_wording(stated, verdict):
    assert judged_solution(stated, BOEING) == verdict


def test_accents_and_thousands_commas_do_not_matter_and_decimals_do():
    assert judged_solution("José earns 52,000 dollars", ["Jose earns 52000"]) == "correct"
    assert judged_solution("36.87", ["36"]) == "incorrect"
    assert judged_solution("748, dinner", ["748, dinner"]) == "correct"


def test_without_an_accepted_wording_nobody_can_tell():
    assert judged_solution("Boeing 727", ()) is None


def test_the_packs_know_what_is_accepted():
    domains = Domains()
    assert "Sharon Lease" in accepted_solutions(domains, "personnel", "anniversary")
    assert accepted_solutions(domains, "personnel", "nothing-of-the-kind") == ()
    assert accepted_solutions(domains, "/no/such/pack", "anniversary") == ()
