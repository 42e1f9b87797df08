"""Driving a station from outside, by its own keys.

With `--drive` a station reads JSON lines on standard input and answers each with one JSON line on standard
output, in order. It can press keys, look at named widgets and wait for what they show; it cannot call
anything else.
"""

import json
import os
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from PySide6.QtCore import QCoreApplication, QKeyCombination, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QInputMethodEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from curtain.base.clock import steady_ns, steady_s
from curtain.qt import widget_texts
from curtain.qt.paint_events import when_painted

Request = dict[str, Any]
Hook = Callable[[Request], object]
# Waits look that often; finer than a frame of the screen.
CHECK_EVERY_MS = 5
# How long a failure takes: a busy machine must not make one.
PATIENCE_MS = 120_000


class _Wire(QObject):
    """Carries what the reading thread hears. It belongs to that thread's work, so that the end of the window, and of
    the driver with it, leaves the thread something to speak into."""

    line_came = Signal(bytes)
    input_ended = Signal()


class Driver(QObject):
    """Answers `keys, press, release, type, wait, look, texts, shot, resize, quit` and the given hooks.

    A hook, as `cue` of the replay microphone, gets the request and returns something JSON can hold. The end
    of standard input quits the station. Every answer carries `t_ns`, the monotonic time at which it held.
    """

    def __init__(
        self,
        window: QWidget,
        hooks: dict[str, Hook] | None = None,
        answers: BinaryIO | None = None,
        leave: Callable[[], None] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._leave = leave or _exit_loop
        self._window = window
        self._hooks = hooks or {}
        self._answers = answers or sys.stdout.buffer
        self._queue: deque[Request] = deque()
        self._busy = False
        self._wire = _Wire()
        self._wire.line_came.connect(self.take_line, Qt.ConnectionType.QueuedConnection)
        self._wire.input_ended.connect(self._on_input_ended, Qt.ConnectionType.QueuedConnection)

    def start(self, descriptor: int = 0) -> None:
        """Read requests from a file descriptor on a thread of its own."""
        reader = threading.Thread(target=_read, args=(descriptor, self._wire), name="driver", daemon=True)
        reader.start()

    @Slot(bytes)
    # In order and one at a time, so that a wait holds back the keys that follow it.
    def take_line(self, line: bytes) -> None:
        """Queue one request; requests are done one after the other."""
        try:
            request = json.loads(line)
        except ValueError:
            request = {"do": "unreadable"}
        self._queue.append(request if isinstance(request, dict) else {"do": "unreadable"})
        self._next()

    @Slot()
    def _on_input_ended(self) -> None:
        self._leave()

    def _next(self) -> None:
        if self._busy or not self._queue:
            return
        self._busy = True
        request = self._queue.popleft()
        try:
            self._do(request)
        except Exception as error:
            # Whoever drives must get an answer whatever happens, or it waits for ever.
            self._answer(request, ok=False, error=f"{type(error).__name__}: {error}")

    def _do(self, request: Request) -> None:
        what = request.get("do", "")
        # By name: every method `_do_...` is a command, and nothing else can be called.
        action = getattr(self, f"_do_{what}", None) if isinstance(what, str) else None
        if action is not None:
            action(request)
        elif what in self._hooks:
            self._answer(request, result=self._hooks[what](request))
        else:
            self._answer(request, ok=False, error=f"there is no “{what}”")

    def _answer(self, request: Request, ok: bool = True, **more: object) -> None:
        answer = {"id": request.get("id"), "ok": ok, "t_ns": steady_ns()} | more
        self._busy = False
        try:
            self._answers.write(json.dumps(answer, ensure_ascii=False, default=str).encode() + b"\n")
            self._answers.flush()
        # Whoever drove us is gone: nobody will press a key again.
        except (BrokenPipeError, ValueError):
            self._leave()
        # From the event loop, so that a long list of keys does not hold the window.
        QTimer.singleShot(0, self._next)

    def _do_keys(self, request: Request) -> None:
        from PySide6.QtTest import QTest

        for chord in _chords(_text(request, "keys")):
            QTest.keyClick(self._target(), chord.key(), chord.keyboardModifiers())
        self._answer(request)

    def _do_press(self, request: Request) -> None:
        from PySide6.QtTest import QTest

        chord = _chords(_text(request, "key"))[0]
        QTest.keyPress(self._target(), chord.key(), chord.keyboardModifiers())
        self._answer(request)

    def _do_release(self, request: Request) -> None:
        from PySide6.QtTest import QTest

        chord = _chords(_text(request, "key"))[0]
        QTest.keyRelease(self._target(), chord.key(), chord.keyboardModifiers())
        self._answer(request)

    def _do_type(self, request: Request) -> None:
        for letter in _text(request, "text"):
            self._type_letter(letter)
        self._answer(request)

    def _type_letter(self, letter: str) -> None:
        from PySide6.QtTest import QTest

        if letter == "\n":
            QTest.keyClick(self._target(), Qt.Key.Key_Return)
        elif letter == "\t":
            QTest.keyClick(self._target(), Qt.Key.Key_Tab)
        elif letter.isascii():
            QTest.keyClicks(self._target(), letter)
        # As an input method writes it: QTest has keys for ASCII alone.
        else:
            event = QInputMethodEvent()
            event.setCommitString(letter)
            QCoreApplication.sendEvent(self._target(), event)

    def _do_wait(self, request: Request) -> None:
        timeout = request.get("timeout_ms", PATIENCE_MS)
        self._check(request, steady_s() + timeout / 1000)

    def _check(self, request: Request, until: float) -> None:
        wanted = request.get("is", {})
        properties = widget_texts.read(self._window, _text(request, "name"), list(wanted))
        if properties is not None and all(
            widget_texts.matches(properties[key], value) for key, value in wanted.items()
        ):
            self._answer(request, seen=properties)
        elif steady_s() >= until:
            self._answer(request, ok=False, seen=properties)
        else:
            # A timer, not a loop: the window must go on living while somebody waits for it.
            QTimer.singleShot(CHECK_EVERY_MS, lambda: self._check(request, until))

    def _do_look(self, request: Request) -> None:
        self._answer(request, widgets=widget_texts.look(self._window))

    def _do_texts(self, request: Request) -> None:
        self._answer(request, texts=widget_texts.texts())

    def _do_shot(self, request: Request) -> None:
        # The window's picture does not hold its dialogs, which are windows of their own.
        picture = self._window.grab()
        painter = QPainter(picture)
        for dialog in _dialogs_over(self._window):
            corner = dialog.mapToGlobal(dialog.rect().topLeft()) - self._window.mapToGlobal(
                self._window.rect().topLeft()
            )
            painter.drawPixmap(corner, dialog.grab())
        painter.end()
        self._answer(request, ok=picture.save(_text(request, "path")))

    def _do_resize(self, request: Request) -> None:
        # A window that fills the screen would not change its size.
        self._window.showNormal()
        self._window.resize(int(request["w"]), int(request["h"]))
        when_painted(self._window, lambda: self._answer(request))

    def _do_quit(self, request: Request) -> None:
        self._answer(request)
        self._leave()

    def _target(self) -> QWidget:
        """The widget that would get a real key now."""
        # In the order in which the system would give it the key.
        popup = QApplication.activePopupWidget()
        if popup is not None:
            return popup
        active = QApplication.activeWindow()
        window = QApplication.activeModalWidget() or active or self._window
        if active is not window:
            # Without a window manager, or beside another station, nobody gives this window the focus;
            # shortcuts work only in an active window.
            _activate(window)
        return QApplication.focusWidget() or window.focusWidget() or window


def _read(descriptor: int, wire: _Wire) -> None:
    # PySide deletes the wire when the application ends; then there is nobody left to hear it.
    with suppress(RuntimeError):
        for line in _lines(descriptor):
            wire.line_came.emit(line)
        wire.input_ended.emit()


def _lines(descriptor: int) -> Iterator[bytes]:
    rest = b""
    # os.read, not sys.stdin: a thread waiting in a buffered reader holds its lock when Python ends.
    while block := os.read(descriptor, 65536):
        *lines, rest = (rest + block).split(b"\n")
        yield from filter(bytes.strip, lines)


def drive(window: QWidget) -> None:
    """Lets standard input press keys in a window, and log its first paint."""
    log_first_paint(window)
    Driver(window, parent=window).start()


def log_first_paint(window: QWidget) -> None:
    """Say on standard output when the window was first painted; it is a line of its own, not an answer."""

    def log_it() -> None:
        sys.stdout.buffer.write(json.dumps({"painted_ns": steady_ns()}).encode() + b"\n")
        sys.stdout.buffer.flush()

    when_painted(window, log_it)


def _text(request: Request, key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"“{key}” is missing")
    return value


def _activate(window: QWidget) -> None:
    with warnings.catch_warnings():
        # Deprecated without another call that does it.
        warnings.simplefilter("ignore", DeprecationWarning)
        QApplication.setActiveWindow(window)


def _chords(keys: str) -> list[QKeyCombination]:
    sequence = QKeySequence(keys)
    # PySide's types know no index on a key sequence.
    chords = [sequence[number] for number in range(sequence.count())]  # type: ignore[index]
    if not chords or any(chord.key() == Qt.Key.Key_unknown for chord in chords):
        raise ValueError(f"there is no key “{keys}”")
    return chords


def _dialogs_over(window: QWidget) -> list[QWidget]:
    return [
        other
        for other in QApplication.topLevelWidgets()
        if other is not window and other.isVisible() and other.windowType() != Qt.WindowType.Desktop
    ]


def _exit_loop() -> None:
    # exit, not quit: quit asks the windows, and a window may ask a person.
    QCoreApplication.exit(0)
