"""What was typed as the query leaves with the answer or the message; nothing typed is thrown away."""

from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain.session.events import subject_events as subject
from curtain.session.events import wizard_events as wizard
from curtain.session.study.messages import load_message_set
from curtain.session.turns.turn_progress import Sent, TurnProgress
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.unsent import Unsent, read_unsent
from wizard_app.desk.turn.control import Facts, TurnControl
from wizard_app.desk.turn.sql_control import SqlControl
from wizard_app.desk.turn.unsent_writer import UnsentWriter

TAKE = subject.TakeSaved(utterance_id="e00-01-001", frames=1, sample_rate=16000, sha256="", peak_dbfs=-3.0)
TABLE = Table(headings=[], rows=[], numeric=[], total=0)
ANSWER = Sent(40, 0, wizard.AnswerSent(sql="SELECT 5", table=TABLE, cas_min="5"))


class Worker:
    """Answers every statement at once."""

    def run(
        self, sql: str, yes_no: bool = False, sql_max: str = "", *, minimum: Future[Result] | None = None
    ) -> Future[Result]:
        ran: Future[Result] = Future()
        ran.set_result(Result(sql=sql, total=1, cas_min="5"))
        return ran

    def interrupt(self) -> None:
        raise AssertionError("nothing runs long enough")


class Desk:
    def __init__(self, qtbot: QtBot, background: Background, turn: TurnProgress) -> None:
        self.qtbot = qtbot
        self.sql = SqlControl(background)
        self.sql.set_worker(Worker())
        self.written: list[Facts] = []
        self.turns = TurnControl(self.written.append, self.sql)
        self.turns.begin_session(load_message_set("base"), {})
        self.turns.show_progress(SessionProgress(turns={1: turn}))

    def send_answer(self) -> list[str]:
        """The types of what was journaled in the last batch."""
        self.turns.set_sql("SELECT 5")
        with self.qtbot.waitSignal(self.sql.attempt_made):
            self.sql.run()
        self.turns.send_answer()
        return [type(fact).__name__ for fact, _ in self.written[-1]]


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
    qtbot: QtBot, background: Background, sent: str | None, typed: str, journaled: list[str]
) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE, query=sent))
    desk.turns.set_query(typed)
    assert desk.send_answer() == journaled
    if "QuerySent" in journaled:
        assert desk.written[-1][0] == (wizard.QuerySent(text="how many are there"), 1)


def test_a_message_takes_the_typed_query_with_it(qtbot: QtBot, background: Background) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE))
    desk.turns.set_query("who")
    assert desk.turns.send_message("unable", {})
    assert [type(fact).__name__ for fact, _ in desk.written[-1]] == ["QuerySent", "MessageSent"]


def test_a_message_that_cannot_leave_leaves_the_query_where_it_is(qtbot: QtBot, background: Background) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE))
    desk.turns.set_query("who")
    assert not desk.turns.send_message("no_information", {"topic": ""})
    assert desk.written == []


def test_a_correction_also_takes_a_changed_query_with_it(qtbot: QtBot, background: Background) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE, query="how many", sent=(ANSWER,)))
    desk.turns.correct(0)
    desk.turns.set_query("how many women")
    assert desk.send_answer() == ["QuerySent", "Corrected", "AnswerSent"]


def test_a_query_that_is_on_its_way_is_not_sent_twice(qtbot: QtBot, background: Background) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE))
    desk.turns.set_query("who")
    desk.turns.send_query()
    assert desk.send_answer() == ["AnswerSent"]


def test_a_query_that_could_not_be_journaled_leaves_with_the_reply(qtbot: QtBot, background: Background) -> None:
    desk = Desk(qtbot, background, TurnProgress(1, take=TAKE))
    desk.turns.set_query("who")
    desk.turns.send_query()
    desk.turns.recall(1)
    assert desk.send_answer() == ["QuerySent", "AnswerSent"]


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
