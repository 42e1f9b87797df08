"""What only the answered questions tell: constants behind a word, and words that are no values."""

from __future__ import annotations

from datetime import date

from curtain.drafting.learned.habits import find_habits, with_habits
from curtain.drafting.query.lexicon import Lexicon, Meaning
from curtain.drafting.query.recognise import Recogniser
from curtain.drafting.sql.align import align
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.periods import with_ends
from curtain.drafting.sql.statements import write

TABLES = {
    "trip": {"trip_id": "INTEGER", "days_code": "VARCHAR", "departure_time": "INTEGER", "boss": "VARCHAR"},
    "calendar": {"days_code": "VARCHAR", "day_number": "INTEGER", "month_number": "INTEGER"},
}
DAYS = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY")
DATED = (
    "SELECT trip.trip_id FROM trip, calendar WHERE trip.days_code = calendar.days_code "
    "AND calendar.day_number = {} AND calendar.month_number = {}"
)


def _recogniser() -> Recogniser:
    lexicon = Lexicon(has_times=True)
    for day in DAYS:
        lexicon.add((day.lower(),), Meaning("day", day, {"week.day_name": day}))
    lexicon.add(("manager",), Meaning("job", "MANAGER", {"trip.boss": "MANAGER"}))
    return Recogniser(lexicon, {"morning": {"begin": 0, "end": 1200}}, date(1992, 4, 20))


def _pairs(asked: list[tuple[str, str]]) -> list:  # type: ignore[type-arg]
    recogniser, parser = _recogniser(), Parser(TABLES, "trip")
    found = []
    for question, sql in asked:
        statement = parser.parse(sql)
        assert statement is not None
        reading = recogniser.read(question)
        found.append((reading, align(statement, reading)))
    return found


def test_the_constants_behind_a_word_become_its_spelling() -> None:
    asked = [(f"trips on {day.lower()}", DATED.format(21 + n, 2 + n)) for n, day in enumerate(DAYS)] * 3
    habits = find_habits(_pairs(asked))
    assert habits.forms["day", "MONDAY"] == {"~1:calendar.day_number": "21", "~1:calendar.month_number": "2"}
    assert habits.forms["day", "TUESDAY"] == {"~1:calendar.day_number": "22", "~1:calendar.month_number": "3"}
    reading = with_habits(_recogniser().read("monday"), habits)
    assert reading.found[0].form("~1:calendar.day_number") == "21"


def test_once_is_no_habit() -> None:
    asked = [("trips on monday", DATED.format(21, 2)), ("trips on tuesday", DATED.format(22, 3))]
    assert not find_habits(_pairs(asked)).forms


def test_values_that_are_hardly_ever_used_are_mere_words() -> None:
    asked = [("trips of the manager", "SELECT trip.trip_id FROM trip")] * 3
    habits = find_habits(_pairs(asked))
    assert ("job", "MANAGER") in habits.idle
    assert with_habits(_recogniser().read("the manager"), habits).found[0].weak


def test_the_literal_of_a_word_is_found_again() -> None:
    asked = [
        ("trips of the manager before 9 am", "SELECT trip_id FROM trip WHERE boss = 'MANAGER' AND departure_time < 900")
    ]
    _, aligned = _pairs(asked)[0]
    assert sorted(role for roles in aligned.roles.values() for role in roles) == [
        "trip.boss = <trip.boss>",
        "trip.departure_time < <#time>",
    ]


def test_the_ends_of_a_period_are_in_or_out() -> None:
    asked = [("morning trips", "SELECT trip_id FROM trip WHERE departure_time >= 0 AND departure_time <= 1200")]
    _, aligned = _pairs(asked)[0]
    strict, loose = (write(with_ends(aligned.statement, included)) for included in (False, True))
    assert strict.endswith("WHERE trip.departure_time > 0 AND trip.departure_time < 1200")
    assert loose.endswith("WHERE trip.departure_time BETWEEN 0 AND 1200")
