"""How loud it is, at a glance."""

from PySide6.QtCore import Property, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.qt.widgets import mirrored

QUIETEST_DBFS = -60.0
SEGMENTS = 20


class LevelMeter(QWidget):
    """A row of segments from -60 to 0 dBFS; the last one stays lit while the signal is clipped."""

    def __init__(self) -> None:
        super().__init__()
        self._dbfs = QUIETEST_DBFS
        self._clipped = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Microphone level"))

    @Slot(float, bool)
    def show_level(self, dbfs: float, clipped: bool = False) -> None:
        """Show a level in dBFS, kept within -60 and 0. Painted only if a segment changes."""
        before = (self._lit(), self._clipped)
        self._dbfs = max(QUIETEST_DBFS, min(0.0, dbfs))
        self._clipped = clipped
        # Levels come 50 times a second; most of them light the same segments.
        if before != (self._lit(), clipped):
            words = f"{100 * self._lit() // SEGMENTS} %"
            self.setAccessibleDescription(f"{words}, {self.tr('too loud')}" if clipped else words)
            self.update()

    @Slot()
    def show_silence(self) -> None:
        """Put all segments out, the clipping mark too."""
        self.show_level(QUIETEST_DBFS, False)

    def _get_level(self) -> float:
        return self._dbfs

    level = Property(float, _get_level)

    def _lit(self) -> int:
        return round((1 - self._dbfs / QUIETEST_DBFS) * SEGMENTS)

    def sizeHint(self) -> QSize:
        """Fixed height; the width is a wish."""
        return QSize(180, 14)

    def minimumSizeHint(self) -> QSize:
        """Narrower, the segments could not be distinguished."""
        return QSize(60, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        """All segments, with a gap of two pixels between them."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        width = self.width() / SEGMENTS
        for number in range(SEGMENTS):
            painter.setBrush(self._segment_colour(number))
            segment = QRectF(number * width, 1, width - 2, self.height() - 2)
            painter.drawRect(mirrored(segment, QRectF(self.rect()), self.layoutDirection()))

    def _segment_colour(self, number: int) -> QColor:
        colours = self.palette()
        if self._clipped and number == SEGMENTS - 1:
            return colours.color(QPalette.ColorRole.BrightText)
        if number < self._lit():
            return colours.color(QPalette.ColorRole.Highlight)
        return colours.color(QPalette.ColorRole.Mid)
