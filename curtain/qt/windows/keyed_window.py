"""What each of our windows has: keys that hold everywhere in it, full screen, a question before it closes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from curtain.qt.command_text import commit_composition
from curtain.qt.key_table import keys_here


class KeyedWindow(QWidget):
    """A top-level window. `may_close` is asked when a person closes it; `closed` comes when it really closes."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.may_close: Callable[[], bool] = lambda: True

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None:
        """Call `act` when these keys are pressed anywhere in the window; with `repeat` also while they are held."""
        shortcut = QShortcut(QKeySequence(keys_here(keys)), self)
        shortcut.setAutoRepeat(repeat)
        # What is being composed belongs to the field in which it is seen, and to what the key does.
        shortcut.activated.connect(commit_composition)
        shortcut.activated.connect(lambda: act())

    def toggle_full_screen(self) -> None:
        """F11: full screen and back."""
        self.showNormal() if self.isFullScreen() else self.showFullScreen()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        self.closed.emit()
        event.accept()
