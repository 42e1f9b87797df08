"""Which page is shown, and what Esc and closing the window leave."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from curtain.qt.languages.translation import sentence_here
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.session_files import OldSession
from wizard_app.presenters.desk_screen import DeskScreen, PageSet
from wizard_app.presenters.questions import Asking
from wizard_app.window.window import WizardWindow


class Navigation(QObject):
    """Goes from the start page to the work, to the closing page and back; looks at old sessions between.

    `work_shown`: a session has begun and its page is in sight. `start_shown`: the start page is back.
    `changed`: the next key may be another one.
    """

    work_shown = Signal()
    start_shown = Signal()
    changed = Signal()

    def __init__(
        self, window: WizardWindow, pages: PageSet, controllers: Controllers, screen: DeskScreen, asking: Asking
    ) -> None:
        super().__init__(window)
        self._window = window
        self._pages = pages
        self._session = controllers.session
        self._turns = controllers.turns
        self._listen = controllers.listen
        self._screen = screen
        self._asking = asking
        self._archived: OldSession | None = None
        self._leaving = False
        self._leavers: Sequence[Callable[[], bool]] = ()
        for page in (pages.work, pages.closing, pages.archive):
            window.pages.addWidget(page)
        window.may_close = self._may_close
        self._wire()

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of pages and dialogs do, by the names of the key table."""
        return {
            "leave": self._on_escape,
            "keys": self._asking.keys,
            "full_screen": self._window.toggle_full_screen,
            "note": lambda: self._asking.note(self._pages.work.turns.selected),
            "end_scenario": self._asking.end_scenario,
            "next_scenario": self._asking.next_scenario,
            "pause": self._session.toggle_pause,
            "end_session": self._asking.end_session,
        }

    def leave_first(self, *leavers: Callable[[], bool]) -> None:
        """What Esc leaves on the working page: the first of these that says it left something."""
        self._leavers = leavers

    def show_archive(self, old: OldSession) -> None:
        """Show a session of before, which nothing here changes."""
        self._archived = old
        self._window.show_page(self._pages.archive)
        self._pages.archive.show_session(old.session_id, old.progress, old.fact_at)
        self.changed.emit()

    def look_at(self, number: int) -> None:
        """Show an earlier turn of the running session: its sound, statements and answer; Esc goes back to the desk."""
        session = self._session.session
        if session is None:
            return
        self._archived = None
        self._window.show_page(self._pages.archive)
        self._pages.archive.show_session(session.session_id, session.progress, session.fact_at, running=number)
        self.changed.emit()

    def _follow_closing(self) -> None:
        """While a session closes: its page, and what is still on its way."""
        session = self._session.session
        if not self._session.closing or session is None:
            return
        if self._window.page is not self._pages.closing:
            self._listen.show_take(None, None, False)
            self._window.show_page(self._pages.closing)
        self._pages.closing.show_waiting(session.session_id, self._session.ending.still_awaited())
        form = self._session.wizard_form
        answers = session.progress.wizard_answers.get(form.name, {}) if form is not None else {}
        self._pages.closing.show_form(form, answers)

    def _wire(self) -> None:
        pages = self._pages
        self._screen.shown.connect(self._follow_closing)
        self._session.opened.connect(self._on_opened)
        self._session.closed.connect(self._on_closed)
        self._asking.notice.connect(self._window.show_notice)
        pages.start.pilot_chosen.connect(self._window.show_trial)
        pages.start.readiness_changed.connect(self.changed)
        pages.closing.leave_requested.connect(self._on_escape)
        pages.closing.close_requested.connect(self._asking.close_as_it_is)
        pages.closing.form_answered.connect(self._session.fill_form)
        pages.closing.form_finished.connect(self._session.finish_form)
        pages.archive.leave_requested.connect(self._on_escape)
        pages.archive.turn_chosen.connect(self._on_archive_turn)
        pages.archive.again_requested.connect(self._on_again)
        pages.work.turns.look_requested.connect(self.look_at)

    def _on_opened(self) -> None:
        session = self._session.session
        if session is None:
            return
        opened = session.progress.opened
        self._window.show_trial(opened is not None and opened.pilot)
        messages = self._screen.texts.messages
        self._pages.work.messages.set_messages(messages, session.unsent.blanks)
        self._turns.begin_session(messages, session.unsent.turns)
        self._window.setWindowTitle(self.tr("Wizard, session {0}").format(session.session_id))
        self._window.show_page(self._pages.work)
        self._pages.work.follow_size()
        self.changed.emit()
        self.work_shown.emit()

    def _on_closed(self, session: OpenSession) -> None:
        self._window.setProperty("bundle", str(session.bundle.path))
        summary = sentence_here(session.measures)
        if session.unanswered:
            summary += "\n" + self.tr("Not answered in questionnaires: {0}.").format(session.unanswered)
        if session.progress.withdrawn:
            withdrawn = self.tr("The subject withdraws: erase this speaker with “curtain forget”, see docs/lab.md.")
            summary = f"{withdrawn}\n\n{summary}"
        if session.progress.undisclosed:
            undisclosed = self.tr(
                "The subject has not read who answered: exports leave the session out. Once you have disclosed it, "
                "note that: “curtain consent STUDY {0} --disclosed DAY --by NAME”."
            )
            summary = f"{undisclosed.format(session.session_id)}\n\n{summary}"
        place, missing = str(session.bundle.path), session.progress.missing
        self._pages.closing.show_closed(session.session_id, summary.strip(), place, missing)
        self._window.show_page(self._pages.closing)
        self._window.setProperty("over", True)
        self.changed.emit()

    def _on_escape(self) -> None:
        page = self._window.page
        if page is self._pages.archive and self._session.running:
            self._back_to_desk()
        elif page is self._pages.archive:
            self._back_to_start()
        elif page is self._pages.closing:
            self._leave_closing()
        else:
            any(leave() for leave in self._leavers)

    def _back_to_desk(self) -> None:
        self._window.show_page(self._pages.work)
        self._pages.work.turns.forget_selection()
        self.changed.emit()
        self.work_shown.emit()

    def _on_again(self, statement: str, marked: bool | None, of: int) -> None:
        self._back_to_desk()
        self._turns.use(statement, marked, of)

    def _leave_closing(self) -> None:
        if self._session.running:
            self._asking.leave_unfinished(self._leave_unfinished)
        else:
            self._back_to_start()

    def _leave_unfinished(self) -> None:
        self._session.leave()
        self._back_to_start()

    def _back_to_start(self) -> None:
        self._archived = None
        self._listen.show_take(None, None, False)
        self._window.show_trial(False)
        self._window.setWindowTitle(self.tr("Wizard"))
        self._pages.start.clear_for_next()
        self._window.show_page(self._pages.start)
        self._pages.start.take_focus()
        self.start_shown.emit()
        self.changed.emit()

    def _may_close(self) -> bool:
        """A window over a running session asks first; the session stays open whatever the answer."""
        if self._session.running and not self._leaving:
            self._asking.close_window(self._close_for_good)
            return False
        return True

    def _close_for_good(self) -> None:
        self._leaving = True
        self._window.close()

    def _on_archive_turn(self, number: int) -> None:
        old = self._archived or self._session.session
        turn = old.progress.turns.get(number) if old is not None else None
        wav = None
        if old is not None and turn is not None and turn.take is not None:
            wav = old.bundle.utterance(turn.take.utterance_id)
        self._listen.show_take(number if wav else None, wav if wav and wav.is_file() else None, False)
