"""How a wizard who asks to resume gets on: into the one session that waits, or a sentence that says what to do."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal

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
    loading.sessions = tuple(SimpleNamespace(session_id=one, closed=done, fault="") for one, done in rows.items())
    loading.sessions_read.emit(loading.sessions)
    assert (control.resumed, "".join(said)) == (resumed, sentence)
