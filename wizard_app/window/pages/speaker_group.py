"""The start page's group “About the speaker”: folded away until somebody wants to fill it in."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, Qt, Slot
from PySide6.QtWidgets import QComboBox, QFormLayout, QToolButton, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.style import GAP, WIDE
from curtain.qt.widgets import box, column, named
from curtain.session.events.speaker import AGE_BANDS, SEXES, SpeakerDescription


class SpeakerGroup(QWidget):
    """Asks for coarse bands; each stays “not stated” until the wizard chooses one."""

    def __init__(self) -> None:
        super().__init__()
        self._fold = named(
            QToolButton(toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon, autoRaise=True), "about_speaker"
        )
        self._fold.setText(self.tr("About the speaker (optional)"))
        self._fold.setCheckable(True)
        # A tool button is passed over by Tab unless set otherwise.
        self._fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._fold.toggled.connect(self._on_folded)
        self._age = self._choice("speaker_age", [(one, one) for one in AGE_BANDS])
        self._sex = self._choice("speaker_sex", [(one, one) for one in SEXES])
        self._region = CommandLine(name="speaker_region", placeholder=self.tr("not stated"))
        self._native = self._choice("speaker_native", [(self.tr("yes"), True), (self.tr("no"), False)])
        self._sheet = self._sheet_of_fields()
        self.setLayout(column(self._fold, self._sheet, spacing=GAP))
        self._on_folded(False)

    @property
    def description(self) -> SpeakerDescription | None:
        """What was filled in, also where it is folded away; None where nothing was."""
        filled = SpeakerDescription(
            age=self._age.currentData(),
            sex=self._sex.currentData(),
            region=" ".join(self._region.text().split()) or None,
            native_english=self._native.currentData(),
        )
        return None if filled == SpeakerDescription() else filled

    def clear(self) -> None:
        """Forget what was filled in: another speaker is described."""
        for choice in (self._age, self._sex, self._native):
            choice.setCurrentIndex(0)
        self._region.clear()

    def _sheet_of_fields(self) -> QWidget:
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setContentsMargins(QMargins(WIDE, 0, 0, 0))
        form.addRow(self.tr("Age"), self._age)
        form.addRow(self.tr("Sex, as stated"), self._sex)
        form.addRow(self.tr("Grew up in (region)"), self._region)
        form.addRow(self.tr("Native speaker of English"), self._native)
        sheet = box(form)
        return sheet

    def _choice(self, name: str, values: Sequence[tuple[str, object]]) -> QComboBox:
        made = named(QComboBox(), name)
        made.addItem(self.tr("not stated"), None)
        for text, value in values:
            made.addItem(text, value)
        return made

    @Slot(bool)
    def _on_folded(self, is_open: bool) -> None:
        self._fold.setArrowType(Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow)
        self._sheet.setVisible(is_open)
