"""One table of keys for each window: it binds the shortcuts, fills F1 and words the strip."""

import ast
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest

from curtain.qt.languages.key_table import KeyTable, keys_here
from curtain.review.panels.keys import KEYS as ANNOTATOR
from curtain_home.panels.keys import KEYS as HOME
from curtain_judge.window.keys import JUDGE_KEYS as JUDGE
from wizard_app.keys.table import KEYS as WIZARD

ROOT = Path(__file__).parents[3]
ROOMS = [ROOT / "wizard_app", *(ROOT / "curtain" / room for room in ("review", "qt")), ROOT / "companions/home"]

both_windows = pytest.mark.parametrize("table", [WIZARD, ANNOTATOR], ids=["wizard", "annotator"])


class RecordingWindow:
    def __init__(self) -> None:
        self.bound: dict[str, Callable[[], object]] = {}

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None:
        assert keys not in self.bound
        self.bound[keys] = act


def every_action(table: KeyTable, pressed: list[str]) -> dict[str, Callable[[], object]]:
    return {name: lambda name=name: pressed.append(name) for name in table.bound}  # type: ignore[misc]


@both_windows
def test_each_key_of_the_table_does_its_action(table: KeyTable) -> None:
    window, pressed = RecordingWindow(), list[str]()
    table.bind(window, every_action(table, pressed), at_work=lambda: True)
    for binding in table.bindings:
        for keys in binding.keys:
            window.bound[keys]()
            assert pressed.pop() == binding.action


@both_windows
def test_a_key_of_the_work_does_nothing_elsewhere(table: KeyTable) -> None:
    window, pressed = RecordingWindow(), list[str]()
    table.bind(window, every_action(table, pressed), at_work=lambda: False)
    for act in window.bound.values():
        act()
    assert set(pressed) == {binding.action for binding in table.bindings if binding.scope == "window"}


# What macOS or a text field on it does with keys, by Qt's names: minimise, close, hide, quit, Spotlight, windows, the
# Dock, Mission Control, screenshots, the desktop, Force Quit, paragraphs. A digit with Option is a sign.
MACOS_TAKES = {
    "Ctrl+M", "Ctrl+W", "Ctrl+H", "Ctrl+Q", "Ctrl+Space", "Ctrl+Tab", "Ctrl+`", "Ctrl+Alt+D", "Ctrl+Alt+H", "Meta+Up",
    "Meta+Down", "Meta+Left", "Meta+Right", "Meta+Space", "Ctrl+Shift+3", "Ctrl+Shift+4", "Ctrl+Shift+5",
    "Ctrl+Shift+Q", "F11", "Ctrl+Alt+Esc", "Alt+Up", "Alt+Down", *(f"Alt+{digit}" for digit in range(10)),
}  # fmt: skip


@pytest.mark.parametrize("table", [WIZARD, ANNOTATOR, HOME, JUDGE], ids=["wizard", "annotator", "home", "judge"])
def test_on_a_mac_no_key_is_taken_by_the_system_or_twice(table: KeyTable) -> None:
    keys = [keys_here(each, "darwin") for binding in table.bindings for each in binding.keys]
    assert not MACOS_TAKES & set(keys)
    assert len(keys) == len(set(keys))
    assert keys_here("Ctrl+M", "win32") == "Ctrl+M"


@both_windows
def test_an_action_without_a_key_and_a_key_without_an_action_are_refused(table: KeyTable) -> None:
    actions = every_action(table, [])
    others = {name: act for name, act in actions.items() if name != "run"}
    for wrong, named in (({**actions, "dance": lambda: None}, "dance"), (others, "run")):
        with pytest.raises(ValueError, match=named):
            table.bind(RecordingWindow(), wrong, at_work=lambda: True)


@both_windows
def test_f1_lists_what_the_table_binds(table: KeyTable) -> None:
    annotators = ("save", "next_turn", "hide", "full_screen")
    names = annotators if table is ANNOTATOR else ("send_query", "send_answer", "message", "correct")
    assert {table.key_of(name) for name in ("run", *names)} <= {key for _, steps in table.groups for key, _ in steps}


@both_windows
def test_no_group_stands_twice_in_a_menu_or_lists_a_key_twice(table: KeyTable) -> None:
    together = [title for title, _ in groupby(binding.group for binding in table.bindings if binding.group)]
    assert len(together) == len(table.groups)
    for _, steps in table.groups:
        keys = [key for key, _ in steps]
        assert len(keys) == len(set(keys))


def test_the_table_is_the_only_place_that_makes_shortcuts() -> None:
    callers = {path.name for room in ROOMS for path in room.rglob("*.py") if _calls(path, "add_key")}
    assert callers == {"key_table.py"}


def _calls(path: Path, name: str) -> bool:
    source = path.read_text("utf-8")
    # Most files do not name it, and need not be parsed.
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)] if name in source else []
    return any(isinstance(call.func, ast.Attribute) and call.func.attr == name for call in calls)
