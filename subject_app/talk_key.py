"""The talk key: one hold out of what the keyboard sends, stamped before anything else is done."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit

log = logging.getLogger(__name__)

REPEAT_MS = 50
_KEY_EVENTS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)


@dataclass(frozen=True)
class Stamp:
    """One moment on two clocks: monotonic nanoseconds, and seconds of the recorder's stream."""

    ns: int
    stream: float


class Hold:
    """Auto-repeat arrives as false releases, each followed by a press within 50 ms: they are one hold.

    The end of a hold is known only after that time, but it is dated by its own stamp.
    """

    def __init__(self, repeat_ns: int = REPEAT_MS * 1_000_000) -> None:
        self._repeat_ns = repeat_ns
        self._down = False
        self._let_go: Stamp | None = None

    @property
    def held(self) -> bool:
        return self._down

    @property
    def ending(self) -> bool:
        """A release came, and it is not certain yet whether it is a true one."""
        return self._let_go is not None

    def press(self, stamp: Stamp) -> bool:
        """Whether a hold begins here. Call `settle` first."""
        self._let_go = None
        began, self._down = not self._down, True
        return began

    def release(self, stamp: Stamp) -> None:
        if self._down:
            self._let_go = stamp

    def settle(self, now_ns: int) -> Stamp | None:
        """When the hold ended, once that is certain."""
        ended = self._let_go
        if ended is None or now_ns - ended.ns < self._repeat_ns:
            return None
        self._let_go, self._down = None, False
        return ended


class TalkKey(QObject):
    """Watches the application's keys. While it listens, the talk key does nothing else anywhere.

    `pressed(Stamp, source)` and `released(Stamp)` come in pairs; Esc while held is `cancel_requested`.
    """

    pressed = Signal(object, str)
    released = Signal(object)
    cancel_requested = Signal()

    def __init__(self, stamp: Callable[[], Stamp], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stamp = stamp
        self._key = Qt.Key.Key_Space
        self._hold = Hold()
        self._listens = False
        self._by_button = False
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setTimerType(Qt.TimerType.PreciseTimer)
        self._settling.setInterval(REPEAT_MS + 1)
        self._settling.timeout.connect(self._settle)

    def use(self, name: str) -> None:
        """Take the key of this name (`space`, `F9`, a foot pedal's key); an unknown name means space."""
        keys = QKeySequence(name.capitalize() if len(name) > 1 else name)
        known = keys.count() == 1 and keys[0].key() != Qt.Key.Key_unknown  # type: ignore[index]
        if not known:
            log.warning("there is no key of the name given as talk key; space is used")
        self._key = keys[0].key() if known else Qt.Key.Key_Space  # type: ignore[index]

    def listen(self, on: bool) -> None:
        """A hold that has begun always ends, whatever the page."""
        self._listens = on

    def press_button(self) -> None:
        """The button on the screen went down."""
        stamp = self._stamp()
        if self._listens and not self._hold.held and not self._by_button:
            self._by_button = True
            self.pressed.emit(stamp, "button")

    def release_button(self) -> None:
        stamp = self._stamp()
        if self._by_button:
            self._by_button = False
            self.released.emit(stamp)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _KEY_EVENTS or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape and (self._hold.held or self._by_button):
            return self._on_escape(event)
        return event.key() == self._key and self._on_talk_key(event)

    def _on_escape(self, event: QKeyEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self.cancel_requested.emit()
        event.accept()
        return True

    def _on_talk_key(self, event: QKeyEvent) -> bool:
        ours = self._hold.held or (self._listens and not self._by_button and not _would_type(event))
        if ours and not event.isAutoRepeat():
            self._take(event.type(), self._stamp())
        if ours:
            event.accept()
        return ours

    def _take(self, kind: QEvent.Type, stamp: Stamp) -> None:
        if kind == QEvent.Type.KeyPress:
            self._settle_at(stamp.ns)
            if self._hold.press(stamp):
                self.pressed.emit(stamp, "key")
        elif kind == QEvent.Type.KeyRelease:
            self._hold.release(stamp)
            self._settling.start()

    def _settle(self) -> None:
        self._settle_at(self._stamp().ns)
        if self._hold.ending:
            self._settling.start()

    def _settle_at(self, now_ns: int) -> None:
        ended = self._hold.settle(now_ns)
        if ended is not None:
            self.released.emit(ended)


def _would_type(event: QKeyEvent) -> bool:
    in_field = isinstance(QApplication.focusWidget(), QLineEdit | QTextEdit | QPlainTextEdit)
    return in_field and event.text() != "" and event.text().isprintable()
