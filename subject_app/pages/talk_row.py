"""The talk button between what stands left and right of it; in a narrow window above both."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

GAP = 16


class TalkRow(QWidget):
    """The button stays in the middle where there is room. The row asks for no more width than its widest part needs."""

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__()
        self._parts = (left, middle, right)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._narrow: bool | None = None
        self._arrange(narrow=False)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the button above the rest can be."""
        left, middle, right = (part.minimumSizeHint() for part in self._parts)
        width = max(middle.width(), left.width() + GAP + right.width())
        return QSize(width, self._grid.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the arrangement that fits."""
        super().resizeEvent(event)
        self._choose()

    def event(self, event: QEvent) -> bool:
        """A larger text, or longer words, may need the other arrangement."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._choose()
        return super().event(event)

    def _choose(self) -> None:
        needed = sum(part.minimumSizeHint().width() for part in self._parts)
        self._arrange(narrow=needed + 2 * GAP > self.width())

    def _arrange(self, narrow: bool) -> None:
        if narrow == self._narrow:
            return
        self._narrow = narrow
        left, middle, right = self._parts
        for part in self._parts:
            self._grid.removeWidget(part)
        row = 1 if narrow else 0
        self._grid.addWidget(left, row, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(middle, 0, 0 if narrow else 1, 1, 3 if narrow else 1, Qt.AlignmentFlag.AlignCenter)
        self._grid.addWidget(right, row, 2, Qt.AlignmentFlag.AlignVCenter)
        for side in (0, 2):
            self._grid.setColumnStretch(side, 1)
        # The two rows need more height; without a word the button would be squeezed.
        self.updateGeometry()


def at_left(widget: QWidget, *parts: QWidget) -> None:
    """Lay the parts out in the widget from left to right, at its left."""
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        layout.addWidget(part)
    layout.addStretch(1)


def beside(widget: QWidget, *parts: QWidget) -> None:
    """Lay the parts out in the widget from left to right, at its right."""
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addStretch(1)
    for part in parts:
        layout.addWidget(part)
