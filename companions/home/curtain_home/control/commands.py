"""Runs plans as child processes of the same command line, one after the other, and reports how far they are."""

import os
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec
from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from curtain.base.progress_bar import PROGRESS_AS_LINES
from curtain.base.python_process import module_command
from curtain.base.table import Table
from curtain.base.terminal import announced
from curtain.ports.result import NOTHING, CommandResult
from curtain.qt.background import process_lines, set_module_environment
from curtain_home.control.plans import CommandPlan, result_sentence

_KILLED_AFTER_MS = 8000
_MOST_LINES = 2000
End = Literal["good", "bad", "stopped"]


@dataclass(frozen=True)
class Activity:
    """A plan that runs or ran, in `study` (“” where it is of none) until `ended` (UTC). `share` is how far it is, from
    0 to 1, None while nobody knows; `end` is None while it runs; `sentence` is its result, or what it does now;
    `question` is what a person must agree to first, "" if there is nothing."""

    plan: CommandPlan
    share: float | None = None
    sentence: str = ""
    lines: tuple[str, ...] = ()
    end: End | None = None
    waiting: int = 0
    question: str = ""
    result: CommandResult = NOTHING
    tables: tuple[Table, ...] = ()
    study: str = ""
    ended: str = ""


class CommandRunner(QObject):
    """One command at a time, since two exports side by side are slower than one after the other."""

    changed = Signal(object)
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue: deque[CommandPlan] = deque()
        self._plan: CommandPlan | None = None
        self._process: QProcess | None = None
        self._lines: list[str] = []
        self._result, self._tables = NOTHING, list[Table]()
        self._share: float | None = None
        self._doing = self._question = ""
        self._cancelled = False

    @property
    def running(self) -> CommandPlan | None:
        """The plan that runs now."""
        return self._plan

    def run(self, plans: Iterable[CommandPlan]) -> None:
        """Run these as soon as those before them are through."""
        self._queue.extend(plans)
        self._next()
        self._report()

    def cancel(self) -> None:
        """Ask the running command to stop, kill it if it does not, and drop those that wait."""
        self._queue.clear()
        process = self._process
        if process is None:
            return
        self._cancelled = True
        # Windows cannot ask a process without a window.
        process.kill() if os.name == "nt" else process.terminate()
        QTimer.singleShot(_KILLED_AFTER_MS, process, process.kill)

    def close(self) -> None:
        """End what runs, and wait until it has ended."""
        self._queue.clear()
        if self._process is not None:
            self._process.finished.disconnect()
            self._process.terminate()
            if not self._process.waitForFinished(_KILLED_AFTER_MS):
                self._process.kill()
                self._process.waitForFinished()
            self._process = None

    def _next(self) -> None:
        if self._plan is not None or not self._queue:
            return
        self._plan = self._queue.popleft()
        self._lines = []
        self._result, self._tables = NOTHING, []
        self._share, self._doing, self._question, self._cancelled = None, "", "", False
        process = self._process = QProcess(self)
        if self._plan.place is not None:
            process.setWorkingDirectory(str(self._plan.place))
        set_module_environment(process, {**os.environ, **PROGRESS_AS_LINES})
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_failed_start)
        program, *arguments = module_command("curtain", *self._plan.arguments)
        process.start(program, arguments)
        # A command that asks must get the end of the input, not wait for ever.
        process.closeWriteChannel()

    def _read(self, *, rest: bool = False) -> None:
        assert self._process is not None
        for channel in (QProcess.ProcessChannel.StandardOutput, QProcess.ProcessChannel.StandardError):
            for line in process_lines(self._process, channel, rest=rest):
                self._take_line(line.decode("utf-8", "replace"), channel == QProcess.ProcessChannel.StandardError)
        self._report()

    def _take_line(self, line: str, from_errors: bool) -> None:
        match announced(line) if from_errors else {}:
            case {"progress": float() | int() as share, "what": str() as doing}:
                self._doing, self._share = doing, min(1.0, max(0.0, share))
            case {"ask": str() as question}:
                self._question = question
            case {"table": dict() as table}:
                self._tables.append(msgspec.convert(table, Table))
            case {"result": dict() as result}:
                self._result = msgspec.convert(result, CommandResult)
            case _:
                self._lines = [*self._lines[-_MOST_LINES:], line]

    def _on_failed_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._lines.append(self.tr("The command cannot be started."))
            self._end(127)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        # The last line may lack its end.
        self._read(rest=True)
        self._end(code if status == QProcess.ExitStatus.NormalExit else -1)

    def _end(self, code: int) -> None:
        plan, process = self._plan, self._process
        assert plan is not None and process is not None
        end: End = "stopped" if self._cancelled else "good" if code == 0 else "bad"
        share, lines = 1.0 if end == "good" else self._share, tuple(self._lines)
        sentence = result_sentence(plan, end, self._result, lines)
        done = Activity(plan, share, sentence, lines, end, 0, self._question, self._result, tuple(self._tables))
        self._plan = self._process = None
        process.deleteLater()
        if end != "good":
            while self._queue and self._queue[0].needs_before:
                self._queue.popleft()
        self.finished.emit(done)
        self._next()
        self._report()

    def _report(self) -> None:
        if self._plan is not None:
            doing = self._doing or self._plan.title
            self.changed.emit(Activity(self._plan, self._share, doing, tuple(self._lines), waiting=len(self._queue)))
