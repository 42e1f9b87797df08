"""The list of completions under the cursor. It never takes the focus, so no key is lost in it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QListWidget, QWidget

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
