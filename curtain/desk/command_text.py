"""Text fields that leave the station's command keys to the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

# The letters of the window's commands. What is not here stays the editor's: Ctrl+C, Ctrl+V, Ctrl+Z.
_KEYS = {
    Qt.Key.Key_B, Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K, Qt.Key.Key_L, Qt.Key.Key_M, Qt.Key.Key_N,
    Qt.Key.Key_P, Qt.Key.Key_R, Qt.Key.Key_T, Qt.Key.Key_Return, Qt.Key.Key_Enter,
}  # fmt: skip


def is_command(event: QEvent) -> bool:
    """Whether this key belongs to the window: some platforms would take Ctrl+E as “end of line”."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return control and event.key() in _KEYS


class CommandPlainText(QPlainTextEdit):
    """A plain text field in which every command key of the window still works."""

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        # Not accepted: Qt then offers the key to the shortcuts of the window.
        if is_command(event):
            event.ignore()
            return True
        return super().event(event)


class CommandLine(QLineEdit):
    """A one-line field in which every command key of the window still works."""

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        if is_command(event):
            event.ignore()
            return True
        return super().event(event)
