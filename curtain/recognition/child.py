"""The process in which speech is recognised: `python -m curtain.recognition.child`, which `transcriber` starts and
watches."""

from __future__ import annotations

import os
import sys

import msgspec

from curtain.base.clock import steady_s
from curtain.base.piped_process import read_frame, write_frame
from curtain.recognition.transcriber import Align, Expect, Hear, HearMore, Listen, Transcription


def main() -> None:
    """Does one order after the other until the input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    opening = read_frame(sys.stdin.buffer)
    if opening is None:
        return
    from curtain.recognition.whisper import BadModel, Ear

    try:
        ear = Ear(msgspec.msgpack.decode(opening, type=Listen))
    except BadModel as fault:
        write_frame(replies, Transcription(fault=str(fault)))
        return
    _give_way()
    write_frame(replies, Transcription())
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        order = msgspec.msgpack.decode(frame, type=Expect | HearMore | Hear | Align)
        began = steady_s()
        try:
            heard = ear.obey(order)
        except OSError as fault:
            write_frame(replies, Transcription(fault=f"The recording cannot be read: {str(fault).rstrip('.')}."))
        else:
            timed = msgspec.structs.replace(heard, decoding_s=steady_s() - began)
            write_frame(replies, Transcription(hearing=timed))


def _give_way() -> None:
    """Sound, keys and paint come first: the lowest priority, beside the few threads of `whisper.threads`."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(19)


if __name__ == "__main__":
    main()
