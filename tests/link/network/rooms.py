"""Two stations in two rooms, for tests: each with a certificate of its own, paired or not."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass
from pathlib import Path

from curtain.link.network.dialler import NetworkDialler
from curtain.link.network.identity import Identity, KnownStation, TrustStore, load_identity
from curtain.link.network.listener import NetworkListener

NOW_UTC = datetime.datetime(2026, 3, 1, 9, 30, tzinfo=datetime.UTC)


def utc_text() -> str:
    return "2026-03-01T09:30:00.000Z"


@dataclass
class Room:
    identity: Identity
    trust: TrustStore

    @classmethod
    def made(cls, folder: Path, name: str, now=lambda: datetime.datetime.now(datetime.UTC)) -> Room:
        return cls(load_identity(folder / name, name, now), TrustStore(folder / name))

    def known_as(self, role) -> KnownStation:
        return KnownStation(self.identity.name, role, self.identity.certificate, utc_text())

    def listener(self, parent=None, role="subject") -> NetworkListener:
        listener = NetworkListener(self.identity, self.trust, time.monotonic_ns, utc_text, parent, role)
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
