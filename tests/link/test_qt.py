"""The rim, over real local sockets."""

import os
import select
import signal
import socket
import stat
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalSocket

from curtain.base.errors import CurtainError
from curtain.link.core import Seat, WizardPeer
from curtain.link.events import ClockTied
from curtain.link.framing import frame
from curtain.link.heartbeat import Timings
from curtain.link.messages import (
    AudioChunk,
    Goodbye,
    Hello,
    HelloRefused,
    JournalLine,
    Message,
    QueryShown,
    StationStatus,
    Waiting,
    Welcome,
)
from curtain.link.qt import STRANGERS, SubjectLink, WizardLink
from curtain.link.socket_paths import LONGEST_PATH, address
from curtain.link.wire import Wire
from tests.link.talking import Store, encoded, line, shown, welcome
from tests.support.child_program import Child

EAGER = Timings(ping=0.1, dead=5, hello=5, tick=0.03, redial=0.03, redial_most=0.1)
IMPATIENT = Timings(ping=0.1, dead=0.4, hello=0.3, tick=0.03, redial=0.03, redial_most=0.1)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="named pipes have no path, no mode and no stale file")


@dataclass
class Wizard:
    """A wizard's station as far as the link sees it: it welcomes every subject and saves every line."""

    link: WizardLink
    store: Store
    answer: Welcome | Waiting | HelloRefused
    heard: list[Message] = field(default_factory=list)
    joined: list[Hello] = field(default_factory=list)
    turned_away: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.link.subject_joined.connect(self._on_joined)
        self.link.received.connect(self._on_received)
        self.link.turned_away.connect(lambda refused: self.turned_away.append(refused.sentence))

    def _on_joined(self, hello: Hello) -> None:
        self.joined.append(hello)
        self.link.welcome(self.answer)

    def _on_received(self, message: Message) -> None:
        self.heard.append(message)
        if isinstance(message, JournalLine):
            self.link.ack(message.seq)

    def lines(self) -> list[int]:
        return [message.seq for message in self.heard if isinstance(message, JournalLine)]


@dataclass
class Subject:
    link: SubjectLink
    store: Store
    heard: list[Message] = field(default_factory=list)
    safe: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.link.received.connect(self.heard.append)
        self.link.acked.connect(self.safe.append)

    def shown(self) -> list[int]:
        return [message.seq for message in self.heard if isinstance(message, QueryShown)]


@pytest.fixture
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("run")


@pytest.fixture
def new_wizard(qtbot):
    made = []

    def make(answer=None, store=None, timings=EAGER):
        store = store or Store()
        wizard = Wizard(WizardLink(store.after, timings=timings), store, answer or welcome())
        made.append(wizard)
        return wizard

    yield make
    for wizard in made:
        wizard.link.close()


@pytest.fixture
def new_subject(qtbot):
    made = []

    def make(hello=Hello, timings=EAGER):
        store = Store()
        subject = Subject(SubjectLink(hello, store.after, timings=timings), store)
        made.append(subject)
        return subject

    yield make
    for subject in made:
        subject.link.close()


@pytest.fixture
def stations(qtbot, folder, new_wizard, new_subject):
    wizard, subject = new_wizard(), new_subject()
    wizard.link.listen("w", folder)
    with qtbot.waitSignal(subject.link.joined):
        subject.link.dial("w", folder)
    return wizard, subject


def dial_raw(qtbot, folder, name="w"):
    stranger = QLocalSocket()
    with qtbot.waitSignal(stranger.connected):
        stranger.connectToServer(address(name, folder))
    return stranger


# -- talking -------------------------------------------------------------------------------------------


def test_a_subject_that_dials_first_joins_when_the_wizard_listens(qtbot, folder, new_wizard, new_subject):
    wizard, subject = new_wizard(), new_subject()
    subject.link.dial("w", folder)
    with qtbot.waitSignal(subject.link.joined):
        wizard.link.listen("w", folder)
    assert wizard.link.up and subject.link.up
    qtbot.waitUntil(lambda: subject.heard == [welcome()])


def test_messages_and_acks_go_both_ways(qtbot, stations):
    wizard, subject = stations
    qtbot.waitUntil(lambda: subject.heard != [])
    with qtbot.waitSignal(wizard.link.acked) as acked:
        assert wizard.link.send(shown(3))
        qtbot.waitUntil(lambda: subject.shown() == [3])
        subject.link.ack(3)
    assert acked.args == [3]
    subject.link.send(line(1))
    qtbot.waitUntil(lambda: subject.safe == [1])


def test_a_minute_of_audio_comes_whole_and_a_line_overtakes_it(qtbot, stations):
    wizard, subject = stations
    qtbot.waitUntil(lambda: subject.heard != [])
    piece = bytes(range(256)) * 256
    sent = 0
    while subject.link.send(AudioChunk(utterance_id="e00-01-001", offset=sent * 65536, total=1 << 21, data=piece)):
        sent += 1
    assert not subject.link.send(AudioChunk(utterance_id="e00-01-001", offset=0, total=1 << 21, data=piece))
    subject.link.send(line(1))
    qtbot.waitUntil(lambda: len(wizard.heard) == sent + 1)
    chunks = [message for message in wizard.heard if isinstance(message, AudioChunk)]
    assert b"".join(chunk.data for chunk in chunks) == piece * sent
    assert isinstance(wizard.heard[-1], AudioChunk), "the line came before the end of the audio"


def test_the_clocks_of_one_machine_are_tied_at_zero(qtbot, stations):
    wizard, _ = stations
    with qtbot.waitSignal(wizard.link.clock_tied) as tied:
        pass
    (tie,) = tied.args
    assert isinstance(tie, ClockTied) and abs(tie.offset_ns) <= tie.rtt_ns // 2 + 1


def test_while_the_link_is_down_only_kept_messages_are_not_lost(qtbot, folder, new_wizard, new_subject):
    wizard, subject = new_wizard(), new_subject()
    status = StationStatus(microphone="", microphone_ok=True, recording=False, level_dbfs=-9.0)
    subject.store.kept = [line(1), line(2)]
    assert not subject.link.send(status) and not subject.link.send(line(1))
    wizard.link.listen("w", folder)
    subject.link.dial("w", folder)
    qtbot.waitUntil(lambda: subject.safe == [1, 2])
    assert not [message for message in wizard.heard if isinstance(message, StationStatus)]


# -- losing one another --------------------------------------------------------------------------------


def test_after_a_restart_of_the_wizards_station_both_catch_up(qtbot, folder, stations, new_wizard, new_subject):
    wizard, subject = stations
    qtbot.waitUntil(lambda: subject.heard != [])
    subject.store.kept = [line(1)]
    subject.link.send(line(1))
    qtbot.waitUntil(lambda: subject.safe == [1])
    with qtbot.waitSignal(subject.link.lost):
        wizard.link.close()
    subject.store.kept.append(line(2))
    again = new_wizard(answer=welcome(journal_have=1), store=Store([shown(5)]))
    with qtbot.waitSignal(subject.link.joined):
        again.link.listen("w", folder)
    qtbot.waitUntil(lambda: subject.safe[-1] == 2 and subject.shown() == [5])
    assert again.lines() == [2]


def test_a_subject_that_leaves_says_goodbye_loses_nobody_and_can_come_back(qtbot, folder, stations):
    wizard, subject = stations
    with qtbot.assertNotEmitted(subject.link.lost), qtbot.waitSignal(wizard.link.lost):
        subject.link.close()
    assert wizard.heard == [Goodbye()] and not wizard.link.up
    with qtbot.waitSignal(subject.link.joined):
        subject.link.dial("w", folder)
    assert len(wizard.joined) == 2


@POSIX
def test_a_subject_that_falls_silent_is_lost(qtbot, folder, new_wizard):
    wizard = new_wizard(timings=IMPATIENT)
    wizard.link.listen("w", folder)
    mute = dial_raw(qtbot, folder)
    with qtbot.waitSignal(wizard.link.subject_joined):
        mute.write(encoded(Hello()))
    with qtbot.waitSignals([wizard.link.lost, mute.disconnected]):
        pass
    assert not wizard.link.up


@POSIX
def test_a_wizards_station_that_falls_silent_is_lost_and_dialled_again(qtbot, folder, new_subject):
    subject = new_subject(timings=IMPATIENT)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address("w", folder))
        listener.listen()
        with qtbot.waitSignal(subject.link.joined):
            subject.link.dial("w", folder)
            mute, _ = listener.accept()
            mute.sendall(encoded(Waiting()))
        with mute, qtbot.waitSignal(subject.link.lost):
            pass
        listener.settimeout(0)
        qtbot.waitUntil(lambda: _accepts(listener))


def _accepts(listener):
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


# -- who may come in -----------------------------------------------------------------------------------


def test_a_second_subject_is_refused_until_the_first_is_gone(qtbot, folder, stations, new_subject):
    wizard, first = stations
    second = new_subject()
    with qtbot.waitSignal(second.link.refused) as refused:
        second.link.dial("w", folder)
    assert refused.args[0].code == "in_use" and not second.link.up and first.link.up
    assert "second subject" in wizard.turned_away[0]
    with qtbot.waitSignal(second.link.joined):
        first.link.close()


def test_a_station_whose_link_died_in_one_direction_takes_its_own_place_at_once(qtbot, folder, new_wizard, new_subject):
    wizard = new_wizard(welcome(identity="a" * 32, secret="c" * 32))
    wizard.link.listen("w", folder)
    dead = new_subject()
    with qtbot.waitSignal(dead.link.joined):
        dead.link.dial("w", folder)
    lost: list[bool] = []
    wizard.link.lost.connect(lambda: lost.append(wizard.link.up))
    again = new_subject(lambda: Hello(session_id="e00-01", identity="a" * 32, secret="c" * 32))
    with qtbot.waitSignal(again.link.joined):
        again.link.dial("w", folder)
    # The end of the old one comes before the hello of the new one, and is no end of that.
    assert (lost, len(wizard.joined), wizard.link.up, wizard.turned_away) == ([False], 2, True, [])


@POSIX
def test_a_rude_stranger_is_cut_off_and_counted_and_the_subject_goes_on(qtbot, folder, stations):
    wizard, subject = stations
    stranger = dial_raw(qtbot, folder)
    with qtbot.waitSignal(stranger.disconnected):
        stranger.write(frame(b"\xc1" * 30))
    assert wizard.link.problems == 1
    wizard.link.send(shown(1))
    qtbot.waitUntil(lambda: subject.shown() == [1])


@POSIX
def test_the_subject_joins_while_every_place_for_strangers_is_taken(qtbot, folder, new_wizard, new_subject):
    """Nobody waits for a stranger's time to be over: the one that has been silent longest goes."""
    wizard = new_wizard(timings=replace(EAGER, hello=3600))
    subject = new_subject()
    wizard.link.listen("w", folder)
    strangers = [dial_raw(qtbot, folder) for _ in range(160)]
    with qtbot.waitSignal(subject.link.joined):
        subject.link.dial("w", folder)
    qtbot.waitUntil(lambda: 1 <= still_connected(strangers) <= STRANGERS)
    wizard.link.send(shown(1))
    qtbot.waitUntil(lambda: subject.shown() == [1])


def still_connected(strangers):
    return sum(one.state() == QLocalSocket.LocalSocketState.ConnectedState for one in strangers)


@POSIX
def test_a_peer_that_never_reads_costs_a_bounded_amount_and_is_dropped(qtbot, folder, new_wizard):
    wizard = new_wizard(store=Store([shown(seq, "x" * 100_000) for seq in range(1, 101)]), timings=IMPATIENT)
    wizard.link.listen("w", folder)
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.connect(address("w", folder))
        with qtbot.waitSignal(wizard.link.lost):
            deaf.sendall(encoded(Hello()))
        qtbot.waitUntil(lambda: _hung_up(deaf))
        deaf.setblocking(False)
        assert _readable(deaf) < 2_000_000


def _hung_up(connection):
    poll = select.poll()
    poll.register(connection, select.POLLHUP)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def _readable(connection):
    total = 0
    try:
        while data := connection.recv(1 << 20):
            total += len(data)
    except (BlockingIOError, ConnectionResetError):
        pass
    return total


# -- the meeting place ---------------------------------------------------------------------------------


def test_a_second_wizards_station_is_told_that_the_name_is_in_use(folder, stations, new_wizard):
    _, subject = stations
    with pytest.raises(CurtainError, match=r"“w”.*--listen"):
        new_wizard().link.listen("w", folder)
    assert subject.link.up
    new_wizard().link.listen("other", folder)


@POSIX
def test_the_socket_and_its_folder_are_open_to_this_person_alone(folder, new_wizard):
    new_wizard().link.listen("w", folder / "made")
    assert stat.S_IMODE(Path(address("w", folder / "made")).stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "made").stat().st_mode) == 0o700


@POSIX
def test_the_default_folder_is_private(monkeypatch, tmp_path, new_wizard):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "curtain").mkdir(mode=0o755)
    new_wizard().link.listen("w")
    assert stat.S_IMODE((tmp_path / "curtain").stat().st_mode) == 0o700
    assert Path(address("w", tmp_path / "curtain")).is_socket()


KILLED_WIZARD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from curtain.link.qt import WizardLink
app = QCoreApplication([])
link = WizardLink(lambda after: ())
link.listen("w", Path(sys.argv[1]))
print("listening", flush=True)
app.exec()
"""


@POSIX
def test_the_name_of_a_killed_wizards_station_is_taken_over(qtbot, folder, new_wizard, new_subject):
    with Child([sys.executable, "-c", KILLED_WIZARD, str(folder)]) as other:
        assert other.stdout.readline() == b"listening\n"
        with pytest.raises(CurtainError, match="open already"):
            new_wizard().link.listen("w", folder)
        os.kill(other.pid, signal.SIGKILL)
    assert Path(address("w", folder)).exists()
    wizard, subject = new_wizard(), new_subject()
    wizard.link.listen("w", folder)
    with qtbot.waitSignal(subject.link.joined):
        subject.link.dial("w", folder)


@POSIX
@pytest.mark.parametrize("longer", [-1, 0, 1, 100])
def test_stations_meet_however_long_the_path_of_their_folder_is(qtbot, new_wizard, new_subject, longer):
    """Up to what the system takes the socket is in the folder, and beyond it among the temporary files."""
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        place = Path(short, "d" * (LONGEST_PATH - len(f"{short}//w.socket") + longer))
        wizard, subject = new_wizard(), new_subject()
        wizard.link.listen("w", place)
        assert (place / "w.socket").exists() == (longer <= 0)
        with qtbot.waitSignal(subject.link.joined):
            subject.link.dial("w", place)


@pytest.mark.parametrize("name", ["", "a/b", "../w", "a b", "n" * 41])
def test_a_name_that_is_no_plain_word_is_reported(folder, new_wizard, name):
    with pytest.raises(CurtainError, match="no name for the link"):
        new_wizard().link.listen(name, folder)


@POSIX
@pytest.mark.parametrize("place", ["run", "run/w.lock/full", "run/w.socket/full"])
def test_what_stands_in_the_place_of_the_link_is_named(folder, new_wizard, place):
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    (folder / place).touch()
    with pytest.raises(CurtainError, match=rf"{folder}/{place.removesuffix('/full')} .*is in the way\. Move it"):
        new_wizard().link.listen("w", folder / "run")


def test_two_hundred_lines_are_saved_and_acknowledged_at_once(qtbot, stations):
    _, subject = stations
    qtbot.waitUntil(lambda: subject.heard != [])
    for seq in range(1, 201):
        subject.link.send(line(seq))
    qtbot.waitUntil(lambda: subject.safe[-1:] == [200])


def test_a_socket_that_was_closed_is_not_read(qtbot, qtlog):
    owner = QObject()
    wire = Wire(QLocalSocket(), WizardPeer(Seat(), lambda after: [], 0), lambda: 0, owner)
    wire.poll()
    assert [record.message for record in qtlog.records] == []
