"""The page of the session itself: task, newest exchange, earlier ones, talk."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QWidget

from curtain.base.hearing import Input
from curtain.qt.paint_events import when_painted
from curtain.qt.style import Look, set_text_colour
from curtain.qt.widgets import column, plain_tip
from subject_app.pages.exchange_panel import ExchangePanel
from subject_app.pages.history_panel import HistoryPanel
from subject_app.pages.scenario_panel import ScenarioPanel
from subject_app.pages.talk_bar import TalkBar
from subject_app.pages.widgets import LOW, ReadingText, Sheet, label, wrapped
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import Texts, fill
from subject_app.sitting.view import State


def shared_height(task: int, answer: int, space: int, least: int) -> tuple[int, int]:
    """The heights of task and answer in so much space, all in pixels, by what each needs.

    Where both fit, the answer gets what is left. Else the part that needs less than its share has what it needs, and
    the other one the rest. The task's share is two fifths, and less where the answer would have less than `least`.
    """
    share = min(space * 2 // 5, max(0, space - least))
    given = min(task, max(share, space - answer))
    return given, space - given


class _TaskAndAnswer(QWidget):
    """One above the other. Placed by hand: the height that one needs must not depend on that of the other."""

    def __init__(self, task: ScenarioPanel, answer: ExchangePanel) -> None:
        super().__init__()
        self._task, self._answer = task, answer
        self._gives_way = False
        for part in (task, answer):
            part.setParent(self)

    def minimumSizeHint(self) -> QSize:
        """The least of both."""
        task, answer = self._task.minimumSizeHint(), self._answer.minimumSizeHint()
        return QSize(max(task.width(), answer.width()), task.height() + answer.height())

    def sizeHint(self) -> QSize:
        """The same: what the rest of the page leaves is given to them."""
        return self.minimumSizeHint()

    def event(self, event: QEvent) -> bool:
        """Another size, or other needs."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.share(self._gives_way)
        return done

    def share(self, gives_way: bool) -> None:
        """Give both their heights. A task that `gives_way` folds as long as an answer leaves it too little room."""
        self._gives_way = gives_way
        width, least = self.width(), self._answer.minimumSizeHint().height()
        if gives_way:
            self._task.give_way(width, self.height() - self._answer.needed(width))
        needs = self._task.needed(width), self._answer.needed(width)
        task, answer = shared_height(*needs, self.height(), least)
        self._task.setGeometry(0, 0, width, task)
        self._answer.setGeometry(0, task, width, answer)


class MainPage(QWidget):
    """`painted(what, seq, turn)` reports what has really reached the screen; the subject's wishes are the `bar`'s."""

    painted = Signal(str, int, int)

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__()
        self._look, self._texts = look, texts
        self._shown = ScreenState()
        self._state: State = "idle"
        self._low = self._types = False
        self._scenario = ScenarioPanel(look, texts)
        self._exchange = ExchangePanel(look, texts)
        self._shares = _TaskAndAnswer(self._scenario, self._exchange)
        self._history = HistoryPanel(look, texts)
        self.bar = TalkBar(look, texts)
        self._notice = wrapped(look, look.read_pt, bold=True, name="notice")
        self._notice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._noted = label(look, look.read_pt, bold=True, colour=look.good, name="solution_noted")
        self._noted.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._lay_out()
        self._wire()
        self._show_scenario(self._shown)

    def show_shown(self, shown: ScreenState) -> None:
        """Show what crossed the curtain; only what has changed is made anew."""
        before, self._shown = self._shown, shown
        # A task is painted and reported only when it changes.
        if (shown.scenario, shown.scenario_over) != (before.scenario, before.scenario_over):
            self._show_scenario(shown)
        self._history.show_exchanges(shown.earlier)
        self.bar.show_can_start_over(bool(shown.exchanges))
        self._show_newest()
        self._show_low()

    def show_state(self, state: State, asked_since: bool = False) -> None:
        """Show what can be done now: the button, and whether there is a prompt. `asked_since`: see `View`."""
        self._state = state
        self.bar.show_state(state)
        self._show_prompt()
        self._exchange.show_asked_since(asked_since)

    def show_input(self, given: Input, types: bool, talks: bool) -> None:
        """How the subject may ask, and whether a typed question can be entered and the key be pressed now."""
        before = self.bar.question.field.isEnabled()
        self.bar.show_input(given, types, talks)
        # Who can type finds the cursor in the field.
        self._types = types
        if types and not before and self.isVisible():
            self._go_to_field()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The page itself is of no use to who can type."""
        super().focusInEvent(event)
        self._go_to_field()

    def _go_to_field(self) -> None:
        if self._types and not self.bar.typing:
            self.bar.question.field.setFocus()

    def show_notice(self, sentence: str, bad: bool = False) -> None:
        """What keeps the session from going on. Its line is there in all but a low window, so that nothing moves."""
        self._notice.setText(sentence)
        self._turn_notices()
        set_text_colour(self._notice, self._look.bad if bad else self._look.text)

    def show_solution_noted(self, value: str) -> None:
        """Show in one line that the answer to the task was noted, where no notice stands; "" shows nothing."""
        text = fill(self._texts.solution_noted, name=value) if value else ""
        room = max(200, self.width() - 80)
        self._noted.setText(self._noted.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))
        self._noted.setToolTip(plain_tip(text))
        self._turn_notices()

    def refresh(self) -> None:
        """Take another text size and other colours."""
        self._history.refresh()

    def enter(self) -> None:
        """Enter goes to the widget that has the focus."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Where one may type, a letter begins a question, or goes on with the answer."""
        field = self.bar.field
        if field.isVisible() and field.isEnabled() and event.text().isprintable() and event.text().strip():
            field.setFocus()
            QApplication.sendEvent(field, event)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the answer keeps its room."""
        super().resizeEvent(event)
        self._show_low()
        for text in self.findChildren(ReadingText):
            text.fit()
        self._history.refresh()

    def _show_scenario(self, shown: ScreenState) -> None:
        scenario = shown.scenario
        self._scenario.show_scenario(scenario, shown.scenario_over)
        running = scenario is not None and not shown.scenario_over
        self.bar.show_asks_answer(running and scenario is not None and scenario.asks_answer)
        # What was noted, or begun, belonged to the last task.
        self.bar.question.clear()
        self.show_solution_noted("")
        self._show_prompt()
        self._history.fold()
        if scenario is not None and not shown.scenario_over:
            # Reported when painted: a turn belongs to the task that stood on the screen when the key went down.
            when_painted(self._scenario.text_widget, lambda: self._on_scenario_painted(scenario.seq))

    def _turn_notices(self) -> None:
        notice, noted = self._notice.text(), self._noted.text()
        self._notices.setCurrentIndex(0 if notice or not noted else 1)
        self._notices.setVisible(bool(notice or noted) or not self._low)

    def _show_low(self) -> None:
        # Larger letters need a higher window for the same lines.
        low = self._low = self.height() < self._look.px(LOW)
        self._turn_notices()
        self._exchange.show_low(low)
        self._shares.share(low and bool(self._shown.exchanges))

    def _show_prompt(self) -> None:
        running = self._shown.scenario is not None and not self._shown.scenario_over
        self._exchange.hide_prompt(not running or self._state != "idle")

    def _show_newest(self) -> None:
        current = self._shown.current
        self._exchange.show_exchange(current)
        if current is not None and current.answered and not self.bar.typing:
            # An input method composes only where the cursor is, and the arrow keys scroll the answer from there too.
            self._go_to_field() if self._types else self._exchange.focus_answer()

    def _show_earlier(self, exchange: Exchange) -> None:
        self._exchange.show_exchange(exchange.unfolded(), earlier=True)

    def _on_back(self) -> None:
        self._history.fold()
        self._show_newest()

    def _on_scenario_painted(self, seq: int) -> None:
        if self._shown.scenario is not None and self._shown.scenario.seq == seq:
            self.painted.emit("scenario", seq, 0)

    def _wire(self) -> None:
        # First of all: the button goes, and no other may come under the Enter that pressed it.
        self.bar.start_over_requested.connect(self.setFocus)
        self.bar.question.scroll_requested.connect(self._exchange.scroll_answer)
        self.bar.one_moment_painted.connect(lambda turn: self.painted.emit("one_moment", 0, turn))
        self._exchange.painted.connect(self.painted)
        self._exchange.back_requested.connect(self._on_back)
        self._history.chosen.connect(self._show_earlier)

    def _lay_out(self) -> None:
        self._notices = QStackedWidget()
        self._notices.addWidget(self._notice)
        self._notices.addWidget(self._noted)
        self._notices.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        foot = Sheet(self._look)
        foot.setLayout(column(self._history, self._notices, self.bar))
        self.setLayout(column((self._shares, 1), foot, spacing=0))
