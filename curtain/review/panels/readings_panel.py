"""The readings of a query: minimum and maximum statement of each, and the answers they give."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QSizePolicy, QWidget

from curtain.base.words import MARKS
from curtain.qt.languages.translation import rows_here, sentence_here, translate
from curtain.qt.sql_editor import SqlEditor
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import TIGHT, Look, set_size, set_text_colour, sized
from curtain.qt.widgets import OneLine, button, column, heading, label, named, plain_tip, say
from curtain.qt.wrapping_row import WrappingRow
from curtain.review.control.wording import READS
from curtain.review.control.work import EditedReading, TurnAnnotation


class StatementEditor(SqlEditor):
    """An SQL editor that reports when the cursor leaves."""

    left = Signal()

    def __init__(self, name: str, title: str, look: Look, lines: int) -> None:
        super().__init__(look)
        named(self, name, title)
        self.setFont(sized(self.font(), look.small_pt))
        frame = 2 * self.frameWidth() + 2 * int(self.document().documentMargin())
        self.setMinimumHeight(lines * self.fontMetrics().lineSpacing() + frame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_problem_at(self, place: tuple[int, int] | None) -> None:
        """Underline the word at a line and column of the statement, both from 1."""
        if place is None:
            self.clear_problem()
            return
        text = self.toPlainText()
        # The statement ran without its outer white space, so the place counts from its first word.
        lead = len(text) - len(text.lstrip())
        lines = text[lead:].split("\n")
        start = lead + sum(len(line) + 1 for line in lines[: place[0] - 1]) + place[1] - 1
        word = re.match(rf"[\w{MARKS}]+|.", text[start:])
        self.show_problem(start, len(word[0]) if word else 1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class ReadingsPanel(QWidget):
    """Shows one reading at a time; reports what was typed and what is wished."""

    minimum_edited = Signal(str)
    maximum_edited = Signal(str)
    run_requested = Signal()
    yes_no_toggled = Signal()
    add_requested = Signal()
    reads_requested = Signal()
    weight_chosen = Signal(float)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.minimum = StatementEditor("sql_min", self.tr("Minimum statement"), look, 3)
        self.maximum = StatementEditor("sql_max", self.tr("Maximum statement"), look, 2)
        self.maximum.setPlaceholderText(self.tr("derived from the minimum"))
        self._title = label("", look, small=True, bold=True, name="reading")
        self._reads = button(translate("Review", READS["any"]), "reads", self.tr("Context of this reading: Ctrl+P"))
        self._add = button(self.tr("+"), "add_reading", self.tr("One more reading: Ctrl+Shift+A"))
        self._weight = named(QDoubleSpinBox(), "weight", self.tr("Weight of this reading"))
        self._weight.setRange(0.05, 99.0)
        self._weight.setSingleStep(0.5)
        self._weight.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._weight.setToolTip(plain_tip(self.tr("Weight of this reading: Ctrl+L")))
        self._add.setFixedWidth(look.px(28))
        self._yes_no = named(QCheckBox(self.tr("Yes/no  F6")), "yes_no")
        self._yes_no.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_size(self._yes_no, look.small_pt)
        self._run = button(self.tr("Run  F5"), "run")
        self._summary = label("", look, small=True, name="sql_status", within=True)
        self.other_database = OneLine("other_database", look)
        self.other_database.setText(self.tr("This is not the database that the session ran on; answers may differ."))
        set_text_colour(self.other_database, look.warning)
        self.other_database.hide()
        self._cas = {name: OneLine(name, look) for name in ("cas_min", "cas_max")}
        self._lay_out()
        self._wire()

    def _lay_out(self) -> None:
        for widget in (self._reads, self._add, self._weight, self._run):
            set_size(widget, self._look.small_pt)
        head = WrappingRow(self._title, self._reads, self._weight, self._add, self._yes_no, self._run)
        answers = column(self.other_database, *self._cas.values(), spacing=0)
        over_maximum = heading(self.tr("Maximum  Ctrl+Shift+M"), self._look)
        made = column(head, self.minimum, over_maximum, self.maximum, self._summary, answers, spacing=TIGHT)
        made.setStretch(1, 5)
        made.setStretch(3, 3)
        self.setLayout(made)

    def _wire(self) -> None:
        self.minimum.textChanged.connect(lambda: self.minimum_edited.emit(self.minimum.toPlainText()))
        self.maximum.textChanged.connect(lambda: self.maximum_edited.emit(self.maximum.toPlainText()))
        self._run.clicked.connect(self.run_requested)
        self._yes_no.clicked.connect(self.yes_no_toggled)
        self._add.clicked.connect(self.add_requested)
        self._reads.clicked.connect(self.reads_requested)
        self._weight.valueChanged.connect(self.weight_chosen)

    def set_schema(self, schema: EditorSchema) -> None:
        """Names for the completion."""
        self.minimum.set_schema(schema)
        self.maximum.set_schema(schema)

    def focus_weight(self) -> None:
        """To be typed anew; one reading alone has no weight."""
        if self._weight.isVisible():
            self._weight.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._weight.selectAll()

    def show_work(self, work: TurnAnnotation, number: int, running: bool) -> None:
        """One reading of several."""
        reading, several = work.readings[number], len(work.readings) > 1
        self._title.setText(
            self.tr("{0} of {1}  Ctrl+M").format(number + 1, len(work.readings))
            if several
            else self.tr("Minimum  Ctrl+M")
        )
        self._reads.setText(translate("Review", READS[reading.reads]))
        self._reads.setVisible(several)
        self._weight.setVisible(several)
        self._weight.blockSignals(True)
        self._weight.setValue(reading.weight)
        self._weight.blockSignals(False)
        self.minimum.show_text(reading.sql_min)
        self.maximum.show_text(reading.sql_max)
        self._yes_no.setChecked(work.yes_no)
        self._run.setText(self.tr("Stop  F5") if running else self.tr("Run  F5"))
        self._show_answers(reading, running)
        self.setProperty("reading", number + 1)
        self.setProperty("readings", len(work.readings))

    def _show_answers(self, reading: EditedReading, running: bool) -> None:
        text, colour = _summary_of(reading, running), self._look.quiet
        if reading.problem and not running:
            colour = self._look.bad
        elif (reading.must_run or reading.max_problem) and not running:
            colour = self._look.warning
        self.minimum.show_problem_at(None if running else reading.problem_at)
        say(self._summary, text)
        set_text_colour(self._summary, colour)
        for name, what in (("cas_min", translate("Review", "minimum")), ("cas_max", translate("Review", "maximum"))):
            answer = getattr(reading, name)
            self._cas[name].setText(f"{what}:  {'–' if answer is None else ' '.join(answer.split())}")
            self._cas[name].setEnabled(not reading.must_run)


def _summary_of(reading: EditedReading, running: bool) -> str:
    if running:
        return translate("Review", "The statement is running.")
    if reading.problem:
        return sentence_here(reading.problem)
    if reading.must_run:
        return translate("Review", "The statement was changed; its answers are computed when it is run or saved.")
    rows = "" if reading.rows is None else f"{rows_here(reading.rows)}. "
    return rows + (
        translate("Review", "No maximum: {0}").format(sentence_here(reading.max_problem)) if reading.max_problem else ""
    )
