"""The first page where the wizard's station is on another machine: a lab assistant types its address and code."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.style import GAP, LOOSE, Look, set_size, set_text_colour
from curtain.qt.widgets import named
from curtain_rooms.network.beacon import FoundStation
from subject_app.pages.widgets import PrimaryButton, beside, label, reading_column, wrapped
from subject_app.session.texts import Texts

_FIELD_WIDE = 320
_FOUND_HIGH = 120


class RoomPage(QWidget):
    """Asks to connect and shows what went wrong."""

    connect_requested = Signal(str, str)

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._look, self._texts = look, texts
        self._title = wrapped(look, look.large_pt, texts.room_title, bold=True, name="room_title")
        self._hint = wrapped(look, look.read_pt, texts.room_hint, name="room_hint")
        self._address = self._field("room_address", texts.room_address, look)
        self._code = self._field("room_code", texts.room_code, look)
        self._code.setMaxLength(9)
        self._problem = wrapped(look, look.read_pt, name="room_problem")
        self._button = PrimaryButton("room_connect", look, texts.room_connect)
        self._button.clicked.connect(self.enter)
        self._found_label = label(look, look.read_pt, texts.room_found, name="room_found_label")
        self._found = named(QListWidget(), "room_found", texts.room_found)
        set_size(self._found, look.read_pt)
        self._found.setMaximumHeight(look.px(_FOUND_HIGH))
        self._found.itemActivated.connect(self._on_found_chosen)
        self._found.itemClicked.connect(self._on_found_chosen)
        for part in (self._found_label, self._found):
            part.hide()
        fields: list[QWidget] = []
        for text, field in ((texts.room_address, self._address), (texts.room_code, self._code)):
            name = label(look, look.read_pt, text, name=f"{field.objectName()}_label")
            name.setBuddy(field)
            fields += [name, beside(field)]
        reading_column(
            self, look, self._title, GAP, self._hint, LOOSE, *fields, LOOSE, self._problem, GAP,
            beside(self._button), LOOSE, self._found_label, self._found,
        )  # fmt: skip

    def show_address(self, address: str) -> None:
        """Fill in the address; the cursor goes to what is still empty."""
        self._address.setText(address)
        (self._code if address else self._address).setFocus()
        # A code is good once: what is typed now takes the place of the last one.
        self._code.selectAll()

    def show_found(self, stations: Sequence[FoundStation]) -> None:
        """The stations that announce themselves on this network; choosing one fills in its address."""
        self._found.clear()
        for station in stations:
            item = QListWidgetItem(f"{station.name}   {station.address}")
            item.setData(Qt.ItemDataRole.UserRole, station.address)
            self._found.addItem(item)
        for part in (self._found_label, self._found):
            part.setVisible(bool(stations))

    def _on_found_chosen(self, item: QListWidgetItem) -> None:
        self._address.setText(item.data(Qt.ItemDataRole.UserRole))
        self._code.setFocus()

    def show_problem(self, sentence: str) -> None:
        """What went wrong, or an empty text while it is tried."""
        self._say(sentence, self._look.bad if sentence else self._look.text)
        self._button.setEnabled(True)

    def _say(self, sentence: str, colour: str) -> None:
        self._problem.setText(sentence)
        set_text_colour(self._problem, colour)

    def enter(self) -> None:
        """Try to connect with what is filled in; the window calls it for Enter, too."""
        if not self._button.isEnabled():
            return
        address, code = self._address.text().strip(), self._code.text().strip()
        if not address or not code:
            (self._code if address else self._address).setFocus()
            return
        self._button.setEnabled(False)
        self._say(self._texts.room_trying, self._look.text)
        self.connect_requested.emit(address, code)

    def _field(self, name: str, title: str, look: Look) -> CommandLine:
        made = CommandLine(name=name, spoken=title)
        made.setMinimumWidth(look.px(_FIELD_WIDE))
        set_size(made, look.read_pt)
        return made
