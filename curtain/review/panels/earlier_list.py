"""The earlier turns of the session; those behind the open one are not here to be seen."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from curtain.qt.languages.key_table import named_keys
from curtain.qt.languages.translation import translate
from curtain.qt.style import Look, mixed, sized
from curtain.qt.widgets import named, plain_tip

_TURN = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class ShownTurn:
    """An earlier turn: `pointed` says what the open one points to in it; `reached`: it may be pointed to."""

    utterance_id: str
    number: int
    back: int
    query: str
    reply: str
    eval_class: str
    pointed: tuple[str, ...]
    reached: bool


class EarlierList(QListWidget):
    """A click or Space changes the pointer to a turn; the nearest is the lowest."""

    pointer_requested = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "earlier", self.tr("Earlier turns"))
        self.setFont(sized(self.font(), look.small_pt))
        self.setItemDelegate(_Rows(look, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._shown: list[ShownTurn] = []
        self.itemClicked.connect(lambda item: self.pointer_requested.emit(item.data(_TURN).utterance_id))

    def show_turns(self, turns: Sequence[ShownTurn]) -> None:
        """The turns from the first on. The same turns are filled in place, so that the chosen line stays."""
        if list(turns) == self._shown:
            return
        same = [one.utterance_id for one in turns] == [one.utterance_id for one in self._shown]
        self._shown = list(turns)
        self.setProperty("pointed", " ".join(f"{one.number}:{'+'.join(one.pointed)}" for one in turns if one.pointed))
        if same:
            for number, turn in enumerate(turns):
                self._fill(self.item(number), turn)
        else:
            self._refill(turns)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.currentItem() is not None:
            self.pointer_requested.emit(self.currentItem().data(_TURN).utterance_id)
        else:
            super().keyPressEvent(event)

    def _refill(self, turns: Sequence[ShownTurn]) -> None:
        self.clear()
        for turn in turns:
            item = QListWidgetItem()
            self._fill(item, turn)
            self.addItem(item)
        self.setCurrentRow(-1)
        self.scrollToBottom()

    def _fill(self, item: QListWidgetItem, turn: ShownTurn) -> None:
        item.setData(_TURN, turn)
        item.setToolTip(plain_tip(f"{turn.query}\n{turn.reply}"))
        item.setData(
            int(Qt.ItemDataRole.AccessibleTextRole),
            translate("Review", "turn {0}: {1}; {2}").format(turn.number, turn.query, turn.reply),
        )


class _Rows(QStyledItemDelegate):
    """Number and class, two lines of the query, a line of what came of it."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, 3 * option.fontMetrics.height() + 12)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        turn: ShownTurn = index.data(_TURN)
        look, area = self._look, option.rect.adjusted(0, 0, 0, -1)
        painter.save()
        painter.setFont(option.font)
        if turn.pointed:
            painter.fillRect(area, QColor(mixed(look.base, look.accent, 0.14)))
        painter.setPen(QColor(look.line))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        line = option.fontMetrics.height()
        side = QStyle.visualRect(option.direction, area, QRect(area.left() + 6, area.top() + 4, 42, line))
        painter.setPen(QColor(look.text if turn.reached else look.quiet))
        painter.setFont(sized(option.font, look.small_pt, bold=True))
        painter.drawText(side, Qt.AlignmentFlag.AlignLeft, str(turn.number))
        painter.setFont(option.font)
        painter.setPen(QColor(look.quiet))
        painter.drawText(side.translated(0, line), Qt.AlignmentFlag.AlignLeft, turn.eval_class)
        if turn.reached and turn.back <= 9:
            key = named_keys(f"Alt+{turn.back}")
            painter.drawText(side.translated(0, 2 * line + 2), Qt.AlignmentFlag.AlignLeft, key)
        text = QRect(area.left() + 53, area.top() + 4, area.width() - 59, 2 * line + 3)
        text = QStyle.visualRect(option.direction, area, text)
        self._paint_part(painter, text, turn.query, "text" in turn.pointed, turn.reached)
        below = QRect(text.left(), text.bottom(), text.width(), line)
        reply = option.fontMetrics.elidedText(turn.reply, Qt.TextElideMode.ElideRight, below.width())
        self._paint_part(painter, below, reply, "answer" in turn.pointed, False)
        painter.restore()

    def _paint_part(self, painter: QPainter, box: QRect, text: str, pointed: bool, strong: bool) -> None:
        look = self._look
        painter.setPen(QColor(look.accent if pointed else look.text if strong else look.quiet))
        if pointed:
            bar = QRect(box.left() - 6, box.top(), 3, box.height() - 1)
            painter.fillRect(QStyle.visualRect(painter.layoutDirection(), box, bar), QColor(look.accent))
        painter.drawText(box, int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop), text)
