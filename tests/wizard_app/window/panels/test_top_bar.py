"""What stands across the top of the wizard's window."""

from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.window.panels.top_bar import DeadlineBar


def test_the_deadline_tells_for_what_the_time_is(qtbot: QtBot, look: Look) -> None:
    bar = DeadlineBar(look)
    qtbot.addWidget(bar)
    bar.show_deadline(Deadline(60.0, 0.0))
    assert bar.accessibleName() == "1:00 to answer"
