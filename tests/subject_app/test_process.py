"""The real station as a process, over a real socket, driven by its own keys."""

import os
import signal
import subprocess
import sys
import wave

import pytest

from curtain.audio.wav import read_header
from curtain.base.table import Table
from tests.stories.sounds import tone
from tests.support.driven_station import DrivenStation, pause, silent_wav
from tests.support.fake_wizard import IDENTITY, FakeWizard

pytestmark = pytest.mark.stations

TABLE = Table(headings=["Name"], rows=[["Ada"]], numeric=[False], total=1)


class Place:
    """One wizard's end, and subject's stations that come and go."""

    def __init__(self, folder, qtbot):
        self.folder, self.qtbot = folder, qtbot
        self.wizard = FakeWizard()
        self.name = f"test-{os.getpid()}"
        self.wizard.listen(self.name)
        self.stations = []

    @property
    def spool(self):
        return self.folder / "spool"

    @property
    def session(self):
        return self.spool / f"e00-01-{IDENTITY}"

    def start(self, *more):
        wav = silent_wav(self.folder / "silence.wav")
        self.stations.append(
            DrivenStation(
                "subject",
                ["--connect", self.name, "--spool", str(self.spool), "--mic-file", str(wav), *more],
                self.folder / "subject.txt",
                {"QT_QPA_PLATFORM": "offscreen"},
            )
        )
        return self.stations[-1]

    def start_and_settle(self, *more):
        subject = self.start(*more)
        subject.until(state="mic_test", microphone="ready")
        subject.must(do="cue", wav=str(tone(self.folder, 1.0)))
        subject.must(do="press", key="Space")
        pause(300)
        subject.must(do="release", key="Space")
        subject.until("mic_continue", enabled=True)
        subject.must(do="keys", keys="Return")
        subject.until(state="briefing")
        subject.must(do="keys", keys="Return")
        # Before the first task is on the screen the key is off, and looks it.
        subject.until(state="one_moment")
        self.wizard.scenario("Find Ada.")
        subject.until(state="idle")
        subject.until("scenario", text="Find Ada.")
        return subject

    def until(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()))

    def close(self):
        for station in self.stations:
            station.kill()
        self.wizard.link.close()


@pytest.fixture
def place(qtbot, tmp_path):
    made = Place(tmp_path, qtbot)
    yield made
    made.close()


def test_a_whole_session_by_keys_alone_over_a_pause_in_mid_speech_and_a_kill(place):
    subject = place.start_and_settle("--keep-days", "1")
    texts = subject.must(do="texts")["texts"]
    assert "Find Ada." in texts
    # The window holds no path, and nothing but the words of the session.
    assert not [text for text in texts if str(place.folder) in text or "/" in text or "SELECT" in text]
    # A pause while the key is held cuts nothing off, and the release ends the take.
    subject.must(do="press", key="Space")
    subject.until(state="listening")
    pause(300)
    place.wizard.pause(True)
    subject.until(state="paused")
    subject.must(do="release", key="Space")
    place.until(lambda: "e00-01-001" in place.wizard.safe)
    place.wizard.pause(False)
    subject.until(state="one_moment", turn=1)
    assert "take_cancelled" not in place.wizard.types()
    place.wizard.query(1, "where is ada")
    place.wizard.answer(1, TABLE)
    subject.until(state="idle", turn=1, shown_turn=1)
    assert place.wizard.types(1)[:2] == ["key_down", "key_up"]
    assert {"take_saved", "painted"} <= set(place.wizard.types(1))
    # Killed while the subject speaks, it goes on where it was.
    subject.must(do="press", key="Space")
    subject.until(state="listening")
    pause(600)
    subject.kill()
    again = place.start("--keep-days", "1")
    again.until(state="one_moment", turn=2, link="up")
    again.until("query", text="where is ada")
    place.until(lambda: "e00-01-002" in place.wizard.safe)
    recovered = next(entry for entry in place.wizard.entries if entry.type == "take_recovered")
    assert recovered.turn == 2
    assert recovered.data["frames"] >= 16000 * 0.6
    assert place.wizard.hellos[-1].epoch == 2
    with wave.open(str(place.session / "audio" / "e00-01-002.wav")) as file:
        assert file.getnframes() == recovered.data["frames"]
    assert read_header(place.wizard.audio["e00-01-002"])
    place.wizard.message(2, "Please say that again.")
    again.until(state="idle", shown_turn=2)
    place.wizard.end()
    again.until(state="closing")
    place.until((place.session / "closed").exists)
    assert b"".join(place.wizard.lines) == (place.session / "subject.events.jsonl").read_bytes()
    assert again.quit() == 0
    assert b"Traceback" not in again.log.read_bytes()
    place.until(lambda: place.wizard.goodbyes == 1)


def test_a_polite_end_from_outside_keeps_what_is_being_said(place):
    subject = place.start_and_settle()
    subject.must(do="press", key="Space")
    subject.until(state="listening")
    pause(400)
    subject.process.send_signal(signal.SIGTERM)
    assert subject.quit() == 0
    with wave.open(str(place.session / "audio" / "e00-01-001.wav")) as file:
        assert file.getnframes() >= 16000 * 0.6
    assert b"take_saved" in (place.session / "subject.events.jsonl").read_bytes()
    again = place.start()
    again.until(state="one_moment", turn=1, link="up")
    # Whoever drives ends a running session without being asked.
    assert again.quit() == 0


BAD_STARTS = [
    (["--mic-file", "bad.wav"], "bad.wav"),
    (["--connect", "a name with spaces"], "is no name for the link"),
    (["--unknown"], "unrecognized arguments"),
]


@pytest.mark.parametrize("arguments, sentence", BAD_STARTS, ids=[" ".join(case[0]) for case in BAD_STARTS])
def test_a_bad_start_ends_with_one_plain_sentence(tmp_path, arguments, sentence):
    (tmp_path / "bad.wav").write_bytes(b"this is no sound")
    run = subprocess.run(
        [sys.executable, "-m", "subject_app", *arguments, "--spool", "spool"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert run.returncode == 2
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr
