"""The rules and the maximum have keys: there, and back to the turn at work."""

from PySide6.QtCore import Qt

from tests.wizard_app.room import CONTROL, SHIFT, Room


def at(room: Room) -> str:
    return room.target().objectName()


def test_a_key_opens_the_rules_or_the_maximum_and_goes_back_also_where_the_column_is_folded(room: Room) -> None:
    room.begin()
    came_from = at(room)
    for key, place in ((Qt.Key.Key_R, "rules"), (Qt.Key.Key_M, "sql_max")):
        room.key(key, CONTROL | SHIFT)
        opened = room.target()
        assert (opened.objectName(), opened.isVisible()) == (place, True)
        room.key(key, CONTROL | SHIFT)
        assert at(room) == came_from
    assert not opened.isVisible()
    room.key(Qt.Key.Key_B, CONTROL)
    room.key(Qt.Key.Key_R, CONTROL | SHIFT)
    rules = room.target()
    assert (rules.objectName(), rules.isVisible()) == ("rules", True)
    room.key(Qt.Key.Key_Escape)
    assert at(room) == came_from and not rules.isVisible()


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
