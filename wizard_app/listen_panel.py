"""What the wizard hears: play again, back one second, speed, and where the voice is in the take."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.desk import icons
from curtain.desk.style import Look, set_text_colour
from wizard_app.parts import button, label, row


class Waveform(QWidget):
    """The outline of a take; what has been played is in the accent colour, with a hand at the place."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("waveform")
        self._look = look
        self._low: list[float] = []
        self._high: list[float] = []
        self._fraction = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_outline(self, low: Sequence[float], high: Sequence[float]) -> None:
        """Lowest and highest value of each stretch, -1 to 1; drawn so that the loudest fills the height."""
        loudest = max((abs(value) for value in (*low, *high)), default=0.0) or 1.0
        self._low = [value / loudest for value in low]
        self._high = [value / loudest for value in high]
        self.update()

    def show_place(self, fraction: float) -> None:
        if abs(fraction - self._fraction) * max(1, self.width()) >= 0.5:
            self._fraction = fraction
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 36)

    def paintEvent(self, event: QPaintEvent) -> None:
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
        painter.setClipRect(int(left), 0, int(right - left), self.height())
        painter.setPen(QPen(QColor(colour), 1))
        painter.setBrush(QColor(colour))
        painter.drawPolygon(shape)
        painter.restore()


class ListenPanel(QWidget):
    """Asks for playback; is told what plays. Everything here also has a key that works while typing."""

    replay_requested = Signal()
    back_requested = Signal()
    speed_requested = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._replay = button(self.tr("Replay  F2"), "replay")
        self._replay.setIcon(icons.icon("play", look.text))
        self._back = button(self.tr("-1 s  F3"), "back")
        self._speed = button("", "speed")
        self._waveform = Waveform(look)
        self._told = label("", look, small=True, quiet=True)
        self._told.setObjectName("listening")
        self._told.setMinimumWidth(self._told.fontMetrics().horizontalAdvance("cannot be played  000"))
        self._told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(row(self._replay, self._back, self._speed, self._waveform, self._told))
        self._replay.clicked.connect(self.replay_requested)
        self._back.clicked.connect(self.back_requested)
        self._speed.clicked.connect(self.speed_requested)
        self.show_speed(1.0)
        self.show_take(False)

    def show_take(self, present: bool) -> None:
        """Whether there is anything to hear."""
        for one in (self._replay, self._back, self._speed):
            one.setEnabled(present)
        if not present:
            self.show_outline([], [])
            self.show_told("")

    def show_outline(self, low: Sequence[float], high: Sequence[float]) -> None:
        self._waveform.show_outline(low, high)

    def show_place(self, seconds: float, length: float) -> None:
        self._waveform.show_place(min(1.0, seconds / length) if length > 0 else 0.0)
        if length > 0:
            self.show_told(self.tr("{0} of {1} s").format(f"{min(seconds, length):.1f}", f"{length:.1f}"))

    def show_told(self, text: str, bad: bool = False) -> None:
        self._told.setText(text)
        set_text_colour(self._told, self._look.bad if bad else self._look.quiet)

    def show_speed(self, speed: float) -> None:
        self._speed.setText(self.tr("{0}x  F4").format(f"{speed:.1f}"))
        self.setProperty("speed", speed)
