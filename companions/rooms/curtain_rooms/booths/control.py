"""The other room: the wizard's station on the network, who is paired with it, and who is connected now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.link.events import BoothReport
from curtain.qt.languages.translation import translate
from curtain.session.roles import CHAIRS
from curtain_rooms.chairs.people import chair_names
from curtain_rooms.network.beacon import Beacon
from curtain_rooms.network.identity import KnownStation, StationRole, machine_addresses, own_station
from curtain_rooms.network.listener import NetworkListener
from curtain_rooms.network.tls_socket import TlsSocket

if TYPE_CHECKING:
    from curtain.link.qt import SessionLink
    from curtain.link.wire import LinkSocket

# How long a station that is refused is still shown as asking: it dials again every second.
_ASKING_MS = 3000


BoothStanding = Literal["connected", "waits", "called", "away"]
"""Of a paired station: it has the place, waits because another one has it, is to have it next, or is not here."""


@dataclass(frozen=True)
class BoothRow:
    """A paired station. `calls`: somebody asked for help there, and nobody has gone yet."""

    name: str
    standing: BoothStanding
    calls: bool = False


@dataclass(frozen=True)
class RoomState:
    """What the start page shows of the other room. `codes` by chair, that of a subject's station under ""; none while
    pairing is closed. `wrong` codes came since the last right one."""

    addresses: tuple[str, ...]
    codes: Mapping[str, str]
    closed_s: int
    booths: tuple[BoothRow, ...]
    notice: str
    wrong: int = 0


def codes_in_words(state: RoomState) -> str:
    """“Code 123 456”, for other desks a code for each chair, or for how long pairing is closed."""
    if not state.codes:
        closed = translate("RoomPanel", "Pairing is closed for {0} s after {1} wrong codes.")
        return closed.format(state.closed_s, state.wrong)
    spaced = {chair: f"{code[:3]} {code[3:]}" for chair, code in state.codes.items()}
    if "" in spaced:
        return translate("RoomPanel", "Code {0}").format(spaced[""])
    return "   ".join(f"{name} {spaced[chair]}" for chair, name in chair_names().items())


class RoomsControl(QObject):
    """Listens on the network and keeps the list of booths; `changed(RoomState)` after everything that is shown.

    `calls_changed(names)`: the booths where somebody asked for help.
    """

    changed = Signal(object)
    calls_changed = Signal(list)

    def __init__(
        self,
        take_in: Callable[[LinkSocket, KnownStation], object],
        clock: Clock,
        parent: QObject | None = None,
        role: StationRole = "subject",
    ) -> None:
        """`role` is what may come in: subjects' stations, or chairs."""
        super().__init__(parent)
        self._role: StationRole = role
        self._take_in = take_in
        self._clock = clock
        self._listener: NetworkListener | None = None
        self._beacon: Beacon | None = None
        self._addresses: tuple[str, ...] = ()
        self._sockets: dict[str, TlsSocket] = {}
        self._waited: dict[str, int] = {}
        self._calls: dict[str, str] = {}
        self._expected = self._seated = ""
        self._booths: SessionLink | None = None
        self._notice = ""
        self._closed = QTimer(self, interval=1000)
        self._closed.timeout.connect(self._show)

    def open(self, address: str, port: int) -> None:
        """Listen at an address of this machine, every one if empty. Raises CurtainError."""
        own_address = "" if address in ("0.0.0.0", "::") else address
        identity, self._trust = own_station("wizard")
        listener = NetworkListener(
            identity, self._trust, self._clock.monotonic_ns, self._clock.wall_utc, self, self._role,
            CHAIRS if self._role == "chair" else ("",),
        )  # fmt: skip
        listener.listen(address, port)
        listener.station_came.connect(self._on_station)
        listener.paired.connect(self._on_paired)
        listener.pairing_failed.connect(self._on_pairing_failed)
        listener.turned_away.connect(self._on_turned_away)
        listener.code_changed.connect(self._show)
        self._listener = listener
        if self._role == "subject":
            self._beacon = Beacon(identity.name, listener.port, self, listening_at=own_address)
        named = [own_address] if own_address else machine_addresses() or ["127.0.0.1"]
        self._addresses = tuple(f"[{one}]:{listener.port}" if ":" in one else f"{one}:{listener.port}" for one in named)
        self._show()

    def follow(self, booths: SessionLink) -> None:
        """Know from here on which stations wait, and which call; the place can be given to any of them."""
        self._booths = booths
        booths.booth_reported.connect(self._on_booth_report)

    def serve(self, name: str) -> None:
        """The next session is for this booth: whoever has the place waits like the others."""
        station = next((one for one in self._trust.of_role(self._role) if one.name == name), None)
        if station is None or self._booths is None or self._standing(station) == "connected":
            return
        self._expected = station.fingerprint
        self._booths.serve(station.fingerprint)
        self._show()

    def answer_calls(self) -> None:
        """Somebody has gone to the booths that called."""
        if self._calls:
            self._calls.clear()
            self._show_calls()

    def show_codes(self, in_sight: bool) -> None:
        """Whether a screen shows the codes: nobody is paired while none does."""
        if self._listener is not None and in_sight != self._listener.desk.in_sight:
            self._listener.desk.in_sight = in_sight
            self._show()

    def close(self) -> None:
        """Stop listening and announcing."""
        if self._beacon is not None:
            self._beacon.stop()
        if self._listener is not None:
            self._listener.close()

    def unpair(self, name: str) -> None:
        """Forget a station; its connection ends, and it has to be paired again."""
        if self._listener is None:
            return
        try:
            gone = self._trust.remove(name)
        except CurtainError as error:
            self._show_notice(str(error))
            return
        self._listener.trust_changed()
        for station in gone:
            self._calls.pop(station.fingerprint, None)
            socket = self._sockets.pop(station.fingerprint, None)
            if socket is not None:
                socket.abort()
        self._show_calls()
        self._show_notice(self.tr("{0} is no longer paired.").format(name))

    @Slot(object, object)
    def _on_station(self, socket: TlsSocket, station: KnownStation) -> None:
        self._sockets[station.fingerprint] = socket
        socket.disconnected.connect(self._on_gone)
        self._take_in(socket, station)
        self._show()

    @Slot(object)
    def _on_booth_report(self, report: BoothReport) -> None:
        if report.what == "waits":
            self._waited[report.mark] = self._clock.monotonic_ns()
        elif report.what == "sits":
            self._seated, self._expected = report.mark, ""
        if report.what != "calls":
            self._show()
            return
        for station in self._trust.of_role(self._role):
            if station.fingerprint == report.mark:
                self._calls[report.mark] = station.name
                self._show_calls()

    def _show_calls(self) -> None:
        self.calls_changed.emit(sorted(self._calls.values()))
        self._show()

    @Slot()
    def _on_gone(self) -> None:
        # Shown a moment later: a station that is refused hangs up and dials again.
        QTimer.singleShot(_ASKING_MS, self, self._show)

    @Slot(object)
    def _on_paired(self, station: KnownStation) -> None:
        self._show_notice(self.tr("{0} is paired.").format(station.name))

    @Slot(str, str)
    def _on_pairing_failed(self, address: str, why: str) -> None:
        if why == "closed":
            self._show_notice(self.tr("{0} tried to pair while pairing is closed.").format(address))
        else:
            self._show_notice(self.tr("{0} tried to pair with a wrong code.").format(address))

    @Slot(str, str)
    def _on_turned_away(self, address: str, why: str) -> None:
        self._show_notice(self.tr("A station at {0} was turned away: {1}.").format(address, why))

    def _show_notice(self, sentence: str) -> None:
        self._notice = sentence
        self._show()

    @Slot()
    def _show(self) -> None:
        if self._listener is None:
            return
        now = self._clock.monotonic_ns()
        is_open = self._listener.desk.open_at(now)
        closed_s = 0 if is_open else round(self._listener.desk.seconds_closed(now))
        # While it is closed the seconds count down.
        self._closed.start() if closed_s else self._closed.stop()
        booths = tuple(map(self._booth, self._trust.of_role(self._role)))
        desk = self._listener.desk
        codes = desk.codes if is_open else {}
        self.changed.emit(RoomState(self._addresses, codes, closed_s, booths, self._notice, desk.wrong_in_all))

    def _booth(self, station: KnownStation) -> BoothRow:
        return BoothRow(station.name, self._standing(station), station.fingerprint in self._calls)

    def _standing(self, station: KnownStation) -> BoothStanding:
        mark = station.fingerprint
        socket, waited = self._sockets.get(mark), self._waited.get(mark)
        is_here = socket is not None and socket.state() == socket.state().ConnectedState
        if is_here and (self._booths is None or mark == self._seated):
            return "connected"
        if mark == self._expected:
            return "called"
        just_now = waited is not None and self._clock.monotonic_ns() - waited < _ASKING_MS * 1_000_000
        return "waits" if just_now else "away"
