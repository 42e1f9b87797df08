"""A session with readable answers: names on both screens, the minimum in the journal, and a query in Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from curtain.rehearsal.player import begin_session, end_session, run_statements, send_query, speak
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import new_study
from curtain.session.turns.turns import read_turns
from tests.stories.sounds import tone
from tests.support.studies import without_drafts

pytestmark = [pytest.mark.stations]

QUERY = "从波士顿到丹佛最便宜的航班是哪个"
CITIES = "from_airport = 'BOS' AND to_airport = 'DEN'"
FARES = f"SELECT MIN(one_direction_cost) FROM fare WHERE {CITIES}"
CHEAPEST = (
    f"SELECT DISTINCT flight_id FROM flight WHERE {CITIES} AND flight_id IN "
    f"(SELECT flight_id FROM flight_fare JOIN fare USING (fare_id) WHERE one_direction_cost = ({FARES}))"
)
EARLY = f"SELECT COUNT(*) FROM flight WHERE {CITIES} AND departure_time < 500"
SOUND = 1


@dataclass(frozen=True)
class Played:
    """What both screens held of each answer, and the turns of the finished bundle."""

    wizard: list[list[str]]
    subject: list[list[str]]
    turns: list[dict[str, Any]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("readable")
    study = without_drafts(new_study(folder / "study", "atis", practice="none").folder)
    plan = RehearsalPlan(script=folder, domain="atis", study=study, headless=True)
    wizard, subject = [], []
    with two_stations(plan, study, folder) as stage:
        sound = StepSound(tone(folder), 0.5)
        # begin_session speaks the sound at 0 into the microphone test.
        stage.sounds = {0: sound, SOUND: sound}
        begin_session(stage, "r00")
        for query, sql in ((QUERY, CHEAPEST), ("are there flights before five", EARLY)):
            take_a_turn(stage, query)
            run_statements(stage.wizard, [sql])
            wizard.append(stage.wizard.ask("texts")["texts"])
            stage.wizard.keys("Ctrl+Shift+Return")
            stage.subject.wait("window", shown_turn=stage.turn)
            subject.append(stage.subject.ask("texts")["texts"])
        bundle = end_session(stage)
    return Played(wizard, subject, [turn.as_json() for turn in read_turns(Bundle(bundle))])


def take_a_turn(stage: Stage, query: str) -> None:
    speak(stage, stage.sounds[SOUND])
    stage.turn += 1
    stage.wizard.wait("window", turn=stage.turn, state="transcribe")
    send_query(stage.wizard, query)


def test_the_flight_is_shown_by_airline_cities_and_times_on_both_screens(played: Played) -> None:
    for texts in (played.wizard[0], played.subject[0]):
        assert QUERY in texts
        assert {"Airline", "Flight", "From", "To", "Departure", "Arrival"} <= set(texts)
        assert {"MIDWAY AIRLINES", "BOSTON", "DENVER", "9:15 am", "2:19 pm"} <= set(texts)


def test_the_key_stays_behind_the_curtain_and_in_the_reference(played: Played) -> None:
    turn = played.turns[0]
    key = turn["cas_min"].strip("()")
    assert key.isdigit() and turn["query"] == QUERY
    assert not any(key in text for text in played.subject[0])
    assert not any("Flight code" in text for text in played.subject[0])


def test_a_yes_no_question_reads_yes_or_no(played: Played) -> None:
    for texts in (played.wizard[1], played.subject[1]):
        assert "No" in texts and "Count" not in texts
    assert played.turns[1]["cas_min"].startswith("(FALSE OR")


def test_the_journal_says_what_was_shown(played: Played) -> None:
    for turn in played.turns:
        shown = [turn[field] for field in ("show", "shown", "show_fault", "unseen")]
        assert shown == ["readable", "readable", None, False]
