"""What the study asks of a wizard's practice, and why somebody below that takes the session all the same."""

from collections.abc import Mapping

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.style import TIGHT, Look, set_text_colour
from curtain.qt.widgets import column, label


class LevelGroup(QWidget):
    """`changed`: the reason is another one. Nothing is shown where the study asks for no level."""

    changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._wanted: float | None = None
        self._reached: Mapping[str, float] = {}
        self._stands = label("", look, small=True, name="wizard_level", wraps=True)
        self._reason = CommandLine(
            name="level_reason",
            spoken=self.tr("Reason for a session below the level"),
            placeholder=self.tr("why this wizard takes the session"),
        )
        self._reason.textChanged.connect(self.changed)
        self.setLayout(column(self._stands, self._reason, margins=QMargins(0, 0, 0, 0), spacing=TIGHT))
        self.hide()

    def show_levels(self, wanted: float | None, reached: Mapping[str, float]) -> None:
        """The share of right replies that the study asks for, and what each wizard reached in the latest sitting."""
        self._wanted, self._reached = wanted, reached
        self.changed.emit()

    def show_wizard(self, wizard: str) -> None:
        """Say how this wizard stands."""
        self.setVisible(self._wanted is not None and bool(wizard))
        if self._wanted is None or not wizard:
            return
        enough = self._is_enough(wizard)
        self._stands.setText(self._sentence(wizard, self._wanted))
        set_text_colour(self._stands, self._look.good if enough else self._look.warning)
        self._reason.setVisible(not enough)

    def reason_for(self, wizard: str) -> str | None:
        """None where no reason is needed."""
        return None if self._wanted is None or self._is_enough(wizard) else self._reason.text().strip()

    def level_of(self, wizard: str) -> float | None:
        """What this wizard reached; None without a sitting that is long enough, or where the study asks for none."""
        return self._reached.get(wizard) if self._wanted is not None else None

    def _is_enough(self, wizard: str) -> bool:
        return self._wanted is not None and self._reached.get(wizard, -1.0) >= self._wanted

    def _sentence(self, wizard: str, wanted: float) -> str:
        asked, reached = f"{100 * wanted:.0f} %", self._reached.get(wizard)
        if reached is None:
            text = self.tr("The study asks for {0} in practice, and {1} has not practised: “curtain train”.")
            return text.format(asked, wizard)
        text = self.tr("{0} has {1} right in practice; the study asks for {2}.")
        return text.format(wizard, f"{100 * reached:.0f} %", asked)
