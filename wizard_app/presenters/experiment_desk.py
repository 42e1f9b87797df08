"""The experiment over the pages: what the operator's panel shows, its keys, and the plan on the start page."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.errors import CurtainError
from curtain.qt.background import Background
from curtain.qt.languages.translation import number_here
from curtain.qt.sql_text import EditorSchema
from curtain.session.study.conditions import Condition
from curtain.session.study.design import PastRun
from curtain.session.study.study import Study
from curtain.session.turns.past_runs import past_runs
from wizard_app.desk.experiment.chair import SystemChair
from wizard_app.desk.experiment.plan_offer import offer_of
from wizard_app.desk.experiment.systems import RunningSystems, start_all
from wizard_app.desk.preparation import OpenDatabase, StudyContent, transcriber
from wizard_app.desk.turn.reply_gate import ReplyGate
from wizard_app.window.pages.start_page import StartPage
from wizard_app.window.panels.operator_panel import OperatorPanel

_TICK_MS = 100
_NS = 1_000_000_000


class ExperimentDesk(QObject):
    """Everything that a study with conditions adds to the desk; without conditions it does nothing.

    `failed` is a sentence on a system that cannot be used.
    """

    failed = Signal(str)
    _ready = Signal()

    def __init__(
        self, study: Study, chair: SystemChair, outgoing: ReplyGate, background: Background, panel: OperatorPanel
    ) -> None:
        super().__init__(panel)
        self._study = study
        self._chair = chair
        self._outgoing = outgoing
        self._background = background
        self._panel = panel
        self._content: StudyContent | None = None
        self._start: StartPage | None = None
        self._now_ns: Callable[[], int] = lambda: 0
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._show_doing)
        chair.changed.connect(self.show)
        outgoing.changed.connect(self.show)
        panel.take_over_requested.connect(chair.take_over)
        panel.stop_requested.connect(chair.stop_or_go_on)
        panel.take_back_requested.connect(chair.take_back)
        # A system says that it is ready on a thread of its own.
        self._ready.connect(chair.look)

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What its keys do, by the names of the key table."""
        return {
            "take_over": self._chair.take_over,
            "stop_system": self._chair.stop_or_go_on,
            "take_back": self._chair.take_back,
        }

    def begin(self, start: StartPage, now_ns: Callable[[], int]) -> None:
        """Where the plan is shown, and whose clock says when a reply appears."""
        self._start, self._now_ns = start, now_ns

    def set_content(self, content: StudyContent) -> None:
        """Study and pack have been read."""
        self._content = content
        self._chair.set_content(content.messages, content.pack.dialect)
        self.read_past()

    def set_database(self, opened: OpenDatabase) -> None:
        """The database is open: the systems of the conditions can start."""
        self._chair.set_worker(opened.worker)
        content = self._content
        if content is None or not any(one.system for one in self._study.conditions):
            return
        ears = partial(transcriber, self._study, content.pack, EditorSchema({}, {}))
        work = partial(start_all, self._study, content.pack, opened.path, self._ready.emit, ears)
        self._background.run(work, self._on_systems)

    def read_past(self) -> None:
        """Read anew which cells of the design are filled."""
        if self._study.conditions:
            self._background.run(partial(past_runs, self._study), self._on_past)

    def show(self) -> None:
        """The condition at work, and what happens under it."""
        condition = self._chair.condition
        sentence = _sentence_of(condition) if condition is not None else ""
        has_system = condition is not None and condition.who != "wizard"
        self._panel.show_condition(sentence, has_system=has_system, stopped=self._chair.stopped)
        self._panel.show_fault(self._chair.last_fault)
        self._show_doing()
        if self._outgoing.held and not self._tick.isActive():
            self._tick.start()

    def _show_doing(self) -> None:
        if not self._outgoing.held:
            self._tick.stop()
        self._panel.show_doing(self._doing(), waits=bool(self._outgoing.held))

    def _doing(self) -> str:
        for number, reply in self._outgoing.held.items():
            left_s = max(0.0, (reply.due_ns - self._now_ns()) / _NS)
            kind = self.tr("answer") if reply.kind == "answer" else self.tr("message")
            return self.tr("Turn {1}: {0} in {2} s").format(kind, number, number_here(left_s, 1))
        if self._chair.stopped:
            return self.tr("Stopped: you answer")
        work = self._chair.at_work
        if work is None:
            return ""
        doing = {
            "hearing": self.tr("Hears turn {0}"),
            "asking": self.tr("Works on turn {0}"),
            "running": self.tr("Runs SQL for turn {0}"),
        }
        return doing[work.doing].format(work.turn)

    def _on_systems(self, future: Future[RunningSystems]) -> None:
        systems = future.result()
        self._chair.set_systems(systems)
        for sentence in systems.faults.values():
            self.failed.emit(sentence)

    def _on_past(self, future: Future[list[PastRun]]) -> None:
        past = () if isinstance(future.exception(), CurtainError) else future.result()
        if self._content is None or self._start is None:
            return
        # One order for all: the design has its own way to give speakers different ones.
        choices = replace(self._content.offer, seed=None).to("", ())
        scenarios = [one.id for one in choices if one.chosen]
        self._start.show_plan(offer_of(self._study.design, self._study.conditions, scenarios, past))


def _sentence_of(condition: Condition) -> str:
    """“robust: drafts-robust answers · answers after 8 s”."""
    who = {
        "wizard": "you answer",
        "typist": f"you type, {condition.system} answers",
        "system": f"{condition.system} answers",
    }[condition.who]
    parts = [who]
    if condition.latency_s is not None:
        parts.append(f"answers after {condition.latency_s:g} s")
    return f"{condition.id}: {' · '.join(parts)}"
