"""The systems of a study's conditions at the desk: their panel and keys, and the plan on the start page."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer

from curtain.base.errors import CurtainError
from curtain.ports.operator import Operator
from curtain.qt.languages.translation import figure_here, number_here, translate
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look
from curtain.session.study.conditions import Condition
from curtain.session.study.study import Study
from curtain_experiments.desk.chair import SystemChair
from curtain_experiments.desk.plan_offer import offer_of
from curtain_experiments.desk.plan_panel import OperatorPanel, PlanPanel
from curtain_experiments.desk.systems import RunningSystems, start_all
from curtain_experiments.runs.design import PastRun
from curtain_experiments.runs.past_runs import past_runs
from wizard_app.desk.controllers import Backgrounds, Controllers
from wizard_app.desk.loading import StudyLoading
from wizard_app.desk.preparation import OpenDatabase, StudyContent, transcriber
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

_TICK_MS = 100
_NS = 1_000_000_000


class SystemOperator(Operator):
    """Everything that a study with conditions adds to the desk; without conditions it does nothing. `chair` asks the
    systems."""

    panel: OperatorPanel

    def __init__(self, study: Study, window: WizardWindow, look: Look, backgrounds: Backgrounds) -> None:
        self._study, self._window, self._background = study, window, backgrounds.work
        self.panel, self._plan = OperatorPanel(look), PlanPanel(look)

    def furnish(
        self, controllers: Controllers, page: WorkPage, loading: StudyLoading, now_ns: Callable[[], int]
    ) -> None:
        """Connect everything."""
        self._outgoing, self._loading, self._now_ns = controllers.outgoing, loading, now_ns
        self.chair = SystemChair(controllers, self._background, self._window)
        self._tick = QTimer(self.panel, interval=_TICK_MS)
        self._tick.timeout.connect(self._show_doing)
        self.chair.changed.connect(self._show)
        self.chair.notice.connect(self._window.show_notice)
        self._outgoing.changed.connect(self._show)
        self.panel.take_over_requested.connect(self.chair.take_over)
        self.panel.stop_requested.connect(self.chair.stop_or_go_on)
        self.panel.take_back_requested.connect(page.result.send.take_back_requested)
        self._window.start.add_design(self._plan)
        loading.content_read.connect(self._on_content)
        loading.database_opened.connect(self._on_database)
        loading.sessions_read.connect(lambda _rows: self._read_past())

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """By the names of the key table."""
        return {"take_over": self.chair.take_over, "stop_system": self.chair.stop_or_go_on}

    @staticmethod
    def checks(study: Study) -> Iterable[tuple[str, Callable[[], str]]]:
        """Conditions, design, each system, and the recogniser that they need."""
        from curtain_experiments.commands.experiment import lines_of

        return lines_of(study)

    def refusal(self, number: int, *, query: bool) -> str:
        """A system answers this turn."""
        return self.chair.refusal(number, query=query)

    def close(self) -> None:
        """End the systems."""
        self.chair.close()

    def _on_content(self, content: StudyContent) -> None:
        self.chair.set_content(content.messages, content.pack.dialect)
        self._read_past()

    def _on_database(self, opened: OpenDatabase) -> None:
        """The systems of the conditions can start."""
        self.chair.set_worker(opened.worker)
        content = self._loading.content
        if content is None or not any(one.system for one in self._study.conditions):
            return
        ears = partial(transcriber, self._study, content.pack, EditorSchema({}, {}))
        work = partial(start_all, self._study, content.pack, opened.path, self.chair.ready.emit, ears)
        self._background.run(work, self._on_systems)

    def _on_systems(self, future: Future[RunningSystems]) -> None:
        systems = future.result()
        self.chair.set_systems(systems)
        for sentence in systems.problems.values():
            self._window.show_problem("system", sentence)

    def _read_past(self) -> None:
        """Which cells of the design are filled."""
        if self._study.conditions:
            self._background.run(partial(past_runs, self._study), self._on_past)

    def _on_past(self, future: Future[list[PastRun]]) -> None:
        past = () if isinstance(future.exception(), CurtainError) else future.result()
        if (content := self._loading.content) is None:
            return
        # One order for all: the design has its own way to give speakers different ones.
        choices = replace(content.offer, seed=None).to("", ())
        scenarios = [one.id for one in choices if one.chosen]
        offer = offer_of(self._study.design, self._study.conditions, scenarios, past)
        self._plan.show_offer(offer)
        self._window.start.hinder("design", offer.problem if offer is not None else "")

    def _show(self) -> None:
        """The condition at work, and what happens under it."""
        condition = self.chair.condition
        sentence = _sentence_of(condition) if condition is not None else ""
        has_system = condition is not None and condition.who != "wizard"
        self.panel.show_condition(sentence, has_system=has_system, stopped=self.chair.stopped)
        self.panel.show_problem(self.chair.last_problem)
        self._show_doing()
        if self._outgoing.held and not self._tick.isActive():
            self._tick.start()

    def _show_doing(self) -> None:
        if not self._outgoing.held:
            self._tick.stop()
        self.panel.show_doing(self._doing(), waits=bool(self._outgoing.held))

    def _doing(self) -> str:
        for number, reply in self._outgoing.held.items():
            left_s = max(0.0, (reply.due_ns - self._now_ns()) / _NS)
            kind = translate("Operator", "answer") if reply.kind == "answer" else translate("Operator", "message")
            return translate("Operator", "Turn {1}: {0} in {2} s").format(kind, number, number_here(left_s, 1))
        if self.chair.stopped:
            return translate("Operator", "Stopped: you answer")
        work = self.chair.at_work
        if work is None:
            return ""
        doing = {
            "hearing": translate("Operator", "Hears turn {0}"),
            "asking": translate("Operator", "Works on turn {0}"),
            "running": translate("Operator", "Runs SQL for turn {0}"),
        }
        return doing[work.doing].format(work.turn)


def _sentence_of(condition: Condition) -> str:
    """“robust: drafts-robust answers · answers after 8 s”."""
    who = {
        "wizard": translate("Operator", "you answer"),
        "typist": translate("Operator", "you type, {0} answers"),
        "system": translate("Operator", "{0} answers"),
    }[condition.who]
    parts = [who.format(condition.system)]
    if condition.latency_s is not None:
        parts.append(translate("Operator", "answers after {0}").format(figure_here(f"{condition.latency_s:g} s")))
    return f"{condition.id}: {' · '.join(parts)}"
