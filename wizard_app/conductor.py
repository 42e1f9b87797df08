"""What the wizard's window does: its wiring to the controllers, its keys, its pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from curtain.desk.listen_control import ListenControl
from curtain.desk.style import Look
from curtain.link.messages import StationStatus
from curtain.session.study.messages import MessageSet
from wizard_app.cursor import Cursor
from wizard_app.drafts.control import DraftsControl
from wizard_app.drafts.desk import DraftsDesk
from wizard_app.driver_view import seen_by_driver
from wizard_app.messages.picker import Picking
from wizard_app.pages.archive_page import ArchivePage
from wizard_app.pages.closing_page import ClosingPage
from wizard_app.pages.questions import Asking
from wizard_app.pages.tab_keys import TabKeys
from wizard_app.pages.work_page import WorkPage
from wizard_app.pages.work_presenter import WorkPresenter
from wizard_app.session.control import SessionControl
from wizard_app.session.microphone_watch import MicrophoneWatch
from wizard_app.session.plan import SessionPlan
from wizard_app.session.scenario_choice import ScenarioChoice
from wizard_app.session.session_files import OldSession, OpenSession
from wizard_app.situation import Situation, WizardState, next_steps
from wizard_app.turn.control import TurnControl
from wizard_app.turn.deadline import Deadline
from wizard_app.turn.sql_control import SqlControl
from wizard_app.window import WizardWindow

_TICK_MS = 250
_ACCEPT = "Ctrl+Shift+L"
# The other station was turned away or mended; nothing tells when it has given up.
_PASSING = ("station", "seat")


class Conductor(QObject):
    """Wires the window's panels to the controllers, sender by sender, and decides which page is shown."""

    start_requested = Signal(object)
    resume_requested = Signal(str)
    look_requested = Signal(str)
    output_chosen = Signal(str)
    typed = Signal(str, str)

    def __init__(
        self, window: WizardWindow, look: Look, session: SessionControl, turns: TurnControl, sql: SqlControl,
        listen: ListenControl, drafts: DraftsControl, present: Callable[[WorkPage], WorkPresenter],
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window = window
        self._session = session
        self._turns = turns
        self._sql = sql
        self._listen = listen
        self._archived: OldSession | None = None
        self._leaving = False
        self._microphone = MicrophoneWatch()
        self.start = window.start
        self.work = WorkPage(look)
        self.closing = ClosingPage(look)
        self.archive = ArchivePage(look)
        self.presenter = present(self.work)
        self.cursor = Cursor(window, self.work, turns)
        self.picking = Picking(self.work, self.presenter, turns, self.cursor, self)
        self.asking = Asking(look, session, turns, window)
        self.desk = DraftsDesk(self.work, self.presenter, session, turns, sql, drafts, self.cursor, self)
        self.tabs = TabKeys(self.work, self.cursor, window.tell, self)
        self._ticker = QTimer(self)
        self._ticker.setInterval(_TICK_MS)
        for page in (self.work, self.closing, self.archive):
            window.pages.addWidget(page)
        window.may_close = self._may_close
        self._wire()
        self._add_keys()
        self.refresh()

    # -- wiring ------------------------------------------------------------------------------------------

    def _wire(self) -> None:
        self._wire_session()
        self._wire_turns()
        self._wire_panels()
        self._window.resized.connect(self.work.follow_size)
        self._ticker.timeout.connect(self.presenter.tick)
        self._ticker.timeout.connect(self.refresh)

    def _wire_session(self) -> None:
        session = self._session
        session.opening.connect(lambda: self.start.hinder("open", self.tr("Opening the session.")))
        session.opened.connect(self._on_opened)
        session.progress_changed.connect(self._on_progress)
        session.link_changed.connect(self._on_link_changed)
        session.status_came.connect(self._on_status)
        session.take_here.connect(self._on_take_here)
        session.write_failed.connect(self._on_write_failed)
        session.trouble.connect(self._on_trouble)
        session.trouble_over.connect(self._window.end_trouble)
        session.closed.connect(self._on_closed)
        self._window.problem.accepted.connect(partial(self._when_at_work, self._on_offer_accepted))

    def _wire_turns(self) -> None:
        turns, listen, sql = self._turns, self._listen, self._sql
        turns.turn_changed.connect(self._on_turn_changed)
        turns.changed.connect(self._on_turns_changed)
        turns.told.connect(self._window.tell)
        self.asking.told.connect(self._window.tell)
        turns.query_left.connect(self._on_query_left)
        turns.reply_left.connect(self._on_reply_left)
        sql.attempt_made.connect(lambda turn, attempt: self._session.write([(attempt, turn)]))
        listen.trouble.connect(lambda sentence: self._window.show_trouble("sound", sentence))
        listen.playing_began.connect(lambda: self._window.end_trouble("sound"))

    def _wire_panels(self) -> None:
        self.start.start_requested.connect(self._on_start)
        self.start.resume_requested.connect(self.resume_requested)
        self.start.look_requested.connect(self.look_requested)
        self.start.output_chosen.connect(self.output_chosen)
        self.start.pilot_chosen.connect(self._window.show_trial)
        self.start.readiness_changed.connect(self.refresh)
        self.closing.leave_requested.connect(self._on_escape)
        self.closing.close_requested.connect(self.asking.close_as_it_is)
        self.archive.leave_requested.connect(self._on_escape)
        self.archive.turn_chosen.connect(self._on_archive_turn)
        self.archive.turns.replay_requested.connect(lambda _: self._listen.play())
        for panel in (self.work.listen, self.archive.listen):
            panel.replay_requested.connect(self._listen.play)
            panel.back_requested.connect(self._listen.back)
            panel.speed_requested.connect(self._listen.change_speed)
            self._listen.take_shown.connect(panel.show_take)
            self._listen.outline_drawn.connect(panel.show_outline)
            self._listen.place_moved.connect(panel.show_place)
            self._listen.speed_changed.connect(panel.show_speed)
        self.work.query.text_edited.connect(self._on_query_edited)
        self.work.sql.text_edited.connect(self._on_sql_edited)
        self.work.sql.yes_no_chosen.connect(self._on_yes_no)
        self.work.result.answers.maximum_edited.connect(self._on_maximum_edited)
        self.work.sql.run_requested.connect(self._sql.run)
        self.work.sql.stop_requested.connect(self._sql.run)
        self.work.sql.editor.earlier_requested.connect(lambda: self.presenter.walk(earlier=True))
        self.work.sql.editor.later_requested.connect(lambda: self.presenter.walk(earlier=False))
        self.work.schema.name_chosen.connect(self._on_name_chosen)
        self.work.turns.turn_selected.connect(self.presenter.show_details)
        self.work.turns.replay_requested.connect(self._on_replay_of)
        self.picking.changed.connect(self.refresh)
        self.desk.changed.connect(self.refresh)
        self.desk.told.connect(self._window.tell)

    def _add_keys(self) -> None:
        at_work: dict[str, Callable[[], object]] = {
            "Ctrl+Return": self._turns.send_query,
            "Ctrl+Enter": self._turns.send_query,
            "F5": self._sql.run,
            "F6": self.work.sql.toggle_yes_no,
            "Ctrl+Shift+Return": self._turns.send_answer,
            "Ctrl+Shift+Enter": self._turns.send_answer,
            "Ctrl+M": self.picking.pick,
            "Ctrl+L": lambda: self.cursor.go_to(self.work.sql.editor),
            "Ctrl+T": lambda: self.cursor.go_to(self.work.query.field),
            "F7": self._on_turn_list,
            "F8": self._on_correct,
            "F9": lambda: self.asking.note(self.work.turns.selected),
            "Ctrl+E": self.asking.end_scenario,
            "Ctrl+N": self.asking.next_scenario,
            "Ctrl+P": self._session.toggle_pause,
            "Ctrl+Shift+E": self.asking.end_session,
            _ACCEPT: self._on_offer_accepted,
            "Ctrl+B": lambda: self.work.fold_right(self.work.right_shown),
            **self.tabs.keys,
            **self.desk.keys,
        }
        for keys, act in at_work.items():
            self._window.add_key(keys, partial(self._when_at_work, act))
        anywhere: dict[str, Callable[[], object]] = {
            "F1": self.asking.keys,
            "F2": self._on_replay,
            "F3": self._listen.back,
            "F4": self._listen.change_speed,
            "F11": self._window.toggle_full_screen,
            "Escape": self._on_escape,
        }
        for keys, act in anywhere.items():
            self._window.add_key(keys, act, repeat=keys == "F3")

    # -- what the composition root tells -----------------------------------------------------------------

    def show_domain(
        self, title: str, choices: Sequence[ScenarioChoice], practice: ScenarioChoice | None, messages: MessageSet
    ) -> None:
        """Study and domain have been read. `choices` are all scenarios, the chosen ones first."""
        everything = [*([practice] if practice is not None else []), *choices]
        self.asking.set_scenarios(everything)
        self.presenter.set_scenarios(everything)
        self.presenter.set_messages(messages)
        self.start.show_study(title, choices, practice)

    def end(self) -> None:
        """Nothing happens by itself any more."""
        self._ticker.stop()

    def show_archive(self, old: OldSession) -> None:
        self._archived = old
        self._window.show_page(self.archive)
        self.archive.show_session(old.session_id, old.progress)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """The next key, the bar, and what a driver reads."""
        situation = self._situation()
        self._window.strip.show_steps(next_steps(situation))
        self._window.top.show_deadline(self.presenter.deadline if self._session.running else Deadline(0))
        if self._session.closing:
            self._show_closing()
        self._tell_driver(situation)

    # -- what happened -----------------------------------------------------------------------------------

    def _on_trouble(self, what: str, sentence: str) -> None:
        if what == "open":
            self.start.hinder("open", "")
        if what in _PASSING:
            self._window.show_passing_trouble(what, sentence, offer=self._offer(what))
        else:
            self._window.show_trouble(what, sentence, self._offer(what))

    def _offer(self, what: str) -> str:
        """The way on that the wizard is offered beside a trouble."""
        offers = {"seat": self.tr("Let it in"), "record": self.tr("Use the record kept here")}
        return f"{offers[what]}  ({_ACCEPT})" if what in offers else ""

    def _on_offer_accepted(self) -> None:
        if self._window.offered == "seat":
            self.asking.let_in()
        elif self._window.offered == "record":
            self.asking.take_record()

    def _on_opened(self) -> None:
        session = self._session.session
        if session is None:
            return
        opened = session.progress.opened
        self._window.show_trial(opened is not None and opened.pilot)
        self.start.hinder("open", "")
        self.work.messages.set_messages(self.presenter.messages, session.unsent.blanks)
        self._turns.begin_session(self.presenter.messages, session.unsent.turns)
        self._window.setWindowTitle(self.tr("Wizard, session {0}").format(session.session_id))
        self._window.show_page(self.work)
        self.work.follow_size()
        self.presenter.show_turn()
        self.cursor.go_to(self.work.query.field)
        self._ticker.start()

    def _on_progress(self) -> None:
        self._turns.show_progress(self._session.progress)
        self._show_microphone()
        self.refresh()

    def _show_microphone(self) -> None:
        trouble = self._microphone.trouble(self._session.progress)
        if trouble:
            self._window.show_trouble("microphone", trouble)
        else:
            self._window.end_trouble("microphone")

    def _on_link_changed(self, up: bool) -> None:
        self._window.top.show_link(up)
        self.start.show_link(up)
        if not up:
            self._window.top.show_recording(False)
            self._watch_microphone(MicrophoneWatch())
        self.refresh()

    def _on_status(self, status: StationStatus) -> None:
        before = self._microphone.test_told
        self._watch_microphone(self._microphone.after(status))
        if before != self._microphone.test_told:
            self.presenter.show_progress()
            self.refresh()
        self._window.top.show_level(status.level_dbfs, status.clipped)
        self._window.top.show_recording(status.recording)

    def _watch_microphone(self, watch: MicrophoneWatch) -> None:
        self._microphone = self.presenter.microphone = watch
        self._window.top.show_microphone(watch)
        self._show_microphone()

    def _on_take_here(self, turn: int, _wav: Path) -> None:
        current = self._turns.turn
        if current is not None and current.number == turn:
            self.presenter.show_take(play=not self._turns.correcting and not current.heard)

    def _on_write_failed(self, turns: list[int | None]) -> None:
        for turn in turns:
            if turn is not None:
                self._turns.recall(turn)

    def _on_turn_changed(self) -> None:
        typing = self.cursor.typing_elsewhere
        self.work.turns.forget_selection()
        self.presenter.show_turn()
        self._follow_rules()
        if not typing:
            self.cursor.go_on()
        self.refresh()

    def _on_turns_changed(self) -> None:
        self.presenter.show_progress()
        self.refresh()

    def _on_query_left(self) -> None:
        self.cursor.go_to(self.work.sql.editor)

    def _on_reply_left(self, _turn: int) -> None:
        self._window.tell_nothing()
        self.cursor.typed_nothing()

    def _on_query_edited(self) -> None:
        if not self.presenter.showing:
            self.cursor.typed()
            self._turns.set_query(self.work.query.field.toPlainText())
            self.presenter.show_yes_no()
            self._follow_rules()

    def _on_sql_edited(self) -> None:
        if not self.presenter.showing:
            self.cursor.typed()
            self._turns.set_sql(self.work.sql.editor.toPlainText())
            self._follow_rules()
            self.refresh()

    def _on_yes_no(self, marked: bool) -> None:
        self._turns.mark_yes_no(marked)
        self.refresh()

    def _on_maximum_edited(self, sql_max: str) -> None:
        self.cursor.typed()
        self._turns.set_sql_max(sql_max)
        self.refresh()

    def _follow_rules(self) -> None:
        fields = self._turns.fields
        self.typed.emit(fields.query, fields.sql)

    def _on_name_chosen(self, name: str) -> None:
        self.cursor.go_to(self.work.sql.editor)
        self.work.sql.editor.insert_name(name)

    def _on_replay_of(self, number: int) -> None:
        """A double click on a turn plays it, whichever is at work."""
        if number == self._listen.turn:
            self._listen.play()
            return
        wav = self._session.take_path(number)
        if wav is not None:
            self._listen.show_take(number, wav, play=True)

    def _on_replay(self) -> None:
        """F2 plays the turn at work; in the list of turns the chosen one."""
        turn, chosen = self._turns.turn, self.work.turns.selected
        if not self.cursor.at_work:
            self._listen.play()
        elif self.work.turns.hasFocus() and chosen is not None:
            self._on_replay_of(chosen)
        elif turn is not None and turn.number != self._listen.turn:
            self.presenter.show_take(play=True)
        else:
            self._listen.play()

    def _on_turn_list(self) -> None:
        """To the list of turns, and back again."""
        turns = self.work.turns
        if turns.hasFocus():
            self._leave_turn_list()
            return
        self.cursor.go_to(turns)
        self.refresh()

    def _leave_turn_list(self) -> None:
        self.work.turns.forget_selection()
        self.cursor.go_on()
        self.refresh()

    def _on_correct(self) -> None:
        self._turns.correct_last()
        if self._turns.correcting:
            self.cursor.go_to(self.work.sql.editor)

    # -- closing -----------------------------------------------------------------------------------------

    def _show_closing(self) -> None:
        session = self._session.session
        if session is None:
            return
        if self._window.page is not self.closing:
            self._listen.show_take(None, None, False)
            self._window.show_page(self.closing)
        self.closing.show_waiting(session.session_id, self._session.still_awaited())

    def _on_closed(self, session: OpenSession) -> None:
        self._ticker.stop()
        self._window.setProperty("bundle", str(session.bundle.path))
        turns = [turn for turn in session.progress.in_order if turn.sent]
        summary = self.tr("{0} turns, {1} with a reply.").format(len(session.progress.counted), len(turns))
        account, place = f"{summary} {session.measures}".strip(), str(session.bundle.path)
        self.closing.show_closed(session.session_id, account, place, session.missing)
        self._window.show_page(self.closing)
        self._window.setProperty("over", True)
        self.refresh()

    def _on_escape(self) -> None:
        page = self._window.page
        if page is self.archive:
            self._back_to_start()
        elif page is self.closing:
            self._leave_closing()
        elif self.work.messages.picking:
            self.work.messages.close_picker()
        elif self.work.turns.hasFocus():
            self._leave_turn_list()
        elif self.tabs.leave() or self.desk.leave():
            return
        elif self._turns.correcting:
            self._turns.leave_correcting()

    def _leave_closing(self) -> None:
        if not self._session.running:
            self._back_to_start()
            return
        self.asking.leave_unfinished(self._leave_unfinished)

    def _leave_unfinished(self) -> None:
        self._session.leave()
        self._back_to_start()

    def _back_to_start(self) -> None:
        self._archived = None
        self._listen.show_take(None, None, False)
        self._window.show_trial(False)
        self._window.setWindowTitle(self.tr("Wizard"))
        self.start.clear_for_next()
        self._window.show_page(self.start)
        self.start.take_focus()
        self.look_requested.emit("")
        self.refresh()

    # -- inner -------------------------------------------------------------------------------------------

    def _may_close(self) -> bool:
        """A window over a running session asks first; the session stays open whatever the answer."""
        if self._session.running and not self._leaving:
            self.asking.close_window(self._close_for_good)
            return False
        return True

    def _close_for_good(self) -> None:
        self._leaving = True
        self._window.close()

    def _on_start(self, plan: SessionPlan) -> None:
        self.start_requested.emit(plan)

    def _on_archive_turn(self, number: int) -> None:
        old = self._archived
        turn = old.progress.turns.get(number) if old is not None else None
        wav = None
        if old is not None and turn is not None and turn.take is not None:
            wav = old.bundle.utterance(turn.take.utterance_id)
        self._listen.show_take(number if wav else None, wav if wav and wav.is_file() else None, False)

    def _when_at_work(self, act: Callable[[], object]) -> None:
        if self.cursor.at_work:
            act()

    def _situation(self) -> Situation:
        page = self._window.page
        if page is self.start:
            return Situation(WizardState.START, link_up=self._session.link_up, enter=self.start.enter_told)
        if page is self.archive:
            return Situation(WizardState.ARCHIVE, link_up=self._session.link_up)
        if page is self.closing and not self._session.running:
            return Situation(WizardState.CLOSED, link_up=self._session.link_up)
        now = self.presenter.situation(self.work.messages.picking, self.work.messages.ready)
        browsing = page is self.work and self.work.turns.hasFocus()
        return replace(now, browsing=browsing, drafts=self.desk.count, at_drafts=self.desk.place,
                       words_offered=bool(self.work.query.field.offered))  # fmt: skip

    def _tell_driver(self, now: Situation) -> None:
        for name, value in seen_by_driver(now, self._session, self.presenter.deadline).items():
            self._window.setProperty(name, value)
