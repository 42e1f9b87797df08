"""A departure from the design: allowed, with a reason that start page, journal and session.json know."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.qt.style import LIGHT
from curtain.session.events import wizard_events
from curtain.session.study.conditions import Condition
from curtain.session.study.design import Design, PlannedRun, SubjectPlan
from curtain.session.study.study import new_study
from curtain_experiments.desk.plan_offer import PlanOffer, departed, offer_of
from curtain_experiments.desk.plan_panel import PlanPanel
from curtain_experiments.runs.design import PastRun
from wizard_app.desk.session.plan import SessionPlan, missing
from wizard_app.desk.session.scenario_choice import ScenarioChoice, ScenarioOffer
from wizard_app.desk.session.session_files import StationStart, begin
from wizard_app.window.pages.start_page import StartPage

TWO = (Condition(id="a", who="wizard"), Condition(id="b", who="wizard"))
SCENARIOS = ("complaint", "fair")
PLANNED = (PlannedRun("complaint", "a"), PlannedRun("fair", "b"))


@pytest.fixture
def offer() -> PlanOffer:
    made = offer_of(Design(order="alternate"), TWO, SCENARIOS, list[PastRun]())
    assert made is not None and made.plan is not None and made.plan.runs == PLANNED
    return made


@pytest.mark.parametrize(
    ("number", "chosen", "runs"),
    [
        (1, SCENARIOS, PLANNED),
        (2, SCENARIOS, (PlannedRun("complaint", "b"), PlannedRun("fair", "a"))),
        (1, ("fair", "complaint"), (PlannedRun("fair", "b"), PlannedRun("complaint", "a"))),
        (1, ("complaint", "balance"), (PlannedRun("complaint", "a"), PlannedRun("balance", "b"))),
        (1, ("complaint",), (PlannedRun("complaint", "a"),)),
    ],
)
def test_what_departs_keeps_what_was_planned_beside_it(
    offer: PlanOffer, number: int, chosen: tuple[str, ...], runs: tuple[PlannedRun, ...]
) -> None:
    plan = departed(offer, number, chosen, " the other subject came first ")
    assert plan is not None and plan.runs == runs
    if runs == PLANNED and number == 1:
        assert (plan.override, plan.planned) == ("", ())
    else:
        assert (plan.override, plan.planned) == ("the other subject came first", PLANNED)


def test_the_start_page_asks_for_the_reason(qtbot: QtBot, offer: PlanOffer) -> None:
    page = StartPage(LIGHT)
    qtbot.addWidget(page)
    page.show()
    choices = tuple(ScenarioChoice(one, one.title(), True) for one in SCENARIOS)
    page.show_study("Personnel", ScenarioOffer(choices, SCENARIOS, 2), None)
    panel = PlanPanel(LIGHT)
    page.add_design(panel)
    panel.show_offer(offer)
    reason, number = page.findChild(QLineEdit, "plan_reason"), page.findChild(QSpinBox, "plan_number")
    assert reason is not None and number is not None and not reason.isVisibleTo(page)
    number.setValue(2)
    assert reason.isVisibleTo(page)
    wanted = "the reason for departing from the design"
    departing = SubjectPlan(number=2, runs=PLANNED[::-1], planned=PLANNED)
    assert wanted in missing(SessionPlan(subject_plan=departing))
    explained = SubjectPlan(number=2, runs=PLANNED[::-1], planned=PLANNED, override="ill")
    assert wanted not in missing(SessionPlan(subject_plan=explained))


def test_journal_and_session_json_keep_plan_and_reason(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel", scenarios=list(SCENARIOS), practice="none", take_back_s=0)
    explained = SubjectPlan(number=2, runs=PLANNED[::-1], planned=PLANNED, override="the first one was ill")
    plan = SessionPlan("e00", "kim", SCENARIOS, None, True, "C-1", subject_plan=explained)
    opened = begin(study, plan, None, StationStart(Clock(), "0", 1))
    facts = [fact for _, _, fact in opened.facts_after(0)]
    about = opened.bundle.read_session_json()["plan"]
    opened.journal.close()
    opened.replica.close()
    (began,) = [fact for fact in facts if isinstance(fact, wizard_events.SessionOpened)]
    assert began.plan == explained
    assert about["override"] == "the first one was ill"
    assert [run["condition_id"] for run in about["planned"]] == ["a", "b"]
