"""The field of one utterance, and the words of a recogniser that stand grey in it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QMenu, QTextEdit

from curtain.qt.command_text import CommandPlainText, text_before, units_of
from curtain.qt.style import Look, washed
from wizard_app.desk.turn.offered_text import Doubt, OfferedText

_Event = TypeVar("_Event", bound=QEvent)
_Key = QKeySequence.StandardKey
_TO_THE_END = (_Key.SelectEndOfLine, _Key.SelectEndOfBlock, _Key.SelectEndOfDocument)


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
    takes them, Del takes the first of them out. What is selected to the end reaches over them. `offer_changed`: other
    words stand there.
    """

    offer_changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._drawn = ""
        self.offer = OfferedText()
        self._painted = self.offer.hearing.words
        # By the steps that can be undone: Qt undoes text alone.
        self._past: dict[int, int] = {}
        self._steps = 0
        self._before = self._selected
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
        self._past[self.document().availableUndoSteps()] = offer.past
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
            if doubt.end <= len(self.toPlainText()):
                self.setTextCursor(self._selection(doubt.start, doubt.end))
        return doubt

    def restore(self) -> bool:
        """Everything as it was first offered; undo brings back what was typed. False if it stands so already."""
        before, heard = self.offer, self.offer.as_heard()
        if not (before.whole or before.past) or not heard.rest or before == heard:
            return False
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        self.show_offer(heard)
        return True

    def selectAll(self) -> None:
        """All that is seen."""
        super().selectAll()
        self._select_grey()

    def menu(self) -> QMenu:
        """What a click with the other button opens."""
        menu = self.createStandardContextMenu()
        for action in menu.actions():
            if action.objectName() == "select-all":
                action.setEnabled(bool(self.offer.shown))
                action.triggered.connect(self._select_grey)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

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
        extends = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() is Qt.MouseButton.LeftButton and self._is_grey_at(event.position(), beyond=extends):
            self.take()
        self._before = self._selected
        self._without_grey(super().mousePressEvent, event)
        # Three clicks select the line.
        if self._selected not in (None, self._before):
            self._select_grey()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._without_grey(super().mouseDoubleClickEvent, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._without_grey(super().mouseMoveEvent, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A selection that was drawn over grey words, or beyond them, holds them."""
        over_grey = self._is_grey_at(event.position(), beyond=True)
        self._without_grey(super().mouseReleaseEvent, event)
        if over_grey and self._selected not in (None, self._before):
            self._select_grey()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._without_grey(super().dragMoveEvent, event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._without_grey(super().dropEvent, event)

    def _without_grey(self, react: Callable[[_Event], object], event: _Event) -> None:
        """Qt takes a mouse for one of the input method where something is composed: grey words step aside for it."""
        if not self.composed:
            self._lay("")
        react(event)
        self._draw()

    @property
    def _selected(self) -> tuple[int, int] | None:
        cursor = self.textCursor()
        return (cursor.anchor(), cursor.position()) if cursor.hasSelection() else None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drawn and not self.composed:
            self._painted = self.offer.hearing.words

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
        seen = self.offer.can_take and self._painted == self.offer.hearing.words
        if event.key() == Qt.Key.Key_Delete and behind and seen:
            self.show_offer(self.offer.without_next())
        elif event.matches(_Key.SelectAll):
            self.selectAll()
        else:
            super().keyPressEvent(event)
            if any(event.matches(key) for key in _TO_THE_END):
                self._select_grey()

    @Slot()
    def _select_grey(self) -> None:
        """What is selected to the end of the text reaches over the grey words, which are text then. Words that still
        come can be no text, and go."""
        cursor = self.textCursor()
        if not self._drawn or self.composed or not cursor.atEnd():
            return
        if not self.offer.whole:
            self.show_offer(self.offer.without_all())
            return
        start = cursor.anchor()
        self.take()
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    @Slot()
    def _on_text_changed(self) -> None:
        offer, document = self.offer.with_typed(self.toPlainText()), self.document()
        steps, self._steps = self._steps, document.availableUndoSteps()
        if self._steps < steps and document.isRedoAvailable():
            # Undone: the words that stood there come back.
            offer = replace(offer, past=self._past.get(self._steps, 0))
        if offer.hearing.words:
            self.show_offer(offer)
        else:
            self.offer = offer

    def _put(self, offer: OfferedText) -> None:
        """What this one has typed beyond the field, as text, if it was painted: nobody can have meant other words."""
        text = self.toPlainText()
        if offer.typed != text and self._painted == self.offer.hearing.words:
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
        if not self.composed:
            self._lay(rest)

    def _lay(self, rest: str) -> None:
        if rest == self._drawn == "":
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
        for doubt in self.offer.doubts if rest else ():
            start, end = (max(0, place - typed) for place in (doubt.start, doubt.end))
            forms.append(_range(at + units_of(rest[:start]), rest[start:end], doubtful))
        layout.setPreeditArea(at if rest else -1, rest)
        layout.setFormats(forms if rest else [])
        self.document().markContentsDirty(block.position(), block.length())
        self._show_placeholder()
        self.setAccessibleDescription(rest)

    def _is_grey_at(self, place: QPointF, *, beyond: bool = False) -> bool:
        """Whether a grey word stands there, or with `beyond` on its line before that place, or on the last above."""
        block = self.document().lastBlock()
        inside = place - self.blockBoundingGeometry(block).translated(self.contentOffset()).topLeft()
        layout = block.layout()
        for number in range(layout.lineCount() if self._drawn else 0):
            line, last = layout.lineAt(number), number == layout.lineCount() - 1
            words = line.naturalTextRect()
            if words.contains(inside) or (beyond and (inside.y() < words.bottom() or last)):
                return line.xToCursor(inside.x()) >= block.length() - 1
        return False


def _range(start: int, words: str, form: QTextCharFormat) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length, span.format = start, units_of(words), form
    return span
