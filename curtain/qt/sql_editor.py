"""Where the wizard writes SQL."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QListWidget, QTextEdit, QWidget

from curtain.base.sql_tokens import TokenKind
from curtain.qt.command_text import CommandPlainText, text_before, units_of
from curtain.qt.languages.key_table import keys_here
from curtain.qt.sql_text import Completions, EditorSchema, coloured, completions
from curtain.qt.style import Look, sized
from curtain.qt.widgets import named

# One letter offers too much to choose from.
_ENOUGH_TO_OFFER = 2
_COMPLETE = QKeySequence(keys_here("Ctrl+Space"))


class SqlEditor(CommandPlainText):
    """A plain text field that colours, completes, and underlines where a statement went wrong.

    The list of completions never swallows a command key, nor Return unless an item was chosen with the arrows.
    """

    earlier_requested = Signal()
    later_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sql", self.tr("SQL"))
        # SQL runs from left to right, whatever the window's language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        # Tab walks through the window; the list takes it before.
        self.setTabChangesFocus(True)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.setFont(sized(fixed, look.body_pt))
        self._look = look
        self._schema = EditorSchema()
        self._offered = Completions()
        self._list: CompletionList | None = None
        self._colours = SqlColours(self.document(), look)
        self.textChanged.connect(self.clear_problem)

    def set_schema(self, schema: EditorSchema) -> None:
        """What completions are made of from now on."""
        self._schema = schema

    def replace_text(self, text: str) -> None:
        """Put another statement in, so that undo brings the former back; the cursor goes to its end."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()
        self.hide_list()

    def begin_text(self, text: str) -> None:
        """Begin with another text: undo goes back to here. The texts of a long session would stay in memory."""
        if self.toPlainText() != text:
            self.setPlainText(text)
            self.moveCursor(QTextCursor.MoveOperation.End)
            self.hide_list()
        self.document().clearUndoRedoStacks()

    def insert_name(self, name: str) -> None:
        """Put a name in at the cursor, in place of what is marked."""
        self.textCursor().insertText(name)

    def show_problem(self, start: int, length: int) -> None:
        """Underline a piece of the text, given in characters."""
        text = self.toPlainText()
        begin, end = units_of(text[:start]), units_of(text[: start + max(1, length)])
        cursor = self.textCursor()
        cursor.setPosition(min(begin, units_of(text)))
        cursor.setPosition(min(end, units_of(text)), QTextCursor.MoveMode.KeepAnchor)
        self.setExtraSelections([self._underlined(cursor)])

    @Slot()
    def hide_list(self) -> None:
        """Offer nothing until the next letter."""
        if self._list is not None:
            self._list.hide()

    @Slot()
    def clear_problem(self) -> None:
        """Take the underline away. Any edit does this by itself."""
        if self.extraSelections():
            self.setExtraSelections([])

    def event(self, event: QEvent) -> bool:
        """Decides which keys the open list takes before the window's shortcuts see them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._offering:
            # F5 runs the statement: the list must not lie over its result.
            if event.key() == Qt.Key.Key_F5:
                self.hide_list()
            elif event.key() == Qt.Key.Key_Escape:
                # The list goes first; only the next Esc is the window's.
                event.accept()
                return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """With the list open, Tab takes an item instead of leaving the field."""
        # Qt asks this before a Tab becomes a key press.
        if forward and self._offering:
            self._take_chosen_or_first()
            return True
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The list first, then the walk through earlier statements, then the text."""
        if self._list_takes(event) or self._walks(event):
            return
        if QKeySequence(event.keyCombination()) == _COMPLETE:
            self._offer(asked=True)
            return
        super().keyPressEvent(event)
        # After the text has changed: completions are made of what stands there now.
        self._follow(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """A letter behind a dead key comes this way, too."""
        super().inputMethodEvent(event)
        if self.composed:
            self.hide_list()
        elif event.commitString():
            self._offer(asked=False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The list never stays without its editor."""
        self.hide_list()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The list moves with its editor."""
        super().resizeEvent(event)
        if self._offering and self._list is not None:
            self._list.place(self._cursor_in_window())

    def _underlined(self, cursor: QTextCursor) -> QTextEdit.ExtraSelection:
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        form.setUnderlineColor(QColor(self._look.bad))
        selection = QTextEdit.ExtraSelection()
        selection.cursor = cursor
        selection.format = form
        return selection

    def _walks(self, event: QKeyEvent) -> bool:
        if _has_control(event, Qt.Key.Key_Up):
            self.earlier_requested.emit()
        elif _has_control(event, Qt.Key.Key_Down):
            self.later_requested.emit()
        else:
            return False
        return True

    # -- completion --------------------------------------------------------------------------------------

    def _list_takes(self, event: QKeyEvent) -> bool:
        """Whether the open list used this key."""
        shown = self._list
        if shown is None or not shown.isVisible() or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.hide_list()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            shown.move_by(1 if event.key() == Qt.Key.Key_Down else -1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and shown.chosen:
            self._take(shown.chosen)
        elif event.key() == Qt.Key.Key_Tab:
            self._take_chosen_or_first()
        else:
            return False
        return True

    def _follow(self, event: QKeyEvent) -> None:
        """After a key: offer while a word grows, hide when it is over."""
        if not event.text() or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
                self.hide_list()
            return
        self._offer(asked=False)

    def _offer(self, asked: bool) -> None:
        before, after = _around(self.textCursor())
        self._offered = completions(before, after, self._schema)
        long_enough = asked or self._offered.typed >= _ENOUGH_TO_OFFER or bool(self._offered.closing)
        if not self._offered.items or not long_enough:
            self.hide_list()
            return
        self._shown_list().offer(self._offered.items, self._cursor_in_window())

    @property
    def _offering(self) -> bool:
        return self._list is not None and self._list.isVisible()

    def _take_chosen_or_first(self) -> None:
        chosen = self._list.chosen if self._list is not None else None
        self._take(chosen or self._offered.items[0])

    def _take(self, item: str) -> None:
        cursor = self.textCursor()
        before, _ = _around(cursor)
        typed = before[len(before) - self._offered.typed :]
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(typed))
        cursor.insertText(item + self._offered.closing)
        self.hide_list()

    def _shown_list(self) -> CompletionList:
        if self._list is None:
            # In the window, not in the editor, where it would be cut off.
            self._list = CompletionList(self.window())
            self._list.setFont(self.font())
            self._list.item_taken.connect(self._take)
        return self._list

    def _cursor_in_window(self) -> QRect:
        rect = self.cursorRect()
        corner = self.viewport().mapTo(self.window(), QPoint(rect.x(), rect.y()))
        return QRect(corner, rect.size())


def _around(cursor: QTextCursor) -> tuple[str, str]:
    text = cursor.document().toPlainText()
    before = text_before(text, cursor.position())
    return before, text[len(before) :]


def _has_control(event: QKeyEvent, key: Qt.Key) -> bool:
    return event.key() == key and event.modifiers() == Qt.KeyboardModifier.ControlModifier


class SqlColours(QSyntaxHighlighter):
    """Keywords stand out, strings and numbers keep their own shade; a block comment may span lines."""

    def __init__(self, document: QTextDocument, look: Look) -> None:
        super().__init__(document)
        self._look = look

    def highlightBlock(self, text: str) -> None:
        """Colour one block; Qt calls this for each block that changed."""
        look = self._look
        colours = {
            TokenKind.WORD: look.accent,
            TokenKind.STRING: look.good,
            TokenKind.NUMBER: look.warning,
            TokenKind.COMMENT: look.quiet,
        }
        for token in coloured(text):
            if token.kind in colours:
                form = _format(colours[token.kind], bold=token.kind is TokenKind.WORD)
                self.setFormat(units_of(text[: token.start]), units_of(token.text), form)


def _format(colour: str, bold: bool = False) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(colour))
    if bold:
        made.setFontWeight(QFont.Weight.DemiBold)
    return made


_ROWS = 8
_WIDEST = 420


class CompletionList(QListWidget):
    """Shown beside the cursor of an editor, which moves it and asks what is chosen."""

    item_taken = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = parent
        self.setObjectName("completions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(lambda item: self.item_taken.emit(item.text()))
        self.hide()

    # No item is chosen: Return must go on being Return until the arrows are used.
    def offer(self, items: tuple[str, ...], cursor: QRect) -> None:
        """Show the items by the cursor, given in the coordinates of the parent; no item is chosen yet."""
        self.clear()
        self.addItems(list(items))
        self.setCurrentRow(-1)
        self.place(cursor)
        self.setVisible(bool(items))
        self.raise_()

    @property
    def chosen(self) -> str | None:
        """The item under the mark; None if none was chosen with the arrows, or the list is hidden."""
        item = self.currentItem()
        return item.text() if item is not None and self.isVisible() else None

    def move_by(self, rows: int) -> None:
        """Move the mark down (or up, if negative), round at the ends. From no mark it goes to the first or the last."""
        start = self.currentRow() if self.currentRow() >= 0 else (-1 if rows > 0 else 0)
        self.setCurrentRow((start + rows) % max(1, self.count()))

    def place(self, cursor: QRect) -> None:
        """Beside the cursor, which has moved."""
        around = self._around.rect()
        height = min(_ROWS, self.count()) * max(18, self.sizeHintForRow(0)) + 2 * self.frameWidth()
        width = min(_WIDEST, self.sizeHintForColumn(0) + 40)
        corner = cursor.bottomLeft() + QPoint(0, 2)
        # Above the cursor where there is no room below.
        if corner.y() + height > around.bottom():
            corner.setY(max(around.top(), cursor.top() - height - 2))
        corner.setX(max(around.left(), min(corner.x(), around.right() - width)))
        self.setGeometry(QRect(corner, corner + QPoint(width, height)))
