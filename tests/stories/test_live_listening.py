"""The wizard hears a question while it is spoken: two real stations, a replayed microphone, and the key still down."""

from pathlib import Path

import pytest

from curtain.rehearsal.player import begin_session, end_session, send_query
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations, wait_s
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.study.study import new_study
from tests.stories.sounds import tone
from tests.support.studies import without_drafts

pytestmark = [pytest.mark.stations]


def test_speech_is_heard_before_the_key_is_released_and_does_not_play_again_by_itself(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel", scenarios=["complaint"], practice="none", take_back_s=0).folder
    plan = RehearsalPlan(script=tmp_path, domain="personnel", study=without_drafts(study), headless=True)
    with two_stations(plan, study, tmp_path) as stage:
        sound = StepSound(tone(tmp_path, seconds=1.0), 1.0)
        stage.sounds = {0: sound}
        begin_session(stage, "r00")
        assert hold_and_speak(stage, sound, listen_live=True) == (True, "speaking now")
        stage.wizard.wait("window", turn=1, state="transcribe")
        stage.wizard.wait("window", live_turn=0)
        send_query(stage.wizard, "who is it")
        stage.wizard.keys("Ctrl+M")
        stage.wizard.wait("message_filter", focus=True)
        stage.wizard.type("3")
        stage.subject.wait("window", shown_turn=1)
        bundle = Bundle(end_session(stage))
    heard = [entry for entry in read_journal(bundle.wizard_journal).entries if entry.type == "heard"]
    assert [(entry.turn, entry.data.get("live")) for entry in heard] == [(1, True)]


def hold_and_speak(stage: Stage, sound: StepSound, listen_live: bool) -> tuple[bool, str]:
    """Speaks with the key down, and looks at the wizard's window before it is released."""
    stage.subject.ask("press", key="Space")
    stage.subject.wait("window", state="listening")
    stage.subject.ask("cue", wav=str(sound.wav))
    if listen_live:
        stage.wizard.wait("window", live_turn=1)
    else:
        # As long as the sound lasts: live sound would have come by then.
        wait_s(sound.seconds)
    live, shown = stage.wizard.has("window", live_turn=1), stage.wizard.text_of("listening")
    assert stage.subject.has("window", state="listening")
    wait_s(sound.seconds)
    stage.subject.ask("release", key="Space")
    return live, shown
