import pytest

from wizard_app.desk.session.seat import JournaledTie, clocks_apart

MS, S = 1_000_000, 1_000_000_000


@pytest.mark.parametrize(
    ("offset_ns", "seconds", "journaled"),
    [(0, 1, False), (1 * MS, 99, False), (2 * MS, 1, True), (-3 * MS, 1, True), (0, 100, True)],
)
def test_a_comparison_of_clocks_is_journaled_when_the_offset_moved_or_the_last_one_is_old(
    offset_ns, seconds, journaled
):
    assert JournaledTie(0, 5 * S).gives_way(offset_ns, (5 + seconds) * S) is journaled


@pytest.mark.parametrize(
    ("theirs", "sentence"),
    [
        ("2026-03-01T09:30:40.000Z", ""),
        ("2026-03-01T09:28:00.000Z", "is 0 h 2 min behind this one’s"),
        ("2026-02-28T08:30:00.000Z", "is 1 d 1 h behind this one’s"),
        ("2031-03-01T09:30:00.000Z", "is 1,826 d 0 h ahead of this one’s"),
        ("", ""),
        ("now", ""),
    ],
)
def test_the_wizard_reads_how_far_the_other_clock_is_off(theirs: str, sentence: str) -> None:
    shown = clocks_apart(theirs, "2026-03-01T09:30:00.000Z")
    assert sentence in shown and bool(shown) is bool(sentence)
