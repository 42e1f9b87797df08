"""What is read in a query: numbers and times as people say them, and codes; times are on Monday, 20 April 1992."""

from datetime import date

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.algebra.writing import write
from curtain_drafts.tool.grammar.graph import Graph
from curtain_drafts.tool.grammar.projection import outlines
from curtain_drafts.tool.language.clock import date_at, decade_at, relative_at, span_at, time_at
from curtain_drafts.tool.language.english import english
from curtain_drafts.tool.language.lexicon import Lexicon, Spelling, load_lexicon
from curtain_drafts.tool.language.recognise import Recogniser
from curtain_drafts.tool.language.tokens import number_at, split_words
from curtain_drafts.tool.ranking.training import parsed, usual_days

TODAY = date(1992, 4, 20)
PUBLISHED = """SELECT DISTINCT flight.flight_id FROM flight, days, date_day WHERE flight.flight_days = days.days_code
AND days.day_name = date_day.day_name AND date_day.year = 1991 AND date_day.month_number = {1}
AND date_day.day_number = {0}"""


@pytest.fixture(scope="module")
def atis() -> tuple[Pack, Lexicon]:
    pack = load_pack("atis")
    return pack, load_lexicon(pack, database(pack))


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("two ninety six", [296]), ("flight one oh two", [102]), ("fifteen hundred", [1500]), ("a thousand", [1000]),
        ("one thousand two hundred", [1200]), ("three million two hundred thousand and six", [3_200_006]),
        ("half a million", [500_000]), ("two and a half million", [2_500_000]),
        ("one point two five million", [1_250_000]), ("between one hundred and two hundred", [100, 200]),
        ("one hundred and fifty", [150]),
        ("between one hundred and one fifty", [100, 150]), ("from two to three hundred", [200, 300]),
        ("between one hundred and two hundred thousand", [100_000, 200_000]),
        ("between forty thousand and fifty thousand", [40_000, 50_000]),
        ("ten thousand to twelve thousand five hundred", [10_000, 12_500]), ("a flight at two point", [2]),
        ("is that a k class fare", []), ("45 k", [45_000]),
        ("over fifty grand", [50_000]), ("hired in '85", [1985]), ("the code '85'", [85]),
    ],
)  # fmt: skip
def test_a_number_is_read_as_it_is_said(said: str, numbers: list[float]) -> None:
    words, at, read = split_words(said), 0, []
    while at < len(words):
        number = number_at(words, at)
        read += [number[0]] if number else []
        at += number[1] if number else 1
    assert read == numbers


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("tomorrow", "1992-04-21"), ("the day after tomorrow", "1992-04-22"), ("day before yesterday", "1992-04-18"),
        ("monday", "1992-04-20"), ("sundays", "1992-04-26"), ("this friday", "1992-04-24"),
        ("next friday", "1992-05-01"), ("next monday", "1992-04-27"), ("last monday", "1992-04-13"),
        ("last sunday", "1992-04-19"),
    ],
)  # fmt: skip
def test_a_day_is_said_from_today(said: str, day: str) -> None:
    words = split_words(said)
    at = len(words) - 1 if said.split()[0] in ("this", "next", "last") else 0
    relative = relative_at(words, at, TODAY)
    assert relative is not None and relative[0].isoformat() == day


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("this week", "1992-04-20", "1992-04-26"), ("next month", "1992-05-01", "1992-05-31"),
        ("last month", "1992-03-01", "1992-03-31"), ("last year", "1991-01-01", "1991-12-31"),
        ("last two years", "1990-04-20", "1992-04-20"), ("past 2 months", "1992-02-20", "1992-04-20"),
        ("next three weeks", "1992-04-20", "1992-05-11"),
    ],
)  # fmt: skip
def test_a_week_a_month_and_a_year_are_all_their_days(said: str, first: str, last: str) -> None:
    span = span_at(split_words(said), 0, TODAY)
    assert span is not None and [end.isoformat() for end in span[:2]] == [first, last]


@pytest.mark.parametrize(
    ("said", "hhmm"),
    [
        ("thursday evening after 6", 1800), ("monday morning at 9", 900), ("at 12 30 pm", 1230), ("by noon", 1200),
        ("before 9 am", 900), ("at 8 at night", 2000), ("until midnight", 2400), ("between 4 and 5 pm", 1600),
        ("between 10 in the morning and noon", 1000), ("at half past two in the afternoon", 1430),
        ("ten past two pm", 1410), ("twenty five to nine in the evening", 2035), ("by 8.30 pm", 2030),
        ("12 midnight", 0), ("between 10 and 2 pm", 1000), ("from eleven to one am", 2300),
    ],
)  # fmt: skip
def test_a_time_takes_its_half_of_the_day_from_the_words_around_it(said: str, hhmm: int) -> None:
    words = split_words(said)
    times = [time for at in range(len(words)) if (time := time_at(words, at))]
    assert (times[0].hhmm, times[0].open) == (hhmm, False)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("4 june", (6, 4, 0)), ("25 dec 1992", (12, 25, 1992)), ("june fourth nineteen ninety two", (6, 4, 1992)),
        ("june twenty five nineteen ninety", (6, 25, 1990)), ("the third of march of 1985", (3, 3, 1985)),
        ("3rd march 85", (3, 3, 1985)), ("march of 1985", (3, 0, 1985)), ("3 may", None), ("3 may 1985", (5, 3, 1985)),
        ("40 june", None), ("june 4 at 1130", (6, 4, 0)),
    ],
)  # fmt: skip
def test_day_month_and_year_stand_together(said: str, read: tuple[int, int, int] | None) -> None:
    day = date_at(split_words(said), 0)
    assert (day and (day.month, day.day, day.year)) == read


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("flights leaving before 9", "flight.departure_time < 900"),
        ("flights leaving at night", "NOT (flight.departure_time > 600 AND flight.departure_time < 1800)"),
        ("departures between 10 pm and 2 am", "NOT (flight.departure_time > 200 AND flight.departure_time < 2200)"),
        ("departures between noon and 5", "flight.departure_time BETWEEN 1200 AND 1700"),
        ("departures from 10 am to 2", "flight.departure_time BETWEEN 1000 AND 1400"),
        ("departures between 2 and 4 pm", "flight.departure_time BETWEEN 1400 AND 1600"),
        ("flights leaving in the early morning", "flight.departure_time BETWEEN 0 AND 800"),
    ],
)
def test_a_time_is_a_condition_also_over_midnight(atis: tuple[Pack, Lexicon], question: str, condition: str) -> None:
    pack, lexicon = atis
    graph = Graph(pack, lexicon.words)
    reading = Recogniser(lexicon, pack.as_of, names=graph.names).read(question)
    assert condition in write(outlines(reading, graph)[0].query)


@pytest.mark.parametrize(("said", "first"), [("in the forties", 1940), ("in his forties", None), ("the 1950 s", 1950)])
def test_a_decade_is_no_age(said: str, first: int | None) -> None:
    words = split_words(said)
    read = [decade[0] for at in range(len(words)) if (decade := decade_at(words, at))]
    assert read == ([first] if first else [])


def test_words_of_times_are_spelled_right(atis: tuple[Pack, Lexicon]) -> None:
    spelling = Spelling.of(atis[1], ["block", "lock"], [])
    assert [spelling.nearest(word) for word in ("clock", "oclock", "blokc")] == [None, None, "block"]


@pytest.mark.parametrize(("said", "size"), [("no the men", 0), ("no supervisor", 1), ("not the men", 1)])
def test_no_before_an_article_corrects_and_denies_nothing(said: str, size: int) -> None:
    assert english().negated(said.split(), 0) == size


def test_days_mean_the_dates_that_answered_questions_gave_them(atis: tuple[Pack, Lexicon]) -> None:
    pack, lexicon = atis
    recogniser = Recogniser(lexicon, pack.as_of)
    asked = [("flights on monday", (21, 2)), ("what flies on mondays", (21, 2)), ("flights tomorrow", (20, 1))]
    asked += [("show tomorrow's flights", (20, 1)), ("monday may 4", (4, 5)), ("flights on friday", (25, 6))]
    known = parsed([Example(q, PUBLISHED.format(*day)) for q, day in asked], recogniser, SqlReader(pack.tables))
    # Once is not enough, and a date that is said is its own.
    assert usual_days(known) == {"monday": "1991-02-21", "tomorrow": "1991-01-20"}
    recogniser.calendar = usual_days(known)
    monday, friday = recogniser.read("next monday and friday").found
    assert (monday.form("#date"), friday.form("#date")) == ("1991-02-21", "1992-04-24")


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("what airline is as", ["AS"]), ("what the abbreviation us stands for", ["US"]), ("what does as mean", ["AS"]),
        ("which airlines fly in", []),
    ],
)  # fmt: skip
def test_a_function_word_is_a_code_only_where_something_says_so(
    atis: tuple[Pack, Lexicon], question: str, codes: list[str]
) -> None:
    pack, lexicon = atis
    found = Recogniser(lexicon, pack.as_of).read(question).found
    assert [one.form("airline.airline_code") for one in found] == codes
