"""The other room on the start page: where to connect, the code to type there, and the booths that are paired."""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QSizePolicy, QWidget

from curtain.ports.station import StationReport
from curtain.qt.style import BAR, TIGHT, Look, set_size
from curtain.qt.widgets import column, heading, label, named, row, say
from curtain_rooms.booths.control import BoothRow, RoomState, codes_in_words
from curtain_rooms.network.identity import StationRole

_NAME = int(Qt.ItemDataRole.UserRole)
_LINES = 3
_APART_MS = 5000


class RoomPanel(QWidget):
    """Shows a `RoomState`. On a booth, Delete asks to unpair it, and Space to give it the next session."""

    unpair_requested = Signal(str)
    serve_requested = Signal(str)

    def __init__(self, look: Look, role: StationRole = "subject") -> None:
        super().__init__()
        of_chairs = role == "chair"
        self.setObjectName("chairs_panel" if of_chairs else "room_panel")
        self._addresses = label("", look, name="room_addresses", wraps=True)
        self._addresses.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._code = label("", look, bold=True, name="room_code", wraps=of_chairs)
        if not of_chairs:
            set_size(self._code, look.large_pt, bold=True)
        self._booths = named(_BoothList(look), "booths", self.tr("Paired stations"))
        keys = self.tr("Space: the next session is in this booth. Delete: unpair it.")
        self._keys = label(
            self.tr("Delete: unpair this desk.") if of_chairs else keys, look, small=True, quiet=True, wraps=True
        )
        self._booths.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._booths.setFixedHeight(_LINES * self._booths.fontMetrics().lineSpacing() + 14)
        self._notice = label("", look, small=True, quiet=True, name="room_notice", wraps=True)
        subject = self.tr("On the subject's computer: curtain subject --connect {0}. Then type this code there.")
        chair = self.tr(
            "On the other computer: curtain wizard --study STUDY --join {0} --as ROLE --code CODE. "
            "The code says what that desk may be: give nobody another one."
        )
        # A line may not break between two hyphens of an option.
        self._how = (chair if of_chairs else subject).replace("--", "-\u2060-\u2060")
        self._hint = label("", look, small=True, quiet=True, wraps=True)
        self.setLayout(
            column(
                heading(self.tr("Other chairs") if of_chairs else self.tr("The other room"), look),
                self._addresses,
                self._code,
                self._hint,
                self._booths,
                self._keys,
                self._notice,
                spacing=TIGHT,
            )
        )
        self._booths.unpair_requested.connect(self.unpair_requested)
        self._booths.serve_requested.connect(self.serve_requested)
        self.hide()

    def show_state(self, state: RoomState) -> None:
        """Show where to connect, the code and the booths."""
        self.show()
        self._addresses.setText("   ".join(state.addresses))
        self._code.setText(codes_in_words(state))
        self._booths.show_booths(state.booths)
        for part in (self._booths, self._keys):
            part.setVisible(bool(state.booths))
        self._hint.setText(self._how.format(next(iter(state.addresses), "")))
        self._notice.setText(state.notice)


class _BoothList(QListWidget):
    unpair_requested = Signal(str)
    serve_requested = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_booths(self, booths: tuple[BoothRow, ...]) -> None:
        """One line a booth; the chosen one stays chosen."""
        chosen = self.currentItem().data(_NAME) if self.currentItem() is not None else None
        self.clear()
        for booth in booths:
            item = QListWidgetItem(f"{booth.name}   {self._state(booth)}")
            item.setData(_NAME, booth.name)
            if booth.calls:
                item.setForeground(QColor(self._look.bad))
            self.addItem(item)
            if booth.name == chosen:
                self.setCurrentItem(item)
        self.setProperty("states", "; ".join(self.item(row).text() for row in range(self.count())))

    def _state(self, booth: BoothRow) -> str:
        words = {
            "connected": self.tr("connected, ready"),
            "waits": self.tr("waits: another booth is connected"),
            "called": self.tr("comes next"),
            "away": self.tr("away"),
        }[booth.standing]
        return self.tr("asks for help, {0}").format(words) if booth.calls else words

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.currentItem() is not None:
            self.unpair_requested.emit(self.currentItem().data(_NAME))
        elif event.key() == Qt.Key.Key_Space and self.currentItem() is not None:
            self.serve_requested.emit(self.currentItem().data(_NAME))
        else:
            super().keyPressEvent(event)


class OtherStationPanel(QWidget):
    """The link of another kind of subject's station, once that was started. At the desk it stands only while the
    subject's screen is missed."""

    link_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("other_station")
        self.setContentsMargins(BAR)
        self._link, self._missed, self._at_desk = "", False, False
        self._apart = QTimer(self, singleShot=True, interval=_APART_MS)
        self._link_line = label("", look, name="station_link", wraps=True)
        self._link_line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = named(QPushButton(self.tr("Copy the link")), "copy_link")
        self._again = named(QPushButton(self.tr("Another link")), "another_link")
        self._picture = named(QLabel(), "station_picture", self.tr("The link as a picture for a camera"))
        self._state = label("", look, name="station_state", wraps=True)
        self._note = label("", look, small=True, name="station_note", wraps=True, colour=look.warning)
        line = row(self._again, self._copy, (self._state, 1))
        self.setLayout(row(self._picture, (column(self._link_line, line, self._note, 1, spacing=TIGHT), 1)))
        self._again.clicked.connect(self.link_requested)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._link))
        self._apart.timeout.connect(lambda: self._show(missed=True))
        self.hide()

    def show_desk(self, at_desk: bool) -> None:
        """Whether another page than the start page is in sight."""
        self._at_desk = at_desk
        self._show(self._missed)

    @Slot()
    def show_beginning(self) -> None:
        """It starts."""
        self.show_end(self.tr("The link is being prepared."))
        self._again.hide()

    @Slot(object)
    def show_report(self, report: StationReport) -> None:
        """What it says now."""
        self._link = report.link
        here = self.tr("The subject’s screen is here.") if report.here else self.tr("The subject’s screen is away.")
        waits = self.tr("The link is for one session and opens once, within an hour.")
        say(self._link_line, report.link)
        say(self._state, waits if report.link else here)
        say(self._note, self.tr(report.note) if report.note else "")
        for part in (self._copy, self._picture):
            part.setVisible(bool(report.link))
        self._again.setVisible(not report.link)
        pixmap = QPixmap()
        if pixmap.loadFromData(report.picture):
            self._picture.setPixmap(pixmap)
        # A page that is loaded anew is nobody's concern.
        (self._apart.stop if report.here else self._apart.start)()
        self._show(self._missed and not report.here)

    @Slot(str)
    def show_end(self, sentence: str) -> None:
        """It does not run, and why."""
        self.show_report(StationReport(here=True))
        say(self._state, sentence)
        self._show(missed=True)

    def _show(self, missed: bool) -> None:
        self._missed = missed
        # Before it was started there is nothing to say.
        self.setVisible(bool(self._state.text()) and (missed or not self._at_desk))
