"""Records from a replayed WAV until it is killed, and tells on standard output what it has heard so far.

Arguments: the WAV to replay, the take to make. Lines: `first <stream time of the take's first frame>`,
`heard <stream time up to which the source has delivered>`.
"""

import os
import sys
import threading
from pathlib import Path

from curtain.audio.open_take import PRE_ROLL_S
from curtain.audio.recorder import Recorder, RecorderListener
from curtain.audio.sources import ReplaySource


def tell(word: str, time: float) -> None:
    os.write(1, f"{word} {time!r}\n".encode())


class TellingSource(ReplaySource):
    def start(self, on_block, on_lost):
        def tell_and_pass_on(block):
            tell("heard", block.captured_at + len(block.samples) / self.sample_rate)
            on_block(block)

        super().start(tell_and_pass_on, on_lost)


class Waiting(RecorderListener):
    def __init__(self) -> None:
        self.levels = 0
        self.enough = threading.Event()

    def on_level(self, dbfs, clipped):
        self.levels += 1
        if self.levels > 20:
            self.enough.set()


def main(wav: Path, take: Path) -> None:
    listener = Waiting()
    recorder = Recorder(TellingSource(wav), listener)
    recorder.open()
    listener.enough.wait()
    pressed_at = recorder.time()
    tell("first", pressed_at - PRE_ROLL_S)
    recorder.begin(take, pressed_at)
    threading.Event().wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
