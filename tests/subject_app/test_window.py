import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton

from curtain.qt.style import CONTRAST, DARK, LIGHT, contrast
from subject_app.pages.plain_pages import MessagePage
from subject_app.session.texts import texts_in
from subject_app.window import Window


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
