"""The start page tells when the subject's station is at work in another session."""

import pytest

from curtain.link.messages import Hello
from wizard_app.desk.session.session_rows import SessionRow, problem_of

OURS, THEIRS = "a" * 32, "b" * 32
BOUND = Hello(session_id="e01-01", identity=OURS, bound=True)


def row(closed: bool, identity: str = OURS, session_id: str = "e01-01") -> SessionRow:
    return SessionRow(session_id, closed, "2026-01-02", 4, identity=identity)


ELSEWHERE = (
    "The subject’s station still belongs to session e01-01 of another study. "
    "End or resume it there first, or start the subject’s station again."
)
RESUME = "The subject’s station still belongs to session e01-01. Resume it first, or start the subject’s station again."


@pytest.mark.parametrize(
    ("hello", "rows", "sentence"),
    [
        # Bound to no session.
        (None, [row(closed=False)], ""),
        (Hello(), [row(closed=False)], ""),
        (Hello(session_id="e01-01", identity=OURS), [row(closed=False)], ""),
        (BOUND, [], ELSEWHERE),
        (BOUND, [row(False, THEIRS)], ELSEWHERE),
        (BOUND, [row(False, OURS, "e02-01")], ELSEWHERE),
        (BOUND, [row(False, OURS)], RESUME),
        (BOUND, [row(False, "")], RESUME),
        (BOUND, [row(closed=True)], ""),
    ],
)
def test_a_station_that_is_bound_to_another_session_is_reported_with_the_way_on(
    hello: Hello | None, rows: list[SessionRow], sentence: str
) -> None:
    assert problem_of(hello, rows) == sentence
