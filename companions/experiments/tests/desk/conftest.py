"""A room whose study has conditions, with a system and a recogniser that do what the test says."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from companions.experiments.tests.systems.given import SCRIPT
from curtain.session.study.design import PlannedRun, SubjectPlan
from curtain.session.study.study import Study, load_study, new_study
from curtain_experiments.systems.choice import recogniser_of, system_named
from curtain_experiments.systems.starting import agreements_of
from tests.wizard_app import conftest as desk
from tests.wizard_app.room import Opening, Room
from tests.wizard_app.stand_in import StandIn
from wizard_app.desk.session.plan import SessionPlan

EARS = SCRIPT.with_name("ears_that.py")
MakeStudy = Callable[..., Study]
databases, drafting, link_name = desk.databases, desk.drafting, desk.link_name
opening, stand_in, study = desk.opening, desk.stand_in, desk.study
room, english_room = desk.room, desk.english_room


def plan_under(condition: str, *scenarios: str) -> SessionPlan:
    names = scenarios or ("anniversary", "fair")
    runs = tuple(PlannedRun(name, condition) for name in names)
    return SessionPlan(
        "e00", "mb", names, None, True, "C-1", subject_plan=SubjectPlan(number=1, runs=runs)
    )  # fmt: skip


@pytest.fixture
def make_study(tmp_path: Path) -> MakeStudy:
    def make(conditions: str, words: tuple[str, ...] = ()) -> Study:
        names = ["anniversary", "fair"]
        folder = new_study(tmp_path / "experiment", "personnel", scenarios=names, practice="none", take_back_s=0).folder
        heard = folder / "heard.txt"
        heard.write_text("\n".join(words) + "\n", "utf-8")
        settings = f"""
{conditions}
[systems.mine]
command = ["{sys.executable}", "{SCRIPT}", "obeys"]
deadline_s = 30.0
[asr]
command = ["{sys.executable}", "{EARS}", "{heard}"]
"""
        with (folder / "study.toml").open("a", encoding="utf-8") as file:
            file.write(settings)
        study = load_study(folder)
        for choice in (system_named("mine", study.systems, folder), recogniser_of(study.asr, folder)):
            assert choice is not None
            for agreement in agreements_of(choice):
                agreement.give()
        return study

    return make


@pytest.fixture
def enter(qtbot: QtBot, opening: Opening, stand_in: Callable[[], StandIn], link_name: str) -> Callable[[Study], Room]:
    def enter_room(study: Study) -> Room:
        app = opening(study)
        subject = stand_in()
        subject.dial(link_name)
        return Room(qtbot, app, subject, link_name)

    return enter_room
