"""The conversation with a page, over the real station without a window; the page and all clocks are turned by hand."""

import itertools
import json
from types import SimpleNamespace

import numpy as np
import pytest

from curtain.audio.wav import read_wav
from curtain.link.messages import PauseShown
from curtain_browser.page_talk import CUT_NS, LEFT_NS, PageTalk
from curtain_browser.seat import PageSeat
from curtain_browser.sound import PageMicrophones
from curtain_browser.wire import PageSound
from subject_app.session.texts import texts_in
from tests.subject_app.conftest import Room

from .test_wire import sound_frame

RATE, BLOCK = 48_000, 960
NS = 1_000_000_000


class Page:
    """Keeps what it says until that is acknowledged, as ours does. Its clock is elsewhere, and its line can be cut."""

    def __init__(self, qtbot, spool, turned: SimpleNamespace) -> None:
        self.qtbot, self.turned, self.spool = qtbot, turned, spool
        self.seat = PageSeat(spool, lambda: 0.0)
        self.seat.enter(self.seat.invite())
        self.numbers, self.lines = itertools.count(1), itertools.count(1)
        self.box: dict[int, str | bytes] = {}
        self.last = self.line = self.first = 0
        self.life, self.ahead_ms = "a" * 32, 7e6
        self.chance = np.random.default_rng(5)
        self.seen: dict[str, dict] = {}
        self.mic: dict = {}
        self.begin()

    def begin(self) -> None:
        """A new start of the gateway."""
        self.sound = PageMicrophones()
        self.sound.source = SimpleNamespace(time=lambda: self.turned.s)
        self.room = Room(self.qtbot, self.spool, sound=self.sound)
        self.seat = PageSeat(self.spool, lambda: 0.0)
        now = lambda: round(self.turned.s * NS)  # noqa: E731
        self.talk = PageTalk(self.room.station, self.sound, self.seat, texts_in("en"), "en", now)
        self.talk.out = self
        self.connect()

    # As the server.

    def send(self, connection: int, frame: str | None) -> None:
        if connection != self.line:
            return
        message = json.loads(frame) if frame else {"t": "closed"}
        self.seen[message["t"]] = message
        match message["t"]:
            case "ask":
                reading = {"t": "clock", "life": self.life, "ask": message["ask"], "ms": self.ms, "last": self.last}
                self.talk.heard(connection, json.dumps(reading), round(self.turned.s * NS))
            case "welcome" | "ack":
                through = message.get("n", message.get("have"))
                self.box = {n: kept for n, kept in self.box.items() if n > through}
                first = min(self.box, default=self.last + 1)
                # A gateway that was killed hears of the microphone before what waits; else it has had that number.
                if message["t"] == "welcome" and self.mic and self.mic["n"] < first:
                    self.talk.heard(connection, json.dumps({**self.mic, "n": first - 1}), round(self.turned.s * NS))
                for kept in self.box.values() if message["t"] == "welcome" else ():
                    self.talk.heard(connection, kept, round(self.turned.s * NS))

    def done(self, connection: int) -> None:
        pass

    # As the subject.

    @property
    def ms(self) -> float:
        return self.turned.s * 1000 + self.ahead_ms

    def connect(self) -> None:
        self.line = next(self.lines)
        self.talk.opened(self.line)

    def cut(self, closed_by_page: bool = False) -> None:
        line, self.line = self.line, 0
        self.talk.gone(line, closed_by_page)
        self.until(lambda: not self.talk.here)

    def keep(self, frame: str | bytes, n: int) -> None:
        self.box[n], self.last = frame, n
        if self.line:
            self.talk.heard(self.line, frame, round(self.turned.s * NS))

    def say(self, kind: str, **fields) -> None:
        n = next(self.numbers)
        self.keep(json.dumps({"t": kind, "n": n, "ms": self.ms, **fields}), n)

    def microphone(self, **fields) -> None:
        known = {"state": "ready", "name": "m", "rate": RATE, "names": ["m"]} | fields
        self.say("mic", life=self.life, **known)
        self.mic = {"t": "mic", "n": self.last, "ms": self.ms, "life": self.life, **known}
        self.first = 0

    def hear(self, seconds: float) -> np.ndarray:
        """White noise comes to the microphone, and time goes on."""
        said = self.chance.integers(-9000, 9000, round(seconds * RATE)).astype(np.int16)
        for block in np.split(said, range(BLOCK, len(said), BLOCK)):
            self.turned.s += len(block) / RATE
            n = next(self.numbers)
            self.keep(sound_frame(PageSound(n, self.ms + n % 5, self.first, block)), n)
            self.first += len(block)
        return said

    def ask(self, seconds: float) -> np.ndarray:
        """Half a second before, the question, and half a second after it: what is heard between."""
        self.hear(0.5)
        self.say("down", by="key")
        said = self.hear(seconds)
        self.say("up")
        self.hear(0.6)
        return said

    def act(self, do: str, **fields) -> None:
        self.say("act", do=do, **fields)

    def until(self, condition) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=60_000)

    def take(self, turn: int):
        return self.room.journaled("take_saved", turn).data

    def samples(self, turn: int) -> np.ndarray:
        return read_wav(self.room.session / "audio" / f"e00-01-{turn:03}.wav").samples[:, 0]

    def assert_whole(self, turn: int, said: np.ndarray) -> None:
        take = self.take(turn)
        assert said.tobytes() in self.samples(turn).tobytes(), turn
        assert (take["lost"], take["gaps"], take["sample_rate"]) == (False, [], RATE)


@pytest.fixture(params=["speech"])
def page(qtbot, tmp_path, request):
    there = Page(qtbot, tmp_path, SimpleNamespace(s=1000.0))
    there.room.welcome(input=request.param, must_speak=request.param == "speech")
    there.until(lambda: there.seen.get("welcome", {}).get("seated"))
    there.microphone(state="opening", name="", rate=0, names=[])
    there.until(lambda: there.seen.get("view", {}).get("readiness") == "choose")
    # Who may type, too, does not begin to while the browser asks them for the microphone.
    assert there.seen["view"]["view"]["page"] == "mic_test"
    there.microphone()
    there.until(lambda: there.seen.get("view", {}).get("readiness") == "ready")
    there.act("finish_mic_test")
    there.act("finish_briefing")
    there.room.scenario(1)
    there.until(lambda: there.seen["view"]["view"]["talking_allowed"])
    yield there
    there.room.close()


@pytest.mark.parametrize("page", ["speech", "both"], indirect=True)
def test_a_question_is_kept_sample_for_sample_and_acknowledged_when_it_is_safe(page):
    said = page.ask(0.8)
    page.take(1)
    # No acknowledgement came through: it is sent again, and not done again.
    page.cut()
    page.connect()
    page.assert_whole(1, said)
    page.until(lambda: not setattr(page.turned, "s", page.turned.s + 0.1) and not page.box)
    assert page.room.types().count("key_down") == 1
    found = page.room.journaled("device_found").data
    assert (found["name"], found["sample_rate"]) == ("m", RATE)
    assert page.room.journaled("key_down", 1).data["error_ns"] == 0


@pytest.mark.parametrize("cut_s", [6.0, 70.0])
def test_holding_and_speaking_go_on_while_the_line_is_cut(page, cut_s):
    page.hear(0.5)
    page.say("down", by="key")
    first = page.hear(0.6)
    page.cut()
    second = page.hear(cut_s / 2)
    page.say("up")
    page.hear(1.0)
    other = page.ask(cut_s / 2)
    page.connect()
    page.assert_whole(1, np.concatenate([first, second]))
    page.assert_whole(2, other)
    assert page.room.types().count("device_lost") == 0


@pytest.mark.parametrize(("closed", "after_ns"), [(True, LEFT_NS), (False, CUT_NS)])
def test_a_tab_that_is_gone_while_the_key_is_held_ends_the_hold(page, closed, after_ns):
    page.hear(0.5)
    page.say("down", by="key")
    page.hear(0.8)
    page.room.journaled("key_down", 1)
    page.cut(closed)
    page.turned.s += after_ns / NS + 1
    assert page.room.journaled("key_up", 1).data["ended_by"] == "page_left"
    assert page.take(1)["lost"]


def test_a_killed_gateway_keeps_what_was_done_and_takes_what_the_page_still_has(page):
    page.assert_whole(1, page.ask(0.5))
    # It was killed before it could say what is safe; meanwhile the page goes on.
    page.cut()
    again = page.ask(0.6)
    page.room.close()
    page.begin()
    page.room.welcome(journal_have=0)
    page.assert_whole(2, again)
    assert [page.room.types().count(kind) for kind in ("key_down", "take_saved")] == [2, 2]


def test_the_wizard_hears_that_the_screen_is_away_and_what_is_on_it(page):
    page.until(lambda: 1 in page.room.link.acks)
    page.cut()
    page.room.tell(PauseShown, seq=2, paused=True)
    page.until(lambda: "screen" in page.room.station.absent)
    assert 2 not in page.room.link.acks
    page.connect()
    page.until(lambda: 2 in page.room.link.acks and "screen" not in page.room.station.absent)


def test_the_last_page_is_confirmed_behind_what_was_said_before_and_then_the_seat_is_free(page):
    page.cut()
    said = page.ask(0.5)
    page.room.over(2)
    # All that the station has is safe; the page has more.
    page.room.station.on_acked(99)
    page.connect()
    page.assert_whole(1, said)
    page.until(lambda: 2 in page.room.link.acks)
    page.room.safe("e00-01-001", page.take(1)["sha256"])
    page.room.station.on_acked(len(page.room.entries))
    page.until(lambda: page.seen.get("bye") == {"t": "bye", "why": "over"})
    assert page.seat.kept.box == ""


@pytest.mark.parametrize("frame", [b"x", "{"])
def test_a_frame_that_no_page_sends_ends_the_connection_and_nothing_else(page, frame):
    page.talk.heard(page.line, frame, 0)
    page.until(lambda: "closed" in page.seen)
    page.connect()
    page.assert_whole(1, page.ask(0.5))
