"""Garbage is collected on the window's thread, and nowhere else.

Python collects in whichever thread happens to make the next object. A timer or a socket of Qt that dies in a
worker's hands is taken apart while the window's thread uses it: a crash in the middle of a session.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 1000
YOUNG = 5000  # objects made since and still there: fewer are not worth a look
WHOLE_EVERY = 10  # of so many collections one looks through all objects, which takes some 50 ms


class GarbageCollection(QObject):
    """Takes over from Python's own collection, which `close` gives back. Make it on the GUI thread.

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
