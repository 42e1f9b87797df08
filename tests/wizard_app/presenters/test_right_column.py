"""The rules and the maximum have keys: there, and back to the turn at work."""

from PySide6.QtCore import Qt

from tests.wizard_app.room import CONTROL, SHIFT, Room


def at(room: Room) -> str:
    return room.target().objectName()


def test_a_key_opens_the_rules_or_the_maximum_and_goes_back_also_where_the_column_is_folded(begun: Room) -> None:
    came_from = at(begun)
    for key, place in ((Qt.Key.Key_R, "rules"), (Qt.Key.Key_M, "sql_max")):
        begun.key(key, CONTROL | SHIFT)
        opened = begun.target()
        assert (opened.objectName(), opened.isVisible()) == (place, True)
        begun.key(key, CONTROL | SHIFT)
        assert at(begun) == came_from
    assert not opened.isVisible()
    begun.key(Qt.Key.Key_B, CONTROL)
    begun.key(Qt.Key.Key_R, CONTROL | SHIFT)
    rules = begun.target()
    assert (rules.objectName(), rules.isVisible()) == ("rules", True)
    begun.key(Qt.Key.Key_Escape)
    assert at(begun) == came_from and not rules.isVisible()


def test_what_a_hand_types_as_the_maximum_stays_while_the_result_of_before_is_in_sight(begun: Room) -> None:
    begun.speak()
    begun.run("SELECT last_name FROM employee WHERE employee_id = 1")
    begun.wait(sql_state="done")
    begun.key(Qt.Key.Key_M, CONTROL | SHIFT)
    field = begun.field("sql_max")
    field.clear()
    begun.type("SELECT 1")
    begun.wait(sql_state="stale")
    assert field.toPlainText() == "SELECT 1"
