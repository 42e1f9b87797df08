"""What the wizard hears: play again, back one second, speed, and where the voice is in the take."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from curtain.qt import icons
from curtain.qt.languages.translation import number_here, sentence_here
from curtain.qt.style import Look, set_text_colour
from curtain.qt.waveform import Waveform
from curtain.qt.widgets import button, label, row


class ListenPanel(QWidget):
    """Asks for playback and shows what plays. Everything here also has a key that works while typing."""

    replay_requested = Signal()
    back_requested = Signal()
    speed_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._replay = button(self.tr("Replay  F2"), "replay")
        self._replay.setIcon(icons.icon("play"))
        self._back = button(self.tr("-1 s  F3"), "back")
        self._speed = button("", "speed")
        self._waveform = Waveform(look)
        self._notice = label("", look, small=True, quiet=True, name="listening")
        self._notice.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(row(self._replay, self._back, self._speed, self._waveform, self._notice))
        self._replay.clicked.connect(self.replay_requested)
        self._back.clicked.connect(self.back_requested)
        self._speed.clicked.connect(self.speed_requested)
        self.show_speed(1.0)
        self.show_take(False)

    def show_take(self, present: bool) -> None:
        """Whether there is anything to hear."""
        for control in (self._replay, self._back, self._speed):
            control.setEnabled(present)
        if not present:
            self.show_outline([], [])
            self.show_notice("")

    def show_outline(self, low: Sequence[float], high: Sequence[float]) -> None:
        """The curve: lowest and highest value of each stretch, from -1 to 1."""
        self._waveform.show_outline(low, high)

    def show_place(self, seconds: float, length: float) -> None:
        """Where playback is, in seconds of the recording; a `length` of 0 means that there is no sound."""
        self._waveform.show_place(min(1.0, seconds / length) if length > 0 else 0.0)
        if length > 0:
            place, whole = number_here(min(seconds, length), 1), number_here(length, 1)
            self.show_notice(self.tr("{0} of {1} s").format(place, whole))

    def show_notice(self, text: str, bad: bool = False) -> None:
        """A short line beside the keys; `bad` sets it in the colour of errors."""
        self._notice.setText(sentence_here(text))
        set_text_colour(self._notice, self._look.bad if bad else self._look.quiet)

    def show_live(self) -> None:
        """The subject is heard while they speak."""
        self.show_notice(self.tr("speaking now"))

    def show_speed(self, speed: float) -> None:
        """The speed of playback, 1.0 as spoken."""
        self._speed.setText(self.tr("{0}x  F4").format(number_here(speed, 1)))
        self.setProperty("speed", speed)
