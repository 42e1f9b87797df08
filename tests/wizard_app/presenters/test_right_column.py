"""The rules and the maximum have keys: there, and back to the turn at work."""

from PySide6.QtCore import Qt

from tests.wizard_app.room import CONTROL, SHIFT, Room


def at(room: Room) -> str:
    return room.target().objectName()


def test_a_key_opens_the_rules_and_the_same_key_or_escape_goes_back(room: Room) -> None:
    room.begin()
    came_from = at(room)
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    assert at(room) == "rules"
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    assert at(room) == came_from
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    room.key(Qt.Key.Key_Escape)
    assert at(room) == came_from


def test_the_rules_are_opened_where_the_right_column_is_folded_and_fold_with_it_again(room: Room) -> None:
    room.begin()
    room.key(Qt.Key.Key_B, CONTROL)
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    rules = room.target()
    assert (rules.objectName(), rules.isVisible()) == ("rules", True)
    room.key(Qt.Key.Key_Escape)
    assert not rules.isVisible()


def test_a_key_opens_the_statement_of_the_maximum_and_goes_back(room: Room) -> None:
    room.begin()
    came_from = at(room)
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    maximum = room.target()
    assert (maximum.objectName(), maximum.isVisible()) == ("sql_max", True)
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    assert at(room) == came_from
    assert not maximum.isVisible()


def test_what_a_hand_types_as_the_maximum_stays_while_the_result_of_before_is_in_sight(room: Room) -> None:
    room.begin()
    room.speak()
    room.run("SELECT last_name FROM employee WHERE employee_id = 1")
    room.wait(sql_state="done")
    room.key(Qt.Key.Key_M, CONTROL | SHIFT)
    field = room.field("sql_max")
    field.clear()
    room.type("SELECT 1")
    room.wait(sql_state="stale")
    assert field.toPlainText() == "SELECT 1"
