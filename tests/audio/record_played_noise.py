"""Plays a WAV on the default output and records the default microphone meanwhile; run where the two are one.

At the end it kills the sound server in the middle of a second take, as if the microphone were unplugged.
Arguments: the WAV, the take to make. Tells what happened as one JSON line.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from curtain.audio.devices import list_microphones, list_outputs
from curtain.audio.outputs import choose_output
from curtain.audio.playback import Player, PlayerListener
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import DeviceSource


class Heard(RecorderListener):
    def __init__(self) -> None:
        self.first, self.pre_roll = threading.Event(), threading.Event()
        self.lost = threading.Event()
        self._blocks = 0

    def on_first_block(self):
        self.first.set()

    def on_level(self, dbfs, clipped):
        self._blocks += 1
        if self._blocks == 40:
            self.pre_roll.set()

    def on_lost(self, reason):
        self.lost.set()


class Played(PlayerListener):
    def __init__(self) -> None:
        self.started_at = 0.0
        self.over, self.output_lost = threading.Event(), threading.Event()

    def on_started(self, wav):
        self.started_at = time.monotonic()

    def on_finished(self, wav, to_the_end):
        self.over.set()

    def on_output_lost(self, reason):
        self.output_lost.set()


def unplug(recorder, heard, played, path):
    recorder.begin(path, recorder.time())
    killed_at = time.monotonic()
    os.kill(int(os.environ["CURTAIN_TEST_SOUND_SERVER"]), signal.SIGKILL)
    assert heard.lost.wait(10) and played.output_lost.wait(10)
    noticed_at = time.monotonic()
    cut_short = recorder.end(recorder.time()).result(60)
    recorder.close()
    return {
        "noticed_ms": 1000 * (noticed_at - killed_at), "closed_ms": 1000 * (time.monotonic() - noticed_at),
        "cut_short": cut_short.lost, "cut_short_frames": cut_short.frames,
    }  # fmt: skip


def main(wav: Path, path: Path) -> None:
    heard, played = Heard(), Played()
    recorder = Recorder(DeviceSource(), heard)
    player = Player(choose_output(None), played)
    opening = time.monotonic()
    recorder.open()
    assert heard.first.wait(10)
    opened = time.monotonic()
    player.open()
    assert heard.pre_roll.wait(10)
    pressed_at = recorder.time()
    recorder.begin(path, pressed_at)
    asked = time.monotonic()
    player.play(wav)
    assert played.over.wait(20)
    threading.Event().wait(0.3)  # what the output still has in hand
    released_at = recorder.time()
    take = recorder.end(released_at).result(60)
    tail_over = time.monotonic()
    shown = {
        "path": str(take.path),
        "frames": take.frames,
        "rate": take.sample_rate,
        "channels": take.channels,
        "gaps": take.gaps,
        "held_s": released_at - pressed_at,
        "open_ms": 1000 * (opened - opening),
        "start_ms": 1000 * (played.started_at - asked),
        "saved_after_release_ms": 1000 * (tail_over - released_at),
        "microphones": [each.name for each in list_microphones()],
        "outputs": [each.name for each in list_outputs()],
        "microphone": recorder.microphone,
        "silent": player.output.silent,
    }
    shown |= unplug(recorder, heard, played, path.with_name("cut-short.wav"))
    player.close()
    print(json.dumps(shown))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
