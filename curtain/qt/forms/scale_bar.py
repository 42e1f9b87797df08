"""A long scale, such as 0 to 100: by mouse, arrow keys or the number itself. It begins without a value."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSlider, QStyle

# So long a second figure still belongs to the first.
FIGURES_MS = 1200
HANDLE = 14
EDGE = 10
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up)


class ScaleBar(QSlider):
    """`chosen(value)` with each new value, one of the texts that were given."""

    chosen = Signal(str)

    def __init__(self, values: Sequence[str], value: str = "") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._values = list(values)
        self._figures = ""
        self._pause = QTimer(self, singleShot=True, interval=FIGURES_MS)
        self._pause.timeout.connect(self._forget_figures)
        self.setRange(0, len(self._values) - 1)
        self.setPageStep(max(1, len(self._values) // 5))
        self.setMinimumHeight(HANDLE + 8 + self.fontMetrics().height())
        # Tab reaches it on every system.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._is_set = value in self._values
        self.setSliderPosition(self._values.index(value) if self._is_set else len(self._values) // 2)
        self.setAccessibleDescription(self.text or "–")
        self.valueChanged.connect(self._on_moved)

    @property
    def text(self) -> str:
        """The value, "" while there is none."""
        return self._values[self.value()] if self._is_set else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Figures name the value; the first arrow key takes the middle."""
        if event.text().isascii() and event.text().isdecimal():
            self._take_figure(event.text())
        elif not self._is_set and event.key() in _ARROWS:
            self._take(self.value())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click goes to its place, and may be dragged on from there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._take(self._at(event.position().x()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse while its button is down."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._take(self._at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The last place stays."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line with a mark for each step and the figures of its ends and its middle. Without a value there is no
        handle: nothing looks like an answer."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Drawn whole: the style's own handle is hardly seen on a dark ground.
        under = self.fontMetrics().height()
        middle, palette = (self.height() - under) / 2, self.palette()
        painter.setPen(QPen(palette.color(QPalette.ColorRole.PlaceholderText), 1.5))
        painter.drawLine(QPointF(self._x(0), middle), QPointF(self._x(self.maximum()), middle))
        for place in range(self.maximum() + 1):
            painter.drawLine(QPointF(self._x(place), middle - 4), QPointF(self._x(place), middle + 4))
        for place in (0, self.maximum() // 2, self.maximum()):
            words, aligned = self._values[place], Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
            wide = painter.fontMetrics().horizontalAdvance(words)
            left = max(0.0, min(self._x(place) - wide / 2, self.width() - wide))
            painter.drawText(QRectF(left, self.height() - under, wide, under), aligned, words)
        if self._is_set:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.color(QPalette.ColorRole.Highlight))
            painter.drawEllipse(QPointF(self._x(self.value()), middle), HANDLE / 2, HANDLE / 2)

    def _x(self, place: int) -> float:
        return EDGE + place * (self.width() - 2 * EDGE) / max(1, self.maximum())

    def _at(self, x: float) -> int:
        span = max(1, self.width() - 2 * EDGE)
        return QStyle.sliderValueFromPosition(0, self.maximum(), round(x - EDGE), span)

    def _take_figure(self, figure: str) -> None:
        self._figures += figure
        self._pause.start()
        # “5” alone may become “55”; it counts until then.
        if self._figures in self._values:
            self._take(self._values.index(self._figures))

    def _forget_figures(self) -> None:
        self._figures = ""

    def _take(self, place: int) -> None:
        was_set, self._is_set = self._is_set, True
        if place != self.value():
            self.setValue(place)
        elif not was_set:
            self._on_moved(place)

    def _on_moved(self, place: int) -> None:
        self._is_set = True
        self.setAccessibleDescription(self.text)
        self.update()
        self.chosen.emit(self._values[place])
