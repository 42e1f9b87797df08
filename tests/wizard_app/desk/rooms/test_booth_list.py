"""The list of booths on the wizard's first page: who has the place, who waits, who asks for help."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from curtain.link.events import BoothReport
from curtain.link.network.identity import KnownStation
from curtain.link.network.own_identity import own_station
from curtain.link.wire import LinkSocket
from curtain.qt.style import Look
from tests.link.network.rooms import Room
from wizard_app.desk.rooms.control import RoomsControl, RoomState
from wizard_app.window.panels.room_panel import RoomPanel


class Place(QObject):
    """The wizard's end of the link, as far as a list of booths needs it."""

    booth_reported = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.served: list[str] = []

    def take_in(self, socket: LinkSocket, mark: str = "") -> None:
        """Nobody dials here."""

    def serve(self, mark: str) -> None:
        self.served.append(mark)


class StandingClock:
    now = 0

    def monotonic_ns(self) -> int:
        return self.now

    def wall_utc(self) -> str:
        return "2026-03-01T09:30:00.000Z"


@pytest.fixture
def booths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[KnownStation]:
    """Two booths that this wizard's station is paired with."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    _, trust = own_station("wizard")
    return [trust.add(Room.made(tmp_path, f"booth {number}").known_as("subject")) for number in (1, 2)]


@pytest.fixture
def list_of(qtbot: QtBot, look: Look, booths: list[KnownStation]) -> Callable[..., tuple[RoomsControl, RoomPanel]]:
    def make(place: Place, clock: StandingClock) -> tuple[RoomsControl, RoomPanel]:
        rooms = RoomsControl(place, clock)  # type: ignore[arg-type]
        panel = RoomPanel(look)
        qtbot.addWidget(panel)
        rooms.changed.connect(panel.show_state)
        panel.serve_requested.connect(rooms.serve)
        rooms.follow(place)
        rooms.open("127.0.0.1", 0)
        return rooms, panel

    return make


def rows(panel: RoomPanel) -> list[str]:
    shown = panel.findChild(QListWidget, "booths")
    return [shown.item(row).text() for row in range(shown.count())]


def test_a_booth_waits_as_long_as_it_dials_and_is_away_afterwards(list_of, booths: list[KnownStation]) -> None:
    place, clock = Place(), StandingClock()
    rooms, panel = list_of(place, clock)
    assert [row.split("   ")[1] for row in rows(panel)] == ["away", "away"]
    place.booth_reported.emit(BoothReport(booths[1].fingerprint, "waits"))
    assert rows(panel)[1] == "booth 2   waits: another booth is connected"
    clock.now += 4_000_000_000
    place.booth_reported.emit(BoothReport(booths[0].fingerprint, "waits"))
    assert rows(panel)[1] == "booth 2   away"
    rooms.close()


def test_space_gives_the_next_session_to_the_chosen_booth(qtbot: QtBot, list_of, booths: list[KnownStation]) -> None:
    place = Place()
    rooms, panel = list_of(place, StandingClock())
    shown = panel.findChild(QListWidget, "booths")
    shown.setCurrentRow(1)
    qtbot.keyClick(shown, Qt.Key.Key_Space)
    assert place.served == [booths[1].fingerprint]
    assert rows(panel)[1] == "booth 2   comes next"
    rooms.close()


def test_a_call_stays_in_the_list_until_somebody_has_gone(list_of, booths: list[KnownStation]) -> None:
    place = Place()
    rooms, panel = list_of(place, StandingClock())
    calling: list[list[str]] = []
    rooms.calls_changed.connect(calling.append)
    for _ in range(2):
        place.booth_reported.emit(BoothReport(booths[1].fingerprint, "calls"))
    assert "ASKS FOR HELP" in rows(panel)[1] and "ASKS" not in rows(panel)[0]
    rooms.answer_calls()
    assert calling[0] == ["booth 2"] and calling[-1] == []
    assert "ASKS" not in rows(panel)[1]
    rooms.close()


def test_a_call_of_a_station_that_is_not_paired_is_not_shown(list_of) -> None:
    place = Place()
    rooms, _ = list_of(place, StandingClock())
    calling: list[list[str]] = []
    states: list[RoomState] = []
    rooms.calls_changed.connect(calling.append)
    rooms.changed.connect(states.append)
    place.booth_reported.emit(BoothReport("stranger", "calls"))
    assert calling == [] and not any(row.calls for state in states for row in state.booths)
    rooms.close()
