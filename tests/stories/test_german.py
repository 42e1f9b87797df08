"""A session in German with a query in Chinese: what the subject reads, from the first page to the last.

Answers are readable: both screens show names, the journal keeps the minimum. Nobody listens before the key is up."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from curtain.rehearsal.player import begin_session, end_session, run_statements, send_query, speak
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.study.languages import bundled_texts
from curtain.session.turns.turns import read_turns
from tests.stories.sounds import hold_and_speak, tone
from tests.support.studies import short_study

pytestmark = [pytest.mark.stations]

QUERY = "四十五部门有多少位科学家 – größere Gehälter"
WHO = "SELECT employee_id FROM employee WHERE employee_id = 4456"
NOBODY = "SELECT COUNT(*) FROM employee WHERE last_name = 'NOBODY'"
SOUND = 1


@dataclass(frozen=True)
class Played:
    """The texts of the subject's window, page by page, and those of the wizard's; the turns, and what was heard of
    the first one while its key was down and in the journal."""

    pages: dict[str, list[str]]
    wizard: dict[str, list[str]]
    turns: list[dict[str, Any]]
    live: bool
    reported: str
    heard: list[Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("german")
    study = short_study(folder / "study", language="de", listen_live="false")
    plan = RehearsalPlan(script=Path(), domain="personnel", study=study, speaker="deu", headless=True)
    pages: dict[str, list[str]] = {}
    wizards: dict[str, list[str]] = {}
    with two_stations(plan, study, folder) as stage:
        subject, wizard = stage.subject, stage.wizard
        sound = StepSound(tone(folder, seconds=0.5), 0.5)
        # begin_session speaks the sound at 0 into the microphone test.
        stage.sounds = {0: sound, SOUND: sound}
        begin_session(stage, "deu")
        pages["idle"] = subject.ask("texts")["texts"]
        live, reported = hold_and_speak(stage, sound, listen_live=False)
        wizard.wait("window", turn=1, state="transcribe")
        # The recording plays by itself, and is journaled as heard.
        wizard.wait("listening", text={"contains": " von "})
        pages["waiting"] = subject.ask("texts")["texts"]
        for turn, page, query, sql in ((1, "answer", QUERY, WHO), (2, "yes or no", "is anyone called nobody", NOBODY)):
            if turn > 1:
                next_turn(stage, turn)
            send_query(wizard, query)
            run_statements(wizard, [sql])
            wizards[page] = wizard.ask("texts")["texts"]
            wizard.keys("Ctrl+Shift+Return")
            subject.wait("window", shown_turn=turn)
            pages[page] = subject.ask("texts")["texts"]
        next_turn(stage, 3)
        send_query(wizard, "wie ist das Wetter")
        run_statements(wizard, ["SELECT weather FROM employee"])
        wizard.keys("Ctrl+M")
        wizard.wait("message_filter", focus=True)
        wizard.type("3")
        subject.wait("window", shown_turn=3)
        pages["message"] = subject.ask("texts")["texts"]
        bundle = Bundle(end_session(stage))
        pages["closing"] = subject.ask("texts")["texts"]
    turns = [turn.as_json() for turn in read_turns(bundle)]
    heard = [entry for entry in read_journal(bundle.wizard_journal).entries if entry.type == "heard"]
    return Played(pages, wizards, turns, live, reported, heard)


def next_turn(stage: Stage, turn: int) -> None:
    speak(stage, stage.sounds[SOUND])
    stage.wizard.wait("window", turn=turn, state="transcribe")


@pytest.mark.parametrize(
    ("page", "names"),
    [("idle", ["ask_now", "have_answer"]), ("waiting", ["one_moment"]), ("answer", ["you_said"]),
     ("message", ["start_over"]), ("closing", ["closing_title", "closing"])],
)  # fmt: skip
def test_each_page_speaks_german(played: Played, page: str, names: list[str]) -> None:
    german = bundled_texts("de")
    assert [name for name in names if german[name] not in played.pages[page]] == []


def test_the_query_in_other_letters_and_the_german_message_arrive_whole(played: Played) -> None:
    assert QUERY in played.pages["answer"]
    assert "Das System kann Ihre Anfrage leider nicht beantworten." in played.pages["message"]


def test_an_answer_shows_names_on_both_screens_and_its_key_stays_behind_the_curtain(played: Played) -> None:
    for texts in (played.wizard["answer"], played.pages["answer"]):
        assert {"Vorname", "Nachname", "PAUL", "TAI"} <= set(texts)
    assert not any("4456" in text for text in played.pages["answer"])
    for texts in (played.wizard["yes or no"], played.pages["yes or no"]):
        assert "Nein" in texts and "Count" not in texts
    shown = [[turn[field] for field in ("cas_min", "show", "shown", "show_fault", "unseen")] for turn in played.turns]
    assert shown[0] == ["((4456))", "readable", "readable", None, False]
    assert shown[1][0].startswith("FALSE") and shown[1][1:] == shown[0][1:]


def test_where_the_study_forbids_it_nothing_is_heard_before_the_key_is_released(played: Played) -> None:
    assert not played.live and played.reported == ""
    assert [(entry.turn, bool(entry.data.get("live"))) for entry in played.heard][:1] == [(1, False)]
