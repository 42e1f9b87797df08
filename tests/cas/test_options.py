"""Order, duplicates, absolute tolerance, case and numbers in text: what benchmarks of SQL ask beside the CAS."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import groupby, permutations
from typing import Any

import pytest

from curtain.cas import CasError, Options, RowRule, compare, from_rows

Rows = list[tuple[Any, ...]]
MULTISET, ORDERED = Options(RowRule.MULTISET), Options(RowRule.ORDERED)
# Neighbours are within the tolerance, the first and the last are not.
_A, _B, _C = 1.0, 1.00009, 1.00018
TIED = Options(RowRule.ORDERED, ties=[9, 9, 5, 9])


@pytest.mark.parametrize(
    ("options", "hypothesis", "reference", "right"),
    [
        (Options(), [(1,), (1,), (2,)], [(1,), (2,), (2,)], True),
        (MULTISET, [(1,), (1,), (2,)], [(1,), (2,), (2,)], False),
        (MULTISET, [(1,), (1,)], [(1,)], False),
        (MULTISET, [(2, "x"), (1, "y"), (1, "y")], [("y", 1), ("y", 1), ("x", 2)], True),
        (MULTISET, [("a", "b", 7), ("a", "b", 8)], [("b", "a"), ("b", "a")], True),
        (MULTISET, [(1.00005,), (0.99995,)], [(1.0,), (1.0,)], True),
        (MULTISET, [(1.0, 5.0), (2.0, 5.0)], [(1.0, 5.0), (1.0, 5.0)], False),
        # Each column pairs off and each row has a partner, but two rows of the reference have only the first one.
        (MULTISET, [(_B, _B), (_A, _C), (_C, _A)], [(_A, _A), (_C, _C), (_B, _B)], False),
        (MULTISET, [(_B, _B), (_A, _B), (_C, _C)], [(_A, _A), (_C, _C), (_B, _B)], True),
        (ORDERED, [(1,), (2,)], [(2,), (1,)], False),
        (ORDERED, [("x", 1), ("y", 2)], [(1, "x"), (2, "y")], True),
        (ORDERED, [(1.00001,), (2.0,)], [(1.0,), (2.0,)], True),
        (TIED, [("b",), ("a",), ("c",), ("d",)], [("a",), ("b",), ("c",), ("d",)], True),
        (TIED, [("d",), ("b",), ("c",), ("a",)], [("a",), ("b",), ("c",), ("d",)], False),
        (Options(absolute="0.5"), [(3.4,)], [(3.0,)], True),
        (Options(absolute="0.5"), [(3.51,)], [(3.0,)], False),
        (Options(absolute="0.5"), [(3,)], [(4,)], False),
        (Options(absolute=0.01), [(0.005, "a"), (7.0, "b")], [("a", 0.0), ("b", 7.0)], True),
        (Options(ignore_case=True), [("Tai",)], [("TAI",)], True),
        (Options(), [("Tai",)], [("TAI",)], False),
        (Options(text_numbers=True), [("0920",), ("7",)], [(920,), (7,)], True),
        (Options(text_numbers=True), [("5.0",), ("x",)], [(5,), ("x",)], True),
        (Options(text_numbers=True), [("seven",)], [(7,)], False),
        (Options(RowRule.MULTISET, ignore_case=True, text_numbers=True), [("A", "1")] * 2, [(1, "a")] * 2, True),
    ],
)
def test_an_option_changes_its_own_rule(options: Options, hypothesis: Rows, reference: Rows, right: bool) -> None:
    assert bool(compare(from_rows(hypothesis), from_rows(reference), options=options)) == right


def test_the_reason_names_duplicates_and_order() -> None:
    def reason(hypothesis: Rows, reference: Rows, options: Options) -> str:
        return compare(from_rows(hypothesis), from_rows(reference), options=options).reason

    assert reason([(1,)], [(1,), (1,)], MULTISET) == "1 rows, the reference has 2"
    assert reason([(1,), (1,), (2,)], [(1,), (2,), (2,)], MULTISET) == (
        "the same rows, but not each of them as often as in the reference"
    )
    assert reason([(1,), (2,)], [(2,), (1,)], ORDERED) == "the same rows, but not in the order of the reference"
    assert reason([(1,), (3,)], [(2,), (1,)], ORDERED) == "row missing: (2); row too many: (3)"


def test_options_that_cannot_be_meant_are_refused() -> None:
    for options, maximum in (
        (Options(RowRule.ORDERED, ties=[1]), None),
        (Options(absolute="-1"), None),
        (Options(absolute="nan"), None),
        (Options(absolute="0.1"), "((1))"),
    ):
        with pytest.raises(CasError):
            compare("((1) (2))", "((1) (2))", maximum, options=options)


def test_ten_thousand_rows_of_reals_are_decided() -> None:
    dice = random.Random(7)
    rows = [(dice.random() * 100, round(dice.random(), 1), dice.random()) for _ in range(10_000)]
    shuffled = [(c, a * 1.00001, b) for a, b, c in dice.sample(rows, len(rows))]
    off = [(c, a, b) for a, b, c in rows[1:]] + [(rows[0][2], rows[1][0] + 1, rows[0][1])]
    assert compare(from_rows(shuffled), from_rows(rows), options=MULTISET)
    assert compare(from_rows(off), from_rows(rows), options=MULTISET).outcome == "incorrect"


def test_random_tables_get_the_verdict_of_the_definition() -> None:
    dice = random.Random(27)
    outcomes = set()
    for _ in range(4_000):
        values = dice.choice([[1, 2], ["a", "b"], [1.0, 1.00009, 1.00017, 2], [0.0, 0.04, 0.09, 1], [None, 1.0, 1]])
        width, height = dice.randint(1, 3), dice.randint(1, 4)
        reference = [tuple(dice.choice(values) for _ in range(width)) for _ in range(height)]
        hypothesis = _variant(dice, reference, values)
        ties = sorted(dice.choice("xyz") for _ in range(height))
        options = dice.choice([MULTISET, ORDERED, Options(RowRule.ORDERED, ties), Options(absolute="0.05")])
        verdict = compare(from_rows(hypothesis), from_rows(reference), options=options)
        assert bool(verdict) == _by_definition(hypothesis, reference, options), (hypothesis, reference, options)
        outcomes.add((verdict.outcome, options.rows))
    assert len(outcomes) == 6


def _variant(dice: random.Random, reference: Rows, values: list[Any]) -> Rows:
    """The reference with its columns, perhaps its rows and perhaps a value changed, and perhaps another column."""
    order = dice.sample(range(len(reference[0])), len(reference[0]))
    extra = dice.random() < 0.3
    rows = [(*(row[i] for i in order), *([dice.choice(values)] if extra else [])) for row in reference]
    if dice.random() < 0.5:
        dice.shuffle(rows)
    if dice.random() < 0.6:
        row = dice.randrange(len(rows))
        rows[row] = (dice.choice(values), *rows[row][1:])
    return rows


def _by_definition(hypothesis: Rows, reference: Rows, options: Options) -> bool:
    if options.rows is not RowRule.SET and len(hypothesis) != len(reference):
        return False
    return any(
        _rows_fit([tuple(row[i] for i in mapping) for row in hypothesis], reference, options)
        for mapping in permutations(range(len(hypothesis[0])), len(reference[0]))
    )


def _rows_fit(shown: Rows, reference: Rows, options: Options) -> bool:
    def close(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        return all(_close(a, b, Decimal(options.absolute)) for a, b in zip(row, other, strict=True))

    if options.rows is RowRule.SET:
        return all(any(close(row, other) for row in shown) for other in reference) and all(
            any(close(row, other) for other in reference) for row in shown
        )
    ties = options.ties or (range(len(reference)) if options.rows is RowRule.ORDERED else [0] * len(reference))
    places = [[row for row, _ in group] for _, group in groupby(enumerate(ties), key=lambda pair: pair[1])]
    return all(
        any(all(close(shown[i], reference[j]) for i, j in zip(p, rows, strict=True)) for p in permutations(rows))
        for rows in places
    )


def _close(shown: Any, wanted: Any, absolute: Decimal) -> bool:
    if isinstance(shown, str) or isinstance(wanted, str) or None in (shown, wanted):
        return bool(shown == wanted)
    if isinstance(shown, int) and isinstance(wanted, int):
        return shown == wanted
    shown, wanted = Decimal(repr(shown)), Decimal(repr(wanted))
    return abs(shown - wanted) <= max(Decimal("0.0001") * abs(wanted), absolute)
