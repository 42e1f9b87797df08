"""Dials the wizard's station in another room, and asks for the code where both are not paired yet."""

from PySide6.QtCore import QObject, Slot

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.link.qt import SubjectLink
from curtain.qt.style import Look
from curtain_rooms.network.beacon import BeaconWatch
from curtain_rooms.network.dialler import NetworkDialler, PairingCall, read_address
from curtain_rooms.network.identity import own_station
from curtain_rooms.subject.room_page import RoomPage
from subject_app.session.texts import Texts
from subject_app.window import Window


class WayIn(QObject):
    """As `curtain.ports.way.Way`. The first time an assistant types address and code on a page."""

    def __init__(self, address: str, link: SubjectLink, clock: Clock, window: Window, look: Look, texts: Texts) -> None:
        """Raises CurtainError for an address that cannot be, and an identity that cannot be kept."""
        super().__init__(window)
        self._address, self._link, self._clock, self._window = address, link, clock, window
        # Refused at the command line rather than on the page.
        read_address(address)
        self._identity, self._trust = own_station("subject")
        self._call: PairingCall | None = None
        self._dialler: NetworkDialler | None = None
        self._page = RoomPage(look, texts)
        window.add_page("room", self._page)
        BeaconWatch(clock.monotonic_ns, self._page).found.connect(self._page.show_found)
        self._page.connect_requested.connect(self._pair)
        link.dial_failed.connect(self._on_dial_failed)
        self._dial() if self._trust.of_role("wizard") else self._ask("")

    def _ask(self, sentence: str, address: str = "") -> None:
        self._window.setProperty("state", "room")
        self._window.cover_with("room")
        self._page.show_address(address or self._address)
        self._page.show_problem(sentence)

    @Slot(str, str)
    def _pair(self, address: str, code: str) -> None:
        """Try this code at this address; while one try goes on another is not begun."""
        if self._call is not None:
            return
        try:
            host, port = read_address(address)
        except CurtainError as error:
            self._ask(str(error), address)
            return
        self._address = address
        call = self._call = PairingCall(host, port, code, self._identity, self._trust, self._clock.wall_utc, self)
        call.paired.connect(self._on_paired)
        call.failed.connect(self._on_failed)
        call.begin()

    @Slot(object)
    def _on_paired(self, _station: object) -> None:
        self._call = None
        self._window.setProperty("state", "waiting")
        self._window.cover_with("")
        self._dial()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._call = None
        self._ask(sentence)

    @Slot(str)
    def _on_dial_failed(self, sentence: str) -> None:
        # The other end has another certificate, or has unpaired this station: only a new code helps.
        if self._dialler is not None and self._dialler.needs_code:
            self._link.close()
            self._ask(sentence)

    def _dial(self) -> None:
        host, port = read_address(self._address)
        self._dialler = NetworkDialler(host, port, self._identity, self._trust, self)
        self._link.dial_through(self._dialler)
