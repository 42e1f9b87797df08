"""The subject's window; a low one, as 1920x1080 at twice the size makes it, keeps room for the answer."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.link.messages import ScenarioShown
from curtain.qt import style
from curtain.qt.answer_table import AnswerTable
from curtain.qt.style import CONTRAST, DARK, LIGHT, contrast
from curtain.session.study.languages import bundled_languages
from subject_app.pages.main_page import MainPage
from subject_app.pages.plain_pages import MessagePage
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import texts_in
from subject_app.window import Window
from tests.support.everywhere import PutUp


@pytest.fixture
def window(put_up):
    made = Window(LIGHT, texts_in("en"))
    put_up(made)
    yield made
    made.ask_before_leaving(False)


def question(window):
    return window.findChild(QMessageBox, "leave")


def press(qtbot, window, name):
    qtbot.mouseClick(question(window).findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def test_outside_a_session_the_window_closes_at_once(qtbot, window):
    with qtbot.waitSignal(window.closed):
        assert window.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_in_a_session_closing_asks_once_and_staying_is_what_both_keys_do(qtbot, window, key):
    window.ask_before_leaving(True)
    with qtbot.assertNotEmitted(window.closed):
        assert not window.close()
        assert not window.close()
        assert question(window).text() == "Leave the session?"
        qtbot.keyClick(question(window), key)
    assert window.isVisible()
    qtbot.waitUntil(lambda: question(window) is None)


def test_who_stays_is_asked_again_and_who_wishes_to_leave_can(qtbot, window):
    window.ask_before_leaving(True)
    window.close()
    press(qtbot, window, "leave_stay")
    qtbot.waitUntil(lambda: question(window) is None)
    assert not window.close()
    with qtbot.waitSignal(window.closed):
        press(qtbot, window, "leave_go")
    assert not window.isVisible()


def test_a_trial_session_is_marked_on_every_page(window):
    pages = {name: MessagePage(name, LIGHT, texts_in("en")) for name in ("waiting", "closing", "stopped", "paused")}
    for name, page in pages.items():
        window.add_page(name, page)
    mark = window.findChild(QLabel, "trial")
    assert not mark.isVisible()
    window.show_trial(True)
    for name in pages:
        window.show_page(name)
        assert mark.isVisible() and mark.text() == "Trial session"


@pytest.mark.parametrize("look", [LIGHT, DARK, CONTRAST])
def test_the_mark_can_be_read_and_is_no_part_of_the_page(qtbot, look):
    made = Window(look, texts_in("en"))
    qtbot.addWidget(made)
    mark = made.findChild(QLabel, "trial")
    colours, ground = mark.palette(), mark.grab().toImage().pixelColor(2, 2).name()
    assert contrast(ground, colours.windowText().color().name()) >= 4.5
    assert contrast(ground, look.window) >= 1.2


TASK = ScenarioShown(
    seq=1, scenario_id="s1", number=2, of=4, practice=False, asks_answer=True,
    text="A colleague moves to another building, and the caretaker asks who else sits there. " * 2,
)  # fmt: skip
TABLE = Table(
    headings=["Airline", "Flight", "From", "To", "Departs", "Arrives", "Fare"],
    rows=[["UA", "200", "Boston", "Denver", "6:15", "9:40", "$99"]] * 60, numeric=[False] * 7, total=120,
)  # fmt: skip
ASKED = ScreenState(
    scenario=TASK,
    exchanges=(
        Exchange(1, query="welche Flüge gehen vormittags", query_seq=2, message="…", answer_seq=3),
        Exchange(2, query="welche Flüge gehen nach Denver, größere zuerst", query_seq=4, table=TABLE, answer_seq=5),
    ),
    newest=2,
)
SIZES = ((960, 500, 100), (960, 500, 150), (1280, 680, 150))


@pytest.fixture
def language() -> str:
    return "en"


@pytest.fixture(params=SIZES, ids=lambda size: "{}x{} at {} %".format(*size))
def page(request: pytest.FixtureRequest, qapp: QApplication, put_up: PutUp, language: str):
    width, height, percent = request.param
    look, texts = style.apply(qapp, "light", percent), texts_in(language).with_key("space")
    window, made = Window(look, texts), MainPage(look, texts)
    window.add_page("main", made)
    window.show_page("main")
    put_up(window, width, height)
    yield made
    style.apply(qapp, "light")


@pytest.mark.parametrize("language", bundled_languages())
def test_the_first_row_and_the_whole_talk_button_are_seen(page: MainPage, qtbot: QtBot) -> None:
    size = page.window().size()
    page.show_shown(ASKED)
    talk, table = page.findChild(QWidget, "talk"), page.findChild(AnswerTable)
    rows = page.findChild(QTableView, "answer_rows")
    qtbot.waitUntil(lambda: rows.rowViewportPosition(0) + rows.rowHeight(0) <= rows.viewport().height())
    assert page.window().size() == size
    assert talk.height() >= talk.sizeHint().height()
    assert table.height() >= table.minimumSizeHint().height()


def test_the_task_gives_way_once_and_stays_when_it_is_unfolded(page: MainPage) -> None:
    line, fold = page.findChild(QWidget, "task_line"), page.findChild(QWidget, "task_sheet")
    page.show_shown(ScreenState(scenario=TASK))
    assert not line.isVisibleTo(page)
    page.show_shown(ASKED)
    assert line.isVisibleTo(page)
    fold.click()
    page.show_shown(ScreenState(scenario=TASK, exchanges=ASKED.exchanges[:1], newest=1))
    assert not line.isVisibleTo(page)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("page", [(1280, 720, 150), (1280, 720, 200)], indirect=True, ids=str)
def test_all_of_the_task_is_in_sight_while_the_answer_leaves_it_room(page: MainPage) -> None:
    page.window().show_trial(True)
    said = Exchange(1, query="who works in department 45", query_seq=2, message="Nothing was found.", answer_seq=3)
    task, tables = page.findChild(QScrollArea, "task_text"), ASKED.exchanges[1:]
    page.show_input("text", types=True, talks=False)
    for exchanges in ((), (replace(said, message=None),), (said,), tables, (said,)):
        page.show_shown(ScreenState(scenario=TASK, exchanges=exchanges, newest=2 if exchanges is tables else 1))
        QApplication.processEvents()
        in_sight = task.isVisible() and not task.verticalScrollBar().maximum()
        assert in_sight == (exchanges is not tables), exchanges


@pytest.mark.parametrize("page", [(960, 500, 150), (1280, 720, 200)], indirect=True, ids=str)
def test_letters_that_are_typed_and_words_of_buttons_are_never_cut(page: MainPage) -> None:
    page.show_shown(ASKED)
    page.show_input("both", types=True, talks=True)
    page.bar.question.field.setText("Gibt es große Flüge")
    QApplication.processEvents()
    shown = [one for kind in (QLineEdit, QPushButton) for one in page.findChildren(kind) if one.isVisible()]
    assert len(shown) > 3
    assert [one.objectName() for one in shown if one.height() < one.sizeHint().height()] == []
