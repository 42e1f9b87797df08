"""The values found in the query, each a chip that can be swapped or taken out, by keys or by mouse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from curtain.desk.style import Look, mixed, set_size
from curtain.drafting.values import Value
from wizard_app.choices import ShownChip
from wizard_app.values_menu import ValuesMenu

_GAP = 5
_PAD = 7
_ARROW = 9
_WIDEST = 220
_BEYOND = 28


class ChipRow(QWidget):
    """One row that takes the cursor only by its key or a click. Left and Right move, Enter opens the list of other
    values, where typing finds one, Delete takes the value out of the drafts or brings it back. Wishes name the chip:
    the row may change while the list is open."""

    swap_requested = Signal(object, object)
    remove_requested = Signal(object)
    put_back_requested = Signal(object)
    current_changed = Signal()
    focus_moved = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chips")
        self.setAccessibleName(self.tr("Values of the query"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_size(self, look.small_pt)
        self._look = look
        self._chips: list[ShownChip] = []
        self._stale = False
        self._current = 0
        self._offset = 0
        self._menu: QMenu | None = None

    def show_chips(self, chips: Sequence[ShownChip], stale: bool) -> None:
        if list(chips) == self._chips and stale == self._stale:
            return
        self._chips, self._stale = list(chips), stale
        self._current = max(0, min(self._current, len(self._chips) - 1))
        self.setProperty("chips", [one.told for one in chips])
        self.setAccessibleDescription(", ".join(one.told for one in chips))
        self._come_into_sight()
        self.update()

    @property
    def chips(self) -> list[ShownChip]:
        return self._chips

    @property
    def current(self) -> ShownChip | None:
        """The chip that the keys act on, while the cursor is here."""
        return self._chips[self._current] if self._chips and self.hasFocus() else None

    def sizeHint(self) -> QSize:
        return QSize(120, QFontMetrics(self.font()).height() + 6)

    minimumSizeHint = sizeHint

    # -- keys --------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -99, Qt.Key.Key_End: 99}
        key = Qt.Key(event.key())
        if key in steps:
            self._move_to(self._current + steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down, Qt.Key.Key_Space):
            self._open_list()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._toggle_at(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._move_to(self._current)
        self.focus_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
        self.current_changed.emit()
        self.focus_moved.emit()

    def _move_to(self, place: int) -> None:
        self._current = max(0, min(place, len(self._chips) - 1))
        self._come_into_sight()
        self.update()
        self.current_changed.emit()

    def _toggle_at(self, place: int) -> None:
        if 0 <= place < len(self._chips):
            self._toggle(self._chips[place])

    def _toggle(self, shown: ShownChip) -> None:
        (self.remove_requested if shown.choice is None else self.put_back_requested).emit(shown.chip)

    # -- the list of other values --------------------------------------------------------------------------

    def _open_list(self) -> None:
        """Other values, likeliest first, and what takes this one out; of a changed one first what brings it back."""
        if not self._chips:
            return
        place, shown = self._current, self._chips[self._current]
        menu = ValuesMenu(self)
        if shown.choice is not None:
            self._add_toggle(menu, shown, self.tr("As it was found  (Del)"))
            menu.addSeparator()
        for value in self._others(shown):
            act = menu.add_value(value.label)
            act.triggered.connect(lambda _=False, value=value: self.swap_requested.emit(shown.chip, value))
        if shown.choice is None:
            menu.addSeparator()
            self._add_toggle(menu, shown, self.tr("Without it  (Del)"))
        menu.popup(self.mapToGlobal(self._area(place).bottomLeft() + QPoint(0, 1)))
        menu.setActiveAction(menu.actions()[0])

    def _others(self, shown: ShownChip) -> Iterator[Value]:
        """All but the one that is there already."""
        for value in shown.chip.others:
            if shown.removed or value.label != shown.chip.value.label:
                yield value

    def _add_toggle(self, menu: QMenu, shown: ShownChip, told: str) -> None:
        act = QAction(told, menu)
        act.triggered.connect(lambda: self._toggle(shown))
        menu.addAction(act)

    # -- mouse -------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint())
        if place is None:
            super().mousePressEvent(event)
            return
        self._move_to(place)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._toggle_at(place)
        else:
            self._open_list()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos())
            QToolTip.showText(event.globalPos(), self._tip(place) if place is not None else "", self)
            return True
        return super().event(event)

    def _tip(self, place: int) -> str:
        chip = self._chips[place].chip
        told = self.tr("“{0}” is read as {1}") if chip.start >= 0 else self.tr("“{0}” of an earlier turn: {1}")
        return told.format(chip.said, chip.value.label)

    # -- painting ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, chip in enumerate(self._chips):
            area = self._area(place)
            if area.right() >= 0 and area.left() <= self.width():
                self._paint_chip(painter, area, chip, place == self._current and self.hasFocus())
        beyond = sum(self._area(place).right() > self.width() for place in range(len(self._chips)))
        if beyond:
            self._paint_beyond(painter, f"+{beyond}")

    def _paint_beyond(self, painter: QPainter, told: str) -> None:
        """How many more there are than fit."""
        room = QRect(0, 0, painter.fontMetrics().horizontalAdvance(told) + 8, self.height())
        room.moveRight(self.width())
        painter.fillRect(room, QColor(self._look.window))
        painter.setPen(QColor(self._look.quiet))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, told)

    def _paint_chip(self, painter: QPainter, area: QRect, chip: ShownChip, current: bool) -> None:
        look = self._look
        edge = look.accent if current or chip.choice is not None else look.line
        # What an earlier turn has left behind has no words in this query.
        line = Qt.PenStyle.DashLine if chip.chip.start < 0 else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(edge), 2 if current else 1, line))
        painter.setBrush(QColor(mixed(look.base, look.accent, 0.12) if chip.choice is not None else look.base))
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)
        inner = area.adjusted(_PAD, 0, -_PAD - _ARROW, 0)
        self._paint_words(painter, inner, chip)
        self._paint_arrow(painter, QPoint(area.right() - _PAD - 3, area.center().y()))

    def _paint_words(self, painter: QPainter, inner: QRect, chip: ShownChip) -> None:
        kind, label = f"{chip.chip.kind} " if chip.chip.kind else "", chip.told[len(chip.chip.kind) :].strip()
        metrics = painter.fontMetrics()
        painter.setPen(QColor(self._look.quiet))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, kind)
        room = inner.adjusted(metrics.horizontalAdvance(kind), 0, 0, 0)
        painter.setPen(QColor(self._look.quiet if self._stale or chip.removed else self._look.text))
        told = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, told)
        if chip.removed:
            middle = room.center().y() + 1
            painter.drawLine(room.left(), middle, room.left() + metrics.horizontalAdvance(told), middle)

    def _paint_arrow(self, painter: QPainter, at: QPoint) -> None:
        painter.setPen(QPen(QColor(self._look.quiet), 1.4))
        painter.drawLine(at + QPoint(-3, -1), at + QPoint(0, 2))
        painter.drawLine(at + QPoint(0, 2), at + QPoint(3, -1))

    # -- places ------------------------------------------------------------------------------------------

    def _width(self, chip: ShownChip) -> int:
        words = QFontMetrics(self.font()).horizontalAdvance(chip.told)
        return min(_WIDEST, words + 2 * _PAD + _ARROW + 2)

    def _area(self, place: int) -> QRect:
        before = sum(self._width(chip) + _GAP for chip in self._chips[:place])
        return QRect(before - self._offset, 0, self._width(self._chips[place]), self.height())

    def _place_at(self, point: QPoint) -> int | None:
        return next((place for place in range(len(self._chips)) if self._area(place).contains(point)), None)

    def _come_into_sight(self) -> None:
        """More chips than fit: the row moves with the chip that the keys act on."""
        self._offset = 0
        if self._chips and self.hasFocus():
            area = self._area(self._current)
            last = self._current == len(self._chips) - 1
            self._offset = max(0, area.right() + 1 + (0 if last else _BEYOND) - self.width())
