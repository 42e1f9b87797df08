"""A window as a program of its own: what each of them begins and ends with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication

from curtain.desk import problems, style
from curtain.desk.binding_types import make_binding_types
from curtain.desk.garbage_collection import GarbageCollection
from curtain.desk.looks.appearance import Appearance, AppearanceControl
from curtain.desk.paint_events import when_painted
from curtain.desk.style import Look
from curtain.desk.windows.keyed_window import KeyedWindow

__all__ = ["WindowProgram", "window_program"]


@dataclass(frozen=True)
class WindowProgram:
    """The application, its look and its log, before there is a window."""

    app: QApplication
    look: Look
    appearance: Appearance
    problem_log: problems.Problems

    def bind(self, window: KeyedWindow) -> AppearanceControl:
        """The window of this program: the program ends with it, and its keys change the look."""
        window.closed.connect(self.app.quit)
        control = AppearanceControl(self.app, self.look, self.appearance, window)
        control.bind(window)
        return control

    def run(self, window: KeyedWindow, begin: Callable[[], None], drive: bool) -> int:
        """Begin, and return the exit code when the window has closed.

        With `drive`, JSON lines on standard input press its keys.
        """
        # Behind the first paint: the icon is a drawing that has to be loaded and painted.
        when_painted(window, self._set_icon)
        begin()
        if drive:
            # Most windows are never driven; its sockets and threads would delay the first paint.
            from curtain.desk.driver import drive as take_orders

            take_orders(window)
        return self.app.exec()

    def _set_icon(self) -> None:
        from PySide6.QtGui import QIcon

        from curtain.desk.app_icon import icon_file

        self.app.setWindowIcon(QIcon(str(icon_file())))


@contextmanager
def window_program(name: str, log_folder: Path, appearance: Appearance) -> Iterator[WindowProgram]:
    """Qt, the look and the log `name` in `log_folder`; at the end they are taken apart in the order Qt needs."""
    # Without our own arguments: Qt would take some of them for its own.
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Curtain")
    collection = GarbageCollection(app)
    make_binding_types()
    # What is unsaved must reach the disk first; the window says when it may be closed.
    app.setQuitOnLastWindowClosed(False)
    look = style.apply(app, appearance.theme, appearance.percent)
    problem_log = problems.install(name, log_folder)
    try:
        yield WindowProgram(app, look, appearance, problem_log)
    finally:
        problem_log.close()
        collection.close()
