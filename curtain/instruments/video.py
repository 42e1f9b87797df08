"""A video beside the session, recorded by ffmpeg.

As a process of its own, this module looks after one ffmpeg: when its input ends, also because the station was killed,
it asks ffmpeg to end (“q”), so that the file is whole. It writes lines of JSON: `{"ffmpeg": ...}`, the number of that
process for whoever must end it if this one is killed; `{"began_ns": ...}` at the first frame, on our steady clock; and
at the end `{"seconds": ..., "sha256": ..., "bytes": ..., "fault": ...}`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from curtain.base.clock import steady_ns
from curtain.base.errors import CurtainError
from curtain.base.input_file import digest_of
from curtain.base.python_process import run_program, start_command, why_it_failed
from curtain.instruments import leave_signals_to_the_station

INSTALL = "Install ffmpeg, or take “video” out of study.toml"
_ENDS_IN_S = 5.0
_FIRST_FRAME_S = 10.0
_RATE = ("-framerate", "15")
_SCREENS = {"win32": "gdigrab:desktop", "darwin": "avfoundation:Capture screen 0:none"}
_CAMERAS = {"win32": "dshow:video=Integrated Camera", "darwin": "avfoundation:0:none"}
_START = re.compile(rb"\bstart: (\d+\.\d+)")
_LENGTH = re.compile(rb"out_time_us=(\d+)")
_PROGRESS = re.compile(rb"\w+=")
# libx264 takes no odd sizes in this format, which every player shows.
_EVEN = "crop=trunc(iw/2)*2:trunc(ih/2)*2"


class NoVideo(CurtainError):
    """No video can be recorded here."""


def ffmpeg() -> str:
    """The program. Raises NoVideo."""
    if (program := shutil.which("ffmpeg")) is None:
        raise NoVideo(f"There is no ffmpeg, so no video can be recorded. {INSTALL}.")
    return program


def recording_command(source: str, *output: str, platform: str = sys.platform) -> list[str]:
    """How ffmpeg records `source`, as study.toml names it, without sound. Raises NoVideo."""
    if source == "screen":
        source = _SCREENS.get(platform, f"x11grab:{os.environ.get('DISPLAY', ':0')}")
    elif source == "camera":
        source = _CAMERAS.get(platform, "v4l2:/dev/video0")
    form, _, device = source.partition(":")
    rate = _RATE if form in ("x11grab", "gdigrab") else ()
    if form == "lavfi":
        device += ",realtime"
    return [
        # Each frame bears the wall clock at which it was read, and ffmpeg reports that of the first one.
        ffmpeg(), "-hide_banner", "-nostats", "-use_wallclock_as_timestamps", "1", *rate, "-f", form, "-i", device,
        # One thread: the sound has the right of way. Without the last option times are rounded to whole frames.
        "-an", "-vf", _EVEN, "-pix_fmt", "yuv420p", "-threads", "1", "-enc_time_base", "1:1000",
        "-progress", "pipe:1", *output,
    ]  # fmt: skip


def try_source(source: str) -> None:
    """Read one frame of it. Raises NoVideo."""
    command = recording_command(source, "-frames:v", "1", "-f", "null", "-")
    try:
        tried = run_program(command, _FIRST_FRAME_S, stdin=subprocess.DEVNULL)
    except OSError as silent:
        raise NoVideo(f"ffmpeg gets no picture from “{source}”. Choose another “video” in study.toml.") from silent
    if tried.returncode:
        why = why_it_failed(tried.stderr)
        raise NoVideo(f"ffmpeg gets no picture from “{source}” ({why}). Choose another “video” in study.toml.")


def main() -> None:
    """Record what `argv` names, `SOURCE FILE`, until the input ends or ffmpeg does."""
    leave_signals_to_the_station()
    source, path = sys.argv[1], Path(sys.argv[2])
    command = recording_command(source, "-f", "matroska", "-n", str(path))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = start_command(command, ("DISPLAY", "XAUTHORITY"), **pipes)
    _report(ffmpeg=process.pid)
    asked = threading.Event()
    threading.Thread(target=_end_with_input, args=(process, asked), daemon=True).start()
    seconds, last, began = 0.0, "", False
    assert process.stdout is not None
    for line in process.stdout:
        if not began and (start := _START.search(line)):
            began = True
            _report(began_ns=steady_ns() - time.time_ns() + round(float(start[1]) * 1e9))
        elif length := _LENGTH.match(line):
            seconds = int(length[1]) / 1e6
        elif not _PROGRESS.match(line) and (words := line.strip()):
            last = words.decode(errors="replace")
    if process.wait() < 0:
        last = f"ffmpeg was ended from outside (signal {-process.returncode})"
    fault = last if process.returncode or not asked.is_set() else ""
    if not path.is_file():
        _report(seconds=0, sha256="", bytes=0, fault=fault or "no file was written")
        return
    _report(seconds=seconds, sha256=digest_of(path), bytes=path.stat().st_size, fault=fault)


def _end_with_input(process: subprocess.Popen[bytes], asked: threading.Event) -> None:
    sys.stdin.buffer.read()
    asked.set()
    assert process.stdin is not None
    try:
        process.stdin.write(b"q")
        process.stdin.close()
        process.wait(_ENDS_IN_S)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()


def _report(**said: object) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
