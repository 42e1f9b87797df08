"""How a station that is missed gets in, on the desk: the start page with its code is out of sight there."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from wizard_app.rooms.control import BoothRow, RoomState
from wizard_app.rooms.missing_line import MissingLine

PAIRED = (BoothRow("booth", "away"),)


def state(code: str = "123456", booths: tuple[BoothRow, ...] = (), closed_s: int = 0) -> RoomState:
    return RoomState(("10.0.0.2:7411",), code, closed_s, booths, "")


@pytest.fixture
def said() -> list[str]:
    return [""]


@pytest.fixture
def line(qtbot: QtBot, said: list[str]) -> MissingLine:
    made = MissingLine("subject", apart_ms=0)
    made.changed.connect(said.append)
    return made


def test_a_resumed_session_says_at_once_where_the_subject_s_station_connects_and_with_which_code(
    line: MissingLine, said: list[str]
) -> None:
    line.show_state(state())
    assert said[-1] == ""  # the start page says it itself
    line.show_desk(True)
    assert "curtain subject --connect 10.0.0.2:7411. Code 123 456" in said[-1]
    line.show_state(state("654321"))
    assert "Code 654 321" in said[-1]
    line.show_link(True)
    assert said[-1] == ""


def test_a_station_that_went_is_missed_after_a_while_and_a_paired_one_may_need_no_code(
    qtbot: QtBot, line: MissingLine, said: list[str]
) -> None:
    line.show_state(state(booths=PAIRED))
    line.show_desk(True)
    line.show_link(True)
    line.show_link(False)
    assert said[-1] == ""
    qtbot.waitUntil(lambda: said[-1] != "")
    assert said[-1].endswith("Code 123 456, if it asks for one.")


def test_a_station_that_is_back_in_time_was_never_missed(qtbot: QtBot, said: list[str]) -> None:
    slow = MissingLine("subject", apart_ms=60_000)
    slow.changed.connect(said.append)
    slow.show_state(state(booths=PAIRED))
    slow.show_link(True)
    slow.show_desk(True)
    slow.show_link(False)
    slow.show_link(True)
    assert said == [""]


def test_a_chair_is_missed_only_where_none_is_paired(qtbot: QtBot, said: list[str]) -> None:
    chairs = MissingLine("chair")
    chairs.changed.connect(said.append)
    chairs.show_desk(True)
    chairs.show_state(state())
    assert said[-1] == "Another desk can join at 10.0.0.2:7411. Code 123 456"
    chairs.show_state(state(booths=PAIRED))
    assert said[-1] == ""


def test_closed_pairing_says_for_how_long(line: MissingLine, said: list[str]) -> None:
    line.show_desk(True)
    line.show_state(state(code="", closed_s=42))
    assert said[-1].endswith("Pairing is closed for 42 s after wrong codes.")
