from __future__ import annotations

from wizard_app.turn.statements import PastStatements


def test_walking_back_and_forth_comes_back_to_the_own_text() -> None:
    past = PastStatements.of(["SELECT 1", "SELECT 2"])
    past = past.earlier("half a statement")
    assert past.shown == "SELECT 2"
    past = past.earlier(past.shown)
    assert past.shown == "SELECT 1"
    assert past.earlier(past.shown).shown == "SELECT 1"
    assert past.later().later().shown == "half a statement"


def test_a_statement_that_was_run_again_counts_as_the_newest() -> None:
    past = PastStatements.of(["SELECT 1", "SELECT 2", " SELECT 1 ", ""])
    assert past.statements == ("SELECT 2", "SELECT 1")


def test_without_past_statements_the_own_text_stays() -> None:
    assert PastStatements().earlier("mine").shown == "mine"
