"""The one indicator: what can be done now, or what is happening. Shown by word, by shape and by colour."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle

from curtain.qt import icons
from curtain.qt.style import Look, set_size
from subject_app.sitting.view import State

ICON = 26
DOTS = 3
DOT_MS = 450
_ICONS: dict[State, str] = {"idle": "microphone", "listening": "record"}


class TalkButton(QPushButton):
    """A large pill. Nothing blinks and nothing counts; only the dots of “one moment” take turns, slowly.

    They stand still where the system asks for no animations.
    """

    def __init__(self, name: str, look: Look, idle: str, listening: str, one_moment: str) -> None:
        super().__init__(idle)
        self.setObjectName(name)
        self.setAccessibleName(idle)
        self._look = look
        self._state: State = "idle"
        self._texts: dict[State, str] = {"idle": idle, "listening": listening, "one_moment": one_moment}
        set_size(self, look.title_pt, bold=True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("state", "idle")
        self._strong = 0
        self._turning = QTimer(self, interval=DOT_MS)
        self._turning.timeout.connect(self._on_turned)

    def show_state(self, state: State) -> None:
        """Show this state; the same one again changes nothing."""
        if state != self._state:
            self._state = state
            self.setProperty("state", state)
            self.setText(self._texts[state])
            self.setAccessibleName(self._texts[state])
            self._strong = 0
            moves = state == "one_moment" and self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
            self._turning.start() if moves else self._turning.stop()
            self.update()

    def _on_turned(self) -> None:
        self._strong = (self._strong + 1) % DOTS
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for the longest of its texts, so that it never changes size."""
        widest = max(self.fontMetrics().horizontalAdvance(text) for text in self._texts.values())
        return QSize(max(320, widest + self._look.px(ICON) + 50), max(56, self.fontMetrics().height() + 32))

    def minimumSizeHint(self) -> QSize:
        """Its words are never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The pill in the colours of its state, drawn whole: no style of the system changes it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge, fill, ink = self._colours()
        painter.setPen(QPen(QColor(edge), 3 if self._state == "listening" else 1.5))
        painter.setBrush(QColor(fill))
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
        self._draw_words(painter, ink)

    def _colours(self) -> tuple[str, str, str]:
        """Edge, fill and ink: full when one can talk, an open ring while listening, a thin one while waiting, since the
        key works then too. Where pressing does nothing it is flat, as no button is."""
        look = self._look
        if not self.isEnabled():
            return look.window, look.window, look.quiet
        if self._state == "one_moment":
            return look.accent, look.base, look.quiet
        if self._state == "listening":
            return look.accent, look.base, look.accent
        return look.accent, look.accent, look.on_accent

    def _draw_words(self, painter: QPainter, ink: str) -> None:
        text = self.text()
        words = self.fontMetrics().horizontalAdvance(text)
        gap, side = 14, self._look.px(ICON)
        left = (self.width() - words - gap - side) // 2
        painter.setPen(QColor(ink))
        painter.setFont(self.font())
        if self._state == "one_moment":
            self._draw_dots(painter, left, ink)
        else:
            name = _ICONS[self._state]
            painter.drawPixmap(QRect(left, (self.height() - side) // 2, side, side), icons.pixmap(name, ink, side * 2))
        area = QRect(left + side + gap, 0, words + gap, self.height())
        painter.setPen(QColor(ink))
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _draw_dots(self, painter: QPainter, left: int, ink: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(DOTS):
            strong = number == self._strong
            painter.setBrush(QColor(self._look.accent if strong else ink))
            size = 7 if strong else 5
            painter.drawEllipse(QRectF(left + number * 9 + 2.5 - size / 2, (self.height() - size) / 2, size, size))
