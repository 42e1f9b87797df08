"""`python -m curtain.home`: the home window as a process of its own."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import platformdirs
from PySide6.QtWidgets import QApplication

from curtain.base.privacy import keep_files_private
from curtain.desk import problems, style
from curtain.desk.binding_types import make_binding_types
from curtain.desk.garbage_collection import GarbageCollection
from curtain.desk.paint_events import when_painted
from curtain.home.app import HomeApp, HomePlaces, build
from curtain.home.control.memory import HomeMemory

_DARK = {"light": False, "dark": True}


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    # Without our own arguments: Qt would take some of them for its own.
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Curtain")
    # The name of our .desktop file: by it a desktop finds the icon and groups the windows.
    app.setDesktopFileName("curtain")
    collection = GarbageCollection(app)
    make_binding_types()
    app.setQuitOnLastWindowClosed(False)
    memory = HomeMemory(Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "home.json")
    if given.theme:
        memory.choose_theme(given.theme)
    logs = Path(platformdirs.user_log_dir("curtain", appauthor=False))
    look = _dress(app, memory.theme)
    problem_log = problems.install("home", logs)
    home = build(look, HomePlaces(memory, logs), partial(_dress, app))
    home.dressed.connect(partial(_follow, app, home, problem_log))
    _follow(app, home, problem_log)
    home.begin()
    if given.drive:
        from curtain.desk.driver import drive

        drive(home.window)
    code = app.exec()
    home.close()
    problem_log.close()
    collection.close()
    return code


def _dress(app: QApplication, theme: str) -> style.Look:
    return style.apply(app, _DARK.get(theme))


def _follow(app: QApplication, home: HomeApp, problem_log: problems.Problems) -> None:
    """What the window in front is connected to, also after another one took its place."""
    home.window.closed.connect(app.quit)
    problem_log.problem.connect(home.window.show_trouble)
    # Behind the first paint: the icon is a drawing that has to be loaded and painted.
    when_painted(home.window, partial(_set_icon, app))


def _set_icon(app: QApplication) -> None:
    from PySide6.QtGui import QIcon

    from curtain.home.icons import icon_file

    app.setWindowIcon(QIcon(str(icon_file())))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m curtain.home", description="The home window.")
    parser.add_argument("--theme", choices=["system", "light", "dark"], default="", help="and remember it")
    parser.add_argument("--drive", action="store_true", help="take JSON lines on standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
