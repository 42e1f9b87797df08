"""The canned messages as rows: number or key, and the whole sentence, wrapped."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from curtain.qt.style import TIGHT, Look, set_size
from curtain.qt.widgets import named, plain_tip
from curtain.session.study.messages import CannedMessage

_ID = int(Qt.ItemDataRole.UserRole)
_TEXT = _ID + 1
_CAP = _ID + 2
_KEYED = _ID + 3
_PAD = 3

Index = QModelIndex | QPersistentModelIndex


class MessageRows(QListWidget):
    """Each sentence whole, however narrow the panel is; a favourite wears its key as a cap."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "messages", self.tr("Canned messages"))
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Rows become higher where the panel becomes narrower.
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_size(self, look.small_pt)
        self.setItemDelegate(_RowPainter(look, self))

    def add(self, message: CannedMessage, key: str) -> None:
        """One more row; `key` sends it, or is empty."""
        # What a blank is called is no word of the sentence, nor of the window's language.
        text = message.fill(dict.fromkeys(message.blanks, "…"))
        # The text of the item is what a screen reader says and the driver reads.
        item = QListWidgetItem(f"{message.number}  {text}")
        item.setData(_ID, message.id)
        item.setData(_TEXT, text)
        item.setData(_CAP, key or str(message.number))
        item.setData(_KEYED, bool(key))
        item.setToolTip(plain_tip(message.when))
        self.addItem(item)

    def id_at(self, row: int) -> str:
        """The id of the message in this row."""
        return str(self.item(row).data(_ID))

    @property
    def chosen_id(self) -> str:
        """The id of the message that is pointed at, or an empty text."""
        item = self.currentItem()
        return str(item.data(_ID)) if item is not None else ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


class _RowPainter(QStyledItemDelegate):
    def __init__(self, look: Look, view: MessageRows) -> None:
        super().__init__(view)
        self._look = look
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetrics(self._view.font())
        width = self._view.viewport().width()
        room = QRect(0, 0, max(40, width - _left(metrics) - _PAD), 10_000)
        text = metrics.boundingRect(room, _WRAPPED, index.data(_TEXT))
        return QSize(width, text.height() + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, area = self._look, option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._view.font())
        if chosen:
            painter.fillRect(area, QColor(look.accent))
        metrics = painter.fontMetrics()
        cap = QRect(area.left() + 2, area.top() + _PAD, _left(metrics) - 10, metrics.height())
        if index.data(_KEYED):
            painter.setPen(QPen(QColor(look.on_accent if chosen else look.quiet), 1))
            painter.drawRoundedRect(cap, TIGHT, TIGHT)
        painter.setPen(QColor(look.on_accent if chosen else look.text))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, index.data(_CAP))
        room = area.adjusted(_left(metrics), _PAD, -_PAD, -_PAD)
        painter.drawText(room, _WRAPPED, index.data(_TEXT))
        painter.restore()


_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)


def _left(metrics: QFontMetrics) -> int:
    """Where the sentence begins: behind two digits."""
    return metrics.horizontalAdvance("00") + 18
