"""The values found in the query and the parts of a draft, each a chip that can be swapped or taken out."""

import re
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
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from curtain.base.words import SIGN_OF_WORD
from curtain.qt.style import CORNER, Look, mixed, set_size
from curtain.qt.widgets import named
from curtain_drafts.desk.value_choices import ShownChip
from curtain_drafts.drafting.values import Value

_GAP = 5
_PAD = 7
_ARROW = 9
_WIDEST = 220
_NARROWEST = 110
_SIGN = 16


class ChipRow(QWidget):
    """One row that takes the cursor only by its key or a click. Left and Right move, Enter opens the list of other
    values, where typing finds one, Delete takes the value out of the drafts or brings it back. Only whole chips are
    shown: at either end a sign says how many more there are, and the row moves with the cursor. Wishes name the
    chip: the row may change while the list is open."""

    swap_requested = Signal(object, object)
    remove_requested = Signal(object)
    put_back_requested = Signal(object)
    current_changed = Signal()
    focus_moved = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "chips", self.tr("Values of the query, parts of the draft"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_size(self, look.small_pt)
        # Drafts are made of English words and of SQL.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._look = look
        # The chips as they are shown, from left to right.
        self.chips: list[ShownChip] = []
        self._stale = False
        self._current = 0
        self._first = 0

    def show_chips(self, chips: Sequence[ShownChip], stale: bool) -> None:
        """The values of the draft in sight; `stale` shows them as those of an older text."""
        # Asked after each key press: the same chips must not move the one that is pointed at.
        if list(chips) == self.chips and stale == self._stale:
            return
        self.chips, self._stale = list(chips), stale
        self._current = max(0, min(self._current, len(self.chips) - 1))
        self.setProperty("chips", [one.in_words for one in chips])
        self._come_into_sight()
        self._say_state()
        self.update()

    @property
    def current(self) -> ShownChip | None:
        """The chip that the keys act on, while the cursor is here."""
        return self.chips[self._current] if self.chips and self.hasFocus() else None

    @property
    def in_sight(self) -> range:
        """The places of the chips that are shown, counted from 0; the others are counted at the ends."""
        return range(self._first, self._first + len(self._areas()))

    def sizeHint(self) -> QSize:
        return QSize(120, QFontMetrics(self.font()).height() + 6)

    minimumSizeHint = sizeHint

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
        self._come_into_sight()
        self.update()
        self.current_changed.emit()
        self.focus_moved.emit()

    def _move_to(self, place: int) -> None:
        self._current = max(0, min(place, len(self.chips) - 1))
        self._come_into_sight()
        self._say_state()
        self.update()
        self.current_changed.emit()

    def _say_state(self) -> None:
        """The chip that the keys act on first, then all."""
        out = self.tr("taken out")
        at = [self.current] if self.current is not None else []
        words = (f"{one.in_words} ({out})" if one.removed else one.in_words for one in (*at, *self.chips))
        self.setAccessibleDescription(", ".join(words))

    def _toggle_at(self, place: int) -> None:
        if 0 <= place < len(self.chips):
            self._toggle(self.chips[place])

    def _toggle(self, shown: ShownChip) -> None:
        if not shown.fixed:
            (self.remove_requested if shown.choice is None else self.put_back_requested).emit(shown.chip)

    def _open_list(self) -> None:
        """Other values, likeliest first, and what takes this one out; of a changed one first what brings it back."""
        if not self.chips:
            return
        place, shown = self._current, self.chips[self._current]
        menu = ValuesMenu(self)
        if shown.choice is not None:
            self._add_toggle(menu, shown, self.tr("As it was found  (Del)"))
            menu.addSeparator()
        for value in self._others(shown):
            act = menu.add_value(value.label)
            act.triggered.connect(lambda _=False, value=value: self.swap_requested.emit(shown.chip, value))
        if shown.choice is None and not shown.fixed:
            menu.addSeparator()
            self._add_toggle(menu, shown, self.tr("Without it  (Del)"))
        if not menu.actions():
            menu.addAction(self.tr("There is nothing else to put here.")).setEnabled(False)
        menu.popup(self.mapToGlobal(self._areas()[place - self._first].bottomLeft() + QPoint(0, 1)))
        menu.setActiveAction(menu.actions()[0])

    def _others(self, shown: ShownChip) -> Iterator[Value]:
        """All but the one that is there already."""
        for value in shown.chip.others:
            if shown.removed or value.label != shown.chip.value.label:
                yield value

    def _add_toggle(self, menu: QMenu, shown: ShownChip, text: str) -> None:
        act = QAction(text, menu)
        act.triggered.connect(lambda: self._toggle(shown))
        menu.addAction(act)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        place = self._place_at(at)
        if place is None:
            self._move_beyond(at)
            return
        self._move_to(place)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._toggle_at(place)
        else:
            self._open_list()

    def _move_beyond(self, at: QPoint) -> None:
        """A click on a sign brings the next chip that it stands for."""
        seen = self.in_sight
        if seen and seen.start and at.x() < self._areas()[0].left():
            self._move_to(seen.start - 1)
        elif seen and seen.stop < len(self.chips) and at.x() > self._areas()[-1].right():
            self._move_to(seen.stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._come_into_sight()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._place_at(event.pos())
            QToolTip.showText(event.globalPos(), self._tip(place) if place is not None else "", self)
            return True
        return super().event(event)

    def _tip(self, place: int) -> str:
        shown = self.chips[place]
        if shown.carried:
            text = self.tr("Of the question before, and not said again: {0}. Del drops it.")
            return text.format(shown.chip.value.label)
        if shown.chip.start < 0:
            return shown.in_words
        return self.tr("“{0}” is read as {1}").format(shown.chip.said, shown.chip.value.label)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen, areas = self.in_sight, self._areas()
        for place, area in zip(seen, areas, strict=True):
            self._paint_chip(painter, area, self.chips[place], place == self._current and self.hasFocus())
        painter.setPen(QPen(QColor(self._look.quiet), 1.4))
        if seen.start:
            self._paint_sign(painter, QRect(0, 0, areas[0].left(), self.height()), seen.start, before=True)
        if areas and seen.stop < len(self.chips):
            beyond = len(self.chips) - seen.stop
            left = areas[-1].right() + _GAP
            room = QRect(left, 0, self._sign_width(beyond), self.height())
            self._paint_sign(painter, room, beyond, before=False)

    def _paint_sign(self, painter: QPainter, room: QRect, many: int, before: bool) -> None:
        """How many more there are on this side, and an arrow that way."""
        middle, way = room.center().y() + 1, 1 if before else -1
        tip = QPoint(room.left() + 3 if before else room.right() - 4, middle)
        painter.drawLine(tip, tip + QPoint(3 * way, -3))
        painter.drawLine(tip, tip + QPoint(3 * way, 3))
        text = room.adjusted(10, 0, 0, 0) if before else room
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, f"+{many}")

    def _paint_chip(self, painter: QPainter, area: QRect, chip: ShownChip, current: bool) -> None:
        look = self._look
        # What an earlier turn has left behind has no words in this query.
        left_behind = chip.carried and chip.choice is None
        line = Qt.PenStyle.DashLine if left_behind else Qt.PenStyle.SolidLine
        tone = look.accent if chip.choice is not None else look.warning if left_behind else look.line
        painter.setPen(QPen(QColor(look.accent if current else tone), 2 if current else 1, line))
        painter.setBrush(QColor(look.base if tone == look.line else mixed(look.base, tone, 0.15)))
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), CORNER, CORNER)
        inner = area.adjusted(_PAD, 0, -_PAD - _ARROW, 0)
        self._paint_words(painter, inner, chip)
        self._paint_arrow(painter, QPoint(area.right() - _PAD - 3, area.center().y()))

    def _paint_words(self, painter: QPainter, inner: QRect, chip: ShownChip) -> None:
        kind, label = f"{chip.kind} " if chip.kind else "", chip.in_words[len(chip.kind) :].strip()
        metrics = painter.fontMetrics()
        painter.setPen(QColor(self._look.warning if chip.carried and not chip.removed else self._look.quiet))
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, kind)
        room = inner.adjusted(metrics.horizontalAdvance(kind), 0, 0, 0)
        painter.setPen(QColor(self._look.quiet if self._stale or chip.removed else self._look.text))
        text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        if chip.removed:
            middle = room.center().y() + 1
            painter.drawLine(room.left(), middle, room.left() + metrics.horizontalAdvance(text), middle)

    def _paint_arrow(self, painter: QPainter, at: QPoint) -> None:
        painter.setPen(QPen(QColor(self._look.quiet), 1.4))
        painter.drawLine(at + QPoint(-3, -1), at + QPoint(0, 2))
        painter.drawLine(at + QPoint(0, 2), at + QPoint(3, -1))

    def _widths(self) -> list[int]:
        """All that its words need, unless not all chips fit then."""
        metrics = QFontMetrics(self.font())
        wanted = [metrics.horizontalAdvance(chip.in_words) + 2 * _PAD + _ARROW + 2 for chip in self.chips]
        if sum(wanted) + _GAP * (len(wanted) - 1) <= self.width():
            return wanted
        return [min(self._look.px(_WIDEST), width) for width in wanted]

    def _sign_width(self, many: int) -> int:
        return QFontMetrics(self.font()).horizontalAdvance(f"+{many}") + _SIGN if many else 0

    def _areas(self, first: int | None = None) -> list[QRect]:
        """Where the chips stand from the first one that is shown: as many as fit, and one more with its words cut
        short if there is room for their beginning, unless it is the one that the keys act on."""
        first = self._first if first is None else first
        widths = self._widths()
        left = self._sign_width(first)
        areas: list[QRect] = []
        for place in range(first, len(widths)):
            after = len(widths) - place - 1
            room = max(0, self.width() - left - self._sign_width(after))
            kept_whole = self.hasFocus() and place == self._current
            if areas and widths[place] > room and (kept_whole or room < _NARROWEST):
                break
            areas.append(QRect(left, 0, min(widths[place], room), self.height()))
            if widths[place] > room:
                break
            left += widths[place] + _GAP
        return areas

    def _place_at(self, point: QPoint) -> int | None:
        pairs = zip(self.in_sight, self._areas(), strict=True)
        return next((place for place, area in pairs if area.contains(point)), None)

    def _come_into_sight(self) -> None:
        """More chips than fit: the row moves with the chip that the keys act on, and back when the cursor leaves."""
        self._first = min(self._first, self._current) if self.hasFocus() else 0
        while self._current >= self._first + len(self._areas()) < len(self.chips) and self.hasFocus():
            self._first += 1
        while self._first and self._first - 1 + len(self._areas(self._first - 1)) == len(self.chips):
            self._first -= 1


_MOST = 20


class ValuesMenu(QMenu):
    """Shows the first values; once letters are typed, the first of all those with a word that begins with them. The
    letters stand on the first line, and Backspace takes the last of them away."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip_values")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._values: list[tuple[str, QAction]] = []
        self._typed = ""
        self._typed_line = QAction("", self)
        self._typed_line.setEnabled(False)
        self._typed_line.setVisible(False)

    def add_value(self, label: str) -> QAction:
        """A value of this label; it is not seen as long as there are enough before it."""
        # In a menu a single & would make the next letter a key.
        act = self.addAction(label.replace("&", "&&"))
        act.setVisible(len(self._values) < _MOST)
        self._values.append((label.casefold(), act))
        return act

    @property
    def typed(self) -> str:
        """What was typed so far to find a value."""
        return self._typed

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        command = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if event.key() == Qt.Key.Key_Backspace:
            self._find(self._typed[:-1])
        elif text.isprintable() and text.strip(None if not self._typed else "\0") and not command:
            self._find(self._typed + text.casefold())
        else:
            super().keyPressEvent(event)

    def _find(self, typed: str) -> None:
        """Letters that lead nowhere are not taken."""
        actions = [act for label, act in self._values if _fits(label, typed)][:_MOST]
        if typed and not actions:
            return
        self._typed = typed
        for _, act in self._values:
            act.setVisible(act in actions)
        self._show_typed()
        if actions:
            self.setActiveAction(actions[0])

    def _show_typed(self) -> None:
        if self._typed_line not in self.actions():
            self.insertAction(self.actions()[0], self._typed_line)
        self._typed_line.setText(f"{self._typed}…".replace("&", "&&"))
        self._typed_line.setVisible(bool(self._typed))


def _fits(label: str, typed: str) -> bool:
    """A word of it begins with what was typed; a word begins behind anything that is neither letter nor figure."""
    return re.search(rf"(?<!{SIGN_OF_WORD}){re.escape(typed)}", label) is not None
