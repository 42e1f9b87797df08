"""The drafts as a list: number, confidence as word and shape, the SQL in short, how many rows it would answer."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from curtain.qt.style import TIGHT, Look, set_size, sized
from curtain.qt.widgets import named, plain_tip
from curtain_drafts.desk.rows import DraftRow, fitted

MOST = 5
_ROW_ROLE = int(Qt.ItemDataRole.UserRole)
_BAR = 34
_PAD = 6
_LIKELY = 0.6

Index = QModelIndex | QPersistentModelIndex


class DraftList(QListView):
    """Five rows, or as many whole ones as there is room for. Wishes: a draft taken, an example withdrawn, that taken
    back, to leave; `selected_changed(number)`: the row that a hand points at, 0 if none; a letter typed here is passed
    on."""

    take_requested = Signal(int)
    withdraw_requested = Signal(int)
    undo_requested = Signal()
    menu_requested = Signal(int, QPoint)
    selected_changed = Signal(int)
    letter_typed = Signal(str)
    focus_moved = Signal()

    def __init__(self, look: Look, chips: QWidget) -> None:
        super().__init__()
        named(self, "drafts", self.tr("Drafts"))
        self._chips = chips
        # Drafts are made of English words and of SQL.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._model = _Rows()
        self._hovered = 0
        # Whether what is taken now is the row that the keys point at, and no place.
        self.takes_pointed = False
        self.setModel(self._model)
        self._painter = _RowPainter(look, self)
        self.setItemDelegate(self._painter)
        set_size(self, look.small_pt)
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.entered.connect(lambda index: self._hover(_number_at(index)))
        self.viewportEntered.connect(lambda: self._hover(0))
        self.clicked.connect(lambda index: self.take_requested.emit(_number_at(index)))
        self.selectionModel().selectionChanged.connect(lambda: self.selected_changed.emit(self.selected))

    def height_of(self, rows: int) -> int:
        """The height that so many rows need, in pixels."""
        return rows * row_height(QFontMetrics(self.font()))

    def show_rows(self, rows: Sequence[DraftRow], stale: bool) -> None:
        """`stale` greys them: they belong to an older text."""
        self._painter.stale = stale
        chosen = self.selectionModel().selectedIndexes()
        pointed = chosen[0].data(_ROW_ROLE) if chosen else None
        self._model.replace(list(rows))
        self._measure()
        if pointed is not None:
            self._point_again(pointed)
        self.setProperty("rows", [row.in_words for row in rows])
        self.viewport().update()

    @property
    def rows(self) -> list[DraftRow]:
        """The rows as they are shown, in the order of their numbers; a draft whose answer another gives has none."""
        return self._model.rows

    @property
    def selected(self) -> int:
        """The number of the row that a hand points at, by key or mouse; 0 if none."""
        chosen = self.selectionModel().selectedIndexes()
        return _number_at(chosen[0]) if chosen else self._hovered

    def select(self, number: int) -> None:
        """Point at the draft of this number, if it is in the list."""
        for at, row in enumerate(self.rows):
            if row.number == number:
                self.setCurrentIndex(self._model.index(at))

    def forget_selection(self) -> None:
        """Point at no draft."""
        self.selectionModel().clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, text = event.key(), event.text()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and key == Qt.Key.Key_Z:
            self.undo_requested.emit()
        elif control or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected:
            self.takes_pointed = True
            self.take_requested.emit(self.selected)
            self.takes_pointed = False
        elif key == Qt.Key.Key_Delete and self.selected:
            self.withdraw_requested.emit(self.selected)
        elif text.isdigit() and 1 <= int(text) <= MOST:
            self.take_requested.emit(int(text))
        elif text.isalpha() or text == "(":
            self.letter_typed.emit(text)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        number = _number_at(self.indexAt(event.pos())) or self.selected
        if number:
            self.menu_requested.emit(number, event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection() and self.rows:
            self.select(self.rows[0].number)
        self.focus_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A context menu takes the focus too, and is about the row that is pointed at; so are its chips.
        if event.reason() is not Qt.FocusReason.PopupFocusReason and not self._chips.hasFocus():
            self.forget_selection()
        self.focus_moved.emit()

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self._hover(0)

    def sizeHint(self) -> QSize:
        return QSize(300, self.height_of(MOST))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.height_of(1))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()

    def _measure(self) -> None:
        words = ("likely", *(row.word for row in self.rows))
        self._painter.word_width = max(QFontMetrics(self.font()).horizontalAdvance(word) for word in words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # A row that is cut would be read as the last one.
        self.setViewportMargins(0, 0, 0, self.height() % self.height_of(1))
        super().resizeEvent(event)

    def _point_again(self, pointed: DraftRow) -> None:
        """The row that is pointed at stays so, wherever it stands now."""
        same = pointed.sql or pointed.number
        number = next((row.number for row in self.rows if same in (row.sql, row.number)), 0)
        if number:
            self.select(number)
        else:
            self.forget_selection()

    def _hover(self, number: int) -> None:
        if number != self._hovered:
            self._hovered = number
            self.selected_changed.emit(self.selected)


def _number_at(index: Index) -> int:
    row = index.data(_ROW_ROLE) if index.isValid() else None
    return row.number if isinstance(row, DraftRow) else 0


def row_height(metrics: QFontMetrics) -> int:
    """The height of a row in pixels."""
    return metrics.height() + 4


class _Rows(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[DraftRow] = []

    def replace(self, rows: list[DraftRow]) -> None:
        """Rows that stay keep their selection."""
        if len(rows) != len(self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
        elif rows != self.rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == _ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.in_words
        # A tooltip wraps only at blanks; a long statement is cut.
        return plain_tip(" ".join(row.sql[:1200].split())) if role == Qt.ItemDataRole.ToolTipRole else None


class _RowPainter(QStyledItemDelegate):
    """One line a draft. What cannot fit is left out of the middle column, but never what two drafts differ in."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self.stale = False
        self.word_width = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, row_height(QFontMetrics(option.font)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: DraftRow = index.data(_ROW_ROLE)
        area: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver))
        self._paint_ground(painter, area, selected, row.taken)
        painter.setFont(sized(option.font, self._look.small_pt))
        left = self._paint_number(painter, area, row.number)
        left = self._paint_confidence(painter, area, left, row)
        left = self._paint_new(painter, area, left, row.new)
        right = self._paint_rows(painter, area, row.rows)
        self._paint_sketch(painter, QRect(left, area.top(), right - left - 2 * _PAD, area.height()), row)
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRect, selected: bool, taken: bool) -> None:
        if selected:
            painter.fillRect(area, QColor(self._look.window))
            painter.setPen(QPen(QColor(self._look.accent), 1))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        if taken:
            painter.fillRect(QRect(area.left(), area.top(), 3, area.height()), QColor(self._look.accent))

    def _paint_number(self, painter: QPainter, area: QRect, number: int) -> int:
        cap = QRect(area.left() + _PAD, area.top() + 2, area.height() - 4, area.height() - 4)
        painter.setPen(QPen(QColor(self._look.line), 1))
        painter.drawRoundedRect(cap, TIGHT, TIGHT)
        painter.setPen(QColor(self._ink))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, str(number))
        return cap.right() + _PAD + 2

    def _paint_confidence(self, painter: QPainter, area: QRect, left: int, row: DraftRow) -> int:
        """A bar against the same scale in every list, and a word; what is unlikely does not ask to be looked at."""
        likely = row.confidence >= _LIKELY and not self.stale
        bar = QRect(left, area.center().y() - 2, _BAR, 6)
        painter.fillRect(bar, QColor(self._look.line))
        bar.setWidth(max(2, round(min(1.0, row.confidence) * _BAR)))
        painter.fillRect(bar, QColor(self._look.accent if likely else self._look.quiet))
        left += _BAR + _PAD
        painter.setPen(QColor(self._look.text if likely else self._look.quiet))
        room = QRect(left, area.top(), self.word_width, area.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, row.word)
        return left + self.word_width + 2 * _PAD

    def _paint_new(self, painter: QPainter, area: QRect, left: int, word: str) -> int:
        """The mark of a row that came after the others, in a frame, so that colour is not all that says so."""
        if not word:
            return left
        width = painter.fontMetrics().horizontalAdvance(word) + 2 * _PAD
        frame = QRect(left, area.top() + 2, width, area.height() - 4)
        painter.setPen(QPen(QColor(self._look.accent), 1))
        painter.drawRoundedRect(frame, TIGHT, TIGHT)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, word)
        return left + width + _PAD

    def _paint_rows(self, painter: QPainter, area: QRect, text: str) -> int:
        metrics = painter.fontMetrics()
        most = max(metrics.horizontalAdvance("100,000 rows"), min(160, area.width() // 4))
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, most)
        width = max(metrics.horizontalAdvance(text), metrics.horizontalAdvance("1,000 rows"))
        room = QRect(area.right() - width - _PAD, area.top(), width, area.height())
        painter.setPen(QColor(self._ink))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return room.left()

    def _paint_sketch(self, painter: QPainter, room: QRect, row: DraftRow) -> None:
        painter.setPen(QColor(self._ink))
        metrics = painter.fontMetrics()
        text = fitted(row, lambda words: metrics.horizontalAdvance(words) <= room.width())
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)

    @property
    def _ink(self) -> str:
        return self._look.quiet if self.stale else self._look.text
