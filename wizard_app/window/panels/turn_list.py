"""The turns of the session, oldest first; the oldest unanswered one cannot be missed."""

from collections.abc import Sequence
from functools import partial
from operator import is_not
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from curtain.qt import icons
from curtain.qt.style import TIGHT, Look, sized, washed
from curtain.qt.widgets import named, plain_tip
from wizard_app.desk.turn.turn_rows import ListRow, RowMark, TaskRow, TurnRow, started_over_words

_ROW_ROLE = int(Qt.ItemDataRole.UserRole)
_PAD = 8
_ICON = 14

Index = QModelIndex | QPersistentModelIndex


class TurnList(QListView):
    """Shows the rows it is given; the selected turn is the one that a note is written on. Headings cannot be chosen."""

    turn_selected = Signal(int)
    replay_requested = Signal(int)
    look_requested = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__(uniformItemSizes=True)
        named(self, "turn_list", self.tr("Turns"))
        self._rows = _Rows()
        self._now: int | None = None
        self.setModel(self._rows)
        self.setItemDelegate(_RowPainter(look, self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.doubleClicked.connect(self._on_double_click)

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Replace what is shown; the selection stays on its turn, another turn to work on comes into sight."""
        before, selected = self._rows.end, self.selected
        self._rows.replace(list(rows))
        if self.selected != selected and selected is not None:
            self.select(selected)
        now = next((row.number for row in self.rows if row.mark in (RowMark.NOW, RowMark.CORRECTING)), None)
        if now != self._now or before != self._rows.end:
            self._now = now
            self._show_now()

    @property
    def rows(self) -> list[TurnRow]:
        """The turns as they are shown, the oldest first."""
        return [row for row in self._rows.rows if isinstance(row, TurnRow)]

    @property
    def selected(self) -> int | None:
        """The number of the chosen turn; None if none is chosen."""
        # Not the current index: Qt gives the focus one that nobody has chosen and nobody sees.
        chosen = self.selectionModel().selectedIndexes()
        return chosen[0].data(_ROW_ROLE).number if chosen else None

    def forget_selection(self) -> None:
        """Nothing is selected: a note goes to the turn at work."""
        self.selectionModel().clear()

    def choose_some(self) -> None:
        """A hand comes here by key: the turn at work, else the last one, unless one is chosen already."""
        rows = self.rows
        if self.selected is None and rows:
            self.select(self._now if self._now is not None else rows[-1].number)

    def select(self, number: int) -> None:
        """Choose the turn of this number, if it is in the list."""
        at = self._rows.place_of(number)
        if at is not None:
            self.setCurrentIndex(self._rows.index(at))

    def _show_now(self) -> None:
        at = self._rows.place_of(self._now)
        if at is not None:
            self.scrollTo(self._rows.index(at), QAbstractItemView.ScrollHint.EnsureVisible)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.choose_some()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.hasFocus() and self.selected is not None:
            self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
        else:
            self._show_now()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        chosen = self.selected
        if chosen is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.look_requested.emit(chosen)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        row = self.indexAt(event.pos()).data(_ROW_ROLE)
        if isinstance(row, TurnRow):
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(self.tr("Look at this turn"), partial(self.look_requested.emit, row.number))
            menu.addAction(self.tr("Play it"), partial(self.replay_requested.emit, row.number))
            menu.popup(event.globalPos())

    def _on_double_click(self, index: Index) -> None:
        row = index.data(_ROW_ROLE)
        if isinstance(row, TurnRow):
            self.replay_requested.emit(row.number)

    def _on_selection_changed(self) -> None:
        self.turn_selected.emit(self.selected or 0)


class _Rows(QAbstractListModel):
    """Turns are added at the end, and only a tap goes away; a row that differs is repainted, the others stay."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ListRow] = []

    def replace(self, rows: list[ListRow]) -> None:
        # Rows only grow but for a tap that turned out to be none; a reset would lose selection and place.
        if len(rows) < len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        # Most rows are the same objects: no row of a long session is compared by its fields.
        others = (at for at, other in enumerate(map(is_not, self.rows, rows)) if other)
        changed = [at for at in others if self.rows[at] != rows[at]]
        held = len(self.rows)
        if len(rows) > held:
            self.beginInsertRows(QModelIndex(), held, len(rows) - 1)
            self.rows = rows
            self.endInsertRows()
        self.rows = rows
        for at in changed:
            self.dataChanged.emit(self.index(at), self.index(at))

    @property
    def end(self) -> tuple[int, int]:
        """How many rows there are, and the number of the last turn: rows come and go at the end alone."""
        last = self.rows[-1] if self.rows else None
        return len(self.rows), last.number if isinstance(last, TurnRow) else 0

    def place_of(self, number: int | None) -> int | None:
        """The row of a turn; None if it is not here."""
        rows = enumerate(self.rows)
        return next((at for at, row in rows if isinstance(row, TurnRow) and row.number == number), None)

    def flags(self, index: Index) -> Qt.ItemFlag:
        # Arrows go past what is not enabled.
        heading = index.isValid() and isinstance(self.rows[index.row()], TaskRow)
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.in_words
        tip = row.title if isinstance(row, TaskRow) else row.text
        return plain_tip(tip) if role == Qt.ItemDataRole.ToolTipRole else None


class _RowPainter(QStyledItemDelegate):
    """Three lines a turn: number, state and seconds; below them the words of the query."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetrics(sized(option.font, self._look.small_pt)).height()
        return QSize(150, 3 * line + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ListRow = index.data(_ROW_ROLE)
        painter.save()
        if isinstance(row, TaskRow):
            self._paint_task(painter, option, row)
        else:
            self._paint_turn(painter, option, row)
        painter.restore()

    def _paint_task(self, painter: QPainter, option: QStyleOptionViewItem, row: TaskRow) -> None:
        look, area = self._look, option.rect
        painter.setPen(QPen(QColor(look.line), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        top, below = _lines(area)
        painter.setPen(QColor(look.text))
        painter.setFont(sized(option.font, look.small_pt, bold=True))
        painter.drawText(top, Qt.AlignmentFlag.AlignVCenter, row.place)
        painter.setFont(sized(option.font, look.small_pt))
        self._paint_words(painter, below, row.title, row.state)

    @staticmethod
    def _paint_words(painter: QPainter, area: QRect, words: str, state: str = "") -> None:
        """The words in two lines, and the state at the end of the first; what does not fit is left out."""
        metrics, middle, high = painter.fontMetrics(), Qt.AlignmentFlag.AlignVCenter, area.height() // 2
        room = area.width() - (metrics.horizontalAdvance(f"{state}  ") if state else 0)
        first = ""
        for word in words.split():
            if metrics.horizontalAdvance(f"{first} {word}") > room:
                break
            first = f"{first} {word}".strip()
        upper = area.adjusted(0, 0, 0, -high)
        painter.drawText(upper, middle, first)
        painter.drawText(upper, middle | Qt.AlignmentFlag.AlignRight, state)
        rest = metrics.elidedText(words[len(first) :].strip(), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area.adjusted(0, high, 0, 0), middle, rest)

    def _paint_turn(self, painter: QPainter, option: QStyleOptionViewItem, row: TurnRow) -> None:
        area: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = self._paint_ground(painter, area, row.mark, selected)
        base = option.font
        top, below = _lines(area)
        painter.setFont(sized(base, self._look.small_pt, row.mark in (RowMark.NOW, RowMark.CORRECTING)))
        self._paint_top(painter, top, row, ink)
        painter.setFont(sized(base, self._look.small_pt))
        painter.setPen(QColor(ink if row.mark is RowMark.NOW else self._look.quiet))
        self._paint_words(painter, below, row.text, started_over_words() if row.started_over else "")
        if row.started_over:
            painter.setPen(QPen(QColor(self._look.warning), 2, Qt.PenStyle.DashLine))
            painter.drawLine(area.bottomLeft(), area.bottomRight())

    def _paint_ground(self, painter: QPainter, area: QRect, mark: RowMark, selected: bool) -> str:
        """Fill the row; returns the colour to write in."""
        look = self._look
        if mark is RowMark.NOW:
            painter.fillRect(area, QColor(washed(look, look.accent)))
            painter.fillRect(area.adjusted(0, 0, TIGHT - area.width(), 0), QColor(look.accent))
        elif selected:
            painter.fillRect(area, QColor(look.window))
        if selected or mark is RowMark.CORRECTING:
            self._paint_frame(painter, area, mark, selected)
        inks = {
            RowMark.NOW: look.text,
            RowMark.WAITING: look.warning,
            RowMark.SPEAKING: look.bad,
            RowMark.LEFT: look.quiet,
            RowMark.UNSEEN: look.bad,
        }
        return inks.get(mark, look.text)

    def _paint_frame(self, painter: QPainter, area: QRect, mark: RowMark, selected: bool) -> None:
        look = self._look
        painter.setPen(QPen(QColor(look.subject if mark is RowMark.CORRECTING else look.accent), 2))
        painter.drawRect(area.adjusted(1, 1, -2, -2))
        if selected and mark in (RowMark.NOW, RowMark.CORRECTING):
            # A second frame inside: these rows stand out already, and what is chosen must be seen.
            painter.setPen(QPen(QColor(look.accent), 2))
            painter.drawRect(area.adjusted(3, 3, -4, -4))

    def _paint_top(self, painter: QPainter, area: QRect, row: TurnRow, ink: str) -> None:
        painter.setPen(QColor(ink))
        number = QRect(area.left(), area.top(), painter.fontMetrics().horizontalAdvance("000") + 2, area.height())
        painter.drawText(
            QStyle.visualRect(painter.layoutDirection(), area, number),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(row.number),
        )  # fmt: skip
        side = self._look.px(_ICON)
        spot = QRect(number.right() + 8, area.center().y() - side // 2, side, side)
        direction = painter.layoutDirection()
        painter.drawPixmap(QStyle.visualRect(direction, area, spot), icons.pixmap(row.mark.value, ink, 2 * side))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, row.seconds)
        metrics = painter.fontMetrics()
        taken = metrics.horizontalAdvance(row.seconds + " ") if row.seconds else 0
        word = area.adjusted(spot.right() + 6 - area.left(), 0, -taken, 0)
        noted = " *" if row.noted else ""
        room = word.width() - metrics.horizontalAdvance(noted)
        text = metrics.elidedText(row.word, Qt.TextElideMode.ElideRight, room) + noted
        painter.drawText(QStyle.visualRect(direction, area, word), Qt.AlignmentFlag.AlignVCenter, text)


def _lines(area: QRect) -> tuple[QRect, QRect]:
    """The first line of a row, and the other two."""
    inner = area.adjusted(_PAD, _PAD, -_PAD, -_PAD)
    third = inner.height() // 3
    return inner.adjusted(0, 0, 0, -2 * third), inner.adjusted(0, third, 0, 0)
