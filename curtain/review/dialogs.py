"""The few small windows over the annotator's: keys, reasons, a question before leaving."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMargins, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QDialog, QGridLayout, QListWidget, QWidget

from curtain.corpus.tag_table import Reason
from curtain.desk.parts import column, label
from curtain.desk.style import Look
from curtain.review.keys import KEYS, TAG_KEYS

__all__ = ["KeysDialog", "ReasonsDialog"]

_MARGINS = QMargins(20, 14, 20, 14)


class _Small(QDialog):
    """Its title is inside too, for systems that draw no frame."""

    def __init__(self, look: Look, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)

    def fill(self, body: QWidget) -> None:
        self.setLayout(column(label(self.windowTitle(), self._look, bold=True), body, margins=_MARGINS, spacing=10))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(QColor(self._look.quiet), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class KeysDialog(_Small):
    """Every key of the window, in two columns of groups; any of Esc, Return and F1 closes it."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, self.tr("Keys"), parent)
        self.setObjectName("keys")
        body = QWidget()
        grid = QGridLayout(body)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        half = (len(KEYS) + 1) // 2
        for side, groups in enumerate((KEYS[:half], KEYS[half:])):
            line = 0
            for title, steps in groups:
                grid.addWidget(label(title, look, small=True, bold=True), line, 3 * side, 1, 2)
                line += 1
                for key, does in steps:
                    grid.addWidget(label(key, look, small=True), line, 3 * side)
                    words = label(does, look, small=True, quiet=True)
                    words.setWordWrap(True)
                    words.setMinimumWidth(330)
                    grid.addWidget(words, line, 3 * side + 1)
                    line += 1
        grid.setColumnMinimumWidth(2, 16)
        self.fill(body)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_F1, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)


class ReasonsDialog(_Small):
    """The reasons that the rule-book of a year knows; each has a key, and the tag that goes with it is shown."""

    reason_toggled = Signal(str)

    def __init__(self, look: Look, year: int, reasons: Sequence[Reason], parent: QWidget) -> None:
        title = self.tr("Why the turn is left out, by the rule-book of {0}").format(year)
        super().__init__(look, title, parent)
        self.setObjectName("reasons_dialog")
        self._reasons = list(reasons)
        self._list = QListWidget()
        self._list.setObjectName("reasons")
        self._list.setMinimumSize(640, min(420, 26 * len(self._reasons) + 8))
        self._list.addItems([""] * len(self._reasons))
        self._list.setCurrentRow(0)
        self._list.itemClicked.connect(lambda item: self._toggle(self._list.row(item)))
        self._list.installEventFilter(self)
        self.fill(self._list)
        self.show_chosen(())

    def show_chosen(self, chosen: Sequence[str]) -> None:
        for at, reason in enumerate(self._reasons):
            mark = "[x]" if reason.name in chosen else "[  ]"
            key = TAG_KEYS[at].upper() if at < len(TAG_KEYS) else " "
            self._list.item(at).setText(f"{key}   {mark}  {reason.title}   ({reason.tag})")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self._takes(event) if isinstance(event, QKeyEvent) and event.type() == event.Type.KeyPress else False

    def _takes(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Space:
            self._toggle(self._list.currentRow())
        elif event.text() and TAG_KEYS.find(event.text().lower()) >= 0:
            self._toggle(TAG_KEYS.find(event.text().lower()))
        else:
            return False
        return True

    def _toggle(self, at: int) -> None:
        if 0 <= at < len(self._reasons):
            self._list.setCurrentRow(at)
            self.reason_toggled.emit(self._reasons[at].name)
