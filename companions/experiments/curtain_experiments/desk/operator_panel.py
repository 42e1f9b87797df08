"""What the person at the desk sees of an experiment: the condition, what the system does, and which reply waits."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import GAP, PANEL, Look
from curtain.qt.widgets import LowButton, box, column, label, row, say
from curtain.qt.wrapping_row import WrappingRow
from wizard_app.keys.table import key_of


class OperatorPanel(QFrame):
    """Hidden where no condition runs. Every button is a key as well, so none takes the keyboard."""

    take_over_requested = Signal()
    stop_requested = Signal()
    take_back_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("operator")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._look = look
        self._condition = label("", look, bold=True, name="operator_condition", wraps=True)
        self._doing = label("", look, name="operator_doing", within=True)
        self._doing.setMinimumWidth(look.px(120))
        self._fault = label("", look, small=True, name="operator_fault", wraps=True, colour=look.warning)
        self._take_back = LowButton(_with_key(self.tr("Take back"), "take_back"), "take_back", look)
        self._take_over = LowButton(_with_key(self.tr("Take over"), "take_over"), "take_over", look)
        self._stop = LowButton("", "stop_system", look)
        # One row: on a screen 720 pixels high the SQL needs the others.
        keys = box(WrappingRow(self._take_back, self._take_over, self._stop))
        self.setLayout(column(self._condition, row((self._doing, 1), keys), self._fault, margins=PANEL, spacing=GAP))
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
        self._stop.setText(_with_key(self.tr("Go on") if stopped else self.tr("Stop"), "stop_system"))

    def show_doing(self, sentence: str, *, waits: bool) -> None:
        """What happens now; `waits` while a reply can still be taken back."""
        self._doing.setText(sentence)
        self._take_back.setVisible(waits)

    def show_fault(self, sentence: str) -> None:
        """Why the system gave nothing, or an empty text."""
        say(self._fault, sentence_here(sentence))


def _with_key(words: str, action: str) -> str:
    return f"{words}  {key_of(action)}"
