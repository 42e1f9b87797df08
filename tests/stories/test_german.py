"""A session in German with a query in Chinese: what the subject reads, from the first page to the last."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curtain.rehearsal.player import begin_session, end_session, run_statements, send_query, speak
from curtain.rehearsal.stage import RehearsalPlan, StepSound, two_stations
from curtain.session.study.languages import bundled_texts
from curtain.session.study.study import new_study
from tests.stories.sounds import tone
from tests.support.studies import without_drafts

pytestmark = [pytest.mark.stations]

QUERY = "四十五部门有多少位科学家 – größere Gehälter"
ENGLISH_ONLY = {
    "one",
    "moment",
    "the",
    "you",
    "your",
    "hold",
    "please",
    "answer",
    "question",
    "said",
    "task",
    "nothing",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The texts of the subject's window, page by page."""
    folder = tmp_path_factory.mktemp("german")
    study = new_study(folder / "study", "personnel", ["complaint"], practice="none", language="de").folder
    without_drafts(study)
    plan = RehearsalPlan(script=Path(), domain="personnel", study=study, speaker="deu", headless=True)
    pages: dict[str, list[str]] = {}
    with two_stations(plan, study, folder) as stage:
        subject, wizard = stage.subject, stage.wizard
        stage.sounds = {0: (sound := StepSound(tone(folder), 0.5)), 1: sound}
        begin_session(stage, "deu")
        pages["idle"] = subject.ask("texts")["texts"]
        speak(stage, sound)
        wizard.wait("window", turn=1, state="transcribe")
        pages["waiting"] = subject.ask("texts")["texts"]
        send_query(wizard, QUERY)
        run_statements(wizard, ["SELECT count(*) FROM employee WHERE department = 45"])
        wizard.keys("Ctrl+Shift+Return")
        subject.wait("window", shown_turn=1)
        pages["answer"] = subject.ask("texts")["texts"]
        speak(stage, sound)
        wizard.wait("window", turn=2, state="transcribe")
        send_query(wizard, "wie ist das Wetter")
        run_statements(wizard, ["SELECT weather FROM employee"])
        wizard.keys("Ctrl+M")
        wizard.wait("message_filter", focus=True)
        wizard.type("3")
        subject.wait("window", shown_turn=2)
        pages["message"] = subject.ask("texts")["texts"]
        end_session(stage)
        pages["closing"] = subject.ask("texts")["texts"]
    return pages


@pytest.mark.parametrize(
    ("page", "names"),
    [("idle", ["ask_now", "have_answer"]), ("waiting", ["one_moment"]), ("answer", ["you_said"]),
     ("message", ["start_over"]), ("closing", ["closing_title", "closing"])],
)  # fmt: skip
def test_each_page_speaks_german(pages: dict[str, list[str]], page: str, names: list[str]) -> None:
    german = bundled_texts("de")
    assert [name for name in names if german[name] not in pages[page]] == []


def test_the_query_in_other_letters_and_the_german_message_arrive_whole(pages: dict[str, list[str]]) -> None:
    assert QUERY in pages["answer"]
    assert "Das System kann Ihre Anfrage leider nicht beantworten." in pages["message"]


def test_no_english_sentence_of_the_station_is_left(pages: dict[str, list[str]]) -> None:
    """The task is the domain's own, and stays in its language."""
    english = {text for text in bundled_texts("en").values() if set(re.findall(r"[a-z]+", text.lower())) & ENGLISH_ONLY}
    assert {text for texts in pages.values() for text in texts} & english == set()
