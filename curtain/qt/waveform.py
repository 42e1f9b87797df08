"""The outline of a recording with a hand at the place that is played."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.qt.style import Look


class Waveform(QWidget):
    """The outline of a take; what has been played is in the accent colour, with a hand at the place."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("waveform")
        self.setAccessibleName(self.tr("Sound"))
        self._look = look
        self._low: list[float] = []
        self._high: list[float] = []
        self._fraction = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_outline(self, low: Sequence[float], high: Sequence[float]) -> None:
        """Lowest and highest value of each stretch, -1 to 1; drawn so that the loudest fills the height."""
        # A whispered take would otherwise be a flat line.
        loudest = max((abs(value) for value in (*low, *high)), default=0.0) or 1.0
        self._low = [value / loudest for value in low]
        self._high = [value / loudest for value in high]
        self.update()

    def show_place(self, fraction: float) -> None:
        """Move the hand to this share of the take, 0 to 1. Moves of less than half a pixel are not painted."""
        # Below half a pixel nothing would move.
        if abs(fraction - self._fraction) * max(1, self.width()) >= 0.5:
            self._fraction = fraction
            self.setAccessibleDescription(f"{fraction:.0%}")
            self.update()

    def sizeHint(self) -> QSize:
        """Fixed height; the width is a wish."""
        return QSize(300, 36)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The outline in the quiet colour, what was played in the accent, the hand over both."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, half = self.height() / 2, self.height() / 2 - 2
        painter.setPen(QPen(QColor(self._look.line), 1))
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
        if not self._low:
            return
        shape = self._shape(middle, half)
        self._fill(painter, shape, self._look.quiet, 0, self.width())
        played = self._fraction * self.width()
        self._fill(painter, shape, self._look.accent, 0, played)
        painter.setPen(QPen(QColor(self._look.accent), 2))
        painter.drawLine(QPointF(played, 1), QPointF(played, self.height() - 1))

    def _shape(self, middle: float, half: float) -> QPolygonF:
        step = self.width() / max(1, len(self._low))
        above = [QPointF((n + 0.5) * step, middle - value * half) for n, value in enumerate(self._high)]
        below = [QPointF((n + 0.5) * step, middle - value * half) for n, value in enumerate(self._low)]
        return QPolygonF([*above, *reversed(below)])

    def _fill(self, painter: QPainter, shape: QPolygonF, colour: str, left: float, right: float) -> None:
        painter.save()
        # The same shape twice, cut at the hand.
        painter.setClipRect(int(left), 0, int(right - left), self.height())
        painter.setPen(QPen(QColor(colour), 1))
        painter.setBrush(QColor(colour))
        painter.drawPolygon(shape)
        painter.restore()
