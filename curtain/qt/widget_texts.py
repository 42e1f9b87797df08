"""What a person could see or hear from the widgets of this process, for the driver."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QTabWidget, QWidget

TEXTS = (
    "text",
    "toPlainText",
    "currentText",
    "placeholderText",
    "title",
    "windowTitle",
    "toolTip",
    "statusTip",
    "whatsThis",
    "accessibleName",
    "accessibleDescription",
)
TEXT_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
WINDOW = "window"


def read(window: QWidget, name: str, keys: list[str]) -> dict[str, Any] | None:
    """The asked properties of a widget by its object name; None if there is no such widget."""
    widget = window if name == WINDOW else find(name, window)
    return None if widget is None else {key: value_of(widget, key) for key in keys}


def matches(value: Any, wanted: Any) -> bool:
    """Equal, or as `{"at_least": n}`, `{"contains": text}`, `{"not": value}`, `{"one_of": values}` asks."""
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if "at_least" in wanted:
        return isinstance(value, int | float) and value >= wanted["at_least"]
    if "contains" in wanted:
        return isinstance(value, str) and wanted["contains"] in value
    if "one_of" in wanted:
        return value in wanted["one_of"]
    return "not" in wanted and value != wanted["not"]


def look(window: QWidget) -> dict[str, dict[str, Any]]:
    """Every visible named widget: text, enabled, focus, value and dynamic properties, and the window's own."""
    widgets = {WINDOW: _dynamic(window) | {"title": window.windowTitle()}}
    for widget in _named(window):
        # What a person cannot see is no answer to “look”.
        if widget.isVisible():
            widgets[widget.objectName()] = _described(widget)
    return widgets


def texts() -> list[str]:
    """Every text, tooltip, title, accessible name and item of every widget, shown or not, and the clipboard."""
    collected: set[str] = {QGuiApplication.clipboard().text()}
    for top in QApplication.topLevelWidgets():
        # Also actions, which are no widgets but carry texts.
        for thing in (top, *top.findChildren(QObject)):
            collected.update(_texts_of(thing))
    return sorted(text for text in collected if text)


def find(name: str, window: QWidget) -> QWidget | None:
    """The widget of this object name, a visible one if there are several."""
    # Qt compares the names: a wait asks every few milliseconds, in a window of hundreds of widgets.
    same = [
        widget
        for top in _windows(window)
        for widget in (*([top] if top.objectName() == name else ()), *top.findChildren(QWidget, name))
    ]
    # The same name can stand on several pages.
    return next((widget for widget in same if widget.isVisible()), same[0] if same else None)


def value_of(widget: QWidget, key: str) -> Any:
    """A property of a widget as plain data.

    “text”, “focus”, “enabled” and “visible” are worked out; others are Qt's.
    """
    if key == "text":
        return text_of(widget)
    if key == "focus":
        return widget.window().focusWidget() is widget
    if key in ("enabled", "visible"):
        return widget.isEnabled() if key == "enabled" else widget.isVisible()
    return _property(widget, key)


def text_of(thing: QObject) -> str | None:
    """What stands on a button, label, field or box."""
    for getter in ("toPlainText", "currentText", "text", "title"):
        if callable(method := getattr(thing, getter, None)):
            try:
                return str(method())
            # Some getters of the same name want an argument: then it is no text of the widget.
            except TypeError:
                continue
    return None


def _windows(window: QWidget) -> list[QWidget]:
    return [window, *(other for other in QApplication.topLevelWidgets() if other is not window)]


def _named(window: QWidget) -> Iterator[QWidget]:
    for top in _windows(window):
        for widget in (top, *top.findChildren(QWidget)):
            # Qt's own parts have names that begin so.
            if widget.objectName() and not widget.objectName().startswith("qt_"):
                yield widget


def _described(widget: QWidget) -> dict[str, Any]:
    described = {"text": text_of(widget), "enabled": widget.isEnabled(), "focus": value_of(widget, "focus")}
    for key in ("value", "checked", "level"):
        if widget.property(key) is not None:
            described[key] = _plain(widget.property(key))
    return described | _dynamic(widget)


def _dynamic(thing: QObject) -> dict[str, Any]:
    names = [bytes(name.data()).decode() for name in thing.dynamicPropertyNames()]
    # Names with an underscore are Qt's own.
    return {name: _property(thing, name) for name in names if not name.startswith("_")}


def _property(thing: QObject, name: str) -> Any:
    try:
        return _plain(thing.property(name))
    except RuntimeError:
        # Qt keeps things of its own in properties that have no value in Python.
        return None


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def _texts_of(thing: QObject) -> Iterator[str]:
    yield from (value for value in _dynamic(thing).values() if isinstance(value, str))
    if isinstance(thing, QWidget | QAction):
        yield from _getters(thing)
    if isinstance(thing, QAbstractItemView) and thing.model() is not None:
        yield from _model_texts(thing.model())
    if isinstance(thing, QComboBox):
        yield from (thing.itemText(number) for number in range(thing.count()))
    if isinstance(thing, QTabWidget):
        yield from (thing.tabText(number) for number in range(thing.count()))


def _getters(thing: QObject) -> Iterator[str]:
    for getter in TEXTS:
        if callable(method := getattr(thing, getter, None)):
            try:
                value = method()
            except TypeError:
                continue
            if isinstance(value, str):
                yield value


def _model_texts(model: QAbstractItemModel) -> Iterator[str]:
    for column in range(_columns(model, QModelIndex())):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
    yield from _texts_under(model, QModelIndex())


def _texts_under(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        for column in range(_columns(model, parent)):
            index = model.index(row, column, parent)
            yield from (str(index.data(role) or "") for role in TEXT_ROLES)
        yield from _texts_under(model, model.index(row, 0, parent))


def _columns(model: QAbstractItemModel, parent: QModelIndex) -> int:
    try:
        return model.columnCount(parent)
    except TypeError:
        return 1  # a list model does not let itself be asked
