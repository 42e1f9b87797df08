"""The items of a questionnaire in one scrolling sheet, by keyboard and mouse: at the subject's and at the wizard's."""

from collections.abc import Mapping

from PySide6.QtCore import QMargins, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QLabel,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from curtain.link.messages import Form, FormItem
from curtain.qt.command_text import CommandLine
from curtain.qt.forms.scale_bar import ScaleBar
from curtain.qt.style import GAP, LOOSE, TIGHT, Look, set_size
from curtain.qt.widgets import announce, box, column, label, named
from curtain.qt.wrapping_row import WrappingRow

# More answers than these side by side do not fit a small window.
MOST_BUTTONS = 11
# A pause in typing: what was written until then survives a kill.
PAUSE_MS = 800
# Where a question that has no answer is marked, beside it.
MARK_PX = 4


class FormSheet(QScrollArea):
    """`answered(item, value)` comes with each answer, also with what was typed until a pause.

    The first `may_go_on` with answers missing leads to them: `notice`, which the page puts below the sheet, says how
    many, and each is marked. The second goes on, unless a required one is among them.
    """

    answered = Signal(str, str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.notice = label("", look, "form_missing", pt=look.read_pt, bold=True, colour=look.warning, wraps=True)
        self.notice.hide()
        self._missing_words = self._required_words = self._full_words = self._unanswered_words = ""
        self._look = look
        self.form: Form | None = None
        self._values: dict[str, str] = {}
        self._first: dict[str, QWidget] = {}
        self._marks: dict[str, _Question] = {}
        self._fields: list[_FreeText] = []
        self._low_ends: list[QLabel] = []
        self._high_ends: list[QLabel] = []
        self._reminded = False
        self.setObjectName("form_sheet")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)

    def set_words(self, missing: str, required: str, full: str = "", unanswered: str = "") -> None:
        """The sentences of `notice`: with answers missing ({count} of {of}), and with a required one among them; what
        is said at a field that takes no more, and above a question without an answer."""
        self._missing_words, self._required_words, self._full_words = missing, required, full
        self._unanswered_words = unanswered

    def show_form(self, form: Form | None, values: Mapping[str, str]) -> bool:
        """Show a form with what was answered before. The same form again changes nothing, and gives False."""
        if form == self.form:
            return False
        self.form, self._values, self._first, self._reminded = form, dict(values), {}, False
        self._fields, self._low_ends, self._high_ends, self._marks = [], [], [], {}
        self.notice.hide()
        rows = column(margins=QMargins(GAP, TIGHT, LOOSE, TIGHT))
        for item in form.items if form else ():
            self._add_item(rows, item)
        rows.addStretch(1)
        self._line_up()
        self.setAccessibleName(form.title if form else "")
        self.setWidget(box(rows))
        return True

    @property
    def first_field(self) -> QWidget | None:
        """Where the keyboard begins; None without anything to answer."""
        return next(iter(self._first.values()), None)

    @property
    def left_out(self) -> list[str]:
        """The ids of the questions without an answer."""
        return [one.id for one in self.form.unanswered(self._values)] if self.form else []

    def may_go_on(self) -> bool:
        """Take what is typed; False leads to the first answer that is missing, once a form."""
        if self.form is None:
            return False
        for field in self._fields:
            field.take()
        missing = self._mark()
        if not missing or (self._reminded and not missing[0].required):
            return True
        # What may be left out is asked for once, after what may not.
        self._reminded = not missing[0].required
        widget = self._first[missing[0].id]
        self.ensureWidgetVisible(widget)
        widget.setFocus()
        return False

    def _mark(self) -> list[FormItem]:
        """Say what is missing and show where: what nobody may leave out, or else the rest."""
        missing = self.form.unanswered(self._values) if self.form else []
        required = [one for one in missing if one.required]
        shown = required or missing
        for item, mark in self._marks.items():
            mark.show_missing(item in [one.id for one in shown])
        words = self._required_words if required else self._missing_words
        of = len(self.form.questions) if self.form else 0
        self.notice.setText(words.replace("{count}", str(len(shown))).replace("{of}", str(of)))
        self.notice.setVisible(bool(shown))
        if shown:
            announce(self, self.notice.text())
        return shown

    def _add_item(self, rows: QVBoxLayout, item: FormItem) -> None:
        question = self._marks[item.id] = _Question(self._look, self._unanswered_words)
        if item.text:
            look, bold = self._look, item.kind != "text"
            words = label(item.text, look, f"form_text_{item.id}", pt=look.read_pt, bold=bold, wraps=True)
            question.rows.addWidget(words)
        if item.kind == "free":
            question.rows.addWidget(self._field(item))
        elif item.kind != "text" and len(item.values) > MOST_BUTTONS:
            question.rows.addWidget(self._long_scale(item))
        elif item.kind != "text":
            question.rows.addWidget(self._buttons(item))
        rows.addWidget(question)
        rows.addSpacing(GAP)

    def _field(self, item: FormItem) -> QWidget:
        field = named(_FreeText(self._values.get(item.id, "")), f"form_{item.id}", item.text)
        field.full_words = self._full_words or field.full_words
        set_size(field, self._look.read_pt)
        field.taken.connect(lambda text: self._take(item.id, text))
        self._first[item.id] = field
        self._fields.append(field)
        return field

    def _long_scale(self, item: FormItem) -> QWidget:
        bar = named(ScaleBar(item.values, self._values.get(item.id, "")), f"form_{item.id}")
        bar.setAccessibleName(" ".join(filter(None, (item.text, item.low, item.high))))
        bar.setMinimumWidth(self._look.px(320))
        shown = label(bar.text or "–", self._look, pt=self._look.read_pt, bold=True)
        shown.setMinimumWidth(shown.fontMetrics().horizontalAdvance("1000"))
        bar.chosen.connect(shown.setText)
        bar.chosen.connect(lambda value: self._take(item.id, value))
        self._first[item.id] = bar
        high = self._end(item.high)
        self._high_ends.append(high)
        return box(WrappingRow(*self._low_end(item), bar, high, shown))

    def _buttons(self, item: FormItem) -> QWidget:
        parts: list[QWidget] = [*self._low_end(item)]
        group = QButtonGroup(self)
        for value, words in zip(item.values, item.labels, strict=False):
            made = named(_Choice(words.replace("&", "&&")), f"form_{item.id}_{value}", f"{item.text} {words}".strip())
            set_size(made, self._look.read_pt)
            made.setChecked(self._values.get(item.id) == value)
            made.clicked.connect(lambda _on, value=value: self._take(item.id, value))
            group.addButton(made)
            parts.append(made)
            self._first.setdefault(item.id, made)
        if item.high:
            parts.append(self._end(item.high))
        # A scale stands in a line between its two ends; the options of a choice are sentences, one below the other.
        filled = box(WrappingRow(*parts) if item.kind == "scale" else column(*parts, spacing=GAP))
        group.setParent(filled)
        return filled

    def _low_end(self, item: FormItem) -> list[QLabel]:
        ends = [self._end(item.low)] if item.low else []
        self._low_ends += ends
        return ends

    def _end(self, words: str) -> QLabel:
        return label(words, self._look, pt=self._look.body_pt)

    def _line_up(self) -> None:
        """Scales below each other begin at the same place, whatever their first words are."""
        for ends in (self._low_ends, self._high_ends):
            widest = max((end.sizeHint().width() for end in ends), default=0)
            for end in ends:
                end.setMinimumWidth(widest)

    def _take(self, item: str, value: str) -> None:
        if self.form is not None and self._values.get(item, "") != value:
            self._values[item] = value
            if not self.notice.isHidden():
                self._mark()
            self.answered.emit(item, value)


class _Question(QWidget):
    """An item with its answers; a bar beside it and words above it say that one is missing."""

    def __init__(self, look: Look, unanswered: str) -> None:
        super().__init__()
        self._words = label(unanswered, look, "form_unanswered", bold=True, colour=look.warning)
        self._words.hide()
        self._look = look
        self._missing = False
        self.rows = column(margins=QMargins(LOOSE, 0, 0, 0))
        self.rows.addWidget(self._words)
        self.setLayout(self.rows)

    def show_missing(self, missing: bool) -> None:
        """Mark the item, or take the mark away."""
        self._missing = missing
        self._words.setVisible(missing and bool(self._words.text()))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A digit chooses the place of that number, whichever of them has the cursor."""
        chosen = next((one for one in self.findChildren(QRadioButton) if one.text() == event.text()), None)
        if chosen is None or not event.text().isdigit():
            super().keyPressEvent(event)
            return
        chosen.setFocus(Qt.FocusReason.OtherFocusReason)
        chosen.click()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar, over the whole height of the item."""
        if self._missing:
            QPainter(self).fillRect(QRectF(0, 0, MARK_PX, self.height()), QColor(self._look.warning))


class _Choice(QRadioButton):
    """An arrow chooses, also the first time: Qt then only moves the cursor."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        now = QApplication.focusWidget()
        if isinstance(now, _Choice) and now is not self and not now.isChecked():
            now.click()


class _FreeText(CommandLine):
    """`taken(text)` at a pause in typing and when the field is left: each answer is a line of the journal."""

    taken = Signal(str)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.take)
        self.textEdited.connect(lambda _text: self._pause.start())
        self.editingFinished.connect(self.take)

    def take(self) -> None:
        """Give what is written now."""
        self._pause.stop()
        self.taken.emit(self.text().strip())
