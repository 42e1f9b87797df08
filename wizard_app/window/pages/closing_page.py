"""A session ends with a page: what is still on its way, the wizard's own questionnaires, where everything is."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from curtain.link.messages import Form
from curtain.qt.forms.form_sheet import FormSheet
from curtain.qt.languages.translation import parts_here
from curtain.qt.style import LOOSE, SHEET, WIDE, Look
from curtain.qt.widgets import Scrolling, box, column, label, named, row


class ClosingPage(QWidget):
    """Shows that the session is over and when it is safe to leave."""

    leave_requested = Signal()
    close_requested = Signal()
    form_answered = Signal(str, str, str)
    form_finished = Signal(str, list)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look, name="closing_title", bold=True, pt=look.large_pt)
        self._message = label("", look, name="closing_message", wraps=True)
        self._message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._leave = named(QPushButton(self.tr("Back to the start page  (Esc)")), "leave")
        self._leave.clicked.connect(self.leave_requested)
        self._close = named(QPushButton(self.tr("Close it as it is")), "close_as_it_is")
        self._close.clicked.connect(self.close_requested)
        self._close.hide()
        self._form = WizardForm(look)
        self._form.answered.connect(self.form_answered)
        self._form.finished.connect(self.form_finished)
        buttons = row(self._leave, self._close, 1)
        margins = SHEET
        # A form takes all the room that there is.
        lines = (2, self._title, self._message, (self._form, 100), buttons, 3)
        self.setLayout(column(Scrolling(box(column(*lines, margins=margins, spacing=WIDE)))))

    def show_waiting(self, session_id: str, awaited: Sequence[str]) -> None:
        """The session is ending; `awaited` is what is still on its way, each in words."""
        self._title.setText(self.tr("Session {0} is ending").format(session_id))
        waits = self.tr("Waiting for {0}.").format(parts_here(awaited))
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
            text = self.tr("Closed without {0}; the journal records the gap.").format(parts_here(missing))
        self._message.setText(f"{text}\n\n{summary}\n\n{bundle}")
        self._leave.setText(self.tr("Back to the start page  (Esc)"))
        self._close.hide()
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)


class WizardForm(QWidget):
    """`answered(form, item, value)` with each answer, `finished(form, left_out)` when the wizard goes on;
    `left_out` are the ids of the questions without an answer."""

    answered = Signal(str, str, str)
    finished = Signal(str, list)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look, name="form_title", bold=True, pt=look.title_pt)
        self._sheet = FormSheet(look)
        self._sheet.set_words(
            self.tr("Not answered: {count} of {of}. Each is marked. Answer them, or press Enter again to go on."),
            self.tr("Choose an answer to each question that is marked. You cannot go on without it."),
            unanswered=self.tr("Not answered"),
        )
        self._sheet.answered.connect(self._on_answered)
        self._go_on = named(QPushButton(self.tr("Go on  (Enter)")), "form_go_on")
        self._go_on.clicked.connect(self.go_on)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        parts = (self._title, self._sheet, self._sheet.notice, row(self._go_on, 1))
        self.setLayout(column(*parts, margins=QMargins(0, 0, 0, 0), spacing=LOOSE))
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
