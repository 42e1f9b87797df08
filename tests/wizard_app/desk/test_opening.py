"""How a wizard who asks to resume gets on: into the one session that waits, or a sentence that says what to do."""

from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.base.errors import CurtainError
from wizard_app.desk.opening import SessionOpening


class Loading(QObject):
    content_read = Signal(object)
    sessions_read = Signal(object)
    database_hashed = Signal(str)
    content, database_sha256 = object(), None
    sessions: tuple[SimpleNamespace, ...] = ()


class Control(QObject):
    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.resumed: list[str] = []

    def resume(self, session_id: str) -> None:
        self.resumed.append(session_id)


@pytest.mark.parametrize(
    ("waiting", "resumed", "sentence"),
    [
        ([], [], "No session waits to be resumed. Start a new one."),
        (["e00-02"], ["e00-02"], ""),
        (["e00-02", "e01-01"], [],
         "Several sessions were not ended: e00-02, e01-01. Choose one in the list below; Enter resumes it."),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("qapp")
def test_resume_enters_the_one_session_or_says_why_not(waiting: list[str], resumed: list[str], sentence: str) -> None:
    loading, control, said = Loading(), Control(), []
    opening = SessionOpening(cast(Any, control), cast(Any, loading), True, control)
    opening.notice.connect(said.append)
    rows = {"e00-01": True, **dict.fromkeys(waiting, False)}
    loading.sessions = tuple(SimpleNamespace(session_id=one, closed=done, problem="") for one, done in rows.items())
    loading.sessions_read.emit(loading.sessions)
    assert (control.resumed, "".join(said)) == (resumed, sentence)


@pytest.mark.usefixtures("qapp")
def test_a_description_that_the_disk_did_not_take_is_written_when_there_is_room(qtbot: QtBot) -> None:
    """Nothing happens meanwhile that would ask for it."""
    full = [CurtainError("No space left."), None]

    def describe(_fields: dict[str, Any], done: Callable[[Future[None]], None]) -> None:
        future: Future[None] = Future()
        future.set_exception(problem) if (problem := full.pop(0)) else future.set_result(None)
        done(future)

    control, loading = Control(), Loading()
    control.describe, loading.database_sha256 = describe, "0" * 64  # type: ignore[attr-defined,assignment]
    opening = SessionOpening(cast(Any, control), cast(Any, loading), False, control)
    loading.content = None  # type: ignore[assignment]
    with qtbot.waitSignals([opening.failed, opening.described]):
        control.opened.emit()
