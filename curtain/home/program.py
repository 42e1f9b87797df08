"""`python -m curtain.home`: the home window as a process of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

import platformdirs

from curtain.base.privacy import keep_files_private, own_logs
from curtain.desk.looks.appearance import ORDINARY, TEXT_SIZES, Appearance
from curtain.desk.style import THEMES
from curtain.desk.windows.window_program import window_program
from curtain.home.app import HomePlaces, build
from curtain.home.control.memory import HomeMemory


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = _parser().parse_args(arguments)
    memory = HomeMemory(Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "home.json")
    logs = own_logs()
    with window_program("home", logs, _appearance(given, memory)) as program:
        # The name of our .desktop file: by it a desktop finds the icon and groups the windows.
        program.app.setDesktopFileName("curtain")
        home = build(program.look, HomePlaces(memory, logs))
        program.problem_log.problem.connect(home.window.show_trouble)
        looks = program.bind(home.window)
        looks.changed.connect(lambda: home.control.note_appearance(looks.appearance.theme, looks.appearance.percent))
        home.control.note_appearance(looks.appearance.theme, looks.appearance.percent)
        return program.run(home.window, home.begin, home.close, given.drive)


def _appearance(given: argparse.Namespace, memory: HomeMemory) -> Appearance:
    """What the command line says, else how the window looked last, if there is still such a look."""
    theme = given.theme or memory.theme
    percent = given.text_size or memory.text_size
    return Appearance(next((one for one in THEMES if one == theme), "system"),
                      percent if percent in TEXT_SIZES else ORDINARY)  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m curtain.home", description="The home window.")
    parser.add_argument("--theme", choices=THEMES, help="the colours; the window remembers them")
    parser.add_argument("--text-size", type=int, choices=TEXT_SIZES, metavar="PERCENT", help="the size of text")
    parser.add_argument("--drive", action="store_true", help="take JSON lines on standard input")
    return parser
