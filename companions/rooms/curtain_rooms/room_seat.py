"""The seat at a desk among several, and the rooms of the others: made and connected to the window here."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath

import msgspec
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from curtain.base.errors import CurtainError
from curtain.domain.worker.worker import SqlWorker
from curtain.link.qt import SessionLink
from curtain.link.socket_paths import is_network_address
from curtain.link.wire import LinkSocket
from curtain.ports.discovery import offers
from curtain.ports.seat import Desk, DeskSeat
from curtain.qt.background import Background
from curtain.qt.languages.translation import translate
from curtain.qt.widgets import named
from curtain.session.roles import Chair
from curtain.session.study.study import Study
from curtain_rooms.booths.control import RoomsControl
from curtain_rooms.booths.missing_line import MissingLine
from curtain_rooms.booths.other_station import OtherStationProcess
from curtain_rooms.booths.room_panel import OtherStationPanel, RoomPanel
from curtain_rooms.chairs.chair_link import ChairLink
from curtain_rooms.chairs.desk import ChairDesk
from curtain_rooms.chairs.messages import SessionHere
from curtain_rooms.chairs.people import chair_names
from curtain_rooms.chairs.server import ChairServer
from curtain_rooms.network.dialler import read_address
from curtain_rooms.network.identity import KnownStation, StationRole
from wizard_app.desk.session.progress import Facts
from wizard_app.desk.turn.control import TurnControl
from wizard_app.options import WizardOptions


class RoomSeat(DeskSeat):
    """As `curtain.ports.seat.DeskSeat`."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._server = ChairServer(desk.session, desk.clock, desk.window)
        self._chairs: ChairDesk

    def write(self, facts: Facts) -> None:
        """As the server decides, once others have joined."""
        self._server.write(facts)

    def check_with(self, worker: SqlWorker, background: Background) -> None:
        """Answers of other desks are worked out again over it."""
        self._server.check_with(worker, background)

    def share(self, turns: TurnControl, show: Callable[[], None]) -> None:
        """This desk among several: the host's own, or one that joins."""
        session, window, joined, server = self.desk.session, self.desk.window, self.desk.joined, self._server
        if not isinstance(joined, ChairLink):
            chairs = ChairDesk(session, turns, lambda: server.own_id, lambda wish: server.decide(wish(0)), window)
            server.notice.connect(window.show_notice)
        else:
            chairs = ChairDesk(session, turns, lambda: joined.who, joined.ask, window)
            self._join(joined)
        self._chairs = chairs
        chairs.changed.connect(window.show_people)
        chairs.notice.connect(window.show_notice)
        chairs.prefilled.connect(show)
        chairs.receivers_wanted.connect(lambda people: ReceiverMenu(people, chairs.hand_to, window).open_over(window))

    def _join(self, joined: ChairLink) -> None:
        study, window = self.desk.study, self.desk.window
        waits = translate("Chairs", "You join as {0}. Waiting for the session to begin.").format(joined.chair)
        window.start.show_joining()
        window.start.hinder("chair", waits)
        no_host = translate("Chairs", "The session’s own station is not connected. What you type stays here.")
        joined.refused.connect(window.show_notice)
        joined.linked.connect(window.top.show_link)

        def look_at_domain(here: SessionHere) -> None:
            sentence = _other_domain(here, study)
            window.show_problem("domain", sentence) if sentence else window.end_problem("domain")

        joined.session_here.connect(look_at_domain)
        joined.linked.connect(lambda up: window.end_problem("chair") if up else window.show_problem("chair", no_host))

    def hand_over(self) -> None:
        """Give the part that is worked on to another chair that may hold it."""
        self._chairs.hand_over()

    def open_room(self, listen: str) -> None:
        """Raises CurtainError."""
        link = self.desk.link
        if is_network_address(listen):
            missing = self._open(lambda tls, station: link.take_in(tls, station.fingerprint), listen, booths=link)
            self.desk.session.link_changed.connect(missing.show_link)

    def open_desk(self, options: WizardOptions) -> None:
        """Other desks at an address of their own, and other kinds of subjects' stations at the session's own."""
        self._listen_for_chairs(options.chairs)
        if self.desk.joined is None:
            self._offer_stations(options)

    def _listen_for_chairs(self, listen: str) -> None:
        server, window = self._server, self.desk.window
        nowhere = translate(
            "Chairs", "No desk can join: the session’s own station was started without --chairs ADDRESS."
        )
        try:
            if listen:
                take_in = lambda tls, station: server.take_in(tls, station.chair, station.fingerprint)  # noqa: E731
                window.desks_wanted.connect(self._open(take_in, listen, "chair").toggle)
            else:
                window.desks_wanted.connect(partial(window.show_notice, nowhere))
        except CurtainError as error:
            window.show_problem("chairs", str(error))

    def _offer_stations(self, options: WizardOptions) -> None:
        window = self.desk.window
        listen = WizardOptions.listen if is_network_address(options.listen) else options.listen
        wanted = msgspec.json.decode(options.stations)
        for station in offers("station"):
            panel = OtherStationPanel(self.desk.look)
            invite = named(QPushButton(panel.tr(station.title)), "start_other_station")
            process = OtherStationProcess(partial(station.command, wanted, self.desk.study.folder, listen), window)
            window.start.add_room(invite)
            window.above.addWidget(panel)
            invite.clicked.connect(process.start)
            panel.link_requested.connect(process.start)
            process.began.connect(panel.show_beginning)
            process.began.connect(invite.hide)
            window.pages.currentChanged.connect(partial(self._show_desk, panel))
            process.reported.connect(panel.show_report)
            process.ended.connect(panel.show_end)
            window.closed.connect(process.close)
            if wanted.get(station.name):
                process.start()

    def _show_desk(self, panel: OtherStationPanel, _page: int) -> None:
        panel.show_desk(self.desk.window.page is not self.desk.window.start)

    def _open(
        self,
        take_in: Callable[[LinkSocket, KnownStation], object],
        listen: str,
        role: StationRole = "subject",
        booths: SessionLink | None = None,
    ) -> MissingLine:
        """Listen for other stations, and show address, code and who is paired on the start page; elsewhere a line says
        it while a station is missed. Raises CurtainError."""
        window = self.desk.window
        rooms = RoomsControl(take_in, self.desk.clock, window, role)
        panel = RoomPanel(self.desk.look, role)
        window.start.add_room(panel, above=True)
        rooms.changed.connect(panel.show_state)
        missing = MissingLine(role, window)
        rooms.changed.connect(missing.show_state)
        missing.changed.connect(partial(window.show_missing, role))
        window.pages.currentChanged.connect(lambda _index: missing.show_desk(window.page is not window.start))
        window.pages.currentChanged.connect(
            lambda _index: rooms.show_codes(window.page is window.start or missing.shown)
        )
        missing.changed.connect(lambda words: rooms.show_codes(window.page is window.start or bool(words)))
        panel.unpair_requested.connect(rooms.unpair)
        if booths is not None:
            rooms.follow(booths)
            panel.serve_requested.connect(rooms.serve)
            rooms.calls_changed.connect(window.show_calls)
            window.call_answered.connect(rooms.answer_calls)
        window.closed.connect(rooms.close)
        rooms.open(*read_address(listen))
        return missing


def _other_domain(here: SessionHere, study: Study) -> str:
    """What is wrong if the session is about another database than the study of this desk; "" if nothing is."""
    ours, theirs = PurePath(study.domain).name, PurePath(here.domain).name
    if not theirs or ours == theirs:
        return ""
    text = translate("Chairs", "The session is about “{0}”, and this desk's study about “{1}”. Join with its study.")
    return text.format(theirs, ours)


class ReceiverMenu(QMenu):
    """A line for each person; its number or Enter chooses, Esc leaves all as it is."""

    def __init__(self, people: Mapping[str, Chair], choose: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("receivers")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        heading = self.addAction(self.tr("Hand this part to"))
        heading.setEnabled(False)
        names = chair_names()
        for number, (who, chair) in enumerate(people.items(), 1):
            line = self.addAction(f"&{number}  {who} ({names[chair]})")
            line.triggered.connect(lambda _checked=False, who=who: choose(who))
            if number == 1:
                self.setActiveAction(line)

    def open_over(self, window: QWidget) -> None:
        """In the middle of the window, where the eyes are."""
        size = self.sizeHint()
        middle = window.mapToGlobal(window.rect().center())
        self.popup(middle - QPoint(size.width() // 2, size.height() // 2))
