import pytest

from wizard_app.desk.turn.control import read_end_statement


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("End scenario. The answer is flight 1203.", "flight 1203"),
        ("end scenario the answer is Mary Graham", "Mary Graham"),
        ("End of the scenario, my answer is: 4,900", "4,900"),
        ("END SCENARIO", ""),
        ("End task. The solution is BOS", "BOS"),
        ("end scenario and the answer is U.S. Air", "U.S. Air"),
        ("End scenario. The answer is\nKühn, department 45.", "Kühn, department 45"),
    ],
)
def test_the_closing_formula_gives_the_answer(query: str, answer: str) -> None:
    found = read_end_statement(query)
    assert found.answer == answer


@pytest.mark.parametrize(
    "query",
    ["", "the answer is 5", "when does the scenario end", "who is at the end of the scenario hall", "weekend flights"],
)
def test_a_question_is_no_end_statement(query: str) -> None:
    assert read_end_statement(query) is None
