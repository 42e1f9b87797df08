"""TLS 1.3 of the standard library over a Qt socket, with the names that `qt.Wire` uses of a local one.

Python's `ssl` does the cryptography on buffers in memory; Qt only carries bytes. So nothing blocks, and no station
depends on which OpenSSL Qt finds.
"""

import ssl
from collections.abc import Callable

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QAbstractSocket, QLocalSocket, QTcpSocket

from curtain_rooms.network.identity import Identity, KnownStation

PAIRING_NAME = "pair.curtain.invalid"
"""The server name that a station asks for to be paired; `.invalid` is nobody's."""
MEASURING_NAME = "measure.curtain.invalid"
"""The one of a paired station that only measures the network."""

# X509_V_FLAG_NO_CHECK_TIME of OpenSSL, which Python does not name.
_NO_CHECK_TIME = 0x200000
_PIECE = 64 * 1024
_READ_BUFFER = 1024 * 1024
HANDSHAKE_MS = 5000
NOT_PAIRED = "its certificate is not one that was paired here"
"""The reason of `TlsSocket.failed` that only a new code helps against."""
# TLS 1.3 (RFC 8446), section 5.1: type 22, two bytes of version, two of length, at most 2^14 bytes of content.
_HANDSHAKE_RECORD, _RECORD_HEADER, _LONGEST_RECORD = 22, 5, 1 << 14

Choose = Callable[[bytes], ssl.SSLContext]


def _bare(protocol: int, identity: Identity | None) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    # Tickets would resume a session of a station that was unpaired since.
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        context.num_tickets = 0
    if identity is not None:
        context.load_cert_chain(identity.certificate_file, identity.key_file)
    return context


def station_context(identity: Identity, trusted: list[KnownStation], *, server: bool) -> ssl.SSLContext:
    """Both sides show their certificate, and only these very certificates are trusted, whatever their dates."""
    context = _bare(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT, identity)
    context.verify_mode = ssl.CERT_REQUIRED
    # The pinned certificate is the identity. With dates, a computer whose clock is wrong would pair and never link.
    context.verify_flags |= _NO_CHECK_TIME
    for station in trusted:
        context.load_verify_locations(cadata=station.pem)
    return context


def pairing_contexts(identity: Identity, *, server: bool) -> ssl.SSLContext:
    """For a first meeting: only the wizard's station shows its certificate, and nobody trusts it yet.

    The code proves afterwards that this is the certificate of the station whose screen a person has read.
    """
    context = _bare(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT, identity if server else None)
    context.verify_mode = ssl.CERT_NONE
    return context


class TlsSocket(QObject):
    """One TLS connection. `encrypted(socket)` comes once, when both sides are who they must be; `failed(socket,
    why)` if that is not so. After that it behaves as a `QLocalSocket` for whoever reads and writes it.
    """

    # Both carry this socket: a connected lambda that held it would keep it alive beyond its parent, and then it
    # would be destroyed twice.
    encrypted = Signal(object)
    failed = Signal(object, str)
    readyRead = Signal()
    bytesWritten = Signal(int)
    disconnected = Signal()

    def __init__(self, socket: QTcpSocket, choose: Choose, *, server: bool, name: str | None, parent: QObject) -> None:
        """`choose` gives the context: at a server's end from the first record, which names who is asked for.

        OpenSSL's own callback for that name would come too late: it changes the certificate, but not whom to trust.
        """
        super().__init__(parent)
        self._socket = socket
        # Let go once it has chosen: it is often a method of the parent, and a parent whose last holder is its child
        # would be destroyed in the middle of the child's own destruction, and the child twice.
        self._choose: Choose | None = choose if server else None
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._greeting = bytearray()
        self._tls: ssl.SSLObject | None = None if server else self._wrap(choose(b""), name)
        self.context: ssl.SSLContext | None = None
        self.measuring = False
        self._plain = bytearray()
        # `_shut`: the other end has ended or broken TLS; the socket below may stay for what it still has to write.
        self._up = self._ended = self._shut = False
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._on_patience)
        socket.setParent(self)
        socket.setReadBufferSize(_READ_BUFFER)
        # Small frames in both directions: waiting for more would cost 40 ms each.
        socket.setSocketOption(QAbstractSocket.SocketOption.LowDelayOption, 1)
        socket.setSocketOption(QAbstractSocket.SocketOption.KeepAliveOption, 1)
        socket.readyRead.connect(self._on_ready_read)
        socket.bytesWritten.connect(self._on_written)
        socket.disconnected.connect(self._on_disconnected)

    def begin(self) -> None:
        """Shake hands; bytes may have come before."""
        self._patience.start(HANDSHAKE_MS)
        if self._tls is not None:
            self._advance(self._tls)
        self._on_ready_read()

    def _wrap(self, context: ssl.SSLContext, name: str | None = None) -> ssl.SSLObject:
        self.context = context
        return context.wrap_bio(self._incoming, self._outgoing, server_side=name is None, server_hostname=name)

    @property
    def peer_certificate(self) -> bytes | None:
        """The certificate of the other end in DER; None for a client that is only being paired."""
        return self._tls.getpeercert(binary_form=True) if self._tls is not None else None

    @property
    def address(self) -> str:
        """The other end's address, without its port."""
        return self._socket.peerAddress().toString()

    # -- the names of a local socket ------------------------------------------------------------------------

    def state(self) -> QLocalSocket.LocalSocketState:
        """Connected once both sides are who they must be, and until the end."""
        states = QLocalSocket.LocalSocketState
        return states.ConnectedState if self._up and not self._ended and not self._shut else states.UnconnectedState

    def isOpen(self) -> bool:
        """Whether anything can still be read."""
        return self._up and (not self._ended or bool(self._plain))

    def bytesAvailable(self) -> int:
        """Decrypted bytes that wait."""
        return len(self._plain)

    def read(self, most: int) -> QByteArray:
        """Up to so many decrypted bytes."""
        data = bytes(self._plain[:most])
        del self._plain[:most]
        # The socket stops reading while these wait; now there is room again.
        if len(self._plain) < _READ_BUFFER and self._socket.bytesAvailable():
            QTimer.singleShot(0, self, self._on_ready_read)
        return QByteArray(data)

    def take(self) -> bytes:
        """All decrypted bytes that wait."""
        return bytes(self.read(len(self._plain)).data())

    def write(self, data: bytes) -> int:
        """Encrypt and send; -1 where the connection is over."""
        if self._tls is None or not self._up or self._ended or self._shut:
            return -1
        view = memoryview(data)
        while view:
            view = view[self._tls.write(view) :]
        self._flush_tls()
        return len(data)

    def bytesToWrite(self) -> int:
        """Encrypted bytes that the system has not taken yet."""
        return self._socket.bytesToWrite()

    def flush(self) -> bool:
        """Hand over what waits."""
        return self._socket.flush()

    def setReadBufferSize(self, size: int) -> None:
        """As of the socket below."""
        self._socket.setReadBufferSize(size)

    def disconnectFromServer(self) -> None:
        """Close once everything is written."""
        self._socket.disconnectFromHost()

    def abort(self) -> None:
        """Close at once."""
        self._socket.abort()
        # A socket that was never connected says nothing.
        self._on_disconnected()

    # -- inside ---------------------------------------------------------------------------------------------

    @Slot()
    def _on_ready_read(self) -> None:
        while not self._ended and self._socket.bytesAvailable() and len(self._plain) < _READ_BUFFER:
            data = bytes(self._socket.read(_PIECE).data())
            tls = self._tls or self._greeted(data)
            if self._ended:
                return
            if tls is None:
                continue
            if self._greeting:
                data, self._greeting = bytes(self._greeting), bytearray()
            self._incoming.write(data)
            if not self._advance(tls):
                return
        if self._plain:
            self.readyRead.emit()

    def _greeted(self, data: bytes) -> ssl.SSLObject | None:
        """The server's end of TLS once the first record is whole; the record waits in `_greeting`."""
        self._greeting += data
        if self._greeting[0] != _HANDSHAKE_RECORD:
            self._fail("it does not speak TLS")
            return None
        if len(self._greeting) < _RECORD_HEADER:
            return None
        length = int.from_bytes(self._greeting[3:_RECORD_HEADER], "big")
        if length > _LONGEST_RECORD:
            self._fail("it does not speak TLS")
            return None
        if len(self._greeting) < _RECORD_HEADER + length:
            return None
        # Kept here: the contexts change when a station is paired in the middle of this handshake.
        self.measuring = MEASURING_NAME.encode() in self._greeting
        choose, self._choose = self._choose, None
        assert choose is not None, "a server chooses once"
        self._tls = self._wrap(choose(bytes(self._greeting)))
        return self._tls

    def _advance(self, tls: ssl.SSLObject) -> bool:
        """Shake hands or decrypt; False if that is over."""
        try:
            if not self._up:
                tls.do_handshake()
                self._up = True
                self._patience.stop()
                self._flush_tls()
                self.encrypted.emit(self)
            while data := tls.read(_PIECE):
                self._plain += data
        except ssl.SSLWantReadError:
            self._flush_tls()
            return True
        except ssl.SSLEOFError:
            pass
        except ssl.SSLError as error:
            # The alert gives the other side the reason.
            self._flush_tls()
            self._fail(_reason(error))
            return False
        # Nothing to read and nothing to wait for: the other end has said that it is done.
        self._flush_tls()
        self._shut = True
        self._socket.disconnectFromHost()
        return False

    def _flush_tls(self) -> None:
        if data := self._outgoing.read():
            self._socket.write(data)

    @Slot("qint64")
    def _on_written(self, count: int) -> None:
        if self._up:
            self.bytesWritten.emit(count)

    @Slot()
    def _on_patience(self) -> None:
        self._fail("it did not finish its handshake in time")

    def _fail(self, why: str) -> None:
        if self._ended:
            return
        was_up, self._shut = self._up, True
        self._socket.disconnectFromHost()
        if not was_up:
            self._end()
            self.failed.emit(self, why)

    @Slot()
    def _on_disconnected(self) -> None:
        if self._ended:
            return
        # What came just before the end still counts.
        self._on_ready_read()
        was_up = self._up
        self._end()
        if was_up:
            self.disconnected.emit()
        else:
            self.failed.emit(self, "the connection ended during the handshake")

    def _end(self) -> None:
        self._ended = True
        self._choose = None
        self._patience.stop()


def _reason(error: ssl.SSLError) -> str:
    """OpenSSL's reason in words."""
    reason = (error.reason or str(error)).lower().replace("_", " ")
    if isinstance(error, ssl.SSLCertVerificationError) or "certificate" in reason or "unknown ca" in reason:
        return NOT_PAIRED
    if "version" in reason or "protocol" in reason:
        return "it does not speak TLS 1.3"
    return f"the handshake failed ({reason})"
