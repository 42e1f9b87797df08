"""The keys of a window, once: one table binds the shortcuts, fills F1 and the key strip."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal, Protocol

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence

Step = tuple[str, str]
"""A key as a person names it, and what it does; an empty key is a remark."""

Scope = Literal["work", "window", "field"]
"""Where a key counts: where the window's work is done, everywhere in the window, or in the field that takes it."""

# Qt's names on the left, the words on a keyboard on the right.
_WORDS = {"Return": "Enter", "Escape": "Esc", "PgDown": "PgDn"}

# Left what macOS takes for itself (minimise, close, Spotlight, show the desktop), what its text fields take (Option
# with an arrow) and what types a sign (Option with a digit); right what is free there. Qt's Ctrl is the Mac's Cmd.
_MAC_KEYS = {
    "Ctrl+M": "Ctrl+U", "Ctrl+W": "Ctrl+I", "Ctrl+Space": "Alt+Escape", "F11": "Ctrl+Meta+F",
    "Alt+Up": "Ctrl+Alt+Up", "Alt+Down": "Ctrl+Alt+Down", **{f"Alt+{digit}": f"Ctrl+{digit}" for digit in range(1, 10)},
}  # fmt: skip
_MAC_WORDS = {
    "Ctrl": "Cmd", "Strg": "Cmd", "Alt": "Option", "Meta": "Control", "Enter": "Return", "Escape": "Esc",
    "Del": "Fn+Delete", "Entf": "Fn+Entf", "PgUp": "Fn+Up", "PgDn": "Fn+Down",
}  # fmt: skip
_MODIFIERS = r"(?:(?:Ctrl|Strg|Alt|Meta|Shift|Umschalt)\+)"
_KEYS_IN_TEXT = re.compile(rf"{_MODIFIERS}+(?:[A-Z]\w*|\d|\S)|\bF11\b|\b(?:Del|Entf|PgUp|PgDn)\b")
_KEY_NAMES = (
    "Ctrl", "Alt", "Shift", "Enter", "Esc", "Del", "Tab", "Space", "PgUp", "PgDn", "Up", "Down", "Left", "Right",
    "Arrows",
)  # fmt: skip
_NAMES_IN_TEXT = re.compile(rf"\b(?:{'|'.join(_KEY_NAMES)})\b")


def keys_here(keys: str, platform: str = sys.platform) -> str:
    """Keys by Qt's names, or what stands in their place on a Mac."""
    return _MAC_KEYS.get(keys, keys) if platform == "darwin" else keys


def keys_in_words(text: str, platform: str = sys.platform) -> str:
    """A text in which keys are named as they are on this machine."""
    return _KEYS_IN_TEXT.sub(lambda found: _on_mac(found[0]), text) if platform == "darwin" else text


def _on_mac(keys: str) -> str:
    english = keys.replace("Strg", "Ctrl").replace("Umschalt", "Shift")
    there = _MAC_KEYS.get(english)
    words = {"Ctrl+Meta+F": "Control+Cmd+F"}.get(there or "")
    return words or "+".join(_MAC_WORDS.get(part, part) for part in (there or keys).split("+"))


def named_keys(text: str) -> str:
    """Keys as the window's language writes them: the whole text where it is translated, else each name in it."""
    words = QCoreApplication.translate("Keys", text)
    if words != text:
        return words
    return keys_in_words(_NAMES_IN_TEXT.sub(lambda name: QCoreApplication.translate("Key names", name[0]), text))


@cache
def _on_keyboard(keys: str) -> str:
    # Ctrl++ is Ctrl and the plus key.
    parts = re.split(r"(?<!\+)\+(?!$)|(?<=\+)\+(?=.)", keys)
    return "+".join(_WORDS.get(part, part) for part in parts)


@dataclass(frozen=True)
class Binding:
    """`action` names what the key does; `keys` are Qt's names; `shown` stands in F1's list, the first key if empty.

    A binding without a group is not in F1's list. A key of the scope `field` is handled by the widget that has the
    cursor; it stands here for F1 and the strip alone.
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
        if not self.keys:
            return named_keys(self.shown)
        return named_keys(_on_keyboard(self.keys[0]))


APPEARANCE_KEYS = (
    Binding("text_larger", ("Ctrl++", "Ctrl+="), "Window", "larger text", "window"),
    Binding("text_smaller", ("Ctrl+-",), "Window", "smaller text", "window"),
    Binding("text_ordinary", ("Ctrl+0",), "Window", "text of the ordinary size", "window"),
    Binding("next_theme", ("F10",), "Window", "colours: the system’s, light, dark, high contrast", "window"),
)
"""Every window has these; `AppearanceControl` binds them."""


def field_key(group: str, shown: str, does: str, action: str = "") -> Binding:
    """A key that the widget with the cursor handles; `action` lets the strip name it."""
    return Binding(action, (), group, does, "field", shown=shown)


def qt_keys(label: str, platform: str = sys.platform) -> str:
    """Qt's name of one key as the window writes it, “Ctrl+Enter” or “Strg+Enter”; "" for a remark and for several keys,
    “Up/Down”."""
    # “M, Enter” are two keys, one after the other: QKeySequence would take them for one.
    if ", " in label:
        return ""
    names = {shown: name for name, shown in _WORDS.items()}
    names |= {QCoreApplication.translate("Key names", name): names.get(name, name) for name in _KEY_NAMES}
    if platform == "darwin":
        names |= {"Cmd": "Ctrl", "Option": "Alt", "Control": "Meta"}
        label = label.replace("Fn+Delete", "Del").replace("Fn+Entf", "Del")
    keys = QKeySequence("+".join(names.get(part, part) for part in label.split("+")))
    known = keys.count() == 1 and keys[0].key() != Qt.Key.Key_unknown  # type: ignore[index]  # PySide's types lack it
    return keys.toString(QKeySequence.SequenceFormat.PortableText) if known else ""


def listed(bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """Bindings that another table of the same window binds, as F1 lists them here."""
    return tuple(field_key(each.group, each.shown or each.label, each.does, each.action) for each in bindings)


class KeyWindow(Protocol):
    """The part of a window that takes shortcuts."""

    def add_key(self, keys: str, act: Callable[[], object], repeat: bool = False) -> None:
        """Call `act` when these keys are pressed anywhere in the window; with `repeat` also while they are held."""


class KeyTable:
    """The bindings of one window."""

    def __init__(self, bindings: Sequence[Binding]) -> None:
        self.bindings = tuple(bindings)
        self._by_action = {binding.action: binding for binding in bindings if binding.action}

    @property
    def bound(self) -> dict[str, Binding]:
        """The bindings that need an action, by its name."""
        return {name: binding for name, binding in self._by_action.items() if binding.scope != "field"}

    @property
    def groups(self) -> list[tuple[str, list[Step]]]:
        """Keys and what they do, by what they are for, as F1 shows them."""
        by_group: dict[str, list[Step]] = {}
        for binding in self.bindings:
            if binding.group:
                steps = by_group.setdefault(QCoreApplication.translate("Keys", binding.group), [])
                keys = named_keys(binding.shown) if binding.shown else binding.label
                steps.append((keys, QCoreApplication.translate("Keys", binding.does)))
        return list(by_group.items())

    def key_of(self, action: str) -> str:
        """How the key of this action is written for people. Raises KeyError: there is no such action."""
        return self._by_action[action].label

    def bind(self, window: KeyWindow, actions: Mapping[str, Callable[[], object]], at_work: Callable[[], bool]) -> None:
        """Give each key its action; a key of the scope `work` does nothing while `at_work` is false.

        Raises ValueError: an action without a key, or a key without an action.
        """
        bound = self.bound
        if actions.keys() != bound.keys():
            raise ValueError(f"keys and actions differ: {sorted(actions.keys() ^ bound.keys())}")
        for action, act in actions.items():
            binding = bound[action]
            acts = partial(_when, at_work, act) if binding.scope == "work" else act
            for keys in binding.keys:
                window.add_key(keys, acts, repeat=binding.repeat)


def _when(allowed: Callable[[], bool], act: Callable[[], object]) -> None:
    if allowed():
        act()
