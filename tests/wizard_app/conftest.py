"""A study with a small pack, a wizard's station over it, and a stand-in for the subject."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import structs
from pytestqt.qtbot import QtBot

from curtain.qt import style
from curtain.session.study.study import Study, new_study
from curtain_drafts.desk import start
from tests.wizard_app.draft_stand_in import Drafting, DraftStandIn
from tests.wizard_app.lasting_database import LastingDatabases
from tests.wizard_app.room import Opening, Room
from tests.wizard_app.stand_in import StandIn
from wizard_app.app import WizardApp, build
from wizard_app.desk import preparation
from wizard_app.desk.session import ending
from wizard_app.options import WizardOptions

_NAMES = itertools.count(1)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new_study(
        tmp_path / "study", "personnel", scenarios=["anniversary", "fair"], practice="practice", take_back_s=0
    )


@pytest.fixture
def link_name() -> str:
    return f"test-{os.getpid()}-{next(_NAMES)}"


@pytest.fixture
def stand_in(tmp_path: Path, qtbot: QtBot) -> Iterator[Callable[[], StandIn]]:
    made: list[StandIn] = []

    def make() -> StandIn:
        made.append(StandIn(tmp_path / f"subject-{len(made)}"))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def drafting() -> Drafting:
    return Drafting()


@pytest.fixture
def tool(drafting: Drafting) -> DraftStandIn:
    return drafting.tool


@pytest.fixture(scope="session")
def databases() -> Iterator[LastingDatabases]:
    lasting = LastingDatabases()
    yield lasting
    lasting.end()


@pytest.fixture
def opening(
    qtbot: QtBot,
    look: style.Look,
    study: Study,
    link_name: str,
    drafting: Drafting,
    databases: LastingDatabases,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Opening]:
    monkeypatch.setattr(start, "start", drafting)
    monkeypatch.setattr(preparation, "open_database", databases.open)
    monkeypatch.setattr(preparation, "hash_of", databases.hash_of)
    monkeypatch.setattr(ending, "SETTLE_MS", 50)
    opened: list[WizardApp] = []

    def open_station(of: Study = study, **options: object) -> WizardApp:
        app = build(of, look, WizardOptions(listen=link_name, **options))  # type: ignore[arg-type]
        opened.append(app)
        with qtbot.waitSignal(app.furnished):
            app.begin()
        app.window.activateWindow()
        return app

    yield open_station
    for app in opened:
        app.close()
        app.window.may_close = lambda: True
        app.window.close()
        app.window.deleteLater()


@pytest.fixture
def room_of(
    qtbot: QtBot, study: Study, opening: Opening, stand_in: Callable[[], StandIn], link_name: str
) -> Callable[..., Room]:
    """The station over a study, with other `settings`, and its subject, which dials."""

    def made(of: Study = study, **settings: object) -> Room:
        room = Room(qtbot, opening(structs.replace(of, **settings)), stand_in(), link_name)
        room.subject.dial(link_name)
        return room

    return made


@pytest.fixture
def english_room(room_of: Callable[..., Room]) -> Room:
    return room_of()


@pytest.fixture
def room(english_room: Room) -> Room:
    return english_room


@pytest.fixture
def begun(room: Room) -> Room:
    """In a session."""
    room.begin()
    return room
