"""The real station as a process: ended politely while somebody speaks, and started badly.

What a kill leaves of a session is told in tests/stories/test_kills.py."""

import os
import signal
import subprocess
import sys
import threading
import wave

import pytest

from tests.stories.kills import Place, Story

pytestmark = pytest.mark.stations


def test_a_polite_end_from_outside_keeps_what_is_being_said(tmp_path):
    story = Story(Place.make(tmp_path, drafts=False))
    try:
        story.begin()
        subject, spooled = story.subject, story.disks.spooled
        subject.wait("window", state="idle")
        subject.ask("press", key="Space")
        subject.wait("window", state="listening")
        threading.Event().wait(0.4)
        subject.process.send_signal(signal.SIGTERM)
        assert subject.quit() == 0
        with wave.open(str(spooled / "audio" / "k00-01-001.wav")) as file:
            assert file.getnframes() >= 16000 * 0.6
        assert b"take_saved" in (spooled / "subject.events.jsonl").read_bytes()
        story.stations["subject"] = again = story.place.start("subject", resume=True)
        again.wait("window", state="one_moment", turn=1, link="up")
        # Whoever drives ends a running session without being asked.
        assert again.quit() == 0 and b"Traceback" not in again.log.read_bytes()
    finally:
        story.quit()


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
