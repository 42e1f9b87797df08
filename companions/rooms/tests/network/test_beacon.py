"""Stations found by name: what a beacon says, who is forgotten, and what a rude neighbour can do."""

import json
import socket

import pytest
from PySide6.QtNetwork import QHostAddress

from curtain_rooms.network.beacon import FORGOTTEN_NS, Beacon, BeaconWatch, FoundStation

HERE = QHostAddress("127.0.0.1")


@pytest.fixture
def now() -> list[int]:
    return [0]


@pytest.fixture
def watch(qtbot, now):
    made = BeaconWatch(lambda: now[0], at=0)
    yield made
    made.deleteLater()


def send(watch, *datagrams: bytes, source: str = "127.0.0.1") -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.bind((source, 0))
        for data in datagrams:
            sender.sendto(data, ("127.0.0.1", watch.port))


def said(**changes: object) -> bytes:
    return json.dumps({"curtain": 1, "name": "desk-1", "port": 7411, **changes}).encode()


def test_a_station_that_announces_itself_is_found_with_its_address(qtbot, watch):
    with qtbot.waitSignal(watch.found) as found:
        beacon = Beacon("desk-1", 7411, to=[HERE], at=watch.port)
    assert found.args == [(FoundStation("desk-1", "127.0.0.1:7411"),)]
    beacon.deleteLater()


def test_two_stations_of_one_name_have_two_addresses(qtbot, watch):
    with qtbot.waitSignal(watch.found):
        send(watch, said())
    with qtbot.waitSignal(watch.found) as found:
        send(watch, said(), source="127.0.0.2")
    assert [station.address for station in found.args[0]] == ["127.0.0.1:7411", "127.0.0.2:7411"]


def test_a_computer_with_an_odd_name_announces_a_plain_one(qtbot, watch):
    with qtbot.waitSignal(watch.found) as found:
        beacon = Beacon("<Büro/1>" + "x" * 50, 7411, to=[HERE], at=watch.port)
    assert found.args[0][0].name == "Bro1" + "x" * 36
    beacon.deleteLater()


def test_a_station_that_is_silent_is_forgotten(qtbot, watch, now):
    with qtbot.waitSignal(watch.found):
        send(watch, said())
    now[0] = FORGOTTEN_NS
    with qtbot.waitSignal(watch.found) as found:
        watch.forget_silent()
    assert found.args == [()]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff" * 60_000, b"[" * 400, said(name="<b>desk</b>"), said(name="a" * 41), said(name="two\nlines"),
        said(port=0), said(port=70_000), said(curtain=2), json.dumps({"name": "desk"}).encode(),
    ],
)  # fmt: skip
def test_what_is_no_announcement_changes_nothing(qtbot, watch, data):
    send(watch, data)
    with qtbot.waitSignal(watch.found) as found:
        send(watch, said(name="true one"))
    assert found.args == [(FoundStation("true one", "127.0.0.1:7411"),)]


def test_a_flood_of_names_fills_sixteen_places_and_no_more(qtbot, watch):
    most = 0

    def count(stations):
        nonlocal most
        most = max(most, len(stations))

    watch.found.connect(count)
    for first in range(0, 200, 20):
        send(watch, *(said(name=f"desk-{number}") for number in range(first, first + 20)))
        qtbot.waitUntil(lambda: most > 0)
    qtbot.waitUntil(lambda: most == 16)
    assert most == 16
