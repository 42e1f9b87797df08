"""A line on the desk while a station is missed: how it gets in, since the start page with its code is out of sight."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain_rooms.booths.control import RoomState, codes_in_words
from curtain_rooms.network.identity import StationRole
from wizard_app.keys.table import key_of

# A link that comes back by itself is nobody's concern.
_APART_MS = 5000


class MissingLine(QObject):
    """`changed(words)`: what the line says, "" for nothing.

    A subject's station is missed while none is connected, the codes for other desks stand here where none is
    paired with this computer, and when they are wanted.
    """

    changed = Signal(str)

    def __init__(self, role: StationRole, parent: QObject | None = None, apart_ms: int = _APART_MS) -> None:
        super().__init__(parent)
        self._role: StationRole = role
        self._state: RoomState | None = None
        self._at_desk = False
        self._missed = True
        self._wanted: bool | None = None
        self._words = ""
        self._apart = QTimer(self, singleShot=True, interval=apart_ms)
        self._apart.timeout.connect(self._miss)

    @property
    def shown(self) -> bool:
        """Whether the line is there, with the code in it."""
        return bool(self._words)

    @Slot(object)
    def show_state(self, state: RoomState) -> None:
        """Address, code and who is paired, as the start page shows them."""
        self._state = state
        self._show()

    def show_desk(self, at_desk: bool) -> None:
        """Whether another page than the start page is in sight."""
        self._at_desk = at_desk
        self._show()

    @Slot(bool)
    def show_link(self, up: bool) -> None:
        """A subject's station is connected, or gone."""
        if not up:
            self._apart.start()
            return
        self._apart.stop()
        self._missed = False
        self._show()

    @Slot()
    def toggle(self) -> None:
        """Show how another desk joins although some are paired, or hide it."""
        self._wanted = not self._words
        self._show()

    def _miss(self) -> None:
        self._missed = True
        self._show()

    def _show(self) -> None:
        words = self._sentence(self._state) if self._at_desk and self._state is not None else ""
        if words != self._words:
            self._words = words
            self.changed.emit(words)

    def _sentence(self, state: RoomState) -> str:
        if self._role == "chair":
            wanted = not state.booths if self._wanted is None else self._wanted
            sentence = self.tr("Another desk can join at {0}. {1} ({2} hides this)") if wanted else ""
        else:
            sentence = self.tr("The subject’s station is missing. On its computer: curtain subject --connect {0}. {1}")
            sentence = sentence if self._missed else ""
        return sentence.format(self.tr(" or ").join(state.addresses), self._code(state), key_of("other_desks"))

    def _code(self, state: RoomState) -> str:
        words = codes_in_words(state)
        if self._role == "subject" and state.booths and state.codes:
            return self.tr("{0}, if it asks for one.").format(words)
        return words
