"""How good the network between two paired stations is: round trip, clock difference, throughput.

The asking end sends pieces of known length; the wizard's station answers each with its number and its own time, and
nothing of a session. The clock is taken from the exchange with the least round trip, as in NTP (RFC 5905, section 10).
"""

import socket
import ssl
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Slot

from curtain.base.clock import ns_of_iso, steady_s
from curtain.base.errors import CurtainError
from curtain_rooms.network.identity import Identity, TrustStore
from curtain_rooms.network.tls_socket import MEASURING_NAME, TlsSocket, station_context

# Asked: number and length of the piece that follows. Answered: number and the UTC time in milliseconds since 1970.
_ASKED, _ANSWERED = struct.Struct(">II"), struct.Struct(">Iq")
_LARGEST_PIECE, _MOST_BYTES = 1 << 20, 4 << 20
_GUEST_MS = 30_000
_EXCHANGES, _WAIT_S = 20, 10.0
# The answering station writes its time in whole milliseconds.
_GRAIN_MS = 1.0
# The wall clock of Windows steps by 15.6 ms before Python 3.13.
_WALL_STEP_MS = 1000 * time.get_clock_info("time").resolution


@dataclass(frozen=True)
class NetworkFigures:
    """Times in milliseconds, `bytes_per_s` towards the wizard's station.

    `clock_ms` is how far the wizard's clock is ahead of this one's, right within `clock_bound_ms` either way.
    """

    round_trip_ms: float
    clock_ms: float
    clock_bound_ms: float
    bytes_per_s: float


class MeasuringGuest(QObject):
    """The wizard's end: answers the pieces of one paired station, up to a bound of bytes and of time."""

    def __init__(self, tls: TlsSocket, utc: Callable[[], str]) -> None:
        super().__init__(tls)
        self._tls = tls
        self._utc = utc
        self._head = bytearray()
        self._number = self._left = self._taken = 0
        tls.readyRead.connect(self.read)
        tls.disconnected.connect(tls.deleteLater)
        QTimer.singleShot(_GUEST_MS, tls, tls.abort)

    @Slot()
    def read(self) -> None:
        """Answer what came."""
        data = memoryview(self._tls.take())
        self._taken += len(data)
        while data and self._taken <= _MOST_BYTES and self._left <= _LARGEST_PIECE:
            data = self._skip(data) if self._left else self._begin_piece(data)
        if data:
            self._tls.abort()

    def _begin_piece(self, data: memoryview) -> memoryview:
        missing = _ASKED.size - len(self._head)
        self._head += data[:missing]
        if len(self._head) == _ASKED.size:
            self._number, self._left = _ASKED.unpack(self._head)
            self._head.clear()
        return data[missing:]

    def _skip(self, data: memoryview) -> memoryview:
        count = min(len(data), self._left)
        self._left -= count
        if not self._left:
            self._tls.write(_ANSWERED.pack(self._number, ns_of_iso(self._utc()) // 1_000_000))
        return data[count:]


def measure_network(host: str, port: int, identity: Identity, trust: TrustStore) -> NetworkFigures:
    """Measure to the paired wizard's station; blocks for seconds. Raises CurtainError: what is wrong, what to do."""
    trusted = trust.of_role("wizard")
    if not trusted:
        raise CurtainError(
            f"This computer is paired with no wizard's station. Run “curtain subject --connect {host}:{port}” and type "
            "the code of the wizard's start page."
        )
    context = station_context(identity, trusted, server=False)
    try:
        with (
            socket.create_connection((host, port), _WAIT_S) as plain,
            context.wrap_socket(plain, server_hostname=MEASURING_NAME) as tls,
        ):
            tls.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return _measure(tls)
    except (OSError, EOFError) as error:
        raise CurtainError(_sentence(error, host, port)) from error


def _measure(tls: ssl.SSLSocket) -> NetworkFigures:
    tls.settimeout(_WAIT_S)
    round_trip, clock = min(_exchange(tls, number, 1) for number in range(_EXCHANGES))
    long, _ = _exchange(tls, _EXCHANGES, _LARGEST_PIECE)
    # A round trip goes by whatever the length; what is left is the width. A machine's own loopback leaves nearly none.
    seconds = max(long - round_trip, _GRAIN_MS) / 1000
    return NetworkFigures(round_trip, clock, round_trip / 2 + max(_GRAIN_MS, _WALL_STEP_MS), _LARGEST_PIECE / seconds)


def _exchange(tls: ssl.SSLSocket, number: int, length: int) -> tuple[float, float]:
    """Round trip, and how far the other clock is ahead, in milliseconds. Raises EOFError."""
    # Both clocks are read here: the one for lengths of time never jumps, the other one is compared.
    # A wait between both readings then lengthens the round trip, and with it the bound.
    begun, wall_ms = steady_s(), time.time() * 1000
    tls.sendall(_ASKED.pack(number, length) + bytes(length))
    answer = b""
    while len(answer) < _ANSWERED.size:
        piece = tls.recv(_ANSWERED.size - len(answer))
        if not piece:
            raise EOFError
        answer += piece
    round_trip = (steady_s() - begun) * 1000
    _, their_ms = _ANSWERED.unpack(answer)
    return round_trip, their_ms - (wall_ms + round_trip / 2)


def _sentence(error: OSError | EOFError, host: str, port: int) -> str:
    where = f"{host}, port {port}"
    if isinstance(error, socket.gaierror):
        return f"There is no computer named {host} here. Use the address that the wizard's start page shows."
    if isinstance(error, ConnectionRefusedError):
        return f"Nothing listens at {where}. Start the wizard's station with --listen, and check the port."
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"The station at {where} is not the one that was paired. Check the address, or pair again."
    if isinstance(error, TimeoutError):
        return f"Nothing answers at {where}. Check the address, and that a firewall lets the port through."
    if isinstance(error, (ssl.SSLError, EOFError, ConnectionError)):
        return f"The station at {where} turned this one away. Pair again with the code of the wizard's start page."
    return f"{where} cannot be reached. Check the network cable or the Wi-Fi, then the address."
