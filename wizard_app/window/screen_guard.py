"""One machine, two displays: when the wizard's is unplugged, nothing of the wizard may show on the subject's."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget


class ScreenGuard(QObject):
    """Hides the windows of a screen that goes, before Qt moves them to another; shows them on the next that comes."""

    def __init__(self, app: QGuiApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hidden: list[QWidget] = []
        app.screenRemoved.connect(self._on_screen_removed)
        app.screenAdded.connect(self._on_screen_added)

    @Slot(QScreen)
    def _on_screen_removed(self, screen: QScreen) -> None:
        for window in QApplication.topLevelWidgets():
            if window.isVisible() and window.screen() is screen:
                self._hidden.append(window)
                # At once, in this very signal: Qt moves the window to the other screen right after it.
                window.hide()

    @Slot(QScreen)
    def _on_screen_added(self, screen: QScreen) -> None:
        windows, self._hidden = self._hidden, []
        for window in windows:
            # Place it while it is hidden, or it would flash on the subject's screen.
            window.setScreen(screen)
            window.move(screen.availableGeometry().topLeft())
            window.show()
