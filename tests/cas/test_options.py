"""Order, duplicates, absolute tolerance, case and numbers in text: what benchmarks of SQL ask beside the CAS."""

import random
from typing import Any

import pytest

from curtain.cas import CasError, Options, RowRule, compare, from_rows

Rows = list[tuple[Any, ...]]
MULTISET, ORDERED = Options(RowRule.MULTISET), Options(RowRule.ORDERED)
TIED = Options(RowRule.ORDERED, ties=[9, 9, 5, 9])


# One case or two for each rule; `test_literal.py` draws the others.
@pytest.mark.parametrize(
    ("options", "hypothesis", "reference", "right"),
    [
        (Options(), [(1,), (1,), (2,)], [(1,), (2,), (2,)], True),
        (MULTISET, [(1,), (1,), (2,)], [(1,), (2,), (2,)], False),
        (MULTISET, [(2, "x"), (1, "y"), (1, "y")], [("y", 1), ("y", 1), ("x", 2)], True),
        (ORDERED, [(1,), (2,)], [(2,), (1,)], False),
        (TIED, [("b",), ("a",), ("c",), ("d",)], [("a",), ("b",), ("c",), ("d",)], True),
        (TIED, [("d",), ("b",), ("c",), ("a",)], [("a",), ("b",), ("c",), ("d",)], False),
        # Salaries, highest first: the order of the reference itself does not count, names may come with them.
        (Options(sorted_by="1 desc"), [("A", 3), ("C", 2), ("B", 2)], [(2,), (3,)], True),
        (Options(sorted_by="1 desc"), [("C", 2), ("A", 3), ("B", 2)], [(2,), (3,)], False),
        (
            Options(ORDERED.rows, sorted_by="2 desc, 1"),
            [("x", 2), ("y", 2), ("a", 1)],
            [("a", 1), ("y", 2), ("x", 2)],
            True,
        ),
        (Options(sorted_by="1"), [(9,), (None,), (10,)], [(10,), (None,), (9,)], False),
        # Near numbers take any order among themselves; what is farther away does not.
        (Options(sorted_by="1"), [(1000.01, "b"), (1000.0, "a"), (2000.0, "c")], [("a",), ("b",), ("c",)], False),
        (Options(sorted_by="3 desc"), [], [], True),
        (Options(absolute="0.5"), [(3.4,)], [(3.0,)], True),
        (Options(absolute="0.5"), [(3,)], [(4,)], False),
        (Options(ignore_case=True), [("Tai",)], [("TAI",)], True),
        (Options(text_numbers=True), [("0920",), ("7",)], [(920,), (7,)], True),
        (Options(text_numbers=True), [("1e999999999",)], [(7,)], False),
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
    assert reason([(1,), (2,)], [(2,), (1,)], Options(sorted_by="1 desc")) == (
        "the right rows, but not in the order asked for, 1 desc"
    )
    assert reason([(1,), (3,)], [(2,), (1,)], ORDERED) == "row missing: (2); row too many: (3)"


def test_options_that_cannot_be_meant_are_refused() -> None:
    for options, maximum in (
        (Options(RowRule.ORDERED, ties=[1]), None),
        (Options(absolute="-1"), None),
        *((Options(sorted_by=order), None) for order in ("2", "0", "1 up", "1, 1", "name", "1;")),
        (Options(absolute="nan"), None),
        (Options(absolute="0.1"), "((1))"),
    ):
        with pytest.raises(CasError):
            compare("((1) (2))", "((1) (2))", maximum, options=options)
    wrong: list[dict[str, Any]] = [{"rows": "sets"}, {"rows": None}, {"columns": "set"}]
    for named in wrong:
        with pytest.raises(CasError, match="There is no rule"):
            Options(**named)
    by_name: Any = {"rows": "set", "columns": "free", "sorted_by": 1}
    assert compare("((1) (1) (2))", "((2) (1))", options=Options(**by_name))


def test_ten_thousand_rows_of_reals_are_decided() -> None:
    dice = random.Random(7)
    rows = [(dice.random() * 100, round(dice.random(), 1), dice.random()) for _ in range(10_000)]
    shuffled = [(c, a * 1.00001, b) for a, b, c in dice.sample(rows, len(rows))]
    off = [(c, a, b) for a, b, c in rows[1:]] + [(rows[0][2], rows[1][0] + 1, rows[0][1])]
    assert compare(from_rows(shuffled), from_rows(rows), options=MULTISET)
    assert compare(from_rows(off), from_rows(rows), options=MULTISET).outcome == "incorrect"


@pytest.mark.parametrize("options", [MULTISET, Options(absolute="0.005"), Options(RowRule.ORDERED, ties=[0] * 100)])
def test_a_hundred_prices_in_the_wrong_rows_are_wrong(options: Options) -> None:
    dice = random.Random(3)
    rows = [(round(dice.uniform(1, 99), 2), number) for number in range(100)]
    prices = dice.sample([price for price, _ in rows], 100)
    shuffled = [(price, number) for price, (_, number) in zip(prices, rows, strict=True)]
    assert compare(from_rows(rows[::-1]), from_rows(rows), options=options)
    assert not compare(from_rows(shuffled), from_rows(rows), options=options)


def test_days_of_1989_are_in_order_by_the_calendar() -> None:
    """papers/000, S-2: such a string is a date."""
    days = '(("06-OCT-52") ("04-JUL-89") ("01-AUG-89"))'
    by_signs = '(("01-AUG-89") ("04-JUL-89") ("06-OCT-52"))'
    for dialect, right in (("1989", days), ("1992", by_signs)):
        outcomes = [
            bool(compare(one, days, dialect=dialect, options=Options(sorted_by="1"))) for one in (days, by_signs)
        ]
        assert outcomes == [right == days, right == by_signs]


@pytest.mark.parametrize(
    "options", [Options(), MULTISET, ORDERED, Options(absolute="0.01"), Options(sorted_by="1, 3 desc")]
)
def test_many_columns_of_an_ordinary_table_never_end_undecided(options: Options) -> None:
    dice = random.Random(5)
    kinds = (lambda: dice.randrange(2400), lambda: dice.choice("ABCD"), lambda: round(dice.random() * 1e4, 2))
    rows = [tuple(kinds[column % 3]() for column in range(20)) for _ in range(3_000)]
    order = dice.sample(range(20), 20)
    if options.sorted_by:
        rows.sort(key=lambda row: (row[0], -row[2]))
    other = rows if options is ORDERED or options.sorted_by else dice.sample(rows, len(rows))
    shuffled = [tuple(row[column] for column in order) for row in other]
    assert compare(from_rows(shuffled), from_rows(rows), options=options, limit=5_000_000).outcome == "correct"


@pytest.mark.parametrize(
    ("options", "outcomes"),
    [(Options(), {"correct"}), (Options(absolute="0.05"), {"correct"}), (MULTISET, {"correct", "undecided"})],
)
def test_reals_each_close_to_many_others_end_within_the_limit(options: Options, outcomes: set[str]) -> None:
    dice = random.Random(5)
    rows = [[1000 + dice.randrange(4) * 6 / 100 for _ in range(20)] for _ in range(10)]
    order = dice.sample(range(20), 20)
    near = [tuple(round(row[column] + dice.choice((-0.09, 0, 0.09)), 2) for column in order) for row in reversed(rows)]
    assert compare(from_rows(near), from_rows(rows), options=options, limit=3_000_000).outcome in outcomes


def test_many_columns_that_may_stand_in_a_column_of_several_types_share_one_limit() -> None:
    dice = random.Random(20)
    shown = [[dice.choice((1.5, 2.5, 3.5, 4.5)) for _ in range(20)] for _ in range(6)]
    allowed = [[dice.choice((1.5, 2.5, 3.5, 4.5)) for _ in range(20)] for _ in range(18)]
    allowed += [[value] * 20 for value in (1.5, 2.5, 3.5, 4.5)] + [["x"] * 20]
    verdict = compare(from_rows(shown), from_rows([row[:1] for row in shown]), from_rows(allowed), limit=500_000)
    assert verdict.outcome == "undecided"
