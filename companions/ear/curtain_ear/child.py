"""The process in which speech is recognised: `python -m curtain_ear.child`, which `transcriber` starts and
watches."""

import os
import sys

import msgspec

from curtain.base.clock import steady_s
from curtain.base.piped_process import ToParent
from curtain_ear.transcriber import Align, Expect, Hear, HearMore, Listen, Transcription


def main() -> None:
    """Does one order after the other until the input ends."""
    parent = ToParent(Listen | Expect | HearMore | Hear | Align)
    opening = parent.next_order()
    from curtain_ear.whisper import BadModel, LoadedWhisper

    try:
        ear = LoadedWhisper(opening)
    except BadModel as error:
        parent.say(Transcription(problem=str(error)))
        return
    _give_way()
    parent.say(Transcription())
    while True:
        order, began = parent.next_order(), steady_s()
        try:
            heard = ear.obey(order)
        except OSError as error:
            parent.say(Transcription(problem=f"The recording cannot be read: {str(error).rstrip('.')}."))
        else:
            timed = msgspec.structs.replace(heard, decoding_s=steady_s() - began)
            parent.say(Transcription(hearing=timed))


def _give_way() -> None:
    """Sound, keys and paint come first: the lowest priority, beside the few threads of `whisper.threads`."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(19)


if __name__ == "__main__":
    main()
