from PySide6.QtWidgets import QLabel, QStackedWidget

from curtain.qt.paint_events import when_painted


def test_it_comes_once_after_the_widget_was_painted(qtbot, put_up):
    label = QLabel("before")
    put_up(label)
    came = []
    label.setText("after")
    when_painted(label, lambda: came.append(label.text()))
    assert came == []
    qtbot.waitUntil(lambda: bool(came))
    later = []
    when_painted(label, lambda: later.append(1))
    qtbot.waitUntil(lambda: bool(later))
    assert came == ["after"]


def test_a_hidden_widget_is_not_said_to_be_painted(qtbot, put_up):
    pages = QStackedWidget()
    first, second = QLabel("1"), QLabel("2")
    pages.addWidget(first)
    pages.addWidget(second)
    put_up(pages)
    came = []
    when_painted(second, lambda: came.append(1))
    second.grab()
    later = []
    when_painted(first, lambda: later.append(1))
    qtbot.waitUntil(lambda: bool(later))
    assert came == []
    pages.setCurrentWidget(second)
    qtbot.waitUntil(lambda: bool(came))


def test_a_picture_taken_of_a_window_that_is_not_shown_is_no_paint(qtbot, qapp):
    label = QLabel("x")
    qtbot.addWidget(label)
    came = []
    when_painted(label, lambda: came.append(1))
    label.grab()
    qapp.processEvents()  # what was queued has come then
    assert came == []
