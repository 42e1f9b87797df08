"""A station that joins another one's session as a chair: paired once with the code, and then known."""

from __future__ import annotations

from functools import partial

import msgspec
from PySide6.QtCore import QObject, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.session.chairs.messages import WizardId
from curtain.session.roles import Chair
from curtain_rooms.chairs.chair_link import ChairLink
from curtain_rooms.network.dialler import NetworkDialler, PairingCall, read_address
from curtain_rooms.network.identity import own_station
from wizard_app.keys.table import key_of

_SHOWN = (
    " The session’s own station shows a code for each role under “Other chairs”, and during a session "
    f"with {key_of('other_desks')}."
)


class PairingDialler(QObject):
    """Dials the session's own station; with a code it pairs first, until that station has accepted or refused it."""

    connected = Signal(object)
    failed = Signal(str)

    def __init__(self, address: str, code: str, who: str, chair: Chair, clock: Clock) -> None:
        """Raises CurtainError."""
        super().__init__()
        self._host, self._port = read_address(address)
        self._chair: Chair = chair
        self._code = code.replace(" ", "")
        self._clock = clock
        self._identity, self._trust = own_station("chair", who)
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
        call = PairingCall(
            self._host, self._port, self._code, self._identity, self._trust, self._clock.wall_utc, self, self._chair
        )
        call.paired.connect(self._on_paired)
        call.failed.connect(partial(self._on_pairing_failed, call))
        call.begin()

    @Slot(object)
    def _on_paired(self, _station: object) -> None:
        self._code = ""
        self._dialler.dial()

    def _on_pairing_failed(self, call: PairingCall, sentence: str) -> None:
        # A code that is not shown now, or a station that does not answer yet, says nothing about the code.
        if call.why not in (None, "closed"):
            self._code = ""
        self.failed.emit(sentence + _SHOWN if call.why is not None else sentence)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.failed.emit(f"{sentence} Start again with --code.{_SHOWN}" if self._dialler.needs_code else sentence)


def joined_link(address: str, code: str, who: str, chair: Chair, clock: Clock) -> ChairLink:
    """The link of a chair to the session's own station. Raises CurtainError."""
    try:
        msgspec.convert(who, WizardId)
    except msgspec.ValidationError as error:
        # It names a folder, and the other station refuses a hello with another one.
        raise CurtainError(f"“{who}” is no id here. Take 1 to 64 letters, digits and “-”.") from error
    dialler = PairingDialler(address, code, who, chair, clock)
    link = ChairLink(dialler, who, chair, clock)
    dialler.setParent(link)
    return link
