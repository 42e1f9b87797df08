"""What must not change a verdict: the order of rows and columns, duplicates, columns within the maximum."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from curtain.cas import Relation, compare, write

from .relations import POOLS, Table, permuted, question, relation

randoms = st.integers(0, 2**32).map(Random)


def outcome(hypothesis: Table, reference: Table, maximum: Table | None = None) -> str:
    return compare(relation(hypothesis), relation(reference), None if maximum is None else relation(maximum)).outcome


@given(randoms)
def test_the_order_of_rows_and_columns_changes_nothing(rng: Random):
    reference, hypothesis, maximum = question(rng)
    before = outcome(hypothesis, reference, maximum)
    shuffled = None if maximum is None else permuted(maximum, rng)
    assert outcome(permuted(hypothesis, rng), permuted(reference, rng), shuffled) == before


@given(randoms)
def test_duplicate_rows_change_nothing(rng: Random):
    reference, hypothesis, maximum = question(rng)
    doubled = [[*hypothesis, rng.choice(hypothesis)], [*reference, rng.choice(reference)]]
    assert outcome(*doubled, maximum) == outcome(hypothesis, reference, maximum)


@given(randoms)
def test_more_columns_never_make_a_right_answer_wrong_without_a_maximum(rng: Random):
    reference, hypothesis, _ = question(rng)
    pool = rng.choice(POOLS)
    wider = [[*row, rng.choice(pool)] for row in hypothesis]
    if outcome(hypothesis, reference) == "correct":
        assert outcome(wider, reference) == "correct"


@given(randoms)
def test_columns_within_the_maximum_are_free_and_others_are_not(rng: Random):
    reference, _, _ = question(rng)
    maximum = [[*row, rng.choice(POOLS[1]), str(number)] for number, row in enumerate(reference)]
    kept = rng.sample(range(len(maximum[0])), len(maximum[0]))
    within = [[row[column] for column in kept] for row in maximum]
    beyond = [[*row[:-1], '"never in it"'] for row in maximum]
    assert outcome(within, reference, maximum) == "correct"
    assert outcome(reference, reference, maximum) == "correct"
    assert outcome(beyond, reference, maximum) == "incorrect"


@given(randoms)
def test_any_table_is_right_about_itself(rng: Random):
    reference, _, _ = question(rng)
    assert outcome(permuted(reference, rng), reference, reference) == "correct"


@given(randoms)
def test_texts_and_values_get_the_same_verdict(rng: Random):
    reference, hypothesis, _ = map(lambda table: table and relation(table), question(rng))
    assert isinstance(reference, Relation) and isinstance(hypothesis, Relation)
    assert compare(write(hypothesis), write(reference)) == compare(hypothesis, reference)
