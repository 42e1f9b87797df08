"""Text fields that leave the station's command keys to the window and keep no sign that nobody sees.

`commit_composition` ends what an input method is composing in one of them.
"""

import sys

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QTextCursor, QValidator
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QToolTip, QWidget

from curtain.base.terminal import HIDDEN_SIGNS, with_visible_signs, without_hidden_signs
from curtain.qt.widgets import named, plain_tip

# The letters of the window's commands. What is not here stays the editor's: Ctrl+C, Ctrl+V, Ctrl+Z.
_KEYS = {
    Qt.Key.Key_B, Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K, Qt.Key.Key_L, Qt.Key.Key_M, Qt.Key.Key_N,
    Qt.Key.Key_P, Qt.Key.Key_R, Qt.Key.Key_T, Qt.Key.Key_Return, Qt.Key.Key_Enter,
}  # fmt: skip


def is_command(event: QEvent, moment: QEvent.Type = QEvent.Type.ShortcutOverride) -> bool:
    """Whether this key belongs to the window: some platforms would take Ctrl+E as “end of line”."""
    if event.type() != moment or not isinstance(event, QKeyEvent):
        return False
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return control and event.key() in _KEYS


# Where the keys 1 to 5 lie, whatever their layout prints on them: what Qt calls the native scan code (X11, Wayland,
# Windows) or the native virtual key (macOS: Carbon's kVK_ANSI_1 to 5).
_ROW_X11 = {10: 1, 11: 2, 12: 3, 13: 4, 14: 5}
_ROW_WINDOWS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5}
_ROW_MACOS = {18: 1, 19: 2, 20: 3, 21: 4, 23: 5}
_CHORDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def alt_digit(event: QKeyEvent, platform: str = sys.platform) -> int:
    """Which of the keys 1 to 5 was pressed with Alt, by its place: AZERTY sends “&” for the 1. 0 if it was none.
    On macOS it is Cmd: Option with a digit types a sign."""
    held = event.modifiers() & _CHORDS
    if platform == "darwin":
        return _ROW_MACOS.get(event.nativeVirtualKey(), 0) if held == Qt.KeyboardModifier.ControlModifier else 0
    if held != Qt.KeyboardModifier.AltModifier:
        return 0
    return (_ROW_WINDOWS if platform == "win32" else _ROW_X11).get(event.nativeScanCode(), 0)


def is_stray(event: QEvent, platform: str = sys.platform) -> bool:
    """Whether this key press with Alt would type its letter, which nobody means. AltGr is another key than Alt."""
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return False
    # On macOS, Option with a key is how brackets and braces are typed.
    held = event.modifiers() & _CHORDS == Qt.KeyboardModifier.AltModifier
    return held and platform != "darwin" and event.text().isprintable() and bool(event.text())


def units_of(text: str) -> int:
    """How long Qt takes a text to be: in UTF-16, a character outside the basic plane counts twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def text_before(text: str, place: int) -> str:
    """The part of a text before a place as Qt counts it, in units of UTF-16."""
    return text.encode("utf-16-le", "surrogatepass")[: 2 * place].decode("utf-16-le", "surrogatepass")


class CommandPlainText(QPlainTextEdit):
    """A plain text field in which every command key of the window still works."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placeholder = ""
        # The first to hear of a change: whoever connects later finds the text without them.
        self.textChanged.connect(self._drop_hidden_signs)

    @property
    def composed(self) -> str:
        """What an input method is composing here."""
        return self.textCursor().block().layout().preeditAreaText()

    def setPlaceholderText(self, placeholder: str) -> None:
        """Words for the empty field."""
        self._placeholder = placeholder
        self._show_placeholder()

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        # Not accepted: Qt then offers the key to the shortcuts of the window, and a stray one to the window itself.
        if is_command(event) or is_stray(event):
            event.ignore()
            return True
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What is composed is no text for Qt, which would draw the placeholder over it."""
        super().inputMethodEvent(event)
        self._show_placeholder()

    def show_text(self, text: str) -> None:
        """Another text, unless it stands here already. It is no edit, and undo of the field does not cross it.

        Signs that nobody sees are shown, not dropped: redactions count characters of what is kept.
        """
        if self.toPlainText() != (text := with_visible_signs(text)):
            # setPlainText reports an edit, and what is shown is none.
            self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(False)
            self.moveCursor(QTextCursor.MoveOperation.End)
            if not self.hasFocus():
                # Whoever only reads begins at the beginning.
                self.verticalScrollBar().setValue(0)

    def _show_placeholder(self) -> None:
        super().setPlaceholderText("" if self.textCursor().block().layout().preeditAreaText() else self._placeholder)

    def _drop_hidden_signs(self) -> None:
        text = self.toPlainText()
        hidden = list(HIDDEN_SIGNS.finditer(text))
        if not hidden:
            return
        cursor = QTextCursor(self.document())
        # One step of undo with what brought the signs.
        cursor.joinPreviousEditBlock()
        for sign in reversed(hidden):
            start, end = (units_of(text[:at]) for at in sign.span())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            # A selection is replaced in one step; by nothing, it is removed.
            cursor.insertText(without_hidden_signs(sign[0]))
        cursor.endEditBlock()


class CommandLine(QLineEdit):
    """A one-line field in which every command key of the window still works. `full_words` is shown beside it when
    more is typed or pasted than it takes: 32,767 characters, unless a lower limit is set."""

    def __init__(self, text: str = "", *, name: str = "", placeholder: str = "", spoken: str = "") -> None:
        """`name` is for tests and the driver, `spoken` for a screen reader."""
        super().__init__(placeholderText=placeholder)
        named(self, name, spoken)
        self.composed = ""
        self.full_words = self.tr("No more text fits in here. What you see is kept, the rest is not.")
        self.inputRejected.connect(self._on_input_rejected)
        # Qt asks it before anybody hears of the text, however it came.
        self.setValidator(_VisibleText(self))
        self.setText(text)

    def event(self, event: QEvent) -> bool:
        """Leaves the command keys to the window; some platforms would take them for editing."""
        if is_command(event) or is_stray(event):
            event.ignore()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaves their letters to a dialog too, which has no shortcuts."""
        if is_command(event, QEvent.Type.KeyPress) and event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Keeps what an input method is composing, which QLineEdit does not show."""
        super().inputMethodEvent(event)
        self.composed = event.preeditString()

    def _on_input_rejected(self) -> None:
        QToolTip.showText(self.mapToGlobal(self.rect().bottomLeft()), plain_tip(self.full_words), self)


class _VisibleText(QValidator):
    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        """Accepts everything but the signs that nobody sees, which it takes away."""
        return QValidator.State.Acceptable, without_hidden_signs(text), len(without_hidden_signs(text[:at]))


def commit_composition() -> None:
    """Make what is being composed in the field with the keyboard a part of its text."""
    field, method = QApplication.focusWidget(), QGuiApplication.inputMethod()
    method.commit()
    # Not every input method obeys.
    if isinstance(field, CommandPlainText | CommandLine) and field.composed:
        event = QInputMethodEvent()
        event.setCommitString(field.composed)
        QApplication.sendEvent(field, event)
        method.reset()


class SearchLine(CommandLine):
    """Down and Enter go on to what was found; Esc shows everything again."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit()
        else:
            super().keyPressEvent(event)
