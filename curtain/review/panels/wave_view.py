"""The recording as a curve on which a part can be marked; what is hidden is struck out."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent

from curtain.qt.languages.translation import number_here
from curtain.qt.style import Look
from curtain.qt.waveform import Waveform

Part = tuple[float, float]
"""From one second to another."""

_STEP_S = 0.05


class WaveView(Waveform):
    """Arrows move the place, with Shift they mark; so does the mouse. Everything is in seconds."""

    part_marked = Signal(object)
    place_chosen = Signal(float)

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._colours = look
        self._seconds = 0.0
        self._at = 0.0
        self._part: Part | None = None
        self._hidden: tuple[Part, ...] = ()
        self._anchor: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Recording"))

    def show_seconds(self, at: float, seconds: float) -> None:
        """The place `at` in a recording of `seconds`."""
        self._at, self._seconds = at, seconds
        self.show_place(at / seconds if seconds > 0 else 0.0)
        self.setProperty("place", round(at, 3))
        self._say_state()

    def show_part(self, part: Part | None) -> None:
        """The marked part as two times in seconds; `None` marks nothing."""
        self._part = part
        self.setProperty("part", "" if part is None else f"{part[0]:.2f}-{part[1]:.2f}")
        self._say_state()
        self.update()

    def _say_state(self) -> None:
        ends = "–".join(number_here(one, 1) for one in self._part or ())
        marked = f", {ends} s" if ends else ""
        self.setAccessibleDescription(f"{number_here(self._at, 1)} s{marked}")

    def show_hidden(self, spans: Sequence[Part]) -> None:
        """The redacted parts, in seconds."""
        self._hidden = tuple(spans)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        for span in self._hidden:
            painter.fillRect(self._area(span), QBrush(QColor(self._colours.bad), Qt.BrushStyle.BDiagPattern))
        if self._part is not None:
            ground = QColor(self._colours.accent)
            ground.setAlpha(60)
            painter.fillRect(self._area(self._part), ground)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -_STEP_S, Qt.Key.Key_Right: _STEP_S}
        if event.key() not in steps or not self._seconds:
            super().keyPressEvent(event)
            return
        before, self._at = self._at, self._kept(self._at + steps[Qt.Key(event.key())])
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._anchor = before if self._anchor is None else self._anchor
            self._mark(self._anchor, self._at)
        else:
            self._anchor = None
        self.show_seconds(self._at, self._seconds)
        self.place_chosen.emit(self._at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._anchor = self._second_at(event)
        self.part_marked.emit(None)
        self.place_chosen.emit(self._anchor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._anchor is not None:
            self._mark(self._anchor, self._second_at(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._anchor = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._anchor = None
        self.update()

    def _mark(self, start: float, other: float) -> None:
        part = (min(start, other), max(start, other))
        self.part_marked.emit(part if part[1] - part[0] >= 0.01 else None)

    def _second_at(self, event: QMouseEvent) -> float:
        return self._kept(event.position().x() / max(1, self.width()) * self._seconds)

    def _kept(self, second: float) -> float:
        return max(0.0, min(self._seconds, second))

    def _area(self, part: Part) -> QRectF:
        scale = self.width() / self._seconds if self._seconds else 0.0
        return QRectF(part[0] * scale, 0, max(2.0, (part[1] - part[0]) * scale), self.height())
