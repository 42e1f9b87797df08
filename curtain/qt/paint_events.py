"""When something is really on the screen."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget


def when_painted(widget: QWidget, done: Callable[[], None]) -> None:
    """Call `done()` once, after the next paint of `widget` has reached the window's surface.

    Call it right after the widget was changed. A widget that is hidden or under nothing but other pages is
    waited for until it is shown.
    """
    _Watch(widget, done)
    widget.update()


class _Watch(QObject):
    """The paint event comes before the drawing; a queued signal comes after the whole window was flushed."""

    _flushed = Signal()

    def __init__(self, widget: QWidget, done: Callable[[], None]) -> None:
        # A child of the widget: it goes with it, if the widget is never painted.
        super().__init__(widget)
        self._widget = widget
        self._done = done
        self._flushed.connect(self._on_flushed, Qt.ConnectionType.QueuedConnection)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._on_screen():
            self._widget.removeEventFilter(self)
            self._flushed.emit()
        return False

    def _on_screen(self) -> bool:
        handle = self._widget.window().windowHandle()
        return self._widget.isVisible() and handle is not None and handle.isExposed()

    @Slot()
    def _on_flushed(self) -> None:
        self.deleteLater()
        self._done()
