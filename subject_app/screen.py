"""Connects the window and the station, sender by sender. Loaded after the first paint."""

from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from curtain.link.messages import Welcome
from curtain.qt.style import Look
from curtain.qt.widgets import announce
from subject_app.pages.form_page import FormPage
from subject_app.pages.main_page import MainPage
from subject_app.pages.mic_page import MicPage
from subject_app.pages.plain_pages import BriefingPage, MessagePage
from subject_app.pages.widgets import ReadingText
from subject_app.session.screen_state import ScreenState
from subject_app.session.texts import Texts
from subject_app.sitting.view import BAD_NOTICES, Notice, View
from subject_app.station import SubjectStation
from subject_app.talk.talk_key import TalkKey
from subject_app.talk.voice import Voice, spoken_words
from subject_app.window import Window


class Screen(QObject):
    """Builds the pages into the window, anew for each session, and shows on them what the station reports."""

    def __init__(self, window: Window, station: SubjectStation, talk_key: TalkKey, look: Look, texts: Texts) -> None:
        super().__init__(window)
        self._window = window
        self._station = station
        self._talk_key = talk_key
        self._look = look
        self._own_texts = texts
        self._offers_help = False
        self._voice = Voice(self)
        self._voice.absent.connect(partial(station.note_absent, "voice"))
        self._shown = ScreenState()
        self._view = View()
        self._task, self._task_seq = "", 0
        self._build(texts.with_key("space"))
        self._wire()

    def _build(self, texts: Texts) -> None:
        """Every page, in these words."""
        look = self._look
        self._texts = texts
        self._notices = {
            Notice.APART: texts.apart, Notice.CUT_SHORT: texts.cut_short, Notice.TOO_LONG: texts.too_long,
            Notice.NO_MICROPHONE: texts.no_microphone, Notice.NO_SOUND: texts.no_sound,
            Notice.PLEASE_WAIT: texts.please_wait, Notice.HOLD_LONGER: texts.hold_longer,
        }  # fmt: skip
        self._mic, self._briefing = MicPage(look, texts), BriefingPage(look, texts)
        self._main, self._form = MainPage(look, texts), FormPage(look, texts)
        self._plain = {name: MessagePage(name, look, texts) for name in ("waiting", "paused", "closing", "stopped")}
        # The names are those of `View.page`.
        pages: dict[str, QWidget] = {"mic_test": self._mic, "briefing": self._briefing, "main": self._main}
        for name, page in {**pages, "form": self._form, **self._plain}.items():
            self._window.add_page(name, page)
        self._window.use_texts(texts)
        self._wire_pages()
        self._show_help()
        self._on_microphone_changed()
        self._on_view_changed(self._view)

    def _wire_pages(self) -> None:
        station, key, bar = self._station, self._talk_key, self._main.bar
        for page in (self._mic, bar):
            page.talk_pressed.connect(key.press_button)
            page.talk_released.connect(key.release_button)
        self._mic.choose_requested.connect(station.microphone.choose)
        self._mic.continue_requested.connect(station.acts.finish_mic_test)
        self._briefing.start_requested.connect(station.acts.finish_briefing)
        bar.cancel_requested.connect(station.acts.cancel)
        bar.start_over_requested.connect(station.acts.start_over)
        bar.help_requested.connect(station.call_for_help)
        for plain in self._plain.values():
            plain.help_requested.connect(station.call_for_help)
        bar.question_begun.connect(station.acts.begin_typing)
        bar.question_entered.connect(station.acts.ask)
        bar.solution_entered.connect(station.acts.report_solution)
        self._main.painted.connect(station.acts.painted)
        self._main.painted.connect(self._on_painted)
        self._form.answered.connect(station.acts.answer_item)
        self._form.finished.connect(station.acts.finish_form)
        self._form.back_requested.connect(station.acts.go_back_to_form)
        station.microphone.level.connect(self._mic.meter.show_level)
        station.microphone.level.connect(bar.show_level)
        station.tested.connect(self._mic.show_test)
        station.one_moment_wanted.connect(bar.report_one_moment)
        station.solution_noted.connect(self._main.show_solution_noted)

    def _wire(self) -> None:
        station, key = self._station, self._talk_key
        # Before the take begins: the microphone may hear the loudspeaker.
        key.pressed.connect(self._voice.hush)
        key.pressed.connect(station.acts.press)
        key.released.connect(station.acts.release)
        key.cancel_requested.connect(station.acts.cancel)
        self._window.is_held = lambda: key.speaking
        key.released.connect(self._on_released)
        station.view_changed.connect(self._on_view_changed)
        station.welcomed.connect(self._on_welcomed)
        station.shown_changed.connect(self._on_shown_changed)
        station.microphone.changed.connect(self._on_microphone_changed)
        station.one_moment_wanted.connect(lambda _turn: announce(self._window, self._texts.one_moment))
        station.answer_painted.connect(self._on_answer_painted)

    def offer_help(self) -> None:
        """In another room nobody sees a subject who waits."""
        self._offers_help = True
        self._show_help()

    def _show_help(self) -> None:
        for name in ("waiting", "stopped") if self._offers_help else ():
            self._plain[name].offer_help()

    @Slot(object)
    def _on_view_changed(self, view: View) -> None:
        self._view = view
        # The indicator first: it is what the eye waits for.
        # Between two tasks the key is off, and looks it.
        may_ask = view.talking_allowed or view.typing_allowed
        state = "one_moment" if view.page == "main" and not may_ask else view.state
        self._main.show_state(state, view.asked_since)
        self._main.show_notice(self._notices.get(view.notice, ""), bad=view.notice in BAD_NOTICES)
        if view.form is not None:
            self._form.show_form(view.form, self._station.form_answers.get(view.form.name, {}))
            self._form.show_place(*view.form_place, back=view.may_go_back)
        # A button that is disabled while it is pressed would count as released.
        self._main.show_input(view.input, view.typing_allowed, view.talking_allowed or self._talk_key.speaking)
        if view.page == "briefing":
            self._briefing.show_how(self._texts.how_to_ask(view.input))
        self._window.show_page(view.page)
        self._window.ask_before_leaving(view.page not in ("waiting", "closing", "stopped"))
        self._window.setProperty("link", "up" if view.link else "down")
        self._window.setProperty("turn", view.turn)
        self._window.setProperty("form", view.form.name if view.form else "")
        self._window.setProperty("state", state if view.page == "main" else view.page)
        self._talk_key.listen(view.talking_allowed)

    @Slot()
    def _on_released(self) -> None:
        """What a hold kept back, the page among it, is shown now."""
        self._main.show_input(self._view.input, self._view.typing_allowed, self._view.talking_allowed)
        self._window.turn_page()

    @Slot(object)
    def _on_welcomed(self, welcome: Welcome) -> None:
        """What one subject tested, read and answered is nothing that the next one may see, or go on with."""
        self._talk_key.use(welcome.talk_key)
        self._voice.use(bool(welcome.voice), welcome.voice)
        self._build(self._own_texts.changed(welcome.texts).with_key(welcome.talk_key))
        self._window.setWindowTitle(welcome.title or self._texts.window_title)
        self._window.show_trial(welcome.pilot)
        self._briefing.show_briefing(welcome.title, welcome.briefing, welcome.database_description)

    @Slot(object)
    def _on_shown_changed(self, shown: ScreenState) -> None:
        self._shown = shown
        self._note_task(shown)
        self._main.show_shown(shown)
        if shown.closing:
            self._plain["closing"].show_message(self._texts.closing_title, shown.closing)

    @Slot()
    def _on_microphone_changed(self) -> None:
        microphone = self._station.microphone
        self._mic.show_microphone(microphone.readiness, microphone.names, microphone.missing)
        self._window.setProperty("microphone", microphone.readiness.value)

    @Slot(str, int, int)
    def _on_painted(self, what: str, seq: int, turn: int) -> None:
        if what in ("answer", "message"):
            self._window.setProperty("shown_turn", turn)
            self._window.setProperty("shown_seq", seq)
        elif what == "scenario":
            self._window.setProperty("shown_scenario", self._task)

    @Slot()
    def refit(self) -> None:
        """Fit what does not fit itself to another text size."""
        for text in self._window.findChildren(ReadingText):
            text.fit()
        self._main.refresh()

    def close(self) -> None:
        """Be silent: the window is about to go."""
        self._voice.close()

    @Slot()
    def _on_answer_painted(self) -> None:
        current = self._shown.current
        if current is not None:
            announce(self._window, f"{self._texts.answer}: {spoken_words(current, self._texts)}")
        # Never into a take: the next question may be under way.
        if current is not None and not self._station.recording():
            self._voice.say(spoken_words(current, self._texts))

    def _note_task(self, shown: ScreenState) -> None:
        """A scenario counts as shown only once it is painted, since a turn belongs to what stood on the screen."""
        running = shown.scenario if shown.scenario is not None and not shown.scenario_over else None
        if (running.seq if running else 0) != self._task_seq:
            self._task, self._task_seq = (running.scenario_id, running.seq) if running else ("", 0)
            announce(self._window, running.text if running else self._texts.task_over if shown.scenario else "")
            self._window.setProperty("shown_scenario", "")
