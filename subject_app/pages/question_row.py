"""The field in which a subject types a question in place of speaking."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from curtain.base.hearing import Input
from curtain.qt.style import LOOSE, Look, set_size
from curtain.qt.widgets import named, row
from subject_app.pages.widgets import TallLine, button
from subject_app.session.texts import Texts
from subject_app.talk.talk_key import QUESTION

LONGEST = 1000
_SCROLLING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class QuestionRow(QWidget):
    """`entered(text)` with Enter or the button; `begun()` when the first sign comes into the empty field.

    Nothing else of what is typed leaves it. `scroll_requested(event)`: a key that a line of text has no use for.
    """

    entered = Signal(str)
    begun = Signal()
    scroll_requested = Signal(object)

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self.field = named(_Line(name=QUESTION), QUESTION, texts.type_question)
        self.field.full_words = texts.field_full
        self.field.setMaxLength(LONGEST)
        set_size(self.field, look.title_pt)
        self._send = button(look, "question_send", texts.solution_send)
        self._texts = texts
        self._empty = True
        self.field.textChanged.connect(self._on_text_changed)
        self.field.returnPressed.connect(self._on_entered)
        self.field.unused.connect(self.scroll_requested)
        self._send.clicked.connect(self._on_entered)
        self.setLayout(row((self.field, 1), self._send, spacing=LOOSE))

    def show_input(self, given: Input, allowed: bool) -> None:
        """Whether the task lets the subject type at all, and whether a question can be entered now."""
        words = self._texts.type_question if given == "text" else self._texts.type_or_talk
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(words)
        for each in (self.field, self._send):
            each.setEnabled(allowed)

    def clear(self) -> None:
        """Drop what was begun: it belonged to another task."""
        self.field.clear()

    def _on_text_changed(self, text: str) -> None:
        if text and self._empty:
            self.begun.emit()
        self._empty = not text

    def _on_entered(self) -> None:
        text = self.field.text().strip()
        # Not on the button that was clicked: the next question is typed here.
        self.field.setFocus()
        if text:
            self.field.clear()
            self.entered.emit(text)


class _Line(TallLine):
    """The keys that move through an answer are passed on: whoever types must not leave the field to read."""

    unused = Signal(object)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SCROLLING:
            self.unused.emit(event)
        else:
            super().keyPressEvent(event)
