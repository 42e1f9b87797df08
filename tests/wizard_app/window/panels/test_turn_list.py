import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look, apply
from tests.support.everywhere import PutUp
from wizard_app.desk.turn.turn_rows import RowMark, TaskRow, TurnRow
from wizard_app.window.panels.turn_list import TurnList


@pytest.fixture
def turns(put_up: PutUp, look: Look) -> TurnList:
    made = TurnList(look)
    put_up(made, 210, 200)
    return made


def rows(now: int, last: int = 30, without: tuple[int, ...] = ()) -> list[TurnRow]:
    numbers = [number for number in range(1, last + 1) if number not in without]
    return [TurnRow(n, RowMark.NOW if n == now else RowMark.WAITING, "now" if n == now else "waiting") for n in numbers]


def is_in_sight(turns: TurnList, number: int) -> bool:
    at = next(at for at, row in enumerate(turns.rows) if row.number == number)
    return turns.viewport().rect().contains(turns.visualRect(turns.model().index(at, 0)))


def take_hand(qtbot: QtBot, turns: TurnList) -> None:
    turns.activateWindow()
    turns.setFocus()
    qtbot.waitUntil(turns.hasFocus)


def test_the_turn_at_work_comes_into_sight_whenever_it_changes(qtbot: QtBot, turns: TurnList) -> None:
    turns.show_rows(rows(1))
    for now in (25, 2, 30):
        turns.show_rows(rows(now))
        assert is_in_sight(turns, now)


def test_scrolling_by_hand_is_left_alone_while_the_turn_at_work_stays(turns: TurnList) -> None:
    turns.show_rows(rows(25))
    turns.verticalScrollBar().setValue(0)
    turns.show_rows(rows(25))
    assert not is_in_sight(turns, 25)


def test_the_turn_at_work_is_in_sight_after_the_list_becomes_lower(qtbot: QtBot, turns: TurnList) -> None:
    turns.resize(210, 600)
    turns.show_rows(rows(12, last=12))
    turns.resize(210, 120)
    qtbot.waitUntil(lambda: is_in_sight(turns, 12))


def test_a_row_that_goes_or_a_heading_that_comes_takes_no_selection_with_it(turns: TurnList) -> None:
    turns.show_rows(rows(3))
    turns.select(7)
    for after in (rows(3, without=(30,)), [TaskRow("Scenario 1 of 2", "The fair"), *rows(3)]):
        turns.show_rows(after)
        assert turns.selected == 7


def test_a_hand_that_comes_by_key_begins_at_the_turn_at_work_and_moves_by_arrows(qtbot: QtBot, turns: TurnList) -> None:
    turns.show_rows(rows(3))
    turns.clearFocus()
    assert turns.selected is None
    take_hand(qtbot, turns)
    assert turns.selected == 3
    qtbot.keyClick(turns, Qt.Key.Key_Down)
    assert turns.selected == 4


@pytest.mark.parametrize("mark", [RowMark.NOW, RowMark.CORRECTING, RowMark.ANSWERED])
def test_the_chosen_turn_looks_different_whatever_its_state(turns: TurnList, mark: RowMark) -> None:
    turns.show_rows([TurnRow(1, mark, "word"), TurnRow(2, RowMark.ANSWERED, "answer")])
    turns.forget_selection()
    without = turns.grab().toImage()
    turns.select(1)
    assert turns.grab().toImage() != without


def test_a_long_word_does_not_run_into_the_seconds(turns: TurnList) -> None:
    def picture(word: str) -> QImage:
        turns.show_rows([TurnRow(1, RowMark.ANSWERED, word, "12 s")])
        return turns.grab().toImage().copy(180, 0, 30, 40)

    assert picture("a word that is far too long for this list") == picture("a")


def test_the_chosen_turn_stays_in_sight_while_a_hand_is_in_the_list(qtbot: QtBot, turns: TurnList) -> None:
    turns.show_rows(rows(30))
    take_hand(qtbot, turns)
    turns.select(1)
    turns.resize(210, 120)
    assert is_in_sight(turns, 1)


def test_a_turn_is_reported_when_it_is_chosen_and_when_none_is(turns: TurnList) -> None:
    reported: list[int] = []
    turns.turn_selected.connect(reported.append)
    turns.show_rows(rows(3))
    turns.select(7)
    turns.forget_selection()
    assert reported == [7, 0]


def test_arrows_go_past_the_headings_of_tasks(qtbot: QtBot, turns: TurnList) -> None:
    first, second = TaskRow("Scenario 1 of 2", "The fair", "done"), TaskRow("Scenario 2 of 2", "Fifty years", "now")
    one, two = TurnRow(1, RowMark.ANSWERED, "answer"), TurnRow(2, RowMark.NOW, "now")
    turns.resize(210, 400)
    turns.show_rows([first, one, second, two])
    turns.clearFocus()
    take_hand(qtbot, turns)
    assert turns.selected == 2
    qtbot.keyClick(turns, Qt.Key.Key_Up)
    assert turns.selected == 1
    qtbot.keyClick(turns, Qt.Key.Key_Up)
    assert turns.selected == 1
    qtbot.keyClick(turns, Qt.Key.Key_Down)
    assert turns.selected == 2
    assert [row.number for row in turns.rows] == [1, 2]


@pytest.mark.parametrize("width", [150, 210])
@pytest.mark.parametrize("place, title", [("Scenario 1 of 2", "The fair in the old town of Irving"), ("Practice", "")])
def test_nothing_of_a_heading_is_written_over_another_part(
    put_up: PutUp, qapp: QApplication, width: int, place: str, title: str
) -> None:
    turns = TurnList(apply(qapp, "light", 150))
    put_up(turns, width, 100)

    def inked(*parts: str) -> set[tuple[int, int]]:
        turns.show_rows([TaskRow(*parts)])
        image = turns.viewport().grab(turns.visualRect(turns.model().index(0, 0)).adjusted(0, 0, 0, -2)).toImage()
        ground = image.pixel(0, 0)
        points = ((x, y) for x in range(image.width()) for y in range(image.height()))
        return {(x, y) for x, y in points if image.pixel(x, y) != ground}

    number, state, all_three = inked(place, "", ""), inked("", "", "no answer"), inked(place, title, "no answer")
    apply(qapp, "light")
    assert number and state and not number & state
    assert number | state <= all_three
