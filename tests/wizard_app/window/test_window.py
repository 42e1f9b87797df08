from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from curtain.qt import style
from curtain.qt.style import Look
from curtain.session.turns.turn_progress import TurnProgress
from curtain_drafts.window.panel import DraftsPanel
from wizard_app.app import ScreenGuard
from wizard_app.desk.session.ending import awaited
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.seat import SubjectTexts
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow


@pytest.fixture
def window(qtbot: QtBot, look: Look) -> WizardWindow:
    made = WizardWindow(look)
    qtbot.addWidget(made)
    return made


def test_each_problem_is_reported_until_it_is_over_and_a_passing_one_goes_by_itself(
    qtbot: QtBot, window: WizardWindow
) -> None:
    window.show_problem("journal", "The disk is full.")
    window.show_problem("sound", "No output.")
    window.show_problem("journal", "The disk is still full.")
    assert window.problem.text == "The disk is still full.  No output."
    window.end_problem("journal")
    window.end_problem("never told")
    assert window.problem.text == "No output."
    window.show_passing_problem("station", "A second station asked to join.", for_ms=1)
    assert "second station" in window.problem.text
    qtbot.waitUntil(lambda: window.problem.text == "No output.")


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_what_is_announced_covers_nothing_and_moves_nothing_until_a_click_puts_it_away(
    qtbot: QtBot, qapp: QApplication, percent: int
) -> None:
    look = style.apply(qapp, "light", percent)
    window, page = WizardWindow(look), WorkPage(look)
    qtbot.addWidget(window)
    window.pages.addWidget(page)
    window.show_page(page)
    window.resize(1280, 720)
    window.show()
    QApplication.processEvents()
    before = window.pages.pos()
    sentence = "One sentence about what the wizard has to know now, with the key that goes on from here."
    window.problem.show_text(sentence)
    window.notice.show_text("The subject has filled in everything.")
    QApplication.processEvents()
    seen = [window.pages, window.notice, window.problem, window.strip]
    pages, notice, problem, strip = (QRect(one.mapTo(window, QPoint()), one.size()) for one in seen)
    # What is announced stands at the foot: beside the keys, with large letters above them.
    assert window.pages.pos() == before and pages.bottom() < min(strip.top(), notice.top())
    assert notice.bottom() < problem.top() and problem.bottom() < window.height()
    assert strip.right() < notice.left() if percent == 100 else problem.bottom() < strip.top()
    qtbot.mouseClick(window.problem, Qt.MouseButton.LeftButton)
    assert (window.problem.isVisible(), window.notice.isVisible()) == (False, True)
    window.show_problem("journal", "The disk is full.")
    assert window.problem.isVisible() and window.problem.text == "The disk is full."
    style.apply(qapp, "light")


def test_the_window_opens_at_1280_by_720_where_the_screen_allows(window: WizardWindow) -> None:
    room = QGuiApplication.primaryScreen().availableSize()
    assert window.size() == QSize(1280, 720).boundedTo(room).expandedTo(window.minimumSize())


def test_a_window_that_may_not_close_stays(qtbot: QtBot, window: WizardWindow) -> None:
    window.show()
    window.may_close = lambda: False
    with qtbot.assertNotEmitted(window.closed):
        window.close()
    assert window.isVisible()
    window.may_close = lambda: True
    with qtbot.waitSignal(window.closed):
        window.close()


def test_the_window_is_hidden_when_its_screen_goes_and_comes_with_the_next_one(
    qapp: QApplication, window: WizardWindow
) -> None:
    window.show()
    guard = ScreenGuard(qapp)
    screen = QGuiApplication.primaryScreen()
    qapp.screenRemoved.emit(screen)
    assert not window.isVisible()
    qapp.screenAdded.emit(screen)
    assert window.isVisible()
    guard.deleteLater()


@pytest.mark.parametrize("turn", [TurnProgress(1, cancelled="too_short"), TurnProgress(1, pressed_ns=1)])
def test_a_session_ends_only_when_nothing_is_awaited_any_more(turn: TurnProgress) -> None:
    here = turn.cancelled is not None
    session = SimpleNamespace(progress=SessionProgress(turns={1: turn}, closed_seq=9), awaited_turns=set())
    of = SimpleNamespace(idle=here, missing=[], settled=here, lost=False)
    running = SimpleNamespace(session=session, copy=of, audio=of, nobody_left=here, acked=0)
    assert len(awaited(running, SubjectTexts())) == (0 if here else 4)  # type: ignore[arg-type]


def test_tab_from_the_editor_comes_to_no_button_and_not_to_the_messages(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look, DraftsPanel(look))
    qtbot.addWidget(page)
    page.resize(1280, 720)
    page.show()
    page.activateWindow()
    page.sql.editor.setFocus()
    qtbot.waitUntil(page.sql.editor.hasFocus)
    come_to = []
    for _ in range(20):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        come_to.append(QApplication.focusWidget())
    assert page.sql.editor in come_to
    assert page.query.field in come_to
    assert not [one for one in come_to if isinstance(one, QAbstractButton)]
    assert page.messages.filter not in come_to
