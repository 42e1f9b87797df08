"""All keys of a window, over it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QPushButton, QWidget

from curtain.qt.languages.key_table import KeyTable, Step
from curtain.qt.style import TIGHT, WIDE, Look
from curtain.qt.widgets import label, named, row
from curtain.qt.windows.dialog import Scrolled, TitledDialog
from curtain.qt.windows.window_memory import FRAME

_WORDS_WIDE = 360


class KeyTableDialog(TitledDialog):
    """Every key of a table, in two columns of groups where there is room; any of Esc, Enter and F1 closes it."""

    def __init__(self, look: Look, table: KeyTable, parent: QWidget, note: str = "") -> None:
        super().__init__(look, self.tr("Keys"), parent)
        self.setObjectName("keys")
        groups = table.groups
        half = (len(groups) + 1) // 2
        halves = row(self._grid(groups[:half]), self._grid(groups[half:]), spacing=WIDE)
        close = QPushButton(self.tr("Close  (Esc)"), default=True)
        close.clicked.connect(self.accept)
        sheet = named(Scrolled(halves), "keys_sheet", self.tr("Keys"))
        # Asked once the words have a window: until then they take no room.
        if sheet.minimumSizeHint().width() > self.room:
            halves.setDirection(QBoxLayout.Direction.TopToBottom)
        self._note = label(note, look, small=True, quiet=True, wraps=True)
        paper = named(QPushButton(self.tr("Print …"), autoDefault=False), "keys_paper")
        paper.clicked.connect(lambda: self._print(table, parent.window().windowTitle()))
        self.fill(sheet, row((self._note, 1), paper, close))
        # The arrows scroll, and Enter and Esc close.
        sheet.setFocus(Qt.FocusReason.OtherFocusReason)
        self.fit()
        self.resize(self.size().boundedTo(parent.window().size() - FRAME))

    def _print(self, table: KeyTable, title: str) -> None:
        from curtain.qt.windows.paper import ask_page, keys_page

        ask_page(keys_page(title, table), "keys.html", self, self._note.setText)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A grid does not ask how high wrapped words are in the width that they have."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QLabel):
            watched.setMinimumHeight(watched.heightForWidth(watched.width()))
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:
            self.accept()
        else:
            super().keyPressEvent(event)

    def _grid(self, groups: Sequence[tuple[str, list[Step]]]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(WIDE)
        grid.setVerticalSpacing(TIGHT)
        grid.setColumnStretch(1, 1)
        for title, steps in groups:
            grid.addWidget(label(title, self.look, small=True, quiet=True), grid.rowCount(), 0, 1, 2)
            for key, does in steps:
                words = label(does, self.look, small=True, wraps=True)
                words.setMinimumWidth(_WORDS_WIDE)
                words.setAlignment(Qt.AlignmentFlag.AlignTop)
                words.installEventFilter(self)
                grid.addWidget(
                    label(key, self.look, small=True, bold=True), grid.rowCount(), 0, Qt.AlignmentFlag.AlignTop
                )
                grid.addWidget(words, grid.rowCount() - 1, 1, Qt.AlignmentFlag.AlignTop)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid
