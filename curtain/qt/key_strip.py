"""The strip at the bottom: the next key to press, always."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.qt.key_table import Step
from curtain.qt.style import BAR, Look, sized


class KeyStrip(QWidget):
    """Keys as drawn caps with what they do; the first is the one to press now. What does not fit is left out."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("key_strip")
        self.setAccessibleName(self.tr("Keys"))
        self._look = look
        self._steps: list[Step] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show these keys from now on, the most urgent first. Also kept as the property `text` for the driver."""
        steps = [(key, QCoreApplication.translate("Steps", does)) for key, does in steps]
        # The same keys again: no paint, no message to a screen reader.
        if list(steps) == self._steps:
            return
        self._steps = list(steps)
        # A screen reader reads what is only painted.
        self.setAccessibleName("; ".join(f"{key} {does}".strip() for key, does in steps))
        self.setProperty("text", self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for a few keys; the strip takes what the window gives."""
        return QSize(400, 34)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint from left to right until a key does not fit."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect().marginsRemoved(BAR))
        for number, step in enumerate(self._steps):
            width = self._width(step, number == 0)
            # The first is always there, cut if need be.
            if number and area.width() < width:
                break
            self._paint_step(painter, area, step, number == 0)
            area.setLeft(area.left() + width + 22)

    def _width(self, step: Step, first: bool) -> float:
        key, does = step
        cap = self._metrics(first).horizontalAdvance(key) + 16 if key else 0
        return cap + 8 + self._metrics(first).horizontalAdvance(does)

    def _metrics(self, first: bool) -> QFontMetricsF:
        return QFontMetricsF(sized(self.font(), self._look.body_pt if first else self._look.small_pt, first))

    def _paint_step(self, painter: QPainter, area: QRectF, step: Step, first: bool) -> None:
        key, does = step
        painter.setFont(sized(self.font(), self._look.body_pt if first else self._look.small_pt, first))
        left = area.left()
        if key:
            cap = QRectF(left, area.top(), painter.fontMetrics().horizontalAdvance(key) + 16, area.height())
            self._paint_cap(painter, cap, key, first)
            left = cap.right() + 8
        painter.setPen(QColor(self._look.text if first else self._look.quiet))
        rest = QRectF(left, area.top(), area.right() - left, area.height())
        painter.drawText(rest, Qt.AlignmentFlag.AlignVCenter, does)

    def _paint_cap(self, painter: QPainter, cap: QRectF, key: str, first: bool) -> None:
        look = self._look
        painter.setPen(QPen(QColor(look.accent if first else look.line), 1))
        painter.setBrush(QColor(look.accent if first else look.base))
        painter.drawRoundedRect(cap, 4, 4)
        painter.setPen(QColor(look.on_accent if first else look.text))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
