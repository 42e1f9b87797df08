"""A whole session of a subject in headless Chromium, with the wizard's real window and the gateway that it starts."""

import shutil
from pathlib import Path

import pytest

from curtain.audio.wav import read_wav
from curtain.rehearsal.player import begin_session, end_session, press_talk_key
from tests.stories.test_sleep_and_spare import answer, ask_and_answer, assert_whole

from .browsers import Chromium
from .page_subject import RATE, SPOKEN_S, browser_session, is_noise

pytestmark = [
    pytest.mark.stations,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium: tools/prepare.sh browser chromium"),
]
REFUSED = "!document.getElementById('page-gone').hidden && document.getElementById('gone').textContent"
CALLED = """new Promise((is) => { const socket = new WebSocket('%spage'.replace('http', 'ws'));
  socket.onopen = () => is(true); socket.onerror = () => is(false); })"""


def test_a_session_in_a_browser_keeps_every_question_and_lets_nobody_else_in(tmp_path: Path) -> None:
    with browser_session(tmp_path) as (stage, browser, link):
        begin_session(stage, "c00")
        at = link.partition("#")[0]
        assert browser.run("[location.href, document.cookie]") == [at, ""]
        ask_and_answer(stage, 1)
        with Chromium(tmp_path / "visitor") as visitor:
            visitor.go(link)
            assert visitor.until(REFUSED).startswith("This link has been used")
        # Another page takes the place of ours while the key is held; it is in the browser that has the cookie.
        press_talk_key(stage)
        stage.voice(stage.sounds[2])
        browser.go("data:text/html,a hostile page")
        assert browser.run(CALLED % at) is browser.run(f"fetch('{at}').then(() => true, () => false)") is False
        browser.go(at)
        answer(stage, 2)
        ask_and_answer(stage, 3)
        folder = end_session(stage)
        assert browser.until("document.getElementById('kept').textContent").startswith("Everything has arrived")
        assert browser.run("indexedDB.databases().then((kept) => kept.length)") == 0
        assert browser.run(CALLED % at) is False
        wavs = [read_wav(folder / str(turn.as_json()["audio"])) for turn in assert_whole(folder, 3)]
        assert all(wav.sample_rate == RATE and len(wav.samples) > SPOKEN_S * RATE for wav in wavs)
        # On a starved machine Chromium itself loses blocks of its device, and then not every take is whole.
        assert any(is_noise(wav.samples[:, 0]) for wav in wavs)
