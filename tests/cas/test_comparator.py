"""The Comparator as a function: what it is given, what it says, what it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from decimal import Decimal

import pytest

from curtain.cas import CasError, Relation, Scalar, Verdict, compare, from_rows


def test_answers_may_be_texts_or_values():
    table = from_rows([(4456, "TAI", "PAUL")])
    assert compare(table, '((4456 "TAI"))') == compare('((4456 "TAI" "PAUL"))', from_rows([(4456, "TAI")]))
    assert compare(Scalar("5"), Relation((("5",),))) == Verdict("correct")


@pytest.mark.parametrize("epsilon", ["0.01", Decimal("0.01"), 0.01])
def test_the_tolerance_may_be_text_decimal_or_float(epsilon: object):
    assert compare("101", "100.0", epsilon=epsilon).is_correct
    assert not compare("101.0001", "100.0", epsilon=epsilon).is_correct


@pytest.mark.parametrize("epsilon", ["-0.1", "much", "NaN", "Infinity"])
def test_a_tolerance_that_is_none_is_refused(epsilon: str):
    with pytest.raises(CasError, match="The tolerance is"):
        compare("1", "1.0", epsilon=epsilon)


def test_a_tolerance_of_everything_accepts_any_number():
    assert compare("-5", "100.0", epsilon="2").is_correct
    assert compare("((-5 1.0) (7 2.0))", "((1.5 6.0) (2.5 7.0))", epsilon="10").is_correct


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


def test_an_unknown_dialect_is_refused():
    with pytest.raises(CasError, match="no CAS dialect"):
        compare("1", "1", dialect="2024")


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
    rounds = [[import_time(statement) for statement in (floor, room, names)] for _ in range(9)]
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
