"""A window as a program: however it is ended, its closers run, and what could not be kept is a sentence."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError, close_all
from curtain.base.python_process import ENDS_WITH_INPUT, module_environment
from tests.support.child_program import Child

PROGRAM = """
import sys
from pathlib import Path
from curtain.base.errors import CurtainError
from curtain.qt.paint_events import when_painted
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.qt.windows.window_options import WindowOptions
from curtain.qt.windows.window_program import window_program

with window_program("toy", Path(sys.argv[1]), WindowOptions(drive=True)) as program:
    window = KeyedWindow()
    program.bind(window)

    def painted():
        print("painted", flush=True)
        if sys.argv[2] == "window":
            window.close()

    def begin():
        when_painted(window, painted)
        window.show()

    def close():
        print("closed", flush=True)
        program.problem_log.report(CurtainError("from a thread")) if sys.argv[3] == "thread" else None
        if sys.argv[3] == "sentence":
            raise CurtainError("The last word is lost.")
        if sys.argv[3] == "problem":
            raise KeyError("secret words")

    code = program.run(window, begin, close)
sys.exit(code)
"""


PROBLEM = "Something went wrong in this window. What was recorded is safe. The details are in the log.\n"


@pytest.mark.parametrize(
    ("how", "closer", "code", "sentence"),
    [
        ("SIGTERM", "good", 0, ""),
        ("SIGINT", "good", 0, ""),
        ("SIGHUP", "sentence", 1, "The last word is lost.\n"),
        ("SIGTERM", "thread", 1, "from a thread\n"),
        ("input", "good", 0, ""),
        ("input", "problem", 1, PROBLEM),
        ("window", "good", 0, ""),
        ("window", "sentence", 1, "The last word is lost.\n"),
        ("window", "problem", 1, PROBLEM),
    ],
)
def test_a_program_that_is_ended_closes_and_reports_what_is_lost(
    tmp_path: Path, how: str, closer: str, code: int, sentence: str
) -> None:
    if signal.getsignal(signal.Signals.__members__.get(how, signal.SIGTERM)) is signal.SIG_IGN:
        pytest.skip(f"whoever runs the tests ignores {how}, as nohup does")
    asked_by_input = {ENDS_WITH_INPUT: "1"} if how == "input" else {}
    environment = module_environment(os.environ | {"QT_QPA_PLATFORM": "offscreen"} | asked_by_input)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), how, closer]
    with Child(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout.readline() == "painted\n"
        if how == "input":
            process.stdin.close()
        elif how != "window":
            process.send_signal(getattr(signal, how))
        # Both lines may have come with the first read, where `communicate` would not see the second.
        output, errors = process.stdout.read(), process.stderr.read()
        assert (output, errors, process.wait(60)) == ("closed\n", sentence, code)


def test_each_is_closed_whatever_the_others_raise() -> None:
    closed: list[int] = []

    def close(number: int) -> None:
        closed.append(number)
        if number == 2:
            raise CurtainError("two")

    with pytest.raises(CurtainError, match="two"):
        close_all(lambda: close(1), None, lambda: close(2), lambda: close(3))
    assert closed == [1, 2, 3]
