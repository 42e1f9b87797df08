"""The wizard's end on the network: who may come in, who is paired, and who is turned away before a word is said."""

import ssl
from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QAbstractSocket, QHostAddress, QTcpServer, QTcpSocket

from curtain.base.errors import CurtainError
from curtain_rooms.network.identity import Identity, KnownStation, StationRole, TrustStore
from curtain_rooms.network.measuring import MeasuringGuest
from curtain_rooms.network.pairing import (
    CodeDesk,
    PairedWith,
    PairFrames,
    PairingError,
    PairRefused,
    WizardPairing,
    pair_frame,
)
from curtain_rooms.network.tls_socket import NOT_PAIRED, PAIRING_NAME, TlsSocket, pairing_contexts, station_context

DEFAULT_PORT = 7411
_STRANGERS, _STRANGERS_OF_ADDRESS = 16, 4
_PAIRING_MS = 15_000

Now = Callable[[], int]
UtcText = Callable[[], str]


class NetworkListener(QObject):
    """Listens for stations of other machines.

    Signals: `station_came(TlsSocket, KnownStation)`: a paired station, known by its certificate. `paired(KnownStation)`
    and `pairing_failed(address, why)`: somebody tried, with the code or without it. `turned_away(address, why)`: an
    unpaired one; it heard nothing but the end of the handshake. `code_changed()`.
    """

    station_came = Signal(object, object)
    paired = Signal(object)
    pairing_failed = Signal(str, str)
    turned_away = Signal(str, str)
    code_changed = Signal()

    def __init__(
        self,
        identity: Identity,
        trust: TrustStore,
        now: Now,
        utc: UtcText,
        parent: QObject | None = None,
        role: StationRole = "subject",
        chairs: Sequence[str] = ("",),
    ) -> None:
        """`role` is what comes in: nobody who was paired in another one. Each of `chairs` has a code of its own."""
        super().__init__(parent)
        self._role = role
        self._identity = identity
        self._trust = trust
        self._now = now
        self._utc = utc
        self.desk = CodeDesk(now(), chairs=chairs)
        self._strangers: list[TlsSocket] = []
        self._server = QTcpServer(self)
        self._server.newConnection.connect(self._on_new_connection)
        self._pairing_context = pairing_contexts(identity, server=True)
        self._context = self._make_context()

    def listen(self, address: str = "", port: int = DEFAULT_PORT) -> None:
        """Listen at an address of this machine, every one if empty; port 0 takes any. Raises CurtainError."""
        where = QHostAddress(address) if address else QHostAddress(QHostAddress.SpecialAddress.Any)
        if where.isNull():
            raise CurtainError(f"“{address}” is no address of this computer. Give a number such as 192.168.1.20.")
        if not self._server.listen(where, port):
            elsewhere = self._server.serverError() is QAbstractSocket.SocketError.SocketAddressNotAvailableError
            advice = "Give an address of this computer." if elsewhere else "Close what uses it, or give another port."
            raise CurtainError(
                f"The link at {address or 'every address'}, port {port}, cannot be opened: "
                f"{self._server.errorString()}. {advice}"
            )

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.serverPort()

    def trust_changed(self) -> None:
        """A station was paired or unpaired: from now on the others count."""
        self._context = self._make_context()

    def close(self) -> None:
        """Stop listening; connections that were handed on go on."""
        self._server.close()
        for socket in list(self._strangers):
            socket.abort()

    def _make_context(self) -> ssl.SSLContext:
        return station_context(self._identity, self._trust.of_role(self._role), server=True)

    def _choose_context(self, greeting: bytes) -> ssl.SSLContext:
        # The name stands in clear in the first record. Only who asks to be paired comes in without a known
        # certificate, and hears nothing but the pairing.
        return self._pairing_context if PAIRING_NAME.encode() in greeting else self._context

    @Slot()
    def _on_new_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            self._make_room(socket.peerAddress().toString())
            self._take_in(socket)

    def _make_room(self, address: str) -> None:
        """Whoever has been silent longest goes: of this address if it fills its own places, else of the busiest.

        A true station shakes hands within milliseconds, so those that only hold a place never keep it out.
        """
        of_address = Counter(stranger.address for stranger in self._strangers)
        if of_address[address] >= _STRANGERS_OF_ADDRESS:
            self._drop_oldest(address)
        elif len(self._strangers) >= _STRANGERS:
            self._drop_oldest(of_address.most_common(1)[0][0])

    def _drop_oldest(self, address: str) -> None:
        oldest = next(stranger for stranger in self._strangers if stranger.address == address)
        # Its end takes it off the list.
        oldest.abort()

    def _take_in(self, socket: QTcpSocket) -> None:
        tls = TlsSocket(socket, self._choose_context, server=True, name=None, parent=self)
        self._strangers.append(tls)
        tls.encrypted.connect(self._on_encrypted)
        tls.failed.connect(self._on_failed)
        tls.begin()

    @Slot(object, str)
    def _on_failed(self, tls: TlsSocket, why: str) -> None:
        self._forget(tls)
        self.turned_away.emit(tls.address, why)
        tls.deleteLater()

    @Slot(object)
    def _on_encrypted(self, tls: TlsSocket) -> None:
        if tls.context is self._pairing_context:
            self._begin_pairing(tls)
            return
        certificate = tls.peer_certificate
        station = self._trust.known(certificate, self._role) if certificate is not None else None
        self._forget(tls)
        # The context trusts these certificates only; whose it is, and whether it was unpaired meanwhile, is asked here.
        if station is None:
            self.turned_away.emit(tls.address, NOT_PAIRED)
            tls.abort()
            tls.deleteLater()
            return
        if tls.measuring:
            # It never holds the seat: a check may run while a session does.
            MeasuringGuest(tls, self._utc).read()
            return
        self.station_came.emit(tls, station)

    def _begin_pairing(self, tls: TlsSocket) -> None:
        guest = _PairingGuest(tls, WizardPairing(self.desk, self._identity.name, self._identity.certificate), self._now)
        guest.over.connect(self._on_guest_over)
        # Bytes can have come with the end of the handshake.
        guest.read()

    @Slot(object, object, str)
    def _on_guest_over(self, tls: TlsSocket, paired: PairedWith | None, why: str) -> None:
        self._forget(tls)
        tls.deleteLater()
        if paired is None:
            self.pairing_failed.emit(tls.address, why)
        else:
            station = KnownStation(paired.name, self._role, paired.certificate, self._utc(), paired.chair)
            kept = self._trust.add(station)
            self.trust_changed()
            self.paired.emit(kept)
        # After a success, and after too many wrong ones, another code is shown.
        self.code_changed.emit()

    def _forget(self, tls: TlsSocket) -> None:
        if tls in self._strangers:
            self._strangers.remove(tls)


class _PairingGuest(QObject):
    """One station that asks to be paired; `over(socket, paired or None, why)` comes once, when it has hung up."""

    over = Signal(object, object, str)

    def __init__(self, tls: TlsSocket, pairing: WizardPairing, now: Now) -> None:
        super().__init__(tls)
        self._tls = tls
        self._pairing = pairing
        self._now = now
        self._frames = PairFrames()
        # Hanging up after the reply is a guess that failed: the desk has counted it.
        self._why = "wrong_code"
        self._done = False
        tls.readyRead.connect(self.read)
        tls.disconnected.connect(self._on_disconnected)
        QTimer.singleShot(_PAIRING_MS, tls, tls.abort)

    @Slot()
    def read(self) -> None:
        """Answer what came."""
        data = self._tls.take()
        if self._done or not data:
            return
        try:
            for message in self._frames.feed(data):
                self._tls.write(pair_frame(self._pairing.take(message, self._now())))
        except PairingError as failed:
            self._why = failed.why
            self._tls.write(pair_frame(PairRefused(failed.why)))
            self._hang_up()
        if self._pairing.paired is not None:
            self._hang_up()

    def _hang_up(self) -> None:
        self._done = True
        self._tls.disconnectFromServer()

    @Slot()
    def _on_disconnected(self) -> None:
        self.over.emit(self._tls, self._pairing.paired, self._why)
