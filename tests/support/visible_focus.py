"""Walks what Tab reaches, for the tests of every window."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget

from curtain.qt.style import Look


def reached_by_tab(page: QWidget) -> list[QWidget]:
    """The widgets of a shown page that Tab stops at."""
    return [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisibleTo(page)
        and widget.focusProxy() is None
    ]


def poor_stops(app: QApplication, look: Look, page: QWidget) -> tuple[list[str], list[str]]:
    """Those without a name for a screen reader, and those whose focus ring lacks a side, with the sides."""
    page.activateWindow()
    nameless, cut = [], []
    for widget in reached_by_tab(page):
        # A text that a page itself brings to the front wears no ring.
        widget.clearFocus()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        _bring_into_view(widget)
        # Layouts settle in a few rounds.
        for _ in range(3):
            app.processEvents()
        if not _is_named(widget):
            nameless.append(_label(widget))
        if missing := missing_sides(widget, QColor(look.accent)):
            cut.append(f"{_label(widget)}: {', '.join(missing)}")
    return nameless, cut


def missing_sides(widget: QWidget, colour: QColor) -> list[str]:
    """The sides of the widget along which the window shows no line of this colour."""
    window = widget.window()
    image = window.grab().toImage()
    area = QRect(widget.mapTo(window, QPoint()), widget.size())
    # The second pixel: the first is softened where the line is three pixels wide.
    left, right, top, bottom = area.left() + 1, area.right() - 1, area.top() + 1, area.bottom() - 1
    lines = {
        "left": [(left, y) for y in range(top + 4, bottom - 3)],
        "right": [(right, y) for y in range(top + 4, bottom - 3)],
        "top": [(x, top) for x in range(left + 4, right - 3)],
        "bottom": [(x, bottom) for x in range(left + 4, right - 3)],
    }
    inside = image.rect()
    return [
        side
        for side, points in lines.items()
        if not all(inside.contains(x, y) and image.pixelColor(x, y) == colour for x, y in points)
    ]


def _bring_into_view(widget: QWidget) -> None:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def _is_named(widget: QWidget) -> bool:
    buddies = [label for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return bool(widget.accessibleName().strip() or text.strip() or buddies)


def _label(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()}"
