"""One table of keys: it binds the shortcuts, fills F1 and words the strip."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from wizard_app.keys import BINDINGS, KEY_GROUPS, bind, key_of

ROOM = Path(__file__).parent.parent.parent / "wizard_app"


class RecordingWindow:
    def __init__(self) -> None:
        self.bound: dict[str, Callable[[], object]] = {}

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None:
        assert keys not in self.bound
        self.bound[keys] = act


def every_action(pressed: list[str]) -> dict[str, Callable[[], object]]:
    names = [binding.action for binding in BINDINGS if binding.action]
    return {name: lambda name=name: pressed.append(name) for name in names}  # type: ignore[misc]


def test_each_key_of_the_table_does_its_action() -> None:
    window, pressed = RecordingWindow(), list[str]()
    bind(window, every_action(pressed), at_work=lambda: True)
    for binding in BINDINGS:
        for keys in binding.keys:
            window.bound[keys]()
            assert pressed.pop() == binding.action


def test_a_key_of_the_working_page_does_nothing_elsewhere() -> None:
    window, pressed = RecordingWindow(), list[str]()
    bind(window, every_action(pressed), at_work=lambda: False)
    for act in window.bound.values():
        act()
    assert set(pressed) == {binding.action for binding in BINDINGS if binding.scope == "window"}


def test_an_action_without_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match="dance"):
        bind(RecordingWindow(), {**every_action([]), "dance": lambda: None}, at_work=lambda: True)


def test_a_key_without_an_action_is_refused() -> None:
    actions = every_action([])
    del actions["run"]
    with pytest.raises(ValueError, match="run"):
        bind(RecordingWindow(), actions, at_work=lambda: True)


def test_f1_lists_what_the_table_binds() -> None:
    listed = {key for _, steps in KEY_GROUPS for key, _ in steps}
    assert {key_of(name) for name in ("run", "send_query", "send_answer", "message", "correct")} <= listed


def test_the_table_is_the_only_place_that_makes_shortcuts() -> None:
    callers = {path.name for path in ROOM.rglob("*.py") if _calls(path, "add_key")}
    assert callers == {"keys.py"}


def _calls(path: Path, name: str) -> bool:
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return any(isinstance(call.func, ast.Attribute) and call.func.attr == name for call in calls)
