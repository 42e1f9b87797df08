"""Buttons of actions: their mnemonic and their tip come from the key table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from curtain.home.panels.keys import KEYS, key_of, label_of
from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, TIGHT, Look, set_size
from curtain.qt.widgets import label, named, plain_tip
from curtain.qt.wrapping_row import WrappingRow


def action_button(action: str, text: str) -> QPushButton:
    """A button that Tab reaches; its tip names its key, and a screen reader says both."""
    made = named(QPushButton(label_of(action, text), autoDefault=True), action, text)
    does = translate("Keys", KEYS.bound[action].does)
    made.setToolTip(plain_tip(f"{does} ({key_of(action)})"))
    made.setAccessibleDescription(f"{does}, {key_of(action)}")
    return made


class ActionButtons(QWidget):
    """Groups of buttons with their name in front: a row for each group, or more where the width asks for it."""

    action_requested = Signal(str)

    def __init__(self, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], look: Look) -> None:
        super().__init__()
        self._look = look
        self._buttons: dict[str, QPushButton] = {}
        grid = QGridLayout(self)
        grid.setVerticalSpacing(TIGHT)
        grid.setHorizontalSpacing(GAP)
        grid.setContentsMargins(QMargins())
        grid.setColumnStretch(1, 1)
        for line, (title, actions) in enumerate(groups):
            grid.addWidget(label(title, look, small=True, bold=True), line, 0)
            # Each button as wide as its words: a low screen with large letters needs few rows.
            grid.addLayout(WrappingRow(*(self._button(action, text) for action, text in actions)), line, 1)

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now; what is not named stays as it is."""
        for action, can in possible.items():
            self._buttons[action].setEnabled(can)

    def _button(self, action: str, text: str) -> QPushButton:
        made = self._buttons[action] = action_button(action, text)
        set_size(made, self._look.small_pt)
        made.clicked.connect(lambda: self.action_requested.emit(action))
        return made
