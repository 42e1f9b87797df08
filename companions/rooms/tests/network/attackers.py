"""Whoever attacks the wizard's port, as a program of its own, so that it takes no time from the station's loop.

    python -m companions.rooms.tests.network.attackers KIND PORT FOLDER COUNT

Prints one line, how many tries were made, once all are over. `FOLDER` holds the certificates.
"""

import socket
import ssl
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companions.rooms.tests.network.rooms import Room
from curtain.link.framing import ProtocolError
from curtain_rooms.network.identity import load_identity
from curtain_rooms.network.pairing import PairFrames, PairingError, PairProof, SubjectPairing, pair_frame
from curtain_rooms.network.tls_socket import PAIRING_NAME

PATIENCE_S = 20.0
NAME = "station.curtain.invalid"
REFUSED = (OSError, ssl.SSLError, EOFError, PairingError, ProtocolError)


def client(room: Room | None, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = newest
    if room is not None:
        context.load_cert_chain(room.identity.certificate_file, room.identity.key_file)
    return context


def reached(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE_S)


def station(port: int, room: Room) -> ssl.SSLSocket:
    """A connection as this station makes it."""
    return client(room).wrap_socket(reached(port), server_hostname=NAME)


def listen_to_the_end(connection: socket.socket) -> None:
    while connection.recv(65536):
        pass


def guess(port: int, room: Room, number: int) -> None:
    """One wrong code; the proof is sent even though the wizard's own does not fit."""
    with client(None).wrap_socket(reached(port), server_hostname=PAIRING_NAME) as tls:
        certificate = tls.getpeercert(binary_form=True)
        assert certificate is not None
        tls.sendall(pair_frame(SubjectPairing(f"{number:06}", "x", room.identity.certificate, certificate).begin()))
        frames = PairFrames()
        while data := tls.recv(65536):
            if list(frames.feed(data)):
                tls.sendall(pair_frame(PairProof(bytes(32))))
                listen_to_the_end(tls)


def knock(port: int, context: ssl.SSLContext, said: bytes = b"", name: str = NAME) -> None:
    """As a station with this certificate, or with none, that says something at once."""
    with context.wrap_socket(reached(port), server_hostname=name) as tls:
        tls.sendall(said or b"\0\0\0\1\x80")
        listen_to_the_end(tls)


def replay(port: int, recorded: bytes) -> None:
    """Every byte that a paired station once said, from the first."""
    with reached(port) as connection:
        connection.sendall(recorded)
        listen_to_the_end(connection)


def trickle(port: int, count: int) -> None:
    """A handshake that never ends, on so many connections at once, a byte at a time."""
    held: list[socket.socket] = []
    for number in range(10 * count):
        with suppress(OSError):
            held.append(reached(port))
            held[-1].sendall(b"\x16")
        with suppress(OSError):
            held[number % len(held)].sendall(b"\x03")
        if len(held) > count:
            held.pop(0).close()


def main(kind: str, port: int, folder: Path, count: int) -> None:
    stranger = Room(load_identity(folder / "stranger", "stranger"), Room.made(folder, "stranger").trust)
    paired = Room.made(folder, "booth")
    recorded = (folder / "recorded.bin").read_bytes() if kind == "replayed" else b""
    huge = (2**31).to_bytes(4, "big") + bytes(100_000)
    tries: dict[str, Callable[[int], None]] = {
        "wrong codes": lambda number: guess(port, stranger, number),
        "foreign certificates": lambda _: knock(port, client(stranger)),
        "no certificate": lambda _: knock(port, client(None)),
        "TLS 1.2": lambda _: knock(port, client(paired, ssl.TLSVersion.TLSv1_2)),
        "replayed": lambda _: replay(port, recorded),
        "huge frames of a paired station": lambda _: knock(port, client(paired), huge),
        "slow-loris": lambda _: trickle(port, 200),
    }
    for number in range(count):
        with suppress(*REFUSED):
            tries[kind](number)
    print(count, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
