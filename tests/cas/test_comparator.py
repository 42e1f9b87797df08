"""The Comparator as a function: what it is given, what it says, what it refuses."""

import os
import pickle
import subprocess
import sys
from decimal import Decimal
from random import Random

import pytest

from curtain.cas import CasError, Relation, Scalar, Verdict, compare, from_rows, parse


def test_answers_may_be_texts_or_values():
    table = from_rows([(4456, "TAI", "PAUL")])
    assert compare(table, '((4456 "TAI"))') == compare('((4456 "TAI" "PAUL"))', from_rows([(4456, "TAI")]))
    assert compare(Scalar("5"), Relation((("5",),))) == Verdict("correct")


@pytest.mark.parametrize("epsilon", ["0.01", Decimal("0.01"), 0.01])
def test_the_tolerance_may_be_text_decimal_or_float(epsilon: object):
    assert compare("101", "100.0", epsilon=epsilon).is_correct
    assert not compare("101.0001", "100.0", epsilon=epsilon).is_correct


@pytest.mark.parametrize("epsilon", ["-0.1", "much", "NaN", "Infinity", "1", "2", f"0.{'0' * 31}1"])
def test_the_bounds_of_the_tolerance_are_those_of_the_command(epsilon: str):
    with pytest.raises(CasError, match="no number from 0 to 1"):
        compare("1", "1.0", epsilon=epsilon)


def test_a_verdict_is_true_only_if_it_is_correct():
    assert compare("1", "1")
    assert not any(Verdict(outcome) for outcome in ("incorrect", "no_answer", "malformed", "undecided"))


def test_none_is_no_answer_as_a_missing_answer_of_a_file_is():
    assert compare(None, "1").outcome == "no_answer"


def test_shuffled_reals_that_agree_exactly_are_decided_however_close_they_lie():
    random = Random(7)
    rows = [(1000 + random.random() / 10, 1000 + random.random() / 10) for _ in range(10_000)]
    swapped = [(second, first) for first, second in random.sample(rows, len(rows))]
    assert compare(from_rows(swapped), from_rows(rows)).outcome == "correct"
    wider = from_rows([(*row, number) for number, row in enumerate(rows)])
    assert compare(from_rows(swapped), from_rows(rows), wider).outcome == "correct"


@pytest.mark.parametrize(
    ("hypothesis", "reference", "maximum", "outcome"),
    [
        ("((101))", "((true))", '((101 "A"))', "correct"), ("((999))", "((true))", '((101 "A"))', "incorrect"),
        ("((true))", '((101 "A"))', '((101 "A" 7))', "correct"), ("((true))", '((101 "A"))', "()", "incorrect"),
        ("((true))", '((101 "A"))', "((false))", "incorrect"), ("()", "((false))", "()", "correct"),
        ("((101))", "((true))", "((true))", "correct"), ("((101))", "((true))", "((false))", "incorrect"),
    ],
)  # fmt: skip
def test_a_maximum_counts_for_yes_no_questions_of_1990(hypothesis: str, reference: str, maximum: str, outcome: str):
    assert compare(hypothesis, reference, maximum, dialect="1990", yes_no=True).outcome == outcome


@pytest.mark.parametrize("text", ["\ufeff((1 2))", "((1\u00a02))", "\u00a0((1 2))\u00a0", "((1\u00a0\u00a02))"])
def test_marks_that_editors_leave_are_no_part_of_an_answer(text: str):
    assert parse(text) == parse("((1 2))")


def test_a_no_break_space_in_quotes_stays():
    assert parse('(("a\u00a0b"\u00a01))') == Relation((('"a\u00a0b"',), ("1",)))


def test_the_reason_names_the_row_in_the_middle_of_a_large_table():
    reference = [(number, f"N{number}", number * 1.5) for number in range(3_000)]
    hypothesis = [(price, name, number) for number, name, price in reversed(reference)]
    hypothesis[700] = (hypothesis[700][0] * 1.001, *hypothesis[700][1:])
    verdict = compare(from_rows(hypothesis), from_rows(reference))
    assert verdict.outcome == "incorrect"
    assert "(2299 " in verdict.reason or " 2299)" in verdict.reason


def test_a_missing_pairing_of_maxima_is_refused():
    with pytest.raises(CasError, match="Alternatives go in pairs, but the reference has 2 and the maximum has 1"):
        compare("1", "(1 OR 2)", "1")
    with pytest.raises(CasError, match="NO_ANSWER"):
        compare("1", "(1 OR 2)", "(1 OR NO_ANSWER)")


ALONE = """
import sys
from curtain.cas import compare, from_rows, from_table, parse, write
assert compare(write(from_rows([(1, "a")])), '((1 "a" ))').is_correct
heavy = {"numpy", "duckdb", "PySide6", "sounddevice", "sqlglot", "pandas", "pyarrow", "msgspec"}
print(sorted(heavy & set(sys.modules)))
"""


def test_the_room_stands_alone():
    run = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_importing_takes_at_most_twice_as_long_as_what_it_stands_on():
    floor = "import re, decimal, dataclasses"
    room, names = "import curtain.cas", "from curtain.cas import compare, parse, write"
    # In turn, so that a machine that is busy for a while is so for each of them.
    rounds = [[import_time(statement) for statement in (floor, room, names)] for _ in range(7)]
    least, of_room, of_names = (min(times) for times in zip(*rounds, strict=True))
    assert of_room <= 2 * least
    assert of_names <= 2.5 * least


def import_time(statement: str) -> float:
    """The time of the processor that a statement takes in a new interpreter."""
    code = f"import time; start = time.process_time(); {statement}; print(time.process_time() - start)"
    # Where no bytecode may be kept, compiling would be measured, not importing.
    keeping = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=keeping).stdout)


def test_a_reason_is_the_same_whenever_it_is_asked_for_and_travels_to_another_process() -> None:
    verdict = compare("((1 a) (2 b))", "((1 a) (2 c))")
    there = pickle.loads(pickle.dumps(verdict))
    assert there == verdict
    assert there.reason == verdict.reason == verdict.reason != ""


def test_verdicts_of_the_same_outcome_and_reason_are_one_in_a_set() -> None:
    assert len({compare("((1))", "((2))"), compare("((1))", "((2))"), compare("((2))", "((2))")}) == 2


@pytest.mark.parametrize("moved", ["0", "0.00005", "0.0001"])
def test_many_rows_of_reals_that_are_near_each_other_find_partners_within_the_bound(moved: str):
    rng = Random(moved)
    rows = [tuple(1000 + Decimal(rng.randrange(40)) / 100 for _ in range(2)) for _ in range(300)]
    shown = [tuple(value * (1 + rng.choice((-1, 1)) * Decimal(moved)) for value in row) for row in rows]
    assert compare(from_rows(rng.sample(shown, 300)), from_rows(rows))
    shown[-1] = (shown[-1][0], Decimal("1000.6"))
    assert not compare(from_rows(rng.sample(shown, 300)), from_rows(rows))
