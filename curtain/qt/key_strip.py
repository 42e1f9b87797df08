"""The strip at the bottom: the next key to press, always; a click presses it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from curtain.qt.languages.key_table import Step, named_keys, qt_keys
from curtain.qt.style import BAR, CORNER, GAP, TIGHT, Look, sized
from curtain.qt.widgets import mirrored, row

_PAD = 6
_HIGH = 28


def _high(look: Look) -> int:
    return max(_HIGH, look.px(_HIGH - _PAD) + _PAD)


class KeyStrip(QWidget):
    """Keys as drawn caps with what they do; the first is the one to press now. What does not fit is left out.

    `pressed(keys)`, in Qt's names: a hand has clicked on a key. The keyboard stays where it is.
    """

    pressed = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("key_strip")
        self.setAccessibleName(self.tr("Keys"))
        self._look = look
        self._steps: list[Step] = []
        self._row = row(1, margins=BAR, spacing=GAP)
        self._buttons: list[_StepButton] = []
        self.setLayout(self._row)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_steps(self, steps: Sequence[Step]) -> None:
        """Show these keys from now on, the most urgent first. Also kept as the property `text` for the driver."""
        steps = [(named_keys(key), QCoreApplication.translate("Steps", does)) for key, does in steps]
        # The same keys again: no paint, no message to a screen reader.
        if list(steps) == self._steps:
            return
        self._steps = list(steps)
        # Kept and filled anew: a button that goes while it is being clicked would take the click with it.
        while len(self._buttons) < len(steps):
            made = _StepButton(self._look, first=not self._buttons)
            made.clicked.connect(lambda _checked=False, made=made: self.pressed.emit(made.keys))
            self._row.insertWidget(len(self._buttons), made)
            self._buttons.append(made)
        for button, step in zip(self._buttons, steps, strict=False):
            button.show_step(*step)
        # A screen reader reads what is only painted.
        self.setAccessibleName("; ".join(f"{key} {does}".strip() for key, does in steps))
        self.setProperty("text", self.accessibleName())
        self._fit()

    def sizeHint(self) -> QSize:
        """Wide enough for a few keys; the strip takes what the window gives."""
        return QSize(400, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _high(self._look) + BAR.top() + BAR.bottom())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """From left to right until a key does not fit; the first always, its words cut at half of the strip."""
        room = self.width() - BAR.left() - BAR.right()
        fits = True
        for at, button in enumerate(self._buttons):
            if at == 0:
                button.setMaximumWidth(max(room // 2, 0))
            room -= min(button.sizeHint().width(), button.maximumWidth()) + (GAP if at else 0)
            fits = fits and at < len(self._steps) and (at == 0 or room >= 0)
            button.setVisible(fits)


class _StepButton(QAbstractButton):
    """One key with what it does; a remark, and keys that a hand has to choose among, cannot be clicked."""

    def __init__(self, look: Look, first: bool) -> None:
        super().__init__()
        self._look = look
        self._step: Step = ("", "")
        self._first = first
        self.keys = ""
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_step(self, key: str, does: str) -> None:
        self._step = key, does
        self.keys = qt_keys(key)
        self.setEnabled(bool(self.keys))
        self.setAccessibleName(f"{does}  {key}".strip())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        key, does = self._step
        metrics = QFontMetricsF(self._font)
        cap = metrics.horizontalAdvance(key) + 16 + 8 if key else 0
        return QSize(round(cap + metrics.horizontalAdvance(does)) + 2 * _PAD, _high(self._look))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _high(self._look))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, (key, does), area = self._look, self._step, QRectF(self.rect())
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.line if self.isDown() else look.window))
            painter.drawRoundedRect(area, TIGHT, TIGHT)
        if self._first:
            # The one filled button of the page: what to do next.
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.accent))
            painter.drawRoundedRect(area, CORNER, CORNER)
        area.adjust(_PAD, TIGHT, -_PAD, -TIGHT)
        painter.setFont(self._font)
        if key:
            left = QRectF(area.left(), area.top(), painter.fontMetrics().horizontalAdvance(key) + 16, area.height())
            cap = mirrored(left, QRectF(self.rect()), self.layoutDirection())
            painter.setPen(QPen(QColor(look.on_accent if self._first else look.edge), 1))
            painter.setBrush(QColor(look.accent if self._first else look.base))
            painter.drawRoundedRect(cap, TIGHT, TIGHT)
            painter.setPen(QColor(look.on_accent if self._first else look.text))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            area.setLeft(left.right() + 8)
        painter.setPen(QColor(look.on_accent if self._first else look.quiet))
        words = mirrored(area, QRectF(self.rect()), self.layoutDirection())
        does = QFontMetricsF(self._font).elidedText(does, Qt.TextElideMode.ElideRight, words.width() + 1)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, does)

    @property
    def _font(self) -> QFont:
        return sized(self.font(), self._look.body_pt if self._first else self._look.small_pt, self._first)
