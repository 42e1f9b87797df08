"""Whether this machine can open a window, found out without Qt: where it cannot, Qt ends the process.

`python -m curtain.qt.windows.display` opens one for a moment.
"""

import ctypes
import os
import re
import shutil
import socket
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, module_environment, run_program
from curtain.base.terminal import print_error

# Where Debian's package is not named by its rule (Policy 8.1: the soname in lower case, without “.so.”).
_PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libbrotlidec.so.1": "libbrotli1",
}
_OPENING_S = 60.0
# A server that starts anew turns away who comes too early, and a busy one is late.
_ASKED = 5


class NoWindow(CurtainError):
    """No window can be opened here; the sentence says what to do."""


def has_display() -> bool:
    """Windows and macOS have one; elsewhere an X or a Wayland server must be named."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def ensure_windows(platform: str = "") -> None:
    """Raises NoWindow where there is no display, where none answers, and where libraries of the system are missing.

    `platform` is the one that Qt will draw with, such as “offscreen”, if that is decided.
    """
    # With QT_QPA_PLATFORM set, a test or a remote session draws without a display.
    wanted = platform or re.split("[:;]", os.environ.get("QT_QPA_PLATFORM", ""))[0]
    if not wanted and not has_display():
        raise NoWindow("There is no display for the window; start it on a desktop, or set DISPLAY.")
    if sys.platform != "linux":
        return
    platform = wanted or ("wayland" if _wayland_answers() else "xcb")
    if missing := _missing_libraries(platform):
        raise NoWindow(
            f"Windows need libraries that this system lacks: {', '.join(missing)}. "
            f"Run: sudo apt-get install -y {' '.join(dict.fromkeys(map(_package, missing)))}"
        )
    if platform == "xcb" and not _x_answers():
        named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY", "")
        raise NoWindow(f"No display answers at “{named}”. Start Curtain on a desktop, or set DISPLAY to one that runs.")


def run_window(program: str) -> int:
    """The exit code of `main` of a module that loads Qt; where no window opens, one sentence and 2."""
    try:
        ensure_windows()
    except NoWindow as problem:
        print_error(problem)
        _notify(problem)
        return 2
    return int(import_module(program).main())


def _notify(problem: NoWindow) -> None:
    """Who starts Curtain from the menu of a desktop sees no standard error."""
    tool = shutil.which("notify-send")
    if tool and not sys.stderr.isatty():
        with suppress(OSError):
            run_program([tool, "Curtain", str(problem)])


def open_for_a_moment() -> None:
    """Open a window in a child process, which may break down. Raises NoWindow."""
    ensure_windows()
    command = module_command(__name__)
    try:
        done = run_program(command, _OPENING_S, env=module_environment())
    except OSError as late:
        raise NoWindow(f"A window did not open within {_OPENING_S:.0f} s.") from late
    if done.returncode:
        errors = filter(str.strip, done.stderr.decode(errors="replace").splitlines())
        lines = list(errors) or [f"exit code {done.returncode}"]
        # Qt says the cause first, Python last.
        complaint = lines[-1 if lines[0].startswith("Traceback") else 0]
        raise NoWindow(f"A window does not open here: {complaint.rstrip('.')}.")


def _missing_libraries(platform: str) -> list[str]:
    """The sonames that Qt needs for this platform and the system does not have."""
    package = find_spec("PySide6")
    if package is None or package.origin is None:
        raise NoWindow("PySide6 is not installed. Run: pip install PySide6-Essentials")
    qt = Path(package.origin).parent / "Qt"
    # A platform may have several plugins; without any, a system's own Qt lies elsewhere.
    plugins = sorted((qt / "plugins" / "platforms").glob(f"libq{platform}*.so"))
    needed = [*plugins[:1], qt / "lib" / "libQt6Network.so.6"]
    missing: list[str] = []
    for library in filter(os.path.exists, needed):
        try:
            ctypes.CDLL(str(library))
        except OSError as error:
            # The loader names the first alone.
            first = re.match(r"(\S+\.so\S*): cannot open", str(error))
            missing += _not_found(library) or [first[1] if first else str(error)]
    return list(dict.fromkeys(missing))


def _not_found(library: Path) -> list[str]:
    try:
        listed = run_program(["ldd", str(library)]).stdout
    except OSError:
        return []
    return re.findall(r"(\S+) => not found", listed.decode(errors="replace"))


def _package(soname: str) -> str:
    name, _, version = soname.partition(".so.")
    rule = f"{name}{'-' if name[-1:].isdigit() else ''}{version}".lower().replace("_", "-")
    return _PACKAGES.get(soname, rule)


def _wayland_answers() -> bool:
    named = os.environ.get("WAYLAND_DISPLAY", "")
    if not named:
        return False
    with socket.socket(socket.AF_UNIX) as wire:
        try:
            wire.connect(os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), named))
        except OSError:
            return False
    return True


def _x_answers() -> bool:
    # The library with which Qt asks too, so access by cookie and display numbers are read in the same way.
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    for _ in range(_ASKED):
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        if not xcb.xcb_connection_has_error(connection):
            # Held until we end: a server whose last client leaves, such as Xvfb, starts anew, and turns Qt away.
            return True
        xcb.xcb_disconnect(connection)
    return False


def _open() -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QGuiApplication, QWindow

    app = QGuiApplication(sys.argv[:1])
    window = QWindow()
    window.show()
    QTimer.singleShot(0, app.quit)
    return app.exec()


if __name__ == "__main__":
    sys.exit(_open())
