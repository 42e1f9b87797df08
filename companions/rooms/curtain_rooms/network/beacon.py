"""A wizard's station says on the local network that it is there, so that nobody has to read an address aloud.

A datagram holds a name and a port, and nothing of a study. It proves nothing: whoever connects still needs the code.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QAbstractSocket, QHostAddress, QNetworkInterface, QUdpSocket

from curtain_rooms.network.identity import station_name

BEACON_PORT = 7413
EVERY_MS = 2000
FORGOTTEN_NS = 7_000_000_000
_LARGEST = 512
_MOST_AT_ONCE = 64
_MOST_STATIONS = 16


class _Announcement(msgspec.Struct, frozen=True):
    curtain: Annotated[int, msgspec.Meta(ge=1, le=1)]
    # No control signs and no markup: the name stands on a screen.
    name: Annotated[str, msgspec.Meta(pattern=r"\A[\w .-]{1,40}\Z")]
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]


@dataclass(frozen=True, slots=True)
class FoundStation:
    """A station that announced itself: its name, and where it listens."""

    name: str
    address: str


class Beacon(QObject):
    """Announces this station every two seconds, until it is stopped."""

    def __init__(
        self,
        name: str,
        port: int,
        parent: QObject | None = None,
        *,
        listening_at: str = "",
        to: Sequence[QHostAddress] = (),
        at: int = BEACON_PORT,
    ) -> None:
        """`listening_at` is the one address of this machine that takes connections; "" for all of them.

        It announces to the networks of those addresses, or to the addresses in `to`; `at` is the port there.
        """
        super().__init__(parent)
        self._data = msgspec.json.encode(_Announcement(curtain=1, name=station_name(name), port=port))
        self._listening_at = listening_at
        self._to = list(to)
        self._at = at
        self._socket = QUdpSocket(self)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.announce)
        self._timer.start()
        self.announce()

    def stop(self) -> None:
        """Announce no more."""
        self._timer.stop()

    @Slot()
    def announce(self) -> None:
        """Send it now. A network that does not take it is passed over: the address can still be typed."""
        for address in self._to or _broadcast_addresses(self._listening_at):
            self._socket.writeDatagram(self._data, address, self._at)


class BeaconWatch(QObject):
    """`found(tuple[FoundStation, ...])`: the stations that are heard now, by name, when they are others."""

    found = Signal(object)

    def __init__(self, now: Callable[[], int], parent: QObject | None = None, at: int = BEACON_PORT) -> None:
        super().__init__(parent)
        self._now = now
        self._heard: dict[FoundStation, int] = {}
        self._shown: tuple[FoundStation, ...] = ()
        self._socket = QUdpSocket(self)
        shared = QAbstractSocket.BindFlag.ShareAddress | QAbstractSocket.BindFlag.ReuseAddressHint
        self._socket.bind(QHostAddress(QHostAddress.SpecialAddress.AnyIPv4), at, shared)
        self._socket.readyRead.connect(self._read)
        self._timer = QTimer(self, interval=EVERY_MS)
        self._timer.timeout.connect(self.forget_silent)
        self._timer.start()

    @property
    def port(self) -> int:
        """Where it listens; 0 if another program holds the port."""
        return self._socket.localPort()

    @Slot()
    def _read(self) -> None:
        # So many a time: a flood must not hold up the window.
        for _ in range(_MOST_AT_ONCE):
            if not self._socket.hasPendingDatagrams():
                break
            datagram = self._socket.receiveDatagram(_LARGEST)
            self._take(bytes(datagram.data().data()), datagram.senderAddress())
        if self._socket.hasPendingDatagrams():
            QTimer.singleShot(0, self, self._read)
        self.forget_silent()

    def _take(self, data: bytes, sender: QHostAddress) -> None:
        try:
            announcement = msgspec.json.decode(data, type=_Announcement)
        except (ValueError, RecursionError):
            return
        host = sender.toString().removeprefix("::ffff:")
        station = FoundStation(announcement.name, f"{host}:{announcement.port}")
        if station in self._heard or len(self._heard) < _MOST_STATIONS:
            self._heard[station] = self._now()

    @Slot()
    def forget_silent(self) -> None:
        """Take those off the list that were not heard for seven seconds."""
        now = self._now()
        self._heard = {station: at for station, at in self._heard.items() if now - at < FORGOTTEN_NS}
        stations = tuple(sorted(self._heard, key=lambda one: (one.name, one.address)))
        if stations != self._shown:
            self._shown = stations
            self.found.emit(stations)


def _broadcast_addresses(listening_at: str) -> list[QHostAddress]:
    entries = [entry for interface in QNetworkInterface.allInterfaces() for entry in interface.addressEntries()]
    listening = [entry for entry in entries if not listening_at or entry.ip().toString() == listening_at]
    return [entry.broadcast() for entry in listening if not entry.broadcast().isNull()]
