"""A station that joins another one's session as a chair: paired once with the code, and then known."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.clock import Clock
from curtain.link.network.dialler import NetworkDialler, PairingCall, read_address
from curtain.link.network.own_identity import own_station
from curtain.session.roles import Chair
from wizard_app.desk.chairs.chair_link import ChairLink


class PairingDialler(QObject):
    """Dials the session's own station; with a code it pairs first, once."""

    connected = Signal(object)
    failed = Signal(str)

    def __init__(self, address: str, code: str, chair: Chair, clock: Clock) -> None:
        """Raises CurtainError."""
        super().__init__()
        self._host, self._port = read_address(address)
        self._chair: Chair = chair
        self._code = code.replace(" ", "")
        self._clock = clock
        self._identity, self._trust = own_station("chair")
        self._dialler = NetworkDialler(self._host, self._port, self._identity, self._trust, self)
        self._dialler.connected.connect(self.connected)
        self._dialler.failed.connect(self._on_failed)

    @Slot()
    def dial(self) -> None:
        """Try once; `connected(socket)` or `failed(sentence)` follows."""
        if self._code:
            self._pair()
        else:
            self._dialler.dial()

    def _pair(self) -> None:
        code, self._code = self._code, ""
        call = PairingCall(
            self._host, self._port, code, self._identity, self._trust, self._clock.wall_utc, self, self._chair
        )
        call.paired.connect(lambda _station: self._dialler.dial())
        call.failed.connect(self.failed)
        call.begin()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        wants_code = " Start again with --code and the code that the other station shows under “Other chairs”."
        self.failed.emit(sentence + wants_code if self._dialler.needs_code else sentence)


def joined_link(address: str, code: str, who: str, chair: Chair, clock: Clock) -> ChairLink:
    """The link of a chair to the session's own station. Raises CurtainError."""
    dialler = PairingDialler(address, code, chair, clock)
    link = ChairLink(dialler, who, chair, clock)
    dialler.setParent(link)
    return link
