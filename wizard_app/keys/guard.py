"""Two stations on one screen: a key that is held while the keyboard changes hands types nothing here."""

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

# X11 sends the repeats of a held key as pairs of a release and a press with the same time.
_PAIR_MS = 50
_KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)


class KeyGuard(QObject):
    """Swallows the repeats of a key that went down before this application got the keyboard.

    The subject's talk key is held when their window loses the keyboard; its repeats would type blanks into the
    wizard's query. The guard watches from each activation until a key goes down afresh, and is no filter otherwise.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._let_go: dict[int, int] = {}
        app.applicationStateChanged.connect(self._on_state_changed)
        self._watch()

    @Slot(Qt.ApplicationState)
    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._watch()

    def _watch(self) -> None:
        self._let_go.clear()
        self._app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        if event.isAutoRepeat():
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyRelease:
            self._let_go[event.key()] = event.timestamp()
            return False
        if self._is_repeat(event):
            event.accept()
            return True
        # A filter on the application costs a call into Python for every event.
        self._app.removeEventFilter(self)
        return False

    def _is_repeat(self, event: QKeyEvent) -> bool:
        """A press just after a release whose own press was never seen here."""
        let_go = self._let_go.get(event.key())
        return let_go is not None and event.timestamp() - let_go <= _PAIR_MS
