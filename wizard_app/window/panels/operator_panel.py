"""What the person at the desk sees of an experiment: the condition, what the system does, and which reply waits."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from curtain.desk.style import Look, set_size, set_text_colour
from curtain.desk.widgets import column, label, row
from wizard_app.keys import key_of


class OperatorPanel(QFrame):
    """Hidden where no condition runs. Every button is a key as well, so none takes the keyboard."""

    take_over_requested = Signal()
    stop_requested = Signal()
    take_back_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("operator")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._look = look
        self._condition = label("", look, bold=True)
        self._condition.setObjectName("operator_condition")
        self._condition.setWordWrap(True)
        self._doing = label("", look)
        self._doing.setObjectName("operator_doing")
        # It is cut rather than that it pushes the keys off a narrow window.
        self._doing.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._doing.setMinimumWidth(120)
        self._fault = label("", look, small=True)
        self._fault.setObjectName("operator_fault")
        self._fault.setWordWrap(True)
        set_text_colour(self._fault, look.warning)
        self._take_over = self._button("take_over", self.tr("Take over"), "take_over")
        self._stop = self._button("stop_system", self.tr("Stop"), "stop_system")
        self._take_back = self._button("take_back", self.tr("Take back"), "take_back")
        # One row: on a screen 720 pixels high the SQL needs the others.
        keys = row(self._doing, self._take_back, self._take_over, self._stop, spacing=8)
        keys.setStretch(0, 1)
        self.setLayout(column(self._condition, keys, self._fault, margins=QMargins(8, 6, 8, 6), spacing=6))
        self._take_over.clicked.connect(self.take_over_requested)
        self._stop.clicked.connect(self.stop_requested)
        self._take_back.clicked.connect(self.take_back_requested)
        self.hide()

    def show_condition(self, sentence: str, *, has_system: bool, stopped: bool) -> None:
        """The condition of the turn at work, or an empty text without one."""
        self.setVisible(bool(sentence))
        self._condition.setText(sentence)
        self._take_over.setVisible(has_system and not stopped)
        self._stop.setVisible(has_system)
        text = self.tr("Go on") if stopped else self.tr("Stop")
        self._stop.setText(f"{text}  ({key_of('stop_system')})")

    def show_doing(self, sentence: str, *, waits: bool) -> None:
        """What happens now; `waits` while a reply can still be taken back."""
        self._doing.setText(sentence)
        self._take_back.setVisible(waits)

    def show_fault(self, sentence: str) -> None:
        """Why the system gave nothing, or an empty text."""
        self._fault.setText(sentence)
        self._fault.setVisible(bool(sentence))

    def _button(self, name: str, text: str, action: str) -> QPushButton:
        made = QPushButton(f"{text}  ({key_of(action)})")
        made.setObjectName(name)
        set_size(made, self._look.small_pt)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made
