"""The judge's window as a process, put together: first the frame, and behind its first paint the packet and sound.

What a driver may read of it, beside the texts and the focus of named widgets: `state` (loading, judging, ruling,
finished, failed), `item`, `place`, `total`, `done`, `clarity`, `correctness`, `filled`, `comment`, `revealed`.

Widgets: top_text, query, message, earlier, scenario_text, clarity, correctness (chosen), opinions, note, problem_text,
key_strip, keys.
"""

import getpass
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QProgressBar, QStackedWidget

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.record_file import by_name
from curtain.base.scratch import ScratchFolder
from curtain.qt.background import Background
from curtain.qt.key_strip import KeyStrip
from curtain.qt.languages.key_table import KeyTable, Step
from curtain.qt.languages.translation import WindowLanguage, sentence_here
from curtain.qt.listen_control import ListenControl, OpenedSound
from curtain.qt.paint_events import when_painted
from curtain.qt.style import BAR, Look
from curtain.qt.widgets import Band, column, label, row
from curtain.qt.windows.dialog import ask_to_close, ask_to_leave
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain_judge.evaluation import open_evaluation
from curtain_judge.packet import Packet
from curtain_judge.window.control import JudgeControl, JudgingState
from curtain_judge.window.keys import JUDGE_KEYS, LABEL_KEYS, RULING_KEYS
from curtain_judge.window.material import JudgingMaterial, RulingMaterial
from curtain_judge.window.page import JudgePage

_SIZE = QSize(1280, 700)
_TOP = BAR


class JudgeWindow(KeyedWindow):
    """The frame that is there at once; the page is added when the packet is read."""

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self.setObjectName("judge_window")
        self.setWindowTitle(title)
        self.setProperty("state", "loading")
        self.look = look
        self.problem = Band("problem", look.bad, look)
        self.strip = KeyStrip(look)
        self.strip.pressed.connect(self.press)
        self.pages = QStackedWidget()
        self._top = label(title, look, bold=True, name="top_text")
        self._pace = label("", look, quiet=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._waiting = label(self.tr("Reading the packet"), look, quiet=True, name="loading", wraps=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages.addWidget(self._waiting)
        top = row(self._top, 1, self._pace, margins=_TOP)
        self.setLayout(column(top, self._bar, self.problem, (self.pages, 1), self.strip, spacing=0))
        self.resize(_SIZE)

    def show_progress(self, sentence: str, done: int, total: int, pace: str) -> None:
        """How far the judge is, in words and as a bar, and how fast."""
        self._top.setText(sentence)
        self._pace.setText(pace)
        self._bar.setMaximum(max(1, total))
        self._bar.setValue(done)

    def show_waiting(self, text: str) -> None:
        """The line on the first page."""
        self._waiting.setText(sentence_here(text))

    @Slot(str)
    def show_problem(self, sentence: str) -> None:
        """Something is wrong until an empty sentence takes it back."""
        self.problem.show_text(sentence)


OpenMaterial = Callable[[], JudgingMaterial]


class JudgeApp(QObject):
    """The window at once; the packet and the sound behind it."""

    ready = Signal()

    def __init__(self, title: str, material: OpenMaterial, look: Look, output: str | None) -> None:
        super().__init__()
        self._open_material = material
        self._clock = Clock()
        self._sound = Background(1, self)
        self._scratch = ScratchFolder("judge")
        self._material: JudgingMaterial | None = None
        self._control: JudgeControl | None = None
        self._page: JudgePage | None = None
        self._heard = ""
        self._writing = False
        self._leaving = False
        self.window = JudgeWindow(title, look)
        self.window.may_close = self._may_close
        self.listen = ListenControl(self._sound, self)
        self._output = OpenedSound(self._sound, self.listen, output)

    def begin(self) -> None:
        """Show the empty window, and read the packet once it is painted."""
        self.window.show()
        when_painted(self.window, self._furnish)

    def close(self) -> None:
        """Let sound and files go; every label is on the disk already, and a comment that is being typed is kept."""
        if self._page is not None and not self._adjudicates:
            self._page.leave_note()
        self._sound.close()
        self.listen.close()
        if self._material is not None:
            self._material.close()
        self._scratch.close()

    def _furnish(self) -> None:
        try:
            self._material = self._open_material()
            self._control = JudgeControl(self._material, self._now, self._show)
        except CurtainError as error:
            self.window.show_waiting(str(error))
            self.window.setProperty("state", "failed")
            return
        self._page = JudgePage(self.window.look)
        self.window.pages.addWidget(self._page)
        self.window.pages.setCurrentWidget(self._page)
        self._connect(self._control, self._page)
        self._output.begin()
        self._show()
        self.ready.emit()

    def _connect(self, control: JudgeControl, page: JudgePage) -> None:
        page.label_chosen.connect(control.choose)
        page.comment_given.connect(control.comment)
        page.reason_given.connect(control.give_reason)
        page.writing_changed.connect(self._on_writing_changed)
        bar, listen = page.listen_bar, self.listen
        bar.listen_with(listen)
        listen.problem.connect(lambda sentence: bar.show_notice(sentence, bad=True))
        actions: dict[str, Callable[[], object]] = {
            "leave_field": partial(self._go, control.drop_choice if self._adjudicates else page.leave_note),
            "next": partial(self._go, control.next),
            "previous": partial(self._go, control.previous),
            "next_open": partial(self._go, control.next_open),
            "play": listen.play_or_stop,
            "back": listen.back,
            "slower": listen.slower,
            "loop": listen.toggle_loop,
            "full_screen": self.window.toggle_full_screen,
            "keys": self._show_keys,
        }
        for question, keys in LABEL_KEYS.items():
            actions |= {f"{question} {label}": partial(control.choose, question, label) for _, label in keys}
        if self._adjudicates:
            actions |= {"comment": control.wish_reason, "reveal": control.reveal}
        else:
            actions |= {"comment": page.write_note, "undo": control.undo}
        self._keys.bind(self.window, actions, lambda: True)

    def _may_close(self) -> bool:
        """A ruling without its reason is asked for; a comment that the disk does not take is reported once."""
        control, page = self._control, self._page
        if control is None or page is None:
            return True
        if control.state.wants_reason and not self._leaving:
            text = self.tr("The ruling that you chose has no reason yet. Without a reason it is not kept.")
            ask_to_close(self.window.look, text, self.tr("Leave it open"), self._leave, self.window)
            return False
        if not self._adjudicates:
            page.leave_note()
            if control.problem and not self._leaving:
                self._leaving = True
                again = self.tr("Not everything is on the disk yet. Close again to leave anyway.")
                self.window.show_problem(f"{control.problem} {again}")
                return False
        return True

    def _leave(self) -> None:
        self._leaving = True
        self.window.close()

    def _go(self, step: Callable[[], object]) -> None:
        """Elsewhere; a comment that is being typed stays with its own pair, and a reason is asked for."""
        if self._control is None or self._page is None:
            return
        if self._control.state.wants_reason and self._page.note.text().strip():
            ask_to_leave(self.window.look, step, self.window)
        else:
            self._page.leave_note()
            step()

    @property
    def _adjudicates(self) -> bool:
        return self._material is not None and self._material.adjudicates

    @property
    def _keys(self) -> KeyTable:
        return RULING_KEYS if self._adjudicates else JUDGE_KEYS

    def _show_keys(self) -> None:
        KeyTableDialog(self.window.look, self._keys, self.window).open()

    def _show(self) -> None:
        if self._control is None or self._page is None:
            return
        state = self._control.state
        adjudicates = self._adjudicates
        self._page.show_state(state, adjudicates)
        pace = f"{state.seconds_an_item:.0f} s a pair" if state.seconds_an_item is not None else ""
        progress = self.tr("{0} of {1} pairs ruled on") if adjudicates else self.tr("{0} of {1} pairs judged")
        self.window.show_progress(progress.format(state.done, state.total), state.done, state.total, pace)
        self.window.show_problem(self._control.problem)
        self._show_strip()
        for name, value in _seen_by_driver(state, adjudicates).items():
            self.window.setProperty(name, value)
        self._hear(state)

    def _on_writing_changed(self, writing: bool) -> None:
        self._writing = writing
        self._show_strip()

    def _show_strip(self) -> None:
        if self._control is not None:
            state = self._control.state
            writing = self._writing and not self._adjudicates
            self.window.strip.show_steps(_writing_steps() if writing else _steps(state, self._adjudicates, self._keys))

    def _hear(self, state: JudgingState) -> None:
        """The recording of a pair plays by itself when the pair opens."""
        pair = state.pair
        if pair.id == self._heard:
            return
        self._heard = pair.id
        wav = None
        if pair.has_audio and self._material is not None:
            try:
                sound = self._material.wav(pair.id)
            except CurtainError as error:
                self.window.show_problem(str(error))
                sound = None
            if sound is not None:
                wav = self._scratch.path / f"{state.place}.wav"
                wav.write_bytes(sound)
        self.listen.show_take(state.place, wav, play=wav is not None)

    def _now(self) -> float:
        return self._clock.monotonic_ns() / 1e9


def _writing_steps() -> list[Step]:
    both = "  ".join(map(JUDGE_KEYS.key_of, ("keep", "leave_field")))
    return [(both, "keep the comment"), *((JUDGE_KEYS.key_of(name), name) for name in ("play", "keys"))]


def _steps(state: JudgingState, adjudicates: bool, keys: KeyTable) -> list[Step]:
    if state.wants_reason:
        return [(keys.key_of("keep"), "keep the ruling with this reason"), (keys.key_of("leave_field"), "rule nothing")]
    steps: list[Step] = [("", state.remark)] if state.remark else []
    if state.finished:
        judged = "every pair is judged; close the window and hand the packet back"
        steps.append(("", "every pair is ruled on" if adjudicates else judged))
    steps += _label_steps(state, adjudicates)
    if state.judged and not state.finished:
        steps.append((keys.key_of("next_open"), "next open pair"))
    if adjudicates and not state.revealed:
        steps.append((keys.key_of("reveal"), "what the judges said"))
    # A ruling is ruled anew, not undone, and its reason is asked for by itself.
    others = ("play", "keys") if adjudicates else ("play", "undo", "comment", "keys")
    return [*steps, *((keys.key_of(name), name) for name in others)]


def _label_steps(state: JudgingState, adjudicates: bool) -> list[Step]:
    """The questions that are open; of a pair that is judged, that its label can be changed."""
    caps = {question: "  ".join(key for key, _ in LABEL_KEYS[question]) for question in state.pair.ask}
    if state.judged:
        does = "this pair is ruled on: a key rules anew" if adjudicates else "this pair is judged: a key changes it"
        return [("  ".join(caps.values()), does)]
    return [(keys, question) for question, keys in caps.items() if question not in state.chosen]


def _seen_by_driver(state: JudgingState, adjudicates: bool) -> dict[str, str | int | bool]:
    working = "ruling" if adjudicates else "judging"
    return {
        "state": "finished" if state.finished else working,
        "item": state.pair.id,
        **by_name(state, "place", "total", "done", "filled", "comment", "revealed"),
        "clarity": state.chosen.get("clarity", ""),
        "correctness": state.chosen.get("correctness", ""),
    }


@dataclass(frozen=True, kw_only=True)
class _Given(WindowOptions):
    """The packet to judge, or the folder of an evaluation whose judges differ, and who rules there."""

    packet: Path | None = None
    rule: Path = Path()
    by: str = ""
    output: str | None = None


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(_Given, arguments)
    place = given.packet or given.rule
    language = WindowLanguage(given.language)
    with window_program("judge", place.resolve().parent / "logs", given, language) as program:
        judge = JudgeApp(place.stem, _material(given), program.look, given.output)
        program.bind(judge.window, judge.window.show_problem)
        return program.run(judge.window, judge.begin, judge.close, given.drive)


def _material(given: _Given) -> OpenMaterial:
    if packet := given.packet:
        return lambda: JudgingMaterial(Packet(packet), Clock())
    return lambda: RulingMaterial(open_evaluation(given.rule), given.by or getpass.getuser(), Clock())
