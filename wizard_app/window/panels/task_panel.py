"""What the subject reads of the task that is on the screen now."""

from __future__ import annotations

from PySide6.QtWidgets import QTextBrowser, QWidget

from curtain.desk.style import Look, set_size
from wizard_app.desk.session.outbox import ScenarioText


class TaskPanel(QTextBrowser):
    """A text to read; the arrows scroll it."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("task")
        self.setAccessibleName(self.tr("The task as the subject reads it"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        set_size(self, look.body_pt)
        self._shown = ""

    def show_task(self, heading: str, task: ScenarioText | None) -> None:
        """The task with its heading; None if no task is on the subject's screen. Nothing moves if it is the same."""
        parts = [heading]
        if task is not None:
            asks = self.tr("The subject states an answer at its end.")
            parts += [task.text, asks if task.asks_answer else self.tr("No answer is asked for at its end.")]
        text = "\n\n".join(parts)
        if text != self._shown:
            self._shown = text
            self.setPlainText(text)
