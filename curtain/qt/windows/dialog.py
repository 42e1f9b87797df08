"""The base of the small windows over another one; none of them stops anything behind it."""

from __future__ import annotations

from PySide6.QtCore import QFileInfo, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QFileDialog, QFileIconProvider, QHBoxLayout, QLayout, QPushButton, QWidget

from curtain.qt import icons
from curtain.qt.style import PAGE, Look
from curtain.qt.widgets import column, label, row


class FileDialog(QFileDialog):
    """Asks for a file, or for a folder: in the system's own dialog, else in Qt's with our icons."""

    def __init__(self, parent: QWidget, title: str, start: str = "", kinds: str = "", *, folder: bool = False) -> None:
        super().__init__(parent, title, start, kinds)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile)
        # Held here: the dialog does not keep it.
        self._icons = _FileIcons()
        self.setIconProvider(self._icons)


class _FileIcons(QFileIconProvider):
    """Without it, Qt looks for the icon of each file in a theme of the desktop."""

    def icon(self, about: QFileInfo | QFileIconProvider.IconType) -> QIcon:
        if not isinstance(about, QFileInfo) or about.isRoot():
            return super().icon(about)
        return icons.icon("folder" if about.isDir() else "file")


class TitledDialog(QDialog):
    """Its title is inside too, for systems that draw no frame."""

    def __init__(self, look: Look, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        # A dialog that is only hidden would stay a child of the window until the end.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)

    def fill(self, *parts: QWidget | QLayout, spacing: int = 12) -> None:
        """Put the parts under the title, `spacing` pixels apart. Call it once: a dialog has one layout."""
        title = label(self.windowTitle(), self.look, bold=True)
        self.setLayout(column(title, *parts, margins=PAGE, spacing=spacing))

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
