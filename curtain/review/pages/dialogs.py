"""The small windows over the annotator's: what opens and closes them, and the one with the reasons."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from curtain.corpus.annotation.tag_table import Reason
from curtain.corpus.model.reader import read_timeline
from curtain.ports.discovery import lacking, made
from curtain.ports.timeline import MISSING
from curtain.qt.style import LOOSE, Look, set_size
from curtain.qt.widgets import named
from curtain.qt.windows.dialog import TitledDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.review.control.control import AnnotateControl
from curtain.review.control.listening import TakeListening
from curtain.review.control.material import LiveSession
from curtain.review.pages.turns_dialog import TurnsDialog
from curtain.review.pages.window import ReviewWindow
from curtain.review.panels.keys import KEYS, TAG_KEYS
from curtain.session.turns.session_timeline import TimelineTurn


class OpenDialogs(QObject):
    """Opens the small windows; those that are open show the turn that is open, too."""

    def __init__(self, window: ReviewWindow, control: AnnotateControl, hearing: TakeListening) -> None:
        super().__init__(window)
        self._window = window
        self._control = control
        self._hearing = hearing
        self._reasons: ReasonsDialog | None = None
        self._turns: TurnsDialog | None = None
        self._timeline: Any = None
        hearing.listen.place_moved.connect(self._on_place_moved)

    def show_turn(self) -> None:
        """Another turn: the reasons were those of the one before; the hand of the timeline goes along."""
        if self._reasons is not None:
            self._reasons.close()
        if self._timeline is not None and self._timeline.session_id != self._control.turn.sitting.session_id:
            self.show_timeline()
        elif self._timeline is not None:
            self._timeline.show_turn(self._control.turn.scene.turn.turn)

    def refresh(self) -> None:
        """What the control holds now; sessions that are read meanwhile come into the list of turns."""
        if self._reasons is not None:
            self._reasons.show_chosen(self._control.work.reasons)
        if self._turns is not None:
            self._turns.show_turns(self._control.listed(), self._control.turn.id)

    def show_keys(self) -> None:
        """All keys."""
        keys = KeyTableDialog(self._window.look, KEYS, self._window)
        keys.finished.connect(self._window.activateWindow)
        keys.open()

    def show_turns(self) -> None:
        """The list of all turns."""
        self._turns = TurnsDialog(self._window.look, self._window)
        self._turns.turn_chosen.connect(self._control.open)
        self._turns.finished.connect(self._on_closed)
        self.refresh()
        self._turns.open()

    def ask_reasons(self) -> None:
        """Why the turn is left out."""
        control = self._control
        offered = control.shelf.table.offered_reasons(control.turn.year)
        self._reasons = ReasonsDialog(self._window.look, control.turn.year, offered, self._window)
        self._reasons.reason_toggled.connect(control.toggle_reason)
        self._reasons.finished.connect(self._on_closed)
        self.refresh()
        self._reasons.open()

    def _on_closed(self) -> None:
        """One of those that block the window, so that no other is open."""
        self._reasons = self._turns = None
        # Without a window manager nobody else gives the keyboard back.
        self._window.activateWindow()

    def show_timeline(self) -> None:
        """The timeline of the session; it stays while one works on."""
        if self._timeline is not None:
            self._timeline.close()
        sitting, window = self._control.turn.sitting, self._window
        about = sitting.session_id, partial(read_timeline, sitting.path), window.look, window
        shown = self._timeline = made("timeline", lambda kind: kind(*about), lambda: None)
        if shown is None:
            window.show_notice(lacking(MISSING))
            return
        shown.place_chosen.connect(partial(self._hear_place, sitting))
        shown.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        shown.finished.connect(lambda _: self._on_timeline_closed(shown))
        self._window.closed.connect(shown.reject)
        shown.show_turn(self._control.turn.scene.turn.turn)
        shown.show()

    def _on_timeline_closed(self, closed: Any) -> None:
        if self._timeline is closed:
            self._timeline = None
            self._window.activateWindow()

    def _on_place_moved(self, seconds: float, length: float) -> None:
        if self._timeline is not None and self._hearing.listen.playing and length:
            self._timeline.show_playing(self._control.turn.scene.turn.turn, seconds)

    def _hear_place(self, sitting: LiveSession, chosen: TimelineTurn, seconds: float) -> None:
        """Open the turn if it is annotated here, and play it from there; what is hidden is silence."""
        control = self._control
        wanted = next((scene.id for scene in sitting.scenes if scene.turn.turn == chosen.number), "")
        if wanted not in control.shelf.volume(control.turn.id).turns:
            self._window.show_notice(self.tr("Turn {0} is not annotated here.").format(chosen.number))
            return
        if wanted != control.turn.id:
            control.open(wanted)
        self._hearing.play_from(seconds)


class ReasonsDialog(TitledDialog):
    """The reasons that the rule-book of a year knows; each has a key, and the tag that goes with it is shown."""

    reason_toggled = Signal(str)

    def __init__(self, look: Look, year: int, reasons: Sequence[Reason], parent: QWidget) -> None:
        title = self.tr("Why the turn is left out, by the rule-book of {0}").format(year)
        super().__init__(look, title, parent)
        self.setObjectName("reasons_dialog")
        self._reasons = list(reasons)
        self._list = named(QTreeWidget(columnCount=3), "reasons", title)
        self._list.setRootIsDecorated(False)
        self._list.setHeaderHidden(True)
        set_size(self._list, look.small_pt)
        keys = TAG_KEYS.upper().ljust(len(self._reasons))
        self._rows = [QTreeWidgetItem([key, one.title, one.tag]) for key, one in zip(keys, self._reasons, strict=False)]
        self._list.addTopLevelItems(self._rows)
        for column_ in range(3):
            self._list.resizeColumnToContents(column_)
        self._list.setMinimumSize(720, min(430, 22 * len(self._reasons) + 10))
        self._list.setCurrentItem(self._rows[0])
        self._list.itemClicked.connect(lambda item: self._toggle(self._list.indexOfTopLevelItem(item)))
        self._list.installEventFilter(self)
        self.fill(self._list, spacing=LOOSE)
        self.show_chosen(())

    def show_chosen(self, chosen: Sequence[str]) -> None:
        """Tick the reasons of these names and no other."""
        for at, reason in enumerate(self._reasons):
            state = Qt.CheckState.Checked if reason.name in chosen else Qt.CheckState.Unchecked
            self._rows[at].setCheckState(1, state)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return self._takes(event) if isinstance(event, QKeyEvent) and event.type() == event.Type.KeyPress else False

    def _takes(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Space:
            self._toggle(self._list.currentIndex().row())
        elif event.text() and TAG_KEYS.find(event.text().lower()) >= 0:
            self._toggle(TAG_KEYS.find(event.text().lower()))
        else:
            return False
        return True

    def _toggle(self, at: int) -> None:
        if 0 <= at < len(self._reasons):
            self._list.setCurrentItem(self._rows[at])
            self.reason_toggled.emit(self._reasons[at].name)
