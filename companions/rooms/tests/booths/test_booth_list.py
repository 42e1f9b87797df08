"""The list of booths on the wizard's first page: who has the place, who waits, who asks for help."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from companions.rooms.tests.network.rooms import Room
from curtain.base.clock import Clock
from curtain.link.events import BoothReport
from curtain.qt.style import Look
from curtain_rooms.booths.control import RoomsControl, RoomState
from curtain_rooms.booths.room_panel import RoomPanel
from curtain_rooms.network.identity import KnownStation, own_station

Opened = tuple[RoomsControl, RoomPanel]


class Place(QObject):
    """The wizard's end of the link, as far as a list of booths needs it."""

    booth_reported = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.served: list[str] = []

    def serve(self, mark: str) -> None:
        self.served.append(mark)


@pytest.fixture
def booths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[KnownStation]:
    """Two booths that this wizard's station is paired with."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    _, trust = own_station("wizard")
    return [trust.add(Room.made(tmp_path, f"booth {number}").known_as("subject")) for number in (1, 2)]


@pytest.fixture
def list_of(qtbot: QtBot, look: Look, booths: list[KnownStation]) -> Iterator[Callable[..., Opened]]:
    made: list[RoomsControl] = []

    def make(place: Place, now: Sequence[int] = (0,)) -> Opened:
        rooms = RoomsControl(place, Clock(lambda: now[0]))  # type: ignore[arg-type]
        made.append(rooms)
        panel = RoomPanel(look)
        qtbot.addWidget(panel)
        rooms.changed.connect(panel.show_state)
        panel.serve_requested.connect(rooms.serve)
        rooms.follow(place)
        rooms.open("127.0.0.1", 0)
        return rooms, panel

    yield make
    for rooms in made:
        rooms.close()


def rows(panel: RoomPanel) -> list[str]:
    shown = panel.findChild(QListWidget, "booths")
    return [shown.item(row).text() for row in range(shown.count())]


def test_a_booth_waits_as_long_as_it_dials_and_is_away_afterwards(list_of, booths: list[KnownStation]) -> None:
    place, now = Place(), [0]
    _, panel = list_of(place, now)
    assert [row.split("   ")[1] for row in rows(panel)] == ["away", "away"]
    place.booth_reported.emit(BoothReport(booths[1].fingerprint, "waits"))
    assert rows(panel)[1] == "booth 2   waits: another booth is connected"
    now[0] += 4_000_000_000
    place.booth_reported.emit(BoothReport(booths[0].fingerprint, "waits"))
    assert rows(panel)[1] == "booth 2   away"


def test_space_gives_the_next_session_to_the_chosen_booth(qtbot: QtBot, list_of, booths: list[KnownStation]) -> None:
    place = Place()
    _, panel = list_of(place)
    shown = panel.findChild(QListWidget, "booths")
    shown.setCurrentRow(1)
    qtbot.keyClick(shown, Qt.Key.Key_Space)
    assert place.served == [booths[1].fingerprint]
    assert rows(panel)[1] == "booth 2   comes next"


def test_a_call_stays_in_the_list_until_somebody_has_gone_and_one_of_a_station_that_is_not_paired_is_not_shown(
    list_of, booths: list[KnownStation]
) -> None:
    place = Place()
    rooms, panel = list_of(place)
    calling: list[list[str]] = []
    states: list[RoomState] = []
    rooms.calls_changed.connect(calling.append)
    rooms.changed.connect(states.append)
    place.booth_reported.emit(BoothReport("stranger", "calls"))
    assert calling == [] and not any(row.calls for state in states for row in state.booths)
    for _ in range(2):
        place.booth_reported.emit(BoothReport(booths[1].fingerprint, "calls"))
    assert "asks for help" in rows(panel)[1] and "asks" not in rows(panel)[0]
    rooms.answer_calls()
    assert calling[0] == ["booth 2"] and calling[-1] == []
    assert "ASKS" not in rows(panel)[1]
