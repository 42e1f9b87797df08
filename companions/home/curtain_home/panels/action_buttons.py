"""Buttons of actions: their mnemonic and their tip come from the key table."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import label, named, plain_tip
from curtain.qt.wrapping_row import WrappingRow
from curtain_home.panels.keys import KEYS, key_of, label_of


def action_button(action: str, text: str) -> QPushButton:
    """A button that Tab reaches; its tip names its key, and a screen reader says both."""
    made = named(QPushButton(label_of(action, text), autoDefault=True), action, text)
    does = translate("Keys", KEYS.bound[action].does)
    made.setToolTip(plain_tip(f"{does} ({key_of(action)})"))
    made.setAccessibleDescription(f"{does}, {key_of(action)}")
    return made


class ActionButtons(QWidget):
    """The stages of a study from top to bottom: name, buttons and state in words, which wrap where the width ends."""

    action_requested = Signal(str)

    def __init__(self, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], look: Look) -> None:
        super().__init__()
        self._look = look
        self._buttons: dict[str, QPushButton] = {}
        self._stages: list[tuple[QLabel, QLabel, set[str]]] = []
        grid = QGridLayout(self)
        grid.setVerticalSpacing(TIGHT)
        grid.setHorizontalSpacing(GAP)
        grid.setContentsMargins(QMargins())
        grid.setColumnStretch(1, 1)
        for line, (title, actions) in enumerate(groups):
            stage, state = label(title, look, small=True, bold=True), label("", look, small=True, quiet=True)
            self._stages.append((stage, state, {action for action, _ in actions}))
            grid.addWidget(stage, line, 0)
            # Each button as wide as its words: a low screen with large letters needs few rows.
            grid.addLayout(WrappingRow(*(self._button(action, text) for action, text in actions), state), line, 1)

    def show_states(self, states: Sequence[str], proposed: str) -> None:
        """The state of each stage, and which action is proposed: its stage has the colour of the accent."""
        for (stage, label_of_state, actions), state in zip(self._stages, states, strict=True):
            label_of_state.setText(state)
            set_text_colour(stage, self._look.accent if proposed in actions else self._look.text)

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now; what is not named stays as it is."""
        for action, can in possible.items():
            self._buttons[action].setEnabled(can)

    def _button(self, action: str, text: str) -> QPushButton:
        made = self._buttons[action] = action_button(action, text)
        set_size(made, self._look.small_pt)
        made.clicked.connect(lambda: self.action_requested.emit(action))
        return made
