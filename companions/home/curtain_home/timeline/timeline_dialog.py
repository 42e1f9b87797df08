"""The timeline over a window, with the buttons for the mouse; it stays while one works on."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollBar, QSizePolicy, QVBoxLayout, QWidget

from curtain.qt.background import Background, or_else
from curtain.qt.languages.key_table import KeyTable, field_key
from curtain.qt.languages.translation import number_here
from curtain.qt.style import Look
from curtain.qt.widgets import OneLine, label, named
from curtain.qt.windows.dialog import TitledDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.session.turns.session_timeline import SessionTimeline, TimelineTurn
from curtain_home.timeline.timeline_view import TimelineView, clock_text
from curtain_home.timeline.turn_sounds import TurnSounds

_SIZE = QSize(1100, 420)
KEYS = KeyTable((
    field_key("Timeline", "PgUp, PgDn", "from turn to turn"),
    field_key("Timeline", "Left, Right", "move the cursor"),
    field_key("Timeline", "Enter", "play from the cursor"),
    field_key("Timeline", "+, -, 0", "zoom in, out, the whole session"),
))  # fmt: skip


class TimelineDialog(TitledDialog):
    """Reads the session behind itself. Whoever opens it plays what `place_chosen` names: a turn, seconds into it."""

    place_chosen = Signal(object, float)
    ready = Signal()

    def __init__(self, session_id: str, read: Callable[[], SessionTimeline], look: Look, parent: QWidget) -> None:
        super().__init__(look, self.tr("Session {0}").format(session_id), parent)
        self.setObjectName("timeline_dialog")
        self.session_id = session_id
        self._background = Background(1, self)
        self.finished.connect(self._background.close)
        self._wanted: tuple[int, float] | None = None
        self.view: TimelineView | None = None
        self._bar = named(QScrollBar(Qt.Orientation.Horizontal), "timeline_bar", self.tr("The part in sight"))
        self._line = OneLine("timeline_line", look)
        self._line.setText(self.tr("The session is being read."))
        self._place = QVBoxLayout()
        # Until there is a timeline its room is kept, or everything would jump.
        self._room = QWidget()
        self._room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._place.addWidget(self._room)
        keys = self.tr("PgUp, PgDn: turns · Left, Right: the cursor · Enter: play · Ctrl and the wheel: zoom")
        self._buttons = QHBoxLayout()
        self.fill(self._buttons, self._place, self._bar, self._line,
                  label(keys, look, small=True, quiet=True, wraps=True))  # fmt: skip
        self.resize(_SIZE.boundedTo(parent.window().size()))
        self._background.run(read, or_else(self._show, lambda error: self.show_problem(str(error))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the timeline work from its buttons too."""
        if event.key() == Qt.Key.Key_F1:
            KeyTableDialog(self.look, KEYS, self).open()
            return
        if self.view is not None:
            self.view.keyPressEvent(event)
        if self.view is None or not event.isAccepted():
            super().keyPressEvent(event)

    def show_problem(self, sentence: str) -> None:
        """Something cannot be read or heard."""
        self._line.setText(sentence)

    def show_turn(self, number: int, seconds: float = 0.0) -> None:
        """Put the cursor there, as soon as the session is read."""
        if self.view is None:
            self._wanted = number, seconds
        else:
            self.view.show_turn(number, seconds)

    def show_playing(self, number: int, seconds: float) -> None:
        """Move the cursor along with what plays, unless the person has taken it to another turn."""
        if self.view is not None and self.view.turn is not None and self.view.turn.number == number:
            self.view.show_turn(number, seconds)

    def _show(self, timeline: SessionTimeline) -> None:
        sounds = TurnSounds(self._background, self)
        view = self.view = TimelineView(timeline, sounds, self.look)
        self._place.replaceWidget(self._room, view)
        self._room.deleteLater()
        self._line.setText("")
        self._add_buttons(view)
        turns = {turn.number: turn for turn in timeline.turns}
        view.place_chosen.connect(lambda number, seconds: self.place_chosen.emit(turns[number], seconds))
        view.view_changed.connect(self._on_view_changed)
        view.hand_moved.connect(self._on_hand_moved)
        self._bar.valueChanged.connect(view.scroll_to)
        sounds.problem.connect(self.show_problem)
        self._on_view_changed()
        view.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._wanted is None:
            view.go_to_turn(0)
        else:
            view.show_turn(*self._wanted)
        self.ready.emit()

    def _add_buttons(self, view: TimelineView) -> None:
        acts = (("timeline_play", self.tr("&Play"), view.play_here),
                ("timeline_in", self.tr("Zoom &in  (+)"), lambda: view.zoom(0.5)),
                ("timeline_out", self.tr("Zoom &out  (-)"), lambda: view.zoom(2.0)),
                ("timeline_turn", self.tr("This &turn"), view.show_closely),
                ("timeline_all", self.tr("&Whole session  (0)"), view.show_all))  # fmt: skip
        for name, text, act in acts:
            made = self._button(name, text)
            made.clicked.connect(act)
        levels = self._button("timeline_levels", self.tr("&Spectrogram"))
        levels.setCheckable(True)
        levels.toggled.connect(view.show_levels)
        self._buttons.addStretch(1)
        self._button("go_back", self.tr("Close  (Esc)")).clicked.connect(self.reject)

    def _button(self, name: str, text: str) -> QPushButton:
        made = named(QPushButton(text, autoDefault=False), name, text.replace("&", ""))
        self._buttons.addWidget(made)
        return made

    def _on_view_changed(self) -> None:
        view, bar = self.view, self._bar
        assert view is not None
        bar.blockSignals(True)
        bar.setRange(0, max(0, round(view.timeline.length_ms - view.span)))
        bar.setPageStep(round(view.span))
        bar.setSingleStep(max(1, round(view.span / 20)))
        bar.setValue(round(view.begin))
        bar.blockSignals(False)

    def _on_hand_moved(self, turn: TimelineTurn | None) -> None:
        text = "" if turn is None else self._described(turn)
        self._line.setText(text)
        if self.view is not None:
            self.view.setAccessibleDescription(text)

    def _described(self, turn: TimelineTurn) -> str:
        replies = {"answer": self.tr("answered"), "message": self.tr("a message"), "": self.tr("no reply")}
        reply = replies.get(turn.reply, turn.reply)
        waited = "" if turn.waited_ms is None else self.tr(" after {0} s").format(number_here(turn.waited_ms / 1000, 1))
        kind = "" if turn.wav else self.tr("   no sound")
        words = turn.words or (self.tr("something is hidden") if turn.hidden else "")
        place = self.tr("Turn {0} at {1}").format(turn.number, clock_text(turn.span[0]))
        return f"{place}   {reply}{waited}{kind}   {words}"
