"""What the subject was working on: the title and the text of the scenario."""

from PySide6.QtWidgets import QFrame, QWidget

from curtain.domain.pack.pack import Scenario
from curtain.qt.command_text import CommandPlainText
from curtain.qt.style import TIGHT, Look, set_size
from curtain.qt.widgets import column, label, named

_LINES = 6


class AnnotatedScenario(QWidget):
    """A few lines; a longer text is scrolled."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look, small=True, bold=True, name="scenario_title", within=True)
        self.text = named(CommandPlainText(), "scenario_text", self.tr("Scenario"))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        set_size(self.text, look.small_pt)
        self.text.setFixedHeight(_LINES * self.text.fontMetrics().lineSpacing() + 8)
        self.setLayout(column(self._title, self.text, spacing=TIGHT))

    def show_scenario(self, scenario_id: str | None, scenario: Scenario | None) -> None:
        """The scenario of a turn; where its domain pack is not on this machine, its id."""
        name = scenario.title if scenario is not None else scenario_id or self.tr("none")
        self._title.setText(self.tr("Scenario: {0}").format(name))
        gone = self.tr("Its text is in the domain pack, which is not on this machine.") if scenario_id else ""
        text = scenario.text.strip() if scenario is not None else gone
        if self.text.toPlainText() != text:
            self.text.setPlainText(text)
