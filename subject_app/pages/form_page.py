"""A questionnaire on the subject's screen, by keyboard and mouse."""

from collections.abc import Mapping

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QWidget

from curtain.link.messages import Form
from curtain.qt.forms.form_sheet import FormSheet
from curtain.qt.style import GAP, LOOSE, WIDE, Look
from curtain.qt.widgets import box, column, row
from subject_app.pages.widgets import PrimaryButton, beside, button, label, wrapped
from subject_app.session.texts import Texts, fill

WIDEST = 900


class FormPage(QWidget):
    """`answered(form, item, value)` comes with each answer, `finished(form)` when the subject goes on, and
    `back_requested()` when they want to see the questionnaire before it.

    The first wish to go on with answers missing says how many and leads to them; the second goes on, unless an
    explicit choice is asked for.
    """

    answered = Signal(str, str, str)
    finished = Signal(str)
    back_requested = Signal()

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._title = wrapped(look, look.large_pt, bold=True, name="form_title")
        self._go_on = PrimaryButton("form_go_on", look, texts.form_continue)
        self._go_on.clicked.connect(self.enter)
        self._place = label(look, look.body_pt, colour=look.quiet, name="form_place")
        self._back = button(look, "form_back", texts.form_back)
        self._back.clicked.connect(self.back_requested)
        self._texts = texts
        self._sheet = FormSheet(look)
        self._sheet.set_words(texts.form_missing, texts.form_required, texts.field_full, texts.form_unanswered)
        self._sheet.setMinimumWidth(480)
        self._sheet.answered.connect(self._on_answered)
        self._lay_out()

    def show_form(self, form: Form | None, values: Mapping[str, str]) -> None:
        """Show a form with what was answered before; the same form again changes nothing."""
        if self._sheet.show_form(form, values):
            self._title.setText(form.title if form else "")
            self.setFocusProxy(self._sheet.first_field or self._go_on)

    def show_place(self, number: int, of: int, back: bool) -> None:
        """Which questionnaire of how many this is, and whether there is one to go back to."""
        self._place.setText(fill(self._texts.form_place, number=number, of=of))
        self._place.setVisible(of > 1)
        self._back.setVisible(back)

    def enter(self) -> None:
        """Go on, or to the first answer that is missing."""
        form = self._sheet.form
        if form is not None and self._sheet.may_go_on():
            self.finished.emit(form.name)

    def _on_answered(self, item: str, value: str) -> None:
        if self._sheet.form is not None:
            self.answered.emit(self._sheet.form.name, item, value)

    def _lay_out(self) -> None:
        self._place.hide()
        self._back.hide()
        buttons = beside(self._go_on, self._back)
        inside = box(column(self._place, self._title, (self._sheet, 1), self._sheet.notice, buttons, spacing=LOOSE))
        # Where the eye is on the other pages: in the middle.
        inside.setMaximumWidth(WIDEST)
        self.setLayout(row(1, (inside, 1000), 1, margins=QMargins(WIDE, WIDE, WIDE, WIDE), spacing=GAP))
