"""The start page's boxes for what the signed consent form allows beside taking part, and the day it was signed."""

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.style import WIDE
from curtain.qt.widgets import named
from curtain.qt.wrapping_row import WrappingRow
from curtain.session.consent import CHOSEN_SCOPES, ConsentScope, names_form


class ConsentGroup(QWidget):
    """One box a scope. It counts only where the form was signed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        texts: dict[ConsentScope, str] = {
            "keep_audio": self.tr("Recordings may be kept"),
            "video": self.tr("Video may be made"),
            "share": self.tr("Shared with other labs"),
            "publish": self.tr("Published"),
            "quote": self.tr("Quoted in talks and papers"),
        }
        self._boxes = {scope: self._box(scope, texts[scope]) for scope in CHOSEN_SCOPES}
        self._signed = CommandLine(name="consent_signed_on", placeholder=self.tr("today, or a day such as 2026-03-01"))
        self._signed.textChanged.connect(self.changed)
        form = QFormLayout(self, fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setContentsMargins(QMargins(WIDE, 0, 0, 0))
        form.addRow(WrappingRow(*self._boxes.values()))
        form.addRow(self.tr("Signed on"), self._signed)

    @property
    def scopes(self) -> tuple[ConsentScope, ...]:
        """What is ticked, after taking part."""
        return ("take_part", *(scope for scope, box in self._boxes.items() if box.isChecked()))

    @property
    def signed_on(self) -> str:
        """The day as it was typed; "" stands for today."""
        return self._signed.text().strip()

    def clear(self) -> None:
        """As for a new subject: nothing is allowed until somebody ticks what was signed."""
        for box in self._boxes.values():
            box.setChecked(False)
        self._signed.clear()

    def effect_of(self, form_id: str) -> str:
        """What exports will leave out, before it is too late to ask: for the id that the wizard has typed."""
        if form_id and not names_form(form_id):
            return self.tr("“{0}” stands for no signed form: exports leave this session out.").format(form_id)
        kept = self._boxes["keep_audio"].isChecked()
        return "" if kept else self.tr("No export will contain the sound of this session.")

    def _box(self, scope: ConsentScope, text: str) -> QCheckBox:
        made = named(QCheckBox(text), f"consent_{scope}")
        made.toggled.connect(self.changed)
        return made
