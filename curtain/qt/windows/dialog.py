"""The base of the small windows over another one; none of them stops anything behind it."""

from collections.abc import Callable

from PySide6.QtCore import QFileInfo, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFileIconProvider,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from curtain.qt import icons
from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, LOOSE, PAGE, TIGHT, Look
from curtain.qt.widgets import box, column, label, row
from curtain.qt.windows.window_memory import FRAME


class Scrolled(QScrollArea):
    """What is laid out scrolls up and down where a dialog is low; sideways nothing is ever out of sight."""

    def __init__(self, content: QLayout) -> None:
        super().__init__(widgetResizable=True)
        # The ring of the focus needs room.
        content.setContentsMargins(TIGHT, TIGHT, GAP, TIGHT)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.inner = box(content)
        self.setWidget(self.inner)
        # The dialog's own ground, in every theme.
        self.inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        """All of it."""
        wide = self._wide(self.inner.sizeHint())
        return QSize(wide, max(self.inner.sizeHint().height(), self.inner.heightForWidth(wide)) + 4)

    def minimumSizeHint(self) -> QSize:
        """Its whole width, and a few lines."""
        return QSize(self._wide(self.inner.minimumSizeHint()), 3 * self.fontMetrics().lineSpacing())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Where the cursor is, once all is laid out.
        QTimer.singleShot(0, self, self._bring_cursor)

    def focusNextPrevChild(self, forward: bool) -> bool:
        moved = super().focusNextPrevChild(forward)
        self._bring_cursor()
        return moved

    def _bring_cursor(self) -> None:
        if (now := self.focusWidget()) is not None and self.isAncestorOf(now):
            # With the sentence that stands below it in its row.
            line = now
            while (around := line.parentWidget()) is not None and around is not self.inner:
                line = around
            self.ensureWidgetVisible(line)
            self.ensureWidgetVisible(now)

    def _wide(self, inner: QSize) -> int:
        return inner.width() + self.verticalScrollBar().sizeHint().width() + 4


class FileDialog(QFileDialog):
    """Asks for a file, a folder, or with “new” or “save” for one to be made: in the system's own dialog, else in Qt's
    with our icons."""

    def __init__(self, parent: QWidget, title: str, start: str = "", kinds: str = "", *, pick: str = "file") -> None:
        super().__init__(parent, title, start, kinds)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        modes = {"file": QFileDialog.FileMode.ExistingFile, "folder": QFileDialog.FileMode.Directory}
        self.setFileMode(modes.get(pick, QFileDialog.FileMode.AnyFile))
        if pick not in modes:
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # Held here: the dialog does not keep it.
        self._icons = _FileIcons()
        self.setIconProvider(self._icons)


class _FileIcons(QFileIconProvider):
    """Without it, Qt looks for the icon of each file in a theme of the desktop."""

    def icon(self, about: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        if not isinstance(about, QFileInfo) or about.isRoot():
            return super().icon(about)
        return icons.icon("folder" if about.isDir() else "file")


def values_below(widget: QWidget) -> list[object]:
    """What the fields below a widget hold, in their order. What is only to be read, and other windows, are no part."""
    fields = [field for field in widget.findChildren(QWidget) if field.window() is widget.window()]
    return [value for value in map(_value_in, fields) if value is not None]


def _value_in(field: QWidget) -> object:
    match field:
        case QLineEdit() | QPlainTextEdit() if field.isReadOnly():
            return None
        case QLineEdit():
            return field.text()
        case QPlainTextEdit():
            return field.toPlainText()
        case QCheckBox() | QRadioButton():
            return field.isChecked()
        case QComboBox():
            return field.currentText()
        case QListWidget():
            items = map(field.item, range(field.count()))
            return [field.currentRow(), *((item.text(), item.checkState()) for item in items)]
    return None


class TitledDialog(QDialog):
    """Its title is inside too, for systems that draw no frame. `room`: the pixels that its parts may be wide, which are
    as many as fit over the window behind. Where something was filled in, it asks before it goes without keeping it;
    what is typed in one that `is_search` only finds."""

    is_search = False

    def __init__(self, look: Look, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self.room = parent.window().width() - PAGE.left() - PAGE.right() - FRAME.width()
        # A dialog that is only hidden would stay a child of the window until the end.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.unchanged: object = None

    def filled_in(self) -> object:
        """What would be lost."""
        return () if self.is_search else values_below(self)

    def reject(self) -> None:
        """Esc, the harmless button and the cross of the frame."""
        if self.filled_in() == self.unchanged:
            super().reject()
        else:
            ask_to_leave(self.look, lambda: self.done(QDialog.DialogCode.Rejected), self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.unchanged is None:
            self.unchanged = self.filled_in()

    def fill(self, *parts: QWidget | QLayout, spacing: int = 12) -> None:
        """Put the parts under the title, `spacing` pixels apart. Call it once: a dialog has one layout."""
        title = label(self.windowTitle(), self.look, bold=True)
        self.setLayout(column(title, *parts, margins=PAGE, spacing=spacing))

    def fit(self) -> None:
        """As large as what is in it; where the screen has less room, what scrolls gives way."""
        wanted, layout = self.sizeHint(), self.layout()
        if layout is not None and layout.hasHeightForWidth():
            wanted.setHeight(max(wanted.height(), layout.totalHeightForWidth(wanted.width())))
        self.resize(wanted.boundedTo(self.screen().availableSize() - FRAME))

    def buttons(self, do: str, name: str, back: str, default: bool = True) -> QHBoxLayout:
        """The button that does it and the harmless one; `default` says which of them Enter presses elsewhere."""
        accept, reject = QPushButton(do), QPushButton(back)
        self.do_button = accept
        accept.setObjectName(name)
        reject.setObjectName("go_back")
        for button in (accept, reject):
            button.setAutoDefault(True)  # Enter presses the button that has the focus
        (accept if default else reject).setDefault(True)
        accept.setProperty("primary", default)
        if not default:
            reject.setFocus(Qt.FocusReason.OtherFocusReason)
        accept.clicked.connect(self.accept)
        reject.clicked.connect(self.reject)
        return row(1, reject, accept)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self.look.quiet), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class AskDialog(TitledDialog):
    """One sentence and two buttons; Enter and Esc are the harmless one."""

    def __init__(self, look: Look, title: str, text: str, do: str, name: str, parent: QWidget, back: str = "") -> None:
        super().__init__(look, title, parent)
        self.setObjectName(f"ask_{name}")
        field = label(text, look, wraps=True)
        field.setMinimumWidth(400)
        buttons = self.buttons(do, name, back or self.tr("Go back  (Esc)"), default=False)
        self.fill(field, buttons, spacing=LOOSE)

    def ask(self, go_on: Callable[[], object]) -> None:
        """Call `go_on` if the answer is yes. While it is asked over a window, nothing asks the same again."""
        window = self.parentWidget()
        assert window is not None
        if any(asked.isVisible() for asked in window.findChildren(AskDialog, self.objectName())):
            self.setParent(None)
            self.deleteLater()
        else:
            self.accepted.connect(go_on)
            self.open()


def ask_to_close(look: Look, text: str, do: str, close: Callable[[], object], window: QWidget) -> None:
    """Ask before a window closes; `close` is called if the answer is yes."""
    title = translate("AskDialog", "Close the window?")
    AskDialog(look, title, text, do, "leave_confirmed", window).ask(close)


def ask_to_leave(look: Look, leave: Callable[[], object], window: QWidget) -> None:
    """Ask before what was filled in over a window, or in it, is lost; `leave` is called if it may be."""
    text = translate("AskDialog", "What you filled in is not kept.")
    do, back = translate("AskDialog", "Drop it"), translate("AskDialog", "Stay here  (Esc)")
    AskDialog(look, translate("AskDialog", "Leave the form?"), text, do, "drop_confirmed", window, back).ask(leave)
