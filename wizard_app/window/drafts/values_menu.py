"""The list of other values of a chip. What is typed in it finds a value."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from curtain.base.words import SIGN_OF_WORD

_MOST = 20


class ValuesMenu(QMenu):
    """Shows the first values; once letters are typed, the first of all those with a word that begins with them. The
    letters stand on the first line, and Backspace takes the last of them away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip_values")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._values: list[tuple[str, QAction]] = []
        self._typed = ""
        self._typed_line = QAction("", self)
        self._typed_line.setEnabled(False)
        self._typed_line.setVisible(False)

    def add_value(self, label: str) -> QAction:
        """A value of this label; it is not seen as long as there are enough before it."""
        # In a menu a single & would make the next letter a key.
        act = self.addAction(label.replace("&", "&&"))
        act.setVisible(len(self._values) < _MOST)
        self._values.append((label.casefold(), act))
        return act

    @property
    def typed(self) -> str:
        """What was typed so far to find a value."""
        return self._typed

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        command = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if event.key() == Qt.Key.Key_Backspace:
            self._find(self._typed[:-1])
        elif text.isprintable() and text.strip(None if not self._typed else "\0") and not command:
            self._find(self._typed + text.casefold())
        else:
            super().keyPressEvent(event)

    def _find(self, typed: str) -> None:
        """Letters that lead nowhere are not taken."""
        actions = [act for label, act in self._values if _fits(label, typed)][:_MOST]
        if typed and not actions:
            return
        self._typed = typed
        for _, act in self._values:
            act.setVisible(act in actions)
        self._show_typed()
        if actions:
            self.setActiveAction(actions[0])

    def _show_typed(self) -> None:
        if self._typed_line not in self.actions():
            self.insertAction(self.actions()[0], self._typed_line)
        self._typed_line.setText(f"{self._typed}…".replace("&", "&&"))
        self._typed_line.setVisible(bool(self._typed))


def _fits(label: str, typed: str) -> bool:
    """A word of it begins with what was typed; a word begins behind anything that is neither letter nor figure."""
    return re.search(rf"(?<!{SIGN_OF_WORD}){re.escape(typed)}", label) is not None
