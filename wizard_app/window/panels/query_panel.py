"""The transcription: what the subject will read as “You said”."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from curtain.qt.command_text import CommandPlainText
from curtain.qt.style import Look, SubjectFrame, mixed, set_size, set_text_colour
from curtain.qt.widgets import column, heading, label, row

_HIGH = 800


class QueryField(CommandPlainText):
    """One utterance, so Return alone does nothing but remind of the key that sends. Words may be offered: they stand
    greyed in the empty field, Tab takes them, and whatever is typed takes their place."""

    def __init__(self) -> None:
        super().__init__()
        self._offered = ""

    @property
    def offered(self) -> str:
        """The words that Tab would take now."""
        return self._offered if not self.toPlainText() and not self.composed and not self.isReadOnly() else ""

    def offer(self, words: str) -> None:
        """Show words in the empty field that can be taken over; no words offer nothing."""
        self._offered = words
        if words:
            self.setPlaceholderText(words)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Qt asks this before a Tab becomes a key press.
        if forward and self.offered:
            self.insertPlainText(self._offered)
            return True
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Left to the window, whose key it is.
            event.ignore()
            return
        super().keyPressEvent(event)

    def mark(self, spans: Iterable[tuple[int, int]], look: Look, struck: Iterable[tuple[int, int]] = ()) -> None:
        """Underline stretches of the text and strike others, given in characters; none takes the marks away."""
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(QColor(look.accent))
        form.setBackground(QColor(mixed(look.base, look.accent, 0.15)))
        text = self.toPlainText()
        passed_over = QTextCharFormat()
        passed_over.setFontStrikeOut(True)
        passed_over.setForeground(QColor(look.quiet))
        marks = [self._marked(text, start, end, form) for start, end in spans]
        self.setExtraSelections([*marks, *(self._marked(text, start, end, passed_over) for start, end in struck)])

    def _marked(self, text: str, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        cursor = self.textCursor()
        cursor.setPosition(_utf16(text[:start]))
        cursor.setPosition(_utf16(text[:end]), QTextCursor.MoveMode.KeepAnchor)
        marked = QTextEdit.ExtraSelection()
        marked.cursor = cursor
        marked.format = form
        return marked


class QueryPanel(QWidget):
    """Holds the text of one turn and shows whether the subject has it."""

    text_edited = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.field = QueryField()
        self.field.setObjectName("query")
        self.field.setAccessibleName(self.tr("Query"))
        self.field.setTabChangesFocus(True)
        self.field.setFrameShape(QFrame.Shape.NoFrame)
        set_size(self.field, look.body_pt + 2)
        self.follow_height(_HIGH)
        self._state = label("", look, small=True, quiet=True)
        self._state.setObjectName("query_state")
        title = row(heading(self.tr("QUERY"), look, self.tr("the subject sees this")), self._state)
        self.setLayout(column(title, SubjectFrame(self.field, look), spacing=3))
        self.field.textChanged.connect(self.text_edited)
        self._sent: str | None = None
        self.field.textChanged.connect(self._show_state)

    def follow_height(self, height: int) -> None:
        """A low window leaves room for two lines; a longer query is scrolled."""
        lines = 3 if height >= _HIGH else 2
        self.field.setFixedHeight(lines * self.field.fontMetrics().lineSpacing() + 10)

    @property
    def text(self) -> str:
        """The query on one line, without outer white space."""
        return " ".join(self.field.toPlainText().split())

    def show_turn(self, text: str, sent: str | None, editable: bool, placeholder: str) -> None:
        """Put the text of another turn here; `sent` is what the subject has of it."""
        if self.field.toPlainText() != text:
            self.field.setPlainText(text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.offer("")
        self.field.setReadOnly(not editable)
        self.field.setPlaceholderText(placeholder)
        # Qt repaints an empty field late: the words of the state before stood there until the next key.
        self.field.viewport().update()
        self.show_sent(sent)

    def show_sent(self, sent: str | None) -> None:
        """The query that the subject reads; None if none was sent."""
        self._sent = sent
        self._show_state()

    def mark(self, spans: Iterable[tuple[int, int]], struck: Iterable[tuple[int, int]] = ()) -> None:
        """Underline the words that a draft rests on, strike those it passes over; only the wizard sees that."""
        self.field.mark(spans, self._look, struck)

    def _show_state(self) -> None:
        if self._sent is None:
            text, colour = "", self._look.quiet
        elif self._sent == self.text:
            text, colour = self.tr("sent"), self._look.good
        else:
            text, colour = self.tr("changed since it was sent"), self._look.warning
        self._state.setText(text)
        set_text_colour(self._state, colour)


def _utf16(text: str) -> int:
    """Qt counts a character outside the basic plane as two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
