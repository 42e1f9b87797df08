"""Another look for an application that is running: each colour and size is exchanged for the one in its place."""

from dataclasses import fields, replace

from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QBrush, QColor, QPalette, QTextCharFormat, QTextFormat
from PySide6.QtWidgets import QApplication, QListWidget, QPlainTextEdit, QTreeWidget, QWidget

from curtain.qt.style import Look, Theme, dress, sized, themed, washed

_SET_FONT, _SET_PALETTE = Qt.WidgetAttribute.WA_SetFont, Qt.WidgetAttribute.WA_SetPalette
_COLOURS = tuple(field.name for field in fields(Look) if field.type == "str")
_GROUPS = (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled)
_ROLES = (
    QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.Window,
    QPalette.ColorRole.Base, QPalette.ColorRole.Highlight, QPalette.ColorRole.Button,
)  # fmt: skip


def change(app: QApplication, look: Look, theme: Theme, percent: int) -> None:
    """Change the look in place, and with it every widget that is there."""
    before, after = replace(look), replace(themed(app, theme), scale=percent / 100)
    # Read first: some widgets set the sizes of others as soon as the application's font changes.
    sizes = [(each, each.font().pointSizeF()) for each in app.allWidgets() if _has(each, _SET_FONT)]
    for field in fields(Look):
        setattr(look, field.name, getattr(after, field.name))
    dress(app, look)
    # Before the event loop runs Qt notifies no widget; notified twice, a widget changes nothing.
    for widget in app.allWidgets():
        app.sendEvent(widget, QEvent(QEvent.Type.ApplicationFontChange))
        app.sendEvent(widget, QEvent(QEvent.Type.ApplicationPaletteChange))
    for widget, points in sizes:
        widget.setFont(sized(widget.font(), points * after.scale / before.scale, widget.font().bold()))
    colours = {getattr(before, name): getattr(after, name) for name in _COLOURS}
    colours |= {washed(before, old): washed(look, new) for old, new in list(colours.items())}
    for widget in app.allWidgets():
        if _has(widget, _SET_PALETTE):
            widget.setPalette(_recoloured(widget.palette(), colours))
        if isinstance(widget, QListWidget | QTreeWidget):
            _recolour_items(widget, colours)
        if isinstance(widget, QPlainTextEdit):
            _recolour_text(widget, colours)
        widget.update()


def _has(widget: QWidget, attribute: Qt.WidgetAttribute) -> bool:
    return widget.testAttribute(attribute)


def _recoloured(old: QPalette, colours: dict[str, str]) -> QPalette:
    """The colours that the widget chose by itself, each exchanged for the one that has its place now."""
    made = QPalette(old)
    for group in _GROUPS:
        for role in _ROLES:
            now = old.color(group, role).name()
            if old.isBrushSet(group, role) and now in colours:
                made.setColor(group, role, QColor(colours[now]))
    return made


def _recolour_items(view: QListWidget | QTreeWidget, colours: dict[str, str]) -> None:
    model, role = view.model(), Qt.ItemDataRole.ForegroundRole
    columns = view.columnCount() if isinstance(view, QTreeWidget) else 1
    rows = [(QModelIndex(), row) for row in range(model.rowCount())]
    for parent, row in rows:
        for at in range(columns):
            index = model.index(row, at, parent)
            brush = model.data(index, role)
            if brush is not None and brush.color().name() in colours:
                model.setData(index, QBrush(QColor(colours[brush.color().name()])), role)
        first = model.index(row, 0, parent)
        rows.extend((first, below) for below in range(model.rowCount(first)))


def _recolour_text(field: QPlainTextEdit, colours: dict[str, str]) -> None:
    """Its marks and the colours of its words; both are kept as formats."""
    marks = field.extraSelections()
    for mark in marks:
        mark.format = _recoloured_format(mark.format, colours)
    field.setExtraSelections(marks)
    block = field.document().firstBlock()
    while block.isValid():
        ranges = block.layout().formats()
        for each in ranges:
            each.format = _recoloured_format(each.format, colours)
        block.layout().setFormats(ranges)
        block = block.next()


def _recoloured_format(old: QTextCharFormat, colours: dict[str, str]) -> QTextCharFormat:
    made = QTextCharFormat(old)
    ink, ground, line = (
        each.name() for each in (old.foreground().color(), old.background().color(), old.underlineColor())
    )
    if old.hasProperty(QTextFormat.Property.ForegroundBrush) and ink in colours:
        made.setForeground(QColor(colours[ink]))
    if old.hasProperty(QTextFormat.Property.BackgroundBrush) and ground in colours:
        made.setBackground(QColor(colours[ground]))
    if old.hasProperty(QTextFormat.Property.TextUnderlineColor) and line in colours:
        made.setUnderlineColor(QColor(colours[line]))
    return made
