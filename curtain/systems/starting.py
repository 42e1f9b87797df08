"""How each kind of system becomes a running program that speaks the protocol."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from curtain.base.python_process import start_command, start_module_with
from curtain.domain.pack.reader import Pack
from curtain.systems.choice import SystemChoice
from curtain.systems.client import Start, SystemClient
from curtain.systems.hosted.values import HostOrder
from curtain.systems.protocol import line_of


@dataclass(frozen=True)
class SystemGround:
    """What a system answers over: the pack and its database; `study` is the folder of a study, with its `drafters`."""

    pack: Pack
    database: Path
    study: Path | None = None
    drafters: dict[str, Any] | None = None


def start_system(
    choice: SystemChoice, ground: SystemGround, on_ready: Callable[[], None] = lambda: None, log: Path | None = None
) -> SystemClient:
    """Start a system; what it writes to standard error is appended to `log`."""
    start = _command_start(choice, ground, log) if choice.kind == "command" else _hosted_start(choice, ground, log)
    return SystemClient(choice, start, on_ready)


def _command_start(choice: SystemChoice, ground: SystemGround, log: Path | None) -> Start:
    def start() -> subprocess.Popen[bytes]:
        with _standard_error(log) as errors:
            return start_command(
                choice.command, choice.environment, cwd=ground.study, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            )  # fmt: skip

    return start


def _hosted_start(choice: SystemChoice, ground: SystemGround, log: Path | None) -> Start:
    order = HostOrder(
        choice=choice,
        pack=str(ground.pack.folder),
        database=str(ground.database),
        rule_book=ground.pack.rule_book,
        study=str(ground.study or ""),
        drafters=ground.drafters or {},
    )

    def start() -> subprocess.Popen[bytes]:
        with _standard_error(log) as errors:
            process = start_module_with(
                choice.environment, "curtain.systems.hosted.host", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(line_of(order))
        process.stdin.flush()
        return process

    return start


@contextmanager
def _standard_error(log: Path | None) -> Iterator[IO[bytes]]:
    """Where a child's standard error goes; the child has its own copy when this is closed."""
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    with open(log or os.devnull, "ab") as file:
        yield file
