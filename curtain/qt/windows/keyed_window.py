"""What each of our windows has: keys that hold everywhere in it, full screen, a question before it closes."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from curtain.qt.command_text import commit_composition
from curtain.qt.languages.key_table import keys_here


class KeyedWindow(QWidget):
    """A top-level window. `may_close` is asked when a person closes it; `closed` comes when it really closes."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.may_close: Callable[[], bool] = lambda: True
        self._keys: dict[str, Callable[[], object]] = {}

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None:
        """Call `act` when these keys are pressed anywhere in the window; with `repeat` also while they are held."""
        sequence = QKeySequence(keys_here(keys))
        self._keys[sequence.toString(QKeySequence.SequenceFormat.PortableText)] = act
        shortcut = QShortcut(sequence, self)
        shortcut.setAutoRepeat(repeat)
        # What is being composed belongs to the field in which it is seen, and to what the key does.
        shortcut.activated.connect(commit_composition)
        shortcut.activated.connect(lambda: act())

    @Slot(str)
    def press(self, keys: str) -> None:
        """As if a hand had pressed these keys, in Qt's names: what `add_key` gave them, else to what has the cursor."""
        act = self._keys.get(keys)
        if act is not None:
            commit_composition()
            act()
            return
        pressed = QKeySequence(keys)[0]  # type: ignore[index]  # PySide's types lack it
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, pressed.key(), pressed.keyboardModifiers())
            QApplication.sendEvent(self.focusWidget() or self, event)

    def toggle_full_screen(self) -> None:
        """F11: full screen and back."""
        self.showNormal() if self.isFullScreen() else self.showFullScreen()

    def closeEvent(self, event: QCloseEvent) -> None:
        commit_composition()
        if not self.may_close():
            event.ignore()
            return
        self.closed.emit()
        event.accept()
