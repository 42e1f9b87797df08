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
from curtain.desk.looks.appearance import ORDINARY, TEXT_SIZES, Appearance, AppearanceControl
from curtain.desk.looks.focus_ring import FocusRing
from curtain.desk.paint_events import when_painted
from curtain.desk.style import THEMES
from curtain.home.app import HomePlaces, build
from curtain.home.control.memory import HomeMemory


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
    logs = Path(platformdirs.user_log_dir("curtain", appauthor=False))
    appearance = _appearance(given, memory)
    look = style.apply(app, appearance.theme, appearance.percent)
    ring = FocusRing(app, look)
    problem_log = problems.install("home", logs)
    home = build(look, HomePlaces(memory, logs))
    problem_log.problem.connect(home.window.show_trouble)
    home.window.closed.connect(app.quit)
    looks = AppearanceControl(app, look, appearance, home.window)
    looks.bind(home.window)
    looks.changed.connect(lambda: home.control.note_appearance(looks.appearance.theme, looks.appearance.percent))
    home.control.note_appearance(appearance.theme, appearance.percent)
    home.begin()
    # Behind the first paint: the icon is a drawing that has to be loaded and painted.
    when_painted(home.window, partial(_set_icon, app))
    if given.drive:
        from curtain.desk.driver import drive

        drive(home.window)
    code = app.exec()
    ring.deleteLater()
    home.close()
    problem_log.close()
    collection.close()
    return code


def _appearance(given: argparse.Namespace, memory: HomeMemory) -> Appearance:
    """What the command line says, else how the window looked last, if there is still such a look."""
    theme = given.theme or memory.theme
    percent = given.text_size or memory.text_size
    return Appearance(next((one for one in THEMES if one == theme), "system"),
                      percent if percent in TEXT_SIZES else ORDINARY)  # fmt: skip


def _set_icon(app: QApplication) -> None:
    from PySide6.QtGui import QIcon

    from curtain.home.icons import icon_file

    app.setWindowIcon(QIcon(str(icon_file())))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m curtain.home", description="The home window.")
    parser.add_argument("--theme", choices=THEMES, help="the colours; the window remembers them")
    parser.add_argument("--text-size", type=int, choices=TEXT_SIZES, metavar="PERCENT", help="the size of text")
    parser.add_argument("--drive", action="store_true", help="take JSON lines on standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
