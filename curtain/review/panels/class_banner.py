"""The class of 1991 and the category of 1989 that follow from what is said, and why."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.desk.style import Look, sized
from curtain.desk.widgets import plain_tip

_CAP = 58


class ClassBanner(QWidget):
    """Two caps and two lines of reasons; a word says it as well as the colour."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("class_banner")
        self._look = look
        self._class = self._category = self._class_means = self._why = self._category_means = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_class(self, eval_class: str, means: str, why: str, category: str, category_means: str) -> None:
        """Class (A, D1, D, X) and category with what they mean; `why` is the tool tip too, as the line may be cut."""
        self._class, self._class_means, self._why = eval_class, means, why
        self._category, self._category_means = category, category_means
        text = f"Class {eval_class}, {means}. {why} Category {category}: {category_means}."
        self.setAccessibleName(text)
        self.setProperty("text", text)
        self.setToolTip(plain_tip(why))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, 54)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._look
        colour = look.quiet if self._class == "X" else look.good
        self._cap(painter, QRectF(0, 2, _CAP, 48), self._class, self.tr("class"), colour)
        self._cap(painter, QRectF(_CAP + 6, 2, _CAP, 48), self._category, self.tr("category"), look.accent)
        left = 2 * (_CAP + 6) + 6
        width = self.width() - left
        painter.setFont(sized(self.font(), look.body_pt, bold=True))
        painter.setPen(QColor(look.text))
        first = self._class_means + (f"; category of 1989: {self._category_means}" if self._category_means else "")
        self._line(painter, QRectF(left, 0, width, 20), first)
        painter.setFont(sized(self.font(), look.small_pt))
        painter.setPen(QColor(look.quiet))
        box = QRectF(left, 20, width, 34)
        painter.drawText(box, int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop), self._why)

    def _line(self, painter: QPainter, box: QRectF, text: str) -> None:
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, elided)

    def _cap(self, painter: QPainter, box: QRectF, text: str, under: str, colour: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(self._look.base))
        painter.setFont(sized(self.font(), self._look.large_pt, bold=True))
        painter.drawText(box.adjusted(0, 1, 0, -14), Qt.AlignmentFlag.AlignCenter, text)
        painter.setFont(sized(self.font(), self._look.small_pt - 1))
        painter.drawText(box.adjusted(0, 30, 0, -2), Qt.AlignmentFlag.AlignCenter, under)
