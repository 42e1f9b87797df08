"""Plain text fields of this window: problems underlined in place, commands left to the window."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QFocusEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from curtain.qt.command_text import CommandPlainText, text_before, units_of
from curtain.qt.style import Look, washed
from curtain.qt.widgets import named

Span = tuple[int, int]


class TextField(CommandPlainText):
    """Marks are given and selections reported in characters of Python, not of Qt."""

    left = Signal()

    def __init__(self, name: str, title: str, look: Look, lines: int) -> None:
        super().__init__()
        named(self, name, title)
        self.setTabChangesFocus(True)
        self._look = look
        self._lines = lines
        self.fit()

    def fit(self) -> None:
        """As high as its lines, for the font it has now."""
        frame = 2 * self.frameWidth() + 2 * int(self.document().documentMargin())
        self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing() + frame)

    def show_marks(
        self,
        problems: Sequence[Span],
        warnings: Sequence[Span] = (),
        hidden: Sequence[Span] = (),
        doubtful: Sequence[Span] = (),
    ) -> None:
        """Underline problems, doubtful words and, more quietly, warnings, and give hidden words a ground."""
        wave, dashes = QTextCharFormat.UnderlineStyle.WaveUnderline, QTextCharFormat.UnderlineStyle.DashUnderline
        marks = [self._mark(span, self._line(self._look.warning, wave)) for span in doubtful]
        marks += [self._mark(span, self._line(self._look.bad, wave)) for span in problems]
        marks += [self._mark(span, self._line(self._look.warning, dashes)) for span in warnings]
        marks += [self._mark(span, self._ground()) for span in hidden]
        self.setExtraSelections(marks)

    @property
    def chosen(self) -> Span | None:
        """The selected characters."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return None
        text, ends = self.toPlainText(), (cursor.selectionStart(), cursor.selectionEnd())
        start, end = (len(text_before(text, at)) for at in ends)
        return start, end

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def _mark(self, span: Span, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        text = self.toPlainText()
        start, end = (units_of(text[: max(0, at)]) for at in span)
        cursor = self.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor
        mark.format = form
        return mark

    def _line(self, colour: str, style: QTextCharFormat.UnderlineStyle) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setUnderlineStyle(style)
        form.setUnderlineColor(QColor(colour))
        return form

    def _ground(self) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setBackground(QColor(washed(self._look, self._look.bad)))
        return form
