"""A ring around whatever has the keyboard: Fusion's own mark is one dotted pixel, and painted widgets have none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFocusFrame, QWidget

from curtain.desk.style import Look

MARGIN = 2


class FocusRing(QFocusFrame):
    """One for the application: it follows the focus by itself. Pages that only hold the focus get no ring."""

    def __init__(self, app: QApplication, look: Look) -> None:
        super().__init__()
        self._look = look
        app.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        # What Tab does not reach is a page or a window, and a ring around all of it says nothing.
        takes = now is not None and not now.isWindow() and bool(now.focusPolicy() & Qt.FocusPolicy.TabFocus)
        self.setWidget(now if takes else None)  # type: ignore[arg-type]  # Qt takes none to hide; its types say a widget

    def paintEvent(self, event: QPaintEvent) -> None:
        """Two pixels of the accent colour, three with high contrast."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        thick = 1 + self._look.line_px
        painter.setPen(QPen(QColor(self._look.accent), thick))
        edge = thick / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), 4, 4)
