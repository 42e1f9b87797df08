from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from curtain.desk.style import Look
from wizard_app.pages.work_page import WorkPage


@pytest.mark.parametrize("lines", [1, 4])
def test_what_is_told_above_the_turns_has_room_for_all_its_lines(qtbot: QtBot, look: Look, lines: int) -> None:
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.resize(1280, 640)
    page.show()
    page.scenario.setText("\n".join(["Scenario 1 of 2"] * lines))
    needed = lines * page.scenario.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: page.scenario.height() >= needed)
    assert page.turns.height() > 200
