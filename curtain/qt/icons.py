"""Icons drawn with a painter: bare systems lack the glyphs. They follow the look when it changes."""

from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QIconEngine,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget


def icon(name: str) -> QIcon:
    """One of `names()` in the colour of the text on buttons; a KeyError names one that does not exist."""
    return QIcon(_Engine(name))


class Mark(QWidget):
    """An icon beside words, in the widget's text colour; `share` is its height by that of the letters' line."""

    def __init__(self, name: str = "", share: float = 0.95, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self._share = name, share
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(1, 1) * round(self._share * self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing without a name."""
        if self.name:
            draw(QPainter(self), self.name, self.palette().windowText().color(), QRectF(self.rect()))


def pixmap(name: str, colour: str, side: int) -> QPixmap:
    """The icon as a square picture of `side` pixels on a transparent ground."""
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    draw(painter, name, QColor(colour), QRectF(made.rect()))
    painter.end()
    return made


def draw(painter: QPainter, name: str, colour: QColor, area: QRectF) -> None:
    """Paint the icon into a square."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(area.topLeft())
    # Drawn on a grid of 16 by 16, whatever the size.
    painter.scale(area.width() / 16, area.height() / 16)
    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(colour)
    for stroke in _DRAWINGS[name]:
        _stroke(painter, *stroke)
    painter.restore()


class _Engine(QIconEngine):
    """Asks for the colour when it paints."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        assert name in _DRAWINGS, name

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        off = mode == QIcon.Mode.Disabled
        group = QPalette.ColorGroup.Disabled if off else QPalette.ColorGroup.Active
        colour = QApplication.palette().color(group, QPalette.ColorRole.ButtonText)
        draw(painter, self._name, colour, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, made.rect(), mode, state)
        painter.end()
        return made

    def clone(self) -> QIconEngine:
        return _Engine(self._name)


def names() -> list[str]:
    """The names that `icon` knows, sorted."""
    return sorted(_DRAWINGS)


def _stroke(painter: QPainter, kind: str, *numbers: float) -> None:
    points = QPolygonF([QPointF(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=False)])
    match kind:
        case "hollow":
            painter.setBrush(Qt.BrushStyle.NoBrush)
        case "shape":
            painter.drawPolygon(points)
        case "line":
            painter.drawPolyline(points)
        case "dot":
            painter.drawPoint(points.first())
        case "ellipse":
            painter.drawEllipse(QRectF(*numbers))
        case "box":
            painter.drawRoundedRect(QRectF(*numbers[:4]), numbers[4], numbers[4])
        case "curve":
            path = QPainterPath(points.first())
            path.cubicTo(*numbers[2:])
            painter.drawPath(path)


# Strokes on the grid, one after the other; what follows `hollow` is not filled.
_DRAWINGS: dict[str, list[tuple[Any, ...]]] = {
    "play": [("shape", 4.5, 3, 13, 8, 4.5, 13)],
    "stop": [("box", 4, 4, 8, 8, 0)],
    "record": [("ellipse", 3.5, 3.5, 9, 9)],
    "pause": [("box", 4, 3.5, 2, 9, 0), ("box", 10, 3.5, 2, 9, 0)],
    "back": [("shape", 8, 3.5, 8, 12.5, 2.5, 8), ("shape", 14, 3.5, 14, 12.5, 8.5, 8)],
    "microphone": [
        ("box", 6, 1.5, 4, 7.5, 2), ("hollow",), ("curve", 3.5, 7, 3.5, 13, 12.5, 13, 12.5, 7), ("line", 8, 11.5, 8, 14)
    ],
    "link": [("ellipse", 2, 5.5, 5, 5), ("ellipse", 9, 5.5, 5, 5), ("line", 6, 8, 10, 8)],
    "link_off": [("hollow",), ("ellipse", 1.5, 5.5, 5, 5), ("ellipse", 9.5, 5.5, 5, 5)],
    "fold": [("line", 4, 6, 8, 10.5, 12, 6)],
    "unfold": [("line", 6, 4, 10.5, 8, 6, 12)],
    "check": [("line", 3, 8.5, 6.5, 12, 13, 4)],
    "cross": [("line", 4, 4, 12, 12), ("line", 12, 4, 4, 12)],
    "send": [("shape", 2.5, 3, 14, 8, 2.5, 13, 5, 8)],
    "warning": [("hollow",), ("shape", 8, 2, 14.5, 13.5, 1.5, 13.5), ("line", 8, 6.5, 8, 9.5), ("dot", 8, 11.7)],
    "fault": [("hollow",), ("ellipse", 2, 2, 12, 12), ("line", 5.7, 5.7, 10.3, 10.3), ("line", 10.3, 5.7, 5.7, 10.3)],
    "question": [("hollow",), ("ellipse", 2, 2, 12, 12), ("curve", 6, 6.5, 6, 3.5, 11.5, 4.5, 8, 8.7), ("dot", 8, 11)],
    "eye": [
        ("hollow",), ("curve", 1.5, 8, 4.5, 2.8, 11.5, 2.8, 14.5, 8), ("curve", 1.5, 8, 4.5, 13.2, 11.5, 13.2, 14.5, 8),
        ("ellipse", 6.5, 6.5, 3, 3),
    ],
    "left": [("line", 13, 8, 3, 8), ("line", 7, 4, 3, 8, 7, 12)],
    "right": [("line", 3, 8, 13, 8), ("line", 9, 4, 13, 8, 9, 12)],
    "up": [("line", 8, 13, 8, 3), ("line", 4, 7, 8, 3, 12, 7)],
    "folder": [("hollow",), ("shape", 2, 3.5, 6, 3.5, 7.5, 5.5, 14, 5.5, 14, 13, 2, 13)],
    "folder_new": [
        ("hollow",), ("shape", 2, 3.5, 6, 3.5, 7.5, 5.5, 14, 5.5, 14, 13, 2, 13), ("line", 8, 7.2, 8, 11.2),
        ("line", 6, 9.2, 10, 9.2),
    ],
    "file": [("hollow",), ("shape", 3.5, 2, 9, 2, 12.5, 5.5, 12.5, 14, 3.5, 14), ("line", 9, 2, 9, 5.5, 12.5, 5.5)],
    "home": [("hollow",), ("line", 2, 8, 8, 2.5, 14, 8), ("line", 3.8, 7, 3.8, 13.5, 12.2, 13.5, 12.2, 7)],
    "screen": [("hollow",), ("box", 2, 3, 12, 8, 1), ("line", 6, 13.5, 10, 13.5)],
    "list": [("line", 3, 4.5, 13, 4.5), ("line", 3, 8, 13, 8), ("line", 3, 11.5, 13, 11.5)],
    "details": [
        ("dot", 3, 4.5), ("dot", 3, 8), ("dot", 3, 11.5), ("line", 6, 4.5, 13, 4.5), ("line", 6, 8, 13, 8),
        ("line", 6, 11.5, 13, 11.5),
    ],
    "disk": [("hollow",), ("box", 2, 4, 12, 8, 1.5), ("dot", 11, 9.5), ("line", 4.5, 9.5, 7, 9.5)],
}  # fmt: skip
