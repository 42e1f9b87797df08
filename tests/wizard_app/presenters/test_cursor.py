"""The cursor stays where a hand types, for two seconds by the clock that it is given."""

from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtWidgets import QLineEdit, QWidget

from wizard_app.presenters.cursor import Cursor


def test_a_field_keeps_the_cursor_until_two_seconds_after_the_last_key(qtbot: Any, put_up: Any) -> None:
    window = QWidget()
    query, editor = QLineEdit(window), QLineEdit(window)
    put_up(window)
    window.activateWindow()
    query.setFocus()
    qtbot.waitUntil(query.hasFocus)
    page = SimpleNamespace(
        messages=SimpleNamespace(picking=False), query=SimpleNamespace(field=query), sql=SimpleNamespace(editor=editor)
    )
    now = [10_000_000_000]
    cursor = Cursor(cast(Any, window), cast(Any, page), cast(Any, None), lambda: now[0])
    assert not cursor.typing_elsewhere
    cursor.typed()
    now[0] += 1_999_999_999
    assert cursor.typing_elsewhere
    now[0] += 1
    assert not cursor.typing_elsewhere
    cursor.typed()
    cursor.typed_nothing()
    assert not cursor.typing_elsewhere
