"""What was typed as the query leaves with the answer or the message; nothing typed is thrown away."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.qt.background import Background
from curtain.session.events import wizard_events as wizard
from curtain.session.turns.turn_progress import AnswerOutline, Sent
from tests.wizard_app.desk.turn.test_control import Desk
from wizard_app.desk.session.unsent import Unsent, read_unsent
from wizard_app.desk.turn.unsent_writer import UnsentWriter

ANSWER = Sent(40, 0, AnswerOutline("SELECT 5", yes_no=False, total=0))


@pytest.fixture
def desk(qtbot: QtBot, background: Background) -> Desk:
    return Desk(qtbot, background)


def last(desk: Desk) -> list[str]:
    """The types of what was journaled in the last batch."""
    return [type(fact).__name__ for fact, _ in desk.last]


def send_answer(desk: Desk) -> list[str]:
    desk.ran("SELECT 5", total=1, cas_min="5")
    desk.turns.send_answer()
    return last(desk)


@pytest.mark.parametrize(
    ("sent", "typed", "journaled"),
    [
        (None, " how many\nare there ", ["QuerySent", "AnswerSent"]),
        ("how many", "how many are there", ["QuerySent", "AnswerSent"]),
        ("how many", "how many ", ["AnswerSent"]),
        ("how many", "", ["AnswerSent"]),
        (None, "  ", ["AnswerSent"]),
    ],
)
def test_an_answer_takes_the_typed_query_with_it_in_one_batch(
    desk: Desk, sent: str | None, typed: str, journaled: list[str]
) -> None:
    desk.show(1, query=sent)
    desk.turns.set_query(typed)
    assert send_answer(desk) == journaled
    if "QuerySent" in journaled:
        assert desk.last[0] == (wizard.QuerySent(text="how many are there"), 1)


def test_a_message_takes_the_typed_query_with_it_if_it_can_leave(desk: Desk) -> None:
    desk.turns.set_query("who")
    assert not desk.turns.send_message("no_information", {"topic": " "})
    assert desk.written == [] and "topic" in desk.notices[-1]
    assert desk.turns.send_message("unable", {})
    assert last(desk) == ["QuerySent", "MessageSent"]


def test_a_correction_also_takes_a_changed_query_with_it(desk: Desk) -> None:
    desk.show(1, query="how many", sent=(ANSWER,))
    desk.turns.correct(0)
    desk.turns.set_query("how many women")
    assert send_answer(desk) == ["QuerySent", "Corrected", "AnswerSent"]


@pytest.mark.parametrize("journaled", [True, False])
def test_a_query_that_is_on_its_way_is_not_sent_twice_unless_it_could_not_be_journaled(
    desk: Desk, journaled: bool
) -> None:
    desk.turns.set_query("who")
    desk.turns.send_query()
    if not journaled:
        desk.turns.recall(1)
    assert send_answer(desk) == ["QuerySent"] * (not journaled) + ["AnswerSent"]


def test_what_the_disk_did_not_take_is_kept_when_there_is_room_also_where_nobody_types_on(
    qtbot: QtBot, background: Background, tmp_path: Path
) -> None:
    folder = tmp_path / "state"
    folder.write_text("in the way")
    session = Idle()
    session.session = SimpleNamespace(unsent_path=folder / "e00-01.json")
    writer = UnsentWriter(session, lambda: Unsent(blanks={"topic": "planes"}), background, session)  # type: ignore[arg-type]
    with qtbot.waitSignal(writer.failed):
        session.opened.emit()
    folder.unlink()
    with qtbot.waitSignal(writer.kept):
        pass
    assert read_unsent(session.session.unsent_path).blanks == {"topic": "planes"}


class Idle(QObject):
    opened = Signal()
    closed = Signal(object)
    session: Any = None
