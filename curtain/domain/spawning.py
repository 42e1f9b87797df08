"""How this room starts its own child processes: the same Python, nothing inherited that it does not need."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "HOME", "USERPROFILE", "LANG", "LC_ALL", "LD_LIBRARY_PATH")


def start_module(module: str, *arguments: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """`python -m module arguments` in a session of its own, so that an interrupt in the terminal is not for it."""
    return start_module_with((), module, *arguments, **pipes)


def start_module_with(variables: Iterable[str], module: str, *arguments: str, **pipes: Any) -> subprocess.Popen[bytes]:
    """The same, with the named variables of our own environment besides those that it needs."""
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    command = [sys.executable, "-P", "-m", module, *arguments]
    return subprocess.Popen(command, env=_environment(variables), **apart, **pipes)


def _environment(more: Iterable[str]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in (*_KEPT, *more) if name in os.environ}
    here = str(Path(__file__).resolve().parents[2])
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")]))}
