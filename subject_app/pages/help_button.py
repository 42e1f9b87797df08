"""“I need help”: calls the person who seated the subject, and says that the call went out."""

from PySide6.QtCore import QTimer, Signal

from subject_app.pages.widgets import TallButton
from subject_app.session.texts import Texts

# So long the button says that the call went out.
CALLED_FOR_MS = 20_000


class HelpButton(TallButton):
    """`called()`: once in a while, however often it is pressed."""

    called = Signal()

    def __init__(self, texts: Texts, name: str = "help") -> None:
        super().__init__(texts.help)
        self._texts = texts
        self.setObjectName(name)
        # Enter presses it; space is for talking.
        self.setAutoDefault(True)
        self._called_for = QTimer(self, singleShot=True, interval=CALLED_FOR_MS)
        self._called_for.timeout.connect(self._show_no_call)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        """A call that nobody sees to have gone out is pressed again and again."""
        if not self._called_for.isActive():
            self.setText(self._texts.help_called)
            self._called_for.start()
            self.called.emit()

    def _show_no_call(self) -> None:
        self.setText(self._texts.help)
