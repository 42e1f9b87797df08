"""The wizard's port under attack: nobody comes in, the window's loop goes on, and memory has a bound."""

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

from companions.rooms.tests.network import attackers
from companions.rooms.tests.network.fault_proxy import BadLine
from companions.rooms.tests.network.rooms import Room, paired_rooms, utc_text
from curtain.link.messages import Hello
from curtain.link.qt import WizardLink
from curtain_rooms.network.listener import NetworkListener
from curtain_rooms.network.tls_socket import TlsSocket
from tests.link.talking import Store
from tests.support.child_program import Child

MINUTE_NS = 61_000_000_000
MOST_STALL_S = 0.1
MOST_MEMORY = 32 * 1024 * 1024
WHOLE_S = 300_000


class Loop(QObject):
    """How long the event loop is busy without a pause: processor time between two ticks, whoever else runs here."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_s = 0.0
        self._before = time.thread_time()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(2)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.thread_time()
        self.longest_s, self._before = max(self.longest_s, now - self._before), now


@dataclass
class Port:
    """A wizard's station on the network. Its clock jumps over each minute for which wrong codes close pairing."""

    room: Room
    listener: NetworkListener = field(init=False)
    link: WizardLink = field(init=False)
    skipped_ns: int = 0
    paired: list[object] = field(default_factory=list)
    came: list[str] = field(default_factory=list)
    joined: list[Hello] = field(default_factory=list)
    sockets: list[TlsSocket] = field(default_factory=list)
    refused: int = 0

    def __post_init__(self) -> None:
        self.link = WizardLink(Store().after)
        self.listener = NetworkListener(self.room.identity, self.room.trust, self._now, utc_text)
        self.listener.listen("127.0.0.1", 0)
        self.listener.paired.connect(self.paired.append)
        self.listener.station_came.connect(self._on_station)
        self.listener.pairing_failed.connect(self._on_refused)
        self.listener.turned_away.connect(self._on_refused)
        self.link.subject_joined.connect(self.joined.append)

    def _now(self) -> int:
        return time.monotonic_ns() + self.skipped_ns

    def _on_station(self, tls, known) -> None:
        self.came.append(known.name)
        self.sockets[:] = [tls]
        self.link.take_in(tls, known.fingerprint)

    def _on_refused(self, _address: str, _why: str) -> None:
        self.refused += 1
        if not self.listener.desk.open_at(self._now()):
            self.skipped_ns += MINUTE_NS

    def close(self) -> None:
        self.listener.close()
        self.link.close()


@pytest.fixture
def port(qtbot: QtBot, tmp_path: Path):
    wizard, _ = paired_rooms(tmp_path)
    made = Port(wizard)
    yield made
    made.close()


def attack(qtbot: QtBot, port: Port, folder: Path, kind: str, count: int) -> None:
    options = [kind, str(port.listener.port), str(folder), str(count)]
    with Child([sys.executable, "-m", attackers.__name__, *options]) as attacker:
        qtbot.waitUntil(lambda: attacker.poll() is not None, timeout=WHOLE_S)
        assert attacker.stdout.read().split() == [str(count).encode()]


def besiege(qtbot: QtBot, port: Port, folder: Path, kind: str, count: int) -> None:
    attack(qtbot, port, folder, kind, 1)  # what the first one loads is no growth
    loop, memory = Loop(), psutil.Process()
    before = memory.memory_info().rss
    attack(qtbot, port, folder, kind, count)
    grown = memory.memory_info().rss - before
    print(
        f"{count} x {kind}: {len(port.paired)} paired, {len(port.joined)} accepted, {port.refused} turned away; "
        f"longest stall {loop.longest_s * 1000:.0f} ms, memory {grown / 2**20:+.1f} MiB"
    )
    assert not port.paired and not port.joined
    assert loop.longest_s < MOST_STALL_S
    assert grown < MOST_MEMORY


def record(qtbot: QtBot, port: Port, folder: Path) -> None:
    """Keep what a paired station says on its way in."""
    line = BadLine(port.listener.port)
    dialler = Room.made(folder, "booth").dialler(line.port)
    with qtbot.waitSignals([dialler.connected, port.listener.station_came]):
        dialler.dial()
    port.sockets[0].abort()
    line.close()
    (folder / "recorded.bin").write_bytes(line.said)


LONG = [
    ("wrong codes", 1000), ("foreign certificates", 300), ("no certificate", 300),
    ("TLS 1.2", 300), ("replayed", 300), ("huge frames of a paired station", 100), ("slow-loris", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "count"), [("wrong codes", 12), *(pytest.param(*each, marks=pytest.mark.soak) for each in LONG)]
)
def test_nobody_who_should_not_comes_in_and_the_window_goes_on(
    qtbot: QtBot, port: Port, tmp_path: Path, kind: str, count: int
) -> None:
    if kind == "replayed":
        record(qtbot, port, tmp_path)
        port.came.clear()
    besiege(qtbot, port, tmp_path, kind, count)
    # The paired station alone gets as far as its first frame.
    assert set(port.came) <= ({"booth"} if kind == "huge frames of a paired station" else set())
