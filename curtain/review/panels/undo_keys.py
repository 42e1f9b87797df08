"""One order of undoing for the whole window: no field keeps Ctrl+Z for itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class UndoKeys(QObject):
    """A field in which words were marked and hidden would undo its own typing, and the hiding would stay."""

    def watch(self, field: QWidget) -> None:
        """Leave undo and redo in this field to the window."""
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not any(event.matches(key) for key in _KEYS):
            return False
        # Qt asks first whether a field wants the key itself. Ignored, it becomes the window's shortcut.
        event.ignore()
        return True
