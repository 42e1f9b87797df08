"""Questions with several readings: any, the preferred one, all."""

from fractions import Fraction

import pytest

from curtain.cas.errors import CasError
from curtain.cas.scoring.readings import ComparisonRules, Judgement, QuestionReading, judge, split
from curtain.cas.scoring.score import Excess

ANY = ComparisonRules()
ALL = ComparisonRules(all_readings=True)


def weighted(hypothesis: str) -> Judgement:
    """San Francisco alone is preferred; with Oakland it is worth half (papers/003, 7.2.2, distances made up)."""
    readings = [
        QuestionReading('(("SAN FRANCISCO" 13))', weight=Fraction(2)),
        QuestionReading('(("SAN FRANCISCO" 13) ("OAKLAND" 20))', weight=Fraction(1)),
    ]
    return judge(hypothesis, readings, ANY, weighted=True)


def test_the_preferred_reading_counts_1_and_another_its_share() -> None:
    assert weighted('(("SAN FRANCISCO" 13))').credit == 1
    assert weighted('(("OAKLAND" 20) ("SAN FRANCISCO" 13))').credit == Fraction(1, 2)


def test_what_matches_no_reading_is_wrong_with_the_reason_of_the_preferred_one() -> None:
    verdict = weighted('(("OAKLAND" 20))').verdict
    assert verdict.outcome == "incorrect"
    assert "SAN FRANCISCO" in verdict.reason


def test_alternatives_of_a_reference_are_split_with_their_maxima_and_weights() -> None:
    reading = QuestionReading('(1 OR (("AA")))', '(1 OR (("AA" 7)))')
    assert split(reading, "1992", [Fraction(1), Fraction(1, 4)]) == [
        QuestionReading("1", "1"),
        QuestionReading('(("AA"))', '(("AA" 7))', Fraction(1, 4)),
    ]


@pytest.mark.parametrize(
    ("reading", "weights", "said"),
    [
        (QuestionReading("(1 OR 2)"), [1], "2 alternatives, “weights” has 1"),
        (QuestionReading("(1 OR 2)", "3"), None, "2 alternatives, the maximum has 1"),
        (QuestionReading("(1"), None, "line 1"),
    ],
)
def test_alternatives_that_do_not_pair_are_one_sentence(
    reading: QuestionReading, weights: list[Fraction] | None, said: str
) -> None:
    with pytest.raises(CasError, match=said):
        split(reading, "1992", weights)


@pytest.mark.parametrize(
    ("hypothesis", "any_of_them", "all_of_them"),
    [
        # papers/000, 3.3: any reading is one test, all reasonable ones are the harder one.
        ('(("AA" 100))', "correct", "correct"),
        ('(("AA"))', "correct", "incorrect"),
        ("((100))", "correct", "incorrect"),
        ('(("AA" 7))', "correct", "incorrect"),
        ('(("UA" 7))', "incorrect", "incorrect"),
        ("NO_ANSWER", "no_answer", "no_answer"),
        ("((1", "malformed", "malformed"),
    ],
)
def test_any_reading_will_do_unless_all_are_asked_for(hypothesis: str, any_of_them: str, all_of_them: str) -> None:
    reading = QuestionReading('((("AA")) OR ((100)))')
    assert judge(hypothesis, [reading], ANY).verdict.outcome == any_of_them
    assert judge(hypothesis, [reading], ALL).verdict.outcome == all_of_them


@pytest.mark.parametrize("rules", [ComparisonRules("curtain"), ComparisonRules("curtain", all_readings=True)])
def test_alternatives_of_our_own_dialect_are_split(rules: ComparisonRules) -> None:
    reading = QuestionReading("(5[lb] OR 5.0[lb])")
    assert judge("5[lb]", [reading], rules).verdict.is_correct
    failures = QuestionReading("(contingent-failure OR 6[lb])")
    assert judge("6[lb]", split(failures, "curtain"), rules).verdict.is_correct != rules.all_readings


def test_a_missed_reading_is_named() -> None:
    assert judge('(("AA"))', [QuestionReading('((("AA")) OR ((100)))')], ALL).verdict.reason.startswith("reading 2: ")


def test_an_empty_and_a_yes_no_answer_are_marked_as_prone_to_luck() -> None:
    assert judge("()", [QuestionReading("()")], ANY).empty_match
    assert judge("YES", [QuestionReading("((TRUE))")], ANY).chance_prone
    assert judge("YES", [QuestionReading("((TRUE) (TRUE))")], ANY).chance_prone
    for hypothesis, reference in (("5", "5"), ("((1))", "(() OR ((1)))"), ("5", "(YES OR 5)")):
        plain = judge(hypothesis, [QuestionReading(reference)], ANY)
        assert not plain.empty_match and not plain.chance_prone


# papers/003, section 6: a system that prints this whenever it is asked about the flight.
EVERYTHING = '((101 "AA" 123 920 1015 "BOS" "CHI" "SNACK"))'
FLIGHT = '((101 "AA" 123 920 1015 "BOS" "CHI"))'


@pytest.mark.parametrize(
    ("hypothesis", "reference", "maximum", "excess"),
    [
        (EVERYTHING, "((101 1015))", None, (8, 6, None)),
        (EVERYTHING, "((101 1015))", FLIGHT, (8, 6, 1)),
        (FLIGHT, "((101 1015))", FLIGHT, (7, 5, 0)),
        ('((101 1015 "SNACK" 55.0))', "((101 1015))", FLIGHT, (4, 2, 2)),
        ("((101 1015))", "((101 1015))", FLIGHT, (2, 0, 0)),
        ("((101 1016))", "((101 1015))", FLIGHT, (2, 0, 1)),
        # Of several alternatives the one that leaves least; of those that are matched, if one is.
        ("((101 1015))", "(((101)) OR ((101 1015)))", None, (2, 0, None)),
        ("((101 7 8))", "(((999 1 2)) OR ((101)))", None, (3, 2, None)),
        # A value is the table with this one cell.
        ("((48 7))", "48", None, (2, 1, None)),
        ("((49 7))", "48", "48", (2, 1, 2)),
        # Nothing is shown, or a yes where a table would be as good.
        ("()", "((101))", FLIGHT, None),
        ("NO_ANSWER", "((101))", FLIGHT, None),
        ("((101", "((101))", FLIGHT, None),
        ("YES", "(TRUE OR ((101)))", None, None),
        ("((101))", "YES", None, None),
        ("48", "48", None, None),
    ],
)
def test_what_an_answer_shows_beyond_the_minimum_and_the_maximum_is_counted(
    hypothesis: str, reference: str, maximum: str | None, excess: tuple[int, int, int | None] | None
) -> None:
    judged = judge(hypothesis, [QuestionReading(reference, maximum)], ANY, with_excess=True)
    assert judged.excess == (excess and Excess(*excess))
    assert judge(hypothesis, [QuestionReading(reference, maximum)], ANY).excess is None


def test_an_unreadable_reference_is_reported_even_when_there_is_no_answer() -> None:
    with pytest.raises(CasError):
        judge(None, [QuestionReading("((1")], ANY)


@pytest.mark.parametrize("epsilon", ["1e999999999", "1e-999999999", "-0.1", "1", "NaN", "Infinity", "", "small"])
def test_a_tolerance_that_cannot_be_is_one_sentence(epsilon: str) -> None:
    with pytest.raises(CasError, match="tolerance"):
        ComparisonRules(epsilon=epsilon).check()


@pytest.mark.parametrize("rules", [ComparisonRules("1993"), ComparisonRules("")])
def test_a_dialect_that_there_is_not_is_one_sentence(rules: ComparisonRules) -> None:
    with pytest.raises(CasError, match="choose 1989, 1990, 1992 or curtain"):
        rules.check()
