"""The home window, put together in one place: first the window, and behind its first paint the study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from curtain.base.clock import Clock
from curtain.desk.background import Background
from curtain.desk.paint_events import when_painted
from curtain.desk.style import Look
from curtain.home.control.commands import CommandRunner
from curtain.home.control.control import HomeControl, HomeTools
from curtain.home.control.memory import HomeMemory
from curtain.home.control.stations import Start, StationDesk, start_station
from curtain.home.pages.presenter import HomePresenter
from curtain.home.window import HomeWindow


@dataclass(frozen=True)
class HomePlaces:
    """Where the window keeps what it remembers, and what the stations print."""

    memory: HomeMemory
    logs: Path


class HomeApp(QObject):
    """The window at once; the study that was used last is read once it is painted."""

    def __init__(self, look: Look, places: HomePlaces, start: Start, clock: Clock) -> None:
        super().__init__()
        # One thread: what is noted of a session is on the disk before the study is read again.
        self._background = Background(1, self)
        self._commands = CommandRunner(self)
        stations = StationDesk(start, places.logs, self)
        tools = HomeTools(places.memory, self._background, self._commands, stations, clock)
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


def build(look: Look, places: HomePlaces, start: Start = start_station, clock: Clock | None = None) -> HomeApp:
    """The window, not yet shown."""
    return HomeApp(look, places, start, clock or Clock())
