"""The answer as it will be judged: the minimum, and the maximum with the statement it comes from."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTabWidget, QWidget

from curtain.qt.command_text import CommandPlainText
from curtain.qt.style import TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import OneLine, box, column, label, named, say, text_to_read
from wizard_app.desk.turn.answer import Answers

_CAS_SHOWN = 20_000
_STATEMENT_LINES = 3


class AnswersPanel(QWidget):
    """Shows both answers. Where no maximum could be derived the wizard writes its statement here; an empty field lets
    it be derived again."""

    maximum_edited = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._minimum = text_to_read("cas_min", self.tr("Minimum answer"), look)
        self._maximum = text_to_read("cas_max", self.tr("Maximum answer"), look)
        self._sql = named(CommandPlainText(), "sql_max", self.tr("SQL of the maximum"))
        self._sql.setPlaceholderText(self.tr("Write the SELECT of the maximum here, then F5."))
        self._sql.setTabChangesFocus(True)
        set_size(self._sql, look.small_pt)
        self._sql.setFixedHeight(_STATEMENT_LINES * self._sql.fontMetrics().lineSpacing() + 10)
        self._fault = label("", look, small=True, name="maximum_fault", wraps=True, colour=look.warning)
        self._fault.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._tabs = named(QTabWidget(), "answers")
        self._tabs.setDocumentMode(True)
        self._tabs.setUsesScrollButtons(False)
        set_size(self._tabs.tabBar(), look.small_pt)
        self._tabs.tabBar().setAccessibleName(self.tr("Which answer"))
        # The result has to fit a low window beside the statement; both fields scroll.
        for field in (self._minimum, self._sql, self._maximum):
            field.setMinimumHeight(field.fontMetrics().lineSpacing())
        meant = OneLine("maximum_meant", look)
        meant.setText(self.tr("The most it may hold"))
        wide = box(column(meant, self._sql, self._fault, self._maximum, spacing=TIGHT))
        self._tabs.addTab(self._minimum, self.tr("Minimum"))
        self._tabs.addTab(wide, self.tr("Maximum"))
        self._tabs.setTabToolTip(0, self.tr("The least that an answer must hold to be right"))
        self._tabs.setTabToolTip(1, self.tr("The most that an answer may hold and still be right"))
        self.setLayout(column(self._tabs))
        self._sql.textChanged.connect(self._on_edited)
        self._showing = False

    def show_answers(self, answers: Answers) -> None:
        """Minimum and maximum, or why there is none."""
        self._show(self._minimum, answers.minimum, answers.minimum_fault)
        self._show(self._maximum, answers.maximum, None)
        if answers.completing:
            # The field may hold a maximum written by hand, which is being run.
            self._fault.hide()
            self._tabs.setTabText(1, self.tr("Maximum …"))
            return
        say(self._fault, answers.maximum_fault or "")
        self._put(answers.sql_max)
        missing = answers.maximum is None and answers.minimum is not None
        self._tabs.setTabText(1, self.tr("No maximum") if missing else self.tr("Maximum"))

    def show_nothing(self) -> None:
        """There is no answer yet."""
        self.show_answers(Answers(None, None, None, None))

    @property
    def in_maximum(self) -> bool:
        """Whether the cursor is in the tab of the maximum."""
        return self._sql.hasFocus() or self._maximum.hasFocus()

    def open_maximum(self) -> QWidget:
        """Brings the maximum to the front; where the cursor may go."""
        self._tabs.setCurrentIndex(1)
        return self._sql

    def close_maximum(self) -> None:
        """Back to the tab of the minimum."""
        self._tabs.setCurrentIndex(0)

    def _show(self, field: QPlainTextEdit, answer: str | None, fault: str | None) -> None:
        shown = answer if answer is not None else fault or ""
        field.setPlainText(shown if len(shown) <= _CAS_SHOWN else shown[:_CAS_SHOWN] + " …")
        set_text_colour(field, self._look.text if answer is not None else self._look.warning)

    def _put(self, sql: str) -> None:
        if self._sql.toPlainText() != sql:
            self._showing = True
            self._sql.setPlainText(sql)
            self._showing = False

    def _on_edited(self) -> None:
        if not self._showing:
            self.maximum_edited.emit(self._sql.toPlainText())
