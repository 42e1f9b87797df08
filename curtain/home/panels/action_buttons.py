"""Buttons of actions: their mnemonic and their tip come from the key table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from curtain.desk.style import Look, set_size
from curtain.desk.widgets import label, plain_tip
from curtain.home.keys import KEYS, key_of, label_of

__all__ = ["ActionButtons", "action_button"]


def action_button(action: str, text: str) -> QPushButton:
    """A button that Tab reaches; its tip names its key, and a screen reader says both."""
    made = QPushButton(label_of(action, text))
    made.setObjectName(action)
    made.setAutoDefault(True)
    made.setToolTip(plain_tip(f"{KEYS.bound[action].does} ({key_of(action)})"))
    made.setAccessibleName(text)
    made.setAccessibleDescription(f"{KEYS.bound[action].does}, {key_of(action)}")
    return made


class ActionButtons(QWidget):
    """Groups of buttons, a row for each group with its name in front."""

    action_requested = Signal(str)

    def __init__(
        self, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], look: Look, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._buttons: dict[str, QPushButton] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(QMargins())
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        for line, (title, actions) in enumerate(groups):
            grid.addWidget(label(title, look, small=True, bold=True), line, 0)
            for place, (action, text) in enumerate(actions, 1):
                grid.addWidget(self._button(action, text), line, place)
        for place in range(1, 1 + max(len(actions) for _, actions in groups)):
            grid.setColumnStretch(place, 1)

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now; what is not named stays as it is."""
        for action, can in possible.items():
            self._buttons[action].setEnabled(can)

    def _button(self, action: str, text: str) -> QPushButton:
        made = self._buttons[action] = action_button(action, text)
        # Small, so that a row of five fits a screen of 960 pixels.
        set_size(made, self._look.small_pt)
        made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made.clicked.connect(lambda: self.action_requested.emit(action))
        return made
