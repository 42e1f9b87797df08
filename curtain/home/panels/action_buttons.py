"""Buttons of actions: their mnemonic and their tip come from the key table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QMargins, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from curtain.home.keys import KEYS, key_of, label_of
from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, Look, set_size
from curtain.qt.widgets import label, named, plain_tip

_GAP = 8


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
        self._groups = [
            (label(title, look, small=True, bold=True), [self._button(action, text) for action, text in actions])
            for title, actions in groups
        ]
        self._most = max(len(buttons) for _, buttons in self._groups)
        self._in_a_row = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(QMargins())
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(GAP)
        self._arrange(self._most)

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now; what is not named stays as it is."""
        for action, can in possible.items():
            self._buttons[action].setEnabled(can)

    def minimumSizeHint(self) -> QSize:
        # One button in a row: with large letters a narrow window breaks the rows and cuts no word.
        return QSize(self._width_of(1), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Break the rows anew when a button has another size, as when letters grow."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        fitting = (count for count in range(self._most, 1, -1) if self._width_of(count) <= self.width())
        self._arrange(next(fitting, 1))

    def _width_of(self, count: int) -> int:
        names = max(name.sizeHint().width() for name, _ in self._groups)
        columns = [[button for _, buttons in self._groups for button in buttons[at::count]] for at in range(count)]
        widths = [max(button.sizeHint().width() for button in buttons) for buttons in columns if buttons]
        return names + sum(width + _GAP for width in widths)

    def _arrange(self, in_a_row: int) -> None:
        if in_a_row == self._in_a_row:
            return
        self._in_a_row = in_a_row
        line = 0
        for name, buttons in self._groups:
            self._grid.addWidget(name, line, 0)
            for at, button in enumerate(buttons):
                self._grid.addWidget(button, line + at // in_a_row, 1 + at % in_a_row)
            line += 1 + (len(buttons) - 1) // in_a_row
        for place in range(1, 1 + self._most):
            self._grid.setColumnStretch(place, 1 if place <= in_a_row else 0)
        self.updateGeometry()

    def _button(self, action: str, text: str) -> QPushButton:
        made = self._buttons[action] = action_button(action, text)
        # Small, so that a small screen needs few rows.
        set_size(made, self._look.small_pt)
        made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        made.clicked.connect(lambda: self.action_requested.emit(action))
        return made
