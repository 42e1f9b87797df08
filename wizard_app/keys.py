"""Every key of the wizard's window, once: this table binds the shortcuts, fills F1 and words the strip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

__all__ = ["BINDINGS", "KEY_GROUPS", "Binding", "KeyWindow", "bind", "key_of"]

Scope = Literal["work", "window", "field"]
"""Where a key counts: on the page of a running session, everywhere in the window, or in the field that takes it."""


@dataclass(frozen=True)
class Binding:
    """`action` names what the key does; `keys` are Qt's names; `shown` stands in F1's list, the first key if empty.

    A key of the scope `field` is handled by the widget that has the cursor; it stands here for F1 alone.
    """

    action: str
    keys: tuple[str, ...]
    group: str
    does: str
    scope: Scope = "work"
    repeat: bool = False
    shown: str = ""

    @property
    def label(self) -> str:
        """The first key as people write it."""
        return self.keys[0].replace("Return", "Enter").replace("Escape", "Esc")


def _field(group: str, shown: str, does: str) -> Binding:
    return Binding("", (), group, does, "field", shown=shown)


BINDINGS: tuple[Binding, ...] = (
    Binding("replay", ("F2",), "Listen", "play again", "window"),
    Binding("back", ("F3",), "Listen", "back 1 second", "window", repeat=True),
    Binding("speed", ("F4",), "Listen", "speed 1.0, 0.8, 0.6, 1.3", "window"),
    Binding("to_query", ("Ctrl+T",), "Query", "to the query"),
    _field("Query", "Tab in it", "take the greyed words"),
    # A keypad's Enter has a name of its own.
    Binding("send_query", ("Ctrl+Return", "Ctrl+Enter"), "Query", "send the query, also again"),
    *(
        Binding(f"draft_{number}", (f"Alt+{number}",), "Drafts" if number == 1 else "", "take a draft and run it",
                shown="Alt+1..5" if number == 1 else "")
        for number in range(1, 6)
    ),
    Binding("to_drafts", ("Ctrl+D",), "Drafts", "to the drafts: Up/Down look, Enter takes"),
    _field("Drafts", "Del, Ctrl+Z", "there: withdraw the example, bring it back"),
    Binding("to_values", ("Ctrl+K",), "Drafts", "to the values: Enter swaps, Del takes one out"),
    Binding("reword", ("Ctrl+R",), "Drafts", "other words, never seen by the subject"),
    Binding("to_sql", ("Ctrl+L",), "SQL", "to the SQL without sending the query"),
    Binding("run", ("F5",), "SQL", "run"),
    Binding("yes_no", ("F6",), "SQL", "yes/no question or not"),
    Binding("rules", ("Ctrl+Shift+R",), "SQL", "to the rules and back"),
    Binding("maximum", ("Ctrl+Shift+M",), "SQL", "to the maximum and back"),
    _field("SQL", "Ctrl+Space", "complete"),
    _field("SQL", "Ctrl+Up/Down", "earlier statements"),
    Binding("send_answer", ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"), "SQL", "send the answer"),
    Binding("message", ("Ctrl+M",), "Messages", "open"),
    _field("Messages", "number or letters", "choose"),
    _field("Messages", "Tab", "blanks"),
    _field("Messages", "Enter", "send"),
    _field("Messages", "Esc", "close"),
    Binding("turn_list", ("F7",), "Turns", "to the list: F2 plays, F9 notes"),
    Binding("correct", ("F8",), "Turns", "correct the last answer"),
    Binding("note", ("F9",), "Turns", "note on the turn at work"),
    Binding("end_scenario", ("Ctrl+E",), "Session", "end of scenario"),
    Binding("next_scenario", ("Ctrl+N",), "Session", "next scenario"),
    Binding("pause", ("Ctrl+P",), "Session", "pause, go on"),
    Binding("end_session", ("Ctrl+Shift+E",), "Session", "end the session"),
    Binding("accept_offer", ("Ctrl+Shift+L",), "Session", "what a red line offers"),
    Binding("full_screen", ("F11",), "Session", "full screen", "window"),
    Binding("fold", ("Ctrl+B",), "Session", "fold the right column"),
    # F1 does not list itself, and what Esc leaves depends on where the cursor is.
    Binding("keys", ("F1",), "", "keys", "window"),
    Binding("leave", ("Escape",), "", "back", "window"),
)  # fmt: skip

_BY_ACTION = {binding.action: binding for binding in BINDINGS if binding.action}


def key_of(action: str) -> str:
    """How the key of this action is written for people. Raises KeyError: there is no such action."""
    return _BY_ACTION[action].label


def _groups(bindings: Iterable[Binding]) -> list[tuple[str, list[tuple[str, str]]]]:
    by_group: dict[str, list[tuple[str, str]]] = {}
    for binding in bindings:
        if binding.group:
            by_group.setdefault(binding.group, []).append((binding.shown or binding.label, binding.does))
    return list(by_group.items())


KEY_GROUPS: list[tuple[str, list[tuple[str, str]]]] = _groups(BINDINGS)
"""Keys and what they do, by what they are for, as F1 shows them."""


class KeyWindow(Protocol):
    """The part of a window that takes shortcuts."""

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None: ...


def bind(window: KeyWindow, actions: Mapping[str, Callable[[], object]], at_work: Callable[[], bool]) -> None:
    """Give each key its action; a key of the work page does nothing elsewhere.

    Raises ValueError: an action without a key, or a key without an action.
    """
    if actions.keys() != _BY_ACTION.keys():
        raise ValueError(f"keys and actions differ: {sorted(actions.keys() ^ _BY_ACTION.keys())}")
    for action, act in actions.items():
        binding = _BY_ACTION[action]
        acts = partial(_when, at_work, act) if binding.scope == "work" else act
        for keys in binding.keys:
            window.add_key(keys, acts, repeat=binding.repeat)


def _when(allowed: Callable[[], bool], act: Callable[[], object]) -> None:
    if allowed():
        act()
