"""The tags with their keys: the place where the cursor rests while a turn is judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
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
from PySide6.QtWidgets import QSizePolicy, QStyle, QToolTip, QWidget

from curtain.qt.style import TIGHT, Look, mixed, sized
from curtain.qt.widgets import named
from curtain.review.panels.keys import TAG_KEYS

_COLUMNS = 3
_GAP = 3


@dataclass(frozen=True)
class ShownTag:
    """A tag as it is seen: `excludes` under the rule-book in force; `site`: the site's own."""

    name: str
    means: str
    chosen: bool
    excludes: bool
    site: bool


class TagGrid(QWidget):
    """Reports which tag was toggled, by its key or the mouse; Return asks to go on."""

    toggled = Signal(str)
    next_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "tags", self.tr("Tags"))
        self._look = look
        self._tags: list[ShownTag] = []
        self.setFont(sized(self.font(), look.small_pt))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_tags(self, tags: Sequence[ShownTag]) -> None:
        """The tags in the order of their keys."""
        # Only another number of tags needs another size; a layout for each key press would flicker.
        if len(tags) != len(self._tags):
            self._tags = list(tags)
            self.updateGeometry()
        self._tags = list(tags)
        chosen = [self._name(tag) for tag in tags if tag.chosen]
        self.setProperty("chosen", " ".join(tag.name for tag in tags if tag.chosen))
        self.setAccessibleDescription(", ".join(chosen) or "–")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, self._rows * (self._height + _GAP))

    def minimumSizeHint(self) -> QSize:
        return QSize(300, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier) == Qt.KeyboardModifier.NoModifier
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.next_requested.emit()
            return
        at = TAG_KEYS.find(event.text().lower()) if plain and event.text() else -1
        if 0 <= at < len(self._tags):
            self.toggled.emit(self._tags[at].name)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self._at(event.position().toPoint())
        if at is not None:
            self.toggled.emit(self._tags[at].name)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Tool tips by hand: the tags are painted, not widgets of their own."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._at(event.pos())
            if at is not None:
                tag = self._tags[at]
                QToolTip.showText(event.globalPos(), f"{tag.name}: {tag.means}" if tag.means else tag.name, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for at, tag in enumerate(self._tags):
            self._paint(painter, self._cell(at), tag, TAG_KEYS[at].upper() if at < len(TAG_KEYS) else "")

    def _paint(self, painter: QPainter, cell: QRect, tag: ShownTag, key: str) -> None:
        look = self._look
        ink = look.bad if tag.chosen and tag.excludes else look.accent
        if tag.chosen:
            painter.setPen(QPen(QColor(ink), 1))
            painter.setBrush(QColor(mixed(look.base, ink, 0.16)))
            painter.drawRoundedRect(cell.adjusted(0, 0, -1, -1), TIGHT, TIGHT)
        cap = QRect(cell.left() + 4, cell.top() + 2, 20, cell.height() - 5)
        cap = QStyle.visualRect(self.layoutDirection(), cell, cap)
        if key:
            painter.setPen(QPen(QColor(look.line if self.hasFocus() else mixed(look.line, look.window, 0.5)), 1))
            painter.setBrush(QColor(look.base))
            painter.drawRoundedRect(cap, TIGHT, TIGHT)
            painter.setPen(QColor(look.text if self.hasFocus() else look.quiet))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
        painter.setFont(sized(self.font(), look.small_pt, bold=tag.chosen))
        painter.setPen(QColor(ink if tag.chosen else look.text))
        words = QStyle.visualRect(self.layoutDirection(), cell, cell.adjusted(30, 0, -4, 0))
        name = painter.fontMetrics().elidedText(self._name(tag), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(self.font())

    def _name(self, tag: ShownTag) -> str:
        return f"{tag.name} ({self.tr('site')})" if tag.site else tag.name

    @property
    def _rows(self) -> int:
        return -(-len(self._tags) // _COLUMNS)

    @property
    def _height(self) -> int:
        return self.fontMetrics().height() + 5

    def _cell(self, at: int) -> QRect:
        """Tags run down the columns, which are as wide as their names need."""
        column, line = divmod(at, max(1, self._rows))
        edges = self._edges()
        left = QRect(
            edges[column], line * (self._height + _GAP), edges[column + 1] - edges[column] - _GAP, self._height
        )
        return QStyle.visualRect(self.layoutDirection(), self.rect(), left)

    def _edges(self) -> list[int]:
        rows = max(1, self._rows)
        metrics = QFontMetrics(sized(self.font(), self._look.small_pt, bold=True))
        needs = [
            max((metrics.horizontalAdvance(self._name(tag)) for tag in self._tags[start : start + rows]), default=0)
            + 38
            for start in range(0, _COLUMNS * rows, rows)
        ]
        spare = (self.width() - sum(needs)) / _COLUMNS
        edges = [0.0]
        for need in needs:
            edges.append(edges[-1] + max(60.0, need + spare))
        return [round(edge) for edge in edges]

    def _at(self, point: QPoint) -> int | None:
        return next((at for at in range(len(self._tags)) if self._cell(at).contains(point)), None)
