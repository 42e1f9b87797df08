"""`python -m curtain_practice.window --study DIR --wizard ID --course FILE`: practice as a process of its own.

Put together in one place: the wizard's own station over recorded turns, with two pages more.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import print_error
from curtain.domain.rules.principles import Warned
from curtain.qt.languages.translation import WindowLanguage, translate
from curtain.qt.style import Look
from curtain.qt.windows.window_options import WindowOptions, read_options
from curtain.qt.windows.window_program import window_program
from curtain.session.study.design import Design
from curtain.session.study.study import Study, load_study
from curtain_practice.course import Course, read_course
from curtain_practice.recorded.control import JudgedTurn, Trainee, TrainingControl
from curtain_practice.recorded.recorded_subject import RecordedSubject
from curtain_practice.sittings import read_turns, sittings_of
from curtain_practice.window.results_page import JudgedPage, ResultsPage
from wizard_app.app import WizardApp, build
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.keys.guard import KeyGuard
from wizard_app.options import WizardOptions

SPEAKER = "t00"


def practice_study(study: Study, scratch: Path) -> Study:
    """The same desk in a folder of its own: nothing that a subject or an experiment needs. No
    reply can be taken back there: what is measured is the time until it was sent."""
    scenarios: tuple[str, ...] = ()
    return msgspec.structs.replace(
        study, folder=scratch, named_mirror=None, questionnaires=(), disclose=False, conditions=(), design=Design(),
        scenarios=scenarios, learn=False, listen_live=False, microphone="", take_back_s=0.0,
    )  # fmt: skip


class TrainingApp(QObject):
    """The window, and behind its first paint the station and the exercises. `scratch` holds the session."""

    def __init__(
        self, study: Study, look: Look, wizard: str, course: Course, scratch: Path, output: str | None = None
    ) -> None:
        super().__init__()
        self._study, self._look, self._who, self._course = study, look, wizard, course
        self._clock = Clock()
        self._sitting = self._clock.wall_utc()
        self._subject = RecordedSubject(scratch, self._clock)
        self._wizard: WizardApp = build(
            practice_study(study, scratch),
            look,
            WizardOptions(output=output, wizard=wizard, pilot=True),
            make_link=lambda resend: self._subject,
            clock=self._clock,
        )
        self.window = self._wizard.window
        self._wizard.furnished.connect(self._on_furnished)

    def begin(self) -> None:
        """Show the window, and load all the rest once it is painted."""
        self._wizard.begin()

    def close(self) -> None:
        """Let everything go; every judged turn is on the disk already."""
        self._wizard.close()

    def _on_furnished(self) -> None:
        station = self._wizard.station
        assert station is not None
        window, session, loading = self.window, station.controllers.session, station.loading
        trainee = Trainee(self._who, self._study.folder, self._sitting, self._study.deadline_s)
        control = TrainingControl(
            self._course, trainee, station.controllers, self._subject, self._clock, station.backgrounds.work,
            window,
        )  # fmt: skip
        judged, results = JudgedPage(self._look), ResultsPage(self._look)
        for page in (judged, results):
            window.pages.addWidget(page)
        # Nothing is lost when the window goes, so it asks nothing.
        window.may_close = lambda: True

        broken: list[str] = []

        def note_rules(_touched: object, warned: list[Warned]) -> None:
            broken[:] = [f"{one.rule}: {one.sentence}" for one in warned]

        def show_judged(turn: JudgedTurn) -> None:
            judged.show_turn(turn, broken if turn.reply.sql else ())
            window.show_page(judged)
            show_keys()
            window.setProperty("judged", turn.place)
            window.setProperty("right", turn.judgement.right)

        def go_on() -> None:
            window.show_page(station.pages.work)
            control.go_on()

        def show_results() -> None:
            try:
                sittings = sittings_of(read_turns(self._study.folder, self._who))
            except CurtainError as error:
                window.show_problem("training", str(error))
                sittings = []
            results.show_sittings(self._who, sittings, self._study.wizard_level)
            window.show_page(results)
            show_keys()
            window.setProperty("results", len(sittings))

        def start() -> None:
            if loading.content is not None and loading.database is not None:
                tasks = dict.fromkeys(one.scenario_id for one in self._course.exercises if one.scenario_id)
                known = [one for one in tasks if one in loading.content.texts.scenarios]
                first = known[:1] or list(loading.content.texts.scenarios)[:1]
                plan = SessionPlan(SPEAKER, self._who, tuple(first), None, False, "", pilot=True)
                station.pages.start.start_requested.emit(plan)

        loading.content_read.connect(
            lambda content: judged.set_messages({one.id: one.text for one in content.messages.messages})
        )

        def show_keys() -> None:
            steps = {judged: translate("Steps", "go on"), results: translate("Steps", "close")}
            if window.page in steps:
                window.strip.show_steps([("Enter", steps[window.page])])

        station.screen.shown.connect(show_keys)
        station.rules.noticed.connect(note_rules)
        loading.content_read.connect(lambda _content: start())
        loading.database_opened.connect(lambda _database: start())
        control.judged.connect(show_judged)
        control.failed.connect(lambda sentence: window.show_problem("training", sentence))
        control.finished.connect(session.ending.begin)
        session.closed.connect(lambda _session: show_results())
        judged.go_on_requested.connect(go_on)
        results.leave_requested.connect(window.close)


@dataclass(frozen=True, kw_only=True)
class _Given(WindowOptions):
    study: Path
    wizard: str
    course: Path
    output: str | None = None


def main(arguments: list[str] | None = None) -> int:
    """Runs until the window is closed; returns the exit code."""
    keep_files_private()
    given = read_options(_Given, arguments)
    try:
        study = load_study(given.study)
        study.ensure_writable()
        course = read_course(given.course)
    except CurtainError as error:
        print_error(error)
        return 2
    language = WindowLanguage(given.language, study.spoken_language, study.folder)
    with window_program("training", study.folder / "logs", given, language) as program:
        # The recordings are copied into it, so nothing of it may stay.
        with ScratchFolder("training") as scratch:
            training = TrainingApp(study, program.look, given.wizard, course, scratch, given.output)
            program.bind(training.window, training.window.show_unexpected)
            keys = KeyGuard(program.app)
            code = program.run(training.window, training.begin, training.close, given.drive)
        keys.deleteLater()
    return code
