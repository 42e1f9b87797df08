"""Whole sessions of a subject in Chromium and Firefox, with the wizard's real window and the gateway that it starts."""

import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

import numpy as np
import pytest
import soundfile

from curtain.rehearsal.player import begin_session, end_session, press_talk_key
from curtain.rehearsal.stage import StepSound, wait_s
from tests.stories.test_sleep_and_spare import answer, ask_and_answer, assert_whole
from tests.support.virtual_microphone import missing_programs, virtual_microphone

from .browsers import Chromium, Firefox
from .page_subject import NOISE, RATE, SPOKEN_S, assert_lost_by_chromium, browser_session, lost_in, takes_of

pytestmark = [pytest.mark.stations]
needs_chromium = pytest.mark.skipif(
    shutil.which("chromium") is None, reason="needs Chromium: tools/prepare.sh browser chromium"
)


class Hostile(StreamRequestHandler):
    """Gives a page to everybody, and keeps what it receives."""

    def handle(self):
        self.server.received.append(self.request.recv(65536))
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<body>a hostile page")


REFUSED = "!document.getElementById('page-gone').hidden && document.getElementById('gone').textContent"
SEAT = "localStorage.getItem('curtain-seat')"
CALLED = """new Promise((is) => { const socket = new WebSocket('%spage/%s'.replace('http', 'ws'));
  socket.onopen = () => is(true); socket.onerror = () => is(false); })"""
FRAMED = """new Promise((is) => { const frame = document.createElement('iframe'); frame.src = '%s';
  frame.onload = () => is(frame.contentDocument !== null); document.body.append(frame); })"""


@needs_chromium
def test_a_session_in_a_browser_keeps_every_question_and_lets_nobody_else_in(tmp_path: Path) -> None:
    with browser_session(tmp_path) as (stage, browser, link):
        begin_session(stage, "c00")
        at = link.partition("#")[0]
        assert browser.run("[location.href, document.cookie]") == [at, ""]
        briefing = browser.run("document.getElementById('briefing-how').textContent")
        assert briefing.startswith("Hold SPACE or the button on the screen while")
        ask_and_answer(stage, 1)
        with Chromium(tmp_path / "visitor") as visitor:
            visitor.go(link)
            assert visitor.until(REFUSED).startswith("This link has been used")
        # A page of another server on this computer takes the place of ours while the key is held. It is in the browser
        # that has the cookie, and knows even where that is sent.
        press_talk_key(stage)
        stage.voice(stage.sounds[2])
        seat = browser.run(SEAT)
        with ThreadingTCPServer(("127.0.0.1", 0), Hostile) as hostile:
            hostile.received, hostile.daemon_threads = [], True
            threading.Thread(target=hostile.serve_forever, daemon=True).start()
            browser.go(f"http://127.0.0.1:{hostile.server_address[1]}/page/")
            assert browser.run(CALLED % (at, seat)) is False
            assert browser.run(f"fetch('{at}').then(() => true, () => false)") is False
            assert browser.run(FRAMED % at) is False
            assert b"GET /page/" in hostile.received[0]
            assert not any(b"Cookie" in one for one in hostile.received)
            hostile.shutdown()
        browser.go(at)
        answer(stage, 2)
        ask_and_answer(stage, 3)
        folder = end_session(stage)
        assert browser.until("document.getElementById('kept').textContent").startswith("Everything has arrived")
        assert browser.run("indexedDB.databases().then((kept) => kept.length)") == 0
        assert browser.run(SEAT) is None
        assert browser.run(CALLED % (at, seat)) is False
        stage.wizard.wait("link_lamp", text="not connected")
        stage.wizard.wait("station_link", text={"contains": "#"})
        assert_whole(folder, 3)
        assert all(assert_lost_by_chromium(take) > SPOKEN_S * RATE for take in takes_of(folder))


@needs_chromium
@pytest.mark.soak
def test_every_question_is_kept_over_dead_lines_killed_pages_and_killed_gateways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[3] / "bench")])
    import browser_kills

    kept = browser_kills.play(tmp_path, rounds=8)
    for number, take in enumerate(kept.takes):
        # A dead line costs nothing; who was killed had not kept the last half second at most.
        least = SPOKEN_S / 2 if number % 3 else browser_kills.DEAD_S
        assert assert_lost_by_chromium(take) > least * RATE
    assert assert_lost_by_chromium(kept.last) > SPOKEN_S / 2 * RATE
    assert max(kept.held_s) < 30


MISSING = [*missing_programs(), *(["firefox-esr"] if shutil.which("firefox-esr") is None else [])]
MIC_RATE, TURNS, BLOCK = 48_000, 6, 1024


@pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}: tools/prepare.sh browser firefox-esr")
@pytest.mark.soak
def test_takes_of_firefox_hold_what_was_played(tmp_path: Path) -> None:
    # PulseAudio gives the beginning of what it plays twice at times.
    soundfile.write(
        tmp_path / "said.wav", np.concatenate([np.zeros(MIC_RATE // 2, np.int16), NOISE[:MIC_RATE]]), MIC_RATE
    )
    with virtual_microphone(MIC_RATE) as sound:
        pactl = partial(subprocess.run, env=sound, check=True, timeout=60)
        pactl(["pactl", "upload-sample", tmp_path / "said.wav", "said"])

        def say(_: StepSound) -> None:
            pactl(["pactl", "play-sample", "said"])
            wait_s(1.5)

        with browser_session(tmp_path, lambda at, _noise: Firefox(at, **sound)) as (stage, _, _):
            stage.voice = say
            begin_session(stage, "f00")
            for turn in range(1, TURNS + 1):
                ask_and_answer(stage, turn)
            folder = end_session(stage)
    assert_whole(folder, TURNS)
    takes = [np.trim_zeros(take) for take in takes_of(folder)]
    lost = [lost_in(take) for take in takes]
    assert all(len(take) > 0.9 * MIC_RATE for take in takes)
    # What we lose are whole blocks of the page, and we put in no silence that is not listed.
    assert not [frames for one in lost for frames in one.skipped if frames % BLOCK == 0]
    if starved := [one for one in lost if one != ([], [])]:
        pytest.skip(f"The sound server was starved: {len(starved)} of {TURNS} takes are not whole.")
