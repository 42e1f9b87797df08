"""The Comparator against the rules taken literally, for every combination of options, and where columns look alike."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations, product
from random import Random

import pytest

from curtain.cas import Alternatives, Options, Relation, RowRule, compare

from . import literal
from .relations import (
    MIXED_POOLS,
    ODD_POOLS,
    POOLS,
    TEXT_POOLS,
    Table,
    literal_table,
    nearly,
    permuted,
    question,
    relation,
)

PAIRS, MANY = 70, 20_000


@dataclass(frozen=True)
class Combination:
    """One choice of row rule, tolerance and strings; epsilon, dialect, alternatives and answers are drawn."""

    rows: str
    bound: str
    strings: str

    def draw(self, rng: Random) -> tuple[Table, list[Table], list[Table] | None, literal.Rules]:
        """A hypothesis, its references, their maxima, and the rules."""
        pools = (*POOLS, *ODD_POOLS, *MIXED_POOLS)
        if self.strings:
            pools += TEXT_POOLS
        reference, hypothesis, _ = question(rng, pools)
        if self.rows.startswith(("ordered", "sorted")) and rng.random() < 0.7:
            hypothesis = permuted(_nearly(reference, rng), rng, rows_too=rng.random() < 0.2)
        references = [reference]
        if rng.random() < 0.4:
            other = _nearly(reference, rng)
            other[0][0] = rng.choice(rng.choice(pools))
            references = rng.sample([reference, other], 2)
        maxima = [permuted(_wider(one, rng), rng) for one in references] if self.bound == "maximum" else None
        dialect = rng.choice(("1992", "1990", "1990 yes"))
        rules = literal.Rules(
            epsilon=rng.choice((Decimal("0.0001"),) * 8 + (Decimal(0), Decimal("0.6"))),
            absolute=Decimal(rng.choice(("0.05", "0.1", "2")) if self.bound == "absolute" else 0),
            rows=self.rows.removeprefix("sorted ").split()[0],
            keys=_keys(len(reference[0]), rng) if self.rows.startswith("sorted") else (),
            ties=[rng.choice("xy") for _ in reference] if self.rows == "ordered ties" else None,
            ignore_case="case" in self.strings,
            text_numbers="numbers" in self.strings,
            dialect=dialect.split()[0],
            yes_no="yes" in dialect,
        )  # fmt: skip
        return hypothesis, references, maxima, rules


def _keys(width: int, rng: Random) -> list[tuple[int, bool]]:
    return [(column, rng.random() < 0.5) for column in rng.sample(range(width), rng.randint(1, min(2, width)))]


def _nearly(table: Table, rng: Random) -> Table:
    return [[nearly(cell, rng) for cell in row] for row in table]


def _wider(table: Table, rng: Random) -> Table:
    pool = rng.choice(POOLS)
    rows = _nearly(table + table[: rng.randint(0, 1)], rng)
    return [[*row, rng.choice(pool)] for row in rows] if rng.random() < 0.7 else rows


ROWS = ("set", "multiset", "ordered", "ordered ties", "sorted set", "sorted multiset")
COMBINATIONS = [
    Combination(*chosen)
    for chosen in product(ROWS, ("share", "absolute", "maximum"), ("", "case", "numbers", "case numbers"))
]


def differences(combination: Combination, seeds: range) -> list[int]:
    """The seeds whose verdict is not the literal one."""
    return [seed for seed in seeds if not _agrees(combination, Random(f"{combination} {seed}"))]


def _agrees(combination: Combination, rng: Random) -> bool:
    hypothesis, references, maxima, rules = combination.draw(rng)
    options = Options(
        RowRule(rules.rows), rules.ties, rules.absolute, rules.ignore_case, rules.text_numbers,
        sorted_by=", ".join(f"{column + 1} {'desc' if down else 'asc'}" for column, down in rules.keys),
    )  # fmt: skip
    verdict = compare(
        relation(hypothesis), _answer(references), None if maxima is None else _answer(maxima), dialect=rules.dialect,
        epsilon=rules.epsilon, yes_no=rules.yes_no, options=options,
    )  # fmt: skip
    tables = [literal_table(one) for one in references]
    most = None if maxima is None else [literal_table(one) for one in maxima]
    wanted = literal.is_right(literal_table(hypothesis), tables, most, rules)
    return verdict.outcome == ("correct" if wanted else "incorrect")


def _answer(tables: list[Table]) -> Relation | Alternatives:
    return relation(tables[0]) if len(tables) == 1 else Alternatives(tuple(map(relation, tables)))


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("bound", ["share", "absolute", "maximum"])
def test_the_comparator_agrees_with_the_literal_rules(rows: str, bound: str):
    for combination in COMBINATIONS:
        if (combination.rows, combination.bound) == (rows, bound):
            assert differences(combination, range(PAIRS)) == [], combination


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(COMBINATIONS)))
def test_the_comparator_agrees_with_the_literal_rules_for_long(number: int):
    assert differences(COMBINATIONS[number], range(PAIRS, PAIRS + MANY)) == [], COMBINATIONS[number]


@pytest.mark.parametrize(
    ("hypothesis", "maximum", "right"),
    [
        ("1000.2 0", '1000.290018 0, NIL "c"', True),
        ("10001 10000.5", '10001 10000.0, "10000.5" 9999.0, "a" 9998.9999', True),
        ("5.0, 5.5, 5", '5, 5.5, "a"', True),
        ("5.0004", '5.0, "a"', False),
        ("1 0.5 NIL, 2 7.0 0.5", '1 0.5 NIL, 2 7 0.5, 3 "a" NIL', True),
        ("5.0 7.0004, 6.0 8.0", '5 7.0, 6 8.0, "a" 9.0', True),
        ("5.0 7.0004, 6.0 8.0", '5 7.0, 6 8.0, "a" "b"', False),
        ("1 7.0004, 2 8.0", '1 7.0, 2 8.0, 3 "b"', False),
        ("1 10000, 2 9", '1 10000.5, 2 9, 3 "b"', False),
        # A column of integers may go to the first, with a tolerance, or to the third.
        (
            "8 -9999 -9999, 8 -10000 -10001",
            '-9999 8 -9999.9999, -10001 8 -10000, 0 "a" TRUE, -9999 2 -9999, -9999.0 1 -10001',
            False,
        ),
    ],
)
def test_a_column_of_several_types_in_a_maximum_is_exact(hypothesis: str, maximum: str, right: bool):
    shown, most = ([line.split() for line in text.split(", ")] for text in (hypothesis, maximum))
    tables = literal_table(shown), [literal_table(shown)], [literal_table(most)]
    assert literal.is_right(*tables, literal.Rules()) == right
    assert compare(relation(shown), relation(shown), relation(most)).is_correct == right


ALIKE = (("0", "1"), ("0", "1", "NIL"), ('"A"', '"B"', '"C"'), ('"A"', '"B"', '"C"', '"D"', '"E"'))


@pytest.mark.parametrize("part", range(4))
def test_the_comparator_agrees_where_nothing_tells_columns_apart(part: int):
    for seed in range(part * 100, (part + 1) * 100):
        reference, hypothesis = _alike(Random(seed))
        verdict = compare(relation(hypothesis), relation(reference))
        assert verdict.outcome == ("correct" if _shown(hypothesis, reference) else "incorrect"), (seed, verdict)


def _joined(size: int, parts: int) -> list[list[str]]:
    """Edges between parts, each vertex and nothing, as rows of bits: is there a clique of so many vertices?"""
    sets = [*combinations(range(size), 2), *zip(range(size)), ()]
    kept = (one for one in sets if len(one) < 2 or one[0] % parts != one[1] % parts)
    return [[str(int(vertex in one)) for vertex in range(size)] for one in kept]


@pytest.mark.parametrize("family", ["clique", "bits"])
def test_what_is_hard_is_decided_within_the_limit(family: str):
    rng, reference, hypothesis = Random(0), _joined(10, 10), _joined(30, 9)
    if family == "bits":
        reference = [rng.choices("01", k=14) for _ in range(1_000)]
        hypothesis = [row + rng.choices("01", k=4) for row in reference for _ in range(2)]
        reference[0] = ["0"] * 14
    assert compare(relation(hypothesis), relation(reference)).outcome == "incorrect"


@pytest.mark.parametrize("limit", [0, 100, 1_000, 10_000, 100_000])
def test_a_limit_on_work_ends_in_the_right_verdict_or_in_undecided(limit: int):
    outcomes = set()
    for seed in range(150):
        reference, hypothesis = _alike(Random(seed))
        verdict = compare(relation(hypothesis), relation(reference), limit=limit)
        right = "correct" if _shown(hypothesis, reference) else "incorrect"
        assert verdict.outcome in (right, "undecided"), (seed, verdict)
        outcomes.add(verdict.outcome)
    assert ("undecided" in outcomes) == (limit < 10_000)


def _alike(rng: Random) -> tuple[list[list[str]], list[list[str]]]:
    """Columns of few values each; the hypothesis has up to two more, its rows once or several times."""
    width, extra, rows = rng.randint(3, 5), rng.choice((0, 1, 2)), rng.choice((3, 6, 12, 25, 40))
    pool = rng.choice(ALIKE)
    wide = [[rng.choice(pool) for _ in range(width + extra)] for _ in range(rows)]
    reference = [row[:width] for row in wide]
    if rng.random() < 0.5:
        wide = [
            row[:width] + [rng.choice(pool) for _ in range(extra)] for row in wide for _ in range(rng.randint(1, 3))
        ]
    if rng.random() < 0.6:
        reference[rng.randrange(rows)][rng.randrange(width)] = rng.choice(pool)
    order = rng.sample(range(width + extra), width + extra)
    return reference, [[row[column] for column in order] for row in wide]


def _shown(hypothesis: list[list[str]], reference: list[list[str]]) -> bool:
    """The literal rule for tables without reals."""
    columns, wanted = list(zip(*hypothesis, strict=True)), set(map(tuple, reference))
    mappings = permutations(range(len(columns)), len(reference[0]))
    return any(set(zip(*(columns[one] for one in mapping), strict=True)) == wanted for mapping in mappings)
