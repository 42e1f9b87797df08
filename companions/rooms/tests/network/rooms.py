"""Two stations in two rooms, for tests: each with a certificate of its own, paired or not."""

import datetime
import time
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization

from curtain_rooms.network.dialler import NetworkDialler
from curtain_rooms.network.identity import Identity, KnownStation, TrustStore, load_identity
from curtain_rooms.network.listener import NetworkListener


def utc_text() -> str:
    return "2026-03-01T09:30:00.000Z"


@dataclass
class Room:
    identity: Identity
    trust: TrustStore

    @classmethod
    def made(cls, folder: Path, name: str) -> "Room":
        return cls(load_identity(folder / name, name), TrustStore(folder / name))

    @classmethod
    def dated(cls, folder: Path, name: str, begins: datetime.datetime, days: int) -> "Room":
        """As an earlier Curtain made it: its certificate counts for so many days by the clock of its computer."""
        made = cls.made(folder, name)
        key = serialization.load_pem_private_key(made.identity.key_file.read_bytes(), None)
        old = x509.load_der_x509_certificate(made.identity.certificate)
        builder = x509.CertificateBuilder(
            old.issuer, old.subject, old.public_key(), old.serial_number, begins,
            begins + datetime.timedelta(days=days), list(old.extensions),
        )  # fmt: skip
        made.identity.certificate_file.write_bytes(
            builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )
        return cls.made(folder, name)

    def known_as(self, role) -> KnownStation:
        return KnownStation(self.identity.name, role, self.identity.certificate, utc_text())

    def listener(self, parent=None, role="subject", chairs=("",), utc=utc_text) -> NetworkListener:
        listener = NetworkListener(self.identity, self.trust, time.monotonic_ns, utc, parent, role, chairs)
        listener.listen("127.0.0.1", 0)
        return listener

    def dialler(self, port: int, parent=None) -> NetworkDialler:
        return NetworkDialler("127.0.0.1", port, self.identity, self.trust, parent)


def paired_rooms(folder: Path) -> tuple[Room, Room]:
    """A wizard's and a subject's room that know each other."""
    wizard, subject = Room.made(folder, "desk"), Room.made(folder, "booth")
    wizard.trust.add(subject.known_as("subject"))
    subject.trust.add(wizard.known_as("wizard"))
    return wizard, subject
