"""Words that say what is asked for, against what a statement gives."""

from __future__ import annotations

from datetime import date

import pytest

from curtain.drafting.query.asked_for import asked_in, fit_of, leaning
from curtain.drafting.query.lexicon import Lexicon
from curtain.drafting.query.recognise import Reading, Recogniser

WORDS = frozenset(["flight", "airline", "code", "fare", "departure", "time", "stop"])
FLIGHT = "flight|DISTINCT flight.flight_id|"
AIRLINE = "flight|DISTINCT flight>airline_code=airline.airline_code.airline_code|"
COUNT = "flight|COUNT(DISTINCT flight.flight_id)|"
TIME = "flight|DISTINCT flight.departure_time|"


def read(question: str) -> Reading:
    return Recogniser(Lexicon(), {}, date(1992, 1, 1)).read(question)


@pytest.mark.parametrize(
    ("question", "best", "worse"),
    [
        ("what airline is the flight at noon", AIRLINE, FLIGHT),
        ("which flights has that airline", FLIGHT, AIRLINE),
        ("how many flights leave", COUNT, FLIGHT),
        ("the number of flights", COUNT, FLIGHT),
        ("list the flights", FLIGHT, COUNT),
        ("what time do they leave", TIME, AIRLINE),
    ],
)
def test_words_raise_what_they_name(question: str, best: str, worse: str) -> None:
    chances = leaning([(best, 0.5), (worse, 0.5)], asked_in(read(question), WORDS))
    assert chances[best] > chances[worse]
    assert sum(chances.values()) == pytest.approx(1)


def test_a_query_without_such_words_changes_nothing() -> None:
    asked = asked_in(read("good morning"), WORDS)
    assert leaning([(FLIGHT, 0.75), (AIRLINE, 0.25)], asked) == {FLIGHT: 0.75, AIRLINE: 0.25}
    assert fit_of(FLIGHT, asked) == (0.0, 0.0, 0.0)
