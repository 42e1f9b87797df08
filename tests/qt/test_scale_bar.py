"""A long scale begins without a value and takes one by mouse, arrow keys or figures."""

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from curtain.qt.forms.scale_bar import ScaleBar
from tests.support.everywhere import PutUp

VALUES = [str(value) for value in range(0, 101, 5)]


@pytest.fixture
def bar(put_up: PutUp) -> ScaleBar:
    made = ScaleBar(VALUES)
    put_up(made, 400, 30)
    return made


def test_nothing_is_chosen_before_somebody_chooses(bar: ScaleBar, qtbot: QtBot) -> None:
    assert bar.text == ""
    with qtbot.waitSignal(bar.chosen, check_params_cb=lambda value: value == "50"):
        qtbot.keyClick(bar, Qt.Key.Key_Right)
    assert bar.text == "50"


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([Qt.Key.Key_Right, Qt.Key.Key_Right], "55"), ([Qt.Key.Key_Home], "0"), ([Qt.Key.Key_End], "100"),
        ([Qt.Key.Key_8, Qt.Key.Key_5], "85"), ([Qt.Key.Key_1, Qt.Key.Key_0, Qt.Key.Key_0], "100"),
        ([Qt.Key.Key_7], ""),
    ],
)  # fmt: skip
def test_keys_choose(bar: ScaleBar, qtbot: QtBot, keys: list[Qt.Key], chosen: str) -> None:
    for key in keys:
        qtbot.keyClick(bar, key)
    assert bar.text == chosen


@pytest.mark.parametrize(("x", "chosen"), [(0, "0"), (200, "50"), (399, "100")])
def test_a_click_goes_to_its_place(bar: ScaleBar, qtbot: QtBot, x: int, chosen: str) -> None:
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    assert bar.text == chosen


def test_an_answer_of_before_stands_and_a_foreign_one_does_not(qtbot: QtBot) -> None:
    for value, stands in (("35", "35"), ("7", "")):
        made = ScaleBar(VALUES, value)
        qtbot.addWidget(made)
        assert made.text == stands
