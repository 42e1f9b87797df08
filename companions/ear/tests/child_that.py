"""A child that hears what its orders say, without a model: `python child_that.py`.

A recording is heard as its own bytes. The file “hang” is never answered, and at the file “die” the child ends.
"""

import sys
import time
from pathlib import Path

import msgspec

from curtain.base.hearing import HeardWord, Hearing
from curtain.base.piped_process import read_frame, write_frame
from curtain_ear.transcriber import Align, Expect, Hear, HearMore, Listen, Transcription


def heard(*words: str) -> Transcription:
    return Transcription(hearing=Hearing(tuple(HeardWord(word, 0.0, 1.0, 1.0) for word in words), "fake", "1"))


grown: dict[int, int] = {}
expected: list[str] = []
while (frame := read_frame(sys.stdin.buffer)) is not None:
    order = msgspec.msgpack.decode(frame, type=Listen | Expect | HearMore | Hear | Align)
    answer = heard()
    if isinstance(order, Listen) and Path(order.folder).name == "broken":
        answer = Transcription(problem="The model is broken.")
    elif isinstance(order, Expect):
        expected = list(order.texts)
    elif isinstance(order, HearMore):
        grown[order.key] = len(order.samples) + (0 if order.begins else grown[order.key])
        answer = heard(str(grown[order.key]))
    elif isinstance(order, Align):
        answer = heard(*order.words)
    elif isinstance(order, Hear):
        name = Path(order.path).name
        if name == "die":
            break
        time.sleep(3600 if name == "hang" else 0)
        answer = heard(name, *expected, *([str(grown.pop(order.key))] if order.key in grown else []))
    write_frame(sys.stdout.buffer, answer)
