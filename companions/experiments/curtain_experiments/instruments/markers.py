"""A stream of markers for the Lab Streaming Layer, as a process of its own: a problem of liblsl ends no session.

It reads lines of JSON, `[marker, seconds of our steady clock]`, and ends with its input. It writes one line when the
stream is there, `{"ready": true}`, or `{"missing": true}` where pylsl is not installed.
"""

import json
import platform
import signal
import sys
from collections.abc import Callable

from curtain.base.clock import steady_s
from curtain.base.python_process import own_pipes

NAME = "Curtain"
KIND = "Markers"
INSTALL = "pip install 'curtain-woz[lsl]'"
MEASURED_EVERY_S = 5.0
_TRIES = 20


def offset_of(theirs: Callable[[], float], ours: Callable[[], float] = steady_s) -> tuple[float, float]:
    """How far `theirs` is ahead of `ours`, and by how much that may be wrong at most, both in seconds.

    Of several readings the one counts that took least time: the other clock was read somewhere between.
    """
    readings = []
    for _ in range(_TRIES):
        before, there, after = ours(), theirs(), ours()
        readings.append(((after - before) / 2, there - (before + after) / 2))
    error, offset = min(readings)
    return offset, error


def main() -> None:
    """Open the stream and send what comes."""
    # Ctrl+C in the station's terminal comes here too: the stream ends with its input, after its last line. Not SIG_IGN,
    # which a program of theirs would inherit.
    for sent in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sent, lambda *_: None)
    # liblsl writes remarks to both standard streams.
    orders, replies = own_pipes()
    try:
        from pylsl import StreamInfo, StreamOutlet, local_clock
    except (ImportError, RuntimeError):
        replies.write(b'{"missing": true}\n')
        replies.flush()
        return
    # Two booths of one study are two sources; an inlet takes up a lost one again by this name.
    source = f"{NAME}-{sys.argv[1]}-{platform.node()}"
    outlet = StreamOutlet(StreamInfo(NAME, KIND, 1, 0, "string", source))
    offset, measured_at = offset_of(local_clock)[0], steady_s()
    replies.write(b'{"ready": true}\n')
    replies.flush()
    for order in orders:
        marker, at_s = json.loads(order)
        if steady_s() - measured_at > MEASURED_EVERY_S:
            offset, measured_at = offset_of(local_clock)[0], steady_s()
        outlet.push_sample([marker], at_s + offset)


if __name__ == "__main__":
    main()
