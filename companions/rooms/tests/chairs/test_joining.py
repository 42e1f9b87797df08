"""A desk that joins: who it is on this computer, and the code that pairs it, also while a session runs."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from companions.rooms.tests.network.rooms import Room
from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.session.roles import CHAIRS
from curtain_rooms.chairs.joining import PairingDialler, joined_link
from curtain_rooms.network.own_identity import own_station, stations_folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda _name: tmp_path / "home")


def test_two_desks_on_one_computer_are_two_and_the_first_takes_over_what_both_had() -> None:
    before = Room.made(stations_folder("chair").parent, "chair").identity.fingerprint
    kim, ann = (own_station("chair", who)[0] for who in ("kim", "ann"))
    assert kim.fingerprint == before != ann.fingerprint
    assert own_station("chair", "kim")[0].fingerprint == before
    assert kim.name.endswith(" kim")


def test_a_code_pairs_a_desk_as_soon_as_the_session_s_own_station_shows_codes(qtbot: QtBot, tmp_path: Path) -> None:
    listener = Room.made(tmp_path, "host").listener(role="chair", chairs=CHAIRS)
    listener.desk.in_sight = False
    code = listener.desk.codes["answerer"]
    dialler = PairingDialler(f"127.0.0.1:{listener.port}", code, "ann", "answerer", Clock())
    with qtbot.waitSignal(dialler.failed) as failed:
        dialler.dial()
    assert failed.args[0].endswith("during a session with Ctrl+Shift+D.")
    listener.desk.in_sight = True
    came: list[str] = []
    listener.station_came.connect(lambda _socket, station: came.append(station.chair))
    dialler.dial()
    qtbot.waitUntil(lambda: came == ["answerer"])
    listener.close()


@pytest.mark.parametrize("who", ["../ann", "a b", "", "x" * 65])
def test_an_id_that_the_other_station_would_not_take_is_refused_here(who: str) -> None:
    with pytest.raises(CurtainError, match="Take 1 to 64 letters, digits"):
        joined_link("127.0.0.1:7412", "", who, "observer", Clock())
