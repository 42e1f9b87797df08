"""With “disclose = true” every way to an end leads past who answered, or the session says that it does not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from curtain.commands.people.consent import list_consents
from curtain.link.messages import SessionOver
from curtain.session.events.subject_events import DISCLOSURE, FormFilled
from curtain.session.study.study import Study
from tests.wizard_app.room import CONTROL, PLAN, Opening, Room
from tests.wizard_app.stand_in import StandIn


@pytest.mark.parametrize("ends", ["read", "as it is", "resumed"])
@pytest.mark.parametrize("practice", ["practice", None])
def test_a_session_discloses_who_answered_or_says_that_it_has_not(
    qtbot: QtBot,
    opening: Opening,
    stand_in: Callable[[], StandIn],
    link_name: str,
    study: Study,
    capsys: pytest.CaptureFixture[str],
    practice: str | None,
    ends: str,
) -> None:
    settings = study.folder / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace("disclose = false", "disclose = true"), "utf-8")
    disclosing = structs.replace(study, disclose=True)
    room = Room(qtbot, opening(disclosing), stand_in(), link_name)
    room.subject.dial(link_name)
    room.begin(replace(PLAN, practice_id=practice))
    room.key(Qt.Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.press_in_dialog("end_session_confirmed")
    room.wait(state="closing")
    qtbot.waitUntil(lambda: bool(room.subject.shown_of(SessionOver)))
    (over,) = room.subject.shown_of(SessionOver)
    assert [one.name for one in over.forms] == [DISCLOSURE]
    if ends == "resumed":
        room.app.close()
        room.app.station = None
        room = Room(qtbot, opening(disclosing, resume=True), room.subject, link_name)
        room.wait(state="closing", link="up")
    if ends == "as it is":
        room.window.findChild(QPushButton, "close_as_it_is").click()
        room.press_in_dialog("close_as_it_is_confirmed")
    else:
        room.subject.fact(FormFilled(form=DISCLOSURE, values={"data": "keep"}))
    room.wait(state="closed")
    shown = room.window.findChild(QLabel, "closing_message").text()
    list_consents(study.folder)
    listed = capsys.readouterr().out
    assert "curtain consent STUDY e00-01 --disclosed DAY" in shown if ends == "as it is" else "STUDY" not in shown
    assert ("not disclosed who answered" in listed) is (ends == "as it is")
    assert Path(room.window.property("bundle")).is_dir()
