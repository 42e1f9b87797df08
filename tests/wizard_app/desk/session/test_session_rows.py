"""The start page tells when the subject's station is at work in another session."""

import pytest

from curtain.link.messages import Hello
from wizard_app.desk.session.session_rows import SessionRow, problem_of

OURS, THEIRS = "a" * 32, "b" * 32
BOUND = Hello(session_id="e01-01", identity=OURS, bound=True)


def row(closed: bool, identity: str = OURS, session_id: str = "e01-01") -> SessionRow:
    return SessionRow(session_id, closed, "2026-01-02", 4, identity=identity)


@pytest.mark.parametrize("hello", [None, Hello(), Hello(session_id="e01-01", identity=OURS)])
def test_a_station_that_is_bound_to_no_session_hinders_nothing(hello: Hello | None) -> None:
    assert problem_of(hello, [row(closed=False)]) == ""


@pytest.mark.parametrize("rows", [[], [row(False, THEIRS)], [row(False, OURS, "e02-01")]])
def test_a_station_of_another_study_is_reported_with_the_way_on(rows: list[SessionRow]) -> None:
    assert problem_of(BOUND, rows) == (
        "The subject’s station still belongs to session e01-01 of another study. "
        "End or resume it there first, or start the subject’s station again."
    )


@pytest.mark.parametrize("identity", [OURS, ""])
def test_a_station_of_an_open_session_of_this_study_is_told_to_be_resumed(identity: str) -> None:
    assert problem_of(BOUND, [row(False, identity)]) == (
        "The subject’s station still belongs to session e01-01. Resume it first, or start the subject’s station again."
    )


def test_a_session_that_was_closed_here_hinders_nothing() -> None:
    assert problem_of(BOUND, [row(closed=True)]) == ""
