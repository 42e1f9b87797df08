"""The wizard hears a question while it is spoken: two real stations, a replayed microphone, and the key still down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from curtain.rehearsal.player import begin_session, end_session, send_query
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, two_stations, wait_s
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.study.study import new_study
from tests.stories.sounds import tone
from tests.support.studies import without_drafts

pytestmark = [pytest.mark.stations]


@dataclass(frozen=True)
class LiveSession:
    """Whether the wizard's window told of live speech while the key was down, and both journals of the turn."""

    live_while_held: bool
    told: str
    wizard: list[Any]
    subject: list[Any]


def play(folder: Path, listen_live: bool) -> LiveSession:
    study = without_drafts(new_study(folder / "study", "personnel", scenarios=["complaint"], practice="none").folder)
    if not listen_live:
        settings = (study / "study.toml").read_text("utf-8")
        (study / "study.toml").write_text(settings.replace("listen_live = true", "listen_live = false"), "utf-8")
    plan = RehearsalPlan(script=folder, domain="personnel", study=study, headless=True)
    with two_stations(plan, study, folder) as stage:
        sound = StepSound(tone(folder, seconds=1.0), 1.0)
        stage.sounds = {0: sound}
        begin_session(stage, "r00")
        live, told = hold_and_speak(stage, sound, listen_live)
        stage.wizard.wait("window", turn=1, state="transcribe")
        if listen_live:
            stage.wizard.wait("window", live_turn=0)
        else:
            # The recording plays by itself, and is journaled as heard.
            stage.wizard.wait("listening", text={"contains": " of "})
        send_query(stage.wizard, "who is it")
        stage.wizard.keys("Ctrl+M")
        stage.wizard.wait("message_filter", focus=True)
        stage.wizard.type("3")
        stage.subject.wait("window", shown_turn=1)
        bundle = Bundle(end_session(stage))
    return LiveSession(
        live, told, list(read_journal(bundle.wizard_journal).entries),
        list(read_journal(bundle.subject_journal).entries),
    )  # fmt: skip


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
    live, told = stage.wizard.has("window", live_turn=1), stage.wizard.text_of("listening")
    assert stage.subject.has("window", state="listening")
    wait_s(sound.seconds)
    stage.subject.ask("release", key="Space")
    return live, told


def of_type(entries: list[Any], kind: str) -> list[Any]:
    return [entry for entry in entries if entry.type == kind]


def test_speech_is_heard_before_the_key_is_released_and_does_not_play_again_by_itself(tmp_path: Path) -> None:
    session = play(tmp_path, listen_live=True)
    assert session.live_while_held
    assert session.told == "speaking now"
    heard = of_type(session.wizard, "heard")
    assert [(entry.turn, entry.data.get("live")) for entry in heard] == [(1, True)]


def test_without_the_setting_nothing_is_heard_before_the_key_is_released(tmp_path: Path) -> None:
    session = play(tmp_path, listen_live=False)
    assert not session.live_while_held and session.told == ""
    heard = of_type(session.wizard, "heard")
    assert [(entry.turn, bool(entry.data.get("live"))) for entry in heard] == [(1, False)]
