"""A whole session of a subject in headless Chromium, with the wizard's real window and the gateway that it starts."""

import shutil
import threading
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest

from curtain.rehearsal.player import begin_session, end_session, press_talk_key
from tests.stories.test_sleep_and_spare import answer, ask_and_answer, assert_whole

from .browsers import Chromium
from .page_subject import RATE, SPOKEN_S, assert_lost_by_chromium, browser_session, takes_of

pytestmark = [
    pytest.mark.stations,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium: tools/prepare.sh browser chromium"),
]


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
