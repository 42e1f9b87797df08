"""How Curtain starts child processes of its own: the same Python, our modules, nothing from the folder one is in.

Workers inherit only what they need of the environment; windows inherit all of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psutil  # type: ignore[import-untyped]

# Enough to find Python, its libraries and temporary files. Secrets of the shell (tokens, proxies) stay out.
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "HOME", "USERPROFILE", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


@cache
def app_version() -> str:
    """The version of Curtain that runs; "0" where it is not installed, as from its sources."""
    # Here alone, and once: it takes a quarter of a start, and longer than all else about an annotator's row.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("curtain-woz")
    except PackageNotFoundError:
        return "0"


def module_command(module: str, *arguments: str) -> list[str]:
    """`python -P -m module arguments`; it needs `module_environment`, since the current folder is not searched.

    The standalone program (tools/bundle) itself takes `-m`; there is no Python beside it.
    """
    return [sys.executable, *(() if getattr(sys, "frozen", False) else ("-P",)), "-m", module, *arguments]


def module_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment, our own if none is given, in which a child finds our modules wherever it is started."""
    given = os.environ if environment is None else environment
    here = str(Path(__file__).resolve().parents[2])
    # Where pip installed us the child looks anyhow, and put first it would hide modules of Python itself.
    ours = [] if here in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")) else [here]
    # An empty entry of PYTHONPATH is the current folder.
    paths = [*ours, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**given, "PYTHONPATH": os.pathsep.join(paths)}


def start_module(module: str, *arguments: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """`python -m module arguments` in a session of its own, so that an interrupt in the terminal is not for it."""
    return start_module_with((), module, *arguments, **pipes)


def start_module_with(variables: Iterable[str], module: str, *arguments: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """The same, with the named variables of our own environment besides those that it needs."""
    environment = module_environment(kept_environment(variables))
    return subprocess.Popen(module_command(module, *arguments), env=environment, **apart(), **pipes)


def start_command(command: Sequence[str], variables: Iterable[str] = (), **pipes: Any) -> subprocess.Popen[bytes]:
    """A program that is not ours, in a session of its own, with what it needs of our environment and the variables.

    Raises OSError if there is none of this name.
    """
    # Python would run what lies in a __pycache__ in the place of the file that somebody looked at and agreed to.
    environment = {**kept_environment(variables), "PYTHONPYCACHEPREFIX": os.devnull}
    return subprocess.Popen(list(command), env=environment, **apart(), **pipes)


def run_program(command: Sequence[str], within_s: float = 30.0, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """A program that is not ours, run to its end, with all that it wrote. Raises OSError if there is none, it cannot be
    started, or it takes longer; then it is ended."""
    try:
        return subprocess.run(command, capture_output=True, timeout=within_s, **more)
    except subprocess.TimeoutExpired as late:
        # For who asks, a program that hangs is one that is not there.
        raise TimeoutError(f"{command[0]} did not end within {within_s:g} s") from late


def why_it_failed(errors: bytes) -> str:
    """The last line that a program wrote to its standard error."""
    return (errors.decode(errors="replace").strip().splitlines() or ["it does not say why"])[-1]


def kept_environment(variables: Iterable[str] = ()) -> dict[str, str]:
    """What a child gets of our environment: what Python and programs need, and the named variables."""
    return {name: os.environ[name] for name in (*_KEPT, *variables) if name in os.environ}


@contextmanager
def running_window(module: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A window of ours that is asked to close at the end, however that comes, and waited for.

    It is asked by the end of its input. Windows has no other way: its `terminate` asks nobody, and cuts a recording.
    """
    environment = {**module_environment(), ENDS_WITH_INPUT: "1"}
    command = module_command(module, *arguments)
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, **apart())
    assert process.stdin is not None
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()


ENDS_WITH_INPUT = "CURTAIN_ENDS_WITH_INPUT"
"""With this variable a window closes when its standard input ends (`qt.windows.window_program`)."""


def program_processes(number: int) -> list[psutil.Process]:
    """The process of this number, and on Windows what it has started: raises psutil.Error.

    The python.exe of a virtual environment only starts the real one there, with the memory and the work.
    """
    import psutil

    process = psutil.Process(number)
    return [process, *(process.children(recursive=True) if sys.platform == "win32" else ())]


def processor_seconds(number: int) -> float:
    """What the program has worked. Raises psutil.Error."""
    times = [process.cpu_times() for process in program_processes(number)]
    return float(sum(spent.user + spent.system for spent in times))


def apart() -> dict[str, Any]:
    """How to start what must not end with our terminal: a session of its own, on Windows without our console."""
    # Ctrl+C in the terminal reaches all of its session: a worker would end before its parent has closed it.
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Take the pipes to the parent out of reach: (input, output), for a child that runs code of others.

    Afterwards standard input is empty and standard output is standard error.
    """
    orders, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # A print of a plug-in must not land between two replies.
    os.dup2(2, 1)
    return orders, replies
