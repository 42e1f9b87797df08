"""The wizard's end on the network: who may come in, who is paired, and who is turned away before a word is said."""

from __future__ import annotations

import ssl
from collections import Counter
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QHostAddress, QTcpServer, QTcpSocket

from curtain.link.network.identity import Identity, KnownStation, TrustStore
from curtain.link.network.pair_wire import PairFrames, pair_frame
from curtain.link.network.pairing import CodeDesk, PairedWith, PairingFailed, PairRefused, WizardPairing
from curtain.link.network.tls_socket import PAIRING_NAME, TlsSocket, pairing_contexts, station_context
from curtain.link.socket_paths import LinkUnusable

__all__ = ["DEFAULT_PORT", "NetworkListener"]

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
        self, identity: Identity, trust: TrustStore, now: Now, utc: UtcText, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._identity = identity
        self._trust = trust
        self._now = now
        self._utc = utc
        self.desk = CodeDesk(now())
        self._strangers: list[TlsSocket] = []
        self._pairings: dict[TlsSocket, tuple[WizardPairing, PairFrames]] = {}
        self._server = QTcpServer(self)
        self._server.newConnection.connect(self._on_new_connection)
        self._pairing_context = pairing_contexts(identity, server=True)
        self._context = self._make_context()

    def listen(self, address: str = "", port: int = DEFAULT_PORT) -> None:
        """Listen at an address of this machine, every one if empty; port 0 takes any. Raises LinkUnusable."""
        where = QHostAddress(address) if address else QHostAddress(QHostAddress.SpecialAddress.Any)
        if where.isNull():
            raise LinkUnusable(f"“{address}” is no address of this computer. Give a number such as 192.168.1.20.")
        if not self._server.listen(where, port):
            raise LinkUnusable(
                f"The link at {address or 'every address'}, port {port}, cannot be opened: "
                f"{self._server.errorString()}. Close what uses it, or give another port."
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
        context = station_context(self._identity, self._trust.of_role("subject"), server=True)
        context.sni_callback = self._on_server_name
        return context

    def _on_server_name(self, tls: Any, name: str | None, context: ssl.SSLContext) -> int | None:
        # Only who asks to be paired by name comes in without a known certificate, and hears nothing but the pairing.
        if name == PAIRING_NAME:
            tls.context = self._pairing_context
        return None

    # -- coming in ------------------------------------------------------------------------------------------

    @Slot()
    def _on_new_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            if self._is_too_many(socket):
                socket.abort()
                socket.deleteLater()
            else:
                self._take_in(socket)

    def _is_too_many(self, socket: QTcpSocket) -> bool:
        """Each address has places of its own, so that one that floods us cannot keep the true station out."""
        address = socket.peerAddress().toString()
        of_address = Counter(stranger.address for stranger in self._strangers)
        if of_address[address] >= _STRANGERS_OF_ADDRESS:
            return True
        if len(self._strangers) < _STRANGERS:
            return False
        # Whoever holds the most places gives one up.
        busiest = of_address.most_common(1)[0][0]
        next(stranger for stranger in self._strangers if stranger.address == busiest).abort()
        return False

    def _take_in(self, socket: QTcpSocket) -> None:
        tls = TlsSocket(socket, self._context, server=True, name=None, parent=self)
        self._strangers.append(tls)
        tls.encrypted.connect(lambda: self._on_encrypted(tls))
        tls.failed.connect(lambda why: self._on_failed(tls, why))
        tls.begin()

    def _on_failed(self, tls: TlsSocket, why: str) -> None:
        self._forget(tls)
        self.turned_away.emit(tls.address, why)
        tls.deleteLater()

    def _on_encrypted(self, tls: TlsSocket) -> None:
        if tls.is_in(self._pairing_context):
            self._begin_pairing(tls)
            return
        certificate = tls.peer_certificate
        station = self._trust.known(certificate, "subject") if certificate is not None else None
        self._forget(tls)
        # The context trusts these certificates only; whose it is, and whether it was unpaired meanwhile, is asked here.
        if station is None:
            self.turned_away.emit(tls.address, "its certificate is not one that was paired here")
            tls.abort()
            tls.deleteLater()
            return
        self.station_came.emit(tls, station)

    # -- pairing --------------------------------------------------------------------------------------------

    def _begin_pairing(self, tls: TlsSocket) -> None:
        pairing = WizardPairing(self.desk, self._identity.name, self._identity.certificate)
        self._pairings[tls] = (pairing, PairFrames())
        tls.readyRead.connect(lambda: self._on_pairing_bytes(tls))
        tls.disconnected.connect(lambda: self._end_pairing(tls))
        patience = QTimer(tls)
        patience.setSingleShot(True)
        patience.timeout.connect(tls.abort)
        patience.start(_PAIRING_MS)

    def _on_pairing_bytes(self, tls: TlsSocket) -> None:
        if tls not in self._pairings:
            return
        pairing, frames = self._pairings[tls]
        code = self.desk.code
        try:
            for message in frames.feed(tls.take()):
                tls.write(pair_frame(pairing.take(message, self._now())))
        except PairingFailed as failed:
            tls.write(pair_frame(PairRefused(failed.why)))
            tls.disconnectFromServer()
            self._pairings.pop(tls, None)
            self.pairing_failed.emit(tls.address, failed.why)
        if pairing.paired is not None and tls in self._pairings:
            self._pairings.pop(tls)
            self._on_paired(pairing.paired)
            tls.disconnectFromServer()
        if self.desk.code != code:
            self.code_changed.emit()

    def _on_paired(self, other: PairedWith) -> None:
        station = KnownStation(other.name, "subject", other.certificate, self._utc())
        self._trust.add(station)
        self.trust_changed()
        self.paired.emit(station)

    def _end_pairing(self, tls: TlsSocket) -> None:
        self._forget(tls)
        # Hanging up after the reply is a guess that failed: the desk has counted it.
        if self._pairings.pop(tls, None) is not None:
            self.pairing_failed.emit(tls.address, "wrong_code")
        tls.deleteLater()

    def _forget(self, tls: TlsSocket) -> None:
        if tls in self._strangers:
            self._strangers.remove(tls)
