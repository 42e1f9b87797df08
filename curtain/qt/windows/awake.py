"""Keeps machine and screen awake while a session runs: a lock screen would take the keyboard from the talk key.

A child holds off the machine's sleep, and the desktop is asked over D-Bus not to lock. Both end with this process,
however it ends: the child reads a pipe of ours until its end, and the desktop notices that the connection is gone.
"""

import ctypes
import os
import subprocess
import sys
from contextlib import suppress

from curtain.base.errors import CurtainError
from curtain.base.python_process import kept_environment, run_program, start_command

# Each holds as long as the program behind it runs.
_HOLDERS = {
    "linux": ("systemd-inhibit", "--what=idle:sleep", "--who=Curtain", "--why=A session is running"),
    "darwin": ("caffeinate", "-d", "-i"),
}
# What such a program needs to find the desktop.
_DESKTOP = ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_ID", "DISPLAY")
_BUS = "curtain-awake"
_ANSWER_S = 5.0
# SetThreadExecutionState: continuous, display required, system required.
_CONTINUOUS, _NEITHER_SLEEPS = 0x8000_0000, 0x8000_0003


class Awake:
    """Begins and ends with a session. Where nothing holds, `curtain check` says so; the session runs all the same."""

    def __init__(self, platform: str = sys.platform) -> None:
        self._platform = platform
        self._child: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """From now on neither machine nor screen falls asleep. Called again it does nothing."""
        if self._platform == "win32":
            _set_execution_state(_NEITHER_SLEEPS)
        elif self._child is None:
            self._child = _holding(self._platform)
            _ask_desktop(self._platform, wait=False)

    def end(self) -> None:
        """The machine may sleep again. Called again it does nothing."""
        if self._platform == "win32":
            _set_execution_state(_CONTINUOUS)
        _release_desktop()
        child, self._child = self._child, None
        if child is not None:
            # Killed, so that nobody waits for a bus that hangs; `cat` ends with its input.
            child.kill()
            child.communicate()


def try_to_stay_awake(platform: str = sys.platform) -> str:
    """Hold it for a moment; a sentence that says by what. Raises CurtainError."""
    if platform == "win32":
        held = ["Windows"] if _set_execution_state(_NEITHER_SLEEPS) else []
        _set_execution_state(_CONTINUOUS)
    else:
        held = ["the desktop"] if _ask_desktop(platform, wait=True) else []
        _release_desktop()
        if holder := _HOLDERS.get(platform):
            with suppress(OSError):
                tried = run_program([*holder, "true"], _ANSWER_S, env=kept_environment(_DESKTOP))
                held += [] if tried.returncode else [holder[0]]
    if held:
        return f"kept during a session by {' and '.join(held)}."
    raise CurtainError(
        "Nothing here keeps the screen awake during a session: switch its lock, and the sleep of the computer, off in "
        "the settings of the system."
    )


def _holding(platform: str) -> subprocess.Popen[bytes] | None:
    """None where the system has no holder."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(OSError, KeyError):
        return start_command([*_HOLDERS[platform], "cat"], _DESKTOP, **pipes)
    return None


def _ask_desktop(platform: str, wait: bool) -> bool:
    """Whether the desktop agrees not to lock the screen; without `wait`, whether the question could be sent."""
    usual = os.path.join(os.environ.get("XDG_RUNTIME_DIR") or os.devnull, "bus")
    if platform != "linux" or not (os.environ.get("DBUS_SESSION_BUS_ADDRESS") or os.path.exists(usual)):
        return False  # without an address libdbus would start a bus of its own
    from PySide6.QtDBus import QDBus, QDBusConnection, QDBusMessage

    # The Idle Inhibition Service of freedesktop.org. A connection of its own: its end is the end of the wish.
    bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, _BUS)
    path, name = "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver"
    ask = QDBusMessage.createMethodCall(name, path, name, "Inhibit")
    ask.setArguments(["Curtain", "A session is running"])
    if not wait:
        return bus.send(ask)
    kind = bus.call(ask, QDBus.CallMode.Block, int(_ANSWER_S * 1000)).type()
    return kind == QDBusMessage.MessageType.ReplyMessage


def _release_desktop() -> None:
    if "PySide6.QtDBus" in sys.modules:
        from PySide6.QtDBus import QDBusConnection

        QDBusConnection.disconnectFromBus(_BUS)


def _set_execution_state(state: int) -> bool:
    # By `getattr`: only Windows has it, and it gives 0 for a failure.
    return bool(getattr(ctypes, "windll").kernel32.SetThreadExecutionState(state))  # noqa: B009
