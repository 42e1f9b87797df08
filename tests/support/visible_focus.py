"""Walks what Tab reaches, for the tests of every window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget

from curtain.desk.looks.focus_ring import FocusRing
from curtain.desk.style import Look


def reached_by_tab(page: QWidget) -> list[QWidget]:
    """The widgets of a shown page that Tab stops at."""
    return [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisibleTo(page)
        and widget.focusProxy() is None
        and not isinstance(widget, QScrollArea)
    ]


def poor_stops(app: QApplication, look: Look, page: QWidget) -> tuple[list[str], list[str]]:
    """Those without a name for a screen reader, and those that get no focus ring."""
    page.activateWindow()
    if (focused := app.focusWidget()) is not None:
        focused.clearFocus()  # the ring follows changes only
    ring = FocusRing(app, look)
    nameless, invisible = [], []
    for widget in reached_by_tab(page):
        widget.setFocus()
        if not _is_named(widget):
            nameless.append(_label(widget))
        if ring.widget() is not widget or not ring.isVisible():
            invisible.append(_label(widget))
    ring.setWidget(None)  # type: ignore[arg-type]
    return nameless, invisible


def _is_named(widget: QWidget) -> bool:
    buddies = [label for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return bool(widget.accessibleName().strip() or text.strip() or buddies)


def _label(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"
