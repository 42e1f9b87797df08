import io
import json
import os
import threading

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QPushButton, QVBoxLayout, QWidget

from curtain.qt.driver import Driver


class Driven:
    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.window = QWidget()
        self.window.setWindowTitle("Station")
        layout = QVBoxLayout(self.window)
        self.field = QLineEdit(objectName="field")
        self.label = QLabel("idle", objectName="label", toolTip="a tip")
        self.button = QPushButton("Go", objectName="go")
        for widget in (self.field, self.label, self.button):
            layout.addWidget(widget)
        self.fired = []
        QShortcut(QKeySequence("Ctrl+Return"), self.window, activated=lambda: self.fired.append("send"))
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.output = io.BytesIO()
        self.cues, self.leaves = [], []
        hooks = {"cue": lambda request: self.cues.append(request["wav"])}
        self.driver = Driver(self.window, hooks, self.output, lambda: self.leaves.append("left"))

    def ask(self, **request):
        before = len(self.answers())
        self.driver.take_line(json.dumps({"id": before + 1} | request).encode())
        self.qtbot.waitUntil(lambda: len(self.answers()) > before)
        return self.answers()[-1]

    def answers(self):
        return [json.loads(line) for line in self.output.getvalue().splitlines()]


@pytest.fixture
def driven(qtbot):
    return Driven(qtbot)


def test_keys_reach_a_shortcut_letters_the_field_with_the_focus_and_a_key_can_be_held(driven):
    driven.field.setFocus()
    assert driven.ask(do="keys", keys="Ctrl+Return")["ok"]
    assert driven.fired == ["send"]
    driven.ask(do="type", text='Zürich "東京" (1)')
    assert driven.field.text() == 'Zürich "東京" (1)'
    driven.button.setFocus()
    driven.ask(do="press", key="Space")
    assert driven.button.isDown()
    driven.ask(do="release", key="Space")
    assert not driven.button.isDown()


def test_waiting_ends_when_the_widget_shows_it_and_what_is_asked_next_waits_its_turn(driven):
    driven.driver.take_line(b'{"id": 1, "do": "wait", "name": "label", "is": {"text": "ready"}}')
    driven.driver.take_line(b'{"id": 2, "do": "look"}')
    assert driven.answers() == []
    driven.label.setText("ready")
    driven.qtbot.waitUntil(lambda: len(driven.answers()) == 2)
    assert [(answer["id"], answer["ok"]) for answer in driven.answers()] == [(1, True), (2, True)]


def test_waiting_in_vain_tells_what_was_seen_and_the_windows_own_properties_can_be_waited_for(driven):
    answer = driven.ask(do="wait", name="label", timeout_ms=20, **{"is": {"text": "ready"}})
    assert not answer["ok"]
    assert answer["seen"] == {"text": "idle"}
    driven.window.setProperty("turn", 7)
    assert driven.ask(do="wait", name="window", **{"is": {"turn": {"at_least": 7}}})["ok"]


def test_looking_gives_each_named_widget_that_can_be_seen(driven):
    driven.button.hide()
    widgets = driven.ask(do="look")["widgets"]
    assert widgets["label"]["text"] == "idle"
    assert widgets["window"]["title"] == "Station"
    assert "go" not in widgets


def test_texts_hold_what_is_hidden_as_well(driven):
    driven.button.hide()
    driven.button.setAccessibleName("spoken name")
    rows = QListWidget(driven.window)
    rows.addItem("an item")
    answer = driven.ask(do="texts")
    assert answer["ok"], answer
    texts = answer["texts"]
    assert {"idle", "a tip", "Station", "Go", "spoken name", "an item"} <= set(texts)


def test_a_dialog_gets_the_keys_and_can_be_found(driven):
    dialog = QDialog(driven.window)
    inner = QLineEdit(dialog, objectName="inner")
    dialog.open()
    inner.setFocus()
    driven.ask(do="type", text="abc")
    assert driven.ask(do="wait", name="inner", **{"is": {"text": "abc"}})["ok"]


def test_a_picture_has_the_size_that_was_asked_for(driven, tmp_path):
    driven.ask(do="resize", w=640, h=360)
    assert driven.ask(do="shot", path=str(tmp_path / "a.png"))["ok"]
    assert QImage(str(tmp_path / "a.png")).width() == 640


def test_a_hook_is_called_with_the_request_and_quitting_is_answered_first(driven):
    assert driven.ask(do="cue", wav="a.wav")["ok"]
    assert driven.cues == ["a.wav"]
    assert driven.ask(do="quit")["ok"]
    assert driven.leaves == ["left"]


@pytest.mark.parametrize(
    "line",
    [b"not json", b"[]", b'{"do": "explode"}', b'{"do": "keys"}', b'{"do": 3}', b'{"do": "keys", "keys": "Foo+"}'],
)
def test_a_request_that_cannot_be_done_is_answered_too(driven, line):
    driven.driver.take_line(line)
    driven.qtbot.waitUntil(lambda: bool(driven.answers()))
    assert not driven.answers()[0]["ok"]
    assert driven.ask(do="look")["ok"]


def test_requests_are_read_from_a_pipe(driven):
    reading, writing = os.pipe()
    driven.driver.start(reading)
    os.write(writing, b'{"id": 1, "do": "look"}\n{"id": 2, "do": "lo')
    driven.qtbot.waitUntil(lambda: len(driven.answers()) == 1)
    os.write(writing, b'ok"}\n')
    driven.qtbot.waitUntil(lambda: len(driven.answers()) == 2)
    assert driven.answers()[1]["ok"]
    os.close(writing)
    driven.qtbot.waitUntil(lambda: driven.leaves == ["left"])


@pytest.mark.parametrize("all_of_it", [False, True], ids=["the driver", "all that Qt holds of it"])
def test_a_line_that_comes_after_the_window_is_gone_harms_nobody(driven, monkeypatch, all_of_it):
    raised = []
    monkeypatch.setattr(threading, "excepthook", lambda failed: raised.append(failed.exc_value))
    before = set(threading.enumerate())
    out, into = os.pipe()
    driven.driver.start(out)
    [reader] = set(threading.enumerate()) - before
    parts = [one for one in vars(driven.driver).values() if isinstance(one, QObject) and not isinstance(one, QWidget)]
    for part in [driven.driver, *(parts if all_of_it else ())]:
        shiboken6.delete(part)

    os.write(into, b'{"id": 1, "do": "look"}\n')
    os.close(into)
    reader.join(10)

    assert not reader.is_alive()
    assert raised == []
