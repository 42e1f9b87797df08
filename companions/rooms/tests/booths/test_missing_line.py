"""How a station that is missed gets in, on the desk: the start page with its code is out of sight there."""

import pytest
from pytestqt.qtbot import QtBot

from curtain_rooms.booths.control import BoothRow, RoomState
from curtain_rooms.booths.missing_line import MissingLine

PAIRED = (BoothRow("booth", "away"),)


def state(code: str = "123456", booths: tuple[BoothRow, ...] = (), closed_s: int = 0) -> RoomState:
    return RoomState(("10.0.0.2:7411",), {"": code} if code else {}, closed_s, booths, "", 5)


@pytest.fixture
def words() -> list[str]:
    return [""]


@pytest.fixture
def line(qtbot: QtBot, words: list[str]) -> MissingLine:
    made = MissingLine("subject", apart_ms=0)
    made.changed.connect(words.append)
    return made


def test_a_resumed_session_says_at_once_where_the_subject_s_station_connects_and_with_which_code(
    line: MissingLine, words: list[str]
) -> None:
    line.show_state(state())
    assert words[-1] == ""  # the start page says it itself
    line.show_desk(True)
    assert "curtain subject --connect 10.0.0.2:7411. Code 123 456" in words[-1]
    line.show_state(state("654321"))
    assert "Code 654 321" in words[-1]
    line.show_link(True)
    assert words[-1] == ""


def test_a_station_that_went_is_missed_after_a_while_and_a_paired_one_may_need_no_code(
    qtbot: QtBot, line: MissingLine, words: list[str]
) -> None:
    line.show_state(state(booths=PAIRED))
    line.show_desk(True)
    line.show_link(True)
    line.show_link(False)
    assert words[-1] == ""
    qtbot.waitUntil(lambda: words[-1] != "")
    assert words[-1].endswith("Code 123 456, if it asks for one.")


def test_a_station_that_is_back_in_time_was_never_missed(qtbot: QtBot, words: list[str]) -> None:
    slow = MissingLine("subject", apart_ms=60_000)
    slow.changed.connect(words.append)
    slow.show_state(state(booths=PAIRED))
    slow.show_link(True)
    slow.show_desk(True)
    slow.show_link(False)
    slow.show_link(True)
    assert words == [""]


def test_codes_for_desks_are_shown_where_none_is_paired_and_when_wanted(qtbot: QtBot, words: list[str]) -> None:
    chairs = MissingLine("chair")
    chairs.changed.connect(words.append)
    chairs.show_desk(True)
    chairs.show_state(state())
    codes = "Another desk can join at 10.0.0.2:7411. Code 123 456 (Ctrl+Shift+D hides this)"
    assert words[-1] == codes
    chairs.show_state(state(booths=PAIRED))
    assert words[-1] == ""
    # Another one joins while the session runs.
    for shown in (codes, "", codes):
        chairs.toggle()
        assert words[-1] == shown


def test_closed_pairing_says_for_how_long(line: MissingLine, words: list[str]) -> None:
    line.show_desk(True)
    line.show_state(state(code="", closed_s=42))
    assert words[-1].endswith("Pairing is closed for 42 s after 5 wrong codes.")
