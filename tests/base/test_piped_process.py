"""A child with two pipes is heard to its end, and a dead or deaf one holds nobody up."""

import os
import subprocess
import sys
from collections.abc import Iterator
from sys import executable
from typing import IO

import msgspec
import psutil
import pytest

from curtain.base import piped_process
from curtain.base.piped_process import PipedChild, PipedProcess, SupervisedChild
from curtain.base.python_process import processor_seconds, program_processes, run_program, start_command

_ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
_DEAF = "import sys, time\nprint('here', flush=True)\nwhile True: time.sleep(1)"
_PARENT = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {_DEAF!r}])"


def _lines(output: IO[bytes]) -> Iterator[str | None]:
    for line in output:
        yield line.decode().strip()


def _started(code: str) -> PipedProcess[str | None]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return PipedProcess(start_command([executable, "-c", code], **pipes), "test", _lines, None)


@pytest.mark.parametrize("command", [[executable, "-c", _DEAF], ["no-such-program"], [os.curdir]])
def test_an_outside_program_that_hangs_or_does_not_start_is_one_kind_of_problem(command: list[str]) -> None:
    with pytest.raises(OSError):
        run_program(command, 0.01)


def test_what_is_sent_is_answered_and_the_end_is_heard() -> None:
    child = _started(_ECHO)
    child.send_bytes(b"abc\n")
    assert child.next_within(30) == "cba"
    assert child.alive
    child.kill()
    assert child.next_within(30) is None
    assert child.exit_code_within(30) not in (None, 0)
    child.end()


def test_a_deaf_child_holds_nobody_up() -> None:
    child = _started(_DEAF)
    assert child.next_within(30) == "here"
    # Far more than a pipe takes: only a thread of its own may wait here.
    child.send_bytes(b"x" * (1 << 22))
    with pytest.raises(TimeoutError):
        child.next_within(0)
    child.end()
    assert not child.alive


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_what_a_child_started_ends_with_it(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    child = _started(_PARENT)
    assert child.next_within(30) == "here"
    # Windows has neither sessions of processes nor this call.
    monkeypatch.setattr(sys, "platform", system)
    if system == "win32":
        monkeypatch.delattr(os, "killpg", raising=False)
    child.kill()
    # The grandchild holds the other end of the output: only its death ends what is heard.
    assert child.next_within(30) is None
    child.end()


def test_whoever_asks_a_child_that_was_closed_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end is heard once: a second order would wait for ever."""
    silent = [executable, "-c", "import sys; sys.stdin.read()"]
    monkeypatch.setattr(piped_process, "start_module_with", lambda *_, **pipes: start_command(silent, **pipes))
    child = SupervisedChild[msgspec.Struct](lambda: PipedChild("silent", msgspec.Struct))
    child.start()
    child.close()
    assert [child.exchange(msgspec.defstruct("Order", [])(), 600.0) for _ in range(2)] == [None, None]
    child.end()


def test_killing_after_the_end_touches_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    child = _started(_ECHO)
    child.end()
    monkeypatch.setattr("os.killpg", lambda *_: pytest.fail("a process that is not ours"), raising=False)
    child.kill()


def test_work_and_memory_behind_the_redirector_of_a_virtual_environment_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows its python.exe starts the real one, as this parent does, and waits."""
    # It works for longer than a clock of the system ticks, and ends with its input, whatever fails below.
    real = "import sys, time\nwhile time.process_time() < .1: pass\nprint('here', flush=True)\nsys.stdin.read()"
    redirecting = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {real!r}])"
    with start_command([executable, "-c", redirecting], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as redirector:
        assert redirector.stdin is not None and redirector.stdout is not None
        with redirector.stdin:
            assert redirector.stdout.readline() == b"here\n"
            assert [process.pid for process in program_processes(redirector.pid)] == [redirector.pid]
            alone = processor_seconds(redirector.pid)
            monkeypatch.setattr(sys, "platform", "win32")
            assert [isinstance(one, psutil.Process) for one in program_processes(redirector.pid)] == [True, True]
            assert processor_seconds(redirector.pid) > alone + 0.05
            # Popen waits as on this system.
            monkeypatch.undo()
