"""The turns of the session, oldest first; the oldest unanswered one cannot be missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from curtain.desk import icons
from curtain.desk.style import Look, sized

_ROW_ROLE = int(Qt.ItemDataRole.UserRole)
_PAD = 8
_ICON = 14

Index = QModelIndex | QPersistentModelIndex


class Mark(Enum):
    """How a row stands out; the value is its icon."""

    NOW = "play"
    CORRECTING = "back"
    WAITING = "pause"
    SPEAKING = "record"
    ANSWERED = "check"
    MESSAGED = "send"
    LEFT = "cross"


@dataclass(frozen=True)
class TurnRow:
    """One line of the list: `word` names the state, `text` is what was said as far as it is known."""

    number: int
    mark: Mark
    word: str
    seconds: str = ""
    text: str = ""
    noted: bool = False

    @property
    def told(self) -> str:
        return " ".join(part for part in (str(self.number), self.word, self.seconds, self.text) if part)


class TurnList(QListView):
    """Shows the rows it is given; the selected row is the one that a note is written on."""

    turn_selected = Signal(int)
    replay_requested = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("turn_list")
        self.setAccessibleName(self.tr("Turns"))
        self._rows = _Rows()
        self.setModel(self._rows)
        self.setItemDelegate(_RowPainter(look, self))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.doubleClicked.connect(lambda index: self.replay_requested.emit(index.data(_ROW_ROLE).number))

    def show_rows(self, rows: Sequence[TurnRow]) -> None:
        """Replace what is shown; the selection stays on its turn, the turn to work on stays in sight."""
        follow = len(rows) != self._rows.rowCount()
        self._rows.replace(list(rows))
        now = next((at for at, row in enumerate(rows) if row.mark in (Mark.NOW, Mark.CORRECTING)), None)
        if now is not None and follow:
            self.scrollTo(self._rows.index(now), QAbstractItemView.ScrollHint.EnsureVisible)

    @property
    def rows(self) -> list[TurnRow]:
        return self._rows.rows

    @property
    def selected(self) -> int | None:
        index = self.currentIndex()
        return index.data(_ROW_ROLE).number if index.isValid() else None

    def forget_selection(self) -> None:
        """Nothing is selected: a note goes to the turn at work."""
        self.selectionModel().clear()

    def select(self, number: int) -> None:
        for at, row in enumerate(self._rows.rows):
            if row.number == number:
                self.setCurrentIndex(self._rows.index(at))

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.turn_selected.emit(index.data(_ROW_ROLE).number if index.isValid() else 0)


class _Rows(QAbstractListModel):
    """Turns are only ever added at the end; a row that differs is repainted, the others are left alone."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[TurnRow] = []

    def replace(self, rows: list[TurnRow]) -> None:
        if len(rows) < len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        changed = [at for at, (old, new) in enumerate(zip(self.rows, rows, strict=False)) if old != new]
        held = len(self.rows)
        if len(rows) > held:
            self.beginInsertRows(QModelIndex(), held, len(rows) - 1)
            self.rows = rows
            self.endInsertRows()
        self.rows = rows
        for at in changed:
            self.dataChanged.emit(self.index(at), self.index(at))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.told
        return row.text if role == Qt.ItemDataRole.ToolTipRole else None


class _RowPainter(QStyledItemDelegate):
    """Two lines a turn: number, state and seconds; below them the words of the query."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(sized(option.font, self._look.small_pt)).height()
        return QSize(150, 2 * line + _PAD + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TurnRow = index.data(_ROW_ROLE)
        area: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        ink = self._paint_ground(painter, area, row.mark, selected)
        base = option.font
        inner = area.adjusted(_PAD, _PAD // 2, -_PAD, -_PAD // 2)
        top, below = inner.adjusted(0, 0, 0, -inner.height() // 2), inner.adjusted(0, inner.height() // 2, 0, 0)
        painter.setFont(sized(base, self._look.small_pt, row.mark in (Mark.NOW, Mark.CORRECTING)))
        self._paint_top(painter, top, row, ink)
        painter.setFont(sized(base, self._look.small_pt))
        painter.setPen(QColor(ink if row.mark is Mark.NOW else self._look.quiet))
        text = painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, mark: Mark, selected: bool) -> str:
        """Fill the row; returns the colour to write in."""
        look = self._look
        if mark is Mark.NOW:
            painter.fillRect(area, QColor(look.accent))
        elif selected:
            painter.fillRect(area, QColor(look.stripe))
        if selected or mark is Mark.CORRECTING:
            painter.setPen(QPen(QColor(look.subject if mark is Mark.CORRECTING else look.accent), 2))
            painter.drawRect(area.adjusted(1, 1, -2, -2))
        inks = {Mark.NOW: look.on_accent, Mark.WAITING: look.warning, Mark.SPEAKING: look.bad, Mark.LEFT: look.quiet}
        return inks.get(mark, look.text)

    def _paint_top(self, painter: QPainter, area: QRect, row: TurnRow, ink: str) -> None:
        painter.setPen(QColor(ink))
        number = QRect(area.left(), area.top(), painter.fontMetrics().horizontalAdvance("000") + 2, area.height())
        painter.drawText(number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(row.number))
        spot = QRect(number.right() + 8, area.center().y() - _ICON // 2, _ICON, _ICON)
        painter.drawPixmap(spot, icons.pixmap(row.mark.value, ink, 2 * _ICON))
        word = area.adjusted(spot.right() + 6 - area.left(), 0, 0, 0)
        noted = " *" if row.noted else ""
        painter.drawText(word, Qt.AlignmentFlag.AlignVCenter, row.word + noted)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.seconds)
