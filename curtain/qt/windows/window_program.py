"""A window as a program of its own: what each of them begins and ends with."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from curtain.base.python_process import ENDS_WITH_INPUT
from curtain.base.terminal import print_error
from curtain.qt import problems, style
from curtain.qt.app_icon import show_icon
from curtain.qt.looks.appearance import Appearance, AppearanceControl
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Look
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.qt.windows.window_memory import WindowMemory, own_windows
from curtain.qt.windows.window_options import WindowOptions

if TYPE_CHECKING:
    from curtain.qt.languages.translation import WindowLanguage


@dataclass(frozen=True)
class WindowProgram:
    """The application, its look and its log, before there is a window."""

    app: QApplication
    look: Look
    appearance: Appearance
    problem_log: problems.Problems
    collection: GarbageCollection
    memory: WindowMemory
    missing_language: str = ""

    def bind(self, window: KeyedWindow, show: Callable[[str], object] | None = None) -> AppearanceControl:
        """The window of this program: it is where it was last, its keys change the look, the program ends with it. It
        can `show` a problem."""
        self.memory.restore(window)
        if show is not None:
            self.problem_log.problem.connect(show)
        window.closed.connect(lambda: self.app.exit(0))
        control = AppearanceControl(self.app, self.look, self.appearance, window)
        control.bind(window)
        control.changed.connect(lambda: self.memory.keep_look(control.appearance))
        return control

    def run(
        self, window: KeyedWindow, begin: Callable[[], None], close: Callable[[], object], drive: bool = False
    ) -> int:
        """Begin, `close` when the window has closed or somebody ends the program, and return the exit code.

        With `drive`, JSON lines on standard input press its keys. What `close` could not keep is one sentence on
        standard error and the exit code 1.
        """
        # Behind the first paint: the icon is a drawing that has to be loaded and painted.
        when_painted(window, lambda: show_icon(self.app))
        begin()
        if drive:
            # Most windows are never driven; its sockets and threads would delay the first paint.
            from curtain.qt.driver import drive as take_orders

            take_orders(window)
        code = self.app.exec()
        self.memory.keep_place(window)
        return self._close(close) or code

    def _close(self, close: Callable[[], object]) -> int:
        sentences: list[str] = []
        self.problem_log.problem.connect(sentences.append)
        try:
            close()
        except Exception as error:
            self.problem_log.report(error)
        # Problems of other threads wait in a queue for the event loop, which is over.
        QCoreApplication.sendPostedEvents(self.problem_log, QEvent.Type.MetaCall.value)
        return 1 if sentences else 0


@contextmanager
def _ended_from_outside(app: QApplication) -> Iterator[None]:
    """Signals, and the end of the input where that is agreed, end the event loop instead of the process, so that what
    is unsaved is kept."""
    hearing, speaking = socket.socketpair()
    speaking.setblocking(False)
    # Python runs a handler only between two of its own instructions, and Qt may wait for hours without one.
    notifier = QSocketNotifier(hearing.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: app.exit(0))
    before = signal.set_wakeup_fd(speaking.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, lambda *_: None) for number in _ending_signals()}
    # Taken out: a window that this one opens has another input.
    if os.environ.pop(ENDS_WITH_INPUT, None):
        threading.Thread(target=_report_end_of_input, args=(speaking,), name="input", daemon=True).start()
    try:
        yield
    finally:
        notifier.setEnabled(False)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        hearing.close()
        speaking.close()


def _ending_signals() -> Iterator[signal.Signals]:
    yield from (signal.SIGTERM, signal.SIGINT)
    # The terminal was closed, unless nohup says that it does not matter; and Ctrl+Break of Windows.
    for number in (getattr(signal, name, None) for name in ("SIGHUP", "SIGBREAK")):
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            yield number


def _report_end_of_input(speaking: socket.socket) -> None:
    # A closed socket: the window is closing already.
    with suppress(OSError):
        # os.read, not sys.stdin: a thread waiting in a buffered reader holds its lock when Python ends.
        while os.read(0, 4096):
            pass
        speaking.send(b"\0")


@contextmanager
def window_program(
    name: str, log_folder: Path, given: WindowOptions, language: WindowLanguage | None = None
) -> Iterator[WindowProgram]:
    """Qt, the look, the language and the log `name` in `log_folder`; at the end they are taken apart in the order Qt
    needs.

    `given` are the window's options. One that is driven neither remembers nor leaves anything for a person's windows.
    Raises CurtainError: a file of translations cannot be read.
    """
    # Without our own arguments: Qt would take some of them for its own.
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Curtain")
    collection = GarbageCollection(app)
    make_binding_types()
    # What is unsaved must reach the disk first; the window says when it may be closed.
    app.setQuitOnLastWindowClosed(False)
    missing = ""
    # The subject's window has none: its texts come with the session.
    if language is not None:
        from curtain.qt.languages.translation import install_language

        missing = install_language(app, language)
    # In the terminal, too: on a slow machine a notice may be gone before the window is painted.
    if missing:
        print_error(missing)
    memory = WindowMemory(name, None if given.drive else own_windows())
    appearance = memory.appearance(given)
    look = style.apply(app, appearance.theme, appearance.percent)
    problem_log = problems.Problems(name, log_folder)
    # On standard error too: a subject's window shows a neutral sentence, and one that closes shows none.
    problem_log.problem.connect(lambda sentence: print_error(sentence))
    try:
        with _ended_from_outside(app):
            yield WindowProgram(app, look, appearance, problem_log, collection, memory, missing)
    finally:
        problem_log.close()
        collection.close()


# Objects without a Python name of ours whose events an application's filter sees.
_SILENT_OBJECTS = ("QAbstractEventDispatcher", "QScreen", "QWindow", "QStyle", "QCommonStyle", "QProxyStyle", "QTimer")


def make_binding_types() -> int:
    """Make the types of all events, and of objects that only filters see. Returns how many.

    PySide makes a type when Python first needs it. Inside an event filter that can re-enter its own table of
    types, and the process dies (seen with PySide 6.11). Call it once, before the first filter is installed.
    """
    made = 0
    for module in (QtCore, QtGui, QtWidgets):
        names = [name for name in dir(module) if name.endswith("Event") or name in _SILENT_OBJECTS]
        for name in names:
            getattr(module, name)
        made += len(names)
    return made


EVERY_MS = 1000
YOUNG = 5000  # objects made since and still there: fewer are not worth a look
WHOLE_EVERY = 10  # of so many collections one looks through all objects, which takes some 50 ms


class GarbageCollection(QObject):
    """Collects garbage on the GUI thread alone, in place of Python, until `close`. Make it on that thread.

    Python collects in whichever thread happens to make the next object. A timer or a socket of Qt that dies in a
    worker's hands is taken apart while the window's thread uses it: a crash in the middle of a session.

    It rests while `busy()`: a look through all objects stops every thread, also the one that records.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.busy: Callable[[], bool] = lambda: False
        self._young_ones = 0
        self._was_on = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(EVERY_MS)

    def look(self) -> None:
        """Collect if there may be something to collect."""
        assert threading.current_thread() is threading.main_thread()
        # The youngest generation alone: what lived longer was looked at before.
        if gc.get_count()[0] < YOUNG or self.busy():
            return
        self._young_ones = (self._young_ones + 1) % WHOLE_EVERY
        gc.collect(1 if self._young_ones else 2)

    def close(self) -> None:
        """Give the collection back to Python, if it was on before."""
        self._timer.stop()
        if self._was_on:
            gc.enable()
