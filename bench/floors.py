"""The least that the same things cost on this machine: an empty Qt window, a label, a bare local socket.

python bench/floors.py window          -> one JSON line: when it started to run, and when it first painted
python bench/floors.py label N         -> N times from a key event to the painted label, in ms
python bench/floors.py echo N BYTES    -> N times from a write in one process to the painted label in another, in ms
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QLabel


class Painted(QObject):
    """Calls back after each paint of a label has been flushed."""

    def __init__(self, label: QLabel, done: Callable[[], None]) -> None:
        super().__init__(label)
        self._done = done
        label.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self._done)
        return False


def window() -> None:
    app = QApplication([])
    label = QLabel("empty")
    label.resize(1280, 720)

    def log_it() -> None:
        print(json.dumps({"painted_ns": time.monotonic_ns()}), flush=True)
        app.exit(0)

    Painted(label, log_it)
    label.show()
    app.exec()


def label(count: int) -> None:
    from PySide6.QtTest import QTest

    app = QApplication([])
    shown = QLabel("ready")
    shown.resize(1280, 720)
    times: list[float] = []
    began = [0]

    def press() -> None:
        began[0] = time.monotonic_ns()
        QTest.keyClick(shown, Qt.Key.Key_Space)

    def on_painted() -> None:
        if began[0]:
            times.append((time.monotonic_ns() - began[0]) / 1e6)
        if len(times) >= count:
            print(json.dumps(times), flush=True)
            app.exit(0)
        else:
            QTimer.singleShot(5, press)

    shown.keyPressEvent = lambda _: shown.setText(f"one moment {len(times)}")
    Painted(shown, on_painted)
    shown.show()
    app.exec()


def echo(count: int, size: int) -> None:
    app = QApplication([])
    name = f"curtain-floor-{time.monotonic_ns()}"
    server = QLocalServer()
    server.listen(name)
    child = subprocess.Popen([sys.executable, __file__, "echo-side", name, str(size)])
    times: list[float] = []
    began = [0]

    def connected() -> None:
        socket = server.nextPendingConnection()
        socket.setParent(app)

        def send() -> None:
            began[0] = time.monotonic_ns()
            socket.write(bytes(size))

        def reply() -> None:
            painted_ns = int(bytes(socket.readAll().data()).split()[-1])
            times.append((painted_ns - began[0]) / 1e6)
            if len(times) >= count:
                print(json.dumps(times), flush=True)
                app.exit(0)
            else:
                QTimer.singleShot(5, send)

        socket.readyRead.connect(reply)
        QTimer.singleShot(200, send)

    server.newConnection.connect(connected)
    app.exec()
    child.kill()
    child.wait()


def echo_side(name: str, size: int) -> None:
    app = QApplication([])
    shown = QLabel("ready")
    shown.resize(1280, 720)
    socket = QLocalSocket()
    got = [0, 0]

    def on_bytes() -> None:
        got[0] += len(socket.readAll().data())
        if got[0] >= size:
            got[0] = 0
            got[1] += 1
            shown.setText(f"answer {got[1]}")

    def on_painted() -> None:
        if got[1]:
            socket.write(f"{time.monotonic_ns()} ".encode())

    Painted(shown, on_painted)
    socket.readyRead.connect(on_bytes)
    socket.disconnected.connect(lambda: app.exit(0))
    shown.show()
    socket.connectToServer(name)
    app.exec()


WHAT: dict[str, Callable[..., None]] = {"window": window, "label": label, "echo": echo, "echo-side": echo_side}

if __name__ == "__main__" and len(sys.argv) > 1:
    # Without arguments there is nothing to measure: bench/latency.py starts it with them.
    WHAT[sys.argv[1]](*(int(one) if one.isdigit() else one for one in sys.argv[2:]))
