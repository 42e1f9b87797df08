"""What stands across the top of the wizard's window."""

from PySide6.QtWidgets import QLabel, QMenu, QPushButton

from curtain.qt.style import Look
from tests.support.everywhere import PutUp
from wizard_app.desk.turn.deadline import Deadline
from wizard_app.window.panels.top_bar import DeadlineBar, TopBar


def test_the_deadline_tells_for_what_the_time_is(put_up: PutUp, look: Look) -> None:
    bar = DeadlineBar(look)
    put_up(bar)
    bar.show_deadline(Deadline(60.0, 0.0))
    assert bar.accessibleName() == "1:00 to answer"


def test_the_questions_beside_the_one_at_work_are_counted(put_up: PutUp, look: Look) -> None:
    bar = TopBar(look)
    put_up(bar, 1280, 40)
    lamp = bar.findChild(QLabel, "waiting_lamp")
    for count, text in enumerate(("0 wait", "1 waits", "2 wait")):
        bar.show_waiting(count)
        assert lamp.isVisible() and lamp.text() == text


def test_the_menu_has_the_keys_of_the_window_and_their_list(put_up: PutUp, look: Look) -> None:
    bar, chosen = TopBar(look), list[str]()
    put_up(bar)
    bar.key_chosen.connect(chosen.append)
    bar.findChild(QPushButton, "session_menu").click()
    for action in [one for menu in bar.findChildren(QMenu) for one in menu.actions() if not one.menu()]:
        action.trigger()
    assert {"F5", "F11", "Ctrl++", "Ctrl+-", "Ctrl+0", "F10", "F1"} <= {*chosen}
