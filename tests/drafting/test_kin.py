"""Finding the meaning that differs least."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curtain.drafting.learned.kin import Kin

SETS = st.frozensets(st.sampled_from("abcdef"))


@given(st.lists(SETS, unique=True), SETS, st.integers(0, 3))
def test_the_nearest_are_those_that_differ_least(
    known: list[frozenset[str]], wanted: frozenset[str], slack: int
) -> None:
    kin: Kin[frozenset[str]] = Kin()
    for names in known:
        kin.add(names, names)
    found = {(differ, names) for differ, names in kin.nearest(wanted, slack)}
    least = min((len(names ^ wanted) for names in known), default=0)
    assert found == {(len(names ^ wanted), names) for names in known if len(names ^ wanted) <= least + slack}


def test_a_meaning_counts_once() -> None:
    kin: Kin[str] = Kin()
    for _ in range(3):
        kin.add("one", frozenset("ab"))
    assert list(kin.nearest(frozenset("a"), 0)) == [(1, "one")]
