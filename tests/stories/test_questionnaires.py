"""Questionnaires with the real stations: filled in by keys, through a kill, up to the offer to withdraw.

The wizard hears the question of this session while it is spoken."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from curtain.commands.people.consent import list_consents
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.rehearsal.player import answer_item, begin_session, end_session, play_step, send_query
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, StepSound, replay_into
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.languages import bundled_texts
from curtain_corpora.commands.questionnaires import list_scores
from tests.stories.kept import await_on_disk
from tests.stories.kills import Place, write_noise
from tests.stories.sounds import hold_and_speak, tone
from tests.support.studies import short_study

pytestmark = [pytest.mark.stations]

ASKED = ("sus", "nasa-tlx")
LOAD = dict.fromkeys(("mental", "physical", "temporal", "performance", "effort", "frustration"), "55")
SUS = {f"q{number}": "4" if number % 2 else "2" for number in range(1, 11)}
FIRST, REST = dict(list(SUS.items())[:4]), dict(list(SUS.items())[4:])
WHO = bundled_texts("en")["disclosure"]


@dataclass(frozen=True)
class Filled:
    """What the screens and the files said of a session whose subject filled in forms."""

    bundle: Bundle
    study: Path
    early: list[str]
    last: list[str]
    notice: str
    closing: str
    spoken: tuple[bool, str]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("forms")
    study = short_study(folder / "study", questionnaires=str(list(ASKED)), disclose="true")
    place = Place(folder, f"forms-{folder.parent.name}-{folder.name}"[-40:])
    write_noise(place.silence, 0.02, None)
    sound = StepSound(tone(folder), 0.5)
    with place.start("wizard") as wizard, place.start("subject") as subject:
        stage = Stage(wizard, subject, replay_into(subject), sounds={0: sound, 1: sound})
        begin_session(stage, "f00")
        spoken = hold_and_speak(stage, sound, listen_live=True)
        wizard.wait("window", turn=1, state="transcribe")
        wizard.wait("window", live_turn=0)
        send_query(wizard, "who is there")
        wizard.keys("Ctrl+M")
        wizard.wait("message_filter", focus=True)
        wizard.type("3")
        subject.wait("window", shown_turn=1)
        play_step(stage, 2, ScriptStep(do="end"))
        wizard.wait("window", open_forms=2)
        notice = wizard.text_of("notice_text")
        subject.wait("window", form="sus")
        early = subject.ask("texts")["texts"]
        for item, value in FIRST.items():
            answer_item(subject, item, value)
        # What was pressed in the very moment of a kill is given again.
        journals = lambda: place.spool.rglob("subject.events.jsonl")  # noqa: E731
        await_on_disk(lambda: any('"q4":"2"' in path.read_text("utf-8") for path in journals()), subject)
        subject.kill()
        with place.start("subject") as subject:
            stage.subject = subject
            play_step(stage, 3, ScriptStep(do="form", id="sus", values=REST))
            subject.wait("window", form="disclosure")
            last = subject.ask("texts")["texts"]
            play_step(stage, 4, ScriptStep(do="form", id="disclosure", values={"data": "withdraw"}))
            wizard.wait("window", open_forms=0)
            play_step(stage, 5, ScriptStep(do="wizard_form", id="nasa-tlx", values=LOAD))
            bundle = Bundle(end_session(stage))
            closing = wizard.text_of("closing_message")
    return Filled(bundle, study, early, last, notice, closing, spoken)


def test_speech_is_heard_before_the_key_is_released_and_does_not_play_again_by_itself(filled: Filled) -> None:
    assert filled.spoken == (True, "speaking now")
    heard = [entry for entry in filled.bundle.read_wizard_journal().entries if entry.type == "heard"]
    assert [(entry.turn, entry.data.get("live")) for entry in heard] == [(1, True)]


def test_the_wizard_reads_that_the_subject_is_busy(filled: Filled) -> None:
    assert "The subject fills in: " in filled.notice


def test_no_answer_is_lost_though_the_station_was_killed_half_way(filled: Filled) -> None:
    lines = filled.bundle.read_subject_journal().entries
    given = [line.data for line in lines if line.type == "form_filled" and line.data["form"] == "sus"]
    assert {item: value for line in given for item, value in line["values"].items()} == SUS
    assert [line.get("complete", True) for line in given].count(True) == 1


def test_the_subject_learns_who_answered_after_the_last_question_and_not_before(filled: Filled) -> None:
    assert WHO in filled.last
    assert not any("another room" in text or "listened" in text for text in filled.early)


def test_a_subject_who_withdraws_is_named_to_the_wizard_at_the_end(filled: Filled) -> None:
    assert "withdraws" in filled.closing and "curtain forget" in filled.closing
    assert [str(problem) for problem in filled.bundle.verify()] == []


def test_the_wizard_fills_in_a_form_of_his_own_on_the_closing_page(filled: Filled) -> None:
    session = read_session(filled.bundle.path)
    assert dict(session.wizard_questionnaire) == {f"nasa-tlx.{item}": value for item, value in LOAD.items()}
    assert session.scores == {"sus": 75.0, "nasa-tlx": 55.0}


def test_whoever_withdrew_is_listed_with_the_command_that_erases(
    filled: Filled, capsys: pytest.CaptureFixture[str]
) -> None:
    list_consents(filled.study)
    listed = capsys.readouterr().out
    assert "withdrawn at the end of the session" in listed
    assert f"curtain forget {filled.study} f00" in " ".join(listed.split())
    list_scores([filled.study], Filters(live=True))
    assert "75" not in capsys.readouterr().out


def test_no_export_takes_the_session_of_a_subject_who_withdrew(filled: Filled) -> None:
    corpus = open_corpus([filled.study], Filters(live=True, with_consent=False))
    assert list(corpus.sessions()) == []
    assert corpus.counts.dropped["the subject withdrew"] == 1
