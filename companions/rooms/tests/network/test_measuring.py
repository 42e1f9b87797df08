"""Measuring the network between two rooms, over real sockets on this machine."""

import datetime
import socket
import struct
import weakref

import pytest

from companions.rooms.tests.network.fault_proxy import BadLine, Faults
from companions.rooms.tests.network.rooms import Room
from curtain.base.errors import CurtainError
from curtain_rooms.network.measuring import measure_network
from curtain_rooms.network.tls_socket import MEASURING_NAME, station_context


def utc_ahead(seconds):
    ahead = datetime.timedelta(seconds=seconds)
    return lambda: (datetime.datetime.now(datetime.UTC) + ahead).isoformat(timespec="milliseconds")


def figures(qtbot, beside, room, port):
    future = beside.submit(measure_network, "127.0.0.1", port, room.identity, room.trust)
    qtbot.waitUntil(future.done)
    return future.result()


def test_the_clock_is_right_within_its_bound_and_the_seat_stays_free(qtbot, rooms, beside, listen):
    wizard, subject = rooms
    listener = listen(wizard, utc=utc_ahead(300))
    came = []
    listener.station_came.connect(lambda *known: came.append(known))
    proxy = BadLine(listener.port, Faults(delay_s=0.02))
    measured = figures(qtbot, beside, subject, proxy.port)
    proxy.close()
    assert measured.round_trip_ms >= 40
    assert abs(measured.clock_ms - 300_000) <= measured.clock_bound_ms
    assert not came


def test_a_narrow_network_is_measured_as_narrow(qtbot, rooms, beside, listen):
    wizard, subject = rooms
    listener = listen(wizard)
    proxy = BadLine(listener.port, Faults(bytes_per_s=1_000_000))
    measured = figures(qtbot, beside, subject, proxy.port)
    proxy.close()
    assert 100_000 < measured.bytes_per_s <= 1_100_000


def test_a_stranger_learns_nothing_and_reads_what_to_do(qtbot, rooms, tmp_path, beside, listen):
    wizard, subject = rooms
    listener = listen(wizard)
    stranger = Room.made(tmp_path, "stranger")
    with pytest.raises(CurtainError, match="paired with no wizard's station"):
        figures(qtbot, beside, stranger, listener.port)
    stranger.trust.add(wizard.known_as("wizard"))
    with pytest.raises(CurtainError, match="turned this one away"):
        figures(qtbot, beside, stranger, listener.port)
    foreign = Room.made(tmp_path, "foreign")
    subject.trust.add(foreign.known_as("wizard"))
    subject.trust.remove("desk")
    with pytest.raises(CurtainError, match="not the one that was paired"):
        figures(qtbot, beside, subject, listener.port)


def test_where_nothing_listens_the_sentence_says_so(rooms):
    _, subject = rooms
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(CurtainError, match="Nothing listens"):
        measure_network("127.0.0.1", port, subject.identity, subject.trust)


def test_a_piece_beyond_the_bound_ends_the_connection(qtbot, rooms, beside, listen):
    wizard, subject = rooms
    listener = listen(wizard)
    context = station_context(subject.identity, subject.trust.of_role("wizard"), server=False)

    def ask():
        with (
            socket.create_connection(("127.0.0.1", listener.port), 10) as plain,
            context.wrap_socket(plain, server_hostname=MEASURING_NAME) as tls,
        ):
            tls.sendall(struct.pack(">II", 1, 0xFFFFFFFF) + b"x")
            try:
                return tls.recv(1)
            except OSError:
                return b""

    future = beside.submit(ask)
    qtbot.waitUntil(future.done)
    assert future.result() == b""


def test_a_connection_that_is_up_does_not_keep_its_listener_alive(qtbot, rooms, beside):
    # A listener that its own connection kept alive was destroyed in the middle of that connection's end: a crash.
    wizard, subject = rooms
    listener = wizard.listener()
    context = station_context(subject.identity, subject.trust.of_role("wizard"), server=False)

    def connect(port):
        tls = context.wrap_socket(socket.create_connection(("127.0.0.1", port), 10), server_hostname=MEASURING_NAME)
        tls.sendall(struct.pack(">II", 1, 1) + b"x")
        tls.recv(12)
        return tls

    future = beside.submit(connect, listener.port)
    qtbot.waitUntil(future.done)
    alive = weakref.ref(listener)
    listener.close()
    del listener
    assert alive() is None
    future.result().close()
