"""The answer as it will be judged: the minimum, and the maximum with the statement it comes from."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from curtain.qt.command_text import CommandPlainText
from curtain.qt.style import TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import column, label, named, say, text_to_read
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
        self._problem = label("", look, small=True, name="maximum_problem", within=True, colour=look.warning)
        self._title = label("", look, "maximum_title", small=True, bold=True)
        # Both fields scroll.
        for field in (self._minimum, self._sql, self._maximum):
            field.setMinimumHeight(field.fontMetrics().lineSpacing())
        least, meant = (label(words, look, small=True, quiet=True, wraps=True) for words in (
            self.tr("The least that an answer must hold to be right"),
            self.tr("The most that an answer may hold and still be right"),
        ))  # fmt: skip
        named(meant, "maximum_meant")
        minimum = label(self.tr("Minimum"), look, small=True, bold=True)
        parts = minimum, least, (self._minimum, 1), self._title, meant, self._sql, self._problem, (self._maximum, 1)
        self.setFocusProxy(self._sql)
        self.setLayout(column(*parts, spacing=TIGHT))
        self._sql.textChanged.connect(self._on_edited)
        self._showing = self._missing = False

    def show_answers(self, answers: Answers) -> None:
        """Minimum and maximum, or why there is none."""
        self._show(self._minimum, answers.minimum, answers.minimum_problem)
        self._show(self._maximum, answers.maximum, None)
        if answers.completing:
            # The field may hold a maximum written by hand, which is being run.
            self._problem.hide()
            self._missing = False
            self._title.setText(self.tr("Maximum …"))
            return
        say(self._problem, answers.maximum_problem or "")
        self._put(answers.sql_max)
        self._missing = answers.maximum is None and answers.minimum is not None
        self._title.setText(self.tr("No maximum") if self._missing else self.tr("Maximum"))

    def show_nothing(self) -> None:
        """There is no answer yet."""
        self.show_answers(Answers(None, None, None, None))

    @property
    def warning(self) -> str:
        """That the maximum is missing, or an empty text."""
        return self.tr("No maximum") if self._missing else ""

    def _show(self, field: QPlainTextEdit, answer: str | None, problem: str | None) -> None:
        shown = answer if answer is not None else problem or ""
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
