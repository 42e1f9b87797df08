"""The small windows over the home window; none of them stops anything behind it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QWidget,
)

from curtain.desk.command_text import CommandLine
from curtain.desk.style import Look, set_text_colour
from curtain.desk.widgets import column, label, row
from curtain.home.keys import KEYS

_MARGINS = QMargins(20, 16, 20, 16)


class HomeDialog(QDialog):
    """Its title is inside too, for systems that draw no frame."""

    def __init__(self, look: Look, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        # A dialog that is only hidden would stay a child of the window until the end.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)

    def fill(self, *parts: QWidget | QLayout, spacing: int = 12) -> None:
        """Put the parts under the title. Call it once: a dialog has one layout."""
        self.setLayout(column(label(self.windowTitle(), self.look, bold=True), *parts, margins=_MARGINS,
                              spacing=spacing))  # fmt: skip

    def buttons(self, do: QPushButton, back: str) -> QHBoxLayout:
        """The button that does it, which Enter presses, and the harmless one."""
        reject = QPushButton(back)
        reject.setObjectName("go_back")
        for button in (do, reject):
            button.setAutoDefault(True)
        do.setDefault(True)
        do.clicked.connect(self.accept)
        reject.clicked.connect(self.reject)
        return row(1, reject, do)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self.look.quiet), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class PathField(QWidget):
    """A path to type, and a button that lets one choose it; `pick` is “folder”, “new” (one to be made) or “file”."""

    def __init__(self, name: str, spoken: str, pick: str) -> None:
        super().__init__()
        self._pick = pick
        self._spoken = spoken
        self.line = CommandLine()
        self.line.setObjectName(name)
        self.line.setAccessibleName(spoken)
        self.line.setMinimumWidth(420)
        browse = QPushButton(self.tr("Choose …"))
        browse.setObjectName(f"{name}_choose")
        browse.setAccessibleName(self.tr("Choose: {0}").format(spoken))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._choose)
        self.setFocusProxy(self.line)
        self.setLayout(row(self.line, browse))

    @property
    def text(self) -> str:
        """The path as it is typed, without blanks around it."""
        return self.line.text().strip()

    def _choose(self) -> None:
        dialog = QFileDialog(self.window(), self._spoken, self.text)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        mode = QFileDialog.FileMode.ExistingFile if self._pick == "file" else QFileDialog.FileMode.Directory
        dialog.setFileMode(mode)
        dialog.fileSelected.connect(self.line.setText)
        dialog.open()


class FormDialog(HomeDialog):
    """Fields, a line that says what is missing, and a button that works once nothing is."""

    def __init__(self, look: Look, title: str, do: str, name: str, parent: QWidget) -> None:
        super().__init__(look, title, parent)
        self.form = QFormLayout()
        self.form.setVerticalSpacing(10)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.notice = label("", look, small=True)
        self.notice.setObjectName("told")
        self.notice.setWordWrap(True)
        self.notice.setMinimumHeight(2 * self.notice.fontMetrics().lineSpacing())
        self._do = QPushButton(do)
        self._do.setObjectName(name)
        self.check: Callable[[], str] = lambda: ""

    def finish(self, check: Callable[[], str], first: QWidget, *above: QWidget) -> None:
        """Lay out, and begin to look; `check` gives a sentence on what is missing, or an empty text."""
        self.check = check
        self.fill(*above, self.form, self.notice, self.buttons(self._do, self.tr("Go back  (Esc)")))
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.look_again()

    def add(self, text: str, field: QWidget) -> None:
        """A field with its label, whose mnemonic leads to it."""
        name = QLabel(text)
        # Qt gives the focus only to a buddy that takes it itself, and a path's field is a part of its widget.
        name.setBuddy(field.line if isinstance(field, PathField) else field)
        self.form.addRow(name, field)

    def look_again(self) -> None:
        """Say what is missing now."""
        missing = self.check()
        self._do.setEnabled(not missing)
        self.notice.setText(missing or self.tr("Enter does it."))
        set_text_colour(self.notice, self.look.warning if missing else self.look.good)


class AskToLeaveDialog(HomeDialog):
    """A command runs: leaving stops it."""

    def __init__(self, look: Look, title: str, parent: QWidget) -> None:
        super().__init__(look, self.tr("Close the window?"), parent)
        words = label(self.tr("“{0}” is still running. Closing the window stops it.").format(title), look)
        words.setWordWrap(True)
        words.setMinimumWidth(420)
        stop = QPushButton(self.tr("Stop it and close"))
        stop.setObjectName("leave_confirmed")
        stay = QPushButton(self.tr("Stay  (Esc)"))
        for button in (stop, stay):
            button.setAutoDefault(True)
        stay.setDefault(True)
        stop.clicked.connect(self.accept)
        stay.clicked.connect(self.reject)
        self.fill(words, row(1, stay, stop))
        stay.setFocus(Qt.FocusReason.OtherFocusReason)


class HomeKeysDialog(HomeDialog):
    """Every key of the window by what it is for; any of Esc, Enter and F1 closes it."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, self.tr("Keys"), parent)
        self.setObjectName("keys")
        groups = KEYS.groups
        half = (len(groups) + 1) // 2
        note = self.tr("Where the system has them, Alt and the underlined letter press a button too.")
        close = QPushButton(self.tr("Close  (Esc)"))
        close.clicked.connect(self.accept)
        self.fill(row(self._grid(0, half), self._grid(half, len(groups)), spacing=32),
                  row(label(note, look, small=True, quiet=True), 1, close))  # fmt: skip
        close.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            self.accept()
        else:
            super().keyPressEvent(event)

    def _grid(self, begin: int, end: int) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for title, steps in KEYS.groups[begin:end]:
            grid.addWidget(label(self.tr(title), self.look, small=True, quiet=True), grid.rowCount(), 0, 1, 2)
            for key, does in steps:
                line = grid.rowCount()
                grid.addWidget(label(key, self.look, small=True, bold=True), line, 0)
                grid.addWidget(label(self.tr(does), self.look, small=True), line, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid
