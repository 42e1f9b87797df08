"""A session ends with a page: what is still on its way, the wizard's own questionnaires, where everything is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from curtain.desk.style import Look, set_size
from curtain.desk.widgets import column, label, row
from curtain.link.messages import Form
from wizard_app.window.panels.wizard_form import WizardForm


class ClosingPage(QWidget):
    """Shows that the session is over and when it is safe to leave."""

    leave_requested = Signal()
    close_requested = Signal()
    form_answered = Signal(str, str, str)
    form_finished = Signal(str, list)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look)
        self._title.setObjectName("closing_title")
        set_size(self._title, look.large_pt, bold=True)
        self._message = label("", look)
        self._message.setObjectName("closing_message")
        self._message.setWordWrap(True)
        self._message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._leave = QPushButton(self.tr("Back to the start page  (Esc)"))
        self._leave.setObjectName("leave")
        self._leave.clicked.connect(self.leave_requested)
        self._close = QPushButton(self.tr("Close it as it is"))
        self._close.setObjectName("close_as_it_is")
        self._close.clicked.connect(self.close_requested)
        self._close.hide()
        self._form = WizardForm(look)
        self._form.answered.connect(self.form_answered)
        self._form.finished.connect(self.form_finished)
        buttons = row(self._leave, self._close, 1)
        margins = QMargins(120, 40, 120, 40)
        lines = column(2, self._title, self._message, self._form, buttons, 3, margins=margins, spacing=18)
        # A form takes all the room that there is.
        lines.setStretchFactor(self._form, 100)
        self.setLayout(lines)

    def show_waiting(self, session_id: str, awaited: Sequence[str]) -> None:
        """The session is ending; `awaited` is what is still on its way, each in words."""
        self._title.setText(self.tr("Session {0} is ending").format(session_id))
        waits = self.tr("Waiting for {0}.").format(", ".join(awaited))
        if not awaited:
            waits = self.tr("Writing the list of files.")
        self._message.setText(waits)
        self._leave.setText(self.tr("Leave it unfinished"))
        self._close.setVisible(bool(awaited))

    def show_form(self, form: Form | None, values: Mapping[str, str]) -> None:
        """The questionnaire that the wizard fills in now; None if there is none."""
        self._form.show_form(form, values)

    def show_closed(self, session_id: str, summary: str, bundle: str, missing: Sequence[str] = ()) -> None:
        """The session is closed: its measures, its folder, and what it was closed without."""
        self._form.show_form(None, {})
        self._title.setText(self.tr("Session {0} is closed").format(session_id))
        text = self.tr("All files are here and listed in the manifest. Both stations are idle.")
        if missing:
            text = self.tr("Closed without {0}; the journal records the gap.").format(", ".join(missing))
        self._message.setText(f"{text}\n\n{summary}\n\n{bundle}")
        self._leave.setText(self.tr("Back to the start page  (Esc)"))
        self._close.hide()
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)
