"""The bottom of the main page: talk, see the level, start over, state the answer."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from curtain.base.hearing import Input
from curtain.qt.command_text import CommandLine
from curtain.qt.level_meter import LevelMeter
from curtain.qt.paint_events import when_painted
from curtain.qt.style import LOOSE, Look, set_size
from curtain.qt.widgets import box, column, named, row
from subject_app.pages.help_button import HelpButton
from subject_app.pages.question_row import QuestionRow
from subject_app.pages.talk_button import TalkButton
from subject_app.pages.widgets import TallLine, button
from subject_app.session.texts import Texts
from subject_app.sitting.view import State

SURE_FOR_MS = 6000


class TalkBar(QWidget):
    """Wishes of the subject as signals; `one_moment_painted(turn)` reports what is really on the screen."""

    talk_pressed = Signal()
    talk_released = Signal()
    cancel_requested = Signal()
    start_over_requested = Signal()
    help_requested = Signal()
    solution_entered = Signal(str)
    question_begun = Signal()
    question_entered = Signal(str)
    one_moment_painted = Signal(int)

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._look = look
        self._texts = texts
        self._talk = TalkButton("talk", look, texts.talk, texts.listening, texts.one_moment)
        self._meter = named(LevelMeter(), "level", texts.level)
        self._cancel = button(look, "cancel", texts.cancel, quiet=True)
        self._start_over = button(look, "start_over")
        self._aside = QStackedWidget()
        self._sure = QTimer(self, singleShot=True, interval=SURE_FOR_MS)
        self._have_answer = button(look, "have_answer", texts.have_answer)
        self._help = HelpButton(texts)
        self.question = QuestionRow(look, texts)
        self._input: Input = "speech"
        self._solution = named(TallLine(name="solution"), "solution", texts.solution_label)
        self._solution.setPlaceholderText(texts.solution_label)
        self._solution.full_words = texts.field_full
        self._send = button(look, "solution_send", texts.solution_send)
        self._leave = button(look, "solution_back", texts.solution_back)
        self._lay_out()
        self._wire()
        self.show_state("idle")
        self.show_can_start_over(False)

    def show_state(self, state: State) -> None:
        """Show what can be done now. A question about starting over is taken back."""
        self._talk.show_state(state)
        self._show_talk()
        self._ask_no_more()
        listening = state == "listening"
        self._meter.setEnabled(listening)
        self._aside.setCurrentIndex(1 if listening else 0)
        if not listening:
            self._meter.show_silence()

    def show_input(self, given: Input, types: bool, talks: bool) -> None:
        """How the subject may ask in this task, and whether a question can be entered and the key be pressed now."""
        self._input = given
        self.question.show_input(given, types)
        self._talk.setEnabled(talks)
        self._show_question()
        self._show_talk()

    def _show_talk(self) -> None:
        # Where one can only type there is no key to hold; its place says that an answer is awaited.
        self._show_only(self._talk, self._input != "text" or self._talk.property("state") != "idle")

    def _show_question(self) -> None:
        # One field at a time.
        self.question.setVisible(self._input != "speech" and not self.typing)

    def report_one_moment(self, turn: int) -> None:
        """Emit `one_moment_painted` when the button is painted next."""
        when_painted(self._talk, lambda: self.one_moment_painted.emit(turn))

    def show_level(self, dbfs: float, clipped: bool) -> None:
        """The level in dBFS, shown only while listening."""
        # Levels come on for a moment after the key is up.
        if self._meter.isEnabled():
            self._meter.show_level(dbfs, clipped)

    def show_asks_answer(self, asks: bool) -> None:
        """Whether the task asks for an answer; if not, an answer begun is dropped."""
        self._show_only(self._have_answer, asks)
        if not asks:
            self._solution.clear()
            self.leave_solution()

    def show_can_start_over(self, can: bool) -> None:
        """Whether there is anything to clear."""
        self._ask_no_more()
        self._show_only(self._start_over, can)

    @property
    def typing(self) -> bool:
        """Whether the subject is typing the answer."""
        return self._pages.currentIndex() == 1

    @property
    def field(self) -> CommandLine:
        """Where letters belong: the answer while it is typed, else the question."""
        return self._solution if self.typing else self.question.field

    def leave_solution(self) -> None:
        """Show the talk button again; what was typed stays for the next time."""
        self._pages.setCurrentIndex(0)
        self._show_question()

    def _ask_solution(self) -> None:
        self._pages.setCurrentIndex(1)
        self._show_question()
        self._solution.setFocus()

    def _on_solution_entered(self) -> None:
        # Not on the button that was clicked: the answer is typed here.
        self._solution.setFocus()
        if value := self._solution.text().strip():
            self._solution.clear()
            self.leave_solution()
            self.solution_entered.emit(value)

    def _on_start_over(self) -> None:
        """The first press asks, the second is the wish."""
        if self._sure.isActive():
            self._ask_no_more()
            self.start_over_requested.emit()
        else:
            self._start_over.setText(self._texts.start_over_sure)
            self._sure.start()

    def _ask_no_more(self) -> None:
        self._sure.stop()
        self._start_over.setText(self._texts.start_over)

    def _wire(self) -> None:
        self._talk.pressed.connect(self.talk_pressed)
        self._talk.released.connect(self.talk_released)
        self._cancel.clicked.connect(self.cancel_requested)
        self._start_over.clicked.connect(self._on_start_over)
        self._sure.timeout.connect(self._ask_no_more)
        self._have_answer.clicked.connect(self._ask_solution)
        self._help.called.connect(self.help_requested)
        self.question.entered.connect(self.question_entered)
        self.question.begun.connect(self.question_begun)
        self._solution.returnPressed.connect(self._on_solution_entered)
        self._send.clicked.connect(self._on_solution_entered)
        self._leave.clicked.connect(self.leave_solution)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self._talk_row())
        self._pages.addWidget(self._solution_row())
        self.question.hide()
        self.setLayout(column(self.question, self._pages, spacing=GAP))

    def _talk_row(self) -> QWidget:
        self._meter.setMaximumWidth(110)
        # In one place, since nobody clears the screen while speaking.
        self._aside.addWidget(box(row(1, self._start_over, spacing=GAP)))
        self._aside.addWidget(box(row(1, self._meter, self._cancel, spacing=GAP)))
        return TalkRow(box(row(self._have_answer, self._help, 1, spacing=GAP)), self._talk, self._aside)

    def _solution_row(self) -> QWidget:
        set_size(self._solution, self._look.title_pt)
        return box(row((self._solution, 1), self._send, self._leave, spacing=LOOSE))

    @staticmethod
    def _show_only(widget: QWidget, shown: bool) -> None:
        """Hide without moving the neighbours."""
        policy = widget.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(policy)
        widget.setVisible(shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.typing and event.key() == Qt.Key.Key_Escape:
            self.leave_solution()
        else:
            super().keyPressEvent(event)


GAP = 16


class TalkRow(QWidget):
    """The button stays in the middle where there is room; else above the rest, in two rows or three. The row asks for
    no more width than its widest part needs."""

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__()
        self._parts = (left, middle, right)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._rows = 0
        self._arrange(1)

    def minimumSizeHint(self) -> QSize:
        """As narrow as with each part below the other."""
        width = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(width, self._grid.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the arrangement that fits."""
        super().resizeEvent(event)
        self._choose()

    def event(self, event: QEvent) -> bool:
        """A larger text, or longer words, may need the other arrangement."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._choose()
        return super().event(event)

    def _choose(self) -> None:
        left, middle, right = (part.minimumSizeHint().width() for part in self._parts)
        beside = left + GAP + right
        self._arrange(1 if beside + GAP + middle <= self.width() else 2 if beside <= self.width() else 3)

    def _arrange(self, rows: int) -> None:
        if rows == self._rows:
            return
        self._rows = rows
        left, middle, right = self._parts
        for part in self._parts:
            self._grid.removeWidget(part)
        narrow = rows > 1
        self._grid.addWidget(left, min(1, rows - 1), 0, 1, 3 if rows == 3 else 1, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(middle, 0, 0 if narrow else 1, 1, 3 if narrow else 1, Qt.AlignmentFlag.AlignCenter)
        self._grid.addWidget(right, rows - 1, 2, Qt.AlignmentFlag.AlignVCenter)
        for side in (0, 2):
            self._grid.setColumnStretch(side, 1)
        # The two rows need more height; without a word the button would be squeezed.
        self.updateGeometry()
