"""What a recogniser is shown before it hears."""

from curtain_ear.expectation import Expectation

EXAMPLES = [f"Question {number} about fares." for number in range(100)] + ["Which flights go to Denver?"]
DOMAIN = Expectation(EXAMPLES, ["BOSTON", "DENVER", "DL", "DENVER"], {"trip": "You want to go to Denver."})


def test_examples_like_the_scenario_come_first_and_others_are_a_sample() -> None:
    texts = DOMAIN.texts("trip", ["show me fares", "to boston"])
    assert texts[0] == "Which flights go to Denver?"
    assert len([text for text in texts if text in EXAMPLES]) == 14
    assert texts[14:] == ["to boston", "show me fares", "You want to go to Denver."]


def test_names_of_the_topic_come_first_and_codes_last() -> None:
    assert DOMAIN.likely_names("trip") == ["Denver", "Boston", "DL"]
    assert DOMAIN.likely_names("", ["in boston"]) == ["Boston", "Denver", "DL"]


def test_without_anything_known_nothing_is_expected() -> None:
    assert Expectation().texts("trip", []) == []
