"""The answers to one question, side by side: each a button with its key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QPushButton, QWidget

from curtain.desk.style import Look
from curtain.desk.widgets import button, column, label, row


class ChoiceRow(QWidget):
    """Asks for a label; shows which one is chosen, and which one the log knows.

    `noted`: a remark may stand below. Its line keeps its room, so that no button moves under the hand.
    """

    chosen = Signal(str)

    def __init__(
        self,
        question: str,
        title: str,
        keys: Sequence[tuple[str, str]],
        look: Look,
        *,
        noted: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._buttons: dict[str, QPushButton] = {}
        for key, text in keys:
            made = button(f"{key}   {text}", f"{question}_{key}")
            made.setCheckable(True)
            made.setAccessibleName(f"{title}: {text}")
            made.clicked.connect(lambda _checked, given=text: self.chosen.emit(given))
            self._buttons[text] = made
        self._note = label("", look, small=True, quiet=True)
        self._note.setObjectName(f"{question}_note")
        self._note.setWordWrap(True)
        if not noted:
            self._note.hide()
        self.setLayout(
            column(label(title, look, small=True, bold=True), row(*self._buttons.values(), 1), self._note, spacing=4)
        )
        self.setObjectName(question)

    def show_choice(self, chosen: str, note: str = "") -> None:
        """The label that stands, "" for none, and a remark below."""
        for text, made in self._buttons.items():
            made.setChecked(text == chosen)
            self._colour(made, text == chosen)
        self._note.setText(note)
        self.setProperty("chosen", chosen)

    def _colour(self, made: QPushButton, chosen: bool) -> None:
        """A pressed button of the style is hardly darker than the others."""
        palette = QPalette(self.palette())
        if chosen:
            palette.setColor(QPalette.ColorRole.Button, QColor(self._look.accent))
            palette.setColor(QPalette.ColorRole.ButtonText, QColor(self._look.on_accent))
        made.setPalette(palette)
