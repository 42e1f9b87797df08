"""A questionnaire of the wizard's own, on the closing page: Enter goes on."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from curtain.desk.forms.form_sheet import FormSheet
from curtain.desk.style import Look, set_size
from curtain.desk.widgets import column, label, row
from curtain.link.messages import Form


class WizardForm(QWidget):
    """`answered(form, item, value)` with each answer, `finished(form, left_out)` when the wizard goes on;
    `left_out` are the ids of the questions without an answer."""

    answered = Signal(str, str, str)
    finished = Signal(str, list)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look, bold=True)
        self._title.setObjectName("form_title")
        set_size(self._title, look.pt(15), bold=True)
        self._sheet = FormSheet(look)
        self._sheet.set_words(
            self.tr("Not answered: {count} of {of}. Each is marked. Answer them, or press Enter again to go on."),
            self.tr("Choose an answer to each question that is marked. You cannot go on without it."),
        )
        self._sheet.answered.connect(self._on_answered)
        self._go_on = QPushButton(self.tr("Go on  (Enter)"))
        self._go_on.setObjectName("form_go_on")
        self._go_on.clicked.connect(self.go_on)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        parts = (self._title, self._sheet, self._sheet.notice, row(self._go_on, 1))
        self.setLayout(column(*parts, margins=QMargins(0, 0, 0, 0), spacing=10))
        self.hide()

    def show_form(self, form: Form | None, values: Mapping[str, str]) -> None:
        """Show a form with what was answered before, or nothing; the same form again changes nothing."""
        if self._sheet.show_form(form, values):
            self._title.setText(form.title if form else "")
            self.setVisible(form is not None)
            if form is not None:
                (self._sheet.first_field or self._go_on).setFocus(Qt.FocusReason.OtherFocusReason)

    def go_on(self) -> None:
        """To the answers that are missing, and the second time on."""
        form = self._sheet.form
        if form is not None and self._sheet.may_go_on():
            self.finished.emit(form.name, self._sheet.left_out)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on from every field."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # A key that is held down asks once.
            if not event.isAutoRepeat():
                self.go_on()
        else:
            super().keyPressEvent(event)

    def _on_answered(self, item: str, value: str) -> None:
        if self._sheet.form is not None:
            self.answered.emit(self._sheet.form.name, item, value)
