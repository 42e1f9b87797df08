"""The microphone test as a page: choose if one must, say a sentence, hear it, go on."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QWidget

from curtain.qt.level_meter import LevelMeter
from curtain.qt.style import GAP, TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import named
from subject_app.pages.talk_button import TalkButton
from subject_app.pages.widgets import PrimaryButton, beside, label, reading_column, wrapped
from subject_app.session.texts import Texts, fill
from subject_app.sitting.view import State
from subject_app.talk.mic_test import TESTED, MicTestStage
from subject_app.talk.microphone import Readiness


class MicPage(QWidget):
    """`choose_requested(name)`, `continue_requested()`; talking goes through the talk key."""

    talk_pressed = Signal()
    talk_released = Signal()
    choose_requested = Signal(str)
    continue_requested = Signal()

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._look, self._texts = look, texts
        self._readiness = Readiness.OPENING
        self._heard = MicTestStage.NOTHING
        self._missing = ""
        self._title = label(look, look.large_pt, texts.mic_title, bold=True, name="mic_title")
        self._hint = wrapped(look, look.title_pt, name="mic_hint")
        self._example = wrapped(look, look.read_pt, texts.mic_example, colour=look.quiet, name="mic_example")
        self._list = named(QListWidget(), "microphones", texts.mic_title)
        self._talk = TalkButton("mic_talk", look, texts.talk, texts.mic_listening, texts.mic_opening)
        self.meter = named(LevelMeter(), "mic_level", texts.level)
        self._result = wrapped(look, look.read_pt, name="mic_result")
        self._go_on = PrimaryButton("mic_continue", look, texts.mic_continue)
        self._lay_out()
        self._wire()
        self._refresh()

    def show_microphone(self, readiness: Readiness, names: list[str], missing: str) -> None:
        """Show how the microphone is; `names` to choose from, `missing` the wanted one that is not connected."""
        self._readiness = readiness
        self._missing = missing
        # Only where one must choose: the list would take the focus from the button.
        if readiness is Readiness.CHOOSE:
            self._list.clear()
            self._list.addItems(names)
            self._list.setFixedHeight(min(5, max(1, len(names))) * self._look.px(34) + 4)
            self._list.setCurrentRow(0)
            self._list.setFocus()
        self._refresh()

    def show_test(self, heard: MicTestStage) -> None:
        """Show how far the test is, and what it made of the voice."""
        self._heard = heard
        self._refresh()

    def enter(self) -> None:
        """Enter was pressed."""
        item = self._list.currentItem()
        if self._readiness is Readiness.CHOOSE and item is not None:
            self.choose_requested.emit(item.text())
        elif self._go_on.isEnabled() and self._readiness is Readiness.READY:
            self.continue_requested.emit()

    def _lay_out(self) -> None:
        talk_row, meter_row = beside(self._talk), beside(self.meter)
        self.meter.setFixedWidth(self._look.px(360))
        set_size(self._list, self._look.read_pt)
        # The room of two lines always, so that nothing moves when the result comes.
        self._result.setMinimumHeight(self._look.px(52))
        self._result.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._talk_row, self._meter_row = talk_row, meter_row
        reading_column(
            self, self._look, self._title, GAP, self._hint, TIGHT, self._example, TIGHT, self._list, GAP, talk_row, GAP,
            meter_row, GAP, self._result, GAP, beside(self._go_on),
        )  # fmt: skip

    def _wire(self) -> None:
        self._talk.pressed.connect(self.talk_pressed)
        self._talk.released.connect(self.talk_released)
        self._go_on.clicked.connect(self.enter)
        self._list.itemDoubleClicked.connect(self.enter)

    def _refresh(self) -> None:
        choosing = self._readiness is Readiness.CHOOSE
        ready = self._readiness is Readiness.READY
        testing = self._readiness not in (Readiness.CHOOSE, Readiness.UNUSABLE)
        # An empty list would be a box without a meaning.
        self._list.setVisible(choosing and self._list.count() > 0)
        for each in (self._talk_row, self._meter_row, self._example, self._result):
            each.setVisible(testing)
        self._hint.setText(self._hint_text())
        self._talk.show_state(self._talk_state(ready))
        set_text_colour(self._hint, self._hint_colour())
        self._result.setText(self._result_text())
        set_text_colour(self._result, self._result_colour())
        self._go_on.setText(self._texts.mic_use if choosing else self._texts.mic_continue)
        self._go_on.setVisible(self._readiness is not Readiness.UNUSABLE and (not choosing or self._list.count() > 0))
        self._go_on.setEnabled(choosing or (ready and self._heard in TESTED))

    # Going on needs a test that was heard, whatever it found.
    def _talk_state(self, ready: bool) -> State:
        if not ready or self._heard is MicTestStage.SAVING:
            return "one_moment"
        return "listening" if self._heard is MicTestStage.LISTENING else "idle"

    def _hint_text(self) -> str:
        texts = self._texts
        if self._readiness is Readiness.UNUSABLE:
            return texts.mic_unusable
        if self._readiness is Readiness.LOST:
            return texts.no_microphone
        if self._readiness is not Readiness.CHOOSE:
            return texts.mic_hint
        if self._missing:
            return fill(texts.mic_missing, name=self._missing)
        return texts.mic_choose if self._list.count() else texts.mic_none

    def _hint_colour(self) -> str:
        # Bad where there is nothing to choose or the wanted one is missing.
        nothing_to_choose = self._readiness is Readiness.CHOOSE and (self._missing or not self._list.count())
        bad = self._readiness in (Readiness.UNUSABLE, Readiness.LOST) or nothing_to_choose
        return self._look.bad if bad else self._look.text

    def _result_colour(self) -> str:
        colours = {
            MicTestStage.GOOD: self._look.good, MicTestStage.NO_PLAYBACK: self._look.good,
            MicTestStage.SILENT: self._look.bad,
            # Quiet and loud are advice: the subject may go on.
            MicTestStage.QUIET: self._look.warning, MicTestStage.LOUD: self._look.warning,
        }  # fmt: skip
        return colours.get(self._heard, self._look.text)

    def _result_text(self) -> str:
        texts = self._texts
        sentences = {
            MicTestStage.PLAYING: texts.mic_playing,
            MicTestStage.GOOD: texts.mic_good,
            MicTestStage.QUIET: texts.mic_quiet,
            MicTestStage.LOUD: texts.mic_loud,
            MicTestStage.SILENT: texts.mic_silent,
            MicTestStage.TOO_SHORT: texts.mic_too_short,
            MicTestStage.NO_PLAYBACK: texts.mic_no_playback,
        }
        return sentences.get(self._heard, "")
