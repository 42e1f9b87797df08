"""The Comparator against the rules taken literally: 20,000 random questions, and tables whose columns look alike."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from curtain.cas import Relation, compare

from . import literal
from .relations import literal_table, question, relation

EPSILON = Fraction(1, 10_000)
PARTS = 10
QUESTIONS = 2_000


@pytest.mark.parametrize("part", range(PARTS))
def test_the_comparator_agrees_with_the_literal_rules(part: int):
    for seed in range(part * QUESTIONS, (part + 1) * QUESTIONS):
        reference, hypothesis, maximum = question(Random(seed))
        wanted = literal.is_right(
            literal_table(hypothesis),
            literal_table(reference),
            None if maximum is None else literal_table(maximum),
            EPSILON,
        )
        verdict = compare(relation(hypothesis), relation(reference), None if maximum is None else relation(maximum))
        assert verdict.outcome == ("correct" if wanted else "incorrect"), (seed, verdict)


ALIKE = (("0", "1"), ("0", "1", "NIL"), ('"A"', '"B"', '"C"'), ('"A"', '"B"', '"C"', '"D"', '"E"'))


@pytest.mark.parametrize("part", range(4))
def test_the_comparator_agrees_where_nothing_tells_columns_apart(part: int):
    for seed in range(part * 200, (part + 1) * 200):
        reference, hypothesis = _alike(Random(seed))
        verdict = compare(relation(hypothesis), relation(reference))
        assert verdict.outcome == ("correct" if _shown(hypothesis, reference) else "incorrect"), (seed, verdict)


@pytest.mark.parametrize("limit", [0, 100, 1_000, 10_000, 100_000])
def test_a_limit_on_work_ends_in_the_right_verdict_or_in_undecided(limit: int):
    outcomes = set()
    for seed in range(150):
        reference, hypothesis = _alike(Random(seed))
        verdict = compare(relation(hypothesis), relation(reference), limit=limit)
        right = "correct" if _shown(hypothesis, reference) else "incorrect"
        assert verdict.outcome in (right, "undecided"), (seed, verdict)
        outcomes.add(verdict.outcome)
    assert ("undecided" in outcomes) == (limit < 100_000)


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


def test_the_same_tables_as_relations_and_as_rows_differ_in_nothing():
    one = Relation((("1", "2"), ('"a"', '"b"')))
    assert compare(one, relation([["2", '"b"'], ["1", '"a"']])).is_correct
