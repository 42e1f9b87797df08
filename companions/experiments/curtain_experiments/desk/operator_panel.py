"""What the person at the desk sees of an experiment: the condition, what the system does, and which reply waits."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy

from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import GAP, PANEL, Look, set_size
from curtain.qt.widgets import column, label, named, row, say
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
        self._doing = label("", look, name="operator_doing", wraps=True)
        # It takes more lines rather than that it pushes the keys off a narrow window.
        self._doing.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._doing.setMinimumWidth(look.px(120))
        self._fault = label("", look, small=True, name="operator_fault", wraps=True, colour=look.warning)
        self._words = {"take_back": self.tr("Take back"), "take_over": self.tr("Take over"), "stop_system": ""}
        self._buttons = {action: self._button(action) for action in self._words}
        self._take_back, self._take_over, self._stop = self._buttons.values()
        # One row: on a screen 720 pixels high the SQL needs the others.
        keys = row((self._doing, 1), *self._buttons.values(), spacing=GAP)
        self.setLayout(column(self._condition, keys, self._fault, margins=PANEL, spacing=GAP))
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
        self._words["stop_system"] = self.tr("Go on") if stopped else self.tr("Stop")
        self._fit()

    def show_doing(self, sentence: str, *, waits: bool) -> None:
        """What happens now; `waits` while a reply can still be taken back."""
        self._doing.setText(sentence)
        self._take_back.setVisible(waits)
        self._fit()

    def show_fault(self, sentence: str) -> None:
        """Why the system gave nothing, or an empty text."""
        say(self._fault, sentence_here(sentence))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In a narrow window, or with large text, each key stands below its word."""
        for form in ("{}  ({})", "{}\n{}"):
            for action, button in self._buttons.items():
                button.setText(form.format(self._words[action], key_of(action)))
            shown = [button.sizeHint().width() + 8 for button in self._buttons.values() if not button.isHidden()]
            if sum(shown) + self._doing.minimumWidth() <= self.contentsRect().width() - 16:
                break

    def _button(self, name: str) -> QPushButton:
        made = named(QPushButton(), name)
        set_size(made, self._look.small_pt)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made
