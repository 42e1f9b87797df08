from __future__ import annotations

import pytest

from wizard_app.desk.session.states import JournaledTie

MS, S = 1_000_000, 1_000_000_000


@pytest.mark.parametrize(
    ("offset_ns", "seconds", "journaled"),
    [(0, 1, False), (1 * MS, 99, False), (2 * MS, 1, True), (-3 * MS, 1, True), (0, 100, True)],
)
def test_a_comparison_of_clocks_is_journaled_when_the_offset_moved_or_the_last_one_is_old(
    offset_ns, seconds, journaled
):
    assert JournaledTie(0, 5 * S).gives_way(offset_ns, (5 + seconds) * S) is journaled
