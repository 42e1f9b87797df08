"""Icons drawn with a painter: bare systems lack the glyphs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

SIDE = 64


def icon(name: str, colour: str) -> QIcon:
    """One of `names()` in one colour; a KeyError names one that does not exist."""
    return QIcon(pixmap(name, colour, SIDE))


def pixmap(name: str, colour: str, side: int) -> QPixmap:
    """The icon as a square picture of `side` pixels on a transparent ground."""
    made = QPixmap(side, side)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # Drawn on a grid of 16 by 16, whatever the size.
    painter.scale(side / 16, side / 16)
    painter.setPen(_pen(colour))
    painter.setBrush(QColor(colour))
    _DRAWINGS[name](painter)
    painter.end()
    return made


def names() -> list[str]:
    """The names that `icon` knows, sorted."""
    return sorted(_DRAWINGS)


def _pen(colour: str) -> QPen:
    return QPen(QColor(colour), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _shape(painter: QPainter, *points: tuple[float, float]) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


def _line(painter: QPainter, *points: tuple[float, float]) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


def _play(painter: QPainter) -> None:
    _shape(painter, (4.5, 3), (13, 8), (4.5, 13))


def _stop(painter: QPainter) -> None:
    painter.drawRect(QRectF(4, 4, 8, 8))


def _record(painter: QPainter) -> None:
    painter.drawEllipse(QRectF(3.5, 3.5, 9, 9))


def _pause(painter: QPainter) -> None:
    painter.drawRect(QRectF(4, 3.5, 2, 9))
    painter.drawRect(QRectF(10, 3.5, 2, 9))


def _back(painter: QPainter) -> None:
    _shape(painter, (8, 3.5), (8, 12.5), (2.5, 8))
    _shape(painter, (14, 3.5), (14, 12.5), (8.5, 8))


def _microphone(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(6, 1.5, 4, 7.5), 2, 2)
    path = QPainterPath(QPointF(3.5, 7))
    path.cubicTo(3.5, 13, 12.5, 13, 12.5, 7)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.drawLine(QPointF(8, 11.5), QPointF(8, 14))


def _link(painter: QPainter) -> None:
    painter.drawEllipse(QRectF(2, 5.5, 5, 5))
    painter.drawEllipse(QRectF(9, 5.5, 5, 5))
    painter.drawLine(QPointF(6, 8), QPointF(10, 8))


def _link_off(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QRectF(1.5, 5.5, 5, 5))
    painter.drawEllipse(QRectF(9.5, 5.5, 5, 5))


def _fold(painter: QPainter) -> None:
    _line(painter, (4, 6), (8, 10.5), (12, 6))


def _unfold(painter: QPainter) -> None:
    _line(painter, (6, 4), (10.5, 8), (6, 12))


def _check(painter: QPainter) -> None:
    _line(painter, (3, 8.5), (6.5, 12), (13, 4))


def _cross(painter: QPainter) -> None:
    painter.drawLine(QPointF(4, 4), QPointF(12, 12))
    painter.drawLine(QPointF(12, 4), QPointF(4, 12))


def _send(painter: QPainter) -> None:
    _shape(painter, (2.5, 3), (14, 8), (2.5, 13), (5, 8))


def _warning(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _shape(painter, (8, 2), (14.5, 13.5), (1.5, 13.5))
    painter.drawLine(QPointF(8, 6.5), QPointF(8, 9.5))
    painter.drawPoint(QPointF(8, 11.7))


def _disk(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(2, 4, 12, 8), 1.5, 1.5)
    painter.drawPoint(QPointF(11, 9.5))
    painter.drawLine(QPointF(4.5, 9.5), QPointF(7, 9.5))


_DRAWINGS: dict[str, Callable[[QPainter], None]] = {
    "play": _play,
    "stop": _stop,
    "record": _record,
    "pause": _pause,
    "back": _back,
    "microphone": _microphone,
    "link": _link,
    "link_off": _link_off,
    "fold": _fold,
    "unfold": _unfold,
    "check": _check,
    "cross": _cross,
    "send": _send,
    "warning": _warning,
    "disk": _disk,
}
