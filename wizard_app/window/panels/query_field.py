"""The field of one utterance, and the words of a recogniser that stand grey in it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QTextEdit

from curtain.qt.command_text import CommandPlainText, text_before, units_of
from curtain.qt.style import Look, washed
from wizard_app.desk.turn.offered_text import Doubt, OfferedText


class QueryField(CommandPlainText):
    """One utterance, so Return alone does nothing but remind of the key that sends."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._marks: list[QTextEdit.ExtraSelection] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Left to the window, whose key it is.
            event.ignore()
            return
        super().keyPressEvent(event)

    def mark(self, spans: Iterable[tuple[int, int]], struck: Iterable[tuple[int, int]] = ()) -> None:
        """Underline stretches of the text and strike others, given in characters; none takes the marks away."""
        look = self._look
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        form.setUnderlineColor(QColor(look.accent))
        form.setBackground(QColor(washed(look, look.accent)))
        passed_over = QTextCharFormat()
        passed_over.setFontStrikeOut(True)
        passed_over.setForeground(QColor(look.quiet))
        self._marks = [self._marked(*span, form) for span in spans]
        self._marks += [self._marked(*span, passed_over) for span in struck]
        self._show_marks()

    def _show_marks(self) -> None:
        self.setExtraSelections(self._marks)

    def _marked(self, start: int, end: int, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
        marked = QTextEdit.ExtraSelection()
        marked.cursor = self._selection(start, end)
        marked.format = form
        return marked

    def _selection(self, start: int, end: int) -> QTextCursor:
        text, cursor = self.toPlainText(), self.textCursor()
        cursor.setPosition(units_of(text[:start]))
        cursor.setPosition(units_of(text[:end]), QTextCursor.MoveMode.KeepAnchor)
        return cursor


class OfferField(QueryField):
    """Words may be offered: they stand grey behind what is typed, and are no text before they are taken. Tab or a click
    takes them, Del takes the first of them out. `offer_changed`: other words stand there.
    """

    offer_changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._drawn = ""
        self.offer = OfferedText()
        self.textChanged.connect(self._on_text_changed)

    @property
    def composed(self) -> str:
        """What an input method is composing here."""
        # Grey words are drawn where Qt draws those.
        composed = super().composed
        return "" if composed == self._drawn else composed

    def show_offer(self, offer: OfferedText) -> None:
        """Show these words behind what is typed; the text itself stays."""
        self.offer = offer
        self._draw()
        self.offer_changed.emit()

    def take(self) -> None:
        """Make the offered words text, as one step of undo."""
        self._put(self.offer.taken())

    def next_doubt(self) -> Doubt | None:
        """Select the next doubtful word; the words before it are taken. None if there is none."""
        doubt = self.offer.next_doubt(len(text_before(self.toPlainText(), self.textCursor().position())))
        if doubt is not None:
            self._put(self.offer.taken_to(doubt))
            self.setTextCursor(self._selection(doubt.start, doubt.end))
        return doubt

    def restore(self) -> bool:
        """Everything as it was first offered; undo brings back what was typed. False if it stands so already."""
        before, heard = self.offer, self.offer.as_heard()
        if not before.whole or not heard.rest or before == heard:
            return False
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        self.show_offer(heard)
        return True

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Qt asks this before a Tab becomes a key press.
        coming = bool(self.offer.hearing.words) and not self.offer.whole
        if forward and (coming or self.offer.rest) and not self.isReadOnly():
            # Words that are still coming can only be waited for: a Tab for them must not leave the field. What an
            # input method is composing stands before the grey words, and would come behind them.
            if not self.composed:
                self.take()
            return True
        return super().focusNextPrevChild(forward)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._is_grey_at(event.position()):
            self.take()
        super().mousePressEvent(event)
        self._draw()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._draw()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._draw()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What is composed takes the place of grey words until it is text."""
        super().inputMethodEvent(event)
        if not event.preeditString():
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # Another theme.
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        behind = self.textCursor().atEnd() and not self.textCursor().hasSelection()
        if event.key() == Qt.Key.Key_Delete and behind and self.offer.can_take:
            self.show_offer(self.offer.without_next())
            return
        super().keyPressEvent(event)

    @Slot()
    def _on_text_changed(self) -> None:
        offer = self.offer.with_typed(self.toPlainText())
        if offer.hearing.words:
            self.show_offer(offer)
        else:
            self.offer = offer

    def _put(self, offer: OfferedText) -> None:
        """The words that this one has typed and the field has not, as text."""
        text = self.toPlainText()
        if offer.typed != text:
            self.moveCursor(QTextCursor.MoveOperation.End)
            self.insertPlainText(offer.typed[len(text) :])

    def _show_marks(self) -> None:
        text = self.toPlainText()
        doubts = () if self.isReadOnly() else self.offer.doubts
        typed = [self._marked(one.start, one.end, self._doubtful) for one in doubts if one.end <= len(text)]
        self.setExtraSelections([*self._marks, *typed])

    @property
    def _doubtful(self) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        form.setUnderlineColor(QColor(self._look.warning))
        return form

    def _draw(self) -> None:
        """Grey words stand in the layout alone, where an input method composes: they wrap, and join a text from right
        to left, but are no part of the document and of its undo."""
        self._show_marks()
        rest = "" if self.isReadOnly() else self.offer.rest
        if self.composed or rest == self._drawn == "":
            return
        self._drawn = rest
        block, typed = self.document().lastBlock(), len(self.toPlainText())
        layout, at = block.layout(), block.length() - 1
        grey = QTextCharFormat()
        grey.setForeground(QColor(self._look.quiet))
        # Grey on black is hardly another colour: the slant says it too.
        grey.setFontItalic(True)
        forms = [_range(at, rest, grey)]
        doubtful = self._doubtful
        doubtful.merge(grey)
        for doubt in self.offer.doubts:
            start, end = (max(0, place - typed) for place in (doubt.start, doubt.end))
            forms.append(_range(at + units_of(rest[:start]), rest[start:end], doubtful))
        layout.setPreeditArea(at if rest else -1, rest)
        layout.setFormats(forms if rest else [])
        self.document().markContentsDirty(block.position(), block.length())
        self._show_placeholder()
        self.setAccessibleDescription(rest)

    def _is_grey_at(self, place: QPointF) -> bool:
        """Whether a grey word stands there."""
        block = self.document().lastBlock()
        inside = place - self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()
        layout = block.layout()
        for number in range(layout.lineCount() if self._drawn else 0):
            line = layout.lineAt(number)
            if line.naturalTextRect().contains(inside):
                return line.xToCursor(inside.x()) >= block.length() - 1
        return False


def _range(start: int, words: str, form: QTextCharFormat) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length, span.format = start, units_of(words), form
    return span
