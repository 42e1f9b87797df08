"""Python types of Qt's classes, made before an event filter first meets them."""

from __future__ import annotations

from PySide6 import QtCore, QtGui, QtWidgets

# Objects without a Python name of ours whose events an application's filter sees.
SILENT_OBJECTS = ("QAbstractEventDispatcher", "QScreen", "QWindow", "QStyle", "QCommonStyle", "QProxyStyle", "QTimer")


def make_binding_types() -> int:
    """Make the types of all events, and of objects that only filters see. Returns how many.

    PySide makes a type when Python first needs it. Inside an event filter that can re-enter its own table of
    types, and the process dies (seen with PySide 6.11). Call it once, before the first filter is installed.
    """
    made = 0
    for module in (QtCore, QtGui, QtWidgets):
        names = [name for name in dir(module) if name.endswith("Event") or name in SILENT_OBJECTS]
        for name in names:
            getattr(module, name)
        made += len(names)
    return made
