"""Whatever Tab reaches shows that it has the keyboard, and has a name for a screen reader, in every theme."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from curtain.base.table import Table
from curtain.link.messages import ScenarioShown
from curtain.qt import style
from curtain.qt.style import Look
from curtain.session.events.wizard_events import ScenarioStarted
from curtain.session.questionnaires.instrument import load_instruments
from curtain_rooms.subject.room_page import RoomPage
from subject_app.pages.form_page import FormPage
from subject_app.pages.main_page import MainPage
from subject_app.pages.mic_page import MicPage
from subject_app.pages.plain_pages import BriefingPage
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import texts_in
from tests.support.visible_focus import missing_sides, poor_stops
from wizard_app.desk.session.subject.subject_forms import SubjectForms
from wizard_app.window.pages.archive_page import ArchivePage
from wizard_app.window.pages.closing_page import ClosingPage
from wizard_app.window.pages.start_page import StartPage
from wizard_app.window.pages.work_page import WorkPage

TEXTS = texts_in("en").with_key("space")
TABLE = Table(headings=["Name"], rows=[["ADA"]] * 3, numeric=[False], total=3)


def _main_page(look: Look) -> QWidget:
    page = MainPage(look, TEXTS)
    task = ScenarioShown(seq=1, scenario_id="s", number=1, of=2, practice=False, text="Find Ada.")
    exchanges = tuple(Exchange(n, query=f"who {n}", query_seq=2 * n, table=TABLE, answer_seq=2 * n + 1) for n in (1, 2))
    page.show_shown(ScreenState(scenario=task, exchanges=exchanges, newest=2))
    return page


def _form_page(look: Look) -> QWidget:
    page = FormPage(look, TEXTS)
    forms = SubjectForms(load_instruments(("debriefing",), Path()))
    page.show_form(forms.after(ScenarioStarted(scenario_id="s", number=1, of=1, practice=False))[0], {})
    return page


PAGES: dict[str, Callable[[Look], QWidget]] = {
    "subject: microphone": lambda look: MicPage(look, TEXTS),
    "subject: briefing": lambda look: BriefingPage(look, TEXTS),
    "subject: task": _main_page,
    "subject: questionnaire": _form_page,
    "subject: other room": lambda look: RoomPage(look, TEXTS),
    "wizard: start": StartPage,
    "wizard: work": WorkPage,
    "wizard: earlier session": ArchivePage,
    "wizard: closing": ClosingPage,
}


@pytest.fixture(params=style.THEMES)
def dressed(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Look]:
    yield style.apply(qapp, request.param)
    style.apply(qapp, "light")


@pytest.mark.parametrize("name", PAGES)
def test_what_tab_reaches_shows_its_focus_and_has_a_name(
    put_up: Callable[..., None], qapp: QApplication, dressed: Look, name: str
) -> None:
    page = PAGES[name](dressed)
    put_up(page, 1280, 690)
    assert poor_stops(qapp, dressed, page) == ([], [])


def test_the_ring_stands_out_from_the_window(dressed: Look) -> None:
    assert style.contrast(dressed.accent, dressed.window) >= 3


def test_a_page_that_goes_takes_only_its_own_ring_along(
    put_up: Callable[..., None], qapp: QApplication, dressed: Look
) -> None:
    window = QWidget()
    first, second = QPushButton("First", QWidget(window)), QPushButton("Second", window)
    second.move(40, 60)
    put_up(window, 300, 200)
    window.activateWindow()
    first.setFocus()
    first.parentWidget().deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    second.setFocus()
    assert missing_sides(second, QColor(dressed.accent)) == []
    second.resize(200, 50)
    assert missing_sides(second, QColor(dressed.accent)) == []
    second.clearFocus()
    assert len(missing_sides(second, QColor(dressed.accent))) == 4
