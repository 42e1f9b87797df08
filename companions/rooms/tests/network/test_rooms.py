"""The network rim over real sockets on this machine: pairing, who is turned away, and a cable that fails."""

import contextlib
import datetime
import os
import random
import socket
import ssl
import stat
from dataclasses import replace

import msgspec
import pytest
from PySide6.QtNetwork import QLocalSocket

from companions.rooms.tests.network import attackers
from companions.rooms.tests.network.fault_proxy import BadLine, Faults
from companions.rooms.tests.network.rooms import Room, utc_text
from curtain.base.errors import CurtainError
from curtain.link.messages import AudioChunk, Hello, LiveSound
from curtain.link.qt import SubjectLink, WizardLink
from curtain.link.socket_paths import is_network_address
from curtain_rooms.network.dialler import NetworkDialler, PairingCall, read_address
from curtain_rooms.network.identity import TrustStore, load_identity
from curtain_rooms.network.tls_socket import PAIRING_NAME
from tests.link.talking import Store, line, shown, welcome
from tests.link.test_qt import EAGER, Subject, Wizard


@pytest.fixture
def linked(qtbot, rooms):
    """A wizard's and a subject's link over the network, through a network that can be made to fail."""
    made = []

    def link(problems=None, hello=Hello, answer=None):
        wizard_room, subject_room = rooms
        store = Store()
        wizard = Wizard(WizardLink(store.after, timings=EAGER), store, answer or welcome())
        listener = wizard_room.listener()
        listener.station_came.connect(lambda tls, known: wizard.link.take_in(tls, known.fingerprint))
        proxy = BadLine(listener.port, problems)
        subject_store = Store()
        subject = Subject(SubjectLink(hello, subject_store.after, timings=EAGER), subject_store)
        made.extend((subject.link, wizard.link, listener, proxy))
        dialler = subject_room.dialler(proxy.port)
        made.append(dialler)
        with qtbot.waitSignal(subject.link.joined):
            subject.link.dial_through(dialler)
        return wizard, subject, proxy

    yield link
    for each in made:
        if hasattr(each, "close"):
            each.close()


# -- talking ----------------------------------------------------------------------------------------------


def test_lines_messages_live_speech_and_a_large_take_cross_between_paired_rooms(qtbot, linked):
    wizard, subject, _ = linked()
    for number in range(1, 21):
        subject.store.kept.append(line(number))
        subject.link.send(line(number))
        wizard.store.kept.append(shown(number))
        wizard.link.send(shown(number))
    qtbot.waitUntil(lambda: wizard.lines() == list(range(1, 21)) and subject.shown() == list(range(1, 21)))
    sounds = [LiveSound(turn=1, frame=frame, rate=16000, data=os.urandom(640)) for frame in range(0, 16000, 320)]
    for sound in sounds:
        assert subject.link.send(sound)
    qtbot.waitUntil(lambda: [one for one in wizard.heard if isinstance(one, LiveSound)] == sounds)
    pieces = [
        AudioChunk(utterance_id="u1", offset=offset, total=1_500_000, data=os.urandom(60_000))
        for offset in range(0, 1_500_000, 60_000)
    ]
    waiting = list(pieces)

    def send_more():
        while waiting and subject.link.send(waiting[0]):
            waiting.pop(0)
        return not waiting

    qtbot.waitUntil(send_more)
    qtbot.waitUntil(lambda: [one for one in wizard.heard if isinstance(one, AudioChunk)] == pieces)


@pytest.mark.parametrize("seed", range(4))
def test_twenty_five_cuts_at_random_bytes_and_a_long_one_lose_nothing_and_bring_nothing_twice(qtbot, linked, seed):
    """Four seeds: a hundred cuts in all. A long cut is one that both stations notice while both go on."""
    chosen = random.Random(seed)
    wizard, subject, proxy = linked()
    number = 0
    for _ in range(25):
        proxy.problems = replace(proxy.problems, cut_after=chosen.randrange(1, 6000))
        proxy.cut()
        for _ in range(4):
            number += 1
            subject.store.kept.append(line(number))
            subject.link.send(line(number))
            wizard.store.kept.append(shown(number))
            wizard.link.send(shown(number))
        proxy.problems = replace(proxy.problems, cut_after=None)
        last = number
        qtbot.waitUntil(lambda last=last: len(wizard.lines()) == last == len(subject.shown()))
    with qtbot.waitSignals([wizard.link.lost, subject.link.lost]):
        proxy.problems = Faults(down=True)
        proxy.cut()
    for _ in range(4):
        number += 1
        subject.store.kept.append(line(number))
        wizard.store.kept.append(shown(number))
        assert not subject.link.send(line(number)) and not wizard.link.send(shown(number))
    proxy.problems = Faults()
    qtbot.waitUntil(lambda: len(wizard.lines()) == number == len(subject.shown()))
    assert wizard.lines() == list(range(1, number + 1))
    assert subject.shown() == list(range(1, number + 1))


def test_after_a_cut_in_one_direction_the_station_of_the_session_is_back_before_the_old_link_is_known_to_be_dead(
    qtbot, linked
):
    names = {"identity": "a" * 32, "secret": "c" * 32}
    hellos = iter([Hello(), Hello(session_id="e00-01", **names)])
    wizard, subject, proxy = linked(hello=lambda: next(hellos), answer=welcome(**names))
    # The subject's end hangs up, and the wizard's never hears of it.
    proxy.problems.half_open = True
    with qtbot.waitSignal(subject.link.joined):
        subject.link.begin_again()
    assert (wizard.turned_away, wizard.link.up) == ([], True)


@pytest.mark.parametrize("other_end", ["takes the connection and hangs up", "is gone behind a gateway"])
def test_a_station_dials_again_however_often_a_handshake_was_broken_off(qtbot, linked, other_end):
    wizard, subject, proxy = linked()
    failures = []
    subject.link.dial_failed.connect(failures.append)
    port = proxy.port_behind
    if other_end.startswith("takes"):
        proxy.problems = Faults(down=True)
    else:
        proxy.lead_to(1)
    proxy.cut()
    qtbot.waitUntil(lambda: len(failures) > 3)
    proxy.problems = Faults()
    proxy.lead_to(port)
    subject.store.kept.append(line(1))
    qtbot.waitUntil(lambda: wizard.lines() == [1])


def test_a_slow_and_shaky_network_only_takes_longer(qtbot, linked):
    wizard, subject, _ = linked(Faults(delay_s=0.01, jitter_s=0.01, bytes_per_s=64_000 / 8))
    for number in range(1, 11):
        subject.store.kept.append(line(number))
        subject.link.send(line(number))
    qtbot.waitUntil(lambda: wizard.lines() == list(range(1, 11)))


# -- pairing ----------------------------------------------------------------------------------------------


def pair(qtbot, subject: Room, port: int, code: str):
    """What became of one try: a station, or a sentence."""
    outcome = []
    call = PairingCall("127.0.0.1", port, code, subject.identity, subject.trust, utc_text)
    call.paired.connect(outcome.append)
    call.failed.connect(outcome.append)
    call.begin()
    qtbot.waitUntil(lambda: bool(outcome))
    return outcome[0]


def test_a_code_pairs_two_rooms_and_then_they_know_each_other(qtbot, tmp_path, listen):
    wizard, subject = Room.made(tmp_path, "desk"), Room.made(tmp_path, "booth 1")
    listener = listen(wizard)
    with qtbot.waitSignal(listener.paired):
        station = pair(qtbot, subject, listener.port, listener.desk.code)
    assert station.certificate == wizard.identity.certificate
    assert [one.name for one in TrustStore(tmp_path / "desk").stations] == ["booth 1"]

    dialler = subject.dialler(listener.port)
    with qtbot.waitSignals([dialler.connected, listener.station_came]):
        dialler.dial()


def test_a_wrong_code_is_one_plain_sentence_and_nobody_is_paired(qtbot, tmp_path, listen):
    wizard, subject = Room.made(tmp_path, "desk"), Room.made(tmp_path, "booth")
    listener = listen(wizard)
    wrong = f"{(int(listener.desk.code) + 1) % 1_000_000:06}"
    for _ in range(5):
        assert "not the code that the other room shows" in pair(qtbot, subject, listener.port, wrong)
    assert "Pairing is closed" in pair(qtbot, subject, listener.port, listener.desk.code)
    assert TrustStore(tmp_path / "desk").stations == TrustStore(tmp_path / "booth").stations == ()


def test_an_unpaired_station_is_turned_away_again_from_then_on(qtbot, rooms, listen):
    wizard, subject = rooms
    listener = listen(wizard)
    wizard.trust.remove("booth")
    listener.trust_changed()
    assert_turned_away(qtbot, listener, subject.dialler(listener.port))


# -- who is turned away -----------------------------------------------------------------------------------


def assert_turned_away(qtbot, listener, dialler, after=1):
    came, away = [], []
    listener.station_came.connect(lambda *station: came.append(station))
    listener.turned_away.connect(lambda *why: away.append(why))
    dialler.dial()
    qtbot.waitUntil(lambda: len(away) >= after)
    assert came == []


def test_a_station_that_was_never_paired_is_turned_away_before_a_word(qtbot, rooms, tmp_path, listen):
    wizard, _ = rooms
    stranger = Room.made(tmp_path, "stranger")
    stranger.trust.add(wizard.known_as("wizard"))
    listener = listen(wizard)
    assert_turned_away(qtbot, listener, stranger.dialler(listener.port))


@pytest.mark.parametrize(("paired", "asks"), [("subject", "chair"), ("chair", "subject")])
def test_a_certificate_counts_in_its_own_role_alone(qtbot, tmp_path, paired, asks, listen):
    wizard, other = Room.made(tmp_path, "desk"), Room.made(tmp_path, "other")
    wizard.trust.add(other.known_as(paired))
    other.trust.add(wizard.known_as("wizard"))
    listener = listen(wizard, role=asks)
    assert_turned_away(qtbot, listener, other.dialler(listener.port))


def test_the_subject_speaks_to_no_station_but_the_paired_one(qtbot, rooms, tmp_path, listen):
    _, subject = rooms
    impostor = Room.made(tmp_path, "impostor")
    impostor.trust.add(subject.known_as("subject"))
    listener = listen(impostor)
    dialler = subject.dialler(listener.port)
    with qtbot.waitSignal(dialler.failed) as failed:
        dialler.dial()
    assert "certificate is not one that was paired here" in failed.args[0]


@pytest.mark.parametrize("begins", [-800, 1, 4000])
def test_a_certificate_counts_whatever_its_dates_and_the_clocks_say(qtbot, tmp_path, begins, listen):
    """A clock that is years fast, a day slow, or was so when the certificate was made."""
    then = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=begins)
    wizard, booth = Room.dated(tmp_path, "desk", then, 730), Room.dated(tmp_path, "booth", then, 730)
    wizard.trust.add(booth.known_as("subject"))
    booth.trust.add(wizard.known_as("wizard"))
    listener = listen(wizard)
    dialler = booth.dialler(listener.port)
    with qtbot.waitSignals([dialler.connected, listener.station_came]):
        dialler.dial()


def test_two_stations_of_one_name_are_both_known(tmp_path):
    desk = TrustStore(tmp_path / "desk")
    booths = [Room.made(tmp_path / str(number), "lab-pc").known_as("subject") for number in (1, 2, 3)]
    assert [desk.add(booth).name for booth in booths] == ["lab-pc", "lab-pc 2", "lab-pc 3"]
    assert [desk.known(booth.certificate, "subject") is not None for booth in booths] == [True] * 3
    # Paired again, a station keeps its one place, and a name in another role is free.
    assert [desk.add(booths[0]).name, desk.add(msgspec.structs.replace(booths[0], role="chair")).name] == ["lab-pc"] * 2
    assert len(desk.stations) == 4
    desk.remove("lab-pc 2")
    assert desk.known(booths[1].certificate, "subject") is None and len(TrustStore(tmp_path / "desk").stations) == 3


def test_an_older_tls_is_refused(qtbot, rooms, beside, listen):
    listener, away = listen(rooms[0]), []
    listener.turned_away.connect(lambda *why: away.append(why))
    beside.submit(attackers.knock, listener.port, attackers.client(None, ssl.TLSVersion.TLSv1_2))
    qtbot.waitUntil(lambda: bool(away))
    assert "TLS 1.3" in away[0][1]


@pytest.mark.parametrize("breaks", [True, False])
def test_a_write_to_a_connection_whose_other_end_broke_or_ended_tls_returns(qtbot, rooms, beside, listen, breaks):
    listener, came = listen(rooms[0]), []
    listener.station_came.connect(lambda tls, _station: came.append(tls))
    made = beside.submit(attackers.station, listener.port, rooms[1])
    qtbot.waitUntil(lambda: bool(came) and made.done())
    # It stays connected, since nobody reads what it is sent.
    came[0].write(bytes(16 << 20))
    with made.result() as client:
        client.setblocking(False)
        with contextlib.suppress(ssl.SSLError):
            os.write(client.fileno(), b"\x17\x03\x03\x00\x20" + bytes(32)) if breaks else client.unwrap()
        qtbot.waitUntil(lambda: came[0].write(b"more") == -1)
        assert came[0].state() is QLocalSocket.LocalSocketState.UnconnectedState


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", bytes(5000), b"\x16\x03\x01" + b"\xff" * 3000])
def test_what_is_no_handshake_is_hung_up_on(qtbot, rooms, data, beside, listen):
    over = beside.submit(attackers.replay, listen(rooms[0]).port, data)
    qtbot.waitUntil(over.done)
    assert not isinstance(over.exception(), TimeoutError)


def test_a_huge_frame_while_pairing_is_hung_up_on(qtbot, rooms, beside, listen):
    listener, failed = listen(rooms[0]), []
    listener.pairing_failed.connect(lambda *why: failed.append(why))
    huge = (2**31).to_bytes(4, "big") + b"x" * 100
    beside.submit(attackers.knock, listener.port, attackers.client(None), huge, PAIRING_NAME)
    qtbot.waitUntil(lambda: bool(failed))
    assert failed[0][1] == "bad_message"


def test_two_hundred_idle_connections_do_not_keep_the_paired_station_out(qtbot, rooms, listen):
    wizard, subject = rooms
    listener = listen(wizard)
    idle = [socket.socket() for _ in range(200)]
    for connection in idle:
        # Without waiting: the listener takes them in while the event loop runs.
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", listener.port))
    dialler = subject.dialler(listener.port)
    dialler.failed.connect(lambda _: dialler.dial())
    with qtbot.waitSignal(listener.station_came):
        dialler.dial()
    for connection in idle:
        connection.close()


def test_one_address_has_four_places_for_strangers_and_takes_none_of_another_address(qtbot, rooms, listen):
    wizard, _ = rooms
    listener = listen(wizard)
    turned_away = []
    listener.turned_away.connect(lambda address, _why: turned_away.append(address))

    def call(address: str) -> socket.socket:
        caller = socket.socket()
        # Every address of 127/8 is this machine.
        caller.bind((address, 0))
        caller.setblocking(False)
        caller.connect_ex(("127.0.0.1", listener.port))
        return caller

    quiet = [call("127.0.0.2") for _ in range(4)]
    loud = [call("127.0.0.3") for _ in range(40)]
    qtbot.waitUntil(lambda: len(turned_away) == 36)
    assert set(turned_away) == {"127.0.0.3"}
    many = [call(f"127.0.1.{number}") for number in range(1, 10)]
    # Sixteen in all: then the busiest address gives way, here either of the two, and never one that called once.
    qtbot.waitUntil(lambda: len(turned_away) == 37)
    assert turned_away[-1] in ("127.0.0.2", "127.0.0.3")
    for caller in (*quiet, *loud, *many):
        caller.close()


# -- keys, names and addresses ----------------------------------------------------------------------------


def test_key_certificate_and_list_of_stations_stay_the_same_and_are_for_this_person_alone(rooms, tmp_path):
    assert len({load_identity(tmp_path, "desk").fingerprint for _ in range(3)}) == 1
    for path in (tmp_path / "desk").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_damaged_identity_is_one_sentence(tmp_path):
    load_identity(tmp_path, "desk")
    (tmp_path / "station.crt").write_text("no certificate")
    with pytest.raises(CurtainError, match=r"is no certificate\. Move it away"):
        load_identity(tmp_path, "desk")
    (tmp_path / "stations.json").write_text("[{}]")
    with pytest.raises(CurtainError, match="is damaged"):
        TrustStore(tmp_path)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20", ("192.168.1.20", 7411)), ("192.168.1.20:8000", ("192.168.1.20", 8000)),
        ("desk.local:8000", ("desk.local", 8000)), ("[::1]:8000", ("::1", 8000)), ("[::1]", ("::1", 7411)),
        (":8000", ("", 8000)), ("a:b", None), ("a:70000", None), ("[::1", None), ("[::1]x", None),
    ],
)  # fmt: skip
def test_an_address_is_read_or_refused_in_one_sentence_and_told_from_a_name_of_this_machine(text, address):
    with contextlib.nullcontext() if address else pytest.raises(CurtainError, match=r"is no (port|address)"):
        assert read_address(text) == address
    assert [is_network_address(one) for one in ("wizard", "two", "10.0.0.1", "desk:7411")] == [False, False, True, True]


@pytest.mark.parametrize(
    ("host", "sentence"), [("nobody.invalid", "There is no computer named"), ("127.0.0.1", "nothing listens on port")]
)
def test_what_to_do_is_said_when_nobody_answers(qtbot, rooms, host, sentence):
    _, subject = rooms
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    dialler = NetworkDialler(host, port, subject.identity, subject.trust)
    with qtbot.waitSignal(dialler.failed) as failed:
        dialler.dial()
    assert sentence in failed.args[0]
