"""The dialect of our own: numbers with units, and answers that say what a question presupposes is not so."""

import pytest

from curtain.cas import CasError, Options, RowRule, compare, parse, units, write

FAILURES = ("contingent-failure", "necessary-failure")


def outcome(hypothesis: str, reference: str, maximum: str | None = None, options: Options | None = None) -> str:
    return compare(hypothesis, reference, maximum, dialect="curtain", options=options or Options()).outcome


@pytest.mark.parametrize(
    ("hypothesis", "reference", "right"),
    [
        # 001, appendix A: a weight in tons, metric tons, pounds.
        ("((5000[lb]))", "((5000[lb]))", True),
        ("((2267.96[kg]))", "((5000[lb]))", True),
        ("((2.26796[metric_ton]))", "((5000[lb]))", True),
        ("((2268.5[kg]))", "((5000[lb]))", False),
        ("2267.96[kg]", "((5000.0[lb]))", True),
        # In one unit, integers stay exact, and nothing is rounded.
        ("((100002[lb]))", "((100001[lb]))", False),
        ("((5[ft]))", "((5[lb]))", False),
        ("((5[USD]))", "((5[USD]))", True),
        ("((5[EUR]))", "((5[USD]))", False),
        # Columns find each other by what they measure.
        ("((5[lb] 5[ft]))", "((5[ft]))", True),
        ('((16.0934[km] "A" 5[lb]))', "((5[lb] 10[mile]))", True),
        ("((10[lb] 5[mile]))", "((5[lb] 10[mile]))", False),
        ("((1[kg] 7) (2[kg] 8))", "((8 2000[g]) (7 1000[g]))", True),
        ("((1[kg] 8) (2[kg] 7))", "((8 2000[g]) (7 1000[g]))", False),
        ("((NIL) (20[degC]))", "((68[degF]) (NIL))", True),
        # 000, 3.1: where one side has no unit, its numbers are in that of the domain.
        ("((5000))", "((5000[lb]))", True),
        ("((5000[lb]))", "((5000))", True),
        ("((2268))", "((5000[lb]))", False),
        # What no conversion in decimals reaches is a unit of its own.
        ("3[dB]", "3[dB]", True),
        ("3[dB]", "2[dimensionless]", False),
        ("1[ft**9999999]", "1[m**9999999]", False),
        # A unit is part of a number, not of a string.
        ('(("5[lb]"))', "((5[lb]))", False),
        ("(5[ft] OR ((1)))", "((1))", False),
    ],
)
def test_numbers_are_converted_within_a_dimension(hypothesis: str, reference: str, right: bool) -> None:
    pytest.importorskip("pint")
    assert (outcome(hypothesis, reference) == "correct") == right


def test_a_maximum_has_the_units_of_its_reference() -> None:
    pytest.importorskip("pint")
    assert outcome("((1000[g] 7))", "((1[kg]))", "((7 1[kg]))") == "correct"
    assert outcome("((1000[g] 7[s]))", "((1[kg]))", "((7 1[kg]))") == "incorrect"
    with pytest.raises(CasError, match="the maximum has none"):
        outcome("((1000[g]))", "((1[kg]))", "((1 7))")
    # A minimum may show nothing that has a unit, where the maximum does.
    assert outcome('(("A" 1000[g]))', '(("A"))', '(("A" 1[kg]))') == "correct"
    assert outcome('(("A" 1000))', '(("A"))', '(("A" 1[kg]))') == "incorrect"
    assert outcome('(("A"))', '(("A"))', '(("A" 1[kg]))') == "correct"
    assert outcome("()", "()", "((1[kg]))") == "correct"


def test_units_go_with_the_other_rules() -> None:
    pytest.importorskip("pint")
    rows = "((1[kg]) (2[kg]) (2[kg]))"
    for options, right in (
        (Options(sorted_by="1"), True),
        (Options(sorted_by="1 desc"), False),
        (Options(RowRule.MULTISET), False),
        (Options(RowRule.ORDERED), False),
        (Options(absolute="0.5"), True),
    ):
        assert (outcome(rows, "((2000.0[g]) (1000.0[g]))", options=options) == "correct") == right, options
    ties = Options(RowRule.ORDERED, ties=[1, 2])
    assert outcome("((1[kg]) (2[kg]))", "((1000[g]) (2000[g]))", options=ties) == "correct"


def test_without_pint_equal_units_agree_and_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    for cached in vars(units).values():
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    try:
        assert outcome("((5[lb]))", "((5[lb]))") == "correct"
        wrong = compare("((5[kg]))", "((11.0231[lb]))", dialect="curtain")
        assert wrong.outcome == "incorrect"
        assert wrong.reason.endswith("converted with pint only: install it with “pip install curtain-woz[units]”.")
    finally:
        for cached in vars(units).values():
            if hasattr(cached, "cache_clear"):
                cached.cache_clear()


def test_a_column_has_one_unit_and_the_papers_have_none() -> None:
    with pytest.raises(CasError, match="a number in lb as above in column 1, found a number in kg"):
        parse("((5[lb]) (5[kg]))", "curtain")
    answer = parse("((5.0[lb] x) (nil y))", "curtain")
    assert write(answer, "curtain") == '((5.0[lb] "x") (NIL "y"))'
    for hypothesis, reference, maximum, reason in (
        ("5[ft]", "5[lb]", None, "no column is in lb"),
        ("3[usds.]", "((5[s] 3[USD]))", None, "no column is in USD; “usds.” is written otherwise: did you mean “USD”?"),
        ("((5[lb] 3[s]))", "((5[lb] 3))", None, "no column is without a unit"),
        ("((5[lb] 4[lb]))", "5[lb]", "((5[lb] 3))", "column beyond the maximum: column 2, with [mass], 4"),
    ):
        assert compare(hypothesis, reference, maximum, dialect="curtain").reason == reason
    # What looks like a unit is never read as text.
    for slip in ("[ lb ]", "[\tlb]", " [lb]", "[lb].", "{lb}", "<lb>", ",000[lb]", " lb]", " NIL) (5[ lb ]"):
        assert "right before its unit, as in 5[lb]" in compare(f"((5{slip}))", "5[lb]", dialect="curtain").reason
    for dialect in ("1989", "1990", "1992"):
        with pytest.raises(CasError, match="a number with a unit cannot be written"):
            write(answer, dialect)
    for dialect in ("1989", "1990"):
        with pytest.raises(CasError):
            parse("((5[lb]))", dialect)
    assert parse("5[lb]", "1992") == parse('"5[lb]"', "1992")


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_to_refer_is_an_answer_of_its_own(failure: str) -> None:
    """000, section 3.3."""
    assert outcome(failure.upper(), failure) == "correct"
    assert write(parse(failure, "curtain"), "curtain") == failure
    others = ["()", "0", "NO", f'"{failure}"', f"(({failure}))", *(one for one in FAILURES if one != failure)]
    assert {outcome(other, failure) for other in others} == {"incorrect"}
    assert outcome(failure, "()") == "incorrect"
    assert compare("()", failure, dialect="curtain").reason == f"row missing: ({failure})"
    assert outcome(failure, f"(() OR {failure})") == "correct"
    # 1992 reads any word as a string; the others have no such word.
    assert parse(failure, "1992") == parse(f'"{failure}"', "1992")
    for dialect in ("1989", "1990"):
        with pytest.raises(CasError):
            parse(failure, dialect)
