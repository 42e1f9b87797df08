"""Dials the wizard's station in another room, and asks for the code where both are not paired yet."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.link.network.dialler import NetworkDialler, PairingCall, read_address
from curtain.link.network.own_identity import own_station
from curtain.link.qt import SubjectLink


class RoomLink(QObject):
    """`code_wanted(address, sentence)`: an assistant has to type address and code. `paired()`: that is done."""

    code_wanted = Signal(str, str)
    paired = Signal()

    def __init__(self, link: SubjectLink, address: str, clock: Clock, parent: QObject | None = None) -> None:
        """Raises CurtainError for an address that cannot be, and an identity that cannot be kept."""
        super().__init__(parent)
        self._link = link
        self._address = address
        self._clock = clock
        # Refused at the command line rather than on the page.
        read_address(address)
        self._identity, self._trust = own_station("subject")
        self._call: PairingCall | None = None
        self._dialler: NetworkDialler | None = None
        link.dial_failed.connect(self._on_dial_failed)

    def begin(self) -> None:
        """Dial, or ask for the code first."""
        if self._trust.of_role("wizard"):
            self._dial()
        else:
            self.code_wanted.emit(self._address, "")

    @Slot(str, str)
    def pair(self, address: str, code: str) -> None:
        """Try this code at this address; while one try goes on another is not begun."""
        if self._call is not None:
            return
        try:
            host, port = read_address(address)
        except CurtainError as error:
            self.code_wanted.emit(address, str(error))
            return
        self._address = address
        call = self._call = PairingCall(host, port, code, self._identity, self._trust, self._clock.wall_utc, self)
        call.paired.connect(self._on_paired)
        call.failed.connect(self._on_failed)
        call.begin()

    @Slot(object)
    def _on_paired(self, _station: object) -> None:
        self._call = None
        self.paired.emit()
        self._dial()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._call = None
        self.code_wanted.emit(self._address, sentence)

    @Slot(str)
    def _on_dial_failed(self, sentence: str) -> None:
        # The other end has another certificate, or has unpaired this station: only a new code helps.
        if self._dialler is not None and self._dialler.needs_code:
            self._link.close()
            self.code_wanted.emit(self._address, sentence)

    def _dial(self) -> None:
        host, port = read_address(self._address)
        self._dialler = NetworkDialler(host, port, self._identity, self._trust, self)
        self._link.dial_through(self._dialler)
