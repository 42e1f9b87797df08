"""The wizard's window: its pages, its keys, and how they are wired to the controllers.

What a driver may read of it, beside the texts and the focus of named widgets:

==================  ======================================================================================
property            means
==================  ======================================================================================
state               start, waiting, idle, transcribe, answer, correct, paused, closing, closed, archive
link                up or down: a subject's station has joined
session             the session's id, or an empty text
scenario            the id of the scenario on the subject's screen, or an empty text
solution            what the subject has stated as the answer to the running scenario, or an empty text
turn                the turn that is worked on, 0 if none
open_turns          how many takes wait for an answer
wizard_form         the questionnaire that the wizard fills in now, "" if none
answered_turn       the turn whose answer or message was journaled last, 0 if none
sql_state           none, running, done, failed, stale (the statement was changed since its last run)
sql_settled         no statement is running
picking             the message list has the cursor
urgency             none, calm, soon, over
drafts              how many drafts can be taken now; 0 while they belong to an older text
draft_state         off, starting, empty, waiting, stale, here, none; missing where nothing drafts
drafts_settled      no drafts are on their way
take_back           the turn whose reply can be taken back for some seconds, 0 if none
bundle              the folder of the session that was closed last
==================  ======================================================================================

Widgets: speaker_id, wizard_id, consent, consent_id, pilot, practice, scenarios, output, start_session,
about_speaker, speaker_age, speaker_sex, speaker_region, speaker_native,
resume_session, sessions · query, sql, run, replay, back, speed, turn_list, turn_details, message_filter, messages,
message_preview, blank_<name>, drafts, chips, reword, draft_details, drafts_calm, drafts_notice, chip_values,
result_table, cas_min, cas_max, sql_max, maximum_title, maximum_problem, yes_no, failure, rule_warning, rules, schema,
schema_filter, tab_<name>, calm, key_strip, send_query, send_answer, send_message, session_menu · end_answer,
end_reason, end_scenario_confirmed, end_and_begin_next, scenario_filter, scenario_choice, begin_scenario, note_text,
keep_note, keys, end_session_confirmed, leave_confirmed, close_confirmed, let_in_confirmed, take_record_confirmed ·
closing_title, leave · archive_turns, archive_query, archive_notes, archive_sql, archive_cas, archive_leave ·
problem_text, problem_button, trial_text, notice_text, missing_line.

The property `rows` of drafts holds each draft as one text, `chips` of chips each value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QStackedWidget, QWidget

from curtain.qt.command_text import alt_digit
from curtain.qt.key_strip import KeyStrip
from curtain.qt.languages.key_table import Step
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import BAR, TIGHT, Look
from curtain.qt.widgets import Band, Hairline, column, label, plain_tip, row, say
from curtain.qt.windows.keyed_window import KeyedWindow
from wizard_app.keys.table import key_of, start_steps
from wizard_app.window.pages.start_page import StartPage
from wizard_app.window.panels.top_bar import TopBar

if TYPE_CHECKING:
    from wizard_app.desk.desk_view import DeskView

_SIZE = QSize(1280, 720)
# The pages on which no turn is worked on.
_ELSEWHERE = ("start", "closing", "closed", "archive")
_LARGE = 1000
_NOTICE_MS = 6000
_PASSING_MS = 5000
_UNEXPECTED_MS = 20_000


class WizardWindow(KeyedWindow):
    """The frame that is there at once: the bar that is always in sight, the start page, the strip of keys.

    The other pages are added to `pages` after the first paint. `may_close` is asked when a person closes the window.
    `digit_pressed(digit)`: Alt with a key of the row of digits that the layout of the keyboard makes another letter.
    """

    digit_pressed = Signal(int)
    call_answered = Signal()
    desks_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._problems: dict[str, str] = {}
        self._offers: dict[str, str] = {}
        self._passing: dict[str, QTimer] = {}
        self._missing: dict[str, str] = {}
        self.top = TopBar(look)
        self.trial = Band("trial", look.warning, look)
        self.problem = Band("problem", look.bad, look)
        self.notice = Band("notice", look.accent, look)
        self.people = label("", look, small=True, name="people")
        self.people.setContentsMargins(BAR)
        self.people.hide()
        self.missing = label("", look, small=True, name="missing_line", wraps=True)
        self.missing.setContentsMargins(BAR)
        self.missing.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.missing.hide()
        self.above = column()  # what a companion puts above the pages
        self.correcting = Band("correcting", look.subject, look)
        self.paused = Band("paused", look.accent, look)
        self.cut_short = Band("cut_short", look.quiet, look)
        self.start = StartPage(look)
        self.strip = KeyStrip(look)
        self.strip.pressed.connect(self.press)
        self.top.key_chosen.connect(self.press)
        self.pages = QStackedWidget()
        self._notice_timer = QTimer(self, singleShot=True, interval=_NOTICE_MS)
        self._notice_timer.timeout.connect(self.clear_notice)
        self._lay_out(look)
        self.setObjectName("wizard_window")
        self.setWindowTitle(self.tr("Wizard"))
        self.setProperty("state", "start")
        self.setProperty("link", "down")
        self.setProperty("bundle", "")
        self.strip.show_steps(start_steps())

    def show_view(self, view: DeskView, steps: list[Step]) -> None:
        """What frames the pages: the bar, the strip, the problems, and what a driver reads."""
        self.strip.show_steps(steps)
        self.top.show_waiting(view.waiting)
        self.top.show_deadline(view.deadline)
        self.top.show_microphone(view.microphone)
        at_work = view.driver_properties["state"] not in _ELSEWHERE
        texts = {self.correcting: view.correction, self.paused: view.paused, self.cut_short: view.cut_short}
        for band, text in texts.items():
            band.show_text(text if at_work else "")
        for what, sentence in view.problems.items():
            if not sentence:
                self.end_problem(what)
            elif sentence != self._problems.get(what):
                self.show_problem(what, sentence)
        for name, value in view.driver_properties.items():
            self.setProperty(name, value)

    def show_page(self, page: QWidget) -> None:
        """Put a page in front."""
        self.pages.setCurrentWidget(page)

    @property
    def page(self) -> QWidget | None:
        """The page in front."""
        return self.pages.currentWidget()

    @property
    def offered(self) -> str:
        """The problem for which the window offers a way on, or an empty text."""
        return next(reversed(self._offers), "")

    @Slot(str, str)
    def show_problem(self, what: str, sentence: str, offer: str = "") -> None:
        """Something is wrong until `end_problem` of the same kind; the latest sentence of each kind is shown, and of
        the latest kind with an `offer` its button."""
        self._problems[what] = sentence
        self._offers.pop(what, None)
        if offer:
            self._offers[what] = offer
        self._show_problems()

    def show_passing_problem(self, what: str, sentence: str, for_ms: int = _PASSING_MS, offer: str = "") -> None:
        """A problem that has no end of its own: it goes by itself, later if it comes again."""
        self.show_problem(what, sentence, offer)
        if what not in self._passing:
            self._passing[what] = QTimer(self, singleShot=True)
            self._passing[what].timeout.connect(lambda: self.end_problem(what))
        # Started anew each time: a problem that comes again stays as long as it comes.
        self._passing[what].start(for_ms)

    @Slot(str)
    def end_problem(self, what: str) -> None:
        """Take back what was said under this name; other problems stay."""
        if self._problems.pop(what, None) is not None:
            self._offers.pop(what, None)
            self._show_problems()

    @Slot(list)
    def show_calls(self, booths: list[str]) -> None:
        """The booths where somebody without a session asks for help, until somebody has gone."""
        if booths:
            sentence = self.tr("{0} asks for help. Somebody goes there: {1} clears this line.")
            self.show_problem("call", sentence.format(", ".join(booths), key_of("answer_call")))
        else:
            self.end_problem("call")

    def answer_call(self) -> None:
        """The wizard says that a call for help is seen to."""
        if not self._problems.keys() & {"call", "help"}:
            self.show_notice(self.tr("Nobody asks for help."))
        self.call_answered.emit()

    @Slot(str)
    def show_people(self, words: str) -> None:
        """Who sits at this session, and who holds which turn; nothing where one person has the whole desk."""
        say(self.people, words)
        self.setProperty("people", words)

    def show_missing(self, who: str, words: str) -> None:
        """How a station that is missed gets in; nothing where none is."""
        self._missing[who] = sentence_here(words)
        say(self.missing, "  ".join(filter(None, self._missing.values())))

    @Slot(str)
    def show_notice(self, sentence: str) -> None:
        """Say something for a few seconds."""
        self.notice.show_text(sentence)
        self._notice_timer.start()

    @Slot(str)
    def show_unexpected(self, sentence: str) -> None:
        """A problem that nobody foresaw; the window goes on, so the sentence goes by itself."""
        self.show_passing_problem("unexpected", sentence, _UNEXPECTED_MS)

    @Slot()
    def clear_notice(self) -> None:
        """Take back the last sentence."""
        self.notice.show_text("")

    @Slot(bool)
    def show_trial(self, pilot: bool) -> None:
        """Whether the session is a trial, which is no data."""
        self.trial.show_text(self.tr("TRIAL") if pilot else "")
        self.trial.setToolTip(plain_tip(self.tr("TRIAL SESSION - not data")))

    def event(self, event: QEvent) -> bool:
        """With large letters, what is announced stands above the keys."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            large = self.width() < self._look.px(_LARGE)
            self._foot.setDirection(QBoxLayout.Direction.BottomToTop if large else QBoxLayout.Direction.LeftToRight)
        return super().event(event)

    def _show_problems(self) -> None:
        self.problem.show_text("  ".join(self._problems.values()))
        self.problem.offer(self._offers.get(self.offered, ""))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        digit = alt_digit(event)
        if digit:
            self.digit_pressed.emit(digit)
            return
        super().keyPressEvent(event)

    def _lay_out(self, look: Look) -> None:
        self.pages.addWidget(self.start)
        self.top.lead_with(self.trial)
        bars = (self.top, Hairline(look), self.people, self.missing, self.above)
        bands = (self.cut_short, self.correcting, self.paused, self.notice, self.problem)
        self._foot = row((self.strip, 1), _Notices(column(*bands, spacing=TIGHT)), spacing=0)
        self.setLayout(column(*bars, (self.pages, 1), Hairline(look), self._foot, spacing=0))
        # 1920x1080 at scale 2 is 960x540, without what a title bar and a task bar take.
        self.setMinimumSize(860, 460)
        # A small screen would cut off the strip with the next key.
        self.resize(_SIZE.boundedTo(QGuiApplication.primaryScreen().availableSize()))


class _Notices(QWidget):
    """Where they cover nothing: beside the keys in half of the window, with large letters above them in all of it."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self.setLayout(layout)

    def sizeHint(self) -> QSize:
        made = super().sizeHint()
        return QSize(self.window().width() // 2 if made.height() else 0, made.height())
