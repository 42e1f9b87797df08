"""Listening: the keys that play, and the recording as a curve."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.qt import icons
from curtain.qt.languages.translation import number_here, sentence_here
from curtain.qt.listen_control import ListenControl
from curtain.qt.style import TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import box, button, column, label, row
from curtain.qt.wrapping_row import WrappingRow
from curtain.review.panels.wave_view import WaveView


class ListenBar(QWidget):
    """The keys that play, and what plays."""

    secrets_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.wave = WaveView(look)
        self.wave.setMinimumHeight(54)
        self._play = button(self.tr("Play  F2"), "play")
        self._play.setIcon(icons.icon("play"))
        self._back = button(self.tr("-1 s  F3"), "back")
        self._slower = button(self.tr("Slower  F4"), "slower", self.tr("Shift+F4: faster"))
        self._loop = button(self.tr("Loop  F7"), "loop")
        self._loop.setCheckable(True)
        self._secrets = button(self.tr("Hidden  F8"), "secrets", self.tr("Play hidden parts aloud, or as silence"))
        self._secrets.setCheckable(True)
        self._status = label("", look, small=True, quiet=True, name="listening")
        self._status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._buttons = (self._play, self._back, self._slower, self._loop)
        for widget in (*self._buttons, self._secrets):
            set_size(widget, look.small_pt)
        self._status.setMinimumWidth(self._status.fontMetrics().horizontalAdvance("0.0 / 0.0 s"))
        # A long sentence must not make the column wider.
        self._status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        keys = row(box(WrappingRow(*self._buttons, self._secrets)), (self._status, 1), spacing=TIGHT)
        self.setLayout(column(keys, self.wave, spacing=TIGHT))
        self._secrets.hide()
        self._secrets.clicked.connect(self.secrets_requested)
        self._speed = 1.0

    def listen_with(self, listen: ListenControl) -> None:
        """Let the keys play, and show what plays. Hidden parts and problem are for whoever put this up."""
        self._play.clicked.connect(listen.play_or_stop)
        self._back.clicked.connect(listen.back)
        self._slower.clicked.connect(listen.slower)
        self._loop.clicked.connect(listen.toggle_loop)
        self.wave.place_chosen.connect(listen.choose_place)
        listen.take_shown.connect(self.show_take)
        listen.outline_drawn.connect(self.wave.show_outline)
        listen.place_moved.connect(self.show_place)
        listen.speed_changed.connect(self.show_speed)
        listen.loop_changed.connect(self._loop.setChecked)

    def show_take(self, present: bool) -> None:
        """Whether there is anything to hear."""
        for action in self._buttons:
            action.setEnabled(present)
        self.wave.show_outline([], [])
        self.show_notice("" if present else self.tr("no recording"))

    def show_place(self, seconds: float, length: float) -> None:
        """Where playback is, in seconds of the recording; `length` 0 means that there is no sound."""
        self.wave.show_seconds(min(seconds, length), length)
        if length > 0:
            speed = "" if self._speed == 1.0 else f"   {number_here(self._speed, 1)}x"
            place, whole = number_here(min(seconds, length), 1), number_here(length, 1)
            self.show_notice(self.tr("{0} / {1} s").format(place, whole) + speed)

    def show_notice(self, text: str, bad: bool = False) -> None:
        """A short line beside the keys; `bad` sets it in the colour of errors."""
        self._status.setText(sentence_here(text))
        set_text_colour(self._status, self._look.bad if bad else self._look.quiet)

    def show_speed(self, speed: float) -> None:
        """The speed of playback, 1.0 as spoken. It is written out with the next place."""
        self._speed = speed
        self.setProperty("speed", speed)

    def show_secrets(self, any_hidden: bool, heard: bool) -> None:
        """Whether the hidden parts are heard, or silence in their place."""
        self._secrets.setVisible(any_hidden)
        self._secrets.setChecked(heard)
