"""`python -m curtain_home`: the home window as a process of its own."""

from pathlib import Path

import platformdirs
from PySide6.QtCore import QObject

from curtain.base.clock import Clock
from curtain.base.privacy import keep_files_private, own_logs
from curtain.qt.background import Background
from curtain.qt.languages.translation import WindowLanguage
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Look
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain_home.control.commands import CommandRunner
from curtain_home.control.control import HomeControl, HomeTools
from curtain_home.control.memory import HomeMemory
from curtain_home.control.stations import Start, StationDesk, start_station
from curtain_home.pages.presenter import HomePresenter
from curtain_home.pages.window import HomeWindow


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(WindowOptions, arguments)
    memory = HomeMemory(Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "home.json")
    logs = own_logs()
    with window_program("home", logs, given, WindowLanguage(given.language)) as program:
        # The name of our .desktop file: by it a desktop finds the icon and groups the windows.
        program.app.setDesktopFileName("curtain")
        home = HomeApp(program.look, memory, logs, given.language)
        program.bind(home.window, home.window.show_problem)
        return program.run(home.window, home.begin, home.close, given.drive)


class HomeApp(QObject):
    """The window at once, not yet shown; the study that was used last is read once it is painted. In `logs` stands what
    the stations print; `language` is the one that the window was asked to speak."""

    def __init__(
        self, look: Look, memory: HomeMemory, logs: Path, language: str = "", start: Start = start_station
    ) -> None:
        super().__init__()
        # One thread: what is noted of a session is on the disk before the study is read again.
        self._background = Background(1, self)
        self._commands = CommandRunner(self)
        stations = StationDesk(start, logs, self)
        tools = HomeTools(memory, self._background, self._commands, stations, Clock(), language)
        self.control = HomeControl(tools, self)
        self.window = HomeWindow(look)
        HomePresenter(self.window, self.control)

    def begin(self) -> None:
        """Show the window, and read the study once it is painted: a large study takes seconds."""
        self.window.show()
        when_painted(self.window, self.control.begin)

    def close(self) -> None:
        """Stop what runs and let everything go; the stations stay."""
        self.control.close()
        self._commands.close()
        self._background.close()
