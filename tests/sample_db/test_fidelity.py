"""What the papers print of single answers, from a statement over a sample database to the Comparator; and the list of
all that they print, in docs/fidelity.md."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.cas import compare, parse
from curtain.corpus.model.reader import read_session
from curtain.domain.pack.pack import database, load_pack
from curtain.domain.worker.worker import Result, SqlWorker
from tests.corpus.toy import make_toy
from tests.corpus.toy_answers import row_of
from tests.corpus.toy_turns import Sitting, after, alone
from tests.sample_db.conftest import Ask

ROOT = Path(__file__).parents[2]
MARY_SMITH = "FROM employee WHERE first_name = 'MARY' AND last_name = 'SMITH'"


@pytest.fixture(scope="module")
def atis(atis_file: Path) -> Iterator[SqlWorker]:
    worker = SqlWorker(atis_file, load_pack("atis"), with_spare=False)
    yield worker
    worker.close()


def answered(worker: SqlWorker, sql: str) -> Result:
    result = worker.run(sql).result(timeout=60)
    assert result.error is None, result.error
    return result


def test_mary_smiths_salary_is_the_answer_of_a_triplet_of_a_session(tmp_path: Path) -> None:
    """papers/000, S-7: “What is Mary Smith's job title?”, “What is her salary?”, ((52000))."""
    title, salary = f"SELECT job_title {MARY_SMITH}", f"SELECT salary {MARY_SMITH}"
    pack = load_pack("personnel")
    worker = SqlWorker(database(pack), pack, with_spare=False)
    answers = {sql: row_of(answered(worker, sql)) for sql in (title, salary)}
    worker.close()
    turns = (alone("What is Mary Smith's job title?", title), after("What is her salary?", salary, "1", (1, "text")))
    sitting = Sitting("e00-01", "2026-03-02", "payroll", turns, rule_book=1989)
    study = make_toy(tmp_path / "study", sittings=[sitting], answers=answers)

    first, second = read_session(study / "sessions" / "e00-01").utterances

    assert (first.query, second.query) == ("What is Mary Smith's job title?", "What is her salary?")
    assert second.category == "1" and [link.utterance_id for link in second.context] == [first.utterance_id]
    [reference] = second.references
    assert compare("((52000))", reference.cas_min or "", dialect="1989")
    assert not compare("((52001))", reference.cas_min or "", dialect="1989")


def test_two_flights_with_three_fares_each_are_six_tuples(atis: SqlWorker, ask_atis: Ask) -> None:
    """papers/003, B.2.6: flights with their fares show both keys; either alone is no answer."""
    start, end, airline = ask_atis(
        "WITH fares AS (SELECT flight_id, COUNT(*) AS fares FROM flight_fare GROUP BY flight_id)"
        " SELECT from_airport, to_airport, airline_code FROM flight JOIN fares USING (flight_id) GROUP BY ALL"
        " HAVING COUNT(*) = 2 AND MIN(fares) = 3 AND MAX(fares) = 3 ORDER BY ALL LIMIT 1"
    )[0]
    flights = (
        "FROM flight, flight_fare, fare WHERE flight_fare.flight_id = flight.flight_id AND fare.fare_id ="
        f" flight_fare.fare_id AND flight.from_airport = '{start}' AND flight.to_airport = '{end}'"
        f" AND flight.airline_code = '{airline}'"
    )
    both = answered(atis, f"SELECT DISTINCT flight.flight_id, fare.fare_id {flights}").cas_min or ""
    assert parse(both).height == 6  # type: ignore[union-attr]
    for alone_shown in ("flight.flight_id", "fare.fare_id"):
        assert not compare(answered(atis, f"SELECT DISTINCT {alone_shown} {flights}").cas_min, both, dialect="1990")


def test_an_itinerary_is_the_origin_and_destination_of_each_leg(atis: SqlWorker) -> None:
    """papers/003, B.2.7 (("BOS" "ATL") ("ATL" "DFW")): a flight from Boston to Dallas by Atlanta."""
    itinerary = answered(
        atis,
        "SELECT leg.from_airport, leg.to_airport FROM flight, flight_leg, flight AS leg"
        " WHERE flight_leg.flight_id = flight.flight_id AND leg.flight_id = flight_leg.leg_flight"
        " AND flight.airline_code = 'DL' AND flight.flight_number = 1259"
        " AND flight.from_airport = 'BOS' AND flight.to_airport = 'DFW'",
    ).cas_min
    assert compare(itinerary, '(("BOS" "ATL") ("ATL" "DFW"))', dialect="1990")
    assert not compare(itinerary, '(("BOS" "ATL") ("DFW" "ATL"))', dialect="1990")


def test_a_class_is_its_own_code_and_not_those_that_begin_with_it(atis: SqlWorker) -> None:
    """papers/003, B.2.9: “class X” is (("X")), not (("XA") ("XB")); X stands for a class here as in all of B.2."""
    codes = "SELECT DISTINCT fare_basis_code FROM fare_basis WHERE fare_basis_code"
    for letter in "FCYBHQV":
        own, others = (answered(atis, f"{codes} {one}").cas_min for one in (f"= '{letter}'", f"LIKE '{letter}_%'"))
        assert compare(own, f'(("{letter}"))', dialect="1990")
        assert others != "()" and not compare(others, f'(("{letter}"))', dialect="1990")


def test_an_arrival_time_may_come_with_airline_and_number_but_not_with_meal_or_fare(atis: SqlWorker) -> None:
    """papers/001, 2.2.2: the minimum has the flight and its time; the maximum is derived from it."""
    flight = "FROM flight{more} WHERE flight.airline_code = 'DL' AND flight.flight_number = 1259{how}"
    asked = answered(atis, f"SELECT flight.flight_id, flight.arrival_time {flight.format(more='', how='')}")
    others = {
        "flight.airline_code, flight.flight_number": ("", ""),
        "food_service.meal_description": (", food_service", " AND food_service.meal_code = flight.meal_code"),
        "flight_fare.fare_id": (", flight_fare", " AND flight_fare.flight_id = flight.flight_id"),
    }
    right = []
    for shown, (more, how) in others.items():
        sql = f"SELECT flight.flight_id, flight.arrival_time, {shown} {flight.format(more=more, how=how)}"
        hypothesis = answered(atis, sql).cas_min
        assert compare(hypothesis, asked.cas_min or "")
        right.append(compare(hypothesis, asked.cas_min or "", asked.cas_max).outcome)
    assert right == ["correct", "incorrect", "incorrect"]


def test_in_our_own_dialect_answers_have_the_units_of_the_pack_and_in_the_papers_none(atis_file: Path) -> None:
    """papers/003, B.2.4: feet for wing_span, miles for range_miles; a count has no unit."""
    statement = "SELECT aircraft_code, range_miles FROM aircraft WHERE weight = (SELECT MAX(weight) FROM aircraft)"
    pack = load_pack("atis")
    ours = SqlWorker(atis_file, replace(pack, dialect="curtain"), with_spare=False)
    theirs = SqlWorker(atis_file, pack, with_spare=False)
    try:
        largest, span = (answered(ours, sql) for sql in (statement, "SELECT MAX(wing_span), COUNT(*) FROM aircraft"))
        plain = answered(theirs, statement)
    finally:
        ours.close()
        theirs.close()
    assert largest.cas_min and plain.cas_min and span.cas_min
    assert largest.cas_min.replace("[mile]", "") == plain.cas_min != largest.cas_min
    assert (largest.cas_max or "").startswith(largest.cas_min.rstrip(")"))
    assert re.fullmatch(r"\(\(\d+\[ft\] \d+\)\)", span.cas_min)


def test_the_list_of_what_the_papers_print_has_each_item_once_and_a_test_for_it() -> None:
    text = (ROOT / "docs" / "fidelity.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+)(?:-(\d+))? \|.*\| (\w[\w ]*) \| (.*) \|$", text, re.MULTILINE)
    items = [(item, kind) for first, last, kind, _ in rows for item in range(int(first), int(last or first) + 1)]
    assert [item for item, _ in items] == list(range(1, 98))
    counts = {kind: int(count) for kind, count in re.findall(r"^(\w[\w ]*): (\d+) *$", text, re.MULTILINE)}
    assert counts == Counter(kind for _, kind in items)
    for *_, kind, kept in rows:
        assert kind == "not recomputable" or re.search("`(tests|companions)/", kept), kept
        for name in re.findall(r"`((?:tests|companions)/[^`]+)`", kept):
            assert (ROOT / name).exists(), name
