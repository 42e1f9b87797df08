from wizard_app.desk.turn.statements import PastStatements


def test_walking_back_and_forth_comes_back_to_the_own_text() -> None:
    past = PastStatements(["SELECT 1", "SELECT 2"])
    assert past.earlier("half a statement") == "SELECT 2"
    assert past.earlier("SELECT 2") == "SELECT 1"
    assert past.earlier("SELECT 1") is None
    assert [past.later(), past.later(), past.later()] == ["SELECT 2", "half a statement", None]


def test_a_statement_that_was_run_again_counts_as_the_newest() -> None:
    past = PastStatements(["SELECT 1", "SELECT 2", " SELECT 1 ", ""])
    assert [past.earlier(""), past.earlier(""), past.earlier("")] == ["SELECT 1", "SELECT 2", None]


def test_without_past_statements_the_own_text_stays() -> None:
    past = PastStatements()
    assert past.earlier("mine") is None and past.later() is None
