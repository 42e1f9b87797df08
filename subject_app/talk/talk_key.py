"""The talk key: one hold out of what the keyboard sends, stamped before anything else is done."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit

from curtain.qt.command_text import CommandLine
from curtain.session.events.subject_events import LONGEST_HOLD_S, EndedBy
from subject_app.talk.hold import REPEAT_MS, Hold, Stamp

log = logging.getLogger(__name__)

QUESTION = "question"
"""The name of the field in which a question is typed."""
LONGEST_MS = round(LONGEST_HOLD_S * 1000)
_LEAVING = (QEvent.Type.WindowDeactivate, QEvent.Type.ApplicationDeactivate)
_KEY_EVENTS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)


class TalkKey(QObject):
    """Watches the application's keys. While it listens, the talk key does nothing else anywhere.

    `pressed(Stamp, source)` and `released(Stamp, EndedBy)` come in pairs; Esc while held is `cancel_requested`. A
    hold ends with the key, when the window loses the keyboard, and after `longest_ms`: never with a page.
    """

    pressed = Signal(object, str)
    released = Signal(object, str)
    cancel_requested = Signal()

    def __init__(self, stamp: Callable[[], Stamp], parent: QObject | None = None, longest_ms: int = LONGEST_MS) -> None:
        super().__init__(parent)
        self._stamp = stamp
        self.key = Qt.Key.Key_Space
        self._hold = Hold()
        self._listens = False
        self._by_button = False
        self._ended = False
        self._settling = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer, interval=REPEAT_MS + 1)
        self._settling.timeout.connect(self._settle)
        self._longest = QTimer(self, singleShot=True, interval=longest_ms)
        self._longest.timeout.connect(self._on_too_long)

    def use(self, name: str) -> None:
        """Take the key of this name (`space`, `F9`, a foot pedal's key); an unknown name means space."""
        keys = QKeySequence(name.capitalize() if len(name) > 1 else name)
        is_known = keys.count() == 1 and keys[0].key() != Qt.Key.Key_unknown  # type: ignore[index]
        if not is_known:
            log.warning("there is no key of the name given as talk key; space is used")
        self.key = keys[0].key() if is_known else Qt.Key.Key_Space  # type: ignore[index]

    def listen(self, on: bool) -> None:
        """Where it listens no more, no hold begins. One that runs is heard to its end."""
        self._listens = on

    def let_go(self, ended_by: EndedBy) -> None:
        """End what is held, now: its own release may never be seen."""
        if not self._hold.held and not self._by_button:
            return
        stamp = self._stamp()
        # A release that only waits to be certain is a true one: nothing was cut.
        by_key = self._hold.ending
        ended = self._hold.drop(stamp)
        if ended is not None:
            self._end(ended, "key" if by_key else ended_by)
        self._end_button(stamp, ended_by)

    def press_button(self) -> None:
        """The button on the screen went down."""
        stamp = self._stamp()
        if self._listens and not self._hold.held and not self._by_button:
            self._by_button = True
            self._begin(stamp, "button")

    def release_button(self) -> None:
        """The button on the screen came up."""
        self._end_button(self._stamp())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Takes the talk key and Esc while they are ours; leaves every other event to the application."""
        if event.type() in _LEAVING:
            self.let_go("focus_lost")
            return False
        if event.type() not in _KEY_EVENTS or not isinstance(event, QKeyEvent):
            return False
        if event.key() == Qt.Key.Key_Escape and self.speaking:
            return self._on_escape(event)
        return event.key() == self.key and self._on_talk_key(event)

    def _on_escape(self, event: QKeyEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self.cancel_requested.emit()
        event.accept()
        return True

    def _on_talk_key(self, event: QKeyEvent) -> bool:
        free = self._listens and not self._by_button and not _would_type(event)
        # In a question that stands over the window the key is like any other.
        ours = self._hold.held or (free and QApplication.activeModalWidget() is None)
        # Repeats that are marked as such say nothing.
        if ours and not event.isAutoRepeat():
            self._take(event.type(), self._stamp())
        if ours:
            event.accept()
        return ours

    def _take(self, kind: QEvent.Type, stamp: Stamp) -> None:
        if kind == QEvent.Type.KeyPress:
            # First what the last release means at this moment.
            self._settle_at(stamp.ns)
            if self._hold.press(stamp):
                self._begin(stamp, "key")
        elif kind == QEvent.Type.KeyRelease:
            self._hold.release(stamp)
            self._settling.start()

    def _settle(self) -> None:
        self._settle_at(self._stamp().ns)
        # The timer may come a moment too early.
        if self._hold.ending:
            self._settling.start()

    def _settle_at(self, now_ns: int) -> None:
        ended = self._hold.settle(now_ns)
        if ended is not None:
            self._end(ended)

    @property
    def speaking(self) -> bool:
        """Whether a hold runs that has not been reported as ended."""
        return self._by_button or (self._hold.held and not self._ended)

    def _begin(self, stamp: Stamp, source: str) -> None:
        self._ended = False
        self._longest.start()
        self.pressed.emit(stamp, source)

    def _end_button(self, stamp: Stamp, ended_by: EndedBy = "key") -> None:
        if self._by_button:
            self._by_button = False
            self._end(stamp, ended_by)

    def _end(self, stamp: Stamp, ended_by: EndedBy = "key") -> None:
        self._longest.stop()
        if not self._ended:
            self._ended = True
            self.released.emit(stamp, ended_by)

    def _on_too_long(self) -> None:
        # The key is still down: the hold goes on, so that its repeats begin nothing new, but it is reported as ended.
        log.warning("a hold was ended after %d s", self._longest.interval() // 1000)
        stamp = self._stamp()
        if self._by_button:
            self._end_button(stamp, "too_long")
        else:
            self._end(stamp, "too_long")


def _would_type(event: QKeyEvent) -> bool:
    field = QApplication.focusWidget()
    # A question does not begin with a blank, so there the key talks. A composed text may still need it.
    if isinstance(field, CommandLine) and field.objectName() == QUESTION and not field.text() and not field.composed:
        return bool(event.text().strip()) and event.text().isprintable()
    in_field = isinstance(field, QLineEdit | QTextEdit | QPlainTextEdit)
    return in_field and event.text() != "" and event.text().isprintable()
