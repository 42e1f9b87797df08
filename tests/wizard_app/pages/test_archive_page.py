from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.desk.style import Look
from wizard_app.pages.archive_page import ArchivePage
from wizard_app.session.progress import SessionProgress, TurnProgress


def test_the_notes_of_a_turn_are_shown_with_it(qtbot: QtBot, look: Look) -> None:
    page = ArchivePage(look)
    qtbot.addWidget(page)
    page.show()
    page.show_session(
        "e00-01", SessionProgress(turns={1: TurnProgress(1, notes=("a door slammed", "twice")), 2: TurnProgress(2)})
    )
    notes = page.findChild(QLabel, "archive_notes")
    assert notes is not None
    assert notes.text() == "Note: a door slammed\nNote: twice"
    page.turns.select(2)
    assert notes.isHidden()
