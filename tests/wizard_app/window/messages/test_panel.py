import math

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.session.study.messages import MessageSet, load_message_set
from tests.support.everywhere import PutUp
from wizard_app.window.messages.panel import MessagePanel
from wizard_app.window.messages.rows import MessageRows


@pytest.fixture
def panel(qtbot: QtBot, put_up: PutUp, look: Look) -> MessagePanel:
    made = MessagePanel(look)
    made.set_messages(load_message_set("base"), {"topic": "the weather"})
    put_up(made, 320, 600)
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    return made


def press(qtbot: QtBot, key: Qt.Key) -> None:
    qtbot.keyClick(QApplication.focusWidget(), key)


def type_in(qtbot: QtBot, text: str) -> None:
    qtbot.keyClicks(QApplication.focusWidget(), text)


def preview(panel: MessagePanel) -> str:
    label = panel.findChild(QLabel, "message_preview")
    return label.text()


def test_a_number_and_enter_send(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    type_in(qtbot, "2")
    with qtbot.waitSignal(panel.send_requested) as sent:
        press(qtbot, Qt.Key.Key_Return)
    assert sent.args == ["no_meta_information", {}]


@pytest.mark.parametrize(("key", "message_id"), [("3", "unable"), ("7", "not_understood"), ("9", "cut_off")])
def test_the_key_of_a_favourite_sends_it_at_once(qtbot: QtBot, panel: MessagePanel, key: str, message_id: str) -> None:
    panel.pick()
    with qtbot.waitSignal(panel.send_requested) as sent:
        type_in(qtbot, key)
    assert sent.args == [message_id, {}]


def test_the_key_of_a_favourite_with_a_blank_asks_for_it(qtbot: QtBot, panel: MessagePanel) -> None:
    (weather,) = (one for one in load_message_set("base").messages if one.id == "no_information")
    panel.set_messages(MessageSet((structs.replace(weather, key="w"),)), {})
    panel.pick()
    with qtbot.assertNotEmitted(panel.send_requested):
        type_in(qtbot, "w")
    type_in(qtbot, "rain")
    assert preview(panel) == "No information is available on rain."


def test_a_blank_or_other_letters_before_the_key_of_a_favourite_search(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    with qtbot.assertNotEmitted(panel.send_requested):
        type_in(qtbot, " 3")
    assert preview(panel) == "Sorry, the system is unable to answer your query."


@pytest.mark.parametrize("width", [230, 290, 430])
def test_every_sentence_is_whole_in_the_list(qtbot: QtBot, panel: MessagePanel, width: int) -> None:
    panel.set_messages(load_message_set("personnel"), {})
    panel.resize(width, 600)
    rows = panel.findChild(MessageRows)
    metrics = rows.fontMetrics()
    before_text = metrics.horizontalAdvance("00") + 18 + 3

    def whole() -> None:
        for at in range(rows.count()):
            item = rows.item(at)
            place = rows.visualItemRect(item)
            text = item.text().partition("  ")[2]
            lines = metrics.horizontalAdvance(text) / (place.width() - before_text)
            assert place.height() >= math.ceil(lines) * metrics.height()

    qtbot.waitUntil(whole)


def test_every_message_is_reached_by_the_arrows(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.resize(290, 300)
    panel.pick()
    rows = panel.findChild(MessageRows)
    for at in range(rows.count()):
        assert rows.currentRow() == at
        assert rows.viewport().rect().intersects(rows.visualItemRect(rows.currentItem()))
        press(qtbot, Qt.Key.Key_Down)


def test_letters_choose_and_the_preview_shows_what_will_be_sent(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    type_in(qtbot, "not_under")
    assert preview(panel).startswith("Sorry, your query was not understood")
    type_in(qtbot, "zzz")
    assert preview(panel) == "No message fits."
    with qtbot.assertNotEmitted(panel.send_requested):
        press(qtbot, Qt.Key.Key_Return)


def test_tab_goes_through_the_blanks_and_the_last_value_is_remembered(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    type_in(qtbot, "1")
    press(qtbot, Qt.Key.Key_Tab)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert (field.objectName(), field.text()) == ("blank_topic", "the weather")
    field.selectAll()
    type_in(qtbot, "cars")
    assert preview(panel) == "No information is available on cars."
    with qtbot.waitSignal(panel.send_requested) as sent:
        press(qtbot, Qt.Key.Key_Return)
    assert sent.args == ["no_information", {"topic": "cars"}]
    assert panel.blanks == {"topic": "cars"}


def test_enter_goes_to_an_empty_blank_before_it_sends(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    type_in(qtbot, "5")
    assert not panel.ready
    with qtbot.assertNotEmitted(panel.send_requested):
        press(qtbot, Qt.Key.Key_Return)
    assert QApplication.focusWidget().objectName() == "blank_thing"
    assert panel.in_empty_blank
    type_in(qtbot, "flight")
    assert panel.ready and not panel.in_empty_blank


def test_what_a_blank_said_before_is_shown_before_it_is_sent_again(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick("no_information")
    assert not panel.ready
    with qtbot.assertNotEmitted(panel.send_requested):
        press(qtbot, Qt.Key.Key_Return)
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit) and field.selectedText() == "the weather"
    # Behind the last blank comes the search, and nothing beyond the messages.
    for _ in range(2):
        press(qtbot, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is field
    with qtbot.waitSignal(panel.send_requested) as sent:
        press(qtbot, Qt.Key.Key_Return)
    assert sent.args == ["no_information", {"topic": "the weather"}]


def test_escape_closes_without_sending_and_what_was_typed_is_there_again(qtbot: QtBot, panel: MessagePanel) -> None:
    panel.pick()
    type_in(qtbot, "5")
    press(qtbot, Qt.Key.Key_Return)
    type_in(qtbot, "fli")
    with qtbot.assertNotEmitted(panel.send_requested), qtbot.waitSignal(panel.picking_ended):
        press(qtbot, Qt.Key.Key_Escape)
    assert not panel.picking
    assert panel.blanks["thing"] == "fli"


def test_pointing_at_the_likely_message_takes_the_cursor_from_nobody(put_up: PutUp, panel: MessagePanel) -> None:
    other = QLineEdit()
    put_up(other)
    other.activateWindow()
    other.setFocus()
    panel.preselect("unable")
    assert not panel.picking
    panel.pick("unable")
    assert preview(panel) == "Sorry, the system is unable to answer your query."


def test_tab_comes_to_the_filter_only_while_a_message_is_chosen(qtbot: QtBot, panel: MessagePanel) -> None:
    before = QLineEdit()
    panel.layout().insertWidget(0, before)  # type: ignore[union-attr]
    before.setFocus()
    press(qtbot, Qt.Key.Key_Tab)
    assert not panel.filter.hasFocus()
    assert not panel.picking
    panel.pick()
    type_in(qtbot, "1")
    press(qtbot, Qt.Key.Key_Tab)
    press(qtbot, Qt.Key.Key_Backtab)
    assert panel.filter.hasFocus()
