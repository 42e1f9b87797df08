"""A questionnaire on the subject's screen, by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from curtain.desk.style import Look, set_size
from curtain.link.messages import Form, FormItem
from subject_app.pages.texts import Texts
from subject_app.pages.widgets import PrimaryButton, beside, label, wrapped

WIDEST = 900
# More answers than these side by side do not fit a small window.
MOST_BUTTONS = 11


class FormPage(QWidget):
    """`answered(form, item, value)` comes with each answer, `finished(form)` when the subject goes on.

    The first wish to go on with a missing answer leads to it; the second goes on, since nobody must answer.
    """

    answered = Signal(str, str, str)
    finished = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._form: Form | None = None
        self._values: dict[str, str] = {}
        self._first: dict[str, QWidget] = {}
        self._reminded = False
        self._title = wrapped(look, 20, bold=True, name="form_title")
        self._go_on = PrimaryButton("form_go_on", look)
        self._go_on.clicked.connect(self.enter)
        self._sheet = QScrollArea()
        self._sheet.setObjectName("form_sheet")
        self._sheet.setWidgetResizable(True)
        self._sheet.setFrameShape(QFrame.Shape.NoFrame)
        self._sheet.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._sheet.viewport().setAutoFillBackground(False)
        self._lay_out()

    def set_texts(self, texts: Texts, _key: str) -> None:
        """The words of the page itself; those of the form come with it."""
        self._go_on.setText(texts.mic_continue)

    def show_form(self, form: Form | None, values: Mapping[str, str]) -> None:
        """Show a form with what was answered before; the same form again changes nothing."""
        if form == self._form:
            return
        self._form, self._values, self._first, self._reminded = form, dict(values), {}, False
        self._low_ends: list[QLabel] = []
        sheet = QWidget()
        sheet.setAutoFillBackground(False)
        rows = QVBoxLayout(sheet)
        rows.setContentsMargins(0, 0, 12, 0)
        rows.setSpacing(6)
        for item in form.items if form else ():
            self._add_item(rows, item)
        rows.addStretch(1)
        self._line_up()
        self._title.setText(form.title if form else "")
        self._sheet.setAccessibleName(form.title if form else "")
        self._sheet.setWidget(sheet)
        self.setFocusProxy(next(iter(self._first.values()), self._go_on))

    def enter(self) -> None:
        """Go on, or to the first answer that is missing."""
        if self._form is None:
            return
        missing = [one for one in self._form.items if one.kind in ("scale", "choice") and one.id not in self._values]
        if missing and not self._reminded:
            self._reminded = True
            widget = self._first[missing[0].id]
            self._sheet.ensureWidgetVisible(widget)
            widget.setFocus()
            return
        self.finished.emit(self._form.name)

    def _add_item(self, rows: QVBoxLayout, item: FormItem) -> None:
        if item.text:
            rows.addWidget(wrapped(self._look, 13, bold=item.kind != "text", name=f"form_text_{item.id}"))
            rows.itemAt(rows.count() - 1).widget().setText(item.text)  # type: ignore[union-attr]
        if item.kind == "free":
            rows.addWidget(self._field(item))
        elif item.kind != "text" and len(item.values) > MOST_BUTTONS:
            rows.addWidget(self._list(item))
        elif item.kind != "text":
            rows.addWidget(self._buttons(item))
        rows.addSpacing(8)

    def _field(self, item: FormItem) -> QWidget:
        field = QLineEdit(self._values.get(item.id, ""))
        field.setObjectName(f"form_{item.id}")
        field.setAccessibleName(item.text)
        field.setMaxLength(2000)
        set_size(field, self._look.pt(13))
        # Not with every letter: each answer is a line of the journal.
        field.editingFinished.connect(lambda: self._take(item.id, field.text().strip()))
        self._first[item.id] = field
        return field

    def _list(self, item: FormItem) -> QWidget:
        box = QComboBox()
        box.setObjectName(f"form_{item.id}")
        box.setAccessibleName(item.text)
        set_size(box, self._look.pt(13))
        for value, words in zip(item.values, item.labels, strict=False):
            box.addItem(words, value)
        box.setCurrentIndex(box.findData(self._values.get(item.id, "")))
        box.currentIndexChanged.connect(lambda at: self._take(item.id, str(box.itemData(at))))
        self._first[item.id] = box
        return beside(box)

    def _buttons(self, item: FormItem) -> QWidget:
        row = QWidget()
        # A scale stands in a line between its two ends; the options of a choice are sentences, one below the other.
        line: QHBoxLayout | QVBoxLayout = QHBoxLayout(row) if item.kind == "scale" else QVBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        group = QButtonGroup(row)
        if item.low:
            self._low_ends.append(self._add_end(line, item.low))
        for value, words in zip(item.values, item.labels, strict=False):
            made = QRadioButton(words.replace("&", "&&"))
            made.setObjectName(f"form_{item.id}_{value}")
            made.setAccessibleName(f"{item.text} {words}".strip())
            set_size(made, self._look.pt(13))
            made.setChecked(self._values.get(item.id) == value)
            made.clicked.connect(lambda _on, value=value: self._take(item.id, value))
            group.addButton(made)
            line.addWidget(made)
            self._first.setdefault(item.id, made)
        if item.high:
            self._add_end(line, item.high)
        if item.kind == "scale":
            line.addStretch(1)
        return row

    def _add_end(self, line: QHBoxLayout | QVBoxLayout, words: str) -> QLabel:
        end = label(self._look, 11)
        end.setText(words)
        line.addWidget(end)
        return end

    def _line_up(self) -> None:
        """Scales below each other begin at the same place, whatever their first words are."""
        widest = max((end.sizeHint().width() for end in self._low_ends), default=0)
        for end in self._low_ends:
            end.setMinimumWidth(widest)

    def _take(self, item: str, value: str) -> None:
        if self._form is not None and self._values.get(item, "") != value:
            self._values[item] = value
            self.answered.emit(self._form.name, item, value)

    def _lay_out(self) -> None:
        inside = QWidget()
        # Where the eye is on the other pages: in the middle.
        inside.setMaximumWidth(WIDEST)
        middle = QVBoxLayout(inside)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(14)
        middle.addWidget(self._title)
        middle.addWidget(self._sheet, 1)
        middle.addWidget(beside(self._go_on))
        outer = QHBoxLayout(self)
        outer.setContentsMargins(48, 18, 36, 18)
        outer.addStretch(1)
        outer.addWidget(inside, 1000)
        outer.addStretch(1)
        self._sheet.setMinimumWidth(480)
