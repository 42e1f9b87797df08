"""What the desk sees of an experiment: the next subject's plan, who departs from it and why, and which reply waits."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSpinBox, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import sentence_here, translate
from curtain.qt.style import GAP, PANEL, TIGHT, Look, set_text_colour
from curtain.qt.widgets import LowButton, box, column, heading, label, named, row, say
from curtain.qt.wrapping_row import WrappingRow
from curtain.session.study.design import SubjectPlan
from curtain_experiments.desk.plan_offer import PlanOffer, departed, plan_of_number
from wizard_app.keys.table import key_of


class OperatorPanel(QFrame):
    """Hidden where no condition runs. Every button is a key as well, so none takes the keyboard."""

    take_over_requested = Signal()
    stop_requested = Signal()
    take_back_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("operator")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._look = look
        self._condition = label("", look, bold=True, name="operator_condition", wraps=True)
        self._doing = label("", look, name="operator_doing", within=True)
        self._doing.setMinimumWidth(look.px(120))
        self._problem = label("", look, small=True, name="operator_problem", wraps=True, colour=look.warning)
        self._take_back = LowButton(_with_key(self.tr("Take back"), "take_back"), "take_back", look)
        self._take_over = LowButton(_with_key(self.tr("Take over"), "take_over"), "take_over", look)
        self._stop = LowButton("", "stop_system", look)
        # One row: on a screen 720 pixels high the SQL needs the others.
        keys = box(WrappingRow(self._take_back, self._take_over, self._stop))
        self.setLayout(column(self._condition, row((self._doing, 1), keys), self._problem, margins=PANEL, spacing=GAP))
        self._take_over.clicked.connect(self.take_over_requested)
        self._stop.clicked.connect(self.stop_requested)
        self._take_back.clicked.connect(self.take_back_requested)
        self.hide()

    def show_condition(self, sentence: str, *, has_system: bool, stopped: bool) -> None:
        """The condition of the turn at work, or an empty text without one."""
        self.setVisible(bool(sentence))
        self._condition.setText(sentence)
        self._take_over.setVisible(has_system and not stopped)
        self._stop.setVisible(has_system)
        self._stop.setText(_with_key(self.tr("Go on") if stopped else self.tr("Stop"), "stop_system"))

    def show_doing(self, sentence: str, *, waits: bool) -> None:
        """What happens now; `waits` while a reply can still be taken back."""
        self._doing.setText(sentence)
        self._take_back.setVisible(waits)

    def show_problem(self, sentence: str) -> None:
        """Why the system gave nothing, or an empty text."""
        say(self._problem, sentence_here(sentence))


def _with_key(words: str, action: str) -> str:
    return f"{words}  {key_of(action)}"


_MOST_SUBJECTS = 9999
_ONE_LINE = 60


class PlanPanel(QWidget):
    """Shows the offer; `scenarios_wanted` asks for those of its plan. Hidden without conditions."""

    changed = Signal()
    scenarios_wanted = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("plan_panel")
        self._look = look
        self._offer: PlanOffer | None = None
        self._runs = label("", look, "plan_runs", small=True, wraps=True)
        self._cells = label("", look, "plan_cells", small=True, wraps=True)
        self._cells.setTextFormat(Qt.TextFormat.RichText)
        self._number = named(QSpinBox(), "plan_number", self.tr("Number of the subject in the design"))
        self._number.setRange(1, _MOST_SUBJECTS)
        self._reason = CommandLine(
            name="plan_reason",
            spoken=self.tr("Why this subject departs from the design"),
            placeholder=self.tr("why this subject departs from the design"),
        )
        number = row(label(self.tr("Subject"), look), self._number, (self._runs, 1), spacing=GAP)
        self.setLayout(column(heading(self.tr("Design"), look), number, self._reason, self._cells, spacing=TIGHT))
        self._number.valueChanged.connect(self._on_number)
        self._reason.textChanged.connect(lambda _: self.changed.emit())
        self.hide()

    @property
    def offers(self) -> bool:
        """Whether there is a plan for the next subject."""
        return self._offer is not None and self._offer.plan is not None

    def show_offer(self, offer: PlanOffer | None) -> None:
        """The plan that is offered; None where the study has no conditions."""
        self._offer = offer
        self.setVisible(offer is not None)
        self._reason.clear()
        if offer is None:
            return
        self._number.setEnabled(offer.plan is not None)
        self._cells.setText(_cells_text(offer, self._look.warning))
        if offer.plan is not None:
            self._number.blockSignals(True)
            self._number.setValue(offer.plan.number)
            self._number.blockSignals(False)
        self.show_chosen(offer.plan.scenario_ids if offer.plan else ())
        if offer.plan is not None:
            self.scenarios_wanted.emit(offer.plan.scenario_ids)

    def show_chosen(self, scenario_ids: Sequence[str]) -> None:
        """Which scenarios are ticked, in their order: with which condition each will run."""
        plan = self.plan_for(scenario_ids)
        problem = self._offer.problem if self._offer is not None else ""
        self._runs.setText(problem or (_runs_text(plan) if plan is not None else ""))
        set_text_colour(self._runs, self._look.warning if problem else self._look.text)
        self._reason.setVisible(plan is not None and bool(plan.planned))

    def plan_for(self, scenario_ids: Sequence[str]) -> SubjectPlan | None:
        """What will be carried out; None without a design."""
        if self._offer is None:
            return None
        return departed(self._offer, self._number.value(), scenario_ids, self._reason.text())

    def _on_number(self, number: int) -> None:
        if self._offer is not None and self._offer.plan is not None:
            self.scenarios_wanted.emit(plan_of_number(self._offer, number).scenario_ids)
        self.changed.emit()


def _runs_text(plan: SubjectPlan) -> str:
    runs = [f"{at}. {run.scenario_id} – {run.condition_id}" for at, run in enumerate(plan.runs, 1)]
    # A long plan is read line by line: broken anywhere it hides where one scenario ends.
    return ("   " if len("".join(runs)) <= _ONE_LINE else "\n").join(runs)


def _cells_text(offer: PlanOffer, thin_colour: str) -> str:
    """A table of complete runs: scenarios down, conditions across. Cells with few runs stand out and say so."""
    head = "".join(f"<td align='right'>&nbsp;&nbsp;{escape(one.id)}</td>" for one in offer.conditions)
    lines = [f"<tr><td>{escape(translate('Plan', 'Complete so far'))}</td>{head}</tr>"]
    for scenario in offer.scenarios:
        cells = "".join(_cell(offer, scenario, one.id, thin_colour) for one in offer.conditions)
        lines.append(f"<tr><td>{escape(scenario)}</td>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>" if offer.plan else ""


def _cell(offer: PlanOffer, scenario: str, condition: str, thin_colour: str) -> str:
    count = offer.counts.get((scenario, condition), 0)
    if (scenario, condition) in offer.thin:
        few = escape(translate("Plan", "{0} few").format(count))
        return f"<td align='right'><b><font color='{thin_colour}'>{few}</font></b></td>"
    return f"<td align='right'>{count}</td>"
