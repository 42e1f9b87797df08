"""A row of widgets that goes on in the next line where the width ends."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget

from curtain.qt.style import GAP, TIGHT


class WrappingRow(QLayout):
    """Each widget in its own size, in the middle of its line. It asks for no more width than the widest needs."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        """How many widgets it holds."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), False)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in sizes) + GAP * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(*(max((side(size) for size in sizes), default=0) for side in (QSize.width, QSize.height)))

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, True)

    def _place(self, area: QRect, moves: bool) -> int:
        """The height of all lines in this width."""
        top, lines = 0, self._lines(area.width())
        for line in lines:
            left, high = 0, max(size.height() for _, size in line)
            for item, size in line:
                if moves:
                    at = area.topLeft() + QPoint(left, top + (high - size.height()) // 2)
                    item.setGeometry(QStyle.visualRect(self._direction, area, QRect(at, size)))
                left += size.width() + GAP
            top += high + TIGHT
        return max(0, top - TIGHT)

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().expandedTo(item.minimumSize()).boundedTo(QSize(width, item.maximumSize().height()))
            left += GAP + size.width()
            if not lines or left > width:
                lines.append([])
                left = size.width()
            lines[-1].append((item, size))
        return lines

    @property
    def _direction(self) -> Qt.LayoutDirection:
        parent = self.parentWidget()
        return parent.layoutDirection() if parent is not None else Qt.LayoutDirection.LeftToRight
