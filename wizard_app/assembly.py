"""Everything behind the first page of the wizard's station: made, connected and begun in this one place.

Read it as a table of contents. A new panel stands in `work_page`, and the presenter of its subject connects it.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.base.python_process import app_version
from curtain.link.socket_paths import is_network_address
from curtain.ports.discovery import offers, problems
from curtain.ports.drafting import drafting_at
from curtain.ports.instrument import instruments_at
from curtain.ports.operator import operator_at
from curtain.ports.seat import Desk, DeskSeat, seat_at
from curtain.qt.background import Background, or_else
from curtain.qt.listen_control import ListenControl, OpenedSound
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look
from curtain.session.study.study import Study
from wizard_app.desk import preparation
from wizard_app.desk.controllers import Backgrounds, Controllers
from wizard_app.desk.desk_view import DeskTexts
from wizard_app.desk.loading import StudyLoading
from wizard_app.desk.opening import SessionOpening
from wizard_app.desk.preparation import StudyContent
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.disk_watch import DiskWatch
from wizard_app.desk.session.session_files import StationStart
from wizard_app.desk.session.session_rows import problem_of
from wizard_app.desk.session.unsent import Unsent
from wizard_app.desk.sound.live_listening import LiveListening
from wizard_app.desk.sound.soft_tones import SoftTones
from wizard_app.desk.turn.control import TurnControl
from wizard_app.desk.turn.first_words import FirstWords
from wizard_app.desk.turn.reply_gate import ReplyGate
from wizard_app.desk.turn.rule_watch import RuleWatch
from wizard_app.desk.turn.sql_control import SqlControl
from wizard_app.desk.turn.statements import PastStatements
from wizard_app.desk.turn.turn_clock import TurnClock
from wizard_app.desk.turn.unsent_writer import UnsentWriter
from wizard_app.keys.table import KEYS
from wizard_app.options import StationInputs, WizardOptions
from wizard_app.presenters.cursor import Cursor
from wizard_app.presenters.desk_screen import DeskScreen, PageSet
from wizard_app.presenters.layout_memory import LayoutMemory
from wizard_app.presenters.listening import Listening
from wizard_app.presenters.navigation import Navigation
from wizard_app.presenters.notices import Notices
from wizard_app.presenters.questions import Asking
from wizard_app.presenters.right_column import RightColumn
from wizard_app.presenters.work_flow import WorkFlow
from wizard_app.station import WizardStation
from wizard_app.window.pages.archive_page import ArchivePage
from wizard_app.window.pages.closing_page import ClosingPage
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

if TYPE_CHECKING:
    from curtain.link.qt import SessionLink


def furnish(
    window: WizardWindow, look: Look, study: Study, options: WizardOptions, outside: StationInputs
) -> WizardStation:
    """Make everything behind the window, connect it, and begin."""
    # What decides.
    # Files and sound have one thread each: what they are given must be done in that order.
    backgrounds = Backgrounds(Background(3, window), Background(1, window), Background(1, window))
    # Link and session need each other; the session is looked up when the link asks, and is there by then.
    link = outside.make_link(lambda after: session.resend(after))
    start = StationStart(outside.clock, app_version(), os.getpid())
    # The session's own station writes it; a chair follows the one that does.
    parts = study, link, start, backgrounds.work, backgrounds.files, window
    session: SessionControl = SessionControl(*parts) if outside.joined is None else outside.joined.session(*parts)
    seat = seat_at(Desk(study, session, link, window, look, outside.clock, outside.joined))
    sql = SqlControl(backgrounds.work, window)
    now_ns = outside.clock.monotonic_ns
    outgoing = ReplyGate(seat.write, lambda: session.progress, now_ns, window, study.take_back_s)
    turns = TurnControl(outgoing.write, sql, window)
    outgoing.taken_back.connect(turns.reopen)
    session.opened.connect(outgoing.forget)
    session.scenario_ending.connect(outgoing.flush)
    listen = ListenControl(backgrounds.sound, window)
    drafts = drafting_at(study, window, look, backgrounds)
    operator = operator_at(study, window, look, backgrounds)
    controllers = Controllers(session, turns, sql, listen, drafts, outgoing)
    loading = StudyLoading(study, backgrounds.work, window)
    opening = SessionOpening(session, loading, options.resume, window)
    live = LiveListening(session, turns, listen, window)
    sound = OpenedSound(backgrounds.sound, listen, options.output)
    disk = DiskWatch(study.folder, backgrounds.work, window, study.bytes_per_hour)
    rules = RuleWatch(backgrounds.work, window)

    # What is seen.
    pages = PageSet(window.start, WorkPage(look, drafts.panel, operator.panel), ClosingPage(look), ArchivePage(look))
    operator.furnish(controllers, pages.work, loading, now_ns)
    turn_clock = TurnClock(study.deadline_s, now_ns)
    screen = DeskScreen(window, pages, controllers, turn_clock)
    session.progress_changed.connect(lambda: turns.show_progress(session.progress))
    window.call_answered.connect(session.answer_call)
    cursor = Cursor(window, pages.work, turns, now_ns)
    right = RightColumn(pages.work, screen, turns, cursor, window)
    asking = Asking(look, session, turns, window)
    drafts.furnish(controllers, pages.work, cursor, loading, screen.show)
    navigation = Navigation(window, pages, controllers, screen, asking)
    notices = Notices(window, screen, controllers, disk, asking)
    listening = Listening(pages, controllers, cursor, live)
    flow = WorkFlow(pages.work, controllers, cursor, window)

    instruments = instruments_at(study, session, link, window) if outside.joined is None else ()
    if (wanted := study.wizard_level) is not None:
        backgrounds.work.run(
            partial(_levels, study.folder), lambda done: window.start.show_levels(wanted, done.result())
        )

    # What helps and keeps.
    first_words = FirstWords(session, turns, backgrounds.work, study, window)
    layout = LayoutMemory(study.folder / "state" / "panels.ini")
    unsent = UnsentWriter(
        session, lambda: Unsent(turns=turns.unsent, blanks=pages.work.messages.blanks), backgrounds.files, window
    )

    seat.share(turns, screen.show)
    if outside.joined is not None:
        # Behind this the session comes anew, and its fields are filled with what was kept.
        outside.joined.linked.connect(lambda _up: unsent.keep_at_once())
        screen.chair, screen.joins = outside.joined.chair, True
        listening.watches = outside.joined.chair == "observer"

    # Keys.
    others = {
        "answer_call": window.answer_call,
        "other_desks": window.desks_wanted.emit,
        "hand_over": seat.hand_over,
        **right.actions,
        **drafts.actions,
        **notices.actions,
        **operator.actions,
    }
    KEYS.bind(window, {**flow.actions, **listening.actions, **navigation.actions, **others}, lambda: cursor.at_work)
    navigation.leave_first(pages.work.messages.leave, right.leave, drafts.leave, flow.leave)

    # Whatever changes, the strip names the next key.
    for source in (right, navigation, notices, flow):
        source.changed.connect(screen.show)
    first_words.growing.connect(partial(flow.show_words, whole=False))
    first_words.offered.connect(partial(flow.show_words, whole=True))
    navigation.work_shown.connect(listening.show_turn)
    navigation.work_shown.connect(lambda: cursor.go_to(pages.work.query.field))
    session.opened.connect(turn_clock.forget)

    # Rules and first words.
    flow.typed.connect(rules.follow)
    rules.noticed.connect(lambda touched, warned: pages.work.show_rules(rules.book, touched, warned))
    right.notice.connect(window.show_notice)
    flow.notice.connect(window.show_notice)
    loading.transcriber_ready.connect(first_words.set_transcriber)
    first_words.failed.connect(lambda sentence: window.show_passing_problem("transcriber", sentence))

    turns.ask_first(operator.refusal)

    _connect_start_page(window, loading, opening, navigation, session)
    _connect_study(loading, controllers, screen, flow, pages, asking)
    _connect_database(loading, controllers, rules, pages)
    loading.database_opened.connect(
        lambda opened: seat.check_with(opened.for_chairs or opened.worker, backgrounds.work)
    )
    _connect_failures(loading, opening, unsent, controllers, window)
    _connect_sound(sound, listen, opening, window)
    _connect_tones(SoftTones(session, link, listen, sound, now_ns), layout, options.chime, window)
    live.heard.connect(lambda turn: opening.note_heard(turn, live=True))

    # Everything is connected by now: nothing that begins here goes unheard.
    layout.restore(pages.work)
    _listen(link, seat, options.listen, window)
    seat.open_desk(options)
    if left_out := problems():
        window.show_problem("companions", " ".join(left_out))
    loading.begin()
    disk.begin()
    sound.begin()
    # The list may take longer, and goes another way.
    show_outputs = partial(window.start.show_outputs, chosen=options.output)
    backgrounds.work.run(preparation.outputs, or_else(show_outputs, lambda error: sound.report(str(error))))
    screen.show()
    return WizardStation(
        link, pages, controllers, backgrounds, loading, disk, rules, first_words, unsent, screen, layout,
        operator, instruments,
    )  # fmt: skip


def _levels(study: Path) -> dict[str, float]:
    """How good each wizard is in practice, from 0 to 1, as far as a companion knows."""
    return {wizard: level for levels in offers("levels") for wizard, level in levels(study).items()}


def _connect_start_page(
    window: WizardWindow,
    loading: StudyLoading,
    opening: SessionOpening,
    navigation: Navigation,
    session: SessionControl,
) -> None:
    window.start.start_requested.connect(opening.start)
    window.start.resume_requested.connect(session.resume)
    window.start.look_requested.connect(loading.look_at)
    loading.erased_read.connect(window.start.reserve)
    loading.sessions_read.connect(window.start.show_sessions)
    loading.archive_read.connect(navigation.show_archive)
    navigation.start_shown.connect(loading.read_sessions)
    session.closed.connect(lambda _session: loading.read_sessions())

    def show_other_session(_change: object) -> None:
        # Before the sessions are read nobody knows whose session it is, and no start is possible without the domain.
        rows = loading.sessions
        problem = "" if session.running or rows is None else problem_of(session.seat.joined, rows)
        window.start.hinder("other_session", problem)

    session.link_changed.connect(show_other_session)
    loading.sessions_read.connect(show_other_session)


def _connect_study(
    loading: StudyLoading, controllers: Controllers, screen: DeskScreen, flow: WorkFlow, pages: PageSet, asking: Asking
) -> None:
    def on_content(content: StudyContent) -> None:
        scenarios = [*([content.practice] if content.practice is not None else []), *content.offer.choices]
        controllers.session.texts = content.texts
        asking.set_scenarios(scenarios)
        titles = {one.id: one.title for one in scenarios}
        pages.archive.set_titles(titles)
        screen.texts = DeskTexts(content.messages, titles, content.texts.scenarios)
        pages.start.show_study(content.pack.title, content.offer, content.practice)

    loading.content_read.connect(on_content)
    loading.statements_read.connect(lambda statements: flow.set_past(PastStatements(statements)))


def _connect_database(loading: StudyLoading, controllers: Controllers, rules: RuleWatch, pages: PageSet) -> None:
    def on_schema(schema: EditorSchema) -> None:
        controllers.sql.note_open()
        pages.work.sql.editor.set_schema(schema)
        pages.work.schema.show_schema(schema)

    loading.content_read.connect(lambda content: rules.set_rules(content.pack, content.book))
    loading.database_opened.connect(lambda opened: controllers.sql.set_worker(opened.worker))
    loading.database_opened.connect(lambda opened: rules.set_looker(opened.looker))
    loading.schema_read.connect(on_schema)


def _connect_failures(
    loading: StudyLoading, opening: SessionOpening, unsent: UnsentWriter, controllers: Controllers, window: WizardWindow
) -> None:
    def on_failed(what: str, sentence: str) -> None:
        if what == "archive":
            window.show_notice(sentence)
        elif what == "transcriber":
            window.show_passing_problem(what, sentence)
        else:
            window.show_problem(what, sentence)
        if what == "domain":
            window.start.hinder(what, sentence)
        if what == "database":
            controllers.sql.give_up(sentence)

    loading.failed.connect(on_failed)
    opening.notice.connect(window.show_notice)
    opening.failed.connect(lambda sentence: window.show_problem("description", sentence))
    opening.described.connect(lambda: window.end_problem("description"))
    controllers.session.closed.connect(lambda _session: window.end_problem("description"))
    unsent.failed.connect(lambda sentence: window.show_problem("unsent", sentence))
    unsent.kept.connect(lambda: window.end_problem("unsent"))


def _connect_sound(sound: OpenedSound, listen: ListenControl, opening: SessionOpening, window: WizardWindow) -> None:
    window.start.output_chosen.connect(sound.open)
    for what in ("sound", "output"):
        sound.opened.connect(lambda _why, what=what: window.end_problem(what))
    sound.opened.connect(window.start.show_output_note)
    sound.report = partial(window.show_problem, "output")
    listen.heard.connect(opening.note_heard)


def _connect_tones(tones: SoftTones, layout: LayoutMemory, chime: bool, window: WizardWindow) -> None:
    """Whether they are wanted is remembered; headphones are asked about at each start."""

    def show() -> None:
        window.start.show_soft_tones(tones.wanted, tones.needs_headphones)

    def choose(wanted: bool) -> None:
        tones.wanted = wanted
        layout.keep_soft_tones(wanted)
        show()

    def wear(worn: bool) -> None:
        tones.headphones = worn

    tones.wanted = chime or layout.soft_tones
    window.start.soft_tones_chosen.connect(choose)
    window.start.headphones_chosen.connect(wear)
    tones.changed.connect(show)
    show()


def _listen(link: SessionLink, seat: DeskSeat, listen: str, window: WizardWindow) -> None:
    """On this machine always, under its usual name where `listen` is an address on the network."""
    try:
        link.listen(WizardOptions.listen if is_network_address(listen) else listen)
        seat.open_room(listen)
    except CurtainError as error:
        window.show_problem("link", str(error))
        window.start.hinder("link", str(error))
