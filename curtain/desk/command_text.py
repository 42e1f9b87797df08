"""Text fields that leave the station's command keys to the window."""

from __future__ import annotations

import sys

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


# Where the keys 1 to 5 lie, whatever their layout prints on them: what Qt calls the native scan code (X11, Wayland,
# Windows) or the native virtual key (macOS: Carbon's kVK_ANSI_1 to 5).
_ROW_X11 = {10: 1, 11: 2, 12: 3, 13: 4, 14: 5}
_ROW_WINDOWS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5}
_ROW_MACOS = {18: 1, 19: 2, 20: 3, 21: 4, 23: 5}
_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def alt_digit(event: QKeyEvent, platform: str = sys.platform) -> int:
    """Which of the keys 1 to 5 was pressed with Alt, by its place: AZERTY sends “&” for the 1. 0 if it was none."""
    if event.modifiers() & _CHORDS != Qt.KeyboardModifier.AltModifier:
        return 0
    if platform == "darwin":
        return _ROW_MACOS.get(event.nativeVirtualKey(), 0)
    return (_ROW_WINDOWS if platform == "win32" else _ROW_X11).get(event.nativeScanCode(), 0)


def is_stray(event: QEvent, platform: str = sys.platform) -> bool:
    """Whether this key press with Alt would type its letter, which nobody means. AltGr is another key than Alt."""
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return False
    # On macOS, Option with a key is how brackets and braces are typed.
    held = event.modifiers() & _CHORDS == Qt.KeyboardModifier.AltModifier
    return held and platform != "darwin" and event.text().isprintable() and bool(event.text())


class CommandPlainText(QPlainTextEdit):
    """A plain text field in which every command key of the window still works."""

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        # Not accepted: Qt then offers the key to the shortcuts of the window, and a stray one to the window itself.
        if is_command(event) or is_stray(event):
            event.ignore()
            return True
        return super().event(event)


class CommandLine(QLineEdit):
    """A one-line field in which every command key of the window still works."""

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        if is_command(event) or is_stray(event):
            event.ignore()
            return True
        return super().event(event)
